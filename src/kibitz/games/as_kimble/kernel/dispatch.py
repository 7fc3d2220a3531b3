"""The actors, their actions and what these lead to (5, 17): the twin of rules/dispatch.py.

What an actor may do is a set of bits, and what a bit means depends on the phase; `action_at` says.
Lists, counts and random choices all come from that set.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import lowest_bit, without_lowest_bit
from kibitz.core.jit import i64, jit
from kibitz.games.as_kimble.kernel.book import end_if_won, report_completion
from kibitz.games.as_kimble.kernel.encoding import (
    BREAK,
    CHANCE,
    CHOOSING,
    COLOUR,
    COLOURS,
    DONE,
    DOUBLE,
    DOUBLE_BIT,
    ENDED,
    ENTER,
    ENTER_BIT,
    EVERYBODY,
    FACES,
    FIX,
    HEMBO,
    KIND_MASK,
    LOT,
    LOTS,
    MAX_LISTED,
    MOVE,
    OPPOSITE_SHARE,
    ORIGIN_MASK,
    OTHER_SHARE,
    PASS_BIT,
    PASS_ON,
    PASS_POP_BIT,
    POP,
    POPPING,
    PROPOSE,
    PROPOSE_BIT,
    RAISE,
    RAISE_BIT,
    RESUME,
    RETURN,
    RETURNING,
    SAME_SHARE,
    SEATS,
    TARGET_SHIFT,
    TEAM_MASK,
    TEAM_SHIFT,
    VALUE_SHIFT,
    VOTE,
    VOTING,
    OptionCodes,
    Packed,
)
from kibitz.games.as_kimble.kernel.hembo import call_hembo
from kibitz.games.as_kimble.kernel.moves import double_piece, enter, make_move
from kibitz.games.as_kimble.kernel.preparation import choose_colour, draw_lot, seats_due
from kibitz.games.as_kimble.kernel.raising import give_back, propose, raise_piece, vote
from kibitz.games.as_kimble.kernel.rulings import reset_die, resume, take_break
from kibitz.games.as_kimble.kernel.sides import goal_set, is_placed
from kibitz.games.as_kimble.kernel.turn import (
    choices,
    continue_turn,
    pass_turn,
    pop,
    pop_again,
    voters,
)

ActionList = NDArray[np.int64]

# Who may act


@jit
def to_act(options: OptionCodes, p: Packed) -> int:
    """A set of seats and CHANCE. Where there is a dome it answers whoever presses; else a team
    reports its pop."""
    if p.is_break or p.phase == ENDED:
        return i64(0)
    if p.wanted_face:
        return i64(EVERYBODY)
    if p.phase == LOTS:
        return i64(seats_due(p) | (options.dome << CHANCE))
    if p.phase == POPPING:
        return i64((1 << p.team) | (options.dome << CHANCE))
    if p.phase == VOTING:
        return voters(p)
    if p.phase == RETURNING:
        return i64(p.teams)
    return i64(1 << p.team)


@jit
def turn_set(options: OptionCodes, p: Packed, actor: int) -> int:
    """The turn actions of an actor: bits in the order of the rules."""
    if not (to_act(options, p) >> actor) & 1:
        return i64(0)
    if p.wanted_face:
        return i64((1 << FACES) - 1)
    if p.phase == CHOOSING:
        return choices(options, p, p.team, p.number, p.flag)
    if p.phase == POPPING:
        passing = i64(actor == p.team and is_placed(p, p.team)) << PASS_POP_BIT
        if options.dome and actor == p.team:
            return i64(passing)
        return i64(((1 << FACES) - 1) | passing)
    if p.phase == LOTS:
        return i64(0) if options.dome and actor != CHANCE else _lot_set(p, actor)
    if p.phase == VOTING:
        return i64(0b11)
    if p.phase == RETURNING:
        return goal_set(p, actor)
    return i64((1 << SEATS) - 1)


@jit
def _lot_set(p: Packed, actor: int) -> int:
    """Every face for every chair that is due and the actor pops for."""
    chairs = seats_due(p)
    if actor != CHANCE:
        chairs &= 1 << actor
    found = i64(0)
    for chair in range(SEATS):
        if (chairs >> chair) & 1:
            found |= ((1 << FACES) - 1) << (FACES * chair)
    return found


@jit
def action_at(p: Packed, actor: int, place: int) -> int:
    """The turn action that a bit stands for."""
    if p.wanted_face:
        return action_code(FIX, i64(0), place + 1)
    if p.phase == CHOOSING:
        return _choice_at(p, place)
    if p.phase == POPPING:
        if place == PASS_POP_BIT:
            return action_code(PASS_ON, p.team, i64(0))
        return action_code(POP, p.team, place + 1)
    if p.phase == LOTS:
        chair = i64(0)
        while place >= FACES:
            place -= FACES
            chair += 1
        return action_code(LOT, chair, place + 1)
    if p.phase == VOTING:
        return action_code(VOTE, actor, 1 - place)
    if p.phase == RETURNING:
        return action_code(RETURN, actor, place + 1)
    return action_code(COLOUR, p.team, place)


@jit
def _choice_at(p: Packed, place: int) -> int:
    if place == ENTER_BIT:
        return action_code(ENTER, p.team, i64(0))
    if place < DOUBLE_BIT:
        return action_code(MOVE, p.team, (place - p.number) | (place << TARGET_SHIFT))
    if place == DOUBLE_BIT:
        return action_code(DOUBLE, p.team, i64(0))
    if place == PROPOSE_BIT:
        return action_code(PROPOSE, p.team, i64(0))
    if place == PASS_BIT:
        return action_code(PASS_ON, p.team, i64(0))
    return action_code(RAISE, p.team, place - RAISE_BIT + 1)


@jit
def action_code(kind: int, team: int, value: int) -> int:
    return i64(kind | (team << TEAM_SHIFT) | (value << VALUE_SHIFT))


@jit
def turn_actions(options: OptionCodes, p: Packed, actor: int, out: ActionList) -> int:
    found, listed = turn_set(options, p, actor), i64(0)
    while found:
        out[listed] = action_at(p, actor, lowest_bit(found))
        listed += 1
        found = i64(without_lowest_bit(found))
    return listed


@jit
def anytime_actions(options: OptionCodes, p: Packed, seat: int, out: ActionList) -> int:
    listed = i64(0)
    if p.phase == LOTS or p.phase == COLOURS or p.phase == ENDED:
        return listed
    if options.hembo:
        for form in range(2):
            out[listed] = action_code(HEMBO, seat, form)
            listed += 1
    if not options.by_turns and not p.is_break:
        for penalties in range(min(MAX_LISTED, p.owed[seat])):
            out[listed] = action_code(DONE, seat, penalties + 1)
            listed += 1
    if not options.dome:
        out[listed] = action_code(RESUME if p.is_break else BREAK, i64(0), i64(0))
        listed += 1
    return listed


@jit
def odds(options: OptionCodes, p: Packed, out: ActionList, weights: ActionList) -> int:
    listed = turn_actions(options, p, CHANCE, out)
    for i in range(listed):
        weights[i] = face_share(options, p, i + 1)
    return listed


@jit
def face_share(options: OptionCodes, p: Packed, face: int) -> int:
    """The likelihood of a face, by comparison; a dome likes to turn the die over (R28)."""
    if not options.naksu or not p.face or p.phase != POPPING:
        return i64(1)
    if face == p.face:
        return i64(SAME_SHARE)
    return i64(OPPOSITE_SHARE if face + p.face == FACES + 1 else OTHER_SHARE)


# What it leads to


@jit
def resolve(options: OptionCodes, p: Packed, actor: int, action: int) -> None:
    kind, team = action & KIND_MASK, (action >> TEAM_SHIFT) & TEAM_MASK
    value = action >> VALUE_SHIFT
    if kind == POP:
        pop(options, p, team, value)
    elif ENTER <= kind <= PROPOSE:
        _apply_choice(options, p, team, kind, value)
    elif kind == PASS_ON:
        if p.phase == POPPING:
            pass_turn(options, p, team)
        else:
            pop_again(options, p, team, i64(0))
    elif kind == VOTE:
        vote(options, p, team, value)
    elif kind == RETURN:
        give_back(options, p, team, value)
    elif kind == LOT:
        draw_lot(p, team, value)
    elif kind == COLOUR:
        choose_colour(p, team, value)
    elif kind == HEMBO:
        call_hembo(options, p, team, value)
    elif kind == DONE:
        report_completion(p, team, value)
    elif kind == BREAK:
        take_break(p)
    elif kind == RESUME:
        resume(p)
    elif kind == FIX:
        reset_die(p, value)


@jit
def _apply_choice(options: OptionCodes, p: Packed, team: int, kind: int, value: int) -> None:
    if kind == RAISE:
        raise_piece(options, p, team, value)
        return
    if kind == PROPOSE:
        propose(p, team)
        return
    mined = False
    if kind == DOUBLE:
        double_piece(p, team)
    else:
        if kind == ENTER:
            enter(options, p, team)
        else:
            mined = make_move(options, p, team, value & ORIGIN_MASK, value >> TARGET_SHIFT)
        end_if_won(p, team)
    if p.phase != ENDED:
        continue_turn(options, p, team, p.number, mined)
