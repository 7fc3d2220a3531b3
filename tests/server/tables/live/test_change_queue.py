"""The changes of a table: one at a time, in the order in which they came, whoever waits how."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kibitz.server.tables.live.change_queue import ChangeQueue
from support.server_process import TIMEOUT_S


def begin(queue: ChangeQueue, change: Callable[[], None]) -> None:
    """Make a change, now or when it is its turn."""
    if queue.begin(change):
        change()


def test_changes_and_tasks_take_turns_in_their_order() -> None:
    async def take_turns() -> list[str]:
        queue, begun = ChangeQueue(), list[str]()

        async def wait(name: str) -> None:
            async with queue:
                begun.append(name)
                await asyncio.sleep(0.01)

        begin(queue, lambda: begun.append("first"))
        task = asyncio.create_task(wait("task"))
        await asyncio.sleep(0)
        begin(queue, lambda: begun.append("last"))
        await asyncio.sleep(0.01)
        assert begun == ["first"]
        queue.release()
        await asyncio.wait_for(task, TIMEOUT_S)
        await asyncio.sleep(0)
        assert queue.is_busy()
        queue.release()
        assert not queue.is_busy()
        return begun

    assert asyncio.run(take_turns()) == ["first", "task", "last"]


def test_whoever_gives_up_waiting_is_passed_over() -> None:
    async def give_up(after_its_turn_came: bool) -> bool:
        queue, has_begun = ChangeQueue(), []

        async def wait() -> None:
            async with queue:
                raise AssertionError

        begin(queue, lambda: None)
        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0)
        begin(queue, lambda: has_begun.append(True))
        if after_its_turn_came:
            queue.release()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        if not after_its_turn_came:
            queue.release()
        await asyncio.sleep(0.01)
        return bool(has_begun)

    assert asyncio.run(give_up(after_its_turn_came=False))
    assert asyncio.run(give_up(after_its_turn_came=True))


def test_any_number_of_changes_can_end_at_once() -> None:
    """They do not end inside of one another."""

    async def end_at_once(count: int) -> int:
        queue, ended = ChangeQueue(), []

        def change() -> None:
            ended.append(True)
            queue.release()

        begin(queue, lambda: None)
        for _ in range(count):
            begin(queue, change)
        queue.release()
        while queue.is_busy():
            await asyncio.sleep(0)
        return len(ended)

    assert asyncio.run(end_at_once(5000)) == 5000
