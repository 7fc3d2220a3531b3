"""Those who look at a table: through whose eyes, and in which words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kibitz.core import caching
from kibitz.core.game import SPECTATOR, Seat, Viewer
from kibitz.server.phrases import Speech, speech
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import AnyTable, LiveTable

KEPT = 64
"""How many answers about positions are remembered: each is asked for a few times in a row."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Those whose sights are the same."""

    held: tuple[Seat, ...]
    """The seats they act for."""
    language: str
    kept: tuple[Seat, ...] = ()
    """Those that a bot keeps for them."""
    tall: bool = False
    hosts: bool = False
    """Whether they opened the table."""
    rules: bool = False
    """Whether they are its referee."""
    keeps: bool = False
    """Whether they keep the book of a match on a real board."""
    place: str = ""
    """What a link has let them in for."""
    unveiled: Seat | None = None
    """Who said to be looking, on a device that several share."""


def spoken_for(live: LiveTable, watcher: Watcher) -> tuple[Seat, ...]:
    """The seats that somebody enters things for: their own; all, where they keep the book."""
    return live.game.seats if watcher.keeps else watcher.held


def may_enter(table: AnyTable, watcher: Watcher, text: str) -> bool:
    """Whether a book lets somebody enter what the rules let their seat do."""
    game, book = table.game, table.book
    if book is None or watcher.keeps:
        return True
    return book.lets_teams(game.is_said(game.read_action(text)))


@caching.latest(KEPT)
def acting_seat(table: AnyTable, held: Sequence[Seat]) -> Seat | None:
    """The seat somebody acts for now: one whose turn it is, or else one that can do something."""
    to_act = table.game.to_act(table.state)
    in_turn = [seat for seat in held if seat in to_act]
    return next(iter(in_turn or [seat for seat in held if _may_act(table, seat)]), None)


@caching.latest(KEPT)
def curtained(table: AnyTable, held: Sequence[Seat], unveiled: Seat | None = None) -> Seat | None:
    """Whom a shared device must be handed to before anything of theirs is shown on it.

    That is where the one who acts has something to commit in secret, or sees what others do not.
    """
    acting = acting_seat(table, held) if len(held) > 1 else None
    if acting is None or acting == unveiled:
        return None
    others = [seat for seat in held if seat != acting]
    return acting if table.has_secrets(acting, others) else None


def still_unveiled(table: AnyTable, watcher: Watcher) -> Seat | None:
    """A curtain lifted for somebody falls again when there is nothing of theirs to hide."""
    seat = watcher.unveiled
    if seat is None or seat != acting_seat(table, watcher.held):
        return None
    return seat if table.has_secrets(seat, watcher.held) else None


def viewer_of(table: AnyTable, held: Sequence[Seat], unveiled: Seat | None = None) -> Viewer:
    """Through whose eyes: on a shared device those of the seat that acts, and of no other."""
    if len(held) == 1:
        return held[0]
    if curtained(table, held, unveiled):
        return SPECTATOR
    return acting_seat(table, held) or SPECTATOR


def speech_at(live: LiveTable, language: str) -> Speech:
    """The table's words; a seat may be called otherwise as the match goes on."""
    book = live.table.book
    chosen = tuple((seat, team.name) for seat, team in book.teams if team.name) if book else ()
    return speech(language, live.game.name, live.game.seats, _letters(live), chosen)


def plain_speech_at(live: LiveTable, language: str) -> Speech:
    """Likewise without the names that people chose: for what goes into the record."""
    return speech(language, live.game.name, live.game.seats, _letters(live))


def _letters(live: LiveTable) -> tuple[str, ...]:
    return tuple(live.game.chair(live.table.state, seat) for seat in live.game.seats)


def items(table: AnyTable, actions: Iterable[Any], say: Speech) -> list[protocol.MenuItem]:
    """Lines of a menu for actions that need no further words."""
    return [_item(table.game.write_action(action), say) for action in actions]


@lru_cache(maxsize=1 << 10)
def _item(text: str, say: Speech) -> protocol.MenuItem:
    word, *rest = text.split()
    values = {"seat": rest[0]} if rest and rest[0] in say.names else {}
    ids = f"{say.game}.menu-{word}", f"page.menu-{word}"
    label = say.first(*ids, **values) or text
    sure = say.first(*(f"{id}-sure" for id in ids), **values) or label
    return protocol.MenuItem(text, label, sure)


def _may_act(table: AnyTable, seat: Seat) -> bool:
    return bool(table.actions(seat) or table.game.anytime_actions(table.state, seat))
