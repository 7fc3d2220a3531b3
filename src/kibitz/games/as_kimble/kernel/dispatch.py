"""Who may act, what may be done, and what it leads to (5, 17): rules/referee.py again.

What an actor may do is a set of bits, and what a bit means depends on the phase; `action_at` says.
Lists, counts and random choices all come from that set.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import lowest, without_lowest
from kibitz.core.jit import compiled, small
from kibitz.games.as_kimble.kernel.book import done, end_if_won
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
    KIND_BITS,
    LISTED,
    LOT,
    LOTS,
    MOVE,
    OPPOSITE,
    ORIGIN_BITS,
    OTHER,
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
    SAME,
    SEATS,
    TARGET_AT,
    TEAM_AT,
    TEAM_BITS,
    VALUE_AT,
    VOTE,
    VOTING,
    House,
    Packed,
)
from kibitz.games.as_kimble.kernel.hembo import call
from kibitz.games.as_kimble.kernel.moves import doubled, enter, moved
from kibitz.games.as_kimble.kernel.preparation import choose_colour, draw_lot, due
from kibitz.games.as_kimble.kernel.raising import give_back, propose, raise_piece, vote
from kibitz.games.as_kimble.kernel.rulings import fix, resume, take_break
from kibitz.games.as_kimble.kernel.sides import goals, is_placed
from kibitz.games.as_kimble.kernel.turn import again, choices, go_on, pass_turn, pop, voters

List = NDArray[np.int64]

# Who may act


@compiled
def to_act(house: House, p: Packed) -> int:
    """A set of seats and CHANCE. Where there is a dome it answers; else a team reports its pop."""
    if p.is_break or p.phase == ENDED:
        return small(0)
    if p.wanted:
        return small(EVERYBODY)
    if p.phase == LOTS:
        return small(1 << CHANCE) if house.dome else due(p)
    if p.phase == POPPING:
        return small((1 << p.team) | (house.dome << CHANCE))
    if p.phase == VOTING:
        return voters(p)
    if p.phase == RETURNING:
        return small(p.teams)
    return small(1 << p.team)


@compiled
def turn_set(house: House, p: Packed, actor: int) -> int:
    """The turn actions of an actor: bits in the order of the rules."""
    if not (to_act(house, p) >> actor) & 1:
        return small(0)
    if p.wanted:
        return small((1 << FACES) - 1)
    if p.phase == CHOOSING:
        return choices(house, p, p.team, p.number, p.flag)
    if p.phase == POPPING:
        passing = small(actor == p.team and is_placed(p, p.team)) << PASS_POP_BIT
        if house.dome and actor == p.team:
            return small(passing)
        return small(((1 << FACES) - 1) | passing)
    if p.phase == LOTS:
        return _lots(p, actor)
    if p.phase == VOTING:
        return small(0b11)
    if p.phase == RETURNING:
        return goals(p, actor)
    return small((1 << SEATS) - 1)


@compiled
def _lots(p: Packed, actor: int) -> int:
    """Every face for every chair that is due and the actor pops for."""
    chairs = due(p)
    if actor != CHANCE:
        chairs &= 1 << actor
    found = small(0)
    for chair in range(SEATS):
        if (chairs >> chair) & 1:
            found |= ((1 << FACES) - 1) << (FACES * chair)
    return found


@compiled
def action_at(p: Packed, actor: int, place: int) -> int:
    """The turn action that a bit stands for."""
    if p.wanted:
        return code(FIX, small(0), place + 1)
    if p.phase == CHOOSING:
        return _choice_at(p, place)
    if p.phase == POPPING:
        if place == PASS_POP_BIT:
            return code(PASS_ON, p.team, small(0))
        return code(POP, p.team, place + 1)
    if p.phase == LOTS:
        chair = small(0)
        while place >= FACES:
            place -= FACES
            chair += 1
        return code(LOT, chair, place + 1)
    if p.phase == VOTING:
        return code(VOTE, actor, 1 - place)
    if p.phase == RETURNING:
        return code(RETURN, actor, place + 1)
    return code(COLOUR, p.team, place)


@compiled
def _choice_at(p: Packed, place: int) -> int:
    if place == ENTER_BIT:
        return code(ENTER, p.team, small(0))
    if place < DOUBLE_BIT:
        return code(MOVE, p.team, (place - p.number) | (place << TARGET_AT))
    if place == DOUBLE_BIT:
        return code(DOUBLE, p.team, small(0))
    if place == PROPOSE_BIT:
        return code(PROPOSE, p.team, small(0))
    if place == PASS_BIT:
        return code(PASS_ON, p.team, small(0))
    return code(RAISE, p.team, place - RAISE_BIT + 1)


@compiled
def code(kind: int, team: int, value: int) -> int:
    return small(kind | (team << TEAM_AT) | (value << VALUE_AT))


@compiled
def turn_actions(house: House, p: Packed, actor: int, out: List) -> int:
    found, listed = turn_set(house, p, actor), small(0)
    while found:
        out[listed] = action_at(p, actor, lowest(found))
        listed += 1
        found = small(without_lowest(found))
    return listed


@compiled
def anytime_actions(house: House, p: Packed, seat: int, out: List) -> int:
    listed = small(0)
    if p.phase == LOTS or p.phase == COLOURS or p.phase == ENDED:
        return listed
    if house.hembo:
        for form in range(2):
            out[listed] = code(HEMBO, seat, form)
            listed += 1
    if not house.by_turns and not p.is_break:
        for penalties in range(min(LISTED, p.owed[seat])):
            out[listed] = code(DONE, seat, penalties + 1)
            listed += 1
    if not house.dome:
        out[listed] = code(RESUME if p.is_break else BREAK, small(0), small(0))
        listed += 1
    return listed


@compiled
def odds(house: House, p: Packed, out: List, weights: List) -> int:
    listed = turn_actions(house, p, CHANCE, out)
    for i in range(listed):
        weights[i] = share(house, p, i + 1)
    return listed


@compiled
def share(house: House, p: Packed, face: int) -> int:
    """How likely a face is, by comparison; a dome likes to turn the die over (R28)."""
    if not house.naksu or not p.face or p.phase != POPPING:
        return small(1)
    if face == p.face:
        return small(SAME)
    return small(OPPOSITE if face + p.face == FACES + 1 else OTHER)


# What it leads to


@compiled
def resolve(house: House, p: Packed, actor: int, action: int) -> None:
    kind, team = action & KIND_BITS, (action >> TEAM_AT) & TEAM_BITS
    value = action >> VALUE_AT
    if kind == POP:
        pop(house, p, team, value)
    elif ENTER <= kind <= PROPOSE:
        _chosen(house, p, team, kind, value)
    elif kind == PASS_ON:
        if p.phase == POPPING:
            pass_turn(house, p, team)
        else:
            again(house, p, team, small(0))
    elif kind == VOTE:
        vote(house, p, team, value)
    elif kind == RETURN:
        give_back(house, p, team, value)
    elif kind == LOT:
        draw_lot(p, team, value)
    elif kind == COLOUR:
        choose_colour(p, team, value)
    elif kind == HEMBO:
        call(house, p, team, value)
    elif kind == DONE:
        done(p, team, value)
    elif kind == BREAK:
        take_break(p)
    elif kind == RESUME:
        resume(p)
    elif kind == FIX:
        fix(p, value)


@compiled
def _chosen(house: House, p: Packed, team: int, kind: int, value: int) -> None:
    if kind == RAISE:
        raise_piece(house, p, team, value)
        return
    if kind == PROPOSE:
        propose(p, team)
        return
    mined = False
    if kind == DOUBLE:
        doubled(p, team)
    else:
        if kind == ENTER:
            enter(house, p, team)
        else:
            mined = moved(house, p, team, value & ORIGIN_BITS, value >> TARGET_AT)
        end_if_won(p, team)
    if p.phase != ENDED:
        go_on(house, p, team, p.number, mined)
