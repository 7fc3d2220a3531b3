"""What is said of events: how big they are, and for whom they count."""

from __future__ import annotations

from kibitz.core.message import message
from kibitz.core.story import Count, Moment

MEAL = message("eaten", seat="R", n=6, eater=message("of", seat="B"))


def test_a_moment_grows_with_what_it_counts() -> None:
    assert Moment(2).size(MEAL) == 2
    assert Moment(2, by="n").size(MEAL) == 12
    assert Moment(2, by="litres").size(MEAL) == 2


def test_an_event_counts_for_the_seat_it_names() -> None:
    assert Count("eaten").of(MEAL) == ("R", 1)
    assert Count("eaten", "eater").of(MEAL) == ("B", 1)
    assert Count("eaten", by="n").of(MEAL) == ("R", 6)
    assert Count("eaten", by="n", times=-1).of(MEAL) == ("R", -6)


def test_what_is_not_meant_does_not_count() -> None:
    assert Count("moved").of(MEAL) is None
    assert Count("eaten", "mine").of(MEAL) is None
    assert Count("eaten", only=("n", 5)).of(MEAL) is None
    assert Count("eaten", only=("n", 6)).of(MEAL) == ("R", 1)
