"""Questions about where pieces are, and changes of it: state.py in bits."""

from __future__ import annotations

from kibitz.core.bits import mix_bits, next_die
from kibitz.core.jit import i64, jit, u64
from kibitz.games.as_kimble.board import RING
from kibitz.games.as_kimble.kernel.encoding import (
    CHOOSING,
    ENDED,
    FIRST_GOAL,
    NOBODY,
    POPPING,
    RETURNING,
    SEATS,
    VOTING,
    OptionCodes,
    Packed,
)

QUARTER = RING // SEATS
FULL_GOAL = 0b1111


@jit
def copy(source: Packed, target: Packed) -> None:
    for i in range(SEATS):
        target.taken[i] = source.taken[i]
        target.ones[i] = source.ones[i]
        target.twos[i] = source.twos[i]
        target.home[i] = source.home[i]
        target.owed[i] = source.owed[i]
        target.done[i] = source.done[i]
        target.lots[i] = source.lots[i]
    _enter_phase(target, source.phase, source.team, source.number, source.flag, source.teams)
    target.face = source.face
    target.wanted_face = source.wanted_face
    target.raise_round = source.raise_round
    target.raised = source.raised
    target.is_closed = source.is_closed
    target.owing = source.owing
    target.said = source.said
    target.is_break = source.is_break
    target.is_pressed = source.is_pressed


@jit
def key(options: OptionCodes, p: Packed) -> int:
    """Of the whole state: two that differ in anything have different keys, but by accident.

    What has narrow limits shares a word.
    """
    found = u64(0)
    for i in range(SEATS):
        found = _mix_in(found, p.taken[i] | (p.home[i] << 32))
        found = _mix_in(found, p.ones[i] | (p.twos[i] << 32))
        found = _mix_in(found, p.owed[i] | (p.done[i] << 32))
        found = _mix_in(found, p.lots[i])
    turn = p.phase | (p.team << 4) | (p.number << 8) | (p.flag << 12) | (p.teams << 16)
    die = p.face | (p.wanted_face << 4) | (p.is_break << 8) | (p.is_pressed << 9)
    marks = p.raised | (p.is_closed << 4) | (p.owing << 8) | (p.said << 12)
    found = _mix_in(found, turn | (die << 20))
    return _mix_in(found, marks | (p.raise_round << 16))


@jit
def _mix_in(found: int, word: int) -> int:
    """The order counts."""
    return mix_bits(next_die(u64(u64(found) ^ u64(word))))


@jit
def is_placed(p: Packed, team: int) -> bool:
    """Four pieces on four goal grids."""
    return goal_set(p, team) == FULL_GOAL


@jit
def goal_set(p: Packed, team: int) -> int:
    """The set of goal grids that hold something: goal g is bit g - 1."""
    return i64(p.taken[team] >> FIRST_GOAL)


@jit
def size_at(p: Packed, team: int, place: int) -> int:
    """The number of pieces contained in the one that stands there."""
    return i64(1 + ((p.ones[team] >> place) & 1) + 2 * ((p.twos[team] >> place) & 1))


@jit
def way_occupant(p: Packed, team: int, progress: int) -> int:
    """The team of the opponent where this team's piece would stand on the ring, or NOBODY."""
    for ahead in range(1, SEATS):
        other = (team + ahead) & 3
        if (p.taken[other] >> progress_of(ahead, progress)) & 1:
            return i64(other)
    return i64(NOBODY)


@jit
def progress_of(ahead: int, progress: int) -> int:
    """The same grid as the progress of the team that sits so many places ahead."""
    behind = progress - QUARTER * ahead
    return i64(behind if behind >= 0 else behind + RING)


@jit
def without_piece(p: Packed, team: int, place: int) -> None:
    rest = ~(i64(1) << place)
    p.taken[team] &= rest
    p.ones[team] &= rest
    p.twos[team] &= rest


@jit
def with_piece(p: Packed, team: int, place: int, size: int) -> None:
    """Put a piece where nothing of the team stands."""
    further = size - 1
    p.taken[team] |= i64(1) << place
    p.ones[team] |= (further & 1) << place
    p.twos[team] |= (further >> 1) << place


@jit
def add_one(p: Packed, team: int, place: int) -> None:
    """A piece comes to a place, to join what stands there if anything does."""
    if (p.taken[team] >> place) & 1:
        size = size_at(p, team, place)
        without_piece(p, team, place)
        with_piece(p, team, place, size + 1)
    else:
        with_piece(p, team, place, i64(1))


@jit
def take_one(p: Packed, team: int, place: int) -> None:
    """A piece leaves a place; what it was with stays."""
    size = size_at(p, team, place)
    without_piece(p, team, place)
    if size > 1:
        with_piece(p, team, place, size - 1)


# The phases of 5 that a turn goes through


@jit
def enter_popping(p: Packed, team: int, pops: int, is_new: int) -> None:
    _enter_phase(p, POPPING, team, pops, is_new, i64(0))


@jit
def enter_choosing(p: Packed, team: int, number: int, is_refused: int) -> None:
    _enter_phase(p, CHOOSING, team, number, is_refused, i64(0))


@jit
def enter_voting(p: Packed, team: int, agreed: int) -> None:
    _enter_phase(p, VOTING, team, i64(0), i64(0), agreed)


@jit
def enter_returning(p: Packed, team: int, pending: int) -> None:
    _enter_phase(p, RETURNING, team, i64(0), i64(0), pending)


@jit
def enter_game_over(p: Packed, winner: int) -> None:
    _enter_phase(p, ENDED, winner, i64(0), i64(0), i64(0))


@jit
def _enter_phase(p: Packed, phase: int, team: int, number: int, flag: int, teams: int) -> None:
    p.phase = phase
    p.team = team
    p.number = number
    p.flag = flag
    p.teams = teams
