"""Tackles, and where the ball drops (6)."""

from __future__ import annotations

from kibitz.core.jit import i64, jit
from kibitz.games.kahmate.kernel.ball import give_ball
from kibitz.games.kahmate.kernel.board import (
    difference,
    first_square,
    forward,
    intersection,
    is_in_goal,
    neighbours,
    single_square,
    square_beyond,
    square_count,
)
from kibitz.games.kahmate.kernel.encoding import (
    AT_LEAST,
    DROP,
    DUEL,
    NONE,
    PLAYING_SQUARES,
    TACKLE_CONTEST,
    OptionCodes,
    Packed,
    Squares,
)
from kibitz.games.kahmate.kernel.state import (
    enter_phase,
    forget_hold,
    man_at,
    play_on,
    set_mark,
    side_of,
)
from kibitz.games.kahmate.kernel.turn import record_mover

# 6  Tackle


@jit
def tackle(p: Packed, origin: int, target: int) -> None:
    record_mover(p, origin, origin, i64(0))
    enter_phase(p, i64(DUEL), origin, target, i64(NONE))
    p.contest, p.in_round = TACKLE_CONTEST, 1
    forget_hold(p)


@jit
def settle_tackle(options: OptionCodes, p: Packed, margin: int) -> None:
    tackler, tackled = i64(p.attacker), i64(p.defender)
    if margin <= 0:
        knock_out(p, tackler)
        play_on(p)
        return
    knock_out(p, tackled)
    if margin == 2 or (margin > 2 and options.perfect == AT_LEAST):
        give_ball(p, tackler)
    else:
        drop_ball(p, tackled, tackler)


@jit
def knock_out(p: Packed, square: int) -> None:
    set_mark(p, square, i64(2) if side_of(man_at(p, square)) == p.turn else i64(1))


# 6.1  Where the ball drops


@jit
def landings(side: int, fallen: int, against: int) -> Squares:
    """The squares for the ball when a man of this side falls; his captain chooses between two."""
    behind, far = i64(fallen - forward(side)), square_beyond(against, fallen)
    if not is_in_goal(behind):
        return single_square(behind)
    if far != NONE and not is_in_goal(far):
        return single_square(far)
    return difference(intersection(neighbours(fallen), PLAYING_SQUARES), single_square(against))


@jit
def drop_ball(p: Packed, fallen: int, against: int) -> None:
    squares = landings(side_of(man_at(p, fallen)), fallen, against)
    if square_count(squares) > 1:
        enter_phase(p, i64(DROP), fallen, against, i64(NONE))
    else:
        drop_ball_on(p, first_square(squares))


@jit
def drop_ball_on(p: Packed, square: int) -> None:
    """Put the ball on a square; a man who stands there has it."""
    give_ball(p, square)
