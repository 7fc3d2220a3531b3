"""The story of a match, told afterwards (core.story)."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.core.game import Seat
from kibitz.core.story import Count, Moment
from kibitz.games.kalamala.state import PIECES, State

STORY: Mapping[str, Moment] = {
    "kalamala.pushed-off": Moment(1),
    "kalamala.lost": Moment(3, value_name="n", effect="fall"),
    "kalamala.no_action": Moment(6),
    "kalamala.resign": Moment(5),
    "kalamala.forfeit": Moment(5),
    "kalamala.turn_limit": Moment(4),
    "kalamala.void": Moment(4),
}
ASIDES = frozenset({"kalamala.lost"})
"""It is told with the push."""
TALLIES: Mapping[str, tuple[Count, ...]] = {
    "placed": (Count("kalamala.placed"),),
    "pushes": (Count("kalamala.pushed"), Count("kalamala.pushed-off")),
    "pulls": (Count("kalamala.pulled"),),
    "lost": (Count("kalamala.lost", value_name="n"),),
}
SEAT_COLOURS: Mapping[Seat, str] = {"A": "KA", "B": "KB"}


def score(state: State) -> tuple[float, ...]:
    """The stones that each side still has, on the board or in reserve."""
    return tuple(float(PIECES - lost) for lost in state.dead)
