"""The story of a match, told afterwards (core.story).

Of a try the picture is the run over the line: after it the field is empty for the next set-up.
The cards shown are told with what they decide.
"""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.core.game import Seat
from kibitz.core.message import Message
from kibitz.core.story import Count, Moment
from kibitz.games.kahmate.state import SEATS, State

STORY: Mapping[str, Moment] = {
    "kahmate.try": Moment(6, is_shown_before=True, effect="cheer"),
    "kahmate.shown": Moment(0),
    "kahmate.second-tie": Moment(1.5),
    "kahmate.perfect": Moment(3, effect="fall"),
    "kahmate.tackled": Moment(2, effect="fall"),
    "kahmate.tackle-failed": Moment(2, effect="fall"),
    "kahmate.broke-through": Moment(3, effect="fall"),
    "kahmate.stopped": Moment(2.5, effect="fall"),
    "kahmate.intercepted": Moment(3),
    "kahmate.got-through": Moment(1.5),
    "kahmate.stale": Moment(1.5),
    "kahmate.fetched": Moment(1.5),
    "kahmate.played-on": Moment(3),
    "kahmate.over-tries": Moment(3),
    "kahmate.over-turns": Moment(4),
    "kahmate.over-resign": Moment(5),
    "kahmate.over-forfeit": Moment(5),
    "kahmate.over-draw": Moment(4),
    "kahmate.over-void": Moment(4),
}
QUIET = (
    *("placed", "lined-up", "card-down", "shown"),
    *("ended", "up-again", "restart", "over-tries"),
)
"""Events that go without saying: cards are seen, and the last try says that it was the last."""
ASIDES = frozenset(f"kahmate.{event}" for event in QUIET)
RUNS = ("kahmate.ran", "kahmate.carried")
TALLIES: Mapping[str, tuple[Count, ...]] = {
    "tackles": (Count("kahmate.perfect"), Count("kahmate.tackled", is_for_other=True)),
    "perfect": (Count("kahmate.perfect"),),
    "forced": (Count("kahmate.broke-through"),),
    "intercepted": (Count("kahmate.intercepted"),),
    "down": (
        Count("kahmate.tackled"),
        Count("kahmate.tackle-failed"),
        Count("kahmate.stopped"),
        Count("kahmate.perfect", is_for_other=True),
        Count("kahmate.broke-through", is_for_other=True),
    ),
    "passes": tuple(map(Count, ("kahmate.passed", "kahmate.let-go", "kahmate.got-through"))),
    "kicks": (Count("kahmate.kicked"),),
    "cards": (Count("kahmate.shown", "attack"), Count("kahmate.shown", "defence")),
}
SEAT_COLOURS: Mapping[Seat, str] = {seat: seat for seat in SEATS}


def score(state: State) -> tuple[float, ...]:
    """The tries of each side."""
    return tuple(map(float, state.score))


def join(one: Message, other: Message) -> Message | None:
    """The steps of a man one after the other are one run, and who scores a try has run there."""
    if (one.id, other.id) == ("kahmate.carried", "kahmate.try"):
        return other
    first, last = dict(one.values), dict(other.values)
    same = all(first.get(name) == last.get(name) for name in ("seat", "man"))
    if one.id != other.id or one.id not in RUNS or not same or first["square"] != last["origin"]:
        return None
    joined = {**last, "origin": first["origin"]}
    return Message(one.id, tuple(joined.items()), one.paragraph)
