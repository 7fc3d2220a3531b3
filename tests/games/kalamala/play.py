"""Playing positions in tests."""

from __future__ import annotations

from typing import Any

from kibitz.core.message import Refused
from kibitz.games import GAMES
from kibitz.games.kalamala.state import State


def game_with(**options: Any) -> Any:
    return GAMES["kalamala"].game(options)


def state_after(position: str, *texts: str, **options: Any) -> State:
    game = game_with(**options)
    state: State = game.start() if position == "start" else game.read_state(position)
    for text in texts:
        action = game.read_action(text)
        state = game.resolve(state, game.actor(state, action), action).state
    return state


def after(position: str, *texts: str, **options: Any) -> str:
    """The position after some actions."""
    written: str = game_with(**options).write_state(state_after(position, *texts, **options))
    return written


def legal(position: str, *texts: str, **options: Any) -> list[str]:
    game = game_with(**options)
    state = state_after(position, *texts, **options)
    return sorted(game.write_action(a) for a in game.turn_actions(state, state.side))


def moves(position: str, *texts: str, **options: Any) -> str:
    """The legal moves without the placements, as one line."""
    return " ".join(text for text in legal(position, *texts, **options) if text[0] != "@")


def outcome(position: str, *texts: str, **options: Any) -> tuple[str, str] | None:
    """Result and reason, None while the game goes on."""
    over = game_with(**options).outcome(state_after(position, *texts, **options))
    return (over.result, over.why.id.removeprefix("kalamala.")) if over else None


def refused(position: str, *texts: str, **options: Any) -> tuple[str, str]:
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
