"""Several workers: which of them looks at a table, and what they agree on."""

import sqlalchemy as sql
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    with op.batch_alter_table("table") as table:
        table.add_column(sql.Column("claimed_by", sql.String))
        table.add_column(sql.Column("claimed_until", sql.Double))
    op.create_table(
        "house",
        sql.Column("name", sql.String, primary_key=True),
        sql.Column("value", sql.Text, nullable=False),
    )
