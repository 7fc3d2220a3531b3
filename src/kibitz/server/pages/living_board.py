"""The board on the home page that plays by itself: a match that a game has brought to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from markupsafe import Markup
from msgspec.structs import replace

from kibitz.core.drawing import Drawing, Look, svg
from kibitz.core.game import SPECTATOR, Event, Place, moves_in
from kibitz.games import GAMES
from kibitz.server.pages.lessons import has_lessons, load_tutorial
from kibitz.server.pages.picture import still_picture
from kibitz.server.phrases import phrases_for
from kibitz.server.tables.telling.events import short_texts

MARGIN = 8


def exhibited_game() -> str | None:
    """The first game on the shelf that has a match to show."""
    return next((each for each in GAMES if has_lessons(each) and load_tutorial(each).exhibit), None)


@lru_cache
def living_board(name: str, language: str) -> Mapping[str, Any]:
    """The first position as a picture, and each action of the match in words and as motions."""
    told = load_tutorial(name)
    game = GAMES[name].game(told.options)
    say = phrases_for(language, name, game.seats)
    look = Look(say=say, has_labels=False, prefix="living-")
    state = game.rules.start()
    drawing = game.ui.draw(game.rules.view(state, SPECTATOR, ()), look)
    moves = []
    for text in told.exhibit:
        action = game.notation.read_action(text)
        step = game.rules.resolve(state, game.rules.actor_of(state, action), action)
        said = short_texts(game, step.events, say)
        moves.append({"text": " ".join(said), "ways": list(_ways(drawing, step.events))})
        state = step.state
    return {
        "game": name,
        "title": say.t(f"{name}.title"),
        "svg": Markup(svg(still_picture(replace(drawing, view_box=_squares(drawing))))),
        "moves": moves,
    }


def _squares(drawing: Drawing) -> str:
    """A view box with all squares in it, and nothing that lies beside them."""
    boxes = [spot.box for place, spot in drawing.places.items() if place.startswith("sq-")]
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right = max(box.x + box.width for box in boxes)
    bottom = max(box.y + box.height for box in boxes)
    size = f"{right - left + 2 * MARGIN:g} {bottom - top + 2 * MARGIN:g}"
    return f"{left - MARGIN:g} {top - MARGIN:g} {size}"


def _ways(drawing: Drawing, events: tuple[Event, ...]) -> Iterator[list[float]]:
    """From where to where each piece goes, in units of the drawing."""
    beside = {piece.place: piece.at for piece in drawing.pieces}
    for motion in moves_in(events):
        ends = motion.origin, motion.via or motion.target
        yield [n for place in ends for n in (beside.get(place) or _middle(drawing, place))]


def _middle(drawing: Drawing, place: Place) -> tuple[float, float]:
    box = drawing.places[place].box
    return box.x + box.width / 2, box.y + box.height / 2
