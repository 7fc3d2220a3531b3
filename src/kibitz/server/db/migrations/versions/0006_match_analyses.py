"""Analyses of finished matches, so that each is made once."""

import sqlalchemy as sql
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "match_analysis",
        sql.Column("table_id", sql.String, sql.ForeignKey("game_table.id"), primary_key=True),
        sql.Column("version", sql.Integer, nullable=False),
        sql.Column("actions", sql.Integer, nullable=False),
        sql.Column("entries", sql.Text, nullable=False),
    )
