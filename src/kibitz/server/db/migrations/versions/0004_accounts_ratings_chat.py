"""Accounts on top of guests, what they are good at, and what is said at tables."""

import sqlalchemy as sql
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "account",
        sql.Column("name", sql.String, primary_key=True),
        sql.Column("shown", sql.String, nullable=False),
        sql.Column("member", sql.String, nullable=False, unique=True),
        sql.Column("password", sql.String, nullable=False),
        sql.Column("created", sql.Double, nullable=False),
        sql.Column("language", sql.String, nullable=False),
        sql.Column("email", sql.String),
        sql.Column("confirmed", sql.Double),
        sql.Column("digest", sql.Boolean, nullable=False, server_default=sql.false()),
        sql.Column("mailed", sql.Double),
        sql.Column("told", sql.JSON, nullable=False, server_default="{}"),
    )
    op.create_index("ix_account_mailed", "account", ["mailed"])
    op.create_table(
        "access",
        sql.Column("digest", sql.String, primary_key=True),
        sql.Column("member", sql.String, nullable=False),
        sql.Column("kind", sql.String, nullable=False),
        sql.Column("name", sql.String, nullable=False),
        sql.Column("created", sql.Double, nullable=False),
        sql.Column("used", sql.Double),
    )
    op.create_index("ix_access_member", "access", ["member"])
    op.create_table("former", sql.Column("member", sql.String, primary_key=True))
    op.create_table(
        "rating",
        sql.Column("member", sql.String, primary_key=True),
        sql.Column("game", sql.String, primary_key=True),
        sql.Column("mu", sql.Double, nullable=False),
        sql.Column("sigma", sql.Double, nullable=False),
        sql.Column("matches", sql.Integer, nullable=False),
        sql.Column("at", sql.Double, nullable=False),
    )
    op.create_table(
        "rated",
        sql.Column("table_id", sql.String, sql.ForeignKey("table.id"), primary_key=True),
        sql.Column("at", sql.Double, nullable=False),
        sql.Column("changes", sql.JSON, nullable=False),
    )
    op.create_table(
        "chat",
        sql.Column("table_id", sql.String, sql.ForeignKey("table.id"), primary_key=True),
        sql.Column("n", sql.Integer, primary_key=True),
        sql.Column("kind", sql.String, nullable=False),
        sql.Column("room", sql.String, nullable=False),
        sql.Column("member", sql.String, nullable=False),
        sql.Column("text", sql.Text, nullable=False),
        sql.Column("at", sql.Double, nullable=False),
    )
