"""The reach of men, and the chance of a side to make a try this turn, in compiled code.

A field is seen by one side so that it attacks towards the highest file. What is found is
an estimate, in which men run past one another and nobody jumps in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.core.jit import Numbers, i64, jit, u64
from kibitz.games.kahmate.board import SQUARES
from kibitz.games.kahmate.kernel.board import (
    difference,
    first_square,
    has_any,
    has_square,
    intersection,
    one_file_down,
    one_file_up,
    one_rank_down,
    one_rank_up,
    single_square,
    union,
    without_first_square,
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

LAST_SQUARE = len(SQUARES) - 1
MEN_PER_SIDE = 6
FAR_GOAL = (u64(0), u64(0xFF << 32))
"""The file that a side attacks."""
NO_SQUARES = (u64(0), u64(0))
WINS_BY_EDGE = {-3: 0.25, -2: 0.3, -1: 0.38, 0: 0.47, 1: 0.6, 2: 0.66, 3: 0.75}
"""The chance to win a duel, about, by how much greater the attacker's modifier is."""
STEAL = 0.6
"""The chance that a tackle that is won leads on to the try that it may lead to, about."""
WIN_RATES = np.array([WINS_BY_EDGE[edge] for edge in sorted(WINS_BY_EDGE)])
"""The chance to win a duel, about, by the attacker's edge plus EVEN."""
EVEN_INDEX = -min(WINS_BY_EDGE)


AT, POINTS, KIND, UP = range(4)
"""The columns of `eyes`: [side, AT, man] are the squares of its men who are up, as it sees them,
[side, UP, 0] is how many they are."""


MEN_SHAPE = 2, 4, MEN_PER_SIDE


def new_men_table() -> Numbers:
    """An empty table of the men as each side sees them; the caller owns it."""
    return np.zeros(MEN_SHAPE, np.int64)


class SideView(NamedTuple):
    """The field as one side sees it."""

    side: int
    own: Squares
    foes: Squares
    free: Squares
    ball: int


@jit
def square_for_side(side: int, square: int) -> int:
    """A square as this side sees it, and back."""
    return square if side == 0 else i64(LAST_SQUARE - square)


@jit
def side_views(e: Numbers, p: Packed, is_in_turn: bool) -> tuple[SideView, SideView]:
    """The views of the side on turn and of the other; men on turn may have spent points."""
    turn = i64(p.turn)
    own0, own1 = NO_SQUARES, NO_SQUARES
    foes0, foes1 = NO_SQUARES, NO_SQUARES
    for side in range(2):
        men, up = men_of(p, i64(side)), i64(0)
        while has_any(men):
            at = first_square(men)
            men = without_first_square(men)
            man = man_at(p, at)
            here, there = single_square(at), single_square(i64(LAST_SQUARE - at))
            if side == 0:
                own0, foes1 = union(own0, here), union(foes1, there)
            else:
                own1, foes0 = union(own1, there), union(foes0, here)
            if mark_of(man) == 0:
                kind = kind_of(man)
                e[side, AT, up] = square_for_side(i64(side), at)
                e[side, KIND, up] = kind
                if is_in_turn and side == turn:
                    e[side, POINTS, up] = points_of(p, at)
                else:
                    e[side, POINTS, up] = POINTS_OF[kind]
                up = i64(up + 1)
        e[side, UP, 0] = up
    ball = i64(p.ball)
    other_ball = i64(LAST_SQUARE - ball) if ball != NONE else i64(NONE)
    free0 = difference(difference(PLAYING_SQUARES, own0), foes0)
    free1 = difference(difference(PLAYING_SQUARES, own1), foes1)
    red = SideView(i64(0), own0, foes0, free0, ball)
    blue = SideView(i64(1), own1, foes1, free1, other_ball)
    return (red, blue) if turn == 0 else (blue, red)


@jit
def with_adjacent(squares: Squares) -> Squares:
    """These and all that share an edge with one of them."""
    return union(
        squares,
        union(
            union(one_file_up(squares), one_file_down(squares)),
            union(one_rank_up(squares), one_rank_down(squares)),
        ),
    )


@jit
def after_one_step(squares: Squares, free: Squares) -> Squares:
    """The squares reached from these by at most one step more."""
    return union(squares, intersection(with_adjacent(squares), free))


@jit
def reach(squares: Squares, free: Squares, steps: int) -> Squares:
    for _ in range(steps):
        squares = after_one_step(squares, free)
    return squares


@jit
def two_aside(squares: Squares) -> Squares:
    up, down = one_rank_up(squares), one_rank_down(squares)
    wider = union(union(up, down), union(one_rank_up(up), one_rank_down(down)))
    return union(squares, wider)


@jit
def three_aside(squares: Squares) -> Squares:
    wide_ = two_aside(squares)
    return union(wide_, union(one_rank_up(wide_), one_rank_down(wide_)))


@jit
def passers_to(squares: Squares) -> Squares:
    """From where a pass reaches one of these squares (5.1)."""
    up = one_file_up(two_aside(squares))
    return intersection(union(up, one_file_up(up)), PLAYING_SQUARES)


@jit
def receivers_from(squares: Squares) -> Squares:
    back = one_file_down(two_aside(squares))
    return intersection(union(back, one_file_down(back)), PLAYING_SQUARES)


@jit
def kicks_from(squares: Squares) -> Squares:
    first = one_file_up(three_aside(squares))
    second = one_file_up(first)
    return intersection(union(union(first, second), one_file_up(second)), PLAYING_SQUARES)


@jit
def from_file(file: int) -> Squares:
    """All squares on this file and further forward."""
    if file < 8:
        return u64(u64(0xFFFFFFFFFFFFFFFF) << u64(8 * file)), u64(0xFFFFFFFFFF)
    return u64(0), u64(u64(u64(0xFFFFFFFFFFFFFFFF) << u64(8 * (file - 8))) & u64(0xFFFFFFFFFF))


@jit
def squares_near_goal(free: Squares, steps: int) -> Squares:
    """From where in-goal is at most so many steps away; one at least."""
    return with_adjacent(reach(FAR_GOAL, free, i64(steps - 1)))


@jit
def scoring_squares(s: SideView, at: int, points: int) -> Squares:
    """The squares from which a man has points enough to run in, should he have the ball there."""
    free = union(s.free, single_square(at))
    found, taken = NO_SQUARES, single_square(at)
    for spent in range(points):
        found = union(found, intersection(taken, squares_near_goal(free, i64(points - spent))))
        taken = after_one_step(taken, free)
    return intersection(found, PLAYING_SQUARES)


@jit
def kind_at(p: Packed, s: SideView, square: int) -> int:
    return kind_of(man_at(p, square_for_side(s.side, square)))


@jit
def try_chance(e: Numbers, p: Packed, s: SideView) -> float:
    """The chance of the side to make a try with the points it has; 1 if nothing stops it."""
    if s.ball == NONE or s.ball < 24:
        return 0.0
    if has_square(s.foes, s.ball):
        return steal_chance(e, p, s)
    carriers = possible_carriers(e, s)
    if carriers == 0:
        return 0.0
    for n in range(e[s.side, UP, 0]):
        points, at = i64(e[s.side, POINTS, n]), i64(e[s.side, AT, n])
        if (
            points > 0
            and has_square(squares_near_goal(s.free, points), at)
            and is_open(e, s, i64(n), carriers)
        ):
            return 1.0
    return force_chance(e, p, s, carriers)


@jit
def chance_in_turn(e: Numbers, p: Packed) -> float:
    """The same for the captain on turn, in the middle of it."""
    mine, _ = side_views(e, p, True)
    return try_chance(e, p, mine)


@jit
def possible_carriers(e: Numbers, s: SideView) -> int:
    """The men who can have the ball before they run, one bit a man."""
    found, up = i64(0), i64(e[s.side, UP, 0])
    if has_square(s.own, s.ball):
        reached = single_square(s.ball)
        for _ in range(3):
            before = found
            for n in range(up):
                at = i64(e[s.side, AT, n])
                if not found >> n & 1 and has_square(reached, at):
                    found = i64(found | i64(1) << n)
                    reached = union(reached, receivers_from(single_square(at)))
            if found == before:
                break
        return found
    for n in range(up):
        if steps_to_ball(e, s, i64(n)) <= e[s.side, POINTS, n]:
            found = i64(found | i64(1) << n)
    return found


@jit
def steps_to_ball(e: Numbers, s: SideView, man: int) -> int:
    at, points = i64(e[s.side, AT, man]), i64(e[s.side, POINTS, man])
    taken = single_square(at)
    for n in range(points + 1):
        if has_square(taken, s.ball):
            return i64(n)
        taken = after_one_step(taken, s.free)
    return i64(9)


@jit
def carry_squares(e: Numbers, s: SideView, man: int, is_held: bool) -> Squares:
    """The squares to which a man can take the ball."""
    points = i64(e[s.side, POINTS, man])
    if is_held:
        return reach(single_square(i64(e[s.side, AT, man])), s.free, points)
    return reach(single_square(s.ball), s.free, i64(points - steps_to_ball(e, s, man)))


@jit
def is_open(e: Numbers, s: SideView, scorer: int, carriers: int) -> bool:
    """True if he can run in with the ball, perhaps after others have brought it."""
    is_held = has_square(s.own, s.ball)
    if is_held and carriers >> scorer & 1:
        return True
    his = scoring_squares(s, i64(e[s.side, AT, scorer]), i64(e[s.side, POINTS, scorer]))
    if not is_held and has_square(his, s.ball):
        return True
    givers = passers_to(his)
    for _ in range(2):
        for n in range(e[s.side, UP, 0]):
            at = i64(e[s.side, AT, n])
            if n != scorer and has_square(givers, at):
                givers = union(givers, passers_to(single_square(at)))
    for n in range(e[s.side, UP, 0]):
        if n != scorer and carriers >> n & 1:
            taken = carry_squares(e, s, i64(n), is_held)
            if has_any(intersection(taken, givers)):
                return True
            level = intersection(taken, from_file(foremost_file_without(s, i64(e[s.side, AT, n]))))
            if has_any(intersection(intersection(kicks_from(level), s.free), his)):
                return True
    return False


@jit
def foremost_file_without(s: SideView, at: int) -> int:
    """The file of the foremost man but this one."""
    men, found = difference(s.own, single_square(at)), i64(0)
    while has_any(men):
        found = max(found, i64(first_square(men) >> 3))
        men = without_first_square(men)
    return found


@jit
def force_chance(e: Numbers, p: Packed, s: SideView, carriers: int) -> float:
    """The best chance to run in by breaking through one man."""
    best, is_held = 0.0, has_square(s.own, s.ball)
    for n in range(e[s.side, UP, 0]):
        points, at = i64(e[s.side, POINTS, n]), i64(e[s.side, AT, n])
        if not carriers >> n & 1 or points < 2:
            continue
        squares, left = single_square(at), points
        if not is_held:
            squares, left = single_square(s.ball), i64(points - steps_to_ball(e, s, i64(n)))
        while left >= 2:
            near = reach(FAR_GOAL, s.free, i64(left - 2))
            foes = intersection(
                intersection(with_adjacent(squares), s.foes), with_adjacent(with_adjacent(near))
            )
            while has_any(foes):
                foe = first_square(foes)
                foes = without_first_square(foes)
                if has_any(
                    intersection(
                        intersection(with_adjacent(single_square(foe)), union(s.free, FAR_GOAL)),
                        near,
                    )
                ):
                    edge = ATTACK_OF[e[s.side, KIND, n]] - DEFENCE_OF[kind_at(p, s, foe)]
                    best = max(best, WIN_RATES[EVEN_INDEX + edge])
            squares, left = after_one_step(squares, s.free), i64(left - 1)
    return best


@jit
def steal_chance(e: Numbers, p: Packed, s: SideView) -> float:
    """The best chance to tackle the holder and run in with what he drops."""
    drop = intersection(one_file_up(single_square(s.ball)), s.free)
    best = 0.0
    if not has_any(drop):
        return best
    defence = DEFENCE_OF[kind_at(p, s, s.ball)]
    for n in range(e[s.side, UP, 0]):
        points, at = i64(e[s.side, POINTS, n]), i64(e[s.side, AT, n])
        if points == 0 or not has_square(squares_near_goal(s.free, points), at):
            continue
        if not has_any(intersection(scoring_squares(s, at, points), drop)):
            continue
        for m in range(e[s.side, UP, 0]):
            if m != n and can_tackle(e, s, i64(s.side), i64(m), s.ball):
                edge = ATTACK_OF[e[s.side, KIND, m]] - defence
                best = max(best, STEAL * WIN_RATES[EVEN_INDEX + edge])
    return best


@jit
def can_tackle(e: Numbers, s: SideView, side: int, man: int, holder: int) -> bool:
    """True if a man of `side` comes next to a square of `s` and has a point left."""
    points = i64(e[side, POINTS, man])
    if points == 0:
        return False
    at = i64(e[side, AT, man]) if side == s.side else i64(LAST_SQUARE - e[side, AT, man])
    return has_square(with_adjacent(reach(single_square(at), s.free, i64(points - 1))), holder)
