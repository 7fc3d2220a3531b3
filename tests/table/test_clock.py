"""Time to think, as a value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.table.clock import Clock, Control, wound_up

SEATS = ("R", "B", "Y", "G")
controls = st.builds(
    Control,
    seconds=st.floats(1, 36_000),
    increment=st.floats(0, 600),
    is_per_turn=st.booleans(),
)
some = st.frozensets(st.sampled_from(SEATS))
spells = st.lists(st.tuples(some, st.floats(0, 4000), some), max_size=12)


def ran(control: Control, history: list[tuple[frozenset[str], float, frozenset[str]]]) -> Clock:
    """A clock after some spells: whose time ran, how long, and whose runs next."""
    clock = wound_up(control, SEATS)
    for running, seconds, following in history:
        clock = clock.spend(running, seconds).turned(running, following)
    return clock


@given(controls, spells)
def test_only_whose_time_runs_spends_any(
    control: Control, history: list[tuple[frozenset[str], float, frozenset[str]]]
) -> None:
    clock = ran(control, history)
    for running, seconds, _ in history:
        spent = clock.spend(running, seconds)
        for seat in SEATS:
            less = seconds if seat in running else 0
            assert spent.left[seat] == clock.left[seat] - less


@given(controls, spells, some, some)
def test_whoever_has_done_their_turn_gets_what_it_brings_and_nobody_else(
    control: Control,
    history: list[tuple[frozenset[str], float, frozenset[str]]],
    before: frozenset[str],
    after: frozenset[str],
) -> None:
    clock = ran(control, history)
    turned = clock.turned(before, after)
    for seat in SEATS:
        if seat in before - after:
            fresh = control.seconds if control.is_per_turn else clock.left[seat] + control.increment
            assert turned.left[seat] == fresh
        else:
            assert turned.left[seat] == clock.left[seat]


@given(controls, spells)
def test_a_clock_is_out_exactly_when_nothing_is_left(
    control: Control, history: list[tuple[frozenset[str], float, frozenset[str]]]
) -> None:
    clock = ran(control, history)
    for seat in SEATS:
        assert clock.is_out(seat) == (clock.left[seat] <= 0)
    assert not any(map(wound_up(control, SEATS).is_out, SEATS))


@given(controls, spells, st.permutations(SEATS))
def test_time_goes_where_its_people_go(
    control: Control,
    history: list[tuple[frozenset[str], float, frozenset[str]]],
    order: list[str],
) -> None:
    clock, moved = ran(control, history), dict(zip(SEATS, order, strict=True))
    reseated = clock.reseated(moved)
    assert list(reseated.left) == list(clock.left)
    assert all(reseated.left[moved[seat]] == clock.left[seat] for seat in SEATS)
    back = {new: old for old, new in moved.items()}
    assert reseated.reseated(back) == clock


@given(controls, st.lists(st.floats(0, 100), max_size=9))
def test_thinking_in_parts_costs_the_same(control: Control, parts: list[float]) -> None:
    clock = wound_up(control, SEATS)
    whole = clock.spend({"R"}, sum(parts)).left["R"]
    for part in parts:
        clock = clock.spend({"R"}, part)
    assert clock.left["R"] == pytest.approx(whole)


def test_a_fischer_clock_and_one_of_days() -> None:
    fischer = wound_up(Control(60, 5), "AB").spend({"A"}, 10).turned({"A"}, {"B"})
    assert fischer.left == {"A": 55, "B": 60}
    days = wound_up(Control(60, is_per_turn=True), "AB").spend({"A"}, 10).turned({"A"}, {"B"})
    assert days.left == {"A": 60, "B": 60}
    assert wound_up(Control(60, 5), "AB").spend({"A"}, 10).turned({"A"}, {"A"}).left["A"] == 50
