"""A board to try things out on: any position, any line of actions, nothing written down.

Whoever analyses plays all sides, chance included, and may let a referee rule; or looks on from
one seat, as a learner does.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct, field, structs

from kibitz.core.game import CHANCE, SPECTATOR, TABLE
from kibitz.core.message import Message, Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.analysis.queue import WaitingQueue, too_busy
from kibitz.server.db.store import StoredTable
from kibitz.server.phrases import Phrases, event_text
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.service import OptionValue
from kibitz.server.tables.view import refusal, render_view
from kibitz.server.tables.viewers import ViewerSettings, phrases_at
from kibitz.table.handover import acting_seat
from kibitz.table.table import ASK

ME = "me"
MAX_ACTIONS = 4000
MAX_CACHED_LINES = 256
"""The number of lines kept replayed: the next question is mostly one action on, or back."""
MAX_LINES_PER_ADDRESS, MAX_LINES = 3, 16
"""So many lines are replayed or wait for it at once, from one address and in all."""
MAX_REPLAY_S = 0.5
"""After so many seconds a line makes room for others; it goes on when it is asked for again."""
ACTIONS_PER_COST = 100
"""So many actions that are not known yet cost as much as a request."""
CACHE_STRIDE = 16
"""Every so often along a line: going back through it replays no more than that."""


class Line(Struct, forbid_unknown_fields=True):
    """A match that might have been."""

    game: Annotated[str, Meta(max_length=60)]
    options: dict[str, OptionValue] = field(default_factory=dict)
    start: Annotated[str, Meta(max_length=20_000)] = START
    actions: Annotated[
        tuple[Annotated[str, Meta(max_length=20_000)], ...], Meta(max_length=MAX_ACTIONS)
    ] = ()
    is_tall: bool = False
    seat: Annotated[str, Meta(max_length=20)] = ""
    """The one whose eyes it is seen through; empty: whoever is to act."""
    since: Annotated[int, Meta(ge=0)] | None = None
    """The seq of a view from the way there, of this shape and seat: only what changed is sent."""
    known_actions: Annotated[int, Meta(ge=0)] = 0
    """So many of its actions need no words any more."""


class TouchedLine(Line):
    """A line, and places that were touched at its end."""

    path: Annotated[tuple[str, ...], Meta(max_length=64)] = ()


class LineRefusal(protocol.RefusalMessage, tag="refused"):
    """A line that does not lead to its end."""

    number: int = 0
    """Of the action at fault, the first being 1; 0 where the start or the options are."""
    status: int = 422


class ChanceOutcome(Struct):
    """An action that chance may take now."""

    text: str
    label: str
    odds: float


class EditOption(Struct):
    """A position that may be made by hand."""

    label: str
    position: str


class LineView(Struct):
    """The end of a line, as whoever is to act there sees it."""

    view: protocol.TableView
    actions: list[str]
    """As a record spells them."""
    words: list[str]
    """The events of those that were not known yet, as their author is told them."""
    position: str
    chance: list[ChanceOutcome]


class LineCache:
    """Lines as far as they were replayed. Nothing of them is anybody's secret."""

    def __init__(self) -> None:
        self._cached_tables: OrderedDict[bytes, LiveTable] = OrderedDict()
        self._lock = asyncio.Lock()
        self._queue = WaitingQueue(MAX_LINES_PER_ADDRESS, MAX_LINES)

    async def table_at(self, line: Line, address: str = "") -> LiveTable:
        """The table at the end of a line; raises Refused with the number of the action at fault,
        or HttpError where too much is asked for at once.

        Beside the tables that are played: a long line takes a while.
        """
        with self._queue.wait_in_line(address):
            async with self._lock:
                return await asyncio.to_thread(self._replay_line, line)

    def cost(self, line: Line) -> float:
        """The cost of replaying a line, by the actions that are not known yet."""
        unknown = len(line.actions) - self._known_actions(_line_keys(line))
        return 1 + unknown / ACTIONS_PER_COST

    def _known_actions(self, keys: Sequence[bytes]) -> int:
        """The number of actions of the longest known beginning of a line."""
        return next((n for n in range(len(keys) - 1, 0, -1) if keys[n] in self._cached_tables), 0)

    def _replay_line(self, line: Line) -> LiveTable:
        keys, deadline = _line_keys(line), time.monotonic() + MAX_REPLAY_S
        done = self._known_actions(keys)
        live = self._cached_tables.get(keys[done]) or open_line(line)
        for n in range(done, len(line.actions)):
            live = line_after(live, line.actions[n], n)
            if n + 1 >= len(line.actions) - 1 or (n + 1) % CACHE_STRIDE == 0:
                self._cache_table(keys[n + 1], live)
                if time.monotonic() > deadline and n + 1 < len(line.actions):
                    # What was replayed is known now: the next try goes on from there.
                    raise too_busy()
        self._cache_table(keys[-1], live)
        return live

    def _cache_table(self, key: bytes, live: LiveTable) -> None:
        self._cached_tables[key] = live
        self._cached_tables.move_to_end(key)
        while len(self._cached_tables) > MAX_CACHED_LINES:
            self._cached_tables.popitem(last=False)


def _line_keys(line: Line) -> list[bytes]:
    """A key for each beginning of a line, from its start on."""
    options = msgspec.json.encode(line.options, order="sorted")
    key = hashlib.blake2b(msgspec.json.encode((line.game, options.decode(), line.start))).digest()
    found = [key]
    for text in line.actions:
        key = hashlib.blake2b(key + text.encode("utf-8", "surrogatepass")).digest()
        found.append(key)
    return found


def render_line(live: LiveTable, language: str, line: Line) -> msgspec.Raw:
    say, game = phrases_at(live, language), live.game
    table = live.table
    known = line.since if live.effects_since(line.since) else None
    shown = render_view(live, _line_viewer(live, language, line), known)
    made = {
        "view": msgspec.Raw(shown.encode()),
        "actions": [game.notation.write_action(played.step.action) for played in table.history],
        "words": [
            event_text(played.step.events, played.actor, say)
            for played in table.history[line.known_actions :]
        ],
        "position": game.notation.write_state(table.state),
        "chance": _chance_outcomes(live, say),
    }
    return msgspec.Raw(msgspec.json.encode(made))


def why_not(live: LiveTable, language: str, touched: TouchedLine) -> protocol.RefusalMessage:
    settings = _line_viewer(live, language, touched)
    seat = acting_seat(live.table, settings.seats) or settings.seats[0]
    return refusal(live, settings, "", live.table.why_not(seat, touched.path))


def line_refusal(
    live: LiveTable, language: str, line: Line, why: Message, number: int
) -> LineRefusal:
    told = refusal(live, _line_viewer(live, language, line), "", why)
    return LineRefusal(**structs.asdict(told), number=number)


def edit_options(live: LiveTable, language: str, place: str) -> list[EditOption]:
    """The positions that touching a place makes of this one by hand."""
    say = phrases_at(live, language)
    found = live.game.ui.edits(live.table.state, place)
    return [EditOption(say(edit.label), edit.position) for edit in found]


def _line_viewer(live: LiveTable, language: str, line: Line) -> ViewerSettings:
    """Somebody who holds one seat, or all and looks through the eyes of whoever acts."""
    if line.seat in live.game.seats:
        return ViewerSettings(seats=(line.seat,), language=language, is_tall=line.is_tall)
    held = live.game.seats
    acting = acting_seat(live.table, held)
    return ViewerSettings(seats=held, language=language, is_tall=line.is_tall, unveiled_seat=acting)


def open_line(line: Line) -> LiveTable:
    """The table at the start of a line."""
    if line.game not in GAMES:
        raise Refused(message("server.no-game", game=line.game))
    rulebook = GAMES[line.game]
    game = rulebook.game(line.options)
    stored = StoredTable(
        id="analysis",
        game=line.game,
        rules_version=rulebook.version,
        options=dict(game.options),
        start=line.start,
        seats={seat: {"members": [ME], "entropy": ME} for seat in game.seats},
        created_at=0.0,
        owner=ME,
    )
    return LiveTable(stored, ())


def line_after(live: LiveTable, text: str, n: int) -> LiveTable:
    """The table one action on, the other one as it was."""
    table, game = live.table, live.game
    try:
        action = game.notation.read_action(text)
        actor = game.rules.actor_of(table.state, action)
        if actor == TABLE:
            actor, text = game.seats[0], ASK + text
        following, changes, _ = live.dry_run(actor, (text,), ME)
    except Refused as error:
        why = error.refusal
        raise Refused(Message(why.id, (*why.values, ("number", n + 1)), why.paragraph)) from None
    copy = LiveTable(live.stored, ())
    copy.table = table
    copy.recent_effects.extend(live.recent_effects)
    copy.advance_to(following, changes)
    return copy


def _chance_outcomes(live: LiveTable, say: Phrases) -> list[ChanceOutcome]:
    """Every way the die may fall, with what is said of it and how likely it is."""
    game, state = live.game, live.table.state
    if CHANCE not in game.rules.to_act(state):
        return []
    found, notation = [], game.notation.write_action
    for action, odds in game.rules.odds(state).items():
        events, text = game.rules.resolve(state, CHANCE, action).events, notation(action)
        label = event_text(events, SPECTATOR, say) or text
        found.append(ChanceOutcome(text, label, float(odds)))
    return found
