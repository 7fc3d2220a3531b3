"""The board on the screen: shows a scene and says what is touched."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from kibitz.core.game import Place
from kibitz.terminal.canvas import BoardScene, Cell, hex_colour, paint_scene

DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class Board(Widget, can_focus=True):
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"move('{key}')", show=False) for key in DIRECTIONS),
        Binding("enter,space", "touch", show=False),
    ]

    class Touched(Message):
        """Without a cursor no place."""

        def __init__(self, place: Place) -> None:
            super().__init__()
            self.place = place

    class Moved(Message):
        """The cursor wants to go there."""

        def __init__(self, place: Place) -> None:
            super().__init__()
            self.place = place

    def __init__(self) -> None:
        super().__init__()
        self.scene: BoardScene | None = None
        self._lines: list[Strip] = []

    def show_scene(self, scene: BoardScene) -> None:
        self.scene = scene
        self._lines = [_strip(tuple(line)) for line in paint_scene(scene)]
        self.styles.width, self.styles.height = scene.layout.width, scene.layout.height
        self.refresh()

    def render_line(self, y: int) -> Strip:
        return self._lines[y] if y < len(self._lines) else Strip.blank(self.size.width)

    def on_click(self, event: events.Click) -> None:
        place = self.scene.layout.place_at(event.x, event.y) if self.scene else None
        if place:
            self.post_message(self.Touched(place))

    def action_touch(self) -> None:
        if self.scene:
            self.post_message(self.Touched(self.scene.cursor))

    def action_move(self, key: str) -> None:
        """To the nearest place in that direction; straight ahead is nearer than aside."""
        if not self.scene:
            return
        places, (across, down) = self.scene.picture.places, DIRECTIONS[key]
        here = places.get(self.scene.cursor)
        if here is None:
            self.post_message(self.Moved(next(iter(places))))
            return
        found: list[tuple[float, Place]] = []
        for place, box in places.items():
            x, y = box.middle[0] - here.middle[0], box.middle[1] - here.middle[1]
            ahead, aside = x * across + y * down, abs(x * down) + abs(y * across)
            if ahead > 1 and aside <= 2 * ahead:
                found.append((ahead + 3 * aside, place))
        if found:
            self.post_message(self.Moved(min(found)[1]))


def _strip(line: tuple[Cell, ...]) -> Strip:
    segments = [
        Segment("".join(cell.char for cell in cells), _style(*look))
        for look, cells in groupby(line, key=lambda cell: (cell.ink, cell.paper, cell.bold))
    ]
    return Strip(segments, len(line))


@lru_cache(maxsize=1 << 10)
def _style(ink: str, paper: str, bold: bool) -> Style:
    return Style(color=hex_colour(ink), bgcolor=hex_colour(paper), bold=bold)
