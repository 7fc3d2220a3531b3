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

from matches import Sight, read

from kibitz.core.game import CHANCE, Actor, Viewer
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.db.store import Standing, Store, StoredRow, StoredTable, open_store
from kibitz.server.tables.live_table import AnyGame, LiveTable
from kibitz.server.tables.view import sight
from kibitz.server.tables.viewers import Watcher, viewer_of
from kibitz.table import sealed_dice

SEED = "00" * 32
GROUP = 8
"""So many actions come at about the same time and are written together."""
RULES, OFFERS, DRAWING, SIGHTS, WRITE = "rules", "offers", "drawing", "words", "write"
NAMES = RULES, OFFERS, DRAWING, SIGHTS, WRITE


class Measured:
    """Seconds of this thread's CPU by the name of what they were spent on."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._inside = ""

    @contextmanager
    def on(self, name: str) -> Iterator[None]:
        """What is measured inside of this is taken away from it."""
        outside, self._inside = self._inside, name
        begin = time.thread_time()
        try:
            yield
        finally:
            spent = time.thread_time() - begin
            self.spent[name] += spent
            self._inside = outside
            if outside:
                self.spent[outside] -= spent

    def watched(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*given: Any) -> Any:
            with self.on(name):
                return function(*given)

        return measured


class Played:
    """A table as the server has it in memory, and what its people see."""

    def __init__(
        self, measured: Measured, game: str, options: Mapping[str, Any], people: int, number: int
    ) -> None:
        self._measured, self._rng = measured, Random(number)
        rulebook = GAMES[game]
        rules = rulebook.game(rulebook.suggested(options))
        seats = {
            seat: {"members": [str(index % people)], "entropy": "bench"}
            for index, seat in enumerate(rules.seats)
        }
        stored = StoredTable(
            id=str(number),
            game=game,
            rules=rulebook.rules,
            options=dict(rules.options),
            start=START,
            seats=seats,
            created=time.time(),
            owner="0",
            seed=SEED,
        )
        self.live = live = LiveTable(stored, ())
        live.table = replace(live.table, game=_measured_game(measured, live.game))
        self._watchers = [
            Watcher(held=live.seats_of(str(person)), language="en", hosts=not person)
            for person in range(people)
        ]
        self._seen: int | None = None
        self._through: list[Viewer | None] = [None] * people
        self._sights: list[Sight] = []
        self.look()

    @property
    def is_over(self) -> bool:
        return self.live.table.is_over

    async def act(self, store: Store) -> bool:
        """What one action costs but for the transport; whether it was a person's."""
        live, (actor, texts, member) = self.live, self._choose()
        with self._measured.on(RULES):
            table, changes, rows = live.after(actor, texts, member)
        stored = [StoredRow(actor=r.actor, member=r.member, text=r.text, at=r.at) for r in rows]
        await store.append(live.id, live.seq, stored)
        live.move_on(table, changes, None)
        return bool(member)

    def look(self) -> None:
        """Everybody is shown the table."""
        live, texts = self.live, []
        with self._measured.on(SIGHTS):
            for index, watcher in enumerate(self._watchers):
                texts.append(sight(live, watcher, self._seen, self._through[index]))
                self._through[index] = viewer_of(live.table, watcher.held)
        self._seen = live.seq
        self._sights = [read(text.encode()) for text in texts]

    def _choose(self) -> tuple[Actor, Sequence[str], str]:
        for person, seen in enumerate(self._sights):
            if seen.choices:
                assert seen.acting
                texts = self._rng.choice(seen.choices)
                return (seen.acting, texts, str(person)) if texts else self._drawn(str(person))
        return self._drawn("")

    def _drawn(self, member: str) -> tuple[Actor, Sequence[str], str]:
        table = self.live.table
        with self._measured.on(RULES):
            text = sealed_dice.drawn(table.game, table.state, SEED, ("bench",), table.draws)
        return CHANCE, [text], member


def _measured_game(measured: Measured, game: AnyGame) -> AnyGame:
    return replace(
        game,
        draw=measured.watched(DRAWING, game.draw),
        offers=measured.watched(OFFERS, game.offers),
    )


async def parts(
    game: str, options: Mapping[str, Any], people: int, tables: int, rounds: int
) -> dict[str, float]:
    """Seconds of CPU for an action, by part."""
    measured, count = Measured(), 0
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder:
        store = open_store(Path(folder))
        found = [Played(measured, game, options, people, number) for number in range(tables)]
        for each in found:
            await store.open_table(each.live.stored, Standing())
        measured.spent.clear()
        for _ in range(rounds):
            for first in range(0, tables, GROUP):
                group = [each for each in found[first : first + GROUP] if not each.is_over]
                before, begin = sum(measured.spent.values()), time.process_time()
                count += sum(await asyncio.gather(*(each.act(store) for each in group)))
                spent = time.process_time() - begin
                measured.spent[WRITE] += spent - (sum(measured.spent.values()) - before)
                for each in group:
                    each.look()
        store.close()
    return {name: measured.spent[name] / count for name in NAMES}
