"""Twins: two tables that differ in one hidden choice, and all that a server sends of each.

The choice is made at the table, or is in the position that the table starts from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from kibitz.core.game import CHANCE, SPECTATOR, Seat
from kibitz.core.record import START, write_record
from kibitz.games import GAMES
from kibitz.server.db.store import StoredRow, StoredTable
from kibitz.server.pages.link_picture import table_svg
from kibitz.server.tables import people_view
from kibitz.server.tables.connection import Subscription
from kibitz.server.tables.live_table import AnyGame, LiveTable
from kibitz.server.tables.records import record_of, seal_of
from kibitz.server.tables.replay import position_after
from kibitz.server.tables.view import render_view
from kibitz.server.tables.viewers import ViewerSettings, settings_at
from kibitz.table.table import AnyTable, open_table
from support.twin_server import TwinServer

GAME = "kahmate"
"""The one of our games that hides anything."""
REFEREE, STRANGER = "referee", "stranger"
MAX_ACTIONS = 60
MAX_PATCHES = 3
"""So many rows before the choice, and with it, a page sees come."""


@dataclass(frozen=True)
class Twins:
    secretive: Seat
    """Whose choice differs."""
    kind: str
    one: LiveTable
    other: LiveTable

    @property
    def others(self) -> tuple[str, ...]:
        """Those who must not be able to tell them apart."""
        seats = tuple(seat for seat in self.one.game.seats if seat != self.secretive)
        return (*seats, REFEREE, SPECTATOR, STRANGER)

    @property
    def tables(self) -> tuple[LiveTable, LiveTable]:
        return self.one, self.other

    def difference_for(self, member: str, server: TwinServer) -> str:
        """The name of the first channel over which they differ; empty where there is none."""
        both = zip(*(channels(each, member, server) for each in self.tables), strict=True)
        return next((name for (name, one), (_, other) in both if one != other), "")


def twins(trials: int, seed: int = 1) -> Iterator[Twins]:
    random, game = Random(seed), GAMES[GAME].game(GAMES[GAME].preset)
    made = 0
    while made < trials:
        if found := _twins(game, random):
            yield found
            made += 1


def _twins(game: AnyGame, random: Random) -> Twins | None:
    """Twins at a random place of a random match; nothing where it has nothing to hide."""
    table: AnyTable = open_table(game)
    wait = random.randrange(MAX_ACTIONS)
    for n in range(4 * MAX_ACTIONS):
        if table.is_over:
            return None
        secretive = random.choice(game.seats)
        choices = game.rules.secret_actions(table.state, secretive, table.commitments_of(secretive))
        if n >= wait and len(choices) > 1:
            one, other = random.sample(
                sorted(game.notation.write_action(each) for each in choices), 2
            )
            return _twins_from(table, secretive, (one, other), random)
        actor = random.choice(sorted(game.rules.to_act(table.state)))
        listed = (
            game.rules.turn_actions(table.state, actor) if actor == CHANCE else table.actions(actor)
        )
        texts = sorted(game.notation.write_action(each) for each in listed)
        table, _ = table.act(actor, random.choice(texts))
    return None


def _twins_from(
    table: AnyTable, secretive: Seat, texts: tuple[str, str], random: Random
) -> Twins | None:
    is_in_turn = secretive in table.game.rules.to_act(table.state)
    if is_in_turn and not table.commitments and random.random() < 0.5:
        after = [table.act(secretive, text)[0] for text in texts]
        if any(each.history[-1].step.is_reveal for each in after):
            return None
        starts = [table.game.notation.write_state(each.state) for each in after]
        one, other = (_live(start, ()) for start in starts)
        return Twins(secretive, "start", one, other)
    rows = [(row.actor, row.text) for row in table.rows]
    one, other = (_live(START, (*rows, (secretive, text))) for text in texts)
    if any(each.table.history and each.table.history[-1].step.is_reveal for each in (one, other)):
        return None
    return Twins(secretive, "action", one, other)


def _live(start: str, rows: tuple[tuple[str, str], ...]) -> LiveTable:
    """A table with a person at each seat, a referee, and the same seed as its twin."""
    rulebook = GAMES[GAME]
    rules = rulebook.game(rulebook.preset)
    stored = StoredTable(
        id="t",
        game=GAME,
        rules_version=rulebook.version,
        options=dict(rules.options),
        start=start,
        seats={seat: {"members": [seat], "entropy": seat} for seat in rules.seats},
        created_at=1.0,
        owner=rules.seats[0],
        seed="ab" * 32,
        is_open=True,
    )
    asked = [("guest", "ask referee", REFEREE)]
    named = [*asked, *((seat, "agree", seat) for seat in rules.seats)]
    played = [*named, *((actor, text, actor) for actor, text in rows)]
    return LiveTable(
        stored,
        [
            StoredRow(actor=actor, text=text, member=member, at=2.0 + n)
            for n, (actor, text, member) in enumerate(played)
        ],
    )


def _wire(live: LiveTable, member: str, is_tall: bool) -> Iterator[str]:
    """All that a page is sent which was there for the latest rows: a view, then patches."""
    opened, stored = live.stored.created_at, live.stored
    rows = [
        StoredRow(actor=row.actor, text=row.text, member=row.member, at=opened + row.at)
        for row in live.table.rows
    ]
    begin = max(0, len(rows) - MAX_PATCHES)
    again = LiveTable(stored, rows[:begin])
    settings = settings_at(again, member, ViewerSettings((), "en", is_tall=is_tall))
    page = Subscription(again, member, settings)
    page.is_patched = page.has_forms = True
    yield from page.pending_messages()
    for row in rows[begin:]:
        again.apply_stored_rows([row], 0.0)
        page.notify_change()
        yield from page.pending_messages()


def channels(live: LiveTable, member: str, server: TwinServer) -> Iterator[tuple[str, str]]:
    """All that somebody is sent of a table, by the name of the channel: what a page is sent over
    its socket, and what every address answers."""
    for is_tall in (False, True):
        settings = settings_at(live, member, ViewerSettings((), "en", is_tall=is_tall))
        yield f"view {is_tall}", render_view(live, settings, None)
        yield f"news {is_tall}", render_view(live, settings, max(live.seq - 1, 0), None)
        yield f"people {is_tall}", people_view.render_people(live, settings)
        for n in sorted(
            {0, *range(max(0, len(live.table.history) - 2), len(live.table.history) + 1)}
        ):
            yield f"position {n} {is_tall}", repr(position_after(live, settings, n, True))
        yield f"wire {is_tall}", "\n".join(_wire(live, member, is_tall))
    yield "record", write_record(record_of(live, member))
    yield "seal", repr(seal_of(live))
    yield "clock", repr(people_view.render_clock(live))
    yield "picture", table_svg(live)
    yield from server.answers(live, member)
