"""Questions about a state that need no rule, and the smallest changes to one."""

from __future__ import annotations

from kibitz.core.bits import bit, mix_bits
from kibitz.core.jit import i64, jit, u64
from kibitz.games.kahmate.kernel.board import (
    difference,
    first_square,
    has_any,
    without_first_square,
)
from kibitz.games.kahmate.kernel.encoding import (
    KIND_MASK,
    MARK,
    NONE,
    PLAY,
    PLAYING_SQUARES,
    POINTS_OF,
    OptionCodes,
    Packed,
    Squares,
)


@jit
def other_side(side: int) -> int:
    return i64(1 - side)


# Men


@jit
def kind_of(man: int) -> int:
    return i64(man & KIND_MASK)


@jit
def side_of(man: int) -> int:
    return i64(i64(man) >> 3 & 1)


@jit
def mark_of(man: int) -> int:
    return i64(i64(man) >> 4)


@jit
def man_at(p: Packed, square: int) -> int:
    return i64(p.field[square])


@jit
def holder(p: Packed) -> int:
    """The man who has the ball; 0 while it is loose or there is none."""
    return man_at(p, i64(p.ball)) if p.ball != NONE else i64(0)


@jit
def put_man(p: Packed, square: int, man: int) -> None:
    """An active man on an empty square."""
    side, word, here = side_of(man), i64(square >> 6), bit(u64(square & 63))
    p.field[square] = man
    p.men[side, word] = u64(p.men[side, word] | here)


@jit
def take_man(p: Packed, square: int) -> int:
    """An active man off the field: who he is."""
    man = man_at(p, square)
    side, word, others = side_of(man), i64(square >> 6), u64(~bit(u64(square & 63)))
    p.field[square] = 0
    p.men[side, word] = u64(p.men[side, word] & others)
    return man


@jit
def set_mark(p: Packed, square: int, down: int) -> None:
    """Give a man a mark, or turn him up with 0."""
    word, here = i64(square >> 6), bit(u64(square & 63))
    p.field[square] = i64(man_at(p, square) & (MARK - 1)) + MARK * down
    p.down[word] = u64(p.down[word] | here) if down else u64(p.down[word] & u64(~here))


@jit
def men_of(p: Packed, side: int) -> Squares:
    return u64(p.men[side, 0]), u64(p.men[side, 1])


@jit
def down_men(p: Packed) -> Squares:
    return u64(p.down[0]), u64(p.down[1])


@jit
def active_men(p: Packed, side: int) -> Squares:
    """The squares of a side's men who are not knocked out."""
    return difference(men_of(p, side), down_men(p))


@jit
def empty_squares(p: Packed) -> Squares:
    """The squares of the files b to l on which nobody stands."""
    return difference(difference(PLAYING_SQUARES, men_of(p, i64(0))), men_of(p, i64(1)))


# Movers


@jit
def points_of(p: Packed, square: int) -> int:
    """The points a man of the side on turn has: a third man has none."""
    if p.movers[0] == square:
        return i64(p.points[0])
    if p.movers[1] == square:
        return i64(p.points[1])
    return i64(POINTS_OF[kind_of(man_at(p, square))]) if p.movers[1] == NONE else i64(0)


@jit
def clear_movers(p: Packed) -> None:
    p.movers[0], p.movers[1] = NONE, NONE
    p.points[0], p.points[1] = 0, 0


# Phase and hold


@jit
def enter_phase(p: Packed, phase: int, attacker: int, defender: int, receiver: int) -> None:
    p.phase = phase
    p.attacker, p.defender, p.receiver = attacker, defender, receiver
    p.contest, p.in_round, p.card = 0, 0, 0


@jit
def play_on(p: Packed) -> None:
    enter_phase(p, i64(PLAY), i64(NONE), i64(NONE), i64(NONE))


@jit
def forget_hold(p: Packed) -> None:
    p.hold_side, p.hold_count, p.hold_best = NONE, 0, 0


# The whole


@jit
def copy(source: Packed, target: Packed) -> None:
    for at in range(len(source.field)):
        target.field[at] = source.field[at]
    for n in range(2):
        target.men[n, 0], target.men[n, 1] = source.men[n, 0], source.men[n, 1]
        target.down[n] = source.down[n]
        target.movers[n], target.points[n] = source.movers[n], source.points[n]
        target.hands[n], target.score[n] = source.hands[n], source.score[n]
    target.turns, target.turn = source.turns, source.turn
    target.phase, target.contest = source.phase, source.contest
    target.attacker, target.defender = source.attacker, source.defender
    target.receiver, target.in_round, target.card = source.receiver, source.in_round, source.card
    target.ball = source.ball
    target.hold_side, target.hold_count = source.hold_side, source.hold_count
    target.hold_best, target.raised_tries = source.hold_best, source.raised_tries


@jit
def key(options: OptionCodes, p: Packed) -> int:
    """Equal for equal states: 64 bits of everything that is true of one."""
    total = mix_four(men_key(p), p.turn, p.phase, p.ball, p.hold_side)
    total = mix_four(total, p.attacker, p.defender, p.receiver, p.card)
    total = mix_four(total, p.contest, p.in_round, p.score[0], p.score[1])
    total = mix_four(total, p.movers[0], p.movers[1], p.points[0], p.points[1])
    total = mix_four(total, p.hands[0], p.hands[1], p.hold_best, p.raised_tries)
    return mix_bits(u64(mix_bits(u64(total ^ u64(p.turns))) ^ u64(p.hold_count)))


@jit
def men_key(p: Packed) -> int:
    """A part of such a key: who stands where, and in what state."""
    total = u64(0)
    for side in range(2):
        men = men_of(p, i64(side))
        while has_any(men):
            at = first_square(men)
            total = u64(total + mix_bits(u64(1 + at + 128 * man_at(p, at))))
            men = without_first_square(men)
    return total


@jit
def mix_four(total: int, a: int, b: int, c: int, d: int) -> int:
    """With four numbers below 256 more."""
    more = i64(a) << 24 | i64(b) << 16 | i64(c) << 8 | i64(d)
    return mix_bits(u64(u64(total) ^ u64(more)))
