"""People around a table and the time they use.

Tables of before have no settings, no seed, no clock, and only their members see them.
"""

import sqlalchemy as sql
from alembic import op

revision = "0002"
down_revision = "0001"
TABLE = "table"


def upgrade() -> None:
    with op.batch_alter_table(TABLE) as table:
        table.add_column(sql.Column("settings", sql.JSON, nullable=False, server_default="{}"))
        table.add_column(sql.Column("seed", sql.String))
        for name in ("open", "over"):
            no = sql.false()
            table.add_column(sql.Column(name, sql.Boolean, nullable=False, server_default=no))
        table.add_column(sql.Column("due", sql.Double))
        table.add_column(sql.Column("seeking", sql.String))
        table.create_index("ix_table_due", ["due"])
        table.create_index("ix_table_seeking", ["seeking"])
        table.create_index("ix_table_open_over", ["open", "over"])
    with op.batch_alter_table("row") as row:
        row.add_column(sql.Column("spent", sql.Double, nullable=False, server_default="0"))
    op.create_table(
        "visit",
        sql.Column("table_id", sql.String, sql.ForeignKey(f"{TABLE}.id"), primary_key=True),
        sql.Column("member", sql.String, primary_key=True),
        sql.Column("role", sql.String, nullable=False),
        sql.Column("at", sql.Double, nullable=False),
    )
    op.create_index("ix_visit_member", "visit", ["member"])
    op.create_table(
        "guest",
        sql.Column("id", sql.String, primary_key=True),
        sql.Column("name", sql.String, nullable=False),
        sql.Column("created", sql.Double, nullable=False),
    )
    op.create_table(
        "uptime",
        sql.Column("id", sql.Integer, primary_key=True, autoincrement=True),
        sql.Column("started", sql.Double, nullable=False),
        sql.Column("seen", sql.Double, nullable=False),
    )
    tables = sql.table(TABLE, *(sql.column(name) for name in ("id", "owner", "created")))
    visits = sql.table("visit", *(sql.column(n) for n in ("table_id", "member", "role", "at")))
    theirs = sql.select(tables.c.id, tables.c.owner, sql.literal("seat"), tables.c.created)
    op.execute(visits.insert().from_select(["table_id", "member", "role", "at"], theirs))
