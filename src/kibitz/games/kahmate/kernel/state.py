"""Questions about a state that need no rule, and the smallest changes to one."""

from __future__ import annotations

from kibitz.core.bits import bit, mixed
from kibitz.core.jit import compiled, small, wide
from kibitz.games.kahmate.kernel.board import any_in, first_of, without, without_first
from kibitz.games.kahmate.kernel.encoding import (
    KIND,
    MARK,
    NONE,
    PLAY,
    PLAYING_SQUARES,
    POINTS_OF,
    House,
    Packed,
    Squares,
)


@compiled
def other(side: int) -> int:
    return small(1 - side)


# Men


@compiled
def kind_of(man: int) -> int:
    return small(man & KIND)


@compiled
def side_of(man: int) -> int:
    return small(small(man) >> 3 & 1)


@compiled
def mark_of(man: int) -> int:
    return small(small(man) >> 4)


@compiled
def man_at(p: Packed, square: int) -> int:
    return small(p.field[square])


@compiled
def holder(p: Packed) -> int:
    """The man who has the ball; 0 while it is loose or there is none."""
    return man_at(p, small(p.ball)) if p.ball != NONE else small(0)


@compiled
def put(p: Packed, square: int, man: int) -> None:
    """An active man on an empty square."""
    side, word, here = side_of(man), small(square >> 6), bit(wide(square & 63))
    p.field[square] = man
    p.men[side, word] = wide(p.men[side, word] | here)


@compiled
def take(p: Packed, square: int) -> int:
    """An active man off the field: who he is."""
    man = man_at(p, square)
    side, word, others = side_of(man), small(square >> 6), wide(~bit(wide(square & 63)))
    p.field[square] = 0
    p.men[side, word] = wide(p.men[side, word] & others)
    return man


@compiled
def mark(p: Packed, square: int, down: int) -> None:
    """Give a man a mark, or turn him up with 0."""
    word, here = small(square >> 6), bit(wide(square & 63))
    p.field[square] = small(man_at(p, square) & (MARK - 1)) + MARK * down
    p.down[word] = wide(p.down[word] | here) if down else wide(p.down[word] & wide(~here))


@compiled
def men_of(p: Packed, side: int) -> Squares:
    return wide(p.men[side, 0]), wide(p.men[side, 1])


@compiled
def down(p: Packed) -> Squares:
    return wide(p.down[0]), wide(p.down[1])


@compiled
def active(p: Packed, side: int) -> Squares:
    """Where a side has men who are not knocked out."""
    return without(men_of(p, side), down(p))


@compiled
def empty(p: Packed) -> Squares:
    """The squares of the files b to l on which nobody stands."""
    return without(without(PLAYING_SQUARES, men_of(p, small(0))), men_of(p, small(1)))


# Movers


@compiled
def points_of(p: Packed, square: int) -> int:
    """The points a man of the side on turn has: a third man has none."""
    if p.movers[0] == square:
        return small(p.points[0])
    if p.movers[1] == square:
        return small(p.points[1])
    return small(POINTS_OF[kind_of(man_at(p, square))]) if p.movers[1] == NONE else small(0)


@compiled
def no_movers(p: Packed) -> None:
    p.movers[0], p.movers[1] = NONE, NONE
    p.points[0], p.points[1] = 0, 0


# Phase and hold


@compiled
def enter(p: Packed, phase: int, attacker: int, defender: int, receiver: int) -> None:
    p.phase = phase
    p.attacker, p.defender, p.receiver = attacker, defender, receiver
    p.contest, p.in_round, p.card = 0, 0, 0


@compiled
def play_on(p: Packed) -> None:
    enter(p, small(PLAY), small(NONE), small(NONE), small(NONE))


@compiled
def forget_hold(p: Packed) -> None:
    p.hold_side, p.hold_count, p.hold_best = NONE, 0, 0


# The whole


@compiled
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
    target.hold_best = source.hold_best


@compiled
def key(house: House, p: Packed) -> int:
    """Equal for equal states: 64 bits of everything that is true of one."""
    total = stirred(standing(p), p.turn, p.phase, p.ball, p.hold_side)
    total = stirred(total, p.attacker, p.defender, p.receiver, p.card)
    total = stirred(total, p.contest, p.in_round, p.score[0], p.score[1])
    total = stirred(total, p.movers[0], p.movers[1], p.points[0], p.points[1])
    total = stirred(total, p.hands[0], p.hands[1], p.hold_best, p.hold_best)
    return mixed(wide(mixed(wide(total ^ wide(p.turns))) ^ wide(p.hold_count)))


@compiled
def standing(p: Packed) -> int:
    """A part of such a key: who stands where, and in what state."""
    total = wide(0)
    for side in range(2):
        men = men_of(p, small(side))
        while any_in(men):
            at = first_of(men)
            total = wide(total + mixed(wide(1 + at + 128 * man_at(p, at))))
            men = without_first(men)
    return total


@compiled
def stirred(total: int, a: int, b: int, c: int, d: int) -> int:
    """With four numbers below 256 more."""
    more = small(a) << 24 | small(b) << 16 | small(c) << 8 | small(d)
    return mixed(wide(wide(total) ^ wide(more)))
