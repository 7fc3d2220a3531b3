"""Time to think, as a value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.table.clock import Clock, TimeControl, new_clock

SEATS = ("R", "B", "Y", "G")
controls = st.builds(
    TimeControl,
    seconds=st.floats(1, 36_000),
    increment_seconds=st.floats(0, 600),
    is_per_turn=st.booleans(),
)
some = st.frozensets(st.sampled_from(SEATS))
spells = st.lists(st.tuples(some, st.floats(0, 4000), some), max_size=12)


def ran(control: TimeControl, history: list[tuple[frozenset[str], float, frozenset[str]]]) -> Clock:
    """A clock after some spells: whose time ran, how long, and whose runs next."""
    clock = new_clock(control, SEATS)
    for running, seconds, following in history:
        clock = clock.spend_seconds(running, seconds).with_turn_bonus(running, following)
    return clock


@given(controls, spells)
def test_only_whose_time_runs_spends_any(
    control: TimeControl, history: list[tuple[frozenset[str], float, frozenset[str]]]
) -> None:
    clock = ran(control, history)
    for running, seconds, _ in history:
        spent = clock.spend_seconds(running, seconds)
        for seat in SEATS:
            less = seconds if seat in running else 0
            assert spent.seconds_left[seat] == clock.seconds_left[seat] - less


@given(controls, spells, some, some)
def test_whoever_has_done_their_turn_gets_what_it_brings_and_nobody_else(
    control: TimeControl,
    history: list[tuple[frozenset[str], float, frozenset[str]]],
    before: frozenset[str],
    after: frozenset[str],
) -> None:
    clock = ran(control, history)
    turned = clock.with_turn_bonus(before, after)
    for seat in SEATS:
        if seat in before - after:
            fresh = (
                control.seconds
                if control.is_per_turn
                else clock.seconds_left[seat] + control.increment_seconds
            )
            assert turned.seconds_left[seat] == fresh
        else:
            assert turned.seconds_left[seat] == clock.seconds_left[seat]


@given(controls, spells)
def test_a_clock_is_out_exactly_when_nothing_is_left(
    control: TimeControl, history: list[tuple[frozenset[str], float, frozenset[str]]]
) -> None:
    clock = ran(control, history)
    for seat in SEATS:
        assert clock.is_out_of_time(seat) == (clock.seconds_left[seat] <= 0)
    assert not any(map(new_clock(control, SEATS).is_out_of_time, SEATS))


@given(controls, spells, st.permutations(SEATS))
def test_time_goes_where_its_people_go(
    control: TimeControl,
    history: list[tuple[frozenset[str], float, frozenset[str]]],
    order: list[str],
) -> None:
    clock, moved = ran(control, history), dict(zip(SEATS, order, strict=True))
    reseated = clock.with_seats_moved(moved)
    assert list(reseated.seconds_left) == list(clock.seconds_left)
    assert all(reseated.seconds_left[moved[seat]] == clock.seconds_left[seat] for seat in SEATS)
    back = {new: old for old, new in moved.items()}
    assert reseated.with_seats_moved(back) == clock


@given(controls, st.lists(st.floats(0, 100), max_size=9))
def test_thinking_in_parts_costs_the_same(control: TimeControl, parts: list[float]) -> None:
    clock = new_clock(control, SEATS)
    whole = clock.spend_seconds({"R"}, sum(parts)).seconds_left["R"]
    for part in parts:
        clock = clock.spend_seconds({"R"}, part)
    assert clock.seconds_left["R"] == pytest.approx(whole)


def test_a_fischer_clock_and_one_of_days() -> None:
    fischer = (
        new_clock(TimeControl(60, 5), "AB").spend_seconds({"A"}, 10).with_turn_bonus({"A"}, {"B"})
    )
    assert fischer.seconds_left == {"A": 55, "B": 60}
    days = (
        new_clock(TimeControl(60, is_per_turn=True), "AB")
        .spend_seconds({"A"}, 10)
        .with_turn_bonus({"A"}, {"B"})
    )
    assert days.seconds_left == {"A": 60, "B": 60}
    assert (
        new_clock(TimeControl(60, 5), "AB")
        .spend_seconds({"A"}, 10)
        .with_turn_bonus({"A"}, {"A"})
        .seconds_left["A"]
        == 50
    )
