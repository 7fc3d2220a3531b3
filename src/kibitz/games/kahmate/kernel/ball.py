"""The ball in flight (5): pass, interception, kick."""

from __future__ import annotations

from kibitz.core.jit import i64, jit, u64
from kibitz.games.kahmate.kernel.board import (
    difference,
    file_of,
    forward,
    has_any,
    intersection,
    rank_of,
)
from kibitz.games.kahmate.kernel.encoding import (
    BOTH,
    DUEL,
    INTERCEPTION,
    INTERCEPTION_CONTEST,
    KICK_TARGETS,
    NONE,
    PASS_TARGETS,
    SQUARES_AHEAD,
    OptionCodes,
    Packed,
    Squares,
)
from kibitz.games.kahmate.kernel.state import (
    active_men,
    enter_phase,
    forget_hold,
    man_at,
    mark_of,
    men_of,
    play_on,
    side_of,
)

# 5.1  Pass


@jit
def receivers(options: OptionCodes, p: Packed, passer: int) -> Squares:
    """The active partners whom a pass can reach."""
    turn, shape = i64(p.turn), i64(options.pass_shape)
    reach = PASS_TARGETS[turn, shape, passer, 0], PASS_TARGETS[turn, shape, passer, 1]
    return intersection(active_men(p, turn), reach)


@jit
def make_pass(options: OptionCodes, p: Packed, passer: int, receiver: int) -> None:
    first, second = interceptors(options, p, passer, receiver)
    if first == NONE and second == NONE:
        give_ball(p, receiver)
    else:
        enter_phase(p, i64(INTERCEPTION), passer, i64(NONE), receiver)


@jit
def give_ball(p: Packed, square: int) -> None:
    """The ball goes somewhere, and the captain on turn goes on."""
    p.ball = square
    play_on(p)


# 5.2  Interception


@jit
def crossed_squares(options: OptionCodes, side: int, passer: int, receiver: int) -> tuple[int, int]:
    """The squares that the ball crosses, NONE where there is none."""
    files = i64(abs(file_of(receiver) - file_of(passer)))
    ranks = i64(abs(rank_of(receiver) - rank_of(passer)))
    if files == 1 and ranks < 2:
        return i64(NONE), i64(NONE)
    back, aside = -forward(side), i64(0)
    if ranks:
        aside = i64(1) if rank_of(receiver) > rank_of(passer) else i64(-1)
    first, second = i64(passer + back + aside), i64(NONE)
    if options.between == BOTH:
        if files == 1:
            second = i64(passer + aside)
        elif ranks == 1:
            second = i64(passer + back)
    return first, second


@jit
def interceptors(options: OptionCodes, p: Packed, passer: int, receiver: int) -> tuple[int, int]:
    """The squares of the active opponents who may jump in, NONE where nobody may."""
    first, second = crossed_squares(options, i64(p.turn), passer, receiver)
    return (
        first if is_active_opponent(p, first) else i64(NONE),
        second if is_active_opponent(p, second) else i64(NONE),
    )


@jit
def is_active_opponent(p: Packed, square: int) -> bool:
    if square == NONE:
        return False
    man = man_at(p, square)
    return man != 0 and side_of(man) != p.turn and mark_of(man) == 0


@jit
def let_pass_go(p: Packed) -> None:
    give_ball(p, i64(p.receiver))


@jit
def intercept(p: Packed, square: int) -> None:
    enter_phase(p, i64(DUEL), i64(p.attacker), square, i64(p.receiver))
    p.contest, p.in_round = INTERCEPTION_CONTEST, 1
    forget_hold(p)


@jit
def settle_interception(p: Packed, margin: int) -> None:
    """Nobody is knocked out (5.2)."""
    give_ball(p, i64(p.receiver) if margin > 0 else i64(p.defender))


# 5.3  Kick


@jit
def partner_ahead(p: Packed, square: int) -> bool:
    """True if a partner, active or not, is on a file further forward."""
    turn, file = i64(p.turn), file_of(square)
    return has_any(
        intersection(men_of(p, turn), (SQUARES_AHEAD[turn, file, 0], SQUARES_AHEAD[turn, file, 1]))
    )


@jit
def kicks(options: OptionCodes, p: Packed, kicker: int) -> Squares:
    """The squares to which the holder can kick the ball."""
    if partner_ahead(p, kicker):
        return u64(0), u64(0)
    turn, shape, in_goal = i64(p.turn), i64(options.kick_shape), i64(options.kick_in_goal)
    low = u64(KICK_TARGETS[in_goal, turn, shape, kicker, 0])
    high = u64(KICK_TARGETS[in_goal, turn, shape, kicker, 1])
    return difference(difference((low, high), men_of(p, i64(0))), men_of(p, i64(1)))


@jit
def kick(p: Packed, target: int) -> None:
    give_ball(p, target)
