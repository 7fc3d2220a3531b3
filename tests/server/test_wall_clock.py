"""The time of day goes on, whatever the machine's clock does."""

from __future__ import annotations

import time

import pytest

from kibitz.server import wall_clock
from kibitz.server.wall_clock import WallClock


class Clocks:
    """A machine's two clocks: one that can be set, and one that only goes on."""

    def __init__(self) -> None:
        self.day, self.steady = 1_000_000.0, 50.0

    def pass_(self, seconds: float) -> None:
        self.day += seconds
        self.steady += seconds


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    monkeypatch.setattr(time, "time", lambda: clocks.day)
    monkeypatch.setattr(time, "monotonic", lambda: clocks.steady)
    return clocks


def test_it_is_the_machines_time_as_long_as_nobody_sets_that(clocks: Clocks) -> None:
    ours = WallClock()
    clocks.pass_(3600)
    assert ours.sync_with_machine() == 0
    assert ours.now() == clocks.day


def test_it_goes_on_when_the_clock_is_set_back_and_is_caught_up_with(clocks: Clocks) -> None:
    ours = WallClock()
    clocks.day -= 3600
    before = ours.now()
    for _ in range(3600 * 2):
        clocks.pass_(10)
        ours.sync_with_machine()
        assert ours.now() > before
        before = ours.now()
    assert 0 <= ours.now() - clocks.day <= wall_clock.JUMP_S


def test_a_jump_ahead_is_followed_and_told(clocks: Clocks) -> None:
    ours = WallClock()
    clocks.day += 3600
    assert ours.sync_with_machine() == 3600
    assert ours.now() == clocks.day
    assert ours.sync_with_machine() == 0


def test_a_small_difference_is_nothing(clocks: Clocks) -> None:
    ours = WallClock()
    clocks.day += 2
    assert ours.sync_with_machine() == 0
    assert ours.now() == clocks.day - 2


def test_it_goes_on_from_where_others_have_been(clocks: Clocks) -> None:
    ours = WallClock()
    ours.advance_to(clocks.day + 3600)
    assert ours.now() == clocks.day + 3600
    ours.advance_to(clocks.day)
    assert ours.now() == clocks.day + 3600, "never back"


def test_whoever_had_no_idea_of_the_time_is_not_followed(clocks: Clocks) -> None:
    ours = WallClock()
    ours.advance_to(clocks.day + 30 * wall_clock.MAX_LEAD_S)
    assert ours.now() == clocks.day
