"""Preparation (4): rules/preparation.py again."""

from __future__ import annotations

from kibitz.core.bits import lowest_bit, popcount
from kibitz.core.jit import i64, jit
from kibitz.games.as_kimble.kernel.encoding import (
    COLOURS,
    EVERYBODY,
    FACES,
    MAX_LOTS,
    SEATS,
    YES,
    Packed,
)
from kibitz.games.as_kimble.kernel.sides import enter_popping
from kibitz.games.as_kimble.kernel.turn import pops_granted

LOW, HIGH = i64(-1), i64(1)


@jit
def seats_due(p: Packed) -> int:
    """The set of chairs that have to pop; empty once lowest and highest are known."""
    first = _first_uneven_pop(p)
    missing = _seats_lacking(p, first, EVERYBODY)
    if missing:
        return missing
    return i64(_tied_seats(p, first, LOW)[1] | _tied_seats(p, first, HIGH)[1])


@jit
def _pop_at(p: Packed, chair: int, at: int) -> int:
    """A chair's pop by its number, or 0."""
    return i64((p.lots[chair] >> (3 * at)) & 7)


@jit
def _seats_lacking(p: Packed, at: int, chairs: int) -> int:
    """The set of those of these who have not made this pop."""
    found = i64(0)
    for chair in range(SEATS):
        if (chairs >> chair) & 1 and not _pop_at(p, chair, at):
            found |= 1 << chair
    return found


@jit
def _seats_with_face(p: Packed, at: int, chairs: int, face: int) -> int:
    """The set of those of these who have popped this face."""
    found = i64(0)
    for chair in range(SEATS):
        if (chairs >> chair) & 1 and _pop_at(p, chair, at) == face:
            found |= 1 << chair
    return found


@jit
def _first_uneven_pop(p: Packed) -> int:
    """The first pop in which not all four were alike, or which is not complete."""
    at = i64(0)
    while _is_even(p, at):
        at += 1
    return at


@jit
def _is_even(p: Packed, at: int) -> bool:
    face = _pop_at(p, i64(0), at)
    return face > 0 and _seats_with_face(p, at, EVERYBODY, face) == EVERYBODY


@jit
def _tied_seats(p: Packed, at: int, pick: int) -> tuple[int, int]:
    """The sets of who is left for the lowest or the highest, and who of them must pop again."""
    tied = i64(EVERYBODY)
    while popcount(tied) > 1:
        again = _seats_lacking(p, at, tied)
        if again:
            return tied, again
        face = i64(1 if pick == LOW else FACES)
        while not _seats_with_face(p, at, tied, face):
            face -= pick
        tied = _seats_with_face(p, at, tied, face)
        at += 1
    return tied, i64(0)


@jit
def draw_lot(p: Packed, chair: int, face: int) -> None:
    _with_lot(p, chair, face)
    p.face = face
    p.wanted_face = 0
    if not seats_due(p):
        first = _first_uneven_pop(p)
        p.team = lowest_bit(_tied_seats(p, first, LOW)[0])
        p.number = lowest_bit(_tied_seats(p, first, HIGH)[0])
        p.phase = COLOURS
        for each in range(SEATS):
            p.lots[each] = 0


@jit
def _with_lot(p: Packed, chair: int, face: int) -> None:
    """Add a lot; one that there is no room for is popped again: that takes twenty ties."""
    at = i64(0)
    while _pop_at(p, chair, at):
        at += 1
    if at < MAX_LOTS:
        p.lots[chair] |= face << (3 * at)


@jit
def choose_colour(p: Packed, chair: int, team: int) -> None:
    """Colours follow clockwise; the chair with the highest pop begins."""
    first = (p.number + team - chair) & 3
    enter_popping(p, first, pops_granted(p, first), YES)
