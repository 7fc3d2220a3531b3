"""Playing positions in tests."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from kibitz.core.message import Refused
from kibitz.games import GAMES
from kibitz.games.kalamala import Options
from kibitz.games.kalamala.options import REPETITION
from kibitz.games.kalamala.rules import moves as all_moves
from kibitz.games.kalamala.state import SEATS, State, remember_board


def game_with(**options: Any) -> Any:
    return GAMES["kalamala"].game(options)


def state_after(position: str, *texts: str, **options: Any) -> State:
    game = game_with(**options)
    state: State = game.rules.start() if position == "start" else game.notation.read_state(position)
    for text in texts:
        action = game.notation.read_action(text)
        state = game.rules.resolve(state, game.rules.actor_of(state, action), action).state
    return state


def after(position: str, *texts: str, **options: Any) -> str:
    """The position after some actions."""
    written: str = game_with(**options).notation.write_state(
        state_after(position, *texts, **options)
    )
    return written


def legal(position: str, *texts: str, **options: Any) -> list[str]:
    game = game_with(**options)
    state = state_after(position, *texts, **options)
    return sorted(game.notation.write_action(a) for a in game.rules.turn_actions(state, state.side))


def moves(position: str, *texts: str, **options: Any) -> str:
    """The legal moves without the placements, as one line."""
    return " ".join(text for text in legal(position, *texts, **options) if text[0] != "@")


def outcome(position: str, *texts: str, **options: Any) -> tuple[str, str] | None:
    """Result and reason, None while the game goes on."""
    over = game_with(**options).rules.outcome(state_after(position, *texts, **options))
    return (over.result, over.why.id.removeprefix("kalamala.")) if over else None


def refusal_of(position: str, *texts: str, **options: Any) -> tuple[str, str]:
    """Id and paragraph of the refusal of the last action."""
    try:
        state_after(position, *texts[:-1], **options)
    except Refused as early:
        raise AssertionError(early.refusal) from early
    try:
        state_after(position, *texts, **options)
    except Refused as error:
        return error.refusal.id.removeprefix("kalamala."), error.refusal.paragraph
    raise AssertionError(f"{texts[-1]} is allowed")


@st.composite
def positions(draw: st.DrawFn) -> tuple[Options, State]:
    """Crowded corners of the board as well as empty ones, some moves barred by the past."""
    options = Options(repetition=draw(st.sampled_from(REPETITION)))
    rng = Random(draw(st.integers(0, 2**32)))
    files, ranks = range(rng.randint(2, 8)), range(rng.randint(0, 6), 8)
    squares = [file + 8 * rank for file in files for rank in ranks]
    rng.shuffle(squares)
    reserve = rng.randint(0, 4), rng.randint(0, 4)
    a, b = (squares[side::2][: rng.randint(0, 8 - reserve[side])] for side in (0, 1))
    stones = sum(1 << square for square in a), sum(1 << square for square in b)
    state = State(stones, rng.choice(SEATS), reserve, rng.randint(9, 99))
    past = state.past
    for board in all_moves(stones, state.side):
        alive = [side.bit_count() for side in board] == [side.bit_count() for side in stones]
        if alive and rng.random() < 0.4:
            past = remember_board(past, board, state.turn - rng.randint(1, 4), options.repetition)
    return options, replace(state, past=past)


def at(position: str) -> State:
    state: State = game_with().notation.read_state(position)
    return state
