"""A table in memory: a cache of its rows, and who is told when they grow."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from kibitz.core.game import Actor, Game, Seat
from kibitz.core.record import Record
from kibitz.games import game_of
from kibitz.server.store import StoredRow, StoredTable
from kibitz.table import Row, Table, Told, reopen
from kibitz.table.table import AGREE, ASK, BACK

AnyGame: TypeAlias = Game[Any, Any, Any]
AnyTable: TypeAlias = Table[Any, Any, Any]
REMEMBERED = 64
"""How many of the latest rows a connection can catch up on."""


@dataclass(frozen=True, slots=True)
class Change:
    """What one row led to, for those who have not seen it."""

    told: Told
    kept: int
    """How many lines of the log it left as they were."""
    loud: bool = False
    """Whether it showed what was hidden."""


class LiveTable:
    def __init__(self, stored: StoredTable, rows: Sequence[StoredRow]) -> None:
        """Replays all rows; raises Refused where they cannot be."""
        self.id, self.owner, self.seats = stored.id, stored.owner, stored.seats
        record = Record(
            game=stored.game, rules=stored.rules, options=stored.options, start=stored.start
        )
        game = game_of(record)
        self.table: AnyTable = reopen(
            game, (Row(row.actor, row.text) for row in rows), stored.start
        )
        self.keys = {row.key for row in rows if row.key}
        self.changes: deque[Change] = deque(maxlen=REMEMBERED)
        self.changed_at = 0.0
        self.watching: set[asyncio.Event] = set()
        """Set whenever there is something new to see."""
        self.sights: dict[Any, str] = {}
        """What was sent of this position, for whoever sees the same (sights.py)."""
        self.lock = asyncio.Lock()
        self.attending: asyncio.Task[None] | None = None

    @property
    def game(self) -> AnyGame:
        return self.table.game

    @property
    def seq(self) -> int:
        return len(self.table.rows)

    @property
    def bots(self) -> dict[Seat, str]:
        return {seat: sits["bot"] for seat, sits in self.seats.items() if "bot" in sits}

    def seats_of(self, member: str) -> tuple[Seat, ...]:
        return tuple(s for s in self.game.seats if self.seats[s].get("member") == member)

    def bot_to_act(self) -> Seat | None:
        return next((seat for seat in self.bots if self.table.actions(seat)), None)

    def changes_since(self, seen: int | None) -> list[Change]:
        """What came after row `seen`; nothing where that is too long ago to know."""
        missed = 0 if seen is None else self.seq - seen
        return list(self.changes)[-missed:] if 0 < missed <= len(self.changes) else []

    def member(self, actor: Actor, sender: str) -> str:
        """Who is behind a row: the sender, unless a bot sits there."""
        return f"bot:{self.bots[actor]}" if actor in self.bots else sender

    def after(self, actor: Actor, texts: Sequence[str]) -> tuple[AnyTable, list[Change], list[Row]]:
        """Where these texts lead, all of them, and the rows to write; raises Refused."""
        table, changes = self.table, []
        for text in texts:
            sent = self._rows_for(table, actor, text)
            for row in sent:
                following, told = table.act(row.actor, row.text)
                # Consents that the server gives itself go without saying.
                shown = told if row is sent[-1] else dict.fromkeys(told, ())
                changes.append(Change(shown, _kept(table, following), _reveals(table, following)))
                table = following
        return table, changes, list(table.rows[self.seq :])

    def move_on(self, table: AnyTable, changes: Sequence[Change], key: str | None) -> None:
        self.table = table
        self.changes.extend(changes)
        if key:
            self.keys.add(key)
        self._tell()

    def read_again(self, fresh: LiveTable) -> None:
        self.table, self.keys = fresh.table, fresh.keys
        self.changes.clear()
        self._tell()

    def _tell(self) -> None:
        self.changed_at = time.monotonic()
        self.sights.clear()
        for changed in self.watching:
            changed.set()

    def _rows_for(self, table: AnyTable, actor: Actor, text: str) -> list[Row]:
        """What to write for a text: where others must agree to a takeback and would, they do.

        Bots always agree, and so does whoever plays all the seats.
        """
        number = text.removeprefix(BACK)
        is_back = number != text and number.isascii() and number.isdecimal() and len(number) < 10
        if actor not in self.seats or not is_back or int(number) >= len(table.played):
            return [Row(actor, text)]
        mine = self.seats_of(self.seats[actor].get("member", ""))
        taken_back = table.played[int(number)].actor
        actor = taken_back if taken_back in mine else actor
        others = [seat for seat in self.game.seats if seat != actor]
        willing = all(seat in self.bots or seat in mine for seat in others)
        if table.is_free(actor, int(number)) or not willing:
            return [Row(actor, text)]
        return [Row(actor, ASK + text), *(Row(seat, AGREE) for seat in others)]


def _reveals(before: AnyTable, after: AnyTable) -> bool:
    return any(played.step.reveals for played in after.played[len(before.played) :])


def _kept(before: AnyTable, after: AnyTable) -> int:
    """How many lines of the log stay as they were. A reveal rewrites those since the last one."""
    kept = min(len(before.played), len(after.played))
    if _reveals(before, after):
        while kept and not after.played[kept - 1].step.reveals:
            kept -= 1
    return kept
