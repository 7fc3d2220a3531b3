"""Play a match against a bot over the API of an installed Kibitz, with the standard library alone.

    python tools/play_installed.py level-5                         starts the kibitz of this Python
    python tools/play_installed.py level-1 http://localhost:8000   plays at a server that runs

Prints how long the first answer took, and how it ended.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

GAME = "kalamala"
TIMEOUT_S = 600.0
POLL_S = 0.05


@contextmanager
def running_server() -> Iterator[str]:
    """The address of a server of the installed package, on data that is thrown away."""
    folder = str(Path(sys.executable).parent)
    program = shutil.which("kibitz", path=os.pathsep.join((folder, os.environ.get("PATH", ""))))
    if program is None:
        raise SystemExit("There is no kibitz beside this Python.")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as data:
        log = Path(data, "log.txt")
        with log.open("w") as file:
            process = subprocess.Popen(
                [program, "serve", "--port", "0"],
                env={**os.environ, "KIBITZ_DATA": data, "KIBITZ_LANGUAGE": "en"},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        try:
            yield _address(process, log)
        finally:
            process.terminate()
            process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(r"running at (http://\S+)/ ", log.read_text("utf-8")):
            return found[1]
        time.sleep(POLL_S)
    raise SystemExit(log.read_text("utf-8"))


class Match:
    """A seat of ours at a table, against a bot."""

    def __init__(self, address: str, bot: str) -> None:
        self._address, self._headers = address, {"Content-Type": "application/json"}
        self._headers["Authorization"] = "Bearer " + self.ask("/me")["token"]
        games = {each["name"]: each for each in self.ask("/games")}
        self.mine, *others = games[GAME]["seats"]
        seats = {self.mine: "me", **dict.fromkeys(others, bot)}
        self.path = f"/tables/{self.ask('/tables', game=GAME, seats=seats)['id']}"

    def ask(self, path: str, **body: Any) -> Any:
        data = json.dumps(body).encode() if body else None
        asked = Request(f"{self._address}/api/v1{path}", data, self._headers)
        with urlopen(asked, timeout=TIMEOUT_S) as answer:
            return json.load(answer)

    def wait_for_turn(self) -> Any:
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            position = self.ask(f"{self.path}/position")
            if position["is_over"] or self.mine in position["to_act"]:
                return position
            time.sleep(POLL_S)
        raise SystemExit("The bot does not answer.")


def play(address: str, bot: str) -> None:
    match, dice, first = Match(address, bot), random.Random(1), 0.0
    while not (position := match.wait_for_turn())["is_over"]:
        key, seq = str(position["seq"]), position["seq"]
        chosen = dice.choice(position["actions"])
        asked = time.monotonic()
        match.ask(f"{match.path}/actions", key=key, actions=[chosen], seq=seq)
        match.wait_for_turn()
        first = first or time.monotonic() - asked
    print(f"first answer of {bot} after {first:.1f} s; result {position['result']}")


def main() -> None:
    bot, *address = sys.argv[1:]
    if address:
        play(address[0], bot)
    else:
        with running_server() as found:
            play(found, bot)


if __name__ == "__main__":
    main()
