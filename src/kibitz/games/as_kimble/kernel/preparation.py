"""Preparation (4): rules/preparation.py again."""

from __future__ import annotations

from kibitz.core.bits import count, lowest
from kibitz.core.jit import compiled, small
from kibitz.games.as_kimble.kernel.encoding import (
    COLOURS,
    EVERYBODY,
    FACES,
    LONGEST_LOTS,
    SEATS,
    YES,
    Packed,
)
from kibitz.games.as_kimble.kernel.sides import popping
from kibitz.games.as_kimble.kernel.turn import pops_granted

LOW, HIGH = small(-1), small(1)


@compiled
def due(p: Packed) -> int:
    """Which chairs have to pop: a set; nobody once lowest and highest are known."""
    first = _uneven(p)
    missing = _lacking(p, first, EVERYBODY)
    if missing:
        return missing
    return small(_left(p, first, LOW)[1] | _left(p, first, HIGH)[1])


@compiled
def _pop_at(p: Packed, chair: int, at: int) -> int:
    """A chair's pop by its number, or 0."""
    return small((p.lots[chair] >> (3 * at)) & 7)


@compiled
def _lacking(p: Packed, at: int, chairs: int) -> int:
    """Who of these has not made this pop: a set."""
    found = small(0)
    for chair in range(SEATS):
        if (chairs >> chair) & 1 and not _pop_at(p, chair, at):
            found |= 1 << chair
    return found


@compiled
def _alike(p: Packed, at: int, chairs: int, face: int) -> int:
    """Who of these has popped this: a set."""
    found = small(0)
    for chair in range(SEATS):
        if (chairs >> chair) & 1 and _pop_at(p, chair, at) == face:
            found |= 1 << chair
    return found


@compiled
def _uneven(p: Packed) -> int:
    """The first pop in which not all four were alike, or which is not complete."""
    at = small(0)
    while _is_even(p, at):
        at += 1
    return at


@compiled
def _is_even(p: Packed, at: int) -> bool:
    face = _pop_at(p, small(0), at)
    return face > 0 and _alike(p, at, EVERYBODY, face) == EVERYBODY


@compiled
def _left(p: Packed, at: int, pick: int) -> tuple[int, int]:
    """Who is left for the lowest or the highest, and who of them must pop again: sets."""
    tied = small(EVERYBODY)
    while count(tied) > 1:
        again = _lacking(p, at, tied)
        if again:
            return tied, again
        face = small(1 if pick == LOW else FACES)
        while not _alike(p, at, tied, face):
            face -= pick
        tied = _alike(p, at, tied, face)
        at += 1
    return tied, small(0)


@compiled
def draw_lot(p: Packed, chair: int, face: int) -> None:
    _with_lot(p, chair, face)
    p.face = face
    p.wanted = 0
    if not due(p):
        first = _uneven(p)
        p.team = lowest(_left(p, first, LOW)[0])
        p.number = lowest(_left(p, first, HIGH)[0])
        p.phase = COLOURS
        for each in range(SEATS):
            p.lots[each] = 0


@compiled
def _with_lot(p: Packed, chair: int, face: int) -> None:
    """What there is no room for is popped again: that takes twenty ties."""
    at = small(0)
    while _pop_at(p, chair, at):
        at += 1
    if at < LONGEST_LOTS:
        p.lots[chair] |= face << (3 * at)


@compiled
def choose_colour(p: Packed, chair: int, team: int) -> None:
    """Colours follow clockwise; the chair with the highest pop begins."""
    first = (p.number + team - chair) & 3
    popping(p, first, pops_granted(p, first), YES)
