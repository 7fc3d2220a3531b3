"""Puzzles: who has tried which, and what that says of both."""

import sqlalchemy as sql
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "puzzle_attempt",
        sql.Column("member", sql.String, primary_key=True),
        sql.Column("game", sql.String, primary_key=True),
        sql.Column("puzzle", sql.String, primary_key=True),
        sql.Column("is_first_right", sql.Boolean, nullable=False),
        sql.Column("is_solved", sql.Boolean, nullable=False),
        sql.Column("day", sql.String),
        sql.Column("at", sql.Double, nullable=False),
    )
    for name, whose in (
        ("puzzle_rating", ("member", "game")),
        ("puzzle_strength", ("game", "puzzle")),
    ):
        op.create_table(
            name,
            *(sql.Column(each, sql.String, primary_key=True) for each in whose),
            sql.Column("mu", sql.Double, nullable=False),
            sql.Column("sigma", sql.Double, nullable=False),
            sql.Column("matches", sql.Integer, nullable=False),
            sql.Column("rated_at", sql.Double, nullable=False),
        )
