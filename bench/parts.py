"""What an action costs a server by its parts: the same calls, in this process, one by one.

Tables take turns, as they do on a server: what is remembered of one is not at hand for the next.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from matches import TableView, ViewReader
from msgspec import structs

from kibitz.core.game import CHANCE, Actor
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.db.store import Store, StoredRow, StoredTable, TableLease, open_store
from kibitz.server.tables.connection import Subscription
from kibitz.server.tables.live_table import AnyGame, LiveTable
from kibitz.server.tables.viewers import ViewerSettings, settings_at
from kibitz.table import sealed_dice

SEED = "00" * 32
ACTIONS_PER_GROUP = 8
"""So many actions come at about the same time and are written together."""
RULES, OFFERS, DRAWING, VIEWS, WRITE = "rules", "offers", "drawing", "words", "write"
NAMES = RULES, OFFERS, DRAWING, VIEWS, WRITE


class CpuMeter:
    """Seconds of this thread's CPU by the name of what they were spent on."""

    def __init__(self) -> None:
        self.cpu_seconds: defaultdict[str, float] = defaultdict(float)
        self._inside = ""

    @contextmanager
    def measure(self, name: str) -> Iterator[None]:
        """What is measured inside of this is taken away from it."""
        outside, self._inside = self._inside, name
        begin = time.thread_time()
        try:
            yield
        finally:
            spent = time.thread_time() - begin
            self.cpu_seconds[name] += spent
            self._inside = outside
            if outside:
                self.cpu_seconds[outside] -= spent

    def with_meter(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call_measured(*given: Any) -> Any:
            with self.measure(name):
                return function(*given)

        return call_measured


class BenchTable:
    """A table as the server has it in memory, and what its people see."""

    def __init__(
        self, measured: CpuMeter, game: str, options: Mapping[str, Any], people: int, number: int
    ) -> None:
        self._meter, self._rng = measured, Random(number)
        rulebook = GAMES[game]
        rules = rulebook.game(rulebook.suggested_options(options))
        seats = {
            seat: {"members": [str(index % people)], "entropy": "bench"}
            for index, seat in enumerate(rules.seats)
        }
        stored = StoredTable(
            id=str(number),
            game=game,
            rules_version=rulebook.version,
            options=dict(rules.options),
            start=START,
            seats=seats,
            created_at=time.time(),
            owner="0",
            seed=SEED,
        )
        self.live = live = LiveTable(stored, ())
        live.table = structs.replace(live.table, game=_game_with_meter(measured, live.game))
        self._pages = [
            Subscription(live, member, settings_at(live, member, ViewerSettings((), "en")))
            for member in map(str, range(people))
        ]
        for page in self._pages:
            page.is_patched = True
        self._readers = [ViewReader() for _ in range(people)]
        self._views: list[TableView] = []
        self.show_views()

    @property
    def is_over(self) -> bool:
        return self.live.table.is_over

    async def act(self, store: Store) -> bool:
        """What one action costs but for the transport; whether it was a person's."""
        live, (actor, texts, member) = self.live, self._choose_action()
        with self._meter.measure(RULES):
            table, changes, rows = live.dry_run(actor, texts, member)
        stored = [StoredRow(actor=r.actor, member=r.member, text=r.text, at=r.at) for r in rows]
        await store.append_rows(live.id, live.seq, stored)
        live.advance_to(table, changes)
        return bool(member)

    def show_views(self) -> None:
        """Everybody is shown the table."""
        texts = []
        with self._meter.measure(VIEWS):
            for page in self._pages:
                page.notify_change()
                texts.append(page.pending_messages()[0])
        read = zip(self._readers, texts, strict=True)
        self._views = [view for reader, text in read if (view := reader.read(text.encode()))]

    def _choose_action(self) -> tuple[Actor, Sequence[str], str]:
        for person, seen in enumerate(self._views):
            if seen.choices:
                assert seen.acting
                texts = self._rng.choice(seen.choices)
                return (
                    (seen.acting, texts, str(person)) if texts else self._draw_chance(str(person))
                )
        return self._draw_chance("")

    def _draw_chance(self, member: str) -> tuple[Actor, Sequence[str], str]:
        table = self.live.table
        with self._meter.measure(RULES):
            text = sealed_dice.draw_action(table.game, table.state, SEED, ("bench",), table.draws)
        return CHANCE, [text], member


def _game_with_meter(measured: CpuMeter, game: AnyGame) -> AnyGame:
    draw = measured.with_meter(DRAWING, game.ui.draw)
    offers = measured.with_meter(OFFERS, game.ui.offers)
    return replace(game, ui=replace(game.ui, draw=draw, offers=offers))


async def measure_parts(
    game: str, options: Mapping[str, Any], people: int, tables: int, rounds: int
) -> dict[str, float]:
    """Seconds of CPU for an action, by part."""
    measured, count = CpuMeter(), 0
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder:
        store = open_store(Path(folder))
        found = [BenchTable(measured, game, options, people, number) for number in range(tables)]
        for each in found:
            await store.open_table(each.live.stored, TableLease())
        measured.cpu_seconds.clear()
        for _ in range(rounds):
            for first in range(0, tables, ACTIONS_PER_GROUP):
                group = [
                    each for each in found[first : first + ACTIONS_PER_GROUP] if not each.is_over
                ]
                before, begin = sum(measured.cpu_seconds.values()), time.process_time()
                count += sum(await asyncio.gather(*(each.act(store) for each in group)))
                spent = time.process_time() - begin
                measured.cpu_seconds[WRITE] += spent - (sum(measured.cpu_seconds.values()) - before)
                for each in group:
                    each.show_views()
        store.close()
    return {name: measured.cpu_seconds[name] / count for name in NAMES}
