"""The rule of a shared device: whom it shows, and when it is handed over behind a curtain."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.core import caching
from kibitz.core.game import SPECTATOR, Seat, Viewer
from kibitz.table.table import AnyTable

MAX_CACHED_ANSWERS = 64
"""So many answers about positions are remembered: each is asked for a few times in a row."""


@caching.cache_latest(MAX_CACHED_ANSWERS)
def acting_seat(table: AnyTable, held: Sequence[Seat]) -> Seat | None:
    """The seat somebody acts for now: one whose turn it is, or else one that can do something."""
    to_act = table.game.rules.to_act(table.state)
    for seat in held:
        if seat in to_act:
            return seat
    return next((seat for seat in held if _may_act(table, seat)), None)


def needs_curtain(table: AnyTable, held: Sequence[Seat], seat: Seat) -> bool:
    """True if a device must be handed to a seat before anything of theirs is shown on it.

    That is where several share it, and this one has something to commit in secret, or sees what
    the others do not.
    """
    return len(held) > 1 and table.has_secrets(seat, held)


@caching.cache_latest(MAX_CACHED_ANSWERS)
def curtain_seat(
    table: AnyTable, held: Sequence[Seat], unveiled: Seat | None = None
) -> Seat | None:
    """The seat a device must be handed to now, unless it said to be looking."""
    acting = acting_seat(table, held)
    is_hidden = acting and acting != unveiled and needs_curtain(table, held, acting)
    return acting if is_hidden else None


def current_unveiled_seat(
    table: AnyTable, held: Sequence[Seat], unveiled: Seat | None
) -> Seat | None:
    """A curtain lifted for somebody falls again when there is nothing of theirs to hide."""
    is_looking = unveiled and unveiled == acting_seat(table, held)
    return unveiled if is_looking and needs_curtain(table, held, unveiled or "") else None


def viewer_of(table: AnyTable, held: Sequence[Seat], unveiled: Seat | None = None) -> Viewer:
    """Through whose eyes: on a shared device those of the seat that acts, and of no other."""
    if len(held) == 1:
        return held[0]
    if curtain_seat(table, held, unveiled):
        return SPECTATOR
    return acting_seat(table, held) or SPECTATOR


def _may_act(table: AnyTable, seat: Seat) -> bool:
    return bool(table.actions(seat) or table.game.rules.anytime_actions(table.state, seat))
