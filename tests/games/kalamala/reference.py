"""A second, deliberately naive reading of the rules of Kalamala.

Written from the rules alone; it shares no code with the game. Nothing here is clever or fast:
boards are plain dicts, moves are enumerated by their definition, and the history is a list of
boards. `answer` says what the rules filter must answer to one line of input (the sentence under
`why` is free). Only Kalamala is known here: any other `game` is refused as unknown.

`random_position` and `spoil` make position texts for comparing another implementation with this.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

Square = tuple[int, int]  # (file, rank), both 1..8 on the board
Board = dict[Square, str]

DIRECTIONS: dict[str, Square] = {  # in the order that decides between spellings
    "N": (0, 1),
    "E": (1, 0),
    "S": (0, -1),
    "W": (-1, 0),
    "NE": (1, 1),
    "SE": (1, -1),
    "SW": (-1, -1),
    "NW": (-1, 1),
}
SQUARES: list[Square] = [(x, y) for x in range(1, 9) for y in range(1, 9)]
OTHER = {"A": "B", "B": "A"}
EVENTS = ("resign A", "resign B", "forfeit A", "forfeit B", "void")
REPETITIONS = ("none", "ko", "superko", "superko-situational")
START_BOARD = "8/8/3BA3/2B2A2/2A2B2/3AB3/8/8"


class RefusedError(Exception):
    """Input that must be refused: what kind of fault, a sentence, the index of an action."""

    def __init__(self, kind: str, why: str, index: int | None = None) -> None:
        super().__init__(why)
        self.kind, self.why, self.index = kind, why, index


@dataclass(frozen=True)
class Options:
    repetition: str = "superko"
    first: str = "A"
    turn_limit: int = 0


@dataclass(frozen=True)
class Position:
    board: Board
    side: str
    reserve: dict[str, int]
    dead: dict[str, int]
    turn: int
    history: list[Board]  # oldest first, the present board not included


# Texts. Decimal converts integers of any length; plain int() and str() stop at 4300 digits.


def to_int(digits: str) -> int:
    return int(Decimal(digits))


def square_text(square: Square) -> str:
    return "abcdefgh"[square[0] - 1] + str(square[1])


def board_text(board: Board) -> str:
    ranks = []
    for y in range(8, 0, -1):
        cells = "".join(board.get((x, y), ".") for x in range(1, 9))
        ranks.append(re.sub(r"\.+", lambda run: str(len(run.group())), cells))
    return "/".join(ranks)


def position_text(p: Position) -> str:
    reserve = f"{p.reserve['A']},{p.reserve['B']}"
    dead = f"{p.dead['A']},{p.dead['B']}"
    history = ";".join(board_text(b) for b in p.history) or "-"
    return f"{board_text(p.board)} {p.side} {reserve} {dead} {Decimal(p.turn)} {history}"


def read_board(text: str) -> Board:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise RefusedError("position", "A board has eight ranks.")
    board: Board = {}
    for y, rank in zip(range(8, 0, -1), ranks, strict=True):
        if re.search("[^AB12345678]", rank):
            raise RefusedError("position", "A rank holds A, B and the digits 1 to 8 only.")
        if re.search("[1-8][1-8]", rank):
            raise RefusedError("position", "Two digits stand side by side.")
        cells = re.sub("[1-8]", lambda digit: "." * int(digit.group()), rank)
        if len(cells) != 8:
            raise RefusedError("position", "A rank is not eight squares wide.")
        board.update({(x, y): c for x, c in enumerate(cells, 1) if c != "."})
    return board


def count(board: Board, side: str) -> int:
    return list(board.values()).count(side)


def trim_history(history: list[Board], options: Options) -> list[Board]:
    return {"none": [], "ko": history[-1:]}.get(options.repetition, history)


def read_position(text: str, options: Options) -> Position:
    if text == "start":
        text = f"{START_BOARD} {options.first} 4,4 0,0 1 -"
    fields = text.split(" ")
    if len(fields) != 6:
        raise RefusedError("position", "A position has six fields, separated by single blanks.")
    board = read_board(fields[0])
    shapes = ("[AB]", "[0-4],[0-4]", "[0-8],[0-8]", "[1-9][0-9]*")
    for field, shape in zip(fields[1:5], shapes, strict=True):
        if not re.fullmatch(shape, field):
            raise RefusedError("position", "A field is not written as it must be.")
    side = fields[1]
    reserve = dict(zip("AB", map(int, fields[2].split(",")), strict=True))
    dead = dict(zip("AB", map(int, fields[3].split(",")), strict=True))
    if any(count(board, s) + reserve[s] + dead[s] != 8 for s in "AB"):
        raise RefusedError("position", "Each side has eight pieces in all.")
    history = [] if fields[5] == "-" else [read_board(b) for b in fields[5].split(";")]
    if any(count(b, s) != count(board, s) for b in history for s in "AB"):
        raise RefusedError("position", "A board of the history has other piece counts.")
    if options.repetition == "superko" and board in history:
        raise RefusedError("position", "The history contains the present board.")
    if options.repetition == "superko-situational" and board in history[-2::-2]:
        raise RefusedError("position", "The history contains the present board with the same side.")
    return Position(board, side, reserve, dead, to_int(fields[4]), trim_history(history, options))


# Moves


def ahead(square: Square, v: Square, steps: int) -> Square:
    return (square[0] + steps * v[0], square[1] + steps * v[1])


def chains(board: Board, v: Square) -> Iterator[list[Square]]:
    """Every chain along v, of either colour, its squares in the order of v."""
    for first in board:
        for length in range(1, 9):
            chain = [ahead(first, v, i) for i in range(length)]
            if all(board.get(square) == board[first] for square in chain):
                yield chain


def slide(board: Board, chain: list[Square], v: Square, distance: int) -> Board | None:
    """The board after the chain slid along v; None where its way is not free."""
    outside = {square: c for square, c in board.items() if square not in chain}
    for step in range(1, distance + 1):
        if any(ahead(square, v, step) in outside for square in chain):
            return None
    landed = {ahead(square, v, distance): board[square] for square in chain}
    return outside | {square: c for square, c in landed.items() if square in SQUARES}


Rank = tuple[int, int, int, Square]  # of spellings with one result the least is canonical


def moves(board: Board, side: str) -> dict[str, tuple[Rank, Board]]:
    """Every spelling of every move, before any repetition rule, with its rank and its result."""
    found: dict[str, tuple[Rank, Board]] = {}
    names = {v: name for name, v in DIRECTIONS.items()}
    for v in DIRECTIONS.values():
        back = (-v[0], -v[1])
        along = list(chains(board, v))
        for anchor in [chain for chain in along if board[chain[0]] == side]:
            for selected in along:
                gaps = [n for n in range(1, 8) if ahead(anchor[-1], v, n) == selected[0]]
                if not gaps or set(anchor) & set(selected):
                    continue  # not ahead on the same line, or not disjoint
                if any(ahead(anchor[-1], v, n) in board for n in range(1, gaps[0])):
                    continue  # something between
                power = len(anchor) // len(selected)
                for distance in range(1, power + 1):
                    for way, chain in ((v, selected), (back, selected[::-1])):  # push, pull
                        result = slide(board, chain, way, distance)
                        if result is None:
                            continue
                        name = names[way]
                        ends = [chain[0]] if len(chain) == 1 else [chain[0], chain[-1]]
                        text = f"{'-'.join(map(square_text, ends))}:{name}{distance}"
                        order = list(DIRECTIONS).index(name)
                        found[text] = ((len(chain), distance, order, chain[0]), result)
    return found


def after(p: Position, board: Board, options: Options, placed: bool) -> Position:
    reserve, dead = dict(p.reserve), dict(p.dead)
    if placed:
        reserve[p.side] -= 1
    else:
        for s in "AB":
            dead[s] += count(p.board, s) - count(board, s)
    history = [] if placed or dead != p.dead else [*p.history, p.board]
    return Position(board, OTHER[p.side], reserve, dead, p.turn + 1, trim_history(history, options))


def is_barred(p: Position, board: Board, options: Options) -> bool:
    """Is this result of a move forbidden? (The counts differ, so no death is ever barred.)"""
    earlier = {
        "none": [],
        "ko": p.history[-1:],  # before the opponent's latest action
        "superko": [*p.history, p.board],
        "superko-situational": p.history[::-1][::2],  # those with the opponent to act
    }
    return board in earlier[options.repetition]


def legal(p: Position, options: Options) -> tuple[dict[str, str], dict[str, Position]]:
    """All legal spellings with their canonical ones; all canonical ones with what follows.

    The end of the game by `turn_limit` or by an event is not looked at here.
    """
    spelled: dict[str, str] = {}
    follows: dict[str, Position] = {}
    if p.reserve[p.side] > 0:
        for square in SQUARES:
            if square not in p.board:
                text = "@" + square_text(square)
                spelled[text] = text
                follows[text] = after(p, p.board | {square: p.side}, options, True)
    results: dict[str, list[tuple[Rank, str]]] = {}  # by board: it determines the state
    for text, (rank, board) in moves(p.board, p.side).items():
        if not is_barred(p, board, options):
            results.setdefault(board_text(board), []).append((rank, text))
    for result, group in results.items():
        canonical = min(group)[1]
        spelled.update({text: canonical for _, text in group})
        follows[canonical] = after(p, read_board(result), options, False)
    return spelled, follows


def ending(p: Position, options: Options) -> tuple[str, str] | None:
    """Result and reason where the game is over before the side acts, events aside."""
    if not legal(p, options)[0]:
        return OTHER[p.side], "no_action"
    if 0 < options.turn_limit < p.turn:
        return "draw", "turn_limit"
    return None


# The rules filter


def no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def read_request(line: str) -> dict[str, object]:
    try:
        request: object = json.loads(line, parse_constant=no_constant, parse_int=to_int)
    except (ValueError, RecursionError):
        raise RefusedError("input", "The line is not JSON.") from None
    if not isinstance(request, dict):
        raise RefusedError("input", "The line is not a JSON object.")
    if request.get("game") != "kalamala":
        raise RefusedError("input", "The game is unknown.")
    if "view" in request and request["view"] not in ("A", "B", "spectator"):
        raise RefusedError("input", "The view is unknown.")
    if not isinstance(request.get("position", "start"), str):
        raise RefusedError("input", "The position is not a string.")
    if not isinstance(request.get("options", {}), dict):
        raise RefusedError("input", "The options are not an object.")
    actions = request.get("actions", [])
    if not isinstance(actions, list) or not all(isinstance(a, str) for a in actions):
        raise RefusedError("input", "The actions are not a list of strings.")
    return request


def read_options(given: dict[str, object]) -> Options:
    options = Options()
    for name, value in given.items():
        if name == "repetition" and isinstance(value, str) and value in REPETITIONS:
            options = replace(options, repetition=value)
        elif name == "first" and isinstance(value, str) and value in ("A", "B"):
            options = replace(options, first=value)
        elif name == "turn_limit" and type(value) is int and value >= 0:
            options = replace(options, turn_limit=value)
        else:
            raise RefusedError("options", "An option has an unknown name or a wrong value.")
    return options


def answer(line: str) -> dict[str, object]:
    """What the rules filter answers to one line."""
    try:
        return describe(read_request(line))
    except RefusedError as fault:
        return {"error": fault.kind, "index": fault.index, "why": fault.why}


def describe(request: dict[str, object]) -> dict[str, object]:
    given, text = request.get("options", {}), request.get("position", "start")
    actions, view = request.get("actions", []), request.get("view")
    assert isinstance(given, dict)
    assert isinstance(text, str)
    assert isinstance(actions, list)
    options = read_options(given)
    p = read_position(text, options)
    end = ending(p, options)
    played: list[str] = []
    for index, action in enumerate(actions):
        if end is not None:
            raise RefusedError("action", "The match is over.", index)
        if action in EVENTS:
            reason, _, loser = action.partition(" ")
            end = (OTHER[loser] if loser else "void", reason)
            played.append(action)
            continue
        spelled, follows = legal(p, options)
        if action not in spelled:
            raise RefusedError("action", "This is not a legal action here.", index)
        played.append(spelled[action])
        p = follows[spelled[action]]
        end = ending(p, options)
    hidden = end is not None or ("view" in request and view != p.side)
    return {
        "position": position_text(p),
        "legal": [] if hidden else sorted(legal(p, options)[1]),
        "to_act": None if end else p.side,
        "terminal": end is not None,
        "result": end[0] if end else None,
        "reason": end[1] if end else None,
        "played": played,
    }


# Positions for tests


def random_board(rng: random.Random, wanted: dict[str, int]) -> Board:
    """A board with so many pieces of each side: scattered, crowded, at the edge or in rows."""
    style = rng.choice(("scattered", "crowded", "edge", "rows", "rows"))
    colours = [s for s in "AB" for _ in range(wanted[s])]
    if rng.random() < 0.7:
        rng.shuffle(colours)  # else rows of one colour
    places = rng.sample(SQUARES, 64)
    if style == "crowded":
        cx, cy = rng.choice(SQUARES)
        places.sort(key=lambda q: max(abs(q[0] - cx), abs(q[1] - cy)))
    elif style == "edge":
        places.sort(key=lambda q: 2 < q[0] < 7 and 2 < q[1] < 7)
    elif style == "rows":
        rows: list[Square] = []
        while len(set(rows)) < len(colours):
            start, v = rng.choice(SQUARES), rng.choice(list(DIRECTIONS.values()))
            gap = rng.choice((0, 0, 0.2, 0.4))
            line = [ahead(start, v, n) for n in range(rng.randint(2, 8))]
            rows += [q for q in line if q in SQUARES and rng.random() >= gap]
        places = list(dict.fromkeys(rows))
    return dict(zip(places, colours, strict=False))


def random_position(rng: random.Random) -> str:
    """A varied position text, valid under every option."""
    most = rng.choice((1, 2, 3, 5, 8, 8))
    wanted = {s: rng.randint(0 if rng.random() < 0.1 else min(most, 2), most) for s in "AB"}
    if rng.random() < 0.2:
        wanted = {"A": 8, "B": 8}
    spare = rng.choice((0, 0, 1, 4))
    reserve = {s: rng.randint(0, min(spare, 8 - wanted[s])) for s in "AB"}
    dead = {s: 8 - wanted[s] - reserve[s] for s in "AB"}
    turn = rng.choice((1, 2, rng.randint(3, 60), rng.randint(61, 600), rng.randint(1, 10**25)))
    p = Position(random_board(rng, wanted), rng.choice("AB"), reserve, dead, turn, [])
    for _ in range(rng.choice((0, 0, 1, 2, 5, 12))):  # random play, repetitions included
        results = [board for _, board in moves(p.board, p.side).values()]
        keeping = [board for board in results if len(board) == len(p.board)]
        follows = list(legal(p, Options())[1].values())
        if keeping and rng.random() < 0.9:
            p = after(p, rng.choice(keeping), Options(), False)
        elif follows:
            p = rng.choice(follows)
    history = list(p.history)
    if rng.random() < 0.4:  # forbid some, perhaps all, of the moves that repetition can forbid
        share = rng.choice((0.3, 0.7, 1.0))
        for _, board in moves(p.board, p.side).values():
            if len(board) == len(p.board) and rng.random() < share:
                history.insert(rng.randint(0, len(history)), board)
    history = [board for board in history if board != p.board]
    return position_text(replace(p, history=history))


def spoil(text: str, rng: random.Random) -> str:
    """The position text with one fault in it, probably: some faults may leave it valid."""
    fields = text.split(" ")
    board, side, reserve, dead, turn, history = fields
    at = rng.randrange(len(text))
    field = rng.randrange(6)
    past = "" if history == "-" else history + ";"
    junk = rng.choice("AB0123456789/,;- abXx.+_\t\n\u00b2\u0661\uff11")

    def with_field(n: int, new: str) -> str:
        return " ".join([*fields[:n], new, *fields[n + 1 :]])

    def split_digit(ranks: str) -> str:
        return re.sub("[2-8]", lambda d: f"1{int(d.group()) - 1}", ranks, count=1)

    ways: list[Callable[[], str]] = [
        lambda: text[:at] + junk + text[at:],
        lambda: text[:at] + junk + text[at + 1 :],
        lambda: text[:at] + text[at + 1 :],
        lambda: rng.choice((text.lower(), text.upper() + "\n", " " + text, text + " ", "")),
        lambda: rng.choice(("Start", "start ", "START", "-", text.replace(" ", "  ", 1))),
        lambda: " ".join(fields[:field] + fields[field + 1 :]),
        lambda: " ".join([*fields, rng.choice(fields)]),
        lambda: with_field(field, ""),
        lambda: with_field(0, split_digit(board)),
        lambda: with_field(0, board.replace("8", rng.choice(("9", "80", "08", "0", "44")), 1)),
        lambda: with_field(0, board + rng.choice(("/8", "/", ";" + board))),
        lambda: with_field(0, board.replace(side, OTHER[side], 1)),
        lambda: with_field(1, rng.choice(("a", "C", "AB", "-", OTHER[side] + side))),
        lambda: with_field(2, rng.choice(("5,0", "0" + reserve, "4,4", "-1,0", reserve + ",0"))),
        lambda: with_field(2, f"{rng.randint(0, 5)},{rng.randint(0, 5)}"),
        lambda: with_field(3, rng.choice(("9,0", "0" + dead, "8,8", dead[0], dead[::-1]))),
        lambda: " ".join([board, side, dead, reserve, turn, history]),
        lambda: with_field(4, rng.choice(("0", "0" + turn, "-1", "+1", "1.0", "1_0", "x", "00"))),
        lambda: with_field(5, past + board),
        lambda: with_field(5, past + board + ";" + ";".join(rng.sample([board, board[::-1]], 2))),
        lambda: with_field(5, past + START_BOARD),
        lambda: with_field(5, past + split_digit(board[::-1])),
        lambda: with_field(5, rng.choice((";", "--", "-;-", history + ";", ";" + history, past))),
    ]
    return rng.choice(ways)()
