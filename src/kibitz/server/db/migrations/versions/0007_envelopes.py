"""Seeds of envelopes that were closed after the first one was opened."""

import sqlalchemy as sql
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    later = sql.Column("later_seeds", sql.JSON, nullable=False, server_default="[]")
    op.add_column("game_table", later)
