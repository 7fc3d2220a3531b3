"""A board to try things out on: any position, any line of actions, nothing written down.

Whoever studies plays all sides, chance included, and may let a referee rule; or looks on from
one seat, as a learner does.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field, structs

from kibitz.core.game import CHANCE, SPECTATOR, TABLE, tell
from kibitz.core.message import Message, Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.db.store import StoredTable
from kibitz.server.phrases import Speech
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import AnyPlayed, LiveTable
from kibitz.server.tables.service import Option
from kibitz.server.tables.view import refusal, sight
from kibitz.server.tables.viewers import Watcher, acting_seat, speech_at
from kibitz.table.table import ASK

ME = "me"
MOST_ACTIONS = 4000
KEPT = 256
"""How many lines are kept replayed: the next question is mostly one action on, or back."""
STRIDE = 16
"""Every so often along a line: going back through it replays no more than that."""


class Line(Struct, forbid_unknown_fields=True):
    """A match that might have been."""

    game: Annotated[str, Meta(max_length=60)]
    options: dict[str, Option] = field(default_factory=dict)
    start: Annotated[str, Meta(max_length=20_000)] = START
    actions: Annotated[
        tuple[Annotated[str, Meta(max_length=20_000)], ...], Meta(max_length=MOST_ACTIONS)
    ] = ()
    tall: bool = False
    seat: Annotated[str, Meta(max_length=20)] = ""
    """Whose eyes it is seen through; empty: those of whoever is to act."""
    seen: Annotated[int, Meta(ge=0)] | None = None
    """The seq of a sight from the way there, of this shape and seat: only what changed is sent."""
    known: Annotated[int, Meta(ge=0)] = 0
    """So many of its actions need no words any more."""


class Touched(Line):
    """A line, and places that were touched at its end."""

    path: Annotated[tuple[str, ...], Meta(max_length=64)] = ()


class Unplayed(protocol.NotDone, tag="refused"):
    """A line that does not lead to its end."""

    number: int = 0
    """Of the action at fault, the first being 1; 0 where the start or the options are."""
    status: int = 422


class Chance(Struct):
    """What chance may do now."""

    text: str
    label: str
    odds: float


class EditSeen(Struct):
    """A position that may be made by hand."""

    label: str
    position: str


class Studied(Struct):
    """The end of a line, as whoever is to act there sees it."""

    sight: protocol.Sight
    actions: list[str]
    """As a record spells them."""
    words: list[str]
    """What came of those that were not known yet, as whoever did it was told."""
    position: str
    chance: list[Chance]


class Studies:
    """Lines as far as they were replayed. Nothing of them is anybody's secret."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Any, LiveTable] = OrderedDict()
        self._lock = asyncio.Lock()

    async def at(self, line: Line) -> LiveTable:
        """The table at the end of a line; raises Refused with the number of the action at fault.

        Beside the tables that are played: a long line takes a while.
        """
        async with self._lock:
            return await asyncio.to_thread(self._at, line)

    def _at(self, line: Line) -> LiveTable:
        base = line.game, msgspec.json.encode(line.options, order="sorted"), line.start
        done = len(line.actions)
        while done and (base, line.actions[:done]) not in self._kept:
            done -= 1
        live = self._kept.get((base, line.actions[:done])) or _opened(line)
        for n in range(done, len(line.actions)):
            live = _after(live, line.actions[n], n)
            if n + 1 >= len(line.actions) - 1 or (n + 1) % STRIDE == 0:
                self._keep((base, line.actions[: n + 1]), live)
        self._keep((base, line.actions), live)
        return live

    def _keep(self, key: Any, live: LiveTable) -> None:
        self._kept[key] = live
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def studied(live: LiveTable, language: str, line: Line) -> msgspec.Raw:
    say, game = speech_at(live, language), live.game
    table = live.table
    known = line.seen if live.changes_since(line.seen) else None
    shown = sight(live, _watcher(live, language, line), known)
    made = {
        "sight": msgspec.Raw(shown.encode()),
        "actions": [game.write_action(played.step.action) for played in table.played],
        "words": [_words(played, say) for played in table.played[line.known :]],
        "position": game.write_state(table.state),
        "chance": _chance(live, say),
    }
    return msgspec.Raw(msgspec.json.encode(made))


def why_not(live: LiveTable, language: str, touched: Touched) -> protocol.NotDone:
    watcher = _watcher(live, language, touched)
    seat = acting_seat(live.table, watcher.held) or watcher.held[0]
    return refusal(live, watcher, "", live.table.why_not(seat, touched.path))


def not_played(live: LiveTable, language: str, line: Line, why: Message, number: int) -> Unplayed:
    told = refusal(live, _watcher(live, language, line), "", why)
    return Unplayed(**structs.asdict(told), number=number)


def edits(live: LiveTable, language: str, place: str) -> list[EditSeen]:
    """What may be made of the position by hand, by touching a place."""
    say = speech_at(live, language)
    found = live.game.edits(live.table.state, place)
    return [EditSeen(say(edit.label), edit.position) for edit in found]


def _watcher(live: LiveTable, language: str, line: Line) -> Watcher:
    """Somebody who holds one seat, or all and looks through the eyes of whoever acts."""
    if line.seat in live.game.seats:
        return Watcher(held=(line.seat,), language=language, tall=line.tall)
    held = live.game.seats
    acting = acting_seat(live.table, held)
    return Watcher(held=held, language=language, tall=line.tall, unveiled=acting)


def _opened(line: Line) -> LiveTable:
    if line.game not in GAMES:
        raise Refused(message("server.no-game", game=line.game))
    rulebook = GAMES[line.game]
    game = rulebook.game(line.options)
    stored = StoredTable(
        id="study",
        game=line.game,
        rules=rulebook.rules,
        options=dict(game.options),
        start=line.start,
        seats={seat: {"members": [ME], "entropy": ME} for seat in game.seats},
        created=0.0,
        owner=ME,
    )
    return LiveTable(stored, ())


def _after(live: LiveTable, text: str, n: int) -> LiveTable:
    """The table one action on, the other one as it was."""
    table, game = live.table, live.game
    try:
        action = game.read_action(text)
        actor = game.actor(table.state, action)
        if actor == TABLE:
            actor, text = game.seats[0], ASK + text
        following, changes, _ = live.after(actor, (text,), ME)
    except Refused as error:
        why = error.refusal
        raise Refused(Message(why.id, (*why.values, ("number", n + 1)), why.paragraph)) from None
    copy = LiveTable(live.stored, ())
    copy.table = table
    copy.changes.extend(live.changes)
    copy.move_on(following, changes, None)
    return copy


def _words(played: AnyPlayed, say: Speech) -> str:
    events = played.step.events
    told = tell(events, played.actor) or tell(events, SPECTATOR)
    return "; ".join(say(event.message) for event in told)


def _chance(live: LiveTable, say: Speech) -> list[Chance]:
    """Every way the die may fall, with what is said of it and how likely it is."""
    game, state = live.game, live.table.state
    if CHANCE not in game.to_act(state):
        return []
    found = []
    for action, odds in game.odds(state).items():
        events = tell(game.resolve(state, CHANCE, action).events, SPECTATOR)
        text = game.write_action(action)
        label = "; ".join(say(event.message) for event in events) or text
        found.append(Chance(text, label, float(odds)))
    return found
