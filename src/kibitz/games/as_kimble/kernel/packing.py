"""Between the two worlds: State and Action here, numbers there.

Outside the kernel, and refused with a ValueError: the reason for which a referee ended a match,
more than 21 starting pops of one chair, and every action that the rules do not list (loosening
pops, mishaps on a real board but for the reset pop, rulings, notes). Numbers in the book stay below
a million by the rules; a side has four pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from kibitz.core.options import read_options
from kibitz.games.as_kimble import options as agreed
from kibitz.games.as_kimble.actions import (
    Action,
    Break,
    Colour,
    Completion,
    Double,
    Enter,
    Hembo,
    Lot,
    Move,
    PassOn,
    Pop,
    Propose,
    Raise,
    ResetPop,
    Resume,
    Return,
    Vote,
)
from kibitz.games.as_kimble.board import GOALS, PIECES, RING, SEAT_LETTERS, TEAMS
from kibitz.games.as_kimble.kernel.encoding import (
    BREAK,
    CHOOSING,
    COLOUR,
    COLOURS,
    DONE,
    DOUBLE,
    ENDED,
    ENTER,
    FIRST_GOAL,
    FIX,
    HEMBO,
    KIND_MASK,
    LAST_PROGRESS,
    LOT,
    LOTS,
    MAX_LOTS,
    MOVE,
    NOBODY,
    OPTION_CODES,
    ORIGIN_MASK,
    PASS_ON,
    POP,
    POPPING,
    PROPOSE,
    RAISE,
    RESUME,
    RETURN,
    RETURNING,
    SEATS,
    STATE,
    TARGET_SHIFT,
    TEAM_MASK,
    TEAM_SHIFT,
    VALUE_SHIFT,
    VOTE,
    VOTING,
    OptionCodes,
    Packed,
)
from kibitz.games.as_kimble.kernel.sides import copy
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.hembo import FORMS, NO_MARK, OWING_MARK, SAID_MARK
from kibitz.games.as_kimble.state import (
    Book,
    Choosing,
    Colours,
    Die,
    GameOver,
    Lots,
    Phase,
    Piece,
    Popping,
    Raises,
    Returning,
    Side,
    State,
    Voting,
)


def option_codes(options: Mapping[str, Any]) -> OptionCodes:
    """The options of a game, as it has them."""
    given = read_options(Options, agreed.options_from_json(options))
    made = cast(OptionCodes, np.zeros(1, OPTION_CODES).view(np.recarray)[0])
    made.dome = int(given.mode == "digital")
    made.naksu = int(given.die == "naksu")
    made.raising = int(given.raising)
    made.rearmost = int(given.raise_return == "rearmost")
    made.final = int(given.refusal == "final")
    made.skip = int(given.finished == "skip")
    made.hembo = int(given.hembo == "call")
    made.by_turns = int(given.pace == "turn")
    made.many = _team_set(team for team in TEAMS if given.size_of(team) > 1)
    return made


def blank() -> Packed:
    return cast(Packed, blanks(1)[0])


def blanks(count: int) -> NDArray[np.void]:
    """So many in one row: each is a record of its own."""
    return np.zeros(count, STATE).view(np.recarray)


# States


def pack(state: State, into: Packed) -> None:
    copy(blank(), into)
    for i, side in enumerate(state.sides):
        _pack_side(side, into, i)
    into.owed[:] = [book.owed for book in state.books]
    into.done[:] = [book.done for book in state.books]
    _pack_phase(state.phase, into)
    into.face, into.wanted_face = state.die.face or 0, state.die.wanted_face or 0
    into.raise_round, into.is_closed = state.raises.round, int(state.raises.is_closed)
    into.raised = _team_set(state.raises.teams)
    into.owing = _teams_with_mark(state, OWING_MARK)
    into.said = _teams_with_mark(state, SAID_MARK)
    into.is_break = int(state.is_break)


def _pack_side(side: Side, into: Packed, team: int) -> None:
    contains = {piece.progress: piece.size for piece in side.ring}
    contains |= {
        LAST_PROGRESS + goal: count for goal, count in zip(GOALS, side.goal, strict=True) if count
    }
    if side.home + sum(contains.values()) != PIECES:
        raise ValueError(f"a side has {PIECES} pieces: {side}")
    into.home[team] = side.home
    for place, size in contains.items():
        into.taken[team] |= 1 << place
        into.ones[team] |= (size - 1 & 1) << place
        into.twos[team] |= (size - 1 >> 1) << place


def _pack_phase(phase: Phase, into: Packed) -> None:
    match phase:
        case Lots(pops):
            into.phase = LOTS
            if max(map(len, pops)) > MAX_LOTS:
                raise ValueError(f"more than {MAX_LOTS} starting pops: {phase}")
            into.lots[:] = [sum(face << 3 * i for i, face in enumerate(each)) for each in pops]
        case Colours(lowest, highest):
            into.phase = COLOURS
            into.team, into.number = SEAT_LETTERS.index(lowest), SEAT_LETTERS.index(highest)
        case Popping(team, pops_left, is_new):
            into.phase, into.team = POPPING, TEAMS.index(team)
            into.number, into.flag = pops_left, int(is_new)
        case Choosing(team, number, is_refused):
            into.phase, into.team = CHOOSING, TEAMS.index(team)
            into.number, into.flag = number, int(is_refused)
        case Voting(team, agreed):
            into.phase, into.team, into.teams = VOTING, TEAMS.index(team), _team_set(agreed)
        case Returning(team, pending):
            into.phase, into.team, into.teams = RETURNING, TEAMS.index(team), _team_set(pending)
        case GameOver(winner, reason):
            if reason:
                raise ValueError(f"no room for a reason: {reason}")
            into.phase = ENDED
            into.team = NOBODY if winner is None else TEAMS.index(winner)


def _team_set(teams: Iterable[str]) -> int:
    return sum(1 << TEAMS.index(team) for team in teams)


def _teams_with_mark(state: State, mark: str) -> int:
    return sum(1 << i for i, each in enumerate(state.hembo) if each == mark)


def unpack(packed: Packed) -> State:
    p = packed
    books = zip(p.owed.tolist(), p.done.tolist(), strict=True)
    return State(
        sides=tuple(_unpack_side(p, i) for i in range(SEATS)),
        phase=_unpack_phase(p),
        die=Die(int(p.face) or None, int(p.wanted_face) or None),
        books=tuple(Book(owed, done) for owed, done in books),
        raises=Raises(int(p.raise_round), _unpack_teams(p.raised), bool(p.is_closed)),
        hembo=tuple(
            OWING_MARK if p.owing >> i & 1 else SAID_MARK if p.said >> i & 1 else NO_MARK
            for i in range(SEATS)
        ),
        is_break=bool(p.is_break),
    )


def _unpack_side(p: Packed, team: int) -> Side:
    taken, ones, twos = int(p.taken[team]), int(p.ones[team]), int(p.twos[team])

    def contains(place: int) -> int:
        return (taken >> place & 1) + (ones >> place & 1) + 2 * (twos >> place & 1)

    ring = tuple(Piece(place, contains(place)) for place in range(RING) if taken >> place & 1)
    first, second, third, fourth = (contains(FIRST_GOAL + i) for i in range(len(GOALS)))
    return Side(int(p.home[team]), ring, (first, second, third, fourth))


def _unpack_phase(p: Packed) -> Phase:
    number, flag = int(p.number), bool(p.flag)
    if p.phase == LOTS:
        return Lots(tuple(_unpack_lots(each) for each in p.lots.tolist()))
    if p.phase == COLOURS:
        return Colours(SEAT_LETTERS[p.team], SEAT_LETTERS[number])
    if p.phase == ENDED:
        return GameOver(None if p.team == NOBODY else TEAMS[p.team])
    team = TEAMS[p.team]
    if p.phase == POPPING:
        return Popping(team, number, flag)
    if p.phase == CHOOSING:
        return Choosing(team, number, flag)
    return (Voting if p.phase == VOTING else Returning)(team, _unpack_teams(p.teams))


def _unpack_lots(pops: int) -> tuple[int, ...]:
    return (pops & 7, *_unpack_lots(pops >> 3)) if pops else ()


def _unpack_teams(mask: int) -> tuple[str, ...]:
    return tuple(team for i, team in enumerate(TEAMS) if mask >> i & 1)


# Actions


def pack_action(action: Action) -> int:
    match action:
        case Lot(chair, face):
            return _action_code(LOT, SEAT_LETTERS.index(chair), face)
        case Colour(chair, team):
            return _action_code(COLOUR, SEAT_LETTERS.index(chair), TEAMS.index(team))
        case ResetPop(face):
            return _action_code(FIX, 0, face)
        case Break():
            return _action_code(BREAK)
        case Resume():
            return _action_code(RESUME)
        case Pop(team, face):
            return _action_code(POP, TEAMS.index(team), face)
        case Move(team, origin, target):
            return _action_code(MOVE, TEAMS.index(team), origin | target << TARGET_SHIFT)
        case Raise(team, goal):
            return _action_code(RAISE, TEAMS.index(team), goal)
        case Return(team, goal):
            return _action_code(RETURN, TEAMS.index(team), goal)
        case Vote(team, agrees):
            return _action_code(VOTE, TEAMS.index(team), int(agrees))
        case Hembo(team, form):
            return _action_code(HEMBO, TEAMS.index(team), FORMS.index(form))
        case Completion(team, count):
            return _action_code(DONE, TEAMS.index(team), count)
        case Enter(team) | Double(team) | Propose(team) | PassOn(team):
            return _action_code(_PLAIN_KINDS[type(action)], TEAMS.index(team))
    raise ValueError(f"not in the kernel: {action}")


_PLAIN_KINDS: dict[type[Enter | Double | Propose | PassOn], int] = {
    Enter: ENTER,
    Double: DOUBLE,
    Propose: PROPOSE,
    PassOn: PASS_ON,
}


def _action_code(kind: int, team: int = 0, value: int = 0) -> int:
    return kind | team << TEAM_SHIFT | value << VALUE_SHIFT


def unpack_action(code: int) -> Action:
    made = _UNPACKERS[code & KIND_MASK]
    return made(code >> TEAM_SHIFT & TEAM_MASK, code >> VALUE_SHIFT)


_UNPACKERS: dict[int, Callable[[int, int], Action]] = {
    LOT: lambda chair, face: Lot(SEAT_LETTERS[chair], face),
    COLOUR: lambda chair, team: Colour(SEAT_LETTERS[chair], TEAMS[team]),
    POP: lambda team, face: Pop(TEAMS[team], face),
    ENTER: lambda team, _: Enter(TEAMS[team]),
    MOVE: lambda team, way: Move(TEAMS[team], way & ORIGIN_MASK, way >> TARGET_SHIFT),
    DOUBLE: lambda team, _: Double(TEAMS[team]),
    RAISE: lambda team, goal: Raise(TEAMS[team], goal),
    PROPOSE: lambda team, _: Propose(TEAMS[team]),
    VOTE: lambda team, agrees: Vote(TEAMS[team], bool(agrees)),
    RETURN: lambda team, goal: Return(TEAMS[team], goal),
    PASS_ON: lambda team, _: PassOn(TEAMS[team]),
    HEMBO: lambda team, form: Hembo(TEAMS[team], FORMS[form]),
    DONE: lambda team, count: Completion(TEAMS[team], count),
    BREAK: lambda _, __: Break(),
    RESUME: lambda _, __: Resume(),
    FIX: lambda _, face: ResetPop(face),
}
