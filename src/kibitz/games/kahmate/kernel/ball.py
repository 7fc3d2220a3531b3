"""The ball in flight (5): pass, interception, kick."""

from __future__ import annotations

from kibitz.core.jit import compiled, i64, u64
from kibitz.games.kahmate.kernel.board import file_of, forward, has_any, intersection, rank_of
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
    empty_squares,
    enter_phase,
    forget_hold,
    man_at,
    mark_of,
    men_of,
    play_on,
    side_of,
)

# 5.1  Pass


@compiled
def receivers(house: OptionCodes, p: Packed, passer: int) -> Squares:
    """The active partners whom a pass can reach."""
    turn, shape = i64(p.turn), i64(house.pass_shape)
    reach = PASS_TARGETS[turn, shape, passer, 0], PASS_TARGETS[turn, shape, passer, 1]
    return intersection(active_men(p, turn), reach)


@compiled
def make_pass(house: OptionCodes, p: Packed, passer: int, receiver: int) -> None:
    first, second = interceptors(house, p, passer, receiver)
    if first == NONE and second == NONE:
        give_ball(p, receiver)
    else:
        enter_phase(p, i64(INTERCEPTION), passer, i64(NONE), receiver)


@compiled
def give_ball(p: Packed, square: int) -> None:
    """The ball goes somewhere, and the captain on turn goes on."""
    p.ball = square
    play_on(p)


# 5.2  Interception


@compiled
def crossed_squares(house: OptionCodes, side: int, passer: int, receiver: int) -> tuple[int, int]:
    """The squares that the ball crosses, NONE where there is none."""
    files = i64(abs(file_of(receiver) - file_of(passer)))
    ranks = i64(abs(rank_of(receiver) - rank_of(passer)))
    if files == 1 and ranks < 2:
        return i64(NONE), i64(NONE)
    back, aside = -forward(side), i64(0)
    if ranks:
        aside = i64(1) if rank_of(receiver) > rank_of(passer) else i64(-1)
    first, second = i64(passer + back + aside), i64(NONE)
    if house.between == BOTH:
        if files == 1:
            second = i64(passer + aside)
        elif ranks == 1:
            second = i64(passer + back)
    return first, second


@compiled
def interceptors(house: OptionCodes, p: Packed, passer: int, receiver: int) -> tuple[int, int]:
    """Where the active opponents stand who may jump in, NONE where nobody does."""
    first, second = crossed_squares(house, i64(p.turn), passer, receiver)
    return (
        first if is_active_opponent(p, first) else i64(NONE),
        second if is_active_opponent(p, second) else i64(NONE),
    )


@compiled
def is_active_opponent(p: Packed, square: int) -> bool:
    if square == NONE:
        return False
    man = man_at(p, square)
    return man != 0 and side_of(man) != p.turn and mark_of(man) == 0


@compiled
def let_pass_go(p: Packed) -> None:
    give_ball(p, i64(p.receiver))


@compiled
def intercept(p: Packed, square: int) -> None:
    enter_phase(p, i64(DUEL), i64(p.attacker), square, i64(p.receiver))
    p.contest, p.in_round = INTERCEPTION_CONTEST, 1
    forget_hold(p)


@compiled
def settle_interception(p: Packed, margin: int) -> None:
    """Nobody is knocked out (5.2)."""
    give_ball(p, i64(p.receiver) if margin > 0 else i64(p.defender))


# 5.3  Kick


@compiled
def partner_ahead(p: Packed, square: int) -> bool:
    """Whether a partner, active or not, is on a file further forward."""
    turn, file = i64(p.turn), file_of(square)
    return has_any(
        intersection(men_of(p, turn), (SQUARES_AHEAD[turn, file, 0], SQUARES_AHEAD[turn, file, 1]))
    )


@compiled
def kicks(house: OptionCodes, p: Packed, kicker: int) -> Squares:
    """Where the holder can kick the ball."""
    if partner_ahead(p, kicker):
        return u64(0), u64(0)
    turn, shape = i64(p.turn), i64(house.kick_shape)
    reach = KICK_TARGETS[turn, shape, kicker, 0], KICK_TARGETS[turn, shape, kicker, 1]
    return intersection(empty_squares(p), reach)


@compiled
def kick(p: Packed, target: int) -> None:
    give_ball(p, target)
