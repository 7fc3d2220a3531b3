"""A second, deliberately naive reading of the rules of Kahmaté.

Written from the rules alone; it shares no code with the game. Nothing here is clever or fast: a
board is a dict from square names to men as they are written, a phase stays the text it is, what
stands in between is found by geometry, and an action is legal when each clause about it holds.
`answer` says what the rules filter must answer to a request whose types are right.

`random_options`, `random_position`, `random_action` and `mutate` make requests for comparing
another implementation with this one.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

Board = dict[str, str]  # "g4": "S", "h4": "o!"

FILES, RANKS = "abcdefghijklm", "12345678"
SQUARES = [file + rank for file in FILES for rank in RANKS]
PITCH = [square for square in SQUARES if square[0] not in "am"]
OTHER = {"R": "B", "B": "R"}
LINES = {"R": "bc", "B": "lk"}
HOME = {"R": "a", "B": "m"}
FORWARD = {"R": 1, "B": -1}
TEAM = ["S", "T", "F", "C", "O", "O"]
POINTS = {"S": 2, "T": 3, "F": 4, "C": 3, "O": 3}
ATTACK = {"S": 2, "T": 1, "F": -1, "C": 0, "O": 0}
DEFENCE = {"S": 1, "T": 0, "F": -1, "C": 1, "O": 0}
RUNS = [str(length) for length in range(1, 14)]
DECK = ["1", "2", "3", "4", "5", "6"]
EVENTS = {
    "resign R": "B",
    "resign B": "R",
    "forfeit R": "B",
    "forfeit B": "R",
    "draw": "draw",
    "void": "void",
}
CONTINUE = {"continue 2": 2, "continue 3": 3}
NUMBER = "(?:0|[1-9][0-9]*)"
PHASES = [
    "place:[RB]",
    "draw",
    "play",
    "icpt:[a-m][1-8]~[a-m][1-8]",
    "duel:[TF]:[a-m][1-8]>[a-m][1-8]:[12]:[-1-6]",
    "duel:I:[a-m][1-8]~[a-m][1-8]@[a-m][1-8]:[12]:[-1-6]",
    "exit:[a-m][1-8]>[a-m][1-8]",
    "drop:[a-m][1-8]<[a-m][1-8]",
    "over:(?:R|B|draw|void)",
]


class RefusedError(Exception):
    """Input that must be refused: which part of it, and which action."""

    def __init__(self, kind: str, index: int | None = None) -> None:
        super().__init__(kind)
        self.kind, self.index = kind, index


@dataclass(frozen=True)
class Options:
    tries: int = 1
    start: str = "R"
    pass_shape: str = "area"
    kick_shape: str = "area"
    between: str = "both"
    force_beyond: str = "opponent"
    force_down: str = "yes"
    perfect: str = "atleast"
    turn_limit: int = 0
    hold_limit: int = 0
    force_exit: str = "must"
    kick_in_goal: bool = False
    placement: str = "hidden"


CHOICES: dict[str, list[int] | list[str] | list[bool]] = {
    "tries": [1, 2, 3],
    "start": ["R", "B"],
    "pass_shape": ["area", "line"],
    "kick_shape": ["area", "line"],
    "between": ["both", "diag"],
    "force_beyond": ["opponent", "any", "exit"],
    "force_down": ["yes", "no"],
    "perfect": ["atleast", "exact"],
    "force_exit": ["must", "may"],
    "kick_in_goal": [False, True],
    "placement": ["hidden", "open"],
}


@dataclass
class Position:
    board: Board
    turn: str
    phase: str
    movers: dict[str, int]
    ball: str | None
    hands: dict[str, list[str]]
    score: dict[str, int]
    turns: int
    hold: tuple[str, int, str] | None  # side, count, best file
    raised: int | None = None  # the tries needed since the captains have played on


# Men and squares


def side_of(man: str) -> str:
    return "R" if man[0].isupper() else "B"


def kind_of(man: str) -> str:
    return man[0].upper()


def mark_of(man: str) -> int:
    return man.count("!")


def square_beside(square: str, files: int, ranks: int) -> str | None:
    """The square so many files and ranks away; None off the board."""
    file, rank = FILES.index(square[0]) + files, RANKS.index(square[1]) + ranks
    return FILES[file] + RANKS[rank] if file in range(13) and rank in range(8) else None


def files_from(a: str, b: str) -> int:
    return FILES.index(b[0]) - FILES.index(a[0])


def ranks_from(a: str, b: str) -> int:
    return RANKS.index(b[1]) - RANKS.index(a[1])


def files_forward(side: str, a: str, b: str) -> int:
    return files_from(a, b) * FORWARD[side]


@cache
def adjacent(a: str, b: str) -> bool:
    return abs(files_from(a, b)) + abs(ranks_from(a, b)) == 1


@cache
def within_reach(a: str) -> list[str]:
    """Nothing that a man does in one action goes further than three files and three ranks."""
    return [b for b in SQUARES if abs(files_from(a, b)) <= 3 and abs(ranks_from(a, b)) <= 3]


def in_goal(square: str) -> bool:
    return square[0] in "am"


def straight_or_diagonal(a: str, b: str) -> bool:
    return ranks_from(a, b) == 0 or abs(ranks_from(a, b)) == abs(files_from(a, b))


@cache
def squares_between(a: str, b: str) -> frozenset[str]:
    """The squares, other than the ends, whose inside meets the segment between the centres."""
    half = Fraction(1, 2)
    found = set()
    for square in SQUARES:
        if square in (a, b):
            continue
        first, last = Fraction(0), Fraction(1)  # the part of the way that is inside
        for way, offset in (
            (files_from(a, b), files_from(a, square)),
            (ranks_from(a, b), ranks_from(a, square)),
        ):
            if way == 0:
                if offset != 0:
                    last = first
            else:
                enters, leaves = sorted(((offset - half) / way, (offset + half) / way))
                first, last = max(first, enters), min(last, leaves)
        if first < last:
            found.add(square)
    return frozenset(found)


def in_between(options: Options, a: str, b: str) -> set[str]:
    knightly = {abs(files_from(a, b)), abs(ranks_from(a, b))} == {1, 2}
    if knightly and options.between == "diag":
        return {
            q for q in squares_between(a, b) if abs(files_from(a, q)) == abs(ranks_from(a, q)) == 1
        }
    return set(squares_between(a, b))


def men_of(p: Position, side: str) -> list[str]:
    """The squares of that side's men."""
    return [square for square, man in p.board.items() if side_of(man) == side]


def holds(p: Position, side: str) -> bool:
    return p.ball in men_of(p, side)


def lies_in_goal(p: Position) -> bool:
    """Has the ball been kicked into an in-goal, where nobody has it yet?"""
    return p.ball is not None and in_goal(p.ball) and p.ball not in p.board


def possesses(p: Position, side: str) -> bool:
    """Does that side hold the ball, or attack the in-goal in which it lies?"""
    if p.ball is not None and lies_in_goal(p):
        return p.ball[0] == HOME[OTHER[side]]
    return holds(p, side)


def tries_needed(p: Position, o: Options) -> int:
    return o.tries if p.raised is None else p.raised


def active_man(p: Position, square: str, side: str) -> bool:
    return square in men_of(p, side) and mark_of(p.board[square]) == 0


def points(p: Position, square: str) -> int:
    """What the man on this square may still spend in this turn."""
    if square in p.movers:
        return p.movers[square]
    return POINTS[kind_of(p.board[square])] if len(p.movers) < 2 else 0


# What may be done


def may_enter(p: Position, side: str, square: str, with_ball: bool) -> bool:
    if square in p.board or square[0] == HOME[side]:
        return False
    return with_ball or not in_goal(square)


def may_step(p: Position, o: Options, a: str, b: str) -> bool:
    return (
        adjacent(a, b)
        and active_man(p, a, p.turn)
        and points(p, a) >= 1
        and (may_enter(p, p.turn, b, p.ball == a) or (lies_in_goal(p) and p.ball == b))
    )


def may_tackle(p: Position, o: Options, a: str, b: str) -> bool:
    return (
        p.ball == b
        and adjacent(a, b)
        and active_man(p, a, p.turn)
        and points(p, a) >= 1
        and b in men_of(p, OTHER[p.turn])
    )


def exits(p: Position, a: str, b: str) -> list[str]:
    """Where the holder on a comes out when he has broken through the man on b."""
    return [
        square
        for square in SQUARES
        if adjacent(square, b) and square != a and may_enter(p, p.turn, square, True)
    ]


def way_through(p: Position, o: Options, a: str, b: str) -> bool:
    """Does nobody beyond, nor the lack of an exit, forbid charging from a through b?"""
    beyond = square_beside(b, files_from(a, b), ranks_from(a, b))
    blockers = {
        "opponent": men_of(p, OTHER[p.turn]),
        "any": list(p.board),
        "exit": [],
    }[o.force_beyond]
    return beyond not in blockers and exits(p, a, b) != []


def may_charge(p: Position, o: Options, a: str, b: str) -> bool:
    """Section 7, the opponent being up or down apart."""
    return (
        p.ball == a
        and adjacent(a, b)
        and active_man(p, a, p.turn)
        and points(p, a) >= 2
        and b in men_of(p, OTHER[p.turn])
        and way_through(p, o, a, b)
    )


def may_force(p: Position, o: Options, a: str, b: str) -> bool:
    return may_charge(p, o, a, b) and (o.force_down == "yes" or mark_of(p.board[b]) == 0)


def may_pass(p: Position, o: Options, a: str, b: str) -> bool:
    return (
        p.ball == a
        and active_man(p, a, p.turn)
        and active_man(p, b, p.turn)
        and files_forward(p.turn, a, b) in (-1, -2)
        and abs(ranks_from(a, b)) <= 2
        and (o.pass_shape == "area" or straight_or_diagonal(a, b))
    )


def interceptors(p: Position, o: Options, a: str, b: str) -> list[str]:
    return [q for q in in_between(o, a, b) if active_man(p, q, OTHER[p.turn])]


def may_kick(p: Position, o: Options, a: str, b: str) -> bool:
    return (
        p.ball == a
        and active_man(p, a, p.turn)
        and all(files_forward(p.turn, a, q) <= 0 for q in men_of(p, p.turn))
        and files_forward(p.turn, a, b) in (1, 2, 3)
        and abs(ranks_from(a, b)) <= 3
        and (o.kick_shape == "area" or straight_or_diagonal(a, b))
        and (o.kick_in_goal or not in_goal(b))
        and b not in p.board
    )


IN_PLAY: dict[str, Callable[[Position, Options, str, str], bool]] = {
    "-": may_step,
    "x": may_tackle,
    ">": may_force,
    "~": may_pass,
    "^": may_kick,
}


def to_act(p: Position) -> str | None:
    name, *rest = p.phase.split(":")
    if name == "place":
        return rest[0]
    if name == "icpt":
        return OTHER[p.turn]
    if name == "duel":
        return p.turn if rest[-1] == "-" else OTHER[p.turn]
    if name == "drop":
        return side_of(p.board[rest[0][:2]])
    return {"draw": "chance", "over": None}.get(name, p.turn)


def beside(square: str) -> list[str]:
    """The squares left and right along the goal line."""
    found = (square_beside(square, 0, -1), square_beside(square, 0, 1))
    return [q for q in found if q is not None]


def legal(p: Position, o: Options) -> list[str]:
    name, *rest = p.phase.split(":")
    found: list[str] = []
    if name == "place":
        men = men_of(p, rest[0])
        free = [q for q in SQUARES if q[0] in LINES[rest[0]] and q not in p.board]
        found = [f"{TEAM[len(men)]}@{q}" for q in free]
    elif name == "draw":
        found = [f"ball={card}" for card in DECK]
    elif name == "play":
        found = [
            a + sign + b
            for sign, may in IN_PLAY.items()
            for a in men_of(p, p.turn)
            for b in within_reach(a)
            if may(p, o, a, b)
        ]
        found.append("end")
    elif name == "icpt":
        a, b = rest[0].split("~")
        found = [f"int={q}" for q in interceptors(p, o, a, b)]
        found.append("no")
    elif name == "duel":
        side = to_act(p)
        assert side is not None
        found = [f"card={card}" for card in p.hands[side]]
    elif name == "exit":
        a, b = rest[0].split(">")
        found = [f"exit={q}" for q in exits(p, a, b)]
        if o.force_exit == "may":
            found.append("no")
    elif name == "drop":
        fallen, _ = rest[0].split("<")
        found = [f"drop={q}" for q in beside(fallen)]
    return sorted(found)


# What happens


def leader(p: Position) -> str:
    if p.score["R"] == p.score["B"]:
        return "draw"
    return "R" if p.score["R"] > p.score["B"] else "B"


def run(p: Position, a: str, b: str, cost: int, o: Options) -> None:
    """A man goes from a to b, the ball with him if he has it, perhaps for a try."""
    left = points(p, a) - cost
    p.movers.pop(a, None)
    p.movers[b] = left
    p.board[b] = p.board.pop(a)
    if p.ball == a:
        p.ball = b
    p.phase = "play"
    if in_goal(b):
        score_try(p, o)


def score_try(p: Position, o: Options) -> None:
    p.score[p.turn] += 1
    p.turns += 1
    p.movers = {}
    p.hold = None
    if p.score[p.turn] == tries_needed(p, o):
        p.phase = "over:" + p.turn
    elif p.turns == o.turn_limit:
        p.phase = "over:" + leader(p)
    else:
        start_again(p)


def start_again(p: Position) -> None:
    """After a try of the side on turn."""
    p.board = {}
    p.ball = None
    p.phase = "place:R"
    p.turn = OTHER[p.turn]


def may_continue(p: Position, o: Options, tries: int) -> bool:
    """Was it won by the try that reached the number, and does this one lie beyond it?"""
    winner = p.phase.partition(":")[2]
    return (
        p.phase.startswith("over")
        and winner in OTHER
        and p.score[winner] == tries_needed(p, o)
        and tries > tries_needed(p, o)
        and (o.turn_limit == 0 or p.turns < o.turn_limit)
    )


def end_turn(p: Position, o: Options) -> None:
    ending = p.turn
    for square in men_of(p, ending):
        if mark_of(p.board[square]) > 0:
            p.board[square] = p.board[square][:-1]
    p.movers = {}
    p.turns += 1
    p.turn = OTHER[ending]
    if p.turns == o.turn_limit:
        p.phase = "over:" + leader(p)
        p.hold = None
    elif o.hold_limit > 0:
        update_hold(p, o, ending)


def update_hold(p: Position, o: Options, ending: str) -> None:
    assert p.ball is not None
    if not possesses(p, "R") and not possesses(p, "B"):
        p.hold = None
    elif possesses(p, ending):
        file = p.ball[0]
        if p.hold is None or files_forward(ending, p.hold[2] + "1", file + "1") > 0:
            p.hold = (ending, 0, file)
        else:
            p.hold = (p.hold[0], p.hold[1] + 1, p.hold[2])
        if p.hold[1] == o.hold_limit:
            p.ball = None
            p.hold = None
            p.phase = "draw"


def knock_out(p: Position, square: str) -> None:
    man = p.board[square]
    p.board[square] = man[0] + ("!!" if side_of(man) == p.turn else "!")


def drop_ball(p: Position, fallen: str, against: str) -> None:
    p.phase = "play"
    behind = square_beside(fallen, -FORWARD[side_of(p.board[fallen])], 0)
    if behind is not None and not in_goal(behind):
        p.ball = behind
        return
    far = square_beside(fallen, files_from(against, fallen), ranks_from(against, fallen))
    if far is not None and not in_goal(far):
        p.ball = far
        return
    left = [q for q in SQUARES if adjacent(q, fallen) and not in_goal(q) and q != against]
    if len(left) == 1:
        p.ball = left[0]
    else:
        p.phase = f"drop:{fallen}<{against}"


def reveal(p: Position, o: Options, second: str) -> None:
    """The other captain has put down his card too: both are turned up."""
    _, duel, squares, rounds, first = p.phase.split(":")
    a, b, *x = re.split("[>~@]", squares)
    defender = x[0] if duel == "I" else b
    p.hands[p.turn].remove(first)
    p.hands[OTHER[p.turn]].remove(second)
    for side in "RB":
        p.hands[side] = p.hands[side] or list(DECK)
    margin = int(first) + ATTACK[kind_of(p.board[a])]
    margin -= int(second) + DEFENCE[kind_of(p.board[defender])]
    if margin == 0 and rounds == "1":
        p.phase = f"duel:{duel}:{squares}:2:-"
        return
    p.phase = "play"
    if duel == "I":
        p.ball = b if margin > 0 else defender
    elif duel == "T":
        if margin <= 0:
            knock_out(p, a)
            return
        knock_out(p, b)
        if margin == 2 or (margin > 2 and o.perfect == "atleast"):
            p.ball = a
        else:
            drop_ball(p, b, a)
    elif margin > 0:
        knock_out(p, b)
        p.phase = f"exit:{a}>{b}"
    else:
        knock_out(p, a)
        p.movers[a] = 0
        drop_ball(p, a, b)


def perform(p: Position, o: Options, action: str) -> None:
    """Do a legal action."""
    name, *rest = p.phase.split(":")
    value = action.partition("=")[2]
    if name == "place":
        kind, square = action.split("@")
        p.board[square] = kind if rest[0] == "R" else kind.lower()
        if len(men_of(p, rest[0])) == 6:
            p.phase = "place:B" if rest[0] == "R" else "draw"
    elif name == "draw":
        p.ball = "g" + str(int(value) + 1)
        p.phase = "play"
    elif name == "play":
        perform_in_play(p, o, action)
    elif name == "icpt":
        a, b = rest[0].split("~")
        if action == "no":
            p.ball = b
            p.phase = "play"
        else:
            p.hold = None
            p.phase = f"duel:I:{a}~{b}@{value}:1:-"
    elif name == "duel":
        if rest[-1] == "-":
            p.phase = p.phase[:-1] + value
        else:
            reveal(p, o, value)
    elif name == "exit":
        a, _ = rest[0].split(">")
        if action == "no":
            p.movers[a] = points(p, a) - 1
            p.phase = "play"
        else:
            run(p, a, value, 2, o)
    elif name == "drop":
        p.ball = value
        p.phase = "play"


def perform_in_play(p: Position, o: Options, action: str) -> None:
    if action == "end":
        end_turn(p, o)
        return
    a, sign, b = action[:2], action[2], action[3:]
    if sign == "-" and b[0] == HOME[p.turn]:
        p.movers[a] = points(p, a) - 1
        p.ball = a
        p.hold = None
    elif sign == "-":
        run(p, a, b, 1, o)
    elif sign == "x":
        p.movers[a] = 0
        p.hold = None
        p.phase = f"duel:T:{a}>{b}:1:-"
    elif sign == ">":
        p.movers[a] = points(p, a)
        p.hold = None
        p.phase = f"duel:F:{a}>{b}:1:-"
    elif sign == "~" and interceptors(p, o, a, b):
        p.phase = f"icpt:{a}~{b}"
    else:
        p.ball = b


def act(p: Position, o: Options, action: str) -> Position | None:
    """What an action or an event makes of the position; None where it is refused."""
    after = copy.deepcopy(p)
    if action in EVENTS and not p.phase.startswith("over"):
        after.phase = "over:" + EVENTS[action]
        return after
    if action in CONTINUE:
        if not may_continue(p, o, CONTINUE[action]):
            return None
        start_again(after)
        after.raised = CONTINUE[action]
        return after
    if action not in legal(p, o):
        return None
    perform(after, o, action)
    return after


# Texts. Decimal converts integers of any length; plain int() and str() stop at 4300 digits.


def to_int(digits: str) -> int:
    return int(Decimal(digits))


def board_text(board: Board) -> str:
    ranks = []
    for rank in RANKS:
        cells = "".join(board.get(file + rank, ".") for file in FILES)
        ranks.append(re.sub(r"\.+", lambda run: str(len(run.group())), cells))
    return "/".join(ranks)


def position_text(p: Position) -> str:
    fields = [
        board_text(p.board),
        p.turn,
        p.phase,
        ",".join(f"{square}:{left}" for square, left in sorted(p.movers.items())) or "-",
        p.ball or "-",
        "".join(sorted(p.hands["R"])) + "/" + "".join(sorted(p.hands["B"])),
        f"{p.score['R']}-{p.score['B']}" + (f"/{p.raised}" if p.raised else ""),
        str(Decimal(p.turns)),
        f"{p.hold[0]}:{Decimal(p.hold[1])}:{p.hold[2]}" if p.hold else "-",
    ]
    return " ".join(fields)


def view_text(p: Position, o: Options, viewer: str | None) -> str:
    shown = copy.deepcopy(p)
    if viewer is not None and p.phase.startswith("place") and o.placement == "hidden":
        shown.board = {q: man for q, man in p.board.items() if side_of(man) == viewer}
    if viewer not in (None, p.turn) and re.fullmatch("duel.*[1-6]", p.phase):
        shown.phase = p.phase[:-1] + "?"
    return position_text(shown)


def must(fine: object) -> None:
    if not fine:
        raise RefusedError("position")


def read_board(text: str) -> Board:
    board: Board = {}
    ranks = text.split("/")
    must(len(ranks) == 8)
    for rank, row in zip(RANKS, ranks, strict=True):
        tokens = re.findall("[0-9]+|[STFCOstfco]!{0,2}", row)
        must("".join(tokens) == row)
        cells: list[str] = []
        for token in tokens:
            if token[0].isdigit():
                must(token in RUNS)
                cells += [""] * int(token)
            else:
                cells.append(token)
        must(len(cells) == 13)
        board.update({file + rank: man for file, man in zip(FILES, cells, strict=True) if man})
    return board


def read_position(text: str, o: Options) -> Position:
    if text == "start":
        text = f"{'/'.join(['13'] * 8)} {o.start} place:R - - 123456/123456 0-0 0 -"
    fields = text.split(" ")
    must(len(fields) == 9)
    shapes = [
        "[^ ]+",
        "[RB]",
        "|".join(PHASES),
        "-|[a-m][1-8]:[0-4](?:,[a-m][1-8]:[0-4])?",
        "-|[a-m][1-8]",
        "1?2?3?4?5?6?/1?2?3?4?5?6?",
        f"{NUMBER}-{NUMBER}(?:/[1-9][0-9]*)?",
        NUMBER,
        f"-|[RB]:{NUMBER}:[a-m]",
    ]
    for field, shape in zip(fields, shapes, strict=True):
        must(re.fullmatch(shape, field))
    board, turn, phase, movers, ball, hands, score, turns, hold = fields
    moving = [] if movers == "-" else [mover.split(":") for mover in movers.split(",")]
    squares = [square for square, _ in moving]
    must(squares == sorted(set(squares)))
    holding = hold.split(":")
    score, _, raised = score.partition("/")
    p = Position(
        board=read_board(board),
        turn=turn,
        phase=phase,
        movers={square: int(left) for square, left in moving},
        ball=None if ball == "-" else ball,
        hands={side: list(cards) for side, cards in zip("RB", hands.split("/"), strict=True)},
        score={side: to_int(n) for side, n in zip("RB", score.split("-"), strict=True)},
        turns=to_int(turns),
        hold=None if hold == "-" else (holding[0], to_int(holding[1]), holding[2]),
        raised=to_int(raised) if raised else None,
    )
    must(raised_fits(p, o))
    must(teams_fit(p))
    must(0 < len(p.hands["R"]) == len(p.hands["B"]))
    if phase.startswith("over"):
        must(over_by_try(p, o) or over_by_turn_limit(p, o) or over_by_event(p, o))
    else:
        must(on_the_pitch(p, o) and under_way(p, o) and movers_fit(p) and hold_fits(p, o))
        must(phase_fits(p, o))
    return p


# Which positions there can be


def teams_fit(p: Position) -> bool:
    for side in "RB":
        kinds = [kind_of(p.board[square]) for square in men_of(p, side)]
        if any(kinds.count(kind) > TEAM.count(kind) for kind in TEAM):
            return False
    return True


def raised_fits(p: Position, o: Options) -> bool:
    if p.raised is None:
        return True
    before = dict(p.score)
    if p.phase.startswith("over") and any(in_goal(q) for q in p.board):
        before[p.turn] -= 1
    return o.tries < p.raised <= 3 and max(before.values()) >= o.tries


def on_the_pitch(p: Position, o: Options) -> bool:
    if any(in_goal(q) for q in p.board):
        return False
    if p.ball is None or not in_goal(p.ball):
        return True
    kicked = o.kick_in_goal and p.phase.split(":")[0] in ("play", "over")
    return kicked and any(possesses(p, side) and men_of(p, side) for side in "RB")


def under_way(p: Position, o: Options) -> bool:
    """Neither the tries nor the turns have ended the match."""
    return max(p.score.values()) < tries_needed(p, o) and (
        o.turn_limit == 0 or p.turns < o.turn_limit
    )


def movers_fit(p: Position) -> bool:
    for square, left in p.movers.items():
        if square not in men_of(p, p.turn) or left > POINTS[kind_of(p.board[square])]:
            return False
        if mark_of(p.board[square]) == 1:
            return False
    for square, man in p.board.items():
        if mark_of(man) == 2 and p.movers.get(square) != 0:
            return False
    return True


def hold_fits(p: Position, o: Options) -> bool:
    if p.hold is None:
        return True
    side, count, file = p.hold
    name = p.phase.split(":")[0]
    if o.hold_limit == 0 or name not in ("play", "icpt", "over") or p.ball is None:
        return False
    kicked_there = lies_in_goal(p) and possesses(p, side) and file == p.ball[0]
    if count >= o.hold_limit or (file in "am" and not kicked_there):
        return False
    if side == p.turn:
        return not possesses(p, OTHER[side])
    return possesses(p, side) and files_forward(side, file + "1", p.ball) <= 0


def half_placed(p: Position, side: str) -> bool:
    """Set-up, with that side's men being placed."""
    wanted = {"R": TEAM, "B": TEAM}
    wanted[side] = TEAM[: len(men_of(p, side))]
    if len(wanted[side]) > 5:
        return False
    if side == "R":
        wanted["B"] = []
    for who in "RB":
        if sorted(kind_of(p.board[q]) for q in men_of(p, who)) != sorted(wanted[who]):
            return False
    return p.ball is None and not p.movers and lined_up(p)


def lined_up(p: Position) -> bool:
    """Everybody is up, and on his own first two lines."""
    return all(mark_of(man) == 0 and q[0] in LINES[side_of(man)] for q, man in p.board.items())


def awaits_draw(p: Position, o: Options) -> bool:
    if p.ball is not None or p.movers:
        return False
    fresh = len(p.board) == 12 and lined_up(p)
    stale = o.hold_limit > 0 and men_of(p, OTHER[p.turn]) != []
    return fresh or stale


def phase_fits(p: Position, o: Options) -> bool:
    name, *rest = p.phase.split(":")
    if name == "place":
        return half_placed(p, rest[0])
    if name == "draw":
        return awaits_draw(p, o)
    named = re.findall("[a-m][1-8]", p.phase)
    if p.ball is None or any(square not in p.board for square in named):
        return False
    if name == "icpt":
        a, b = named
        return may_pass(p, o, a, b) and interceptors(p, o, a, b) != []
    if name == "duel":
        return duel_fits(p, o, rest[0], named, rest[-1])
    if name == "exit":
        a, b = named
        return a in p.movers and may_charge(p, o, a, b) and mark_of(p.board[b]) > 0
    if name == "drop":
        fallen, against = named
        return drop_fits(p, o, fallen, against)
    return name == "play"


def duel_fits(p: Position, o: Options, duel: str, named: list[str], card: str) -> bool:
    if card != "-" and card not in p.hands[p.turn]:
        return False
    a, b = named[:2]
    if duel == "I":
        return may_pass(p, o, a, b) and named[2] in interceptors(p, o, a, b)
    if duel == "F":
        return a in p.movers and may_force(p, o, a, b)
    return (
        active_man(p, a, p.turn)
        and p.movers.get(a) == 0
        and b in men_of(p, OTHER[p.turn])
        and adjacent(a, b)
        and p.ball == b
    )


def drop_fits(p: Position, o: Options, fallen: str, against: str) -> bool:
    side = side_of(p.board[fallen])
    if mark_of(p.board[fallen]) == 0 or p.ball != fallen:
        return False
    if fallen[0] != LINES[side][0] or fallen[1] in "18":
        return False
    if against != square_beside(fallen, FORWARD[side], 0) or against not in men_of(p, OTHER[side]):
        return False
    if side == p.turn:
        return fallen in p.movers and (mark_of(p.board[against]) == 0 or o.force_down == "yes")
    return mark_of(p.board[against]) == 0 and p.movers.get(against) == 0


def over_by_try(p: Position, o: Options) -> bool:
    arrived = [square for square in p.board if in_goal(square)]
    if len(arrived) != 1 or p.ball != arrived[0] or p.movers or p.hold is not None:
        return False
    scorer = p.board[arrived[0]]
    side = side_of(scorer)
    if arrived[0][0] != HOME[OTHER[side]] or mark_of(scorer) > 0 or side != p.turn:
        return False
    if any(mark_of(p.board[q]) == 2 for q in men_of(p, OTHER[side])):
        return False
    if p.score[side] < 1 or p.score[OTHER[side]] >= tries_needed(p, o):
        return False
    if o.turn_limit > 0 and p.turns > o.turn_limit:
        return False
    if p.score[side] == tries_needed(p, o):
        return p.phase == "over:" + side
    at_limit = o.turn_limit > 0 and p.turns == o.turn_limit
    return p.score[side] < tries_needed(p, o) and at_limit and p.phase == "over:" + leader(p)


def over_by_turn_limit(p: Position, o: Options) -> bool:
    return (
        on_the_pitch(p, o)
        and p.ball is not None
        and o.turn_limit > 0
        and p.turns == o.turn_limit
        and max(p.score.values()) < tries_needed(p, o)
        and p.phase == "over:" + leader(p)
        and not p.movers
        and movers_fit(p)
        and p.hold is None
    )


def over_by_event(p: Position, o: Options) -> bool:
    if not (on_the_pitch(p, o) and under_way(p, o) and movers_fit(p) and hold_fits(p, o)):
        return False
    if p.ball is not None:
        return True
    return half_placed(p, "R") or half_placed(p, "B") or awaits_draw(p, o)


# The rules filter


def read_options(given: dict[str, Any]) -> Options:
    for name, value in given.items():
        if name in ("turn_limit", "hold_limit"):
            fine = type(value) is int and value >= 0
        else:
            choices = CHOICES.get(name, [])
            fine = any(type(value) is type(choice) and value == choice for choice in choices)
        if not fine:
            raise RefusedError("options")
    return Options(**given)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """What the rules filter answers to a request, but for the sentence under `why`."""
    try:
        return describe(request)
    except RefusedError as fault:
        return {"error": fault.kind, "index": fault.index}


def describe(request: dict[str, Any]) -> dict[str, Any]:
    o = read_options(request.get("options", {}))
    p = read_position(request.get("position", "start"), o)
    for index, action in enumerate(request.get("actions", [])):
        after = act(p, o, action)
        if after is None:
            raise RefusedError("action", index)
        p = after
    viewer, actor = request.get("view"), to_act(p)
    over = p.phase.startswith("over")
    return {
        "position": view_text(p, o, viewer),
        "legal": legal(p, o) if viewer in (None, actor) else [],
        "to_act": actor,
        "terminal": over,
        "result": p.phase.partition(":")[2] if over else None,
    }


# Requests for tests


def random_options(rng: Random) -> dict[str, Any]:
    """Some of the thirteen options, each with any of its values."""
    share = rng.choice((0.0, 0.2, 0.5, 1.0))
    found: dict[str, Any] = {name: rng.choice(values) for name, values in CHOICES.items()}
    found["turn_limit"] = rng.choice((0, 1, 2, 3, 10, 40, 200, 10**6))
    found["hold_limit"] = rng.choice((0, 1, 2, 3, 8, 8, 10**6))
    chosen = {name: value for name, value in found.items() if rng.random() < share}
    if rng.random() < 0.3:
        chosen["tries"] = rng.choice((2, 3))
    if rng.random() < 0.3:
        chosen["hold_limit"] = rng.choice((1, 2, 3))
    if rng.random() < 0.3:
        chosen["kick_in_goal"] = True
    return chosen


def recruit(rng: Random, board: Board, side: str, square: str | None, mark: str = "") -> bool:
    """Put one more man of that side there, if there is such a man and such a square."""
    mine = [kind_of(man) for man in board.values() if side_of(man) == side]
    spare = [kind for kind in TEAM if mine.count(kind) < TEAM.count(kind)]
    if square is None or square in board or in_goal(square) or not spare:
        return False
    kind = rng.choice(spare)
    board[square] = (kind if side == "R" else kind.lower()) + mark
    return True


def surround(rng: Random, board: Board, centre: str) -> None:
    """More men, most of them near the centre, some of them down."""
    spread = rng.choice((1.0, 2.0, 4.0, 9.0))
    down = rng.choice((0.0, 0.1, 0.3, 0.8))
    places = sorted(
        PITCH,
        key=lambda q: (
            abs(files_from(centre, q)) + abs(ranks_from(centre, q)) + rng.random() * spread
        ),
    )
    for square in places[: rng.choice((0, 1, 2, 4, 6, 8, 12, 18, 30))]:
        if rng.random() < 0.8:
            recruit(rng, board, rng.choice("RB"), square, "!" if rng.random() < down else "")


def random_square(rng: Random) -> str:
    """A square of the pitch; the goal lines and the touchlines are not rare."""
    files = rng.choice(("bcdefghijkl", "bl", "bckl"))
    return rng.choice(files) + rng.choice(rng.choice((RANKS, "18", "1278")))


def neighbour(rng: Random, square: str) -> str:
    """An adjacent square of the pitch, or the next one in-goal now and then."""
    near = [q for q in SQUARES if adjacent(q, square)]
    return rng.choice([q for q in near if not in_goal(q) or rng.random() < 0.1])


def fresh(rng: Random, o: Options) -> Position:
    """A position with nothing on the field: hands, score and turns only."""
    size = rng.choice((1, 1, 2, 3, 4, 5, 6, 6))
    turns = rng.choice((0, 1, rng.randrange(300), rng.randrange(10**25)))
    if o.turn_limit > 0:
        turns = max(0, o.turn_limit - rng.choice((1, 1, 1, 2, 2, 3, rng.randint(1, o.turn_limit))))
    raised = None
    score = {side: rng.randrange(o.tries) for side in "RB"}
    if o.tries < 3 and rng.random() < 0.2:
        raised = rng.randint(o.tries + 1, 3)
        score = {side: rng.randrange(raised) for side in "RB"}
        score[rng.choice("RB")] = rng.randint(o.tries, raised - 1)
    return Position(
        board={},
        turn=rng.choice("RB"),
        phase="play",
        movers={},
        ball=None,
        hands={side: sorted(rng.sample(DECK, size)) for side in "RB"},
        score=score,
        turns=turns,
        hold=None,
        raised=raised,
    )


def choose_movers(rng: Random, p: Position) -> None:
    """Up to two movers in all; those chosen here may be down."""
    wanted = rng.choice((0, 0, 1, 1, 2, 2))
    for square in rng.sample(men_of(p, p.turn), len(men_of(p, p.turn))):
        if len(p.movers) >= wanted or square in p.movers:
            continue
        man = p.board[square]
        if mark_of(man) > 0 or (rng.random() < 0.2 and p.ball != square):
            p.board[square] = man[0] + "!!"
            p.movers[square] = 0
        else:
            p.movers[square] = rng.randint(0, POINTS[kind_of(man)])


def choose_hold(rng: Random, p: Position, o: Options) -> None:
    if o.hold_limit == 0 or p.ball is None or rng.random() < 0.2:
        return
    side = OTHER[p.turn] if possesses(p, OTHER[p.turn]) else p.turn
    files = list(FILES[1:-1]) + ([p.ball[0]] * 4 if lies_in_goal(p) else [])
    if side != p.turn:
        files = [file for file in files if files_forward(side, file + "1", p.ball) <= 0]
    count = max(0, o.hold_limit - rng.choice((1, 1, 2, rng.randint(1, o.hold_limit))))
    p.hold = (side, count, rng.choice(files))


def make_place(rng: Random, o: Options) -> Position:
    p = fresh(rng, o)
    side = rng.choice("RB")
    p.phase = "place:" + side
    counts = {"R": 6, "B": 0} | {side: rng.randrange(6)}
    for who in "RB":
        squares = rng.sample([q for q in SQUARES if q[0] in LINES[who]], counts[who])
        for kind, square in zip(TEAM, squares, strict=False):
            p.board[square] = kind if who == "R" else kind.lower()
    return p


def make_draw(rng: Random, o: Options) -> Position:
    p = fresh(rng, o)
    p.phase = "draw"
    if rng.random() < 0.5:
        for side in "RB":
            lines = [q for q in SQUARES if q[0] in LINES[side]]
            for square in rng.sample(lines, 6):
                recruit(rng, p.board, side, square)
    else:
        surround(rng, p.board, rng.choice(("g4", "g6", random_square(rng))))
    return p


def make_play(rng: Random, o: Options) -> Position:
    p = fresh(rng, o)
    p.ball = random_square(rng)
    if rng.random() < 0.2:  # a try is near
        p.ball = LINES[OTHER[p.turn]][0] + p.ball[1]
    if rng.random() < 0.8:
        recruit(rng, p.board, rng.choice((p.turn, p.turn, OTHER[p.turn])), p.ball)
    if rng.random() < 0.3:
        recruit(rng, p.board, rng.choice("RB"), neighbour(rng, p.ball))
    surround(rng, p.board, p.ball)
    if o.kick_in_goal and rng.random() < 0.3:
        p.ball = rng.choice("am") + p.ball[1]
        inside = square_beside(p.ball, 1 if p.ball[0] == "a" else -1, 0)
        recruit(rng, p.board, rng.choice("RB"), inside, rng.choice(("", "", "!")))
    choose_movers(rng, p)
    choose_hold(rng, p, o)
    return p


def make_pass(rng: Random, o: Options) -> Position:
    """A pass that may be intercepted, or an attempt to do so."""
    p = fresh(rng, o)
    a, b, risky = "b1", None, list[str]()
    while b is None or in_goal(b) or not risky:
        a = random_square(rng)
        b = square_beside(a, -FORWARD[p.turn] * rng.choice((1, 2)), rng.randint(-2, 2))
        risky = sorted(in_between(o, a, b)) if b else []
    p.ball = a
    recruit(rng, p.board, p.turn, a)
    recruit(rng, p.board, p.turn, b)
    for square in risky:
        recruit(rng, p.board, OTHER[p.turn], square, rng.choice(("", "", "", "!")))
    surround(rng, p.board, a)
    choose_movers(rng, p)
    p.phase = f"icpt:{a}~{b}"
    if rng.random() < 0.5:
        p.phase = f"duel:I:{a}~{b}@{rng.choice(risky)}:{random_round(rng, p)}"
    else:
        choose_hold(rng, p, o)
    return p


def random_round(rng: Random, p: Position) -> str:
    return f"{rng.choice('12')}:{rng.choice(['-', rng.choice(p.hands[p.turn])])}"


def make_tackle(rng: Random, o: Options) -> Position:
    p = fresh(rng, o)
    p.ball = random_square(rng)
    recruit(rng, p.board, OTHER[p.turn], p.ball, rng.choice(("", "", "!")))
    a = neighbour(rng, p.ball)
    if recruit(rng, p.board, p.turn, a):
        p.movers = {a: 0}
        p.phase = f"duel:T:{a}>{p.ball}:{random_round(rng, p)}"
    surround(rng, p.board, p.ball)
    choose_movers(rng, p)
    return p


def make_force(rng: Random, o: Options) -> Position:
    """A charge that is being fought out, or one that has been won."""
    p = fresh(rng, o)
    a = p.ball = random_square(rng)
    recruit(rng, p.board, p.turn, a)
    b = neighbour(rng, a)
    won = rng.random() < 0.4
    down = "!" if won else rng.choice(("", "", "!"))
    if recruit(rng, p.board, OTHER[p.turn], b, down):
        p.movers = {a: rng.randint(2, POINTS[kind_of(p.board[a])])}
        p.phase = f"exit:{a}>{b}" if won else f"duel:F:{a}>{b}:{random_round(rng, p)}"
        if rng.random() < 0.4:
            beyond = square_beside(b, files_from(a, b), ranks_from(a, b))
            recruit(rng, p.board, rng.choice("RB"), beyond, rng.choice(("", "!")))
    surround(rng, p.board, a)
    choose_movers(rng, p)
    return p


def make_drop(rng: Random, o: Options) -> Position:
    p = fresh(rng, o)
    side = rng.choice("RB")
    fallen = p.ball = LINES[side][0] + rng.choice("234567")
    against = square_beside(fallen, FORWARD[side], 0)
    assert against is not None
    p.phase = f"drop:{fallen}<{against}"
    recruit(rng, p.board, side, fallen, "!!" if side == p.turn else "!")
    down = rng.choice(("", "!")) if side == p.turn else ""
    recruit(rng, p.board, OTHER[side], against, down)
    p.movers = {fallen if side == p.turn else against: 0}
    surround(rng, p.board, fallen)
    choose_movers(rng, p)
    return p


def make_over(rng: Random, o: Options) -> Position:
    way = rng.choice(("try", "try", "limit", "event"))
    if way == "event":
        p = rng.choice((make_place, make_draw, make_play))(rng, o)
        p.phase = "over:" + rng.choice(("R", "B", "draw", "void"))
        if p.hold is None and rng.random() < 0.2:  # without a ball it must be refused
            p.hold = (p.turn, 0, "g")
        return p
    p = make_play(rng, o)
    p.hold = None
    marked = rng.random() < 0.5
    p.board = {q: m if marked else m.replace("!!", "!") for q, m in p.board.items()}
    p.movers = {}
    p.turns = rng.choice((p.turns, o.turn_limit))
    p.phase = "over:" + leader(p)
    active = [q for q in men_of(p, p.turn) if mark_of(p.board[q]) == 0]
    if way == "try" and active:
        p.ball = HOME[OTHER[p.turn]] + rng.choice(RANKS)
        p.board[p.ball] = p.board.pop(rng.choice(active))
        most = tries_needed(p, o)
        p.score[p.turn] = rng.choice((most, most, min(most, p.score[p.turn] + 1)))
        p.phase = "over:" + (p.turn if p.score[p.turn] == most else leader(p))
    return p


MAKERS: list[Callable[[Random, Options], Position]] = [
    make_place,
    make_draw,
    make_play,
    make_play,
    make_play,
    make_pass,
    make_pass,
    make_tackle,
    make_tackle,
    make_tackle,
    make_force,
    make_force,
    make_drop,
    make_over,
    make_over,
]


def is_position(text: str, o: Options) -> bool:
    try:
        read_position(text, o)
    except RefusedError:
        return False
    return True


def random_position(rng: Random, options: dict[str, Any]) -> str:
    """A varied position text, nearly always valid under these options, in any phase."""
    o = read_options(options)
    maker = rng.choice(MAKERS)
    for _ in range(20):
        p = maker(rng, o)
        if is_position(position_text(p), o) or rng.random() < 0.1:
            break
    if is_position(position_text(p), o) and rng.random() < 0.3:
        for _ in range(rng.randint(1, 6)):
            choices = legal(p, o)
            after = act(p, o, rng.choice(choices)) if choices else None
            p = after or p
    return position_text(p)


def random_action(rng: Random, position: str) -> str:
    """An action in a right spelling, or nearly so, about squares that matter in this position."""
    board, _, phase, *rest = position.split(" ")
    named = re.findall("[a-m][1-8]", f"{phase} {rest[0]}")
    a = rng.choice([*read_board(board), *named, *re.findall("[a-m][1-8]", rest[1]) * 4, "g4"])
    sign = rng.choice("--xx>>~~^")
    reach = {"-": 1, "x": 1, ">": 1, "~": 2, "^": 3}[sign]
    reach += rng.choice((0, 0, 0, 0, 1))
    b = square_beside(a, rng.randint(-reach, reach), rng.randint(-reach, reach)) or a
    if reach == 1 and rng.random() < 0.8:
        b = neighbour(rng, a)
    near = rng.choice((a, b, neighbour(rng, a)))
    own = {
        "plac": f"{rng.choice('STFCO')}@{rng.choice('abbccdjkkllm')}{rng.choice(RANKS)}",
        "draw": f"ball={rng.randrange(8)}",
        "icpt": rng.choice((f"int={near}", f"int={a}", "no")),
        "duel": f"card={rng.randrange(8)}",
        "exit": rng.choice((f"exit={near}", f"exit={near}", "no")),
        "over": rng.choice(list(CONTINUE)),
        "drop": f"drop={near}",
    }
    action: str = a + sign + b
    if phase[:4] in own and rng.random() < 0.8:
        action = own[phase[:4]]
    elif rng.random() < 0.1:
        action = rng.choice([*own.values(), *EVENTS, *CONTINUE, "end"])
    if rng.random() < 0.03:
        odd = (action.upper(), action + " ", " " + action, action[:-1], action + "1", "", "resign")
        action = rng.choice(
            (*odd, "end\n", "resign r", "void R", "draw B", "continue 4", "no=", "card=٣")
        )
    return action


def mutate(rng: Random, position: str) -> str:
    """The position text with a fault in it, probably: some changes leave it valid."""
    fields = position.split(" ")
    at = rng.randrange(len(position) + 1)
    junk = rng.choice("STFCOstfco!!!0123456789/:,-~<>@RBabglm ?x+_\n\t²٣")
    ways: list[Callable[[], str]] = [
        lambda: position[:at] + junk + position[at:],
        lambda: position[:at] + junk + position[at + 1 :],
        lambda: position[:at] + position[at + 1 :],
        lambda: position.replace(" ", rng.choice(("  ", "", "\t")), 1),
        lambda: rng.choice(("", "Start", "start ", "-", position + " ", " " + position)),
        lambda: rng.choice((position + "\n", position.upper(), position.lower())),
    ]
    if len(fields) == 9:
        ways += [lambda: " ".join(mutate_fields(rng, fields))] * 24
        ways += [lambda: displace(rng, fields)] * 8
    return rng.choice(ways)()


def displace(rng: Random, fields: list[str]) -> str:
    """Everything that is on some squares is elsewhere, whichever field speaks of it."""
    board, turn, phase, movers, ball, *rest = fields
    a = near_squares(rng, fields)
    files, ranks = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1), (0, 3), (0, -3)))
    b = neighbour(rng, a) if rng.random() < 0.7 else rng.choice(SQUARES)
    maps: list[dict[str, str]] = [
        {q: square_beside(q, files, ranks) or q for q in SQUARES},
        {q: FILES[::-1][FILES.index(q[0])] + q[1] for q in SQUARES},
        {a: b, b: a},
        {a: b, b: a},
    ]
    to = rng.choice(maps)

    def map_squares(text: str) -> str:
        return re.sub("[a-m][1-8]", lambda q: to.get(q.group(), q.group()), text)

    there = {to.get(square, square): man for square, man in read_board(board).items()}
    if rng.random() < 0.3:
        turn = OTHER[turn]
    movers = ",".join(sorted(map_squares(movers).split(",")))
    return " ".join([board_text(there), turn, map_squares(phase), movers, map_squares(ball), *rest])


def mutate_fields(rng: Random, fields: list[str]) -> list[str]:
    """One of the nine fields changed, left out, doubled or swapped with another."""
    n = rng.choice((0, 0, 0, 0, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8))
    chance = rng.random()
    if chance < 0.03:
        return fields[:n] + fields[n + 1 :]
    if chance < 0.06:
        return [*fields[: n + 1], *fields[n:]]
    if chance < 0.08:
        return rng.sample(fields, 9)
    text = fields[n]
    if n == 0:
        text = mutate_board(rng, text)
    elif n == 1:
        text = rng.choice(("R", "B", "R", "B", "r", "RB", "-", ""))
    elif n == 2:
        text = mutate_phase(rng, text)
    elif n == 3:
        text = mutate_movers(rng, text)
    elif n == 4:
        text = rng.choice(("-", near_squares(rng, fields), rng.choice(SQUARES), "G4", ""))
    elif n == 5:
        text = mutate_hands(rng, text)
    elif n == 6:
        scores = "0-0 1-0 0-1 1-1 2-1 1-2 3-0 0-3 2-2 4-4 00-0 0-01 0:0 - -0-0 0-0-0"
        scores += " 1-0/2 0-1/3 1-1/2 2-1/3 2-0/2 0-0/2 1-0/1 1-0/4 1-0/02 1-0/ 3-1/3"
        text = rng.choice([*scores.split(), text[::-1]])
    elif n == 7:
        counts = f"0 1 2 3 10 40 200 -1 1_0 1.0 - x 0{text} +{text} {'9' * 99}"
        text = rng.choice([*counts.split(), "", str(rng.randrange(50))])
    else:
        text = mutate_hold(rng, text)
    return [*fields[:n], text, *fields[n + 1 :]]


def near_squares(rng: Random, fields: list[str]) -> str:
    """A square the position names, or one next to it."""
    square = rng.choice(re.findall("[a-m][1-8]", " ".join(fields[1:])) or SQUARES)
    return rng.choice((square, neighbour(rng, square)))


def mutate_board(rng: Random, text: str) -> str:
    ranks = text.split("/")
    n = rng.randrange(len(ranks))
    rank = ranks[n]
    men = list(re.finditer("[A-Za-z]!*", text))
    man = rng.choice(men) if men else None
    ways: list[Callable[[], str]] = [
        lambda: "/".join(rng.sample(ranks, len(ranks))),
        lambda: "/".join([*ranks, rank]),
        lambda: "/".join(ranks[:n] + ranks[n + 1 :]),
        lambda: "/".join([*ranks[:n], rank[::-1], *ranks[n + 1 :]]),
        lambda: text.replace("13", rng.choice(("14", "12", "0130", "94", "76", "013", "6S6")), 1),
        lambda: text.replace("13", rng.choice(("S12", "12s", "1O11", "11f1", "6t6", "6C!6")), 1),
        lambda: re.sub("[2-9]", lambda d: f"1{int(d.group()) - 1}", text, count=1),
        lambda: text.swapcase(),
    ]
    if man is not None:
        before, it, behind = text[: man.start()], man.group(), text[man.end() :]
        ways += [
            lambda: before + it[0] + rng.choice(("", "!", "!!", "!!!")) + behind,
            lambda: before + it[0] + rng.choice(("", "!", "!!")) + behind,
            lambda: before + it[0] + rng.choice(("", "!", "!!")) + behind,
            lambda: before + it.swapcase() + behind,
            lambda: before + rng.choice("STFCOstfcoXz") + it[1:] + behind,
            lambda: before + "1" + behind,
            lambda: before + "!" + it + behind,
        ]
    return rng.choice(ways)()


def mutate_phase(rng: Random, text: str) -> str:
    squares = re.findall("[a-m][1-8]", text)
    a = rng.choice(squares) if squares else rng.choice(SQUARES)
    b = neighbour(rng, a)
    ways: list[Callable[[], str]] = [
        lambda: text.replace(a, b, 1),
        lambda: text.replace(a, rng.choice(SQUARES), 1),
        lambda: text.replace("T", "F") if ":T:" in text else text.replace("F", "T"),
        lambda: re.sub("duel:F:(.....).*", r"exit:\1", text),
        lambda: re.sub("exit:(.....)", r"duel:F:\1:1:-", text),
        lambda: re.sub("exit:(.....)", r"duel:T:\1:1:-", text),
        lambda: re.sub("duel:I:(.....).*", r"icpt:\1", text),
        lambda: re.sub(":[12]:.$", rng.choice((":1:?", ":0:-", ":3:-", ":2:7", ":1", ":1:")), text),
        lambda: re.sub("[-1-6]$", rng.choice("-123456"), text),
        lambda: re.sub("(..)([<>~])(..)", r"\3\2\1", text),
        lambda: rng.choice(("play", "play", "draw", "place:R", "place:B", "over", "place", "PLAY")),
        lambda: rng.choice(("over:R", "over:B", "over:draw", "over:void", "over:", "over:x")),
        lambda: rng.choice((f"exit:{a}>{b}", f"drop:{a}<{b}", f"duel:T:{a}>{b}:1:-")),
        lambda: rng.choice((f"duel:F:{a}>{b}:2:-", f"icpt:{a}~{b}", f"duel:I:{a}~{b}@{a}:1:-")),
    ]
    return rng.choice(ways)()


def mutate_movers(rng: Random, text: str) -> str:
    square = rng.choice(re.findall("[a-m][1-8]", text) or SQUARES)
    other = neighbour(rng, square)
    left = rng.randrange(6)
    return rng.choice(
        (
            "-",
            ",".join(reversed(text.split(","))),
            f"{text},{other}:{left}",
            f"{square}:{left}",
            f"{other}:{left}",
            f"{text},{text}",
            re.sub(":[0-9]", f":{left}", text, count=1),
            re.sub(":[0-9]$", f":{left}", text),
            text.replace(":", ":0", 1),
            text.replace(square, other, 1),
            text + ",",
            "",
        )
    )


def mutate_hands(rng: Random, text: str) -> str:
    cut = rng.randrange(len(text))
    return rng.choice(
        (
            "/".join(reversed(text.split("/"))),
            "/".join("".join(rng.sample(hand, len(hand))) for hand in text.split("/")),
            text[:cut] + text[cut + 1 :],
            text[:cut] + rng.choice("0123456789") + text[cut:],
            text.replace(text[0], "7", 1),
            "123456/123456",
            "123456/12345",
            rng.choice("123456") + "/" + rng.choice("123456"),
            "/",
            "-/-",
            text + "/",
            text[0] * 2 + "/12",
        )
    )


def mutate_hold(rng: Random, text: str) -> str:
    side, file = rng.choice("RB"), rng.choice(FILES)
    count = rng.choice(("0", "1", "2", "3", "7", "8", "00", "-1", str(rng.randrange(10))))
    return rng.choice(
        (
            "-",
            f"{side}:{count}:{file}",
            f"{side}:0:{file}",
            text[:-1] + file,
            text.replace("R", "x").replace("B", "R").replace("x", "B"),
            re.sub("[0-9]+", count, text),
            text.replace(":", "::"),
            f"{side}:{file}:0",
            f"{side}:0:{file.upper()}",
            "",
        )
    )
