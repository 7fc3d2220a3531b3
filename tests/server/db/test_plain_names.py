"""A database of the version before, with something in every table, is carried over whole."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import sqlalchemy as sql

from kibitz.core.game import TABLE
from kibitz.server.admin.backup import back_up
from kibitz.server.admin.dump import MANIFEST_NAME, RowTally
from kibitz.server.admin.export import export_tables, import_tables
from kibitz.server.admin.restore import restore_data
from kibitz.server.db.connect import file_url
from kibitz.server.db.engine import engine_for
from kibitz.server.db.queries.accounts import Account
from kibitz.server.db.queries.chat import ChatEntry
from kibitz.server.db.queries.memberships import role_of
from kibitz.server.db.schema import ACCOUNT, migrate
from kibitz.server.db.store import Store
from kibitz.server.http.auth import Authenticator, Principal, token_hash
from kibitz.server.http.guests import GuestAuth
from kibitz.server.settings import DATABASE_FILE, Settings
from kibitz.server.tables.chat import ChatLog
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.sealed_dice import SEAL
from support.cluster.needed import NEEDED
from support.cluster.servers import database_for
from support.stored_matches import contents

BEFORE = "0004"
OPENED = 1_700_000_000.5
BOT_TOKEN = "k-a-token-that-a-program-has"
SECRET = b"s" * 32
TEXTS = [
    ("host", "ann", "bot B greedy", "k0"),
    ("host", "ann", "open B", None),
    ("guest", "bob", "sit B seed-1", None),
    ("A", "ann", "@a1", "k3"),
    ("A", "ann", "ask keep B greedy", None),
    ("B", "bob", "sit B", None),
    ("A", "ann", "ask adjourn", None),
    ("B", "bob", "decline", None),
]
SEATS = {"A": {"members": ["ann"], "entropy": "e-1"}}
OPTIONS = {"repetition": "ko", "turn_limit": 0}
CLOCK = {"kind": "fischer", "minutes": 10.0, "seconds": 5.0}
TURNS = {"kal": 4}
CHANGES = {"ann": [[25.0, 8.0, 0], [27.0, 7.0, 1]]}
CHAT = [
    (1, "say", "members", "ann", "hello"),
    (2, "say", "spectators", "eve", ""),
    (3, "remove", "", "ann", "2"),
    (4, "mute", "", "ann", "p-1"),
    (5, "unmute", "", "ann", "p-1"),
    (6, "out", "", "ann", "p-1"),
    (7, "in", "", "ann", "p-1"),
    (8, "out", "", "ann", "p-2"),
    (9, "off", "", "ann", ""),
    (10, "on", "", "ann", ""),
    (11, "say", "members", "bob", "keep calm, out of the open"),
]

OLD: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "table": [
        {
            **{"id": "kal", "game": "kalamala", "rules": "1", "options": OPTIONS},
            **{"start": "start", "seats": SEATS, "created": OPENED, "owner": "ann"},
            "settings": {"clock": CLOCK, "absence": 90, "answer": 30, "rated": True, "chat": True},
            **{"seed": "ab" * 32, "open": True, "over": False, "due": OPENED + 9},
            **{"seeking": "kalamala", "claimed_by": "w1", "claimed_until": OPENED + 6},
        },
        {
            **{"id": "kah", "game": "kahmate", "rules": "1", "options": {}, "start": "start"},
            **{"seats": {"R": {"member": "bob"}, "B": {"bot": "greedy"}}, "created": OPENED},
            **{"owner": "bob", "settings": {}, "seed": None, "open": False, "over": True},
            **{"due": None, "seeking": None, "claimed_by": None, "claimed_until": None},
        },
    ],
    "row": [
        {
            **{"table_id": "kal", "seq": seq, "actor": actor, "member": member, "text": text},
            **{"key": key, "at": OPENED + seq, "spent": seq / 4},
        }
        for seq, (actor, member, text, key) in enumerate(TEXTS)
    ],
    "visit": [
        {"table_id": "kal", "member": "ann", "role": "seat", "at": OPENED},
        {"table_id": "kal", "member": "bob", "role": "watch", "at": OPENED + 1},
        {"table_id": "kal", "member": "eve", "role": "out", "at": OPENED + 2},
    ],
    "guest": [{"id": "bob", "name": "Bob", "created": OPENED}],
    "uptime": [{"id": 3, "started": OPENED, "seen": OPENED + 60}],
    "house": [{"name": "secret", "value": "kibitz-12345678"}],
    "account": [
        {
            **{"name": "ann", "shown": "Ann", "member": "ann", "password": "$argon2id$..."},
            **{"created": OPENED, "language": "fi", "email": "ann@example.org"},
            **{"confirmed": OPENED + 1, "digest": True, "mailed": OPENED + 2},
            "told": {"every": 3600, "turns": TURNS, "asked": OPENED},
        }
    ],
    "access": [
        {
            **{"digest": token_hash(BOT_TOKEN), "member": "ann", "kind": "bot", "name": "mine"},
            **{"created": OPENED, "used": None},
        },
        {
            **{"digest": "d" * 64, "member": "ann", "kind": "device", "name": "phone"},
            **{"created": OPENED, "used": OPENED + 3},
        },
    ],
    "former": [{"member": "gone"}],
    "rating": [
        {"member": "ann", "game": "kalamala", "mu": 27.0, "sigma": 7.0, "matches": 1, "at": OPENED}
    ],
    "rated": [{"table_id": "kah", "at": OPENED, "changes": CHANGES}],
    "chat": [
        {
            **{"table_id": "kal", "n": n, "kind": kind, "room": room, "member": member},
            **{"text": text, "at": OPENED + n},
        }
        for n, kind, room, member, text in CHAT
    ],
}
NEW: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "game_table": [
        {
            **{"id": "kal", "game": "kalamala", "rules_version": "1", "options": OPTIONS},
            **{"start": "start", "seats": SEATS, "created_at": OPENED, "owner": "ann"},
            "settings": {
                **{"clock": CLOCK, "absence_seconds": 90, "answer_seconds": 30},
                **{"rated": True, "chat": True},
            },
            **{"seed": "ab" * 32, "is_open": True, "is_over": False, "due_at": OPENED + 9},
            **{"seek_key": "kalamala", "claimed_by": "w1", "claimed_until": OPENED + 6},
        },
        {
            **{"id": "kah", "game": "kahmate", "rules_version": "1", "options": {}},
            **{"start": "start", "seats": {"R": {"members": ["bob"]}, "B": {"bot": "greedy"}}},
            **{"created_at": OPENED, "owner": "bob", "settings": {}, "seed": None},
            **{"is_open": False, "is_over": True, "due_at": None, "seek_key": None},
            **{"claimed_by": None, "claimed_until": None},
        },
    ],
    "log_row": [
        {
            **{"table_id": "kal", "seq": seq, "actor": actor, "member": member, "key": key},
            **{"text": text, "at": OPENED + seq, "think_seconds": seq / 4},
        }
        for seq, (actor, member, text, key) in enumerate(
            [
                ("host", "ann", "bot B greedy", "k0"),
                ("host", "ann", "remove-bot B", None),
                ("guest", "bob", "sit B seed-1", None),
                ("A", "ann", "@a1", "k3"),
                ("A", "ann", "ask fill-in B greedy", None),
                ("B", "bob", "sit B", None),
                ("A", "ann", "ask adjourn", None),
                ("B", "bob", "decline", None),
            ]
        )
    ],
    "membership": [
        {"table_id": "kal", "member": "ann", "role": "seat", "at": OPENED},
        {"table_id": "kal", "member": "bob", "role": "watch", "at": OPENED + 1},
        {"table_id": "kal", "member": "eve", "role": "banned", "at": OPENED + 2},
    ],
    "guest": [{"id": "bob", "name": "Bob", "created_at": OPENED}],
    "uptime": [{"id": 3, "started_at": OPENED, "seen_at": OPENED + 60}],
    "server_setting": OLD["house"],
    "account": [
        {
            **{"name": "ann", "display_name": "Ann", "member": "ann", "language": "fi"},
            **{"password_hash": "$argon2id$...", "created_at": OPENED, "email": "ann@example.org"},
            **{"confirmed_at": OPENED + 1, "mail_digest": True, "mailed_at": OPENED + 2},
            "mail_state": {
                **{"interval_seconds": 3600, "turns": TURNS, "confirmation_sent_at": OPENED},
            },
        }
    ],
    "token": [
        {
            **{"token_hash": token_hash(BOT_TOKEN), "member": "ann", "kind": "bot"},
            **{"name": "mine", "created_at": OPENED, "used_at": None},
        },
        {
            **{"token_hash": "d" * 64, "member": "ann", "kind": "device", "name": "phone"},
            **{"created_at": OPENED, "used_at": OPENED + 3},
        },
    ],
    "deleted_account": OLD["former"],
    "rating": OLD["rating"],
    "rated_match": OLD["rated"],
    "chat": [
        {**entry, "kind": kind}
        for entry, kind in zip(
            OLD["chat"],
            [
                *("say", "say", "remove-line", "mute", "unmute", "remove-person", "readmit"),
                *("remove-person", "close", "open", "say"),
            ],
            strict=True,
        )
    ],
}
SERVER_TABLES = "uptime", "server_setting"


@pytest.fixture(params=["file", pytest.param("postgresql", marks=NEEDED)])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Of a server whose database the version before has made and filled."""
    data = tmp_path / "data"
    data.mkdir()
    database = database_for(data) if request.param == "postgresql" else ""
    fill(database or file_url(data / DATABASE_FILE))
    return Settings(data=data, database=database)


def fill(url: str) -> None:
    engine, tables = engine_for(url), sql.MetaData()
    migrate(engine, BEFORE)
    tables.reflect(engine)
    with engine.execution_options(kibitz_writes=True).begin() as connection:
        for table in tables.sorted_tables:
            if table.name != "alembic_version":
                connection.execute(table.insert(), [dict(row) for row in OLD[table.name]])
    engine.dispose()


def url_of(settings: Settings) -> str:
    return settings.database or file_url(settings.data / DATABASE_FILE)


def in_order(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


LATER = {"match_analysis"}
"""Tables that came after."""
LATER_COLUMNS = {"game_table": {"later_seeds", "board_hash"}, "account": {"skeleton"}}
"""Columns of these that came after."""


def assert_all_there(settings: Settings, *left_out: str, **changed: object) -> None:
    assert_rows(contents(url_of(settings)), *left_out, **changed)


def assert_restored(settings: Settings) -> None:
    """All rows are there, and what the running match draws from now on is sealed anew."""
    found = contents(url_of(settings))
    seals = [row for row in found["log_row"] if row["text"].startswith(f"{SEAL} ")]
    assert [(row["table_id"], row["actor"], row["seq"]) for row in seals] == [
        ("kal", TABLE, len(TEXTS))
    ]
    found["log_row"] = [row for row in found["log_row"] if row not in seals]
    assert_rows(found)


def assert_rows(found: dict[str, list[dict[str, Any]]], *left_out: str, **changed: object) -> None:
    assert found.keys() - LATER == NEW.keys()
    assert not any(found[name] for name in LATER)
    for name, rows in NEW.items():
        claimed = changed if name == "game_table" else {}
        expected = [] if name in left_out else [{**row, **claimed} for row in rows]
        later = LATER_COLUMNS.get(name, set())
        assert all(row.keys() >= later for row in found[name])
        there = [{key: row[key] for key in row.keys() - later} for row in found[name]]
        assert in_order(there) == in_order(expected), name


def written_before(file: Path, *left_out: str, schema: str = BEFORE) -> Path:
    """A file as the version before, or an older one, exported or backed up a database."""
    about: dict[str, Any] = {"kibitz_export": 1, "schema": schema, "made": OPENED, "rows": {}}
    with ZipFile(file, "w") as packing:
        for name, entries in OLD.items():
            rows = [{n: v for n, v in row.items() if n not in left_out} for row in entries]
            tally = RowTally()
            for row in rows:
                tally.add(row)
            if name not in left_out:
                lines = "".join(json.dumps(row) + "\n" for row in rows)
                packing.writestr(f"rows/{name}.jsonl", lines)
                checksum = tally.checksum
                about["rows"][name] = {"rows": checksum.rows, "digest": checksum.digest}
        packing.writestr(MANIFEST_NAME, json.dumps(about))
    return file


def test_every_table_of_the_version_before_has_something(settings: Settings) -> None:
    engine = engine_for(url_of(settings))
    names = set(sql.inspect(engine).get_table_names()) - {"alembic_version"}
    engine.dispose()
    assert names == OLD.keys()
    assert all(OLD.values())


def test_nothing_is_lost(settings: Settings) -> None:
    migrate(engine_for(url_of(settings)))
    assert_all_there(settings)


def test_indexes_and_keys_have_the_names_of_a_new_database(
    settings: Settings, tmp_path: Path
) -> None:
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    new = database_for(fresh) if settings.database else file_url(fresh / DATABASE_FILE)
    for url in (new, url_of(settings)):
        migrate(engine_for(url))
    names = [constraint_names(url) for url in (url_of(settings), new)]
    assert names[0] == names[1]
    retired = ("table_p", "row_", "visit", "house", "access", "former", "rated_p", "rated_t")
    assert not [name for name in names[0] if name.removeprefix("ix_").startswith(retired)]


def constraint_names(url: str) -> set[str]:
    engine = engine_for(url)
    inspector = sql.inspect(engine)
    found: set[str | None] = set()
    for name in inspector.get_table_names():
        found |= {index["name"] for index in inspector.get_indexes(name)}
        found |= {key["name"] for key in inspector.get_foreign_keys(name)}
        found.add(inspector.get_pk_constraint(name)["name"])
    engine.dispose()
    return {name for name in found if name}


def test_people_play_on_and_log_in_as_before(settings: Settings) -> None:
    store = Store(url_of(settings))

    async def look() -> tuple[LiveTable, list[Principal | None], Account, ChatLog]:
        stored = await store.table("kal")
        assert stored
        live = LiveTable(stored, await store.rows("kal"))
        guests = GuestAuth(SECRET)
        auth = Authenticator(guests, store)
        signed = guests.sign_token("gone")
        known = [await auth.authenticate(each) for each in (BOT_TOKEN, "k-none", signed)]
        columns = [ACCOUNT.c[name] for name in Account._fields]
        account = Account(*(await store.read(sql.select(*columns)))[0])
        entries = [
            ChatEntry(**{name: row[name] for name in ChatEntry._fields}) for row in NEW["chat"]
        ]
        assert await role_of(store, "kal", "eve") == "banned"
        return live, known, account, ChatLog(True, entries, len(entries))

    try:
        live, known, account, chat = asyncio.run(look())
    finally:
        store.close()
    assert (live.settings.absence_seconds, live.settings.answer_seconds) == (90, 30)
    notes = [note.message.id for note in live.table.notes]
    assert notes == [
        *("table.bot-sat", "table.bot-removed", "table.sat"),
        *("table.bot-fills-in", "table.came-back"),
    ]
    assert live.people.members == {"A": ("ann",), "B": ("bob",)}
    assert [row.think_seconds for row in live.table.rows] == [seq / 4 for seq in range(8)]
    assert known == [Principal("ann", "bot", token_hash(BOT_TOKEN)), None, None]
    assert account.mail_digest
    assert account.mail_state["turns"] == TURNS
    assert (chat.is_on, chat.banned, chat.muted) == (True, {"p-2"}, set())


def test_a_backup_of_the_file_of_the_version_before_comes_back(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    fill(file_url(data / DATABASE_FILE))
    assert back_up(Settings(data=data), tmp_path / "backup.zip").tables == 2
    new = Settings(data=tmp_path / "new")
    assert restore_data(new, tmp_path / "backup.zip").tables == 2
    assert_restored(new)


def test_a_dump_of_the_version_before_comes_back(settings: Settings, tmp_path: Path) -> None:
    file = written_before(tmp_path / "backup.zip")
    done = restore_data(settings, file)
    assert (done.tables, done.rows, done.losses) == (2, len(TEXTS), ())
    assert_restored(settings)


def test_an_export_of_the_version_before_is_imported(tmp_path: Path) -> None:
    file = written_before(tmp_path / "export.zip", "uptime", "house")
    new = Settings(data=tmp_path / "new")
    assert import_tables(new, file).tables == 2
    assert_all_there(new, *SERVER_TABLES, claimed_by=None, claimed_until=None)


def test_an_export_of_an_older_version_gets_what_it_lacked(tmp_path: Path) -> None:
    later = "house", "account", "access", "former", "rating", "rated", "chat"
    lacking = *later, "uptime", "claimed_by", "claimed_until"
    file = written_before(tmp_path / "export.zip", *lacking, schema="0002")
    new = Settings(data=tmp_path / "new")
    import_tables(new, file)
    known = "game_table", "log_row", "membership", "guest"
    assert_all_there(new, *(NEW.keys() - known), claimed_by=None, claimed_until=None)


def test_what_was_not_brought_up_to_date_yet_is_backed_up_and_exported(
    settings: Settings, tmp_path: Path
) -> None:
    back_up(settings, tmp_path / "backup.zip")
    assert export_tables(settings, tmp_path / "export.zip").tables == 2
    new = Settings(data=tmp_path / "new")
    import_tables(new, tmp_path / "export.zip")
    assert_all_there(new, *SERVER_TABLES, claimed_by=None, claimed_until=None)
    other = Settings(data=tmp_path / "other")
    restore_data(other, tmp_path / "backup.zip")
    assert_restored(other)


def test_what_would_be_lost_of_it_is_told(settings: Settings, tmp_path: Path) -> None:
    empty = Settings(data=tmp_path / "empty")
    migrate(engine_for(file_url(make(empty.data) / DATABASE_FILE)))
    back_up(empty, tmp_path / "empty.zip")
    told = restore_data(settings, tmp_path / "empty.zip", dry_run=True)
    assert {loss.table: loss.before for loss in told.losses} == {"kal": len(TEXTS), "kah": 0}


def make(folder: Path) -> Path:
    folder.mkdir()
    return folder
