"""Tables and their rows: what Kibitz 0.1.0 made before there were migrations."""

import sqlalchemy as sql
from alembic import op

revision = "0001"
down_revision = None
TABLE = "table"


def upgrade() -> None:
    op.create_table(
        TABLE,
        sql.Column("id", sql.String, primary_key=True),
        sql.Column("game", sql.String, nullable=False),
        sql.Column("rules", sql.String, nullable=False),
        sql.Column("options", sql.JSON, nullable=False),
        sql.Column("start", sql.Text, nullable=False),
        sql.Column("seats", sql.JSON, nullable=False),
        sql.Column("created", sql.Double, nullable=False),
        sql.Column("owner", sql.String, nullable=False),
    )
    op.create_index("ix_table_owner", TABLE, ["owner"])
    op.create_table(
        "row",
        sql.Column("table_id", sql.String, sql.ForeignKey(f"{TABLE}.id"), primary_key=True),
        sql.Column("seq", sql.Integer, primary_key=True),
        sql.Column("actor", sql.String, nullable=False),
        sql.Column("member", sql.String, nullable=False),
        sql.Column("text", sql.Text, nullable=False),
        sql.Column("key", sql.String),
        sql.Column("at", sql.Double, nullable=False),
    )
    op.create_index("row_key", "row", ["table_id", "key"], unique=True)
