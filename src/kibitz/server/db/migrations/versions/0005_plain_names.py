"""Names that say what they hold, for tables, columns, indexes, and inside what is stored.

Nothing is lost: tables and columns are renamed in place, and words in them are replaced.
"""

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sql
from alembic import op

revision = "0005"
down_revision = "0004"

TABLES = {
    "table": "game_table",
    "row": "log_row",
    "visit": "membership",
    "house": "server_setting",
    "access": "token",
    "former": "deleted_account",
    "rated": "rated_match",
}
COLUMNS = {
    "game_table": {
        "rules": "rules_version",
        "created": "created_at",
        "open": "is_open",
        "over": "is_over",
        "due": "due_at",
        "seeking": "seek_key",
    },
    "log_row": {"spent": "think_seconds"},
    "guest": {"created": "created_at"},
    "uptime": {"started": "started_at", "seen": "seen_at"},
    "account": {
        "shown": "display_name",
        "password": "password_hash",
        "created": "created_at",
        "confirmed": "confirmed_at",
        "digest": "mail_digest",
        "mailed": "mailed_at",
        "told": "mail_state",
    },
    "token": {"digest": "token_hash", "created": "created_at", "used": "used_at"},
}
INDEXES = {
    "ix_table_owner": ("game_table", ["owner"]),
    "ix_table_due": ("game_table", ["due_at"]),
    "ix_table_seeking": ("game_table", ["seek_key"]),
    "ix_table_open_over": ("game_table", ["is_open", "is_over"]),
    "row_key": ("log_row", ["table_id", "key"]),
    "ix_visit_member": ("membership", ["member"]),
    "ix_account_mailed": ("account", ["mailed_at"]),
    "ix_access_member": ("token", ["member"]),
}
KEYS = {
    "table_pkey": ("game_table", "game_table_pkey"),
    "row_pkey": ("log_row", "log_row_pkey"),
    "row_table_id_fkey": ("log_row", "log_row_table_id_fkey"),
    "visit_pkey": ("membership", "membership_pkey"),
    "visit_table_id_fkey": ("membership", "membership_table_id_fkey"),
    "house_pkey": ("server_setting", "server_setting_pkey"),
    "access_pkey": ("token", "token_pkey"),
    "former_pkey": ("deleted_account", "deleted_account_pkey"),
    "rated_pkey": ("rated_match", "rated_match_pkey"),
    "rated_table_id_fkey": ("rated_match", "rated_match_table_id_fkey"),
}
"""As PostgreSQL names them by itself; SQLite gives them no names."""
COMMANDS = {"keep ": "fill-in ", "ask keep ": "ask fill-in ", "open ": "remove-bot "}
"""The beginnings of texts of rows; no action of a game begins so."""
CHAT_KINDS = {
    "remove": "remove-line",
    "out": "remove-person",
    "in": "readmit",
    "off": "close",
    "on": "open",
}
SETTINGS = {"absence": "absence_seconds", "answer": "answer_seconds"}
MAIL_STATE = {"every": "interval_seconds", "asked": "confirmation_sent_at"}


def upgrade() -> None:
    for old, new in TABLES.items():
        op.rename_table(old, new)
    for table, columns in COLUMNS.items():
        for old, new in columns.items():
            op.alter_column(table, old, new_column_name=new)
    for old, (table, names) in INDEXES.items():
        op.drop_index(old, table)
        is_unique = old == "row_key"
        op.create_index(f"ix_{table}_{'_'.join(names)}", table, names, unique=is_unique)
    if op.get_bind().dialect.name == "postgresql":
        for old, (table, new) in KEYS.items():
            op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {old} TO {new}")
    _replace_words()
    _replace_json("game_table", "id", "settings", lambda found: _rename_keys(found, SETTINGS))
    _replace_json("game_table", "id", "seats", _seats_with_members)
    _replace_json("account", "name", "mail_state", lambda found: _rename_keys(found, MAIL_STATE))


def _replace_words() -> None:
    rows = sql.table("log_row", sql.column("text", sql.Text))
    for old, new in COMMANDS.items():
        start, rest = (
            sql.func.substr(rows.c.text, 1, len(old)),
            sql.func.substr(rows.c.text, len(old) + 1),
        )
        op.execute(rows.update().where(start == old).values(text=sql.literal(new) + rest))
    chat = sql.table("chat", sql.column("kind", sql.String))
    for old, new in CHAT_KINDS.items():
        op.execute(chat.update().where(chat.c.kind == old).values(kind=new))
    members = sql.table("membership", sql.column("role", sql.String))
    op.execute(members.update().where(members.c.role == "out").values(role="banned"))


def _replace_json(
    table: str, key: str, column: str, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    """Change a column that holds an object, where there is something to change."""
    held = sql.table(table, sql.column(key), sql.column(column, sql.JSON))
    found = op.get_bind().execute(sql.select(held.c[key], held.c[column])).all()
    for name, value in found:
        if (after := change(value)) != value:
            op.execute(held.update().where(held.c[key] == name).values({column: after}))


def _rename_keys(found: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in found.items()}


def _seats_with_members(seats: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The first tables had one member at a seat."""
    return {
        seat: {"members": [sits["member"]]} if "member" in sits else sits
        for seat, sits in seats.items()
    }
