"""The page about the API: its examples run, and what it lists is what there is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from kibitz.core.record import read_record, verify
from kibitz.games import game_of
from kibitz.server.http.error_responses import MAX_BODY_BYTES
from kibitz.server.settings import Settings
from kibitz.server.tables.protocol import MOST_BYTES as MOST_SOCKET_BYTES
from support.docs.api_reference import PAGE, ROOT, with_lists
from support.server_process import Server

THERE = "http://localhost:8000"
BOT = ROOT / "examples" / "play_online.py"


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("quick"), "support.servers.no_bot_pause") as server:
        yield server


def blocks(kind: str) -> list[str]:
    """What stands in the page's frames, in order."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE.read_text(), re.S | re.M)


def ran(server: Server, *command: str, given: str = "") -> str:
    """What a program says, which has to go well."""
    done = subprocess.run(
        command,
        input=given.replace(THERE, server.address),
        env={"PATH": os.environ["PATH"], "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def test_what_is_typed_in_a_shell_works(quick: Server) -> None:
    assert len(blocks("sh")) > 6
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    said = ran(quick, "bash", "-euo", "pipefail", given="\n".join(blocks("sh")))
    assert "event: view" in said
    assert '"result": "B"' in said
    assert said.count('"type":"done","key":"first","seq":1') == 2


def test_what_is_written_in_python_works(quick: Server) -> None:
    assert len(blocks("python")) > 1
    said = ran(quick, sys.executable, "-", given="\n".join(blocks("python")))
    assert {line.split()[0] for line in said.splitlines()} == {"kalamala", "kahmate"}


def test_a_bot_of_twenty_lines_plays_a_whole_match(quick: Server) -> None:
    code = BOT.read_text().split('"""')[2]
    lines = [line for line in code.splitlines() if line.strip() and "import" not in line]
    assert len(lines) <= 20
    said = ran(quick, sys.executable, str(BOT), quick.address, "kalamala", "greedy").split()
    table, result = said
    assert result in ("A", "B", "draw")
    assert table.startswith(f"{quick.address}/t/")


def test_every_address_is_on_the_page(quick: Server) -> None:
    told = httpx.get(f"{quick.address}/api/v1/openapi.json", timeout=30).json()
    page = PAGE.read_text()
    for path in told["paths"]:
        short = path.removeprefix("/api/v1").replace("table_id", "id").replace("token_id", "id")
        last = f".../{short.rpartition('/')[2]}`"
        assert f"{short}`" in page or f"{short}?" in page or last in page, short


def test_limits_and_errors_are_listed_as_they_are() -> None:
    """If not: `python -m support.docs.api_reference` in tests/ writes them anew."""
    page = PAGE.read_text()
    assert with_lists(page) == page
    settings = Settings(data=Path())
    for number in (settings.max_connections_per_address, MAX_BODY_BYTES, MOST_SOCKET_BYTES):
        assert f"{number:,}" in page


def test_the_record_of_a_bots_match_can_be_checked(quick: Server) -> None:
    script = blocks("python")[0].split("for _ in range")[0]
    script += """
import sys
at = f"/tables/{ask('/me/tables')[0]['id']}"
while not (seen := ask(f"{at}/position"))["is_over"]:
    if seen["acting"] in seen["to_act"]:
        ask(f"{at}/actions", key=str(seen["seq"]), actions=[f"resign {seen['acting']}"])
json.dump(ask(f"{at}/record"), sys.stdout)
"""
    record = read_record(ran(quick, sys.executable, "-", given=script))
    assert verify(game_of(record), record) is None
