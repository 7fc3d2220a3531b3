"""A position as a picture of its own, for messages and for pages elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kibitz.core.drawing import Look, svg, with_theme_colours
from kibitz.core.game import SPECTATOR
from kibitz.core.message import Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.phrases import phrases_for


def position_svg(
    name: str, options: Mapping[str, Any], position: str, theme: str, language: str
) -> str:
    """SVG with its colours written out, on paper; raises Refused where there is no such position.

    What lies face down stays so. Texts of what somebody sees are not read back, so nobody's
    secrets can be asked for.
    """
    if name not in GAMES:
        raise Refused(message("server.no-game", game=name))
    game = GAMES[name].game(options)
    state = game.rules.start() if position == START else game.notation.read_state(position)
    letters = tuple(game.policy.seat_letter(state, seat) for seat in game.seats)
    say = phrases_for(language, name, game.seats, letters)
    drawing = game.ui.draw(game.rules.view(state, SPECTATOR, ()), Look(say=say))
    layers = {layer: made for layer, made in drawing.layers.items() if layer != "hit"}
    return with_theme_colours(svg(replace(drawing, role="img", layers=layers), paper=True), theme)
