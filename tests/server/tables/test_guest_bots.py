"""Bots of others at a server's tables: chosen by name, seated, and never waited for in vain."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.server_process import Guest, Server

EXAMPLE = Path(__file__).parents[3] / "examples" / "my_program.py"
FAILING = "import sys; sys.stdin.readline(); sys.exit('I give up')"


@pytest.fixture
def server_with_guests(tmp_path: Path) -> Iterator[Server]:
    """A server with a bot that works and one that does not."""
    failing = tmp_path / "failing.py"
    failing.write_text(FAILING)
    bots = [f"lizard=run:{sys.executable} {EXAMPLE}", f"newt=run:{sys.executable} {failing}"]
    server = Server(tmp_path / "data", KIBITZ_BOTS="\n".join(bots))
    try:
        yield server
    finally:
        server.closing_time()
        server.stop()


def actions_with_bot(guest: Guest, bot: str) -> list[str]:
    """What was played once such a bot has answered, and what its seat says."""
    table = guest.begins("kalamala", {"A": "me", "B": bot})
    page = guest.sits_at(table)
    assert page.acts("@c3")["type"] == "done"
    for _ in range(300):
        played: list[str] = guest.reads(table, "record")["actions"]
        if len(played) > 1:
            break
        time.sleep(0.1)
    assert page.view["seats"][1]["note"].endswith(bot)
    return played


def test_a_visiting_bot_plays_and_one_that_fails_is_stood_in_for(
    server_with_guests: Server,
) -> None:
    guest = Guest(server_with_guests)
    assert {"lizard", "newt", "greedy"} <= set(guest.client.get("/api/v1/games").json()[0]["bots"])
    page = guest.client.get("/").text
    assert ">lizard</option>" in page
    assert 'value="lizard" checked' not in page
    lizard, newt = actions_with_bot(guest, "lizard"), actions_with_bot(guest, "newt")
    assert (lizard[0], len(lizard)) == (newt[0], len(newt)) == ("@c3", 2)
    server_with_guests.closing_time()
    complaints = server_with_guests.stop()
    assert "The bot exited (code 1): I give up" in complaints
    assert "lizard" not in complaints
    assert "Traceback" not in complaints
