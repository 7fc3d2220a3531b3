"""Cyclic garbage is collected a little at a time, and all of it while nobody acts."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from kibitz.server import garbage


class Node:
    """Something that refers to itself, as a connection does."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def tune_collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A collector as the server has it, which looks often."""
    monkeypatch.setattr(garbage, "LOOK_INTERVAL_S", 0.0)
    monkeypatch.setattr(garbage, "IDLE_CHECK_S", 0.01)
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.unfreeze()
    gc.enable()


def collect_beside(work: Coroutine[Any, Any, None]) -> None:
    async def run() -> None:
        collecting = asyncio.create_task(garbage.collect_garbage())
        await work
        collecting.cancel()
        with suppress(asyncio.CancelledError):
            await collecting

    asyncio.run(run())


async def act(looks: int = 30) -> None:
    """Half of the time, for as long as some looks take."""
    for _ in range(looks):
        await asyncio.sleep(0.005)
        until = time.thread_time() + 0.01
        while time.thread_time() < until:
            pass


def test_garbage_goes_while_somebody_acts() -> None:
    node = weakref.ref(Node())
    collect_beside(act())
    assert node() is None


def test_what_a_look_went_through_is_not_looked_at_again() -> None:
    kept = [[number] for number in range(100)]
    garbage.collect(is_full=False)
    assert not {id(each) for each in gc.get_objects()} & {id(each) for each in kept}


@pytest.mark.parametrize(("found", "order"), [(0, "LSLSSSLSSSSSSS"), (7, "LLLLLL")])
def test_looks_are_skipped_only_while_they_find_nothing(
    monkeypatch: pytest.MonkeyPatch, found: int, order: str
) -> None:
    """After a look that finds nothing one is skipped, then three, seven and fifteen."""
    done: list[str] = []

    def look(is_full: bool) -> int:
        assert not is_full
        done.append("L")
        return found

    async def pass_turns() -> None:
        while len(done) < 100:
            await asyncio.sleep(0)

    monkeypatch.setattr(garbage, "MIN_NEW_OBJECTS", 1 << 30)
    monkeypatch.setattr(garbage, "collect", look)
    monkeypatch.setattr(gc, "freeze", partial(done.append, "S"))
    collect_beside(pass_turns())
    assert "".join(done).startswith(order)
    assert max(map(len, "".join(done).split("L"))) == (0 if found else garbage.MAX_SKIPPED_LOOKS)


@pytest.mark.parametrize("is_overdue", [False, True])
def test_a_busy_server_looks_through_everything_only_where_it_waited_for_long(
    monkeypatch: pytest.MonkeyPatch, is_overdue: bool
) -> None:
    monkeypatch.setattr(garbage, "MIN_NEW_OBJECTS", 1)
    monkeypatch.setattr(garbage, "FULL_INTERVAL_S", 0.0)
    if is_overdue:
        monkeypatch.setattr(garbage, "MAX_FULL_WAIT_S", 0.0)
    assert goes_though_frozen(act(looks=3)) == is_overdue


def test_what_ended_since_it_was_frozen_goes_in_a_quiet_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage, "MIN_NEW_OBJECTS", 1)
    monkeypatch.setattr(garbage, "FULL_INTERVAL_S", 0.0)
    assert goes_though_frozen(asyncio.sleep(0.2))


def test_nothing_is_looked_through_where_it_is_not_worth_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage, "MIN_NEW_OBJECTS", 1 << 30)
    monkeypatch.setattr(garbage, "FULL_INTERVAL_S", 0.0)
    assert not goes_though_frozen(asyncio.sleep(0.2))


def goes_though_frozen(work: Coroutine[Any, Any, None]) -> bool:
    """True if something that was frozen and has ended since is gone once this is done."""
    node = Node()
    garbage.collect(is_full=False)
    known = weakref.ref(node)
    del node
    collect_beside(work)
    return known() is None


def test_what_ended_since_it_was_frozen_goes_with_a_full_collection() -> None:
    node = Node()
    garbage.collect(is_full=False)
    known = weakref.ref(node)
    del node
    garbage.collect(is_full=False)
    assert known() is not None, "it was frozen while it lived"
    garbage.collect(is_full=True)
    assert known() is None
