"""Who decides, what may be done, and what it leads to (4, 10)."""

from __future__ import annotations

from typing import Any

from kibitz.core.bits import lowest, without_lowest
from kibitz.core.jit import compiled, small, wide
from kibitz.games.kahmate.board import HIGH
from kibitz.games.kahmate.kernel.actions import action_of, listed
from kibitz.games.kahmate.kernel.ball import (
    intercept,
    interceptors,
    kick,
    kicks,
    let_go,
    make_pass,
    receivers,
)
from kibitz.games.kahmate.kernel.board import (
    any_in,
    file_of,
    first_of,
    neighbours,
    on_file,
    without_first,
)
from kibitz.games.kahmate.kernel.duel import commit, reveal
from kibitz.games.kahmate.kernel.encoding import (
    CARDS_DOWN,
    CHANCE,
    DECLINES,
    DRAW,
    DROPS,
    DUEL,
    ENDS,
    EXIT,
    EXITS,
    FORCES,
    INTERCEPTION,
    INTERCEPTS,
    KICKS,
    KIND_BITS,
    NONE,
    ORIGIN_BITS,
    OVER,
    PASSES,
    PLACES,
    PLAY,
    STEPS,
    TACKLES,
    House,
    Packed,
    Squares,
)
from kibitz.games.kahmate.kernel.force import come_out, exits, force, may_charge
from kibitz.games.kahmate.kernel.setup import draw_ball, draws, next_kind, placements, set_up
from kibitz.games.kahmate.kernel.state import active, man_at, other, points_of, side_of
from kibitz.games.kahmate.kernel.tackle import drop_on, landings, tackle
from kibitz.games.kahmate.kernel.turn import end_turn, may_enter, take_step

# 4  The turn


@compiled
def to_act(house: House, p: Packed) -> int:
    """One bit a seat, and one for chance after them."""
    return small(small(1) << decides(p)) if p.phase < OVER else small(0)


@compiled
def decides(p: Packed) -> int:
    """Who is to act in a match that goes on."""
    phase, turn = small(p.phase), small(p.turn)
    if phase in (PLAY, EXIT):
        return turn
    if phase < DRAW:
        return phase
    if phase == DRAW:
        return small(CHANCE)
    if phase == INTERCEPTION:
        return other(turn)
    if phase == DUEL:
        return turn if p.card == 0 else other(turn)
    return side_of(man_at(p, small(p.attacker)))


@compiled
def turn_actions(house: House, p: Packed, actor: int, out: Any) -> int:
    """How many there are; they lie in `out`, in the order in which the rules list them."""
    phase, turn, n = small(p.phase), small(p.turn), small(0)
    if phase >= OVER or actor != decides(p):
        return n
    if phase == PLAY:
        return plays(house, p, out)
    if phase < DRAW:
        return listed(out, n, small(PLACES), next_kind(p, phase), placements(p, phase))
    if phase == DRAW:
        return draws(out)
    if phase == INTERCEPTION:
        return interceptions(house, p, out)
    if phase == DUEL:
        hand = wide(p.hands[turn] if p.card == 0 else p.hands[other(turn)])
        return listed(out, n, small(CARDS_DOWN), small(0), (hand, wide(0)))
    if phase == EXIT:
        return listed(out, n, small(EXITS), small(0), exits(p, small(p.defender)))
    squares = landings(actor, small(p.attacker), small(p.defender))
    return listed(out, n, small(DROPS), small(0), squares)


@compiled
def interceptions(house: House, p: Packed, out: Any) -> int:
    first, second = interceptors(house, p, small(p.attacker), small(p.receiver))
    n = small(0)
    if first != NONE:
        out[n] = action_of(small(INTERCEPTS), small(0), first)
        n = small(n + 1)
    if second != NONE:
        out[n] = action_of(small(INTERCEPTS), small(0), second)
        n = small(n + 1)
    out[n] = action_of(small(DECLINES), small(0), small(0))
    return small(n + 1)


@compiled
def plays(house: House, p: Packed, out: Any) -> int:
    """What the captain on turn may do in the open."""
    men, n = active(p, small(p.turn)), small(0)
    while any_in(men):
        at = first_of(men)
        n = moves(house, p, at, out, n)
        if at == p.ball:
            n = throws(house, p, at, out, n)
        men = without_first(men)
    out[n] = action_of(small(ENDS), small(0), small(0))
    return small(n + 1)


@compiled
def moves(house: House, p: Packed, at: int, out: Any, n: int) -> int:
    """What costs the man there points."""
    if points_of(p, at) == 0:
        return n
    around = neighbours(at)
    while any_in(around):
        next_to = first_of(around)
        kind = move_to(house, p, at, next_to)
        if kind != NONE:
            out[n] = action_of(kind, at, next_to)
            n = small(n + 1)
        around = without_first(around)
    return n


@compiled
def move_to(house: House, p: Packed, at: int, next_to: int) -> int:
    """A step, a tackle or a force, by who stands next to a man with points; or NONE."""
    man = man_at(p, next_to)
    if man == 0:
        return small(STEPS) if may_enter(p, at, next_to) else small(NONE)
    if side_of(man) == p.turn:
        return small(NONE)
    if p.ball == next_to:
        return small(TACKLES)
    if p.ball == at and points_of(p, at) > 1 and may_charge(house, p, at, next_to):
        return small(FORCES)
    return small(NONE)


@compiled
def throws(house: House, p: Packed, at: int, out: Any, n: int) -> int:
    """What the holder may do with the ball; it costs nothing."""
    partners, open_to = receivers(house, p, at), kicks(house, p, at)
    for files in range(-2, 0):
        n = by_file(p, out, n, small(PASSES), at, partners, small(files))
    for files in range(1, 4):
        n = by_file(p, out, n, small(KICKS), at, open_to, small(files))
    return n


@compiled
def by_file(p: Packed, out: Any, n: int, kind: int, at: int, targets: Squares, files: int) -> int:
    """List those of the squares that are so many files ahead."""
    file = small(file_of(at) + files * (1 - 2 * small(p.turn)))
    ranks = on_file(targets, file)
    while ranks:
        out[n] = action_of(kind, at, small(file * HIGH + lowest(ranks)))
        n = small(n + 1)
        ranks = without_lowest(ranks)
    return n


@compiled
def anytime_actions(house: House, p: Packed, seat: int, out: Any) -> int:
    """There are none."""
    return small(0)


# What may be done, and what it leads to


@compiled
def resolve(house: House, p: Packed, actor: int, action: int) -> None:
    """What a listed action leads to; any other must not come. Whose it is the phase says."""
    kind = small(action >> KIND_BITS)
    origin, target = small(action >> ORIGIN_BITS & 127), small(action & 127)
    if kind == STEPS:
        take_step(house, p, origin, target)
    elif kind == ENDS:
        end_turn(house, p)
    elif kind == CARDS_DOWN:
        if p.card == 0:
            commit(p, target)
        else:
            reveal(house, p, target)
    elif kind == PASSES:
        make_pass(house, p, origin, target)
    elif kind == KICKS:
        kick(p, target)
    elif kind == TACKLES:
        tackle(p, origin, target)
    elif kind == FORCES:
        force(p, origin, target)
    elif kind == INTERCEPTS:
        intercept(p, target)
    elif kind == DECLINES:
        let_go(p)
    elif kind == EXITS:
        come_out(house, p, target)
    elif kind == DROPS:
        drop_on(p, target)
    elif kind == PLACES:
        set_up(p, small(p.phase), origin, target)
    else:
        draw_ball(p, target)
