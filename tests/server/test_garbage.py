"""Cyclic garbage is collected while nobody acts, or before that would take long."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import Iterator
from contextlib import suppress

import pytest

from kibitz.server import garbage


class Node:
    """Something that refers to itself, as a connection does."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def tune_collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A collector as the server has it, which looks often."""
    monkeypatch.setattr(garbage, "CHECK_INTERVAL_S", 0.0)
    monkeypatch.setattr(garbage, "IDLE_CHECK_S", 0.01)
    gc.collect()
    gc.disable()
    yield
    gc.unfreeze()
    gc.enable()


async def collect_beside(work: asyncio.Task[None]) -> None:
    collecting = asyncio.create_task(garbage.collect_when_idle())
    await work
    collecting.cancel()
    with suppress(asyncio.CancelledError):
        await collecting


async def wait_until_gone(node: weakref.ref[Node]) -> None:
    async with asyncio.timeout(30):
        while node() is not None:
            await asyncio.sleep(0.01)


def test_garbage_goes_in_a_quiet_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MIN_NEW_OBJECTS", 1)

    async def wait() -> None:
        await collect_beside(asyncio.create_task(wait_until_gone(weakref.ref(Node()))))

    asyncio.run(wait())


def test_nothing_is_collected_where_it_is_not_worth_it() -> None:
    async def wait() -> None:
        node = weakref.ref(Node())
        await collect_beside(asyncio.create_task(asyncio.sleep(0.2)))
        assert node() is not None

    asyncio.run(wait())


@pytest.mark.parametrize("is_too_much", [False, True])
def test_a_busy_server_collects_only_where_there_is_too_much(
    monkeypatch: pytest.MonkeyPatch, is_too_much: bool
) -> None:
    monkeypatch.setattr(garbage, "MIN_NEW_OBJECTS", 1)
    if is_too_much:
        monkeypatch.setattr(garbage, "MAX_NEW_OBJECTS", 1)

    async def wait() -> None:
        node = weakref.ref(Node())
        await collect_beside(asyncio.create_task(act()))
        assert (node() is None) == is_too_much

    asyncio.run(wait())


async def act(looks: int = 30) -> None:
    """Half of the time, for as long as some looks take."""
    for _ in range(looks):
        await asyncio.sleep(0.005)
        until = time.thread_time() + 0.01
        while time.thread_time() < until:
            pass


@pytest.mark.parametrize("is_overdue", [False, True])
def test_a_busy_server_looks_through_everything_only_where_it_waited_for_long(
    monkeypatch: pytest.MonkeyPatch, is_overdue: bool
) -> None:
    monkeypatch.setattr(garbage, "MIN_NEW_OBJECTS", 1)
    monkeypatch.setattr(garbage, "MAX_NEW_OBJECTS", 1)
    monkeypatch.setattr(garbage, "FULL_INTERVAL_S", 0.0)
    if is_overdue:
        monkeypatch.setattr(garbage, "MAX_FULL_WAIT_S", 0.0)

    async def wait() -> None:
        node = Node()
        garbage.collect(is_full=False)
        known = weakref.ref(node)
        del node
        # A full collection looks through all that the tests have made: a few are enough.
        await collect_beside(asyncio.create_task(act(looks=3)))
        assert (known() is None) == is_overdue

    asyncio.run(wait())


def test_what_ended_since_it_was_frozen_goes_with_a_full_collection() -> None:
    node = Node()
    garbage.collect(is_full=False)
    known = weakref.ref(node)
    del node
    garbage.collect(is_full=False)
    assert known() is not None, "it was frozen while it lived"
    garbage.collect(is_full=True)
    assert known() is None
