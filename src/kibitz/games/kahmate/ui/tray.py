"""The men still to be set up: in the middle of the field, the next one larger."""

from __future__ import annotations

from typing import NamedTuple

from kibitz.core.drawing import (
    Box,
    Look,
    Part,
    Piece,
    Spot,
    group,
    join_parts,
    panel_part,
    shape_data,
)
from kibitz.core.game import Seat
from kibitz.core.message import message
from kibitz.games.kahmate.messages import letter_message
from kibitz.games.kahmate.state import TEAM, Man
from kibitz.games.kahmate.ui.field import Pitch, cell
from kibitz.games.kahmate.ui.pieces import figure, man


class Tray(NamedTuple):
    side: Seat
    placed: int
    """The number of men who stand already."""
    look: Look
    pitch: Pitch

    @property
    def box(self) -> Box:
        """The tray's box, as long as what is left to place."""
        width, height = 96 + 42 * (len(TEAM) - self.placed - 1), 92
        field = self.pitch.field
        return Box((field.width - width) / 2, (field.height - height) / 2, width, height)

    def draw(self) -> Part:
        box, prefix, made = self.box, self.look.prefix, list[Part]()
        middle = box.middle[1]
        for i, kind in enumerate(TEAM[self.placed :]):
            who, x = Man(self.side, kind), box.x + (48 if i == 0 else 110 + 42 * (i - 1))
            letter = self.look.say(letter_message(who))
            place, scale = (f"tray-{i + 1}", 0.75) if i else ("tray", 1.15)
            short = figure(who, letter)
            markup = (
                f'<g id="{prefix}pc-{place}" class="pc man side-{self.side} kind-{kind}"'
                f'{shape_data(short.is_round)} transform="translate({x:g} {middle:g})">'
                f'<g transform="scale({scale})">{man(who, letter, prefix).markup}</g></g>'
            )
            made.append(Part(markup, pieces=(Piece(place, (x, middle), short, self.side),)))
        ring = f'cx="{box.x + 48:g}" cy="{middle:g}" r="35" fill="none"'
        drawn = join_parts(
            f'<rect {box} transform="translate(0 3)" rx="22" fill="#000" opacity=".2"/>'
            f'<rect {box} rx="22" fill="var(--card)" stroke="var(--ink)" stroke-width="1.5"/>'
            f'<circle {ring} stroke="var(--mark)" stroke-width="3"/>',
            *made,
        )
        return panel_part(box, "card", drawn)

    def hits(self) -> Part:
        box, next_man = self.box, message(f"kahmate.kind-{TEAM[self.placed]}")
        name = self.look.say(message("kahmate.draw-tray", man=next_man))
        spot = Spot(Box(box.x + 10, box.y + 8, 76, 76), name)
        return group('role="row"', cell(self.look.prefix, "tray", spot))
