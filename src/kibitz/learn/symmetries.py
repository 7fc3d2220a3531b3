"""Symmetries of the boards, to learn the same from a position several times.

Kalamala's board has eight: turn `n` is `n % 4` quarter turns, from 4 on after a mirror of the
files. Kahmaté's field has two: turn 1 swaps the ranks, and both sides play on in their directions.
AS-Kimble has none but its seats, from whose side observations are seen anyway. Turn 0 leaves all as
it is.

A number is not turned by itself: where several moves of Kalamala lose the same piece, one of them
is the action's only spelling (rule 7.2), and after a turn it may be another. `turn_action` asks the
rules.

>>> import kibitz
>>> from kibitz.learn.symmetries import turn_action, turn_position
>>> game = kibitz.game("kalamala")
>>> match = kibitz.Match(game)
>>> turned = turn_position(game, match.position, 1)
>>> turn_action(game, match.position, "A", "d6:N1", 1)
'c4:W1'
>>> "c4:W1" in kibitz.Match(game, start=turned).actions("A")
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from rpds import HashTrieMap

from kibitz.core.game import Game
from kibitz.core.jit import Numbers
from kibitz.games.kalamala.actions import Move, Placement
from kibitz.games.kalamala.board import DIRECTIONS, SIZE, SQUARES, squares_of
from kibitz.games.kalamala.state import Past, State, Stones

MIRROR = 4
"""The first turn of Kalamala after a mirror."""
_SQUARE = re.compile(r"(?<![a-z])([a-m])([1-8])(?![0-9a-z])")
"""A square in Kahmaté's notation."""


class Symmetry(NamedTuple):
    turns: int
    position: Callable[[Game[Any, Any, Any], str, int], str]
    action: Callable[[Game[Any, Any, Any], str, int], str]
    """As it would be spelt if spellings knew no preference."""
    board: Callable[[Any, int], Any]


def count_symmetries(game: str) -> int:
    """The number of turns, at least one."""
    return SYMMETRIES[game].turns if game in SYMMETRIES else 1


def turn_position(game: Game[Any, Any, Any], position: str, turn: int) -> str:
    """The position as it is after a turn."""
    found = _symmetry(game.name, turn)
    return found.position(game, position, turn) if found else position


def turn_action(game: Game[Any, Any, Any], position: str, seat: str, action: str, turn: int) -> str:
    """The action of the turned position that does the same; `action` is one of this position."""
    found = _symmetry(game.name, turn)
    if found is None:
        return action
    state = game.notation.read_state(turn_position(game, position, turn))
    turned = game.notation.read_action(found.action(game, action, turn))
    return game.notation.write_action(game.rules.resolve(state, seat, turned).action)


def turn_board(game: str, board: Any, turn: int) -> Any:
    """The planes of observations as they are after a turn; the last two axes are the board. The
    numbers beside them stay."""
    found = _symmetry(game, turn)
    return found.board(board, turn) if found else board


def _symmetry(name: str, turn: int) -> Symmetry | None:
    """Nothing where nothing changes."""
    if not 0 <= turn < count_symmetries(name):
        raise ValueError(f"a turn of {name} is 0 to {count_symmetries(name) - 1}, not {turn}")
    return SYMMETRIES[name] if turn else None


# Kalamala


def _turn_planes(board: Numbers, turn: int) -> Numbers:
    """Ranks and files are the last two axes."""
    mirrored = board[..., ::-1] if turn >= MIRROR else board
    return np.rot90(mirrored, turn % MIRROR, axes=(-1, -2))


_GRID = np.array(SQUARES).reshape(SIZE, SIZE)
_TARGETS = np.argsort(
    np.array([_turn_planes(_GRID, turn).ravel() for turn in range(2 * MIRROR)]), axis=1
).tolist()
"""By turn and square: where it goes."""


def _turn_direction(name: str, turn: int) -> str:
    """By what happens to a step from the middle of the board."""
    x, y = DIRECTIONS[name]
    begin = 3 + SIZE * 3
    to, target = _TARGETS[turn][begin], _TARGETS[turn][begin + x + SIZE * y]
    step = target % SIZE - to % SIZE, target // SIZE - to // SIZE
    return next(each for each, way in DIRECTIONS.items() if way == step)


def _turn_kalamala_position(game: Game[Any, Any, Any], position: str, turn: int) -> str:
    def turn_stones(stones: Stones) -> Stones:
        a, b = (sum(1 << _TARGETS[turn][each] for each in squares_of(side)) for side in stones)
        return a, b

    state: State = game.notation.read_state(position)
    past: Past = HashTrieMap({turn_stones(stones): turns for stones, turns in state.past.items()})
    return game.notation.write_state(replace(state, stones=turn_stones(state.stones), past=past))


def _turn_kalamala_action(game: Game[Any, Any, Any], action: str, turn: int) -> str:
    found, to = game.notation.read_action(action), _TARGETS[turn]
    if isinstance(found, Placement):
        found = Placement(to[found.square])
    elif isinstance(found, Move):
        way = _turn_direction(found.direction, turn)
        found = Move(to[found.rear], to[found.front], way, found.distance)
    return game.notation.write_action(found)


# Kahmaté


def _swap_ranks(text: str) -> str:
    return _SQUARE.sub(lambda found: f"{found[1]}{9 - int(found[2])}", text)


def _turn_kahmate_position(game: Game[Any, Any, Any], position: str, turn: int) -> str:
    field, side, phase, movers, *rest = position.split(" ")
    field = "/".join(reversed(field.split("/")))
    movers = ",".join(sorted(_swap_ranks(movers).split(",")))  # In the order of squares.
    return " ".join([field, side, _swap_ranks(phase), movers, *map(_swap_ranks, rest)])


def _turn_kahmate_action(game: Game[Any, Any, Any], action: str, turn: int) -> str:
    return _swap_ranks(action)


def _swap_rank_planes(board: Any, turn: int) -> Any:
    return board[..., ::-1]


SYMMETRIES: Mapping[str, Symmetry] = {
    "kalamala": Symmetry(2 * MIRROR, _turn_kalamala_position, _turn_kalamala_action, _turn_planes),
    "kahmate": Symmetry(2, _turn_kahmate_position, _turn_kahmate_action, _swap_rank_planes),
}
