"""Processes for bots: no bot waits for another for longer than it has to, and none for ever."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kibitz.bots import registry
from kibitz.bots.api import SearchContext
from kibitz.bots.question import MIN_THINK_S, Question
from kibitz.games import GAMES
from kibitz.server.settings import settings_from
from kibitz.server.tables.bot_pool import BotPool
from support.bots.bot_questions import question_at
from support.bots.pool_bots import let_in, process_of

Evening = Callable[[BotPool], Awaitable[None]]
TIMEOUT_S = 300
"""Seconds: what bots think with may have to be compiled."""
SEATS = {"kalamala": "A", "as-kimble": "R"}
START = {
    "kalamala": "start",
    "as-kimble": "h2,t2,t9/h3,t12/h3,t17/h3,t24 R:M1 d1 0+0/0+0/0+0/0+0 1:- ---- -",
}


def question(bot: str, name: str = "kalamala", **given: Any) -> Question:
    return question_at(GAMES[name].game({}), SEATS[name], bot, START[name], **given)


async def asks(pool: BotPool, bot: str, game: str = "kalamala") -> str:
    return await pool.choose_action(question(bot, game))


def think(folder: Path, most: int, evening: Evening) -> None:
    """With so many processes, in each of which the bots of this folder are known."""
    pool = BotPool(partial(let_in, folder), most)
    try:
        asyncio.run(asyncio.wait_for(evening(pool), TIMEOUT_S))
    finally:
        pool.close()


def test_another_process_starts_only_when_the_first_is_busy(tmp_path: Path) -> None:
    async def evening(pool: BotPool) -> None:
        assert pool.process_count == 0
        for _ in range(3):
            await asks(pool, "random")
        assert pool.process_count == 1
        for asked, started in ((2, 2), (8, 3)):
            (tmp_path / "hold").touch()
            questions = [asyncio.create_task(asks(pool, "random")) for _ in range(asked)]
            await asyncio.sleep(0)
            (tmp_path / "hold").unlink()
            await asyncio.gather(*questions)
            assert pool.process_count == started

    think(tmp_path, 3, evening)


def test_who_thinks_for_long_keeps_nobody_waiting(tmp_path: Path) -> None:
    """Neither bots of our own, nor what is said out of turn."""

    async def evening(pool: BotPool) -> None:
        sloth = asyncio.create_task(asks(pool, "sloth"))
        await asks(pool, "greedy")
        await asks(pool, "level-1")
        assert await pool.choose_statement(question("greedy")) is None
        assert not sloth.done()
        (tmp_path / "sloth").touch()
        await sloth
        assert pool.process_count == 2

    think(tmp_path, 2, evening)


def test_what_takes_seconds_is_not_thought_about_where_the_quick_are(tmp_path: Path) -> None:
    """However many of them there are."""

    async def evening(pool: BotPool) -> None:
        slow = [asyncio.create_task(asks(pool, "sloth")) for _ in range(3)]
        work = asyncio.create_task(pool.run_job(process_of))
        await asyncio.gather(*(asks(pool, "greedy") for _ in range(5)))
        assert not any(task.done() for task in (*slow, work))
        (tmp_path / "sloth").touch()
        await asyncio.gather(*slow, work)

    think(tmp_path, 2, evening)


def test_a_bot_of_others_always_thinks_in_the_same_process(tmp_path: Path) -> None:
    """It may remember something there."""

    async def evening(pool: BotPool) -> None:
        (tmp_path / "sloth").touch()
        await asyncio.gather(*(asks(pool, "sloth") for _ in range(6)))
        assert pool.process_count == 1

    think(tmp_path, 3, evening)


def test_one_process_is_enough(tmp_path: Path) -> None:
    async def evening(pool: BotPool) -> None:
        (tmp_path / "sloth").touch()
        kinds = ("sloth", "greedy", "level-5", "random")
        await asyncio.gather(*(asks(pool, bot) for bot in kinds), pool.run_job(process_of))
        assert pool.process_count == 1

    think(tmp_path, 1, evening)


def test_a_process_that_dies_is_replaced_and_the_others_do_not_notice(tmp_path: Path) -> None:
    async def evening(pool: BotPool) -> None:
        await asks(pool, "greedy")
        waiting = asyncio.create_task(asks(pool, "sloth"))
        (tmp_path / "sloth").touch()
        texts = question("mole").texts
        chosen = await asyncio.gather(asks(pool, "mole"), asks(pool, "greedy"), waiting)
        assert chosen[0] == texts[-1]
        assert chosen[2] == texts[0]

    think(tmp_path, 2, evening)


# In time


def test_what_was_waited_is_not_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer is due from the question on, however long that lay there."""
    given: list[float | None] = []

    def recording_bot(view: Any, actions: Any, think: SearchContext) -> Any:
        given.append(think.max_seconds)
        return actions[0]

    monkeypatch.setitem(registry.BOTS, "level-5", recording_bot)
    for deadline in (time.monotonic() + 3, time.monotonic() - 3, None):
        registry.choose_action(question("level-5", deadline=deadline))
    some, least, free = given
    assert some is not None
    assert 2 < some <= 3
    assert least == MIN_THINK_S
    assert free is None


@pytest.mark.parametrize(("wanted", "most"), [(60.0, 0.05), (0.05, 60.0), (0.05, None)])
def test_nobody_thinks_longer_than_they_may(wanted: float, most: float | None) -> None:
    think = SearchContext(GAMES["kalamala"].game({}), "A", Random(1), max_seconds=most)
    since = time.monotonic()
    with think.search_budget(wanted):
        while not think.is_stopped and time.monotonic() < since + 30:
            time.sleep(0.01)
    assert think.is_stopped


def test_there_are_as_many_processes_as_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, usual in ((None, 1), (1, 1), (2, 2), (4, 4), (64, 4)):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        assert settings_from({}).bot_processes == usual
    assert settings_from({"KIBITZ_BOT_PROCESSES": "7"}).bot_processes == 7


BURN = "while True: pass"


@pytest.mark.long
@pytest.mark.parametrize("game", SEATS)
def test_every_level_answers_in_time_on_busy_cores(tmp_path: Path, game: str) -> None:
    """With somebody else at each of two cores, and all of them asked at once."""

    async def ask_timed(pool: BotPool, bot: str) -> tuple[str, float]:
        since = time.monotonic()
        await asks(pool, bot, game)
        return bot, time.monotonic() - since

    async def evening(pool: BotPool) -> None:
        pool.warm_up(game, registry.LEVELS)
        await asyncio.gather(asks(pool, "level-1", game), asks(pool, "level-5", game))
        late = []
        for pair in zip(registry.LEVELS[:4], registry.LEVELS[-1:] * 4, strict=True):
            took = await asyncio.gather(*(ask_timed(pool, bot) for bot in pair))
            late += [
                (bot, seconds) for bot, seconds in took if seconds > registry.ANSWER_LIMITS_S[bot]
            ]
        assert late == []

    with ExitStack() as burning:
        for _ in range(2):
            process = burning.enter_context(subprocess.Popen([sys.executable, "-c", BURN]))
            burning.callback(process.kill)
        think(tmp_path, 2, evening)


@pytest.mark.long
def test_who_waits_behind_another_answers_in_time(tmp_path: Path) -> None:
    async def evening(pool: BotPool) -> None:
        await asks(pool, "level-5")
        sloth = asyncio.create_task(asks(pool, "sloth"))
        since = time.monotonic()
        waits = asyncio.create_task(asks(pool, "level-5"))
        await asyncio.sleep(3)
        (tmp_path / "sloth").touch()
        await asyncio.gather(sloth, waits)
        assert time.monotonic() - since < registry.ANSWER_LIMITS_S["level-5"] + 1

    think(tmp_path, 2, evening)
