"""The story of a match, told afterwards (core.story)."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.core.game import Seat
from kibitz.core.story import Count, Moment
from kibitz.games.as_kimble.board import GOALS, RING, SIX, TEAMS
from kibitz.games.as_kimble.state import Side, State

STORY: Mapping[str, Moment] = {
    "as-kimble.eaten": Moment(1, value_name="n"),
    "as-kimble.into-mine": Moment(1.5, value_name="n"),
    "as-kimble.doubled": Moment(1.5),
    "as-kimble.split": Moment(3),
    "as-kimble.raised": Moment(4),
    "as-kimble.ledger-raised": Moment(4),
    "as-kimble.round-agreed": Moment(3),
    "as-kimble.says-no": Moment(2),
    "as-kimble.hembo-due": Moment(1),
    "as-kimble.hembo-missed": Moment(2),
    "as-kimble.hembo-needless": Moment(2),
    "as-kimble.hembo-wrong": Moment(1.5),
    "as-kimble.ignored": Moment(2),
    "as-kimble.over-won": Moment(8),
    "as-kimble.over-truly": Moment(9),
    "as-kimble.booked-won": Moment(8),
    "as-kimble.booked-truly": Moment(9),
    "as-kimble.over-ended": Moment(5),
}
TALLIES: Mapping[str, tuple[Count, ...]] = {
    "pops": (Count("as-kimble.popped"),),
    "sixes": (Count("as-kimble.popped", required_value=("number", SIX)),),
    "ate": (Count("as-kimble.eaten", "eater"), Count("as-kimble.into-mine", "mine")),
    "eaten": (Count("as-kimble.eaten"), Count("as-kimble.into-mine")),
    "penalties": (
        Count("as-kimble.eaten", value_name="n"),
        Count("as-kimble.into-mine", value_name="n"),
        Count("as-kimble.hembo-missed"),
        Count("as-kimble.hembo-needless"),
        Count("as-kimble.ignored", value_name="n"),
        Count("as-kimble.ref-pen-more", value_name="n"),
        Count("as-kimble.ledger-hembo-wrong"),
        Count("as-kimble.ledger-hembo-uncalled"),
        Count("as-kimble.ref-pen-fewer", value_name="n", factor=-1),
    ),
    "done": (
        Count("as-kimble.did", value_name="n"),
        Count("as-kimble.ticked"),
        Count("as-kimble.ref-done-more", value_name="n"),
        Count("as-kimble.ref-done-fewer", value_name="n", factor=-1),
    ),
    "hembo": (Count("as-kimble.hembo-said"),),
    "raises": (Count("as-kimble.raised"), Count("as-kimble.ledger-raised")),
}
SEAT_COLOURS: Mapping[Seat, str] = {team: team for team in TEAMS}
FULL_WAY = sum(RING + goal for goal in GOALS)
"""The way that four pieces have to make until each has a goal grid of its own."""


def score(state: State) -> tuple[float, ...]:
    """The part of its way that each team has made, of a hundred."""
    return tuple(round(100 * _team_progress(side) / FULL_WAY, 1) for side in state.sides)


def _team_progress(side: Side) -> int:
    """Entering is the first step of it. What waits at a goal grid has come as far as that."""
    on_ring = sum((piece.progress + 1) * piece.size for piece in side.ring)
    return on_ring + sum((RING + goal) * side.goal[goal - 1] for goal in GOALS)
