"""The function calls that an action costs a server, counted: the same on every machine.

All that is done for an action is done here, but for the disk and the transport: it is read, allowed
and resolved, its row is handed over, and everybody is shown what came of it.
"""

from __future__ import annotations

import asyncio
import cProfile
import pstats
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, cast

from kibitz.core.game import CHANCE, Actor
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.db.store import Store, StoredRow, StoredTable
from kibitz.server.tables import protocol
from kibitz.server.tables.actions import ActRequest
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.connection import Subscription
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.permissions import actor_of
from kibitz.server.tables.registry import LiveTables
from kibitz.server.tables.viewers import ViewerSettings, settings_at

TABLES = 4
"""Tables that take turns, as they do on a server: what is kept of one is not at hand for others."""
WARM_UP_ACTIONS = 12
"""Actions at each table before anything is counted: until then words and offers are made first."""


class UnwrittenStore(Store):
    """A store that takes every row at once, and forgets it."""

    def put_rows(
        self,
        table_id: str,
        seq: int,
        rows: Sequence[StoredRow],
        finish: Callable[[Any], None],
        *given: Any,
        **named: Any,
    ) -> None:
        finish(None)


@dataclass
class CountedTable:
    """A table with a page for each of its people."""

    live: LiveTable
    pages: Sequence[Subscription]
    rng: Random
    profile: cProfile.Profile = field(default_factory=cProfile.Profile)

    async def act(self, tables: LiveTables) -> None:
        """Do something that can be done, and show it; the calls of all that are counted."""
        actor, text = self._choose_action()
        live, key = self.live, f"{self.rng.getrandbits(60):x}"
        member = live.people.members[actor][0] if actor != CHANCE else ""
        said = {"type": "act", "key": key, "seq": live.seq, "seat": actor, "actions": [text]}
        sent = protocol.write_message(said)
        self.profile.enable()
        if actor == CHANCE:
            request = ActRequest(member, actor, [text], live.seq, key)
        else:
            asked = protocol.read_message(sent)
            assert isinstance(asked, protocol.ActMessage)
            seat = partial(actor_of, live, member, asked.seat, asked.actions, "")
            request = ActRequest(member, seat, asked.actions, asked.seq, asked.key)
        results: list[int | Exception] = []
        tables.actions.submit_soon(live, request, results.append)
        (seq,) = results
        assert isinstance(seq, int)
        protocol.write_message(protocol.DoneMessage(key, seq))
        for page in self.pages:
            page.pending_messages()
        self.profile.disable()

    def _choose_action(self) -> tuple[Actor, str]:
        """By chance where it is its turn: nobody here presses a die."""
        table = self.live.table
        rules, state = table.game.rules, table.state
        to_act = sorted(rules.to_act(state))
        actor = CHANCE if CHANCE in to_act else to_act[0]
        return actor, table.game.notation.write_action(
            self.rng.choice(rules.turn_actions(state, actor))
        )


def count_calls(
    game: str, options: Mapping[str, Any], people: int, actions: int
) -> tuple[float, pstats.Stats]:
    """The function calls of an action, on average over so many at each table, and which they are;
    calls of functions that are not written in Python are counted too."""
    with TemporaryDirectory(prefix="kibitz-calls-") as folder:
        return asyncio.run(_count_calls(Path(folder), game, options, people, actions))


async def _count_calls(
    folder: Path, game: str, options: Mapping[str, Any], people: int, actions: int
) -> tuple[float, pstats.Stats]:
    store = UnwrittenStore(f"sqlite:///{folder / 'kibitz.db'}")
    tables = LiveTables(store, cast(BotPool, None))
    tables._autoplay = cast(Any, _NoAutoplay())
    profile = cProfile.Profile()
    found = [open_counted_table(game, options, people, number) for number in range(TABLES)]
    for each in found:
        for page in each.pages:
            tables.subscribe(each.live, page)
            page.pending_messages()
    for _ in range(WARM_UP_ACTIONS):
        for each in found:
            await each.act(tables)
    for each in found:
        each.profile = profile
    count = 0
    for _ in range(actions):
        for each in found:
            if not each.live.table.is_over:
                await each.act(tables)
                count += 1
    store.close()
    stats = pstats.Stats(profile)
    return cast(Any, stats).total_calls / count, stats


class _NoAutoplay:
    """Nobody plays by itself here."""

    def start(self, live: LiveTable) -> None: ...


def open_counted_table(
    game: str, options: Mapping[str, Any], people: int, number: int
) -> CountedTable:
    rulebook = GAMES[game]
    rules = rulebook.game(rulebook.suggested_options(options))
    members = {seat: str(index % people) for index, seat in enumerate(rules.seats)}
    stored = StoredTable(
        id=str(number),
        game=game,
        rules_version=rulebook.version,
        options=dict(rules.options),
        start=START,
        seats={seat: {"members": [member]} for seat, member in members.items()},
        created_at=1.0,
        owner="0",
        seed="00" * 32,
    )
    live = LiveTable(stored, ())
    pages = [
        Subscription(live, member, settings_at(live, member, ViewerSettings((), "en")))
        for member in map(str, range(people))
    ]
    for page in pages:
        page.is_patched = True
    return CountedTable(live, pages, Random(number))
