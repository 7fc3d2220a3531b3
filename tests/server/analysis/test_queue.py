"""Nobody's analysis holds up others': each address has its room, and lines take turns."""

from __future__ import annotations

import asyncio
import time

import pytest

from kibitz.server.analysis import board
from kibitz.server.analysis.board import Line, LineCache
from kibitz.server.analysis.queue import WaitingQueue
from kibitz.server.http.errors import HttpError
from support.random_matches import random_match


def status_of(error: pytest.ExceptionInfo[HttpError]) -> tuple[int, float]:
    return error.value.status, error.value.retry_after_s


def test_an_address_has_room_for_few_and_all_for_some_more() -> None:
    queue = WaitingQueue(2, 3)
    with queue.wait_in_line("a"), queue.wait_in_line("a"):
        with pytest.raises(HttpError) as refused, queue.wait_in_line("a"):
            pass
        assert status_of(refused) == (429, 2.0)
        with queue.wait_in_line("b"), pytest.raises(HttpError), queue.wait_in_line("c"):
            pass
    with queue.wait_in_line("a"), queue.wait_in_line("c"):
        pass


def test_what_is_not_known_yet_costs_more() -> None:
    lines, short = LineCache(), Line("kalamala", actions=("@a1",))
    many = Line("kalamala", actions=("@a1",) * 4000)
    assert lines.cost(short) == pytest.approx(1.01)
    assert lines.cost(many) == pytest.approx(41)
    asyncio.run(lines.table_at(short))
    assert lines.cost(short) == 1
    assert lines.cost(many) == pytest.approx(40.99)


def test_a_line_that_takes_long_makes_room_and_goes_on_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, steps = random_match("kalamala", 1)
    texts = [game.notation.write_action(played.step.action) for played in steps]
    line = Line("kalamala", actions=tuple(texts[:32]))
    clock = iter(range(10_000))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(board, "MAX_REPLAY_S", 0.5)
    lines = LineCache()
    with pytest.raises(HttpError) as refused:
        lines._replay_line(line)
    assert status_of(refused) == (429, 2.0)
    assert lines.cost(line) == pytest.approx(1.16)
    monkeypatch.setattr(board, "MAX_REPLAY_S", 1000)
    assert len(lines._replay_line(line).table.history) == 32
