"""Bots while their engines are being compiled: they answer at once, and are handed over."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from kibitz.bots import compilation
from kibitz.games import GAMES
from kibitz.server import bot_preparation
from kibitz.server.bot_preparation import BotPreparation
from kibitz.server.tables.bot_pool import BotPool
from support.api_match import ApiMatch
from support.bot_questions import question_at
from support.server_process import Guest, Server, at_last

WAIT = (sys.executable, "-c", "import sys; sys.stdin.read()")
FAIL = (sys.executable, "-c", "raise SystemExit(1)")


class Compiler:
    """Stands for what is compiled by now."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...] = WAIT) -> None:
        self.missing, self.percent = set(GAMES), 0
        monkeypatch.setattr(compilation, "uncompiled_games", lambda: frozenset(self.missing))
        monkeypatch.setattr(compilation, "compiled_percent", lambda: self.percent)
        monkeypatch.setattr(compilation, "COMMAND", command)
        monkeypatch.setattr(bot_preparation, "POLL_S", 0.01)


async def until(is_so: Callable[[], bool]) -> None:
    for _ in range(6000):
        if is_so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never is")


def prepare(evening: Callable[[BotPreparation, list[str]], Awaitable[None]]) -> list[str]:
    """The games that were handed over, in order, and the end."""
    told: list[str] = []

    async def hand_over(game: str) -> None:
        told.append(game)

    async def main() -> None:
        preparing = BotPreparation()
        preparing.start(hand_over, lambda: told.append("end"))
        await evening(preparing, told)
        await preparing.close()

    asyncio.run(main())
    return told


def test_games_become_ready_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = Compiler(monkeypatch)

    async def evening(preparing: BotPreparation, told: list[str]) -> None:
        assert not preparing.is_ready("kalamala")
        compiler.percent = 40
        await until(lambda: preparing.percent == 40)
        compiler.missing.remove("kalamala")
        await until(lambda: preparing.is_ready("kalamala"))
        assert not preparing.is_ready("kahmate")
        compiler.missing.clear()
        await until(lambda: "end" in told)
        assert preparing.percent is None
        assert all(map(preparing.is_ready, GAMES))

    told = prepare(evening)
    assert told[0] == "kalamala"
    assert (sorted(told[1:-1]), told[-1]) == (["as-kimble", "kahmate"], "end")


def test_where_all_is_compiled_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    Compiler(monkeypatch, ("no-such-program",)).missing.clear()

    async def evening(preparing: BotPreparation, told: list[str]) -> None:
        await preparing.has_begun.wait()
        assert all(map(preparing.is_ready, GAMES))
        assert preparing.percent is None

    assert prepare(evening) == []


def test_where_compiling_fails_bots_stay_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    Compiler(monkeypatch, FAIL)

    async def evening(preparing: BotPreparation, told: list[str]) -> None:
        await preparing.has_begun.wait()
        assert preparing.percent is not None
        await until(lambda: preparing.percent is None)
        assert not preparing.is_ready("kalamala")

    assert prepare(evening) == []


def test_a_bot_answers_in_plain_python_until_it_is_handed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a process runs is asked in that process."""
    ready: set[str] = set()
    preparing = BotPreparation()
    monkeypatch.setattr(preparing, "is_ready", lambda game: game in ready or not game)
    pool = BotPool(most=1, preparation=preparing)
    question = question_at(GAMES["kalamala"].game({}), "A", "level-1")

    async def evening() -> None:
        assert await pool.choose_action(question) in question.texts
        assert pool.process_count == 1
        plain = pool._plain.worker_for("level-1", "kalamala")
        assert await plain.run_job(compilation.runs_compiled) is False
        assert await pool.run_job(compilation.runs_compiled) is True
        ready.add("kalamala")
        assert pool.process_count == 2
        pool.close_plain()
        assert pool.process_count == 1

    try:
        asyncio.run(evening())
    finally:
        pool.close()


def test_pages_say_how_far_it_is_and_bots_answer_meanwhile(tmp_path: Path) -> None:
    said = "The bots are being prepared: 40%."
    preparing = {"program": "support.servers.preparing", "KIBITZ_PREPARE_BOTS": "on"}
    with Server(tmp_path, **preparing) as server:
        client = Guest(server).client
        at_last(lambda: client.get("/preparation").json() == {"percent": 40})
        assert said in client.get("/").text
        with ApiMatch(server.address, "kalamala", "level-2") as match:
            assert match.play(2)["seq"] >= 4
        alone = client.post("/tables", data={"game": "kalamala", "play": "device"})
        assert said not in client.get(alone.headers["location"]).text
        with_bot = client.post("/tables", data={"game": "kalamala", "play": "bot"})
        assert said in client.get(with_bot.headers["location"]).text
        (tmp_path / "compiled").touch()
        at_last(lambda: client.get("/preparation").json() == {"percent": None})
        assert said not in client.get("/").text
        assert said not in client.get(with_bot.headers["location"]).text
