"""Positions as pictures of their own, for messages and for pages elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

from litestar import Response, get
from litestar.params import Parameter
from markupsafe import Markup
from msgspec.structs import replace

from kibitz.core.drawing import Drawing, Look, svg, with_theme_colours
from kibitz.core.game import SPECTATOR
from kibitz.core.message import Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.http.requests import AnyRequest, request_language
from kibitz.server.pages.new_table import MAX_PARAMETER_LETTERS, read_options
from kibitz.server.phrases import phrases_for
from kibitz.server.tables.dependencies import InjectedTables


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
    return with_theme_colours(svg(still_picture(drawing), paper=True), theme)


def still_picture(drawing: Drawing) -> Drawing:
    """A drawing to look at only, without the places to touch."""
    layers = {layer: made for layer, made in drawing.layers.items() if layer != "hit"}
    return replace(drawing, role="img", layers=layers)


@lru_cache
def vignette(name: str, language: str) -> Markup:
    """A corner of a telling position, to look at only."""
    rulebook = GAMES[name]
    game = rulebook.game(rulebook.preset)
    say = phrases_for(language, name, game.seats)
    shown = rulebook.showcase
    state = game.rules.start() if shown == START else game.notation.read_state(shown)
    view = game.rules.view(state, SPECTATOR, ())
    drawing = game.ui.draw(view, Look(say=say, has_labels=False, prefix=f"{name}-"))
    part = still_picture(replace(drawing, view_box=rulebook.vignette))
    return Markup(svg(part, placement='preserveAspectRatio="xMidYMid slice"'))


@get("/picture.svg")
async def picture(
    request: AnyRequest,
    services: InjectedTables,
    game: Annotated[str, Parameter(max_length=60)],
    position: Annotated[str, Parameter(max_length=MAX_PARAMETER_LETTERS)] = START,
    options: Annotated[str, Parameter(max_length=MAX_PARAMETER_LETTERS)] = "",
    theme: Literal["light", "dark"] = "light",
) -> Response[str]:
    services.context.count(request, "analysis")
    made = position_svg(game, read_options(options), position, theme, request_language(request))
    headers = {"Cache-Control": "private, no-cache"}
    return Response(made, media_type="image/svg+xml", headers=headers)
