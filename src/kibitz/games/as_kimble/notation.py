r"""AS-Kimble as text (16, 17).

    warm 4      a lot 3      b colour Y      before the first turn
    R pop 6     R in         R t5-t9         R t26-g2     R g1-g3
    R double    R raise g1   R propose       B yes        B no       B return g2    R pass
    R hembo jag R done 2     break           resume
    church      R silent 3   R sticky        B stray 2    fix 4      on a real board
    G ignored   a silent 3   a sticky
    ref pen R +2 "why"       ref done R -1 "why"          ref rule "text"
    ref set "position" "why" ref end "why"   note "text"
    led eat R2 B3            led mine R2 -3  led raise R B2           without a board
    led hembo B missed       led won R       led won R "why"

A position has seven fields: board, turn, die, ledger, raises, hembo and flags, as in
`h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -`.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import cast

from kibitz.core.message import Refused, message
from kibitz.core.notation import (
    MAX_CACHED_ACTIONS,
    Codec,
    TemplateTable,
    match_text,
    split_fields,
)
from kibitz.games.as_kimble.actions import (
    Action,
    BookedHembo,
    BookedMeal,
    BookedMine,
    BookedRaise,
    BookedWin,
    BookPiece,
    Break,
    Church,
    Colour,
    Completion,
    Double,
    Enter,
    Hembo,
    IgnoredBreak,
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
    SilentLot,
    SilentPop,
    StickyLot,
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
GRID = "1?[0-9]|2[0-7]"


# Positions


def write_state(state: State) -> str:
    board = "/".join(_write_side(*pair) for pair in zip(TEAMS, state.sides, strict=True))
    ledger = "/".join(f"{book.owed}+{book.done}" for book in state.books)
    raises = f"{state.raises.round}:{_write_set(state.raises.teams)}"
    fields = (
        board,
        _PHASES.write(state.phase),
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


def _write_set(teams: tuple[str, ...]) -> str:
    return "".join(teams) or "-"


def _write_die(die: Die) -> str:
    wanted = f">{die.wanted_face}" if die.wanted_face else ""
    return f"d{die.face or '-'}{wanted}"


def read_state(options: Options, text: str) -> State:
    fields = split_fields(text, 7, "as-kimble.fields", "16")
    board, turn, die, ledger, raises, hembo, flags = fields
    match_text("[-!+]{4}", hembo, "as-kimble.hembo-marks", "16")
    match_text("[-b]", flags, "as-kimble.flags", "16")
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
        raise Refused(message("as-kimble.sides", "16", n=len(sides)))
    return tuple(_read_side(*pair) for pair in zip(TEAMS, sides, strict=True))


_SIDE = re.compile(
    rf"(?:h([1-4])(?:,|$))?((?:t(?:{GRID})(?:x[2-4])?(?:,|$))*)"
    r"(?:g1(?:w([1-3]))?()(?:,|$))?(?:g2()(?:,|$))?(?:g3()(?:,|$))?(?:g4()(?:,|$))?"
)


def _read_side(team: str, text: str) -> Side:
    found = _SIDE.fullmatch(text)
    if not found or text.endswith(",") or not text:
        raise Refused(message("as-kimble.side", "16", seat=team, text=text[:60]))
    home, ring, waiting, *goals = found.groups()
    pieces = [
        Piece(progress_at(team, int(grid)), int(size or 1))
        for grid, size in re.findall(r"t([0-9]+)(?:x([2-4]))?", ring)
    ]
    ways = [piece.progress for piece in pieces]
    if ways != sorted(set(ways)):
        raise Refused(message("as-kimble.side-order", "16", seat=team, text=text[:60]))
    first, second, third, fourth = (int(goal is not None) for goal in goals)
    goal = (first + int(waiting or 0), second, third, fourth)
    side = Side(int(home or 0), tuple(pieces), goal)
    count = side.home + sum(piece.size for piece in pieces) + sum(goal)
    if count != PIECES:
        raise Refused(message("as-kimble.piece-count", "16", seat=team, n=count))
    return side


def _read_set(text: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text)


_SET = Codec("-|(?=[RBYG])R?B?Y?G?", _read_set, _write_set)
_LOTS = Codec(
    "/".join(4 * ["(?:-|[1-6]+)"]),
    lambda text: tuple(tuple(map(int, each.strip("-"))) for each in text.split("/")),
    lambda pops: "/".join("".join(map(str, each)) or "-" for each in pops),
)
_PHASES = TemplateTable(
    {
        "team": Codec("[RBYG]"),
        "chair": Codec("[abcd]"),
        "is_new": Codec("[NP]", "N".__eq__, lambda is_new: "N" if is_new else "P"),
        "pops": Codec("[1-3]", int),
        "number": Codec("[1-6]", int),
        "is_refused": Codec("x?", bool, lambda is_refused: "x" * is_refused),
        "set": _SET,
        "winner": Codec("[RBYG-]", lambda team: team.strip("-") or None, lambda team: team or "-"),
        "lots": _LOTS,
    },
    {
        "{team}:{is_new}{pops}": Popping,
        "{team}:M{number}{is_refused}": Choosing,
        "{team}:V{agreed_teams:set}": Voting,
        "{team}:C{pending:set}": Returning,
        "{winner}:E": GameOver,
        "S:{pops:lots}": Lots,
        "K:{lowest:chair}{highest:chair}": Colours,
    },
)


def _read_phase(text: str) -> Phase:
    if phase := _PHASES.read(text):
        return cast(Phase, phase)
    raise Refused(message("as-kimble.turn", "16", text=text[:60]))


def _read_die(text: str) -> Die:
    found = match_text("d(?:-|([1-6])(?:>([1-6]))?)", text, "as-kimble.die", "16")
    face, wanted = (int(each) if each else None for each in found.groups())
    return Die(face, wanted)


def _read_ledger(text: str) -> tuple[Book, ...]:
    books = text.split("/")
    if len(books) != len(TEAMS):
        raise Refused(message("as-kimble.ledger", "16", text=text[:60]))
    pattern = rf"({NUMBER})\+({NUMBER})"
    found = [match_text(pattern, book, "as-kimble.ledger", "16") for book in books]
    return tuple(Book(int(each[1]), int(each[2])) for each in found)


def _read_raises(text: str) -> Raises:
    found = match_text(f"({COUNT}):({_SET.pattern})(!?)", text, "as-kimble.raises", "16")
    return Raises(int(found[1]), _read_set(found[2]), bool(found[3]))


# Actions


def write_action(action: Action) -> str:
    match action:
        case Move(team, origin, target):
            return f"{team} {_write_spot(team, origin)}-{_write_spot(team, target)}"
        case RefSet(state, why):
            return f"ref set {_quote_text(write_state(state))} {_quote_text(why)}"
    return _ACTIONS.write(action)


def _write_spot(team: str, progress: int) -> str:
    return (
        f"g{progress - LAST_PROGRESS}"
        if progress > LAST_PROGRESS
        else f"t{grid_at(team, progress)}"
    )


def _quote_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _read_text(quoted: str) -> str:
    try:
        text = json.loads(quoted)
    except ValueError:
        raise Refused(message("as-kimble.quoted", "17", text=quoted[:60])) from None
    assert isinstance(text, str)
    # Half a letter can be quoted, but not written down.
    return text.encode("utf-8", "replace").decode()


def _read_piece(text: str) -> BookPiece:
    return BookPiece(text[0], int(text[1]))


def _write_piece(piece: BookPiece) -> str:
    return f"{piece.team}{piece.size}"


def _or_nothing(codec: Codec) -> Codec:
    """The same after a space, or nothing at all."""
    return Codec(
        f"(?: (?:{codec.pattern}))?",
        lambda text: codec.read(text[1:]) if text else None,
        lambda value: "" if value is None else f" {codec.write(value)}",
    )


_QUOTED = Codec(TEXT, _read_text, _quote_text)
_PIECE = Codec("[RBYG][1-4]", _read_piece, _write_piece)
_ACTIONS = TemplateTable(
    {
        "team": Codec("[RBYG]"),
        "seat_letter": Codec("[abcd]"),
        "face": Codec("[1-6]", int),
        "goal": Codec("[1-4]", int),
        "is_yes": Codec("yes|no", "yes".__eq__, lambda is_yes: "yes" if is_yes else "no"),
        "form": Codec("jag|vi"),
        "count": Codec(COUNT, int),
        "change": Codec(f"[+-]{COUNT}", int, "{:+d}".format),
        "text": _QUOTED,
        "why": _QUOTED,
        "piece": _PIECE,
        "any_piece": Codec("[RBYG-][1-4]", _read_piece, _write_piece),
        "piece_or_none": _or_nothing(_PIECE),
        "why_or_none": _or_nothing(_QUOTED),
        "how": Codec("said|missed|wrong|uncalled"),
    },
    {
        "warm {face}": WarmPop,
        "{seat_letter} lot {face}": Lot,
        "{seat_letter} colour {team}": Colour,
        "{team} pop {face}": Pop,
        "{team} in": Enter,
        "{team} double": Double,
        "{team} raise g{goal}": Raise,
        "{team} propose": Propose,
        "{team} {is_yes}": Vote,
        "{team} return g{goal}": Return,
        "{team} pass": PassOn,
        "{team} hembo {form}": Hembo,
        "{team} done {count}": Completion,
        "break": Break,
        "resume": Resume,
        "church": Church,
        "{team} silent {face}": SilentPop,
        "{team} sticky": StickyPop,
        "{seat_letter} silent {face}": SilentLot,
        "{seat_letter} sticky": StickyLot,
        "{team} stray {face}": StrayPop,
        "{team} ignored": IgnoredBreak,
        "fix {face}": ResetPop,
        "ref pen {team} {change} {why}": RefPen,
        "ref done {team} {change} {why}": RefDone,
        "ref rule {text}": RefRule,
        "ref end {why}": RefEnd,
        "led eat {eater:piece} {eaten:piece}": BookedMeal,
        "led mine {mover:piece} {mine:any_piece}": BookedMine,
        "led raise {team}{eaten:piece_or_none}": BookedRaise,
        "led hembo {team} {how}": BookedHembo,
        "led won {team}{why:why_or_none}": BookedWin,
        "note {text}": Note,
    },
)
_MOVE = re.compile(rf"([RBYG]) (?:t({GRID})|g([1-4]))-(?:t({GRID})|g([1-4]))")
_SET_POSITION = re.compile(f"ref set ({TEXT}) ({TEXT})", re.DOTALL)


def read_action(options: Options, text: str) -> Action:
    if text.startswith("ref set ") and (found := _SET_POSITION.fullmatch(text)):
        return RefSet(read_state(options, _read_text(found[1])), _read_text(found[2]))
    return _read_plain_action(text)


@lru_cache(maxsize=MAX_CACHED_ACTIONS)
def _read_plain_action(text: str) -> Action:
    """An action that is the same under all options."""
    if found := _MOVE.fullmatch(text):
        return _read_move(found)
    if action := _ACTIONS.read(text):
        return cast(Action, action)
    raise Refused(message("as-kimble.not-an-action", "17", text=text[:60]))


def _read_move(found: re.Match[str]) -> Move:
    """By the team's own way; a move that goes nowhere is for the rules to refuse."""
    team, from_grid, from_goal, to_grid, to_goal = found.groups()
    origin = LAST_PROGRESS + int(from_goal) if from_goal else progress_at(team, int(from_grid))
    target = LAST_PROGRESS + int(to_goal) if to_goal else progress_at(team, int(to_grid))
    return Move(team, origin, target)
