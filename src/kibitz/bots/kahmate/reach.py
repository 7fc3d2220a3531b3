"""How far men get, and how likely a side is to make a try this turn, in compiled code.

A field is seen by one side so that it attacks towards the highest file. What is found is what
greedy's `reach` finds: an estimate, in which men run past one another and nobody jumps in.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kibitz.bots.evaluations.kahmate.reach import STEAL
from kibitz.bots.evaluations.kahmate.reach import WINS as WINS_BY_EDGE
from kibitz.core.jit import compiled, small, wide
from kibitz.games.kahmate.board import SQUARES
from kibitz.games.kahmate.kernel.board import (
    any_in,
    both,
    either,
    first_of,
    has,
    one,
    one_file_down,
    one_file_up,
    one_rank_down,
    one_rank_up,
    without,
    without_first,
)
from kibitz.games.kahmate.kernel.encoding import (
    ATTACK_OF,
    DEFENCE_OF,
    NONE,
    PLAYING_SQUARES,
    POINTS_OF,
    Packed,
    Squares,
)
from kibitz.games.kahmate.kernel.state import kind_of, man_at, mark_of, men_of, points_of

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

LAST = len(SQUARES) - 1
MEN = 6
FAR_GOAL = (wide(0), wide(0xFF << 32))
"""The file that a side attacks."""
NOTHING = (wide(0), wide(0))
WINS = np.array([WINS_BY_EDGE[edge] for edge in sorted(WINS_BY_EDGE)])
"""How often a duel is won, about, by the attacker's edge plus EVEN."""
EVEN = -min(WINS_BY_EDGE)


AT, POINTS, KIND, UP = range(4)
"""What `eyes` hold: [side, AT, man] are the squares of its men who are up, as it sees them,
[side, UP, 0] is how many they are."""


def eyes() -> Numbers:
    """Who stands where, as each side sees it; whoever looks owns it."""
    return np.zeros((2, 4, MEN), np.int64)


class Seen(NamedTuple):
    """The field as one side sees it."""

    side: int
    own: Squares
    foes: Squares
    free: Squares
    ball: int


@compiled
def seen_from(side: int, square: int) -> int:
    """A square as this side sees it, and back."""
    return square if side == 0 else small(LAST - square)


@compiled
def see(e: Numbers, p: Packed, is_in_turn: bool) -> tuple[Seen, Seen]:
    """What the side on turn and the other one see; men on turn may have spent points."""
    turn = small(p.turn)
    own0, own1 = NOTHING, NOTHING
    foes0, foes1 = NOTHING, NOTHING
    for side in range(2):
        men, up = men_of(p, small(side)), small(0)
        while any_in(men):
            at = first_of(men)
            men = without_first(men)
            man = man_at(p, at)
            here, there = one(at), one(small(LAST - at))
            if side == 0:
                own0, foes1 = either(own0, here), either(foes1, there)
            else:
                own1, foes0 = either(own1, there), either(foes0, here)
            if mark_of(man) == 0:
                kind = kind_of(man)
                e[side, AT, up] = seen_from(small(side), at)
                e[side, KIND, up] = kind
                if is_in_turn and side == turn:
                    e[side, POINTS, up] = points_of(p, at)
                else:
                    e[side, POINTS, up] = POINTS_OF[kind]
                up = small(up + 1)
        e[side, UP, 0] = up
    ball = small(p.ball)
    other_ball = small(LAST - ball) if ball != NONE else small(NONE)
    free0 = without(without(PLAYING_SQUARES, own0), foes0)
    free1 = without(without(PLAYING_SQUARES, own1), foes1)
    red = Seen(small(0), own0, foes0, free0, ball)
    blue = Seen(small(1), own1, foes1, free1, other_ball)
    return (red, blue) if turn == 0 else (blue, red)


@compiled
def spread(squares: Squares) -> Squares:
    """These and all that share an edge with one of them."""
    return either(
        squares,
        either(
            either(one_file_up(squares), one_file_down(squares)),
            either(one_rank_up(squares), one_rank_down(squares)),
        ),
    )


@compiled
def further(squares: Squares, free: Squares) -> Squares:
    """Where one gets from these squares by at most one step more."""
    return either(squares, both(spread(squares), free))


@compiled
def reach(squares: Squares, free: Squares, steps: int) -> Squares:
    for _ in range(steps):
        squares = further(squares, free)
    return squares


@compiled
def two_aside(squares: Squares) -> Squares:
    up, down = one_rank_up(squares), one_rank_down(squares)
    wider = either(either(up, down), either(one_rank_up(up), one_rank_down(down)))
    return either(squares, wider)


@compiled
def three_aside(squares: Squares) -> Squares:
    wide_ = two_aside(squares)
    return either(wide_, either(one_rank_up(wide_), one_rank_down(wide_)))


@compiled
def passers_to(squares: Squares) -> Squares:
    """From where a pass reaches one of these squares (5.1)."""
    up = one_file_up(two_aside(squares))
    return both(either(up, one_file_up(up)), PLAYING_SQUARES)


@compiled
def receivers_from(squares: Squares) -> Squares:
    back = one_file_down(two_aside(squares))
    return both(either(back, one_file_down(back)), PLAYING_SQUARES)


@compiled
def kicks_from(squares: Squares) -> Squares:
    first = one_file_up(three_aside(squares))
    second = one_file_up(first)
    return both(either(either(first, second), one_file_up(second)), PLAYING_SQUARES)


@compiled
def from_file(file: int) -> Squares:
    """All squares on this file and further forward."""
    if file < 8:
        return wide(wide(0xFFFFFFFFFFFFFFFF) << wide(8 * file)), wide(0xFFFFFFFFFF)
    return wide(0), wide(
        wide(wide(0xFFFFFFFFFFFFFFFF) << wide(8 * (file - 8))) & wide(0xFFFFFFFFFF)
    )


@compiled
def homeward(free: Squares, steps: int) -> Squares:
    """From where in-goal is at most so many steps away; one at least."""
    return spread(reach(FAR_GOAL, free, small(steps - 1)))


@compiled
def ready(s: Seen, at: int, points: int) -> Squares:
    """Where a man can be with points enough to run in, should he have the ball there."""
    free = either(s.free, one(at))
    found, taken = NOTHING, one(at)
    for spent in range(points):
        found = either(found, both(taken, homeward(free, small(points - spent))))
        taken = further(taken, free)
    return both(found, PLAYING_SQUARES)


@compiled
def kind_at(p: Packed, s: Seen, square: int) -> int:
    return kind_of(man_at(p, seen_from(s.side, square)))


@compiled
def try_chance(e: Numbers, p: Packed, s: Seen) -> float:
    """How likely the side is to make a try with the points it has; 1 if nothing stops it."""
    if s.ball == NONE or s.ball < 24:
        return 0.0
    if has(s.foes, s.ball):
        return steal_chance(e, p, s)
    carriers = who_carries(e, s)
    if carriers == 0:
        return 0.0
    for n in range(e[s.side, UP, 0]):
        points, at = small(e[s.side, POINTS, n]), small(e[s.side, AT, n])
        if points > 0 and has(homeward(s.free, points), at) and is_open(e, s, small(n), carriers):
            return 1.0
    return force_chance(e, p, s, carriers)


@compiled
def chance_in_turn(e: Numbers, p: Packed) -> float:
    """The same for the captain on turn, in the middle of it."""
    mine, _ = see(e, p, True)
    return try_chance(e, p, mine)


@compiled
def who_carries(e: Numbers, s: Seen) -> int:
    """Who can have the ball before he runs, one bit a man."""
    found, up = small(0), small(e[s.side, UP, 0])
    if has(s.own, s.ball):
        reached = one(s.ball)
        for _ in range(3):
            before = found
            for n in range(up):
                at = small(e[s.side, AT, n])
                if not found >> n & 1 and has(reached, at):
                    found = small(found | small(1) << n)
                    reached = either(reached, receivers_from(one(at)))
            if found == before:
                break
        return found
    for n in range(up):
        if steps_to_ball(e, s, small(n)) <= e[s.side, POINTS, n]:
            found = small(found | small(1) << n)
    return found


@compiled
def steps_to_ball(e: Numbers, s: Seen, man: int) -> int:
    at, points = small(e[s.side, AT, man]), small(e[s.side, POINTS, man])
    taken = one(at)
    for n in range(points + 1):
        if has(taken, s.ball):
            return small(n)
        taken = further(taken, s.free)
    return small(9)


@compiled
def carried(e: Numbers, s: Seen, man: int, is_held: bool) -> Squares:
    """Where he can take the ball."""
    points = small(e[s.side, POINTS, man])
    if is_held:
        return reach(one(small(e[s.side, AT, man])), s.free, points)
    return reach(one(s.ball), s.free, small(points - steps_to_ball(e, s, man)))


@compiled
def is_open(e: Numbers, s: Seen, scorer: int, carriers: int) -> bool:
    """Whether he can run in with the ball, perhaps after others have brought it."""
    is_held = has(s.own, s.ball)
    if is_held and carriers >> scorer & 1:
        return True
    his = ready(s, small(e[s.side, AT, scorer]), small(e[s.side, POINTS, scorer]))
    if not is_held and has(his, s.ball):
        return True
    givers = passers_to(his)
    for _ in range(2):
        for n in range(e[s.side, UP, 0]):
            at = small(e[s.side, AT, n])
            if n != scorer and has(givers, at):
                givers = either(givers, passers_to(one(at)))
    for n in range(e[s.side, UP, 0]):
        if n != scorer and carriers >> n & 1:
            taken = carried(e, s, small(n), is_held)
            if any_in(both(taken, givers)):
                return True
            level = both(taken, from_file(foremost_but(s, small(e[s.side, AT, n]))))
            if any_in(both(both(kicks_from(level), s.free), his)):
                return True
    return False


@compiled
def foremost_but(s: Seen, at: int) -> int:
    """The file of the foremost man but this one."""
    men, found = without(s.own, one(at)), small(0)
    while any_in(men):
        found = max(found, small(first_of(men) >> 3))
        men = without_first(men)
    return found


@compiled
def force_chance(e: Numbers, p: Packed, s: Seen, carriers: int) -> float:
    """The best chance to run in by breaking through one man."""
    best, is_held = 0.0, has(s.own, s.ball)
    for n in range(e[s.side, UP, 0]):
        points, at = small(e[s.side, POINTS, n]), small(e[s.side, AT, n])
        if not carriers >> n & 1 or points < 2:
            continue
        squares, left = one(at), points
        if not is_held:
            squares, left = one(s.ball), small(points - steps_to_ball(e, s, small(n)))
        while left >= 2:
            near = reach(FAR_GOAL, s.free, small(left - 2))
            foes = both(both(spread(squares), s.foes), spread(spread(near)))
            while any_in(foes):
                foe = first_of(foes)
                foes = without_first(foes)
                if any_in(both(both(spread(one(foe)), either(s.free, FAR_GOAL)), near)):
                    edge = ATTACK_OF[e[s.side, KIND, n]] - DEFENCE_OF[kind_at(p, s, foe)]
                    best = max(best, WINS[EVEN + edge])
            squares, left = further(squares, s.free), small(left - 1)
    return best


@compiled
def steal_chance(e: Numbers, p: Packed, s: Seen) -> float:
    """The best chance to tackle the holder and run in with what he drops."""
    drop = both(one_file_up(one(s.ball)), s.free)
    best = 0.0
    if not any_in(drop):
        return best
    defence = DEFENCE_OF[kind_at(p, s, s.ball)]
    for n in range(e[s.side, UP, 0]):
        points, at = small(e[s.side, POINTS, n]), small(e[s.side, AT, n])
        if points == 0 or not has(homeward(s.free, points), at):
            continue
        if not any_in(both(ready(s, at, points), drop)):
            continue
        for m in range(e[s.side, UP, 0]):
            if m != n and can_tackle(e, s, small(s.side), small(m), s.ball):
                edge = ATTACK_OF[e[s.side, KIND, m]] - defence
                best = max(best, STEAL * WINS[EVEN + edge])
    return best


@compiled
def can_tackle(e: Numbers, s: Seen, side: int, man: int, holder: int) -> bool:
    """Whether a man of `side` comes next to a square of `s` and has a point left."""
    points = small(e[side, POINTS, man])
    if points == 0:
        return False
    at = small(e[side, AT, man]) if side == s.side else small(LAST - e[side, AT, man])
    return has(spread(reach(one(at), s.free, small(points - 1))), holder)
