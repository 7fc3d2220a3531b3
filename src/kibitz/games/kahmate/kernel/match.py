"""Tries, the end of a match, and what ends it early (9)."""

from __future__ import annotations

from typing import Any

from kibitz.core.jit import i64, jit, u64
from kibitz.games.kahmate.kernel.board import file_of, is_in_goal
from kibitz.games.kahmate.kernel.encoding import (
    DRAW,
    DRAW_RESULT,
    NONE,
    OVER,
    PLACE,
    OptionCodes,
    Packed,
)
from kibitz.games.kahmate.kernel.state import (
    clear_movers,
    enter_phase,
    forget_hold,
    holder,
    other_side,
    side_of,
)

# 9  Try, match, restart, end


@jit
def tries_needed(options: OptionCodes, p: Packed) -> int:
    """The number that wins the match."""
    return i64(p.raised_tries) if p.raised_tries else i64(options.tries)


@jit
def score_try(options: OptionCodes, p: Packed) -> None:
    side = i64(p.turn)
    p.score[side] = p.score[side] + 1
    p.turns = p.turns + 1
    clear_movers(p)
    forget_hold(p)
    if p.score[side] == tries_needed(options, p):
        end_match(p, side)
    elif not end_at_turn_limit(options, p):
        for at in range(len(p.field)):
            p.field[at] = 0
        for word in range(2):
            p.men[0, word], p.men[1, word], p.down[word] = u64(0), u64(0), u64(0)
        p.ball, p.turn = NONE, other_side(side)
        enter_phase(p, i64(PLACE), i64(NONE), i64(NONE), i64(NONE))


@jit
def end_match(p: Packed, result: int) -> None:
    enter_phase(p, i64(OVER + result), i64(NONE), i64(NONE), i64(NONE))


# 9.1  Turn limit


@jit
def end_at_turn_limit(options: OptionCodes, p: Packed) -> bool:
    """Ends the match when it is reached, and says whether it was."""
    if options.turn_limit == 0 or p.turns < options.turn_limit:
        return False
    end_match(p, leader(p))
    return True


@jit
def leader(p: Packed) -> int:
    """The side with more tries; equal is a draw."""
    if p.score[0] == p.score[1]:
        return i64(DRAW_RESULT)
    return i64(0) if p.score[0] > p.score[1] else i64(1)


# 9.2  Stale possession


@jit
def check_possession(options: OptionCodes, p: Packed, side: int) -> None:
    """This side has just ended a turn: does it gain ground with the ball?"""
    possessor = possessing_side(p)
    if options.hold_limit == 0 or (possessor != NONE and possessor != side):
        return
    if possessor == NONE:
        forget_hold(p)
        return
    file = file_of(i64(p.ball))
    if p.hold_side == NONE or (file - i64(p.hold_best)) * (1 - 2 * side) > 0:
        p.hold_side, p.hold_count, p.hold_best = side, 0, file
    elif p.hold_count + 1 < options.hold_limit:
        p.hold_count = p.hold_count + 1
    else:
        p.ball = NONE
        forget_hold(p)
        enter_phase(p, i64(DRAW), i64(NONE), i64(NONE), i64(NONE))


@jit
def possessing_side(p: Packed) -> int:
    """The side whose possession it is, NONE of a loose ball; in-goal it is with the attackers."""
    man = holder(p)
    if man != 0:
        return side_of(man)
    if p.ball == NONE or not is_in_goal(i64(p.ball)):
        return i64(NONE)
    return i64(1) if file_of(i64(p.ball)) == 0 else i64(0)


# 9.3  How a match ends


@jit
def outcome(options: OptionCodes, p: Packed, payoffs: Any) -> bool:
    """True if the match is over; `payoffs` then has what each captain gets."""
    if p.phase < OVER:
        return False
    result = i64(p.phase - OVER)
    for side in range(2):
        payoffs[side] = 0 if result > 1 else 1 if result == side else -1
    return True
