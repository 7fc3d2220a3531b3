"""Those who look at a table: through whose eyes, and in which words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kibitz.core import caching
from kibitz.core.game import SPECTATOR, Seat, Viewer
from kibitz.server.phrases import Phrases, phrases_for
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import AnyTable, LiveTable

MAX_CACHED_ANSWERS = 64
"""How many answers about positions are remembered: each is asked for a few times in a row."""


@dataclass(frozen=True, slots=True)
class ViewerSettings:
    """Those whose sights are the same."""

    seats: tuple[Seat, ...]
    """The seats they act for."""
    language: str
    stand_in_seats: tuple[Seat, ...] = ()
    """Those that a bot keeps for them."""
    is_tall: bool = False
    is_host: bool = False
    """Whether they opened the table."""
    is_referee: bool = False
    """Whether they are its referee."""
    is_bookkeeper: bool = False
    """Whether they keep the book of a match on a real board."""
    place: str = ""
    """What a link has let them in for."""
    unveiled_seat: Seat | None = None
    """Who said to be looking, on a device that several share."""


def controlled_seats(live: LiveTable, watcher: ViewerSettings) -> tuple[Seat, ...]:
    """The seats that somebody enters things for: their own; all, where they keep the book."""
    return live.game.seats if watcher.is_bookkeeper else watcher.seats


def may_enter(table: AnyTable, watcher: ViewerSettings, text: str) -> bool:
    """Whether a book lets somebody enter what the rules let their seat do."""
    game, book = table.game, table.book
    if book is None or watcher.is_bookkeeper:
        return True
    return book.may_team_enter(game.policy.is_statement(game.notation.read_action(text)))


@caching.cache_latest(MAX_CACHED_ANSWERS)
def acting_seat(table: AnyTable, held: Sequence[Seat]) -> Seat | None:
    """The seat somebody acts for now: one whose turn it is, or else one that can do something."""
    to_act = table.game.rules.to_act(table.state)
    in_turn = [seat for seat in held if seat in to_act]
    return next(iter(in_turn or [seat for seat in held if _may_act(table, seat)]), None)


@caching.cache_latest(MAX_CACHED_ANSWERS)
def curtain_seat(
    table: AnyTable, held: Sequence[Seat], unveiled: Seat | None = None
) -> Seat | None:
    """Whom a shared device must be handed to before anything of theirs is shown on it.

    That is where the one who acts has something to commit in secret, or sees what others do not.
    """
    acting = acting_seat(table, held) if len(held) > 1 else None
    if acting is None or acting == unveiled:
        return None
    others = [seat for seat in held if seat != acting]
    return acting if table.has_secrets(acting, others) else None


def current_unveiled_seat(table: AnyTable, watcher: ViewerSettings) -> Seat | None:
    """A curtain lifted for somebody falls again when there is nothing of theirs to hide."""
    seat = watcher.unveiled_seat
    if seat is None or seat != acting_seat(table, watcher.seats):
        return None
    return seat if table.has_secrets(seat, watcher.seats) else None


def viewer_of(table: AnyTable, held: Sequence[Seat], unveiled: Seat | None = None) -> Viewer:
    """Through whose eyes: on a shared device those of the seat that acts, and of no other."""
    if len(held) == 1:
        return held[0]
    if curtain_seat(table, held, unveiled):
        return SPECTATOR
    return acting_seat(table, held) or SPECTATOR


def phrases_at(live: LiveTable, language: str) -> Phrases:
    """The table's words; a seat may be called otherwise as the match goes on."""
    book = live.table.book
    chosen = tuple((seat, team.name) for seat, team in book.teams if team.name) if book else ()
    return phrases_for(language, live.game.name, live.game.seats, _seat_letters(live), chosen)


def plain_phrases_at(live: LiveTable, language: str) -> Phrases:
    """Likewise without the names that people chose: for what goes into the record."""
    return phrases_for(language, live.game.name, live.game.seats, _seat_letters(live))


def _seat_letters(live: LiveTable) -> tuple[str, ...]:
    return tuple(live.game.policy.seat_letter(live.table.state, seat) for seat in live.game.seats)


def menu_items(table: AnyTable, actions: Iterable[Any], say: Phrases) -> list[protocol.MenuItem]:
    """Lines of a menu for actions that need no further words."""
    return [_menu_item(table.game.notation.write_action(action), say) for action in actions]


@lru_cache(maxsize=1 << 10)
def _menu_item(text: str, say: Phrases) -> protocol.MenuItem:
    word, *rest = text.split()
    values = {"seat": rest[0]} if rest and rest[0] in say.names else {}
    ids = f"{say.game}.menu-{word}", f"page.menu-{word}"
    label = say.first(*ids, **values) or text
    sure = say.first(*(f"{id}-sure" for id in ids), **values) or label
    return protocol.MenuItem(text, label, sure)


def _may_act(table: AnyTable, seat: Seat) -> bool:
    return bool(table.actions(seat) or table.game.rules.anytime_actions(table.state, seat))
