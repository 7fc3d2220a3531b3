"""The time at a position, by a monotonic clock that the test sets."""

from __future__ import annotations

import time

import pytest

from kibitz.games import GAMES
from kibitz.games.kalamala import kalamala
from kibitz.server.tables.live.timer import AnswerLimits, PositionTimer, start_timer
from kibitz.table import open_table
from kibitz.table.clock import TimeControl, new_clock
from kibitz.table.seating import people_at_opening
from kibitz.table.table import AnyTable


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    moment = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: moment[0])
    return moment


def table_with_clock(bot: str = "") -> AnyTable:
    game = kalamala()
    seats = {"A": {"members": ["ann"]}, "B": {"bot": bot} if bot else {"members": ["bob"]}}
    people = people_at_opening("ann", game.seats, seats)
    clock = new_clock(TimeControl(seconds=60), game.seats)
    table: AnyTable = open_table(game, people=people, clock=clock)
    return table.act("A", "@a1")[0]


def start(table: AnyTable, carried: float = 0.0) -> PositionTimer:
    return PositionTimer(table, AnswerLimits(0.0, 0.0), carried, None, time.monotonic())


def test_only_the_clock_of_whoever_is_to_act_runs(now: list[float]) -> None:
    timer = start(table_with_clock())
    now[0] += 20
    assert (timer.clock_left("A"), timer.clock_left("B")) == (60, 40)
    assert timer.seconds_until_due() == 40
    now[0] += 40
    assert timer.flagged_seats() == ["B"]


def test_time_before_this_worker_had_the_table_counts(now: list[float]) -> None:
    timer = start(table_with_clock(), carried=50)
    assert (timer.elapsed_s, timer.last_write_at, timer.clock_left("B")) == (50, 950, 10)


def test_a_bots_turn_is_due_at_once() -> None:
    timer = start_timer(table_with_clock(bot="greedy"), AnswerLimits(0.0, 0.0))
    assert timer.is_servers_turn
    assert timer.seconds_until_due() == 0


def test_an_answer_has_its_time_from_when_it_is_first_asked(now: list[float]) -> None:
    timer = PositionTimer(table_with_clock(), AnswerLimits(30.0, 0.0), 0.0, now[0], now[0])
    now[0] += 12
    assert timer.seconds_to_answer() == 18
    assert timer.after(table_with_clock()).seconds_to_answer() is None, "nothing is asked there"


def test_silence_agrees_by_the_time_that_the_rows_tell(now: list[float]) -> None:
    """K101: what was waited before another row, or another server, counts."""
    game = GAMES["as-kimble"].game({})
    taken = {seat: {"members": [seat]} for seat in game.seats}
    table: AnyTable = open_table(game, people=people_at_opening("R", game.seats, taken))
    table, _ = table.act("B", "ask break", "B", 10.0, 10.0)
    table, _ = table.act("Y", "agree", "Y", 15.0, 5.0)
    timer = PositionTimer(table, AnswerLimits(0.0, 20.0), 4.0, None, now[0])
    assert timer.seconds_to_consent() == 11
    assert timer.seconds_until_due() == 11
    assert timer.overdue_answers() == []
    now[0] += 11
    assert timer.overdue_answers() == [("G", "agree"), ("R", "agree"), ("referee", "agree")]
