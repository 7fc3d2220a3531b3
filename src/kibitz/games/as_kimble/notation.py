r"""AS-Kimble as text (16, 17).

    warm 4      a lot 3      b colour Y      before the first turn
    R pop 6     R in         R t5-t9         R t26-g2     R g1-g3
    R double    R raise g1   R propose       B yes        B no       B return g2    R pass
    R hembo jag R done 2     break           resume
    church      R silent 3   R sticky        B stray 2    fix 4      on a real board
    ref pen R +2 "why"       ref done R -1 "why"          ref rule "text"
    ref set "position" "why" ref end "why"   note "text"

A position has seven fields: board, turn, die, ledger, raises, hembo and flags, as in
`h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from kibitz.core.message import Message, Refused
from kibitz.games.as_kimble.actions import (
    Action,
    Break,
    Church,
    Colour,
    Completion,
    Double,
    Enter,
    Hembo,
    Lot,
    Move,
    Note,
    PassOn,
    Pop,
    Propose,
    Raise,
    RefDone,
    RefEnd,
    RefPen,
    RefRule,
    RefSet,
    ResetPop,
    Resume,
    Return,
    SilentPop,
    StickyPop,
    StrayPop,
    Vote,
    WarmPop,
)
from kibitz.games.as_kimble.board import GOALS, PIECES, TEAMS, grid_at, progress_at
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.moves import LAST_PROGRESS
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
from kibitz.games.as_kimble.validation import why_not_possible

NUMBER = "(?:0|[1-9][0-9]{0,5})"
COUNT = "[1-9][0-9]{0,5}"
TEXT = r'"(?:[^"\\\x00-\x1f]|\\.)*"'
SET = "-|(?=[RBYG])R?B?Y?G?"
GRID = "1?[0-9]|2[0-7]"


# Positions


def write_state(state: State) -> str:
    board = "/".join(_write_side(*pair) for pair in zip(TEAMS, state.sides, strict=True))
    ledger = "/".join(f"{book.owed}+{book.done}" for book in state.books)
    raises = f"{state.raises.round}:{_write_set(state.raises.teams)}"
    fields = (
        board,
        _write_phase(state.phase),
        _write_die(state.die),
        ledger,
        raises + "!" * state.raises.is_closed,
        "".join(state.hembo),
        "b" if state.is_break else "-",
    )
    return " ".join(fields)


def _write_side(team: str, side: Side) -> str:
    tokens = [f"h{side.home}"] if side.home else []
    for piece in side.ring:
        size = f"x{piece.size}" if piece.size > 1 else ""
        tokens.append(f"t{grid_at(team, piece.progress)}{size}")
    for goal, count in zip(GOALS, side.goal, strict=True):
        if count:
            tokens.append(f"g{goal}w{count - 1}" if count > 1 else f"g{goal}")
    return ",".join(tokens)


def _write_phase(phase: Phase) -> str:
    match phase:
        case Lots(pops):
            return "S:" + "/".join("".join(map(str, each)) or "-" for each in pops)
        case Colours(lowest, highest):
            return f"K:{lowest}{highest}"
        case Popping(team, pops, is_new):
            return f"{team}:{'N' if is_new else 'P'}{pops}"
        case Choosing(team, number, is_refused):
            return f"{team}:M{number}{'x' * is_refused}"
        case Voting(team, agreed):
            return f"{team}:V{_write_set(agreed)}"
        case Returning(team, pending):
            return f"{team}:C{_write_set(pending)}"
        case GameOver(winner):
            return f"{winner or '-'}:E"


def _write_set(teams: tuple[str, ...]) -> str:
    return "".join(teams) or "-"


def _write_die(die: Die) -> str:
    wanted = f">{die.wanted_face}" if die.wanted_face else ""
    return f"d{die.face or '-'}{wanted}"


def read_state(options: Options, text: str) -> State:
    fields = text.split(" ")
    if len(fields) != 7:
        raise _refusal_error("fields", "16", n=len(fields))
    board, turn, die, ledger, raises, hembo, flags = fields
    if not re.fullmatch("[-!+]{4}", hembo):
        raise _refusal_error("hembo-marks", "16", text=hembo[:60])
    if flags not in ("-", "b"):
        raise _refusal_error("flags", "16", text=flags[:60])
    state = State(
        sides=_read_board(board),
        phase=_read_phase(turn),
        die=_read_die(die),
        books=_read_ledger(ledger),
        raises=_read_raises(raises),
        hembo=tuple(hembo),
        is_break=flags == "b",
    )
    if refusal := why_not_possible(options, state):
        raise Refused(refusal)
    return state


def _read_board(text: str) -> tuple[Side, ...]:
    sides = text.split("/")
    if len(sides) != len(TEAMS):
        raise _refusal_error("sides", "16", n=len(sides))
    return tuple(_read_side(*pair) for pair in zip(TEAMS, sides, strict=True))


_SIDE = re.compile(
    rf"(?:h([1-4])(?:,|$))?((?:t(?:{GRID})(?:x[2-4])?(?:,|$))*)"
    r"(?:g1(?:w([1-3]))?()(?:,|$))?(?:g2()(?:,|$))?(?:g3()(?:,|$))?(?:g4()(?:,|$))?"
)


def _read_side(team: str, text: str) -> Side:
    found = _SIDE.fullmatch(text)
    if not found or text.endswith(",") or not text:
        raise _refusal_error("side", "16", seat=team, text=text[:60])
    home, ring, waiting, *goals = found.groups()
    pieces = [
        Piece(progress_at(team, int(grid)), int(size or 1))
        for grid, size in re.findall(r"t([0-9]+)(?:x([2-4]))?", ring)
    ]
    ways = [piece.progress for piece in pieces]
    if ways != sorted(set(ways)):
        raise _refusal_error("side-order", "16", seat=team, text=text[:60])
    first, second, third, fourth = (int(goal is not None) for goal in goals)
    goal = (first + int(waiting or 0), second, third, fourth)
    side = Side(int(home or 0), tuple(pieces), goal)
    count = side.home + sum(piece.size for piece in pieces) + sum(goal)
    if count != PIECES:
        raise _refusal_error("piece-count", "16", seat=team, n=count)
    return side


_PHASES: tuple[tuple[re.Pattern[str], Callable[..., Phase]], ...] = (
    (
        re.compile("([RBYG]):([NP])([1-3])"),
        lambda team, kind, pops: Popping(team, int(pops), kind == "N"),
    ),
    (
        re.compile("([RBYG]):M([1-6])(x?)"),
        lambda team, number, refused: Choosing(team, int(number), bool(refused)),
    ),
    (re.compile(f"([RBYG]):V({SET})"), lambda team, teams: Voting(team, _read_set(teams))),
    (re.compile(f"([RBYG]):C({SET})"), lambda team, teams: Returning(team, _read_set(teams))),
    (re.compile("([RBYG-]):E"), lambda team: GameOver(None if team == "-" else team)),
    (
        re.compile("S:(-|[1-6]+)/(-|[1-6]+)/(-|[1-6]+)/(-|[1-6]+)"),
        lambda *lots: Lots(tuple(() if each == "-" else tuple(map(int, each)) for each in lots)),
    ),
    (re.compile("K:([abcd])([abcd])"), Colours),
)


def _read_phase(text: str) -> Phase:
    for pattern, phase in _PHASES:
        if found := pattern.fullmatch(text):
            return phase(*found.groups())
    raise _refusal_error("turn", "16", text=text[:60])


def _read_set(text: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text)


def _read_die(text: str) -> Die:
    found = re.fullmatch("d(?:-|([1-6])(?:>([1-6]))?)", text)
    if not found:
        raise _refusal_error("die", "16", text=text[:60])
    face, wanted = (int(each) if each else None for each in found.groups())
    return Die(face, wanted)


def _read_ledger(text: str) -> tuple[Book, ...]:
    books = text.split("/")
    if len(books) != len(TEAMS):
        raise _refusal_error("ledger", "16", text=text[:60])
    found = []
    for book in books:
        numbers = re.fullmatch(rf"({NUMBER})\+({NUMBER})", book)
        if not numbers:
            raise _refusal_error("ledger", "16", text=book[:60])
        found.append(Book(int(numbers[1]), int(numbers[2])))
    return tuple(found)


def _read_raises(text: str) -> Raises:
    found = re.fullmatch(f"({COUNT}):({SET})(!?)", text)
    if not found:
        raise _refusal_error("raises", "16", text=text[:60])
    return Raises(int(found[1]), _read_set(found[2]), bool(found[3]))


# Actions


def write_action(action: Action) -> str:
    match action:
        case WarmPop(face):
            return f"warm {face}"
        case Lot(chair, face):
            return f"{chair} lot {face}"
        case Colour(chair, team):
            return f"{chair} colour {team}"
        case Pop(team, face):
            return f"{team} pop {face}"
        case Enter(team):
            return f"{team} in"
        case Move(team, origin, target):
            return f"{team} {_write_spot(team, origin)}-{_write_spot(team, target)}"
        case Double(team):
            return f"{team} double"
        case Raise(team, goal):
            return f"{team} raise g{goal}"
        case Propose(team):
            return f"{team} propose"
        case Vote(team, agrees):
            return f"{team} {'yes' if agrees else 'no'}"
        case Return(team, goal):
            return f"{team} return g{goal}"
        case PassOn(team):
            return f"{team} pass"
        case Hembo(team, form):
            return f"{team} hembo {form}"
        case Completion(team, count):
            return f"{team} done {count}"
        case Break():
            return "break"
        case Resume():
            return "resume"
    return _write_event(action)


def _write_event(action: Action) -> str:
    match action:
        case Church():
            return "church"
        case SilentPop(team, face):
            return f"{team} silent {face}"
        case StickyPop(team):
            return f"{team} sticky"
        case StrayPop(team, face):
            return f"{team} stray {face}"
        case ResetPop(face):
            return f"fix {face}"
        case RefPen(team, change, why):
            return f"ref pen {team} {change:+d} {_quote_text(why)}"
        case RefDone(team, change, why):
            return f"ref done {team} {change:+d} {_quote_text(why)}"
        case RefRule(text):
            return f"ref rule {_quote_text(text)}"
        case RefSet(state, why):
            return f"ref set {_quote_text(write_state(state))} {_quote_text(why)}"
        case RefEnd(why):
            return f"ref end {_quote_text(why)}"
        case Note(text):
            return f"note {_quote_text(text)}"
    raise AssertionError(action)


def _write_spot(team: str, progress: int) -> str:
    return (
        f"g{progress - LAST_PROGRESS}"
        if progress > LAST_PROGRESS
        else f"t{grid_at(team, progress)}"
    )


def _quote_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_ACTIONS: tuple[tuple[re.Pattern[str], Callable[..., Action]], ...] = tuple(
    (re.compile(pattern), made)
    for pattern, made in (
        ("warm ([1-6])", lambda face: WarmPop(int(face))),
        ("([abcd]) lot ([1-6])", lambda chair, face: Lot(chair, int(face))),
        ("([abcd]) colour ([RBYG])", Colour),
        ("([RBYG]) pop ([1-6])", lambda team, face: Pop(team, int(face))),
        ("([RBYG]) in", Enter),
        ("([RBYG]) double", Double),
        ("([RBYG]) raise g([1-4])", lambda team, goal: Raise(team, int(goal))),
        ("([RBYG]) propose", Propose),
        ("([RBYG]) (yes|no)", lambda team, answer: Vote(team, answer == "yes")),
        ("([RBYG]) return g([1-4])", lambda team, goal: Return(team, int(goal))),
        ("([RBYG]) pass", PassOn),
        ("([RBYG]) hembo (jag|vi)", Hembo),
        (f"([RBYG]) done ({COUNT})", lambda team, count: Completion(team, int(count))),
        ("break", Break),
        ("resume", Resume),
        ("church", Church),
        ("([RBYG]) silent ([1-6])", lambda team, face: SilentPop(team, int(face))),
        ("([RBYG]) sticky", StickyPop),
        ("([RBYG]) stray ([1-6])", lambda team, face: StrayPop(team, int(face))),
        ("fix ([1-6])", lambda face: ResetPop(int(face))),
        (
            f"ref (pen|done) ([RBYG]) ([+-]{COUNT}) ({TEXT})",
            lambda kind, team, change, why: (RefPen if kind == "pen" else RefDone)(
                team, int(change), _read_text(why)
            ),
        ),
        (f"ref rule ({TEXT})", lambda text: RefRule(_read_text(text))),
        (f"ref end ({TEXT})", lambda text: RefEnd(_read_text(text))),
        (f"note ({TEXT})", lambda text: Note(_read_text(text))),
    )
)
_MOVE = re.compile(rf"([RBYG]) (?:t({GRID})|g([1-4]))-(?:t({GRID})|g([1-4]))")
_SET_POSITION = re.compile(f"ref set ({TEXT}) ({TEXT})", re.DOTALL)


def read_action(options: Options, text: str) -> Action:
    if found := _MOVE.fullmatch(text):
        return _read_move(found)
    if found := _SET_POSITION.fullmatch(text):
        return RefSet(read_state(options, _read_text(found[1])), _read_text(found[2]))
    for pattern, made in _ACTIONS:
        if found := pattern.fullmatch(text):
            return made(*found.groups())
    raise _refusal_error("not-an-action", "17", text=text[:60])


def _read_move(found: re.Match[str]) -> Move:
    """By the team's own way; a move that goes nowhere is for the rules to refuse."""
    team, from_grid, from_goal, to_grid, to_goal = found.groups()
    origin = LAST_PROGRESS + int(from_goal) if from_goal else progress_at(team, int(from_grid))
    target = LAST_PROGRESS + int(to_goal) if to_goal else progress_at(team, int(to_grid))
    return Move(team, origin, target)


def _read_text(quoted: str) -> str:
    try:
        text = json.loads(quoted)
    except ValueError:
        raise _refusal_error("quoted", "17", text=quoted[:60]) from None
    assert isinstance(text, str)
    # Half a letter can be quoted, but not written down.
    return text.encode("utf-8", "replace").decode()


def _refusal_error(id: str, paragraph: str, **values: str | int) -> Refused:
    return Refused(Message(f"as-kimble.{id}", tuple(values.items()), paragraph))
