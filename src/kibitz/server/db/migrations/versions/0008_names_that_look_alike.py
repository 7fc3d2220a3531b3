"""The skeletons of names, so that nobody registers one that looks like another's."""

import sqlalchemy as sql
from alembic import op

from kibitz.server.name_rules import skeleton

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("account", sql.Column("skeleton", sql.String))
    op.create_index("ix_account_skeleton", "account", ["skeleton"])
    accounts = sql.table(
        "account", sql.column("name"), sql.column("display_name"), sql.column("skeleton")
    )
    found = op.get_bind().execute(sql.select(accounts.c.name, accounts.c.display_name)).all()
    for name, shown in found:
        op.execute(
            accounts.update().where(accounts.c.name == name).values(skeleton=skeleton(shown))
        )
