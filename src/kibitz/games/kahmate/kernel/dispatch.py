"""The deciders, their actions and what these lead to (4, 10)."""

from __future__ import annotations

from typing import Any

from kibitz.core.bits import lowest_bit, without_lowest_bit
from kibitz.core.jit import i64, jit, u64
from kibitz.games.kahmate.board import RANK_COUNT
from kibitz.games.kahmate.kernel.actions import action_of, append_actions
from kibitz.games.kahmate.kernel.ball import (
    intercept,
    interceptors,
    kick,
    kicks,
    let_pass_go,
    make_pass,
    receivers,
)
from kibitz.games.kahmate.kernel.board import (
    file_of,
    first_square,
    has_any,
    neighbours,
    on_file,
    without_first_square,
)
from kibitz.games.kahmate.kernel.duel import commit_card, reveal_cards
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
    KIND_SHIFT,
    NONE,
    ORIGIN_SHIFT,
    OVER,
    PASSES,
    PLACES,
    PLAY,
    STEPS,
    TACKLES,
    OptionCodes,
    Packed,
    Squares,
)
from kibitz.games.kahmate.kernel.force import come_out, exits, force, may_charge, stay
from kibitz.games.kahmate.kernel.setup import draw_ball, draws, next_kind, placements, set_up
from kibitz.games.kahmate.kernel.state import active_men, man_at, other_side, points_of, side_of
from kibitz.games.kahmate.kernel.tackle import drop_ball_on, landings, tackle
from kibitz.games.kahmate.kernel.turn import end_turn, may_enter, take_step

# 4  The turn


@jit
def to_act(options: OptionCodes, p: Packed) -> int:
    """The set of those to act: one bit per seat, and one for chance after them."""
    return i64(i64(1) << decider(p)) if p.phase < OVER else i64(0)


@jit
def decider(p: Packed) -> int:
    """The actor who is due in a match that goes on."""
    phase, turn = i64(p.phase), i64(p.turn)
    if phase in (PLAY, EXIT):
        return turn
    if phase < DRAW:
        return phase
    if phase == DRAW:
        return i64(CHANCE)
    if phase == INTERCEPTION:
        return other_side(turn)
    if phase == DUEL:
        return turn if p.card == 0 else other_side(turn)
    return side_of(man_at(p, i64(p.attacker)))


@jit
def turn_actions(options: OptionCodes, p: Packed, actor: int, out: Any) -> int:
    """Fill `out` with the actions in the order of the rules; their number."""
    phase, turn, n = i64(p.phase), i64(p.turn), i64(0)
    if phase >= OVER or actor != decider(p):
        return n
    if phase == PLAY:
        return plays(options, p, out)
    if phase < DRAW:
        return append_actions(out, n, i64(PLACES), next_kind(p, phase), placements(p, phase))
    if phase == DRAW:
        return draws(out)
    if phase == INTERCEPTION:
        return interceptions(options, p, out)
    if phase == DUEL:
        hand = u64(p.hands[turn] if p.card == 0 else p.hands[other_side(turn)])
        return append_actions(out, n, i64(CARDS_DOWN), i64(0), (hand, u64(0)))
    if phase == EXIT:
        n = append_actions(out, n, i64(EXITS), i64(0), exits(p, i64(p.defender)))
        if options.may_stay:
            out[n] = action_of(i64(DECLINES), i64(0), i64(0))
            n = i64(n + 1)
        return n
    squares = landings(actor, i64(p.attacker), i64(p.defender))
    return append_actions(out, n, i64(DROPS), i64(0), squares)


@jit
def interceptions(options: OptionCodes, p: Packed, out: Any) -> int:
    first, second = interceptors(options, p, i64(p.attacker), i64(p.receiver))
    n = i64(0)
    if first != NONE:
        out[n] = action_of(i64(INTERCEPTS), i64(0), first)
        n = i64(n + 1)
    if second != NONE:
        out[n] = action_of(i64(INTERCEPTS), i64(0), second)
        n = i64(n + 1)
    out[n] = action_of(i64(DECLINES), i64(0), i64(0))
    return i64(n + 1)


@jit
def plays(options: OptionCodes, p: Packed, out: Any) -> int:
    """Fill `out` with the open actions of the captain on turn; their number."""
    men, n = active_men(p, i64(p.turn)), i64(0)
    while has_any(men):
        at = first_square(men)
        n = moves(options, p, at, out, n)
        if at == p.ball:
            n = throws(options, p, at, out, n)
        men = without_first_square(men)
    out[n] = action_of(i64(ENDS), i64(0), i64(0))
    return i64(n + 1)


@jit
def moves(options: OptionCodes, p: Packed, at: int, out: Any, n: int) -> int:
    """Append what costs the man there points; the new length."""
    if points_of(p, at) == 0:
        return n
    around = neighbours(at)
    while has_any(around):
        next_to = first_square(around)
        kind = move_kind(options, p, at, next_to)
        if kind != NONE:
            out[n] = action_of(kind, at, next_to)
            n = i64(n + 1)
        around = without_first_square(around)
    return n


@jit
def move_kind(options: OptionCodes, p: Packed, at: int, next_to: int) -> int:
    """A step, a tackle or a force, by who stands next to a man with points; or NONE."""
    man = man_at(p, next_to)
    if man == 0:
        return i64(STEPS) if may_enter(p, at, next_to) else i64(NONE)
    if side_of(man) == p.turn:
        return i64(NONE)
    if p.ball == next_to:
        return i64(TACKLES)
    if p.ball == at and points_of(p, at) > 1 and may_charge(options, p, at, next_to):
        return i64(FORCES)
    return i64(NONE)


@jit
def throws(options: OptionCodes, p: Packed, at: int, out: Any, n: int) -> int:
    """Append what the holder may do with the ball at no cost; the new length."""
    partners, open_to = receivers(options, p, at), kicks(options, p, at)
    for files in range(-2, 0):
        n = append_by_file(p, out, n, i64(PASSES), at, partners, i64(files))
    for files in range(1, 4):
        n = append_by_file(p, out, n, i64(KICKS), at, open_to, i64(files))
    return n


@jit
def append_by_file(
    p: Packed, out: Any, n: int, kind: int, at: int, targets: Squares, files: int
) -> int:
    """List those of the squares that are so many files ahead."""
    file = i64(file_of(at) + files * (1 - 2 * i64(p.turn)))
    ranks = on_file(targets, file)
    while ranks:
        out[n] = action_of(kind, at, i64(file * RANK_COUNT + lowest_bit(ranks)))
        n = i64(n + 1)
        ranks = without_lowest_bit(ranks)
    return n


@jit
def anytime_actions(options: OptionCodes, p: Packed, seat: int, out: Any) -> int:
    """There are none."""
    return i64(0)


# What may be done, and what it leads to


@jit
def resolve(options: OptionCodes, p: Packed, actor: int, action: int) -> None:
    """Do a listed action; any other must not come. Whose it is the phase says."""
    kind = i64(action >> KIND_SHIFT)
    origin, target = i64(action >> ORIGIN_SHIFT & 127), i64(action & 127)
    if kind == STEPS:
        take_step(options, p, origin, target)
    elif kind == ENDS:
        end_turn(options, p)
    elif kind == CARDS_DOWN:
        if p.card == 0:
            commit_card(p, target)
        else:
            reveal_cards(options, p, target)
    elif kind == PASSES:
        make_pass(options, p, origin, target)
    elif kind == KICKS:
        kick(p, target)
    elif kind == TACKLES:
        tackle(p, origin, target)
    elif kind == FORCES:
        force(p, origin, target)
    elif kind == INTERCEPTS:
        intercept(p, target)
    elif kind == DECLINES:
        if p.phase == EXIT:
            stay(p)
        else:
            let_pass_go(p)
    elif kind == EXITS:
        come_out(options, p, target)
    elif kind == DROPS:
        drop_ball_on(p, target)
    elif kind == PLACES:
        set_up(p, i64(p.phase), origin, target)
    else:
        draw_ball(p, target)
