"""The boards of rated matches that go on, so that no worker evaluates one of them."""

import sqlalchemy as sql
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("game_table", sql.Column("board_hash", sql.String))
    op.create_index("ix_game_table_board_hash", "game_table", ["board_hash"])
