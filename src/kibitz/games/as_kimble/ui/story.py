"""The story of a match, told afterwards (core.story)."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.core.game import Seat
from kibitz.core.message import Message, message
from kibitz.core.story import Count, Moment
from kibitz.games.as_kimble.board import GOALS, RING, SIX, TEAMS
from kibitz.games.as_kimble.rules.book import raises_of
from kibitz.games.as_kimble.state import GameOver, Side, State

STORY: Mapping[str, Moment] = {
    "as-kimble.eaten": Moment(1, value_name="n", effect="bite"),
    "as-kimble.into-mine": Moment(1.5, value_name="n", effect="blast"),
    "as-kimble.doubled": Moment(1.5),
    "as-kimble.split": Moment(3),
    "as-kimble.raised": Moment(4, effect="rise"),
    "as-kimble.ledger-raised": Moment(4, effect="rise"),
    "as-kimble.round-agreed": Moment(3),
    "as-kimble.says-no": Moment(2),
    "as-kimble.hembo-due": Moment(1),
    "as-kimble.hembo-missed": Moment(2, effect="alarm", cost=1),
    "as-kimble.hembo-needless": Moment(2),
    "as-kimble.hembo-wrong": Moment(1.5),
    "as-kimble.ignored": Moment(2),
    "as-kimble.over-won": Moment(8),
    "as-kimble.over-truly": Moment(9),
    "as-kimble.booked-won": Moment(8),
    "as-kimble.booked-truly": Moment(9),
    "as-kimble.over-ended": Moment(5),
}
ENDINGS = ("over-won", "over-truly", "over-ended")
"""The result says these."""
ASIDES = frozenset(
    f"as-kimble.{event}"
    for event in ("popped", "ticked", "passed-six", "passed", "hembo-said", *ENDINGS)
)
MOVES = ("as-kimble.moved", "as-kimble.entered")
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


def join(one: Message, other: Message) -> Message | None:
    """A meal says that somebody has moved there."""
    return other if one.id in MOVES and other.id == "as-kimble.eaten" else None


def motto(state: State) -> Message | None:
    """The seed closes with a word on winning without a raise."""
    if not isinstance(state.phase, GameOver) or state.phase.winner is None:
        return None
    has_raised = raises_of(state, state.phase.winner) > 0
    return message("as-kimble.motto-raised" if has_raised else "as-kimble.motto", "13")
