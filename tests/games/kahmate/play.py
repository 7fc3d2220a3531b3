"""Playing positions in tests."""

from __future__ import annotations

import re
from typing import Any

from kibitz.core.game import CHANCE
from kibitz.core.message import Refused
from kibitz.games import GAMES
from kibitz.games.kahmate.state import State

SET_UP = "S@c3 T@c7 F@b4 C@c5 O@c2 O@b6 S@k3 T@k5 F@k8 C@k4 O@l2 O@l7"


def game_with(**options: Any) -> Any:
    return GAMES["kahmate"].game(options)


def state_after(position: str, texts: str = "", **options: Any) -> State:
    """The state after some actions, given as one line."""
    game = game_with(**options)
    state: State = game.rules.start() if position == "start" else game.notation.read_state(position)
    for text in _split(texts):
        action = game.notation.read_action(text)
        state = game.rules.resolve(state, game.rules.actor_of(state, action), action).state
    return state


def _split(texts: str) -> list[str]:
    """By spaces, but for the one in `resign R`."""
    return re.findall(r"(?:resign |forfeit )?\S+", texts)


def after(position: str, texts: str = "", **options: Any) -> str:
    """The position after some actions."""
    written: str = game_with(**options).notation.write_state(
        state_after(position, texts, **options)
    )
    return written


def legal(position: str, texts: str = "", **options: Any) -> str:
    """What may be done next, as one line."""
    game = game_with(**options)
    state = state_after(position, texts, **options)
    actors = (*game.seats, CHANCE)
    return " ".join(
        sorted(
            game.notation.write_action(a)
            for who in actors
            for a in game.rules.turn_actions(state, who)
        )
    )


def to_act(position: str, texts: str = "", **options: Any) -> str:
    (actor,) = game_with(**options).rules.to_act(state_after(position, texts, **options))
    return str(actor)


def outcome(position: str, texts: str = "", **options: Any) -> tuple[str, str] | None:
    """Result and reason, None while the match goes on."""
    over = game_with(**options).rules.outcome(state_after(position, texts, **options))
    return (over.result, over.why.id.removeprefix("kahmate.")) if over else None


def refusal_of(position: str, texts: str, **options: Any) -> tuple[str, str]:
    """Id and paragraph of the refusal of the last action."""
    *before, last = _split(texts)
    state = state_after(position, " ".join(before), **options)
    game = game_with(**options)
    action = game.notation.read_action(last)
    try:
        game.rules.resolve(state, game.rules.actor_of(state, action), action)
    except Refused as error:
        return error.refusal.id.removeprefix("kahmate."), error.refusal.paragraph
    raise AssertionError(f"{last} is allowed")


def unread(position: str, **options: Any) -> tuple[str, str]:
    """Id and paragraph of the refusal to read a position."""
    try:
        game_with(**options).notation.read_state(position)
    except Refused as error:
        return error.refusal.id.removeprefix("kahmate."), error.refusal.paragraph
    raise AssertionError(f"{position} is read")


def field(men: dict[str, str], turn: str = "R", ball: str = "h4") -> str:
    """A position in play with these men on these squares."""
    rows = ("".join(men.get(f + rank, ".") for f in "abcdefghijklm") for rank in "12345678")
    ranks = (re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    return f"{'/'.join(ranks)} {turn} play - {ball} 123456/123456 0-0 3 -"
