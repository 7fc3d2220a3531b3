"""Kalamala as text (7).

    @e4         a placement
    e4:N1       the piece on e4 moves one square north
    d4-f4:E2    the chain from d4 (rear) to f4 (front) moves two squares east
    resign A    forfeit A    void

A position has six fields: board, side to act, reserves, losses, turn and history, as in
`8/8/3BA3/2B2A2/2A2B2/3AB3/8/8 A 4,4 0,0 1 -`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import cast

from msgspec.structs import replace

from kibitz.core.message import Refused, message
from kibitz.core.notation import (
    MAX_CACHED_ACTIONS,
    Codec,
    TemplateTable,
    match_text,
    split_fields,
)
from kibitz.games.kalamala.actions import Action, Forfeit, Move, Placement, Resign, Void
from kibitz.games.kalamala.board import name_of, square
from kibitz.games.kalamala.options import Options
from kibitz.games.kalamala.state import (
    NO_PAST,
    PIECES,
    RESERVE,
    State,
    Stones,
    barring_turns,
    remember_board,
)

_ACTIONS = TemplateTable(
    {"square": Codec("[a-h][1-8]", square, name_of), "side": Codec("[AB]")},
    {"@{square}": Placement, "resign {side}": Resign, "forfeit {side}": Forfeit, "void": Void},
)
_MOVE = re.compile(r"([a-h][1-8])(?:-([a-h][1-8]))?:(N|NE|E|SE|S|SW|W|NW)([1-7])")
_NUMBER = r"(0|[1-9][0-9]{0,8})"


@lru_cache(maxsize=MAX_CACHED_ACTIONS)
def write_action(action: Action) -> str:
    if not isinstance(action, Move):
        return _ACTIONS.write(action)
    rear, front = name_of(action.rear), name_of(action.front)
    chain = rear if rear == front else f"{rear}-{front}"
    return f"{chain}:{action.direction}{action.distance}"


@lru_cache(maxsize=MAX_CACHED_ACTIONS)
def read_action(text: str) -> Action:
    if (found := _MOVE.fullmatch(text)) and found[1] != found[2]:
        rear, front, direction, distance = found.groups()
        return Move(square(rear), square(front or rear), direction, int(distance))
    if action := _ACTIONS.read(text):
        return cast(Action, action)
    raise Refused(message("kalamala.not-an-action", "7.2", text=text[:60]))


def write_board(stones: Stones) -> str:
    ranks = []
    for rank in reversed(range(8)):
        squares = range(8 * rank, 8 * rank + 8)
        letters = (
            "A" if stones[0] >> s & 1 else "B" if stones[1] >> s & 1 else "1" for s in squares
        )
        ranks.append(re.sub("1+", lambda run: str(len(run[0])), "".join(letters)))
    return "/".join(ranks)


def read_board(text: str) -> Stones:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise Refused(message("kalamala.ranks", "7.1", n=len(ranks)))
    stones = {"A": 0, "B": 0}
    for rank, row in zip(reversed(range(8)), ranks, strict=True):
        if not re.fullmatch(r"[AB1-8]+", row) or re.search(r"[1-8]{2}", row):
            raise Refused(message("kalamala.rank", "7.1", rank=rank + 1, text=row[:60]))
        wide = re.sub("[1-8]", lambda run: "." * int(run[0]), row)
        if len(wide) != 8:
            raise Refused(message("kalamala.rank-width", "7.1", rank=rank + 1, n=len(wide)))
        for file, letter in enumerate(wide):
            if letter != ".":
                stones[letter] |= 1 << 8 * rank + file
    return stones["A"], stones["B"]


def write_state(state: State) -> str:
    stood = sorted((turn, stones) for stones, turns in state.past.items() for turn in turns)
    history = ";".join(write_board(stones) for _, stones in stood) or "-"
    reserve, dead = ("{},{}".format(*pair) for pair in (state.reserve, state.dead))
    return f"{write_board(state.stones)} {state.side} {reserve} {dead} {state.turn} {history}"


def read_state(options: Options, text: str) -> State:
    fields = split_fields(text, 6, "kalamala.fields", "7.1")
    board, side, reserve, dead, turn, history = fields
    stones = read_board(board)
    match_text("[AB]", side, "kalamala.side", "7.1")
    in_reserve, lost = _pair(reserve), _pair(dead)
    for who, on_board, kept, gone in zip("AB", stones, in_reserve, lost, strict=True):
        if kept > RESERVE:
            raise Refused(message("kalamala.reserve-size", "7.1", side=who, n=kept))
        if (total := on_board.bit_count() + kept + gone) != PIECES:
            raise Refused(message("kalamala.piece-count", "7.1", side=who, n=total))
    match_text("[1-9][0-9]*", turn, "kalamala.turn-number", "7.1")
    state = State(stones, side, in_reserve, int(turn))
    return _with_history(options, state, history)


def _pair(text: str) -> tuple[int, int]:
    found = match_text(f"{_NUMBER},{_NUMBER}", text, "kalamala.pair", "7.1")
    return int(found[1]), int(found[2])


def _with_history(options: Options, state: State, history: str) -> State:
    """The state with its past: the boards of the turns before it, trimmed to the option."""
    boards = [] if history == "-" else [read_board(text) for text in history.split(";")]
    past = NO_PAST
    for turn, stones in enumerate(boards, state.turn - len(boards)):
        if _piece_counts(stones) != _piece_counts(state.stones):
            raise Refused(message("kalamala.history-count", "7.1", text=write_board(stones)))
        past = remember_board(past, stones, turn, options.repetition)
    barred = barring_turns(past, state.stones, state.turn, options.repetition)
    if barred and options.repetition != "ko":
        raise Refused(message("kalamala.in-its-own-history", "7.1"))
    return replace(state, past=past)


def _piece_counts(stones: Stones) -> tuple[int, int]:
    return stones[0].bit_count(), stones[1].bit_count()
