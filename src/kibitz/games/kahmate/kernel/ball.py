"""The ball in flight (5): pass, interception, kick."""

from __future__ import annotations

from kibitz.core.jit import compiled, small, wide
from kibitz.games.kahmate.kernel.board import any_in, both, file_of, forward, rank_of
from kibitz.games.kahmate.kernel.encoding import (
    AHEAD,
    BOTH,
    DUEL,
    INTERCEPTED,
    INTERCEPTION,
    KICK_TO,
    NONE,
    PASS_TO,
    House,
    Packed,
    Squares,
)
from kibitz.games.kahmate.kernel.state import (
    active,
    empty,
    enter,
    forget_hold,
    man_at,
    mark_of,
    men_of,
    play_on,
    side_of,
)

# 5.1  Pass


@compiled
def receivers(house: House, p: Packed, passer: int) -> Squares:
    """The active partners whom a pass can reach."""
    turn, shape = small(p.turn), small(house.pass_shape)
    reach = PASS_TO[turn, shape, passer, 0], PASS_TO[turn, shape, passer, 1]
    return both(active(p, turn), reach)


@compiled
def make_pass(house: House, p: Packed, passer: int, receiver: int) -> None:
    first, second = interceptors(house, p, passer, receiver)
    if first == NONE and second == NONE:
        give(p, receiver)
    else:
        enter(p, small(INTERCEPTION), passer, small(NONE), receiver)


@compiled
def give(p: Packed, square: int) -> None:
    """The ball goes somewhere, and the captain on turn goes on."""
    p.ball = square
    play_on(p)


# 5.2  Interception


@compiled
def in_between(house: House, side: int, passer: int, receiver: int) -> tuple[int, int]:
    """The squares that the ball crosses, NONE where there is none."""
    files = small(abs(file_of(receiver) - file_of(passer)))
    ranks = small(abs(rank_of(receiver) - rank_of(passer)))
    if files == 1 and ranks < 2:
        return small(NONE), small(NONE)
    back, aside = -forward(side), small(0)
    if ranks:
        aside = small(1) if rank_of(receiver) > rank_of(passer) else small(-1)
    first, second = small(passer + back + aside), small(NONE)
    if house.between == BOTH:
        if files == 1:
            second = small(passer + aside)
        elif ranks == 1:
            second = small(passer + back)
    return first, second


@compiled
def interceptors(house: House, p: Packed, passer: int, receiver: int) -> tuple[int, int]:
    """Where the active opponents stand who may jump in, NONE where nobody does."""
    first, second = in_between(house, small(p.turn), passer, receiver)
    return (
        first if is_active_opponent(p, first) else small(NONE),
        second if is_active_opponent(p, second) else small(NONE),
    )


@compiled
def is_active_opponent(p: Packed, square: int) -> bool:
    if square == NONE:
        return False
    man = man_at(p, square)
    return man != 0 and side_of(man) != p.turn and mark_of(man) == 0


@compiled
def let_go(p: Packed) -> None:
    give(p, small(p.receiver))


@compiled
def intercept(p: Packed, square: int) -> None:
    enter(p, small(DUEL), small(p.attacker), square, small(p.receiver))
    p.contest, p.in_round = INTERCEPTED, 1
    forget_hold(p)


@compiled
def interception_decided(p: Packed, margin: int) -> None:
    """Nobody is knocked out (5.2)."""
    give(p, small(p.receiver) if margin > 0 else small(p.defender))


# 5.3  Kick


@compiled
def partner_ahead(p: Packed, square: int) -> bool:
    """Whether a partner, active or not, is on a file further forward."""
    turn, file = small(p.turn), file_of(square)
    return any_in(both(men_of(p, turn), (AHEAD[turn, file, 0], AHEAD[turn, file, 1])))


@compiled
def kicks(house: House, p: Packed, kicker: int) -> Squares:
    """Where the holder can kick the ball."""
    if partner_ahead(p, kicker):
        return wide(0), wide(0)
    turn, shape = small(p.turn), small(house.kick_shape)
    reach = KICK_TO[turn, shape, kicker, 0], KICK_TO[turn, shape, kicker, 1]
    return both(empty(p), reach)


@compiled
def kick(p: Packed, target: int) -> None:
    give(p, target)
