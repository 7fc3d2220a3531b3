"""Rows without an index of their keys: it was the larger half of what a row cost the disk."""

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.drop_index("ix_log_row_table_id_key", "log_row")
