"""Bots among themselves wait: for the bots that people play against, and for each other."""

from __future__ import annotations

import asyncio
from typing import Any

from kibitz.bots.question import Question
from kibitz.games import GAMES
from kibitz.server.tables.solo.exhibitions import THINK_S, ExhibitionQueue
from support.bots.bot_questions import question_at


class SlowPool:
    """Answers one question after the other, when it is let."""

    def __init__(self) -> None:
        self.is_busy = False
        self.asked: list[tuple[str, float]] = []
        self.is_free = asyncio.Semaphore(0)

    def is_busy_for(self, bot: str) -> bool:
        return self.is_busy

    async def choose_action(self, question: Question, most_s: float) -> str:
        self.asked.append((question.match, most_s))
        await self.is_free.acquire()
        return question.texts[0]


def question(match: str) -> Question:
    return question_at(GAMES["kalamala"].game({}), "A", "greedy", "start", match=match)


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_an_address_that_looks_at_ten_matches_holds_up_others_for_two() -> None:
    async def evening() -> None:
        pool: Any = SlowPool()
        queue = ExhibitionQueue(pool)
        tasks = [
            asyncio.create_task(queue.choose_action(question(f"his {n}"), {"a"})) for n in range(10)
        ]
        await settle()
        tasks.append(asyncio.create_task(queue.choose_action(question("mine"), {"a", "b"})))
        for _ in range(11):
            await settle()
            pool.is_free.release()
        await asyncio.gather(*tasks)
        assert [match for match, _ in pool.asked].index("mine") <= 2
        assert {seconds for _, seconds in pool.asked} == {THINK_S}

    asyncio.run(evening())


def test_they_think_one_at_a_time() -> None:
    async def evening() -> None:
        pool: Any = SlowPool()
        queue = ExhibitionQueue(pool)
        tasks = [asyncio.create_task(queue.choose_action(question(each), {each})) for each in "abc"]
        for many in (1, 2, 3):
            await settle()
            assert len(pool.asked) == many
            pool.is_free.release()
        await asyncio.gather(*tasks)

    asyncio.run(evening())


def test_they_wait_while_somebody_elses_bot_thinks() -> None:
    async def evening() -> None:
        pool: Any = SlowPool()
        pool.is_busy = True
        pool.is_free.release()
        waiting = asyncio.create_task(ExhibitionQueue(pool).choose_action(question("t"), set()))
        await asyncio.sleep(0.2)
        assert pool.asked == []
        pool.is_busy = False
        assert await asyncio.wait_for(waiting, 20) == question("t").texts[0]

    asyncio.run(evening())
