"""The men still to be set up: in the middle of the field, the next one larger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kibitz.core.drawing import Box, Look, Part, Piece, Point, Spot
from kibitz.core.game import Place, Seat
from kibitz.core.message import message
from kibitz.games.kahmate.state import TEAM, Man
from kibitz.games.kahmate.ui.field import Pitch, row_of_cells
from kibitz.games.kahmate.ui.pieces import figure, man

FIRST_SCALE, SCALE = 1.15, 0.75
"""How large the next man is drawn, and the others."""


class Tray(NamedTuple):
    side: Seat
    placed: int
    """How many men stand already."""
    look: Look
    pitch: Pitch

    @property
    def box(self) -> Box:
        """As long as what is left to place."""
        width, height = 96 + 42 * (len(TEAM) - self.placed - 1), 92
        field = self.pitch.field
        return Box((field.width - width) / 2, (field.height - height) / 2, width, height)

    @property
    def places(self) -> Mapping[Place, Spot]:
        box, next_man = self.box, message(f"kahmate.kind-{TEAM[self.placed]}")
        name = self.look.say(message("kahmate.draw-tray", man=next_man))
        return {"tray": Spot(Box(box.x + 10, box.y + 8, 76, 76), name)}

    @property
    def pieces(self) -> Iterator[Piece]:
        for place, at, who in self._men():
            yield Piece(place, at, figure(who), self.side, is_raised=True)

    def draw(self) -> Part:
        box, prefix, made = self.box, self.look.prefix, []
        for place, (x, y), who in self._men():
            scale = FIRST_SCALE if place == "tray" else SCALE
            made.append(
                f'<g id="{prefix}pc-{place}" class="pc man side-{who.side} kind-{who.kind}"'
                f' transform="translate({x:g} {y:g})">'
                f'<g transform="scale({scale})">{man(who, prefix).markup}</g></g>'
            )
        x, y = box.x + 48, box.middle[1]
        return Part(
            f'<rect {box} transform="translate(0 3)" rx="22" fill="#000" opacity=".2"/>'
            f'<rect {box} rx="22" fill="var(--card)" stroke="var(--ink)" stroke-width="1.5"/>'
            f'<circle cx="{x:g}" cy="{y:g}" r="35" fill="none" stroke="var(--mark)"'
            f' stroke-width="3"/>{"".join(made)}'
        )

    def hits(self) -> str:
        return row_of_cells(self.look.prefix, self.places)

    def _men(self) -> Iterator[tuple[Place, Point, Man]]:
        for i, kind in enumerate(TEAM[self.placed :]):
            x = self.box.x + (48 if i == 0 else 110 + 42 * (i - 1))
            place = f"tray-{i + 1}" if i else "tray"
            yield place, (x, self.box.middle[1]), Man(self.side, kind)
