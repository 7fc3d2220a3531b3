"""The turn machine (5): rules/turn.py again."""

from __future__ import annotations

from kibitz.core.jit import i64, jit
from kibitz.games.as_kimble.board import SIX
from kibitz.games.as_kimble.kernel.book import tick
from kibitz.games.as_kimble.kernel.encoding import (
    DOUBLE_BIT,
    ENDED,
    EVERYBODY,
    NO,
    ON_RING,
    PASS_BIT,
    PROPOSE_BIT,
    RAISE_BIT,
    SEATS,
    YES,
    OptionCodes,
    Packed,
)
from kibitz.games.as_kimble.kernel.hembo import settle_hembo
from kibitz.games.as_kimble.kernel.moves import may_double, ordinary_moves
from kibitz.games.as_kimble.kernel.sides import (
    FULL_GOAL,
    enter_choosing,
    enter_popping,
    goal_set,
    is_placed,
)


@jit
def has_margin(p: Packed, team: int) -> bool:
    """True if some number but a six would move something; home pieces do not count."""
    if p.taken[team] & ON_RING:
        return True
    held = goal_set(p, team)
    # Nothing moves where all is filled from the rearmost piece to the end: adding it carries over.
    return held != 0 and held + (held & -held) != FULL_GOAL + 1


@jit
def pops_granted(p: Packed, team: int) -> int:
    return i64(1) if has_margin(p, team) else i64(3)


# The pop


@jit
def pop(options: OptionCodes, p: Packed, team: int, face: int) -> None:
    pops = p.number
    p.face = face
    p.wanted_face = 0
    p.is_pressed = 0
    if p.flag:
        settle_hembo(p)
    if choices(options, p, team, face, NO):
        enter_choosing(p, team, face, NO)
    elif face == SIX:
        pop_again(options, p, team, i64(0))
    elif pops > 1:
        enter_popping(p, team, pops - 1, NO)
    else:
        pass_turn(options, p, team)


@jit
def pop_again(options: OptionCodes, p: Packed, team: int, pops: int) -> None:
    """After a six the team pops once more, unless it has placed all and such teams are skipped."""
    if options.skip and is_placed(p, team):
        pass_turn(options, p, team)
    else:
        enter_popping(p, team, pops if pops else pops_granted(p, team), NO)


@jit
def continue_turn(options: OptionCodes, p: Packed, team: int, number: int, mined: bool) -> None:
    """After the chosen action: a six gives another pop, one alone if it drove into a mine."""
    if number == SIX:
        pop_again(options, p, team, i64(mined))
    else:
        pass_turn(options, p, team)


@jit
def pass_turn(options: OptionCodes, p: Packed, team: int) -> None:
    """To the next team clockwise; those that are passed over tick as the turn goes by (11.1)."""
    skips = options.skip and not are_all_placed(p)
    while True:
        team = (team + 1) & 3
        tick(options, p, team)
        if p.phase == ENDED:
            return
        if not (skips and is_placed(p, team)):
            break
    enter_popping(p, team, pops_granted(p, team), YES)


@jit
def are_all_placed(p: Packed) -> bool:
    shared = i64(FULL_GOAL)
    for team in range(SEATS):
        shared &= goal_set(p, team)
    return shared == FULL_GOAL


# 5.1  Choices


@jit
def choices(options: OptionCodes, p: Packed, team: int, number: int, is_refused: int) -> int:
    """A set of bits; see encoding.py."""
    moves = ordinary_moves(p, team, number)
    if number != SIX:
        return i64(moves)
    found = moves | i64(may_double(p, team, number)) << DOUBLE_BIT
    raises = i64(0)
    if may_raise(options, p, team):
        raises |= goals_to_give(options, p, team) << RAISE_BIT
    if not is_refused and may_propose(options, p, team):
        raises |= i64(1) << PROPOSE_BIT
    found |= raises
    if raises and not moves:
        found |= i64(1) << PASS_BIT
    return i64(found)


@jit
def goals_to_give(options: OptionCodes, p: Packed, team: int) -> int:
    """The goal pieces a team may give in a raise; the owner chooses unless agreed otherwise."""
    held = goal_set(p, team)
    return i64(held & -held if options.rearmost else held)


# 9.1  Who may raise


@jit
def may_raise_at_all(options: OptionCodes, p: Packed, team: int) -> bool:
    """True if all that 9.1 asks for is there, beside the round."""
    if not options.raising or p.home[team]:
        return False
    able = i64(0)
    for each in range(SEATS):
        able += i64(goal_set(p, each) > 0)
    return able == SEATS


@jit
def may_raise(options: OptionCodes, p: Packed, team: int) -> bool:
    return not (p.raised >> team) & 1 and may_raise_at_all(options, p, team)


@jit
def may_propose(options: OptionCodes, p: Packed, team: int) -> bool:
    return p.raised == EVERYBODY and not p.is_closed and may_raise_at_all(options, p, team)


@jit
def voters(p: Packed) -> int:
    """The set of teams that have not answered yet."""
    return i64(EVERYBODY & ~(p.teams | (1 << p.team)))
