"""What is said of events: how big they are, and for whom they count."""

from __future__ import annotations

from kibitz.core.message import message
from kibitz.core.story import Count, Moment

MEAL = message("eaten", seat="R", n=6, eater=message("of", seat="B"))


def test_a_moment_grows_with_what_it_counts() -> None:
    assert Moment(2).size(MEAL) == 2
    assert Moment(2, value_name="n").size(MEAL) == 12
    assert Moment(2, value_name="litres").size(MEAL) == 2


def test_an_event_counts_for_the_seat_it_names() -> None:
    assert Count("eaten").seat_and_amount(MEAL) == ("R", 1)
    assert Count("eaten", "eater").seat_and_amount(MEAL) == ("B", 1)
    assert Count("eaten", value_name="n").seat_and_amount(MEAL) == ("R", 6)
    assert Count("eaten", value_name="n", factor=-1).seat_and_amount(MEAL) == ("R", -6)


def test_what_is_not_meant_does_not_count() -> None:
    assert Count("moved").seat_and_amount(MEAL) is None
    assert Count("eaten", "mine").seat_and_amount(MEAL) is None
    assert Count("eaten", required_value=("n", 5)).seat_and_amount(MEAL) is None
    assert Count("eaten", required_value=("n", 6)).seat_and_amount(MEAL) == ("R", 1)
