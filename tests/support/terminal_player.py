"""Somebody who plays in a terminal that nobody sees."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from html import unescape
from random import Random
from typing import Any, TypeAlias

from textual.pilot import Pilot

from kibitz.games import GAMES
from kibitz.table import open_table
from kibitz.terminal.app import Terminal
from kibitz.terminal.board import Board

Sit: TypeAlias = Callable[[Terminal, Pilot[None]], Awaitable[None]]


def sit_down(
    then: Sit,
    game: str = "kalamala",
    start: str = "start",
    size: tuple[int, int] = (80, 24),
    options: Mapping[str, Any] | None = None,
    language: str = "en",
    is_reminded: bool = True,
    **bots: str,
) -> Terminal:
    """Play in a terminal that nobody sees."""
    table = open_table(GAMES[game].game(options or {}), start)
    terminal = Terminal(table, bots, language, pause=0, rng=Random(1), is_reminded=is_reminded)

    async def evening() -> None:
        async with terminal.run_test(size=size) as pilot:
            await pilot.pause()
            await then(terminal, pilot)

    asyncio.run(evening())
    return terminal


def screen_text(terminal: Terminal) -> str:
    """All that is written on the screen, as one line."""
    parts = re.findall(r"<text[^>]*>(.*?)</text>", terminal.export_screenshot())
    return " ".join(unescape(" ".join(parts)).split())


def actions(terminal: Terminal) -> tuple[str, ...]:
    return terminal.session.table.record.actions


async def go(terminal: Terminal, pilot: Pilot[None], place: str) -> None:
    """Move the cursor there by N, as far as it takes."""
    for _ in terminal.session.picker.next_places:
        if terminal.cursor == place:
            break
        await pilot.press("n")
    assert terminal.cursor == place


async def click(terminal: Terminal, pilot: Pilot[None], place: str) -> None:
    board = terminal.query_one(Board)
    assert board.scene is not None
    area = board.scene.layout.areas[place]
    await pilot.click(Board, offset=(area.x + area.width // 2, area.y))
    await pilot.pause()


async def type_in(pilot: Pilot[None], text: str) -> None:
    await pilot.press("colon", *text, "enter")
    await pilot.pause()


async def bots_have_played(terminal: Terminal, pilot: Pilot[None]) -> None:
    """Not by waiting for workers: a bot that goes on replaces its own."""
    while terminal.session.bot_turn:
        await pilot.pause(0.01)
    await pilot.pause()
