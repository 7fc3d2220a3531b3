"""The positions of a picture, played by the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from kibitz.core.game import Event, Game
from kibitz.core.record import START
from kibitz.core.rule_pictures.declaration import Panel, RulePicture

AnyGame = Game[Any, Any, Any]


class Position(NamedTuple):
    """A position that a panel shows."""

    game: AnyGame
    state: Any
    events: tuple[Event, ...] = ()
    """Those of the action played last."""


def panel_positions(
    make_game: Callable[[Mapping[str, Any]], AnyGame], picture: RulePicture
) -> Iterator[tuple[Panel, Position]]:
    """Each panel with its position; raises Refused where the rules do not allow it."""
    game, state = make_game({}), None
    for panel in picture.panels:
        if panel.start:
            game = make_game(panel.options)
            state = _first_state(game, panel.start)
        events: tuple[Event, ...] = ()
        for text in panel.plays:
            action = game.notation.read_action(text)
            step = game.rules.resolve(state, game.rules.actor_of(state, action), action)
            state, events = step.state, step.events
        yield panel, Position(game, state, events)


def _first_state(game: AnyGame, start: str) -> Any:
    return game.rules.start() if start == START else game.notation.read_state(start)
