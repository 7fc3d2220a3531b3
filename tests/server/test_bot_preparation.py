"""Bots while their library is being built: they answer at once, and go over to it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from kibitz.bots import compilation
from kibitz.core import targets
from kibitz.games import GAMES
from kibitz.server import bot_preparation
from kibitz.server.bot_preparation import BotPreparation
from kibitz.server.tables.bot_pool import BotPool
from support.api_match import ApiMatch
from support.bots.bot_questions import question_at
from support.server_process import Guest, Server, at_last

FAIL = (sys.executable, "-c", "raise SystemExit(1)")


class Builder:
    """Stands for what is built by now."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, folder: Path, command: tuple[str, ...] = ()
    ) -> None:
        self.is_missing, self.percent, self.end = True, 0, folder / "end"
        wait = f"import pathlib, time\nwhile not pathlib.Path({str(self.end)!r}).exists(): "
        command = command or (sys.executable, "-c", wait + "time.sleep(0.01)")
        monkeypatch.setattr(compilation, "is_library_missing", lambda: self.is_missing)
        monkeypatch.setattr(compilation, "built_percent", lambda: self.percent)
        monkeypatch.setattr(compilation, "COMMAND", command)
        monkeypatch.setattr(bot_preparation, "POLL_S", 0.01)


async def until(is_so: Callable[[], bool]) -> None:
    for _ in range(6000):
        if is_so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never is")


def prepare(evening: Callable[[BotPreparation], Awaitable[None]]) -> None:
    async def main() -> None:
        preparing = BotPreparation()
        preparing.start()
        await preparing.has_begun.wait()
        await evening(preparing)
        await preparing.close()

    asyncio.run(main())


def test_bots_are_ready_once_the_library_is_built(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    builder = Builder(monkeypatch, tmp_path)

    async def evening(preparing: BotPreparation) -> None:
        builder.percent = 40
        await until(lambda: preparing.percent == 40)
        assert not preparing.is_ready
        builder.is_missing = False
        builder.end.touch()
        await until(lambda: preparing.is_ready)
        assert preparing.percent is None

    prepare(evening)


def test_where_there_is_a_library_nothing_is_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Builder(monkeypatch, tmp_path, ("no-such-program",)).is_missing = False

    async def evening(preparing: BotPreparation) -> None:
        await until(lambda: preparing.is_ready)
        assert preparing.percent is None

    prepare(evening)


def test_where_building_fails_it_is_not_waited_for_any_more(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Bots stay plain Python; an analysis is better with that than never made."""
    Builder(monkeypatch, tmp_path, FAIL)

    async def evening(preparing: BotPreparation) -> None:
        await until(lambda: preparing.is_ready)
        assert preparing.percent is None

    prepare(evening)
    assert "could not be prepared" in caplog.text


def test_it_ends_with_the_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    Builder(monkeypatch, tmp_path)

    async def evening(preparing: BotPreparation) -> None:
        assert not preparing.is_ready

    prepare(evening)  # Nothing is left of it, or this would warn of a process.


def wait_for_library(library: str) -> None:
    """Stand for a worker of a server that has just begun to build."""
    path = Path(library)
    targets.native_library = lambda: path if path.exists() else None
    targets.answer_at_once()


def test_a_worker_answers_in_plain_python_and_goes_over_to_the_library(tmp_path: Path) -> None:
    """The target that a process runs, asked in that process."""
    library = tmp_path / "library"
    pool = BotPool(partial(wait_for_library, str(library)))
    question = question_at(GAMES["kalamala"].game({}), "A", "level-1")

    async def evening() -> None:
        assert await pool.choose_action(question) in question.texts
        assert await pool.run_job(targets.chosen_target) == targets.PYTHON
        built = targets.native_library()
        assert built
        library.symlink_to(built)
        assert await pool.choose_action(question) in question.texts
        assert await pool.run_job(targets.chosen_target) == targets.NATIVE
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
        (tmp_path / "built").touch()
        at_last(lambda: client.get("/preparation").json() == {"percent": None})
        assert said not in client.get("/").text
        assert said not in client.get(with_bot.headers["location"]).text
