"""Game Title on a screen: its drawing, what can be touched, and what is said around it."""

from __future__ import annotations

from collections.abc import Sequence

from game_package.notation import write_action
from game_package.options import Options
from game_package.state import SEATS, State, Take
from kibitz.core.drawing import Box, Drawing, Figure, Fill, Look, Piece, Spot, shape_data
from kibitz.core.game import Mark, Offer, Place, Seat, Viewer
from kibitz.core.message import Message, Say, message

SIZE = 50
STONE = Figure(True, "accent")
COLOURS = {"A": "KA", "B": "KB"}
FIGURES = {seat: Figure(True, COLOURS[seat]) for seat in SEATS}


def place_of(stone: int) -> Place:
    return f"st-{stone}"


def offers(state: State, actions: Sequence[Take]) -> tuple[Offer, ...]:
    """Touch a stone, and it is taken with all to the right of it."""
    return tuple(_offer(state, action) for action in actions)


def _offer(state: State, action: Take) -> Offer:
    taken = tuple(place_of(state.left - n) for n in range(action.count))
    return Offer(
        actions=(write_action(action),),
        path=(taken[-1],),
        kind="take",
        label=message("game-name.take", "2", n=action.count),
        marks=(Mark("ring", taken, after=1),),
    )


def intent(state: State, seat: Seat, path: tuple[Place, ...]) -> Take | Message:
    """The action somebody had in mind who touched what is not offered."""
    number = path[-1].removeprefix("st-") if path else ""
    if number.isdigit() and 1 <= int(number) <= state.left:
        return Take(state.left - int(number) + 1)
    return message("game-name.touch-a-stone", "2")


def hint(state: State, viewer: Viewer) -> Message:
    return message("game-name.your-turn" if viewer == state.turn else "game-name.their-turn")


def status(state: State) -> tuple[Message, ...]:
    return (message("game-name.left", n=state.left),)


def draw(options: Options, state: State, look: Look) -> Drawing:
    ground = Box(0, 0, options.stones * SIZE, SIZE)
    places, pieces = {}, []
    for stone in range(1, options.stones + 1):
        box = Box((stone - 1) * SIZE, 0, SIZE, SIZE)
        places[place_of(stone)] = Spot(box)
        if stone <= state.left:
            pieces.append(Piece(place_of(stone), box.middle, STONE))
    return Drawing(
        view_box=f"0 0 {ground.width:g} {ground.height:g}",
        title=look.say(message("game-name.title")),
        layers={
            "ground": f'<rect {ground} rx="9" fill="var(--sand-1)" stroke="var(--sand-edge)"/>',
            "pieces": "".join(_stone(look, piece) for piece in pieces),
            "hit": "".join(_hit(place, spot.box) for place, spot in places.items()),
        },
        static_layers=frozenset({"ground", "hit"}),
        prefix=look.prefix,
        places=places,
        pieces=tuple(pieces),
        fills=(Fill(ground, "sand-1"),),
    )


def draw_text(state: State, say: Say) -> str:
    return "o" * state.left or "-"


def glyph(seat: Seat) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 40 40" width="20" height="20">'
        f"{_disc(COLOURS[seat])}</svg>"
    )


def _stone(look: Look, piece: Piece) -> str:
    x, y = piece.at
    where = f'id="{look.prefix}pc-{piece.place}" class="pc" transform="translate({x:g} {y:g})"'
    return f"<g {where}{shape_data(piece.figure.is_round)}>{_disc(STONE.colour)}</g>"


def _disc(colour: str) -> str:
    return f'<circle r="17" fill="var(--{colour})" stroke="var(--outline)"/>'


def _hit(place: Place, box: Box) -> str:
    look = f'{box} fill="none" pointer-events="all" role="gridcell"'
    return f'<rect id="hit-{place}" class="hit" data-el="{place}" {look}/>'
