"""The line that says how far the bots are prepared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.server_process import Server
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


@pytest.fixture
def preparing(tmp_path: Path) -> Iterator[Server]:
    """A server that prepares its bots until there is a file `built`."""
    with Server(tmp_path, "support.servers.preparing", KIBITZ_PREPARE_BOTS="on") as server:
        yield server


def test_the_line_follows_the_preparation_and_goes_with_its_end(
    preparing: Server, tmp_path: Path, seat_player: Seated
) -> None:
    page = seat_player(at=preparing.address).page
    page.goto(preparing.address)
    line = page.locator("#preparing")
    expect(line).to_have_text(sentence("page.preparing", percent=40))
    (tmp_path / "percent").write_text("70")
    expect(line).to_have_text(sentence("page.preparing", percent=70))
    (tmp_path / "built").touch()
    expect(line).to_have_count(0)


def test_over_a_board_the_line_is_read_once(preparing: Server, seat_player: Seated) -> None:
    player = seat_player(at=preparing.address)
    player.sits_down("bot")
    line = player.page.locator("#preparing")
    expect(line).to_have_text(sentence("page.preparing", percent=40))
    expect(line).to_have_count(0)
