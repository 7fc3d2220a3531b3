"""Ready line-ups, for captains who would rather play than set up (3)."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.core.game import Seat
from kibitz.core.values import FrozenValue
from kibitz.games.kahmate.actions import Placement
from kibitz.games.kahmate.board import LINES, square_at
from kibitz.games.kahmate.state import TEAM


class LineUp(FrozenValue, frozen=True):
    """Men by rank, 1 to 8 from left to right, the other side above.

    From the second line Fast reaches the ball in his first turn if it lies on his own rank, and
    nobody else does.
    """

    id: str
    """The message that names it; what it is good for is `<id>-plan`."""
    second: str
    first: str

    def placements(self, side: Seat) -> tuple[Placement, ...]:
        """The six placements in the order of the record. Blue's are Red's seen in a mirror."""
        first, second = LINES[side]
        found: dict[str, list[Placement]] = {kind: [] for kind in TEAM}
        for file, line in ((second, self.second), (first, self.first)):
            for rank, kind in enumerate(line.split()):
                at = square_at(file, rank)
                if kind in found and at is not None:
                    found[kind].append(Placement(kind, at))
        return tuple(place for kind in dict.fromkeys(TEAM) for place in found[kind])

    def remaining_placements(
        self, side: Seat, placed: tuple[Placement, ...]
    ) -> tuple[Placement, ...]:
        """The placements left after these, which stay as they are.

        Whoever would stand where one of them does goes where that one would have stood.
        """
        planned = self.placements(side)
        instead = {his.square: plan.square for his, plan in zip(placed, planned, strict=False)}
        return tuple(
            Placement(each.kind, _free_square(each.square, instead))
            for each in planned[len(placed) :]
        )


def _free_square(square: int, instead: Mapping[int, int]) -> int:
    """It ends: what is planned for somebody still to be placed is nobody's square instead."""
    while square in instead:
        square = instead[square]
    return square


LINE_UPS = (
    LineUp(
        "kahmate.lineup-balanced",
        ". O . F S . O .",
        ". . C . . T . .",
    ),
    LineUp(
        "kahmate.lineup-attack",
        ". O C F S T O .",
        ". . . . . . . .",
    ),
    LineUp(
        "kahmate.lineup-wide",
        "O . C F . T . O",
        ". . . . S . . .",
    ),
    LineUp(
        "kahmate.lineup-deep",
        ". . . F . O . .",
        ". O . C S . T .",
    ),
    LineUp(
        "kahmate.lineup-block",
        ". . T F S O . .",
        ". . . O C . . .",
    ),
    LineUp(
        "kahmate.lineup-wing",
        "O T F C . . . .",
        ". . O . . S . .",
    ),
)
