"""A comparison of the choices in rated matches with those of the best engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import sqlalchemy as sql

from kibitz.analysis.evaluation import default_budget
from kibitz.analysis.match import Agreement, Entry, agreement, analyse_record
from kibitz.core.message import Refused
from kibitz.server.admin.export import stored_rows, stored_table
from kibitz.server.analysis.evaluation import ANALYSIS_VERSION
from kibitz.server.db.connect import (
    database_url,
    open_migrated_engine,
    refuse_missing_database,
    write_transaction,
)
from kibitz.server.db.engine import dialect_insert
from kibitz.server.db.schema import ACCOUNT, GAME_TABLE, MATCH_ANALYSIS, RATED_MATCH
from kibitz.server.settings import Settings
from kibitz.server.tables.live_table import LiveTable


class PlayerAgreement(NamedTuple):
    """One player's choices in one rated match."""

    table: str
    game: str
    at: float
    """When the match was rated."""
    player: str
    figure: Agreement


def agreements(settings: Settings, latest: int) -> Iterator[PlayerAgreement]:
    """Of the latest rated matches, as they are found. A match is analysed once: that takes a few
    tenths of a second for each choice. Raises Refused."""
    refuse_missing_database(settings)
    with open_migrated_engine(database_url(settings)) as engine:
        with engine.connect() as connection:
            accounts = sql.select(ACCOUNT.c.member, ACCOUNT.c.display_name)
            names = {each.member: each.display_name for each in connection.execute(accounts)}
            wanted = sql.select(GAME_TABLE, RATED_MATCH.c.at).select_from(
                GAME_TABLE.join(RATED_MATCH)
            )
            rows = connection.execute(
                wanted.order_by(RATED_MATCH.c.at.desc()).limit(latest)
            ).mappings()
            matches = [(stored_table(dict(row)), row["at"]) for row in rows]
        for stored, at in matches:
            with engine.connect() as connection:
                logged = stored_rows(connection, stored.id)
            try:
                live = LiveTable(stored, logged)
            except Refused:
                continue  # It cannot be replayed by this Kibitz.
            entries = _entries(engine, live)
            for seat in live.game.seats:
                players = [names[each] for each in live.people.members[seat] if each in names]
                figure = agreement(entries, seat)
                if players and figure.choices:
                    yield PlayerAgreement(live.id, live.game.name, at, ", ".join(players), figure)


def _entries(engine: sql.Engine, live: LiveTable) -> list[Entry]:
    """The analysis of a match: the one that is stored, or else a new one, which is stored then."""
    known = MATCH_ANALYSIS.c
    of = len(live.table.history)
    is_same = (known.version == ANALYSIS_VERSION) & (known.actions == of)
    with engine.connect() as connection:
        text = connection.execute(
            sql.select(known.entries).where((known.table_id == live.id) & is_same)
        ).scalar()
    if text is not None:
        return msgspec.json.decode(text, type=list[Entry])
    budget = default_budget(live.game.name)
    entries = list(analyse_record(live.game, live.table.record, budget))
    # They are stored as the server finds them: from the end.
    text = msgspec.json.encode(entries[::-1]).decode()
    values = {"version": ANALYSIS_VERSION, "actions": of, "entries": text}
    with write_transaction(engine) as connection:
        insert = dialect_insert(connection, MATCH_ANALYSIS).values(table_id=live.id, **values)
        connection.execute(insert.on_conflict_do_update(index_elements=["table_id"], set_=values))
    return entries
