"""Measure a first start: a fresh clone, empty caches, `make play`, the first page and answers.

    python3 bench/start.py                 this commit
    python3 bench/start.py v0.1.0 HEAD     others, one after the other

Needs git, make and Python, as everybody who starts for the first time has them. Packages come from
the installer's cache if it has one: what a line transfers is not what is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

ROOT = Path(__file__).parents[1]
BOT = "level-5"
POLL_S = 0.1
TIMEOUT_S = 1800.0


class FreshStart:
    """`make play` in a clone that nobody has used."""

    def __init__(self, commit: str, folder: Path) -> None:
        self.clone, self._log = folder / "clone", folder / "log.txt"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(self.clone)], check=True)
        subprocess.run(["git", "-C", str(self.clone), "checkout", "--quiet", commit], check=True)
        own = {"XDG_CACHE_HOME": str(folder / "cache"), "KIBITZ_DATA": str(folder / "data")}
        # Packages that were transferred before are not transferred again.
        kept = os.environ.get("UV_CACHE_DIR", str(Path.home() / ".cache" / "uv"))
        self.started = time.monotonic()
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                ["make", "play", "ARGS=--no-open --port 0"],
                cwd=self.clone,
                env={**os.environ, **own, "UV_CACHE_DIR": kept, "KIBITZ_LANGUAGE": "en"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_for_packages(self) -> float:
        """Seconds until everything is installed."""
        return self._wait(lambda: (self.clone / ".venv" / ".has-runtime").exists())

    def wait_for_page(self) -> float:
        """Seconds until the first page is there."""
        return self._wait(self._has_page)

    def _has_page(self) -> bool:
        try:
            with urlopen(self.address) as page:
                return bool(page.status == 200)
        except (URLError, ValueError):
            return False

    @property
    def address(self) -> str:
        found = re.search(r"(http://[\d.]+:\d+)/", self._log.read_text("utf-8"))
        return found[1] if found else ""

    def wait_for_bots(self) -> float:
        """Seconds until the bots are at their best; a server that cannot tell has them so."""
        return self._wait(lambda: self._ask("/preparation").get("percent") is None)

    def first_answer(self, game: str) -> float:
        """Seconds that a bot takes for its first answer at a new table."""
        token = self._ask("/api/v1/me")["token"]
        seats = next(each["seats"] for each in self._ask("/api/v1/games") if each["name"] == game)
        mine, *others = seats
        asked = {"game": game, "seats": {mine: "me", **dict.fromkeys(others, BOT)}}
        table = self._ask("/api/v1/tables", token, asked)["id"]
        path, seq, began = f"/api/v1/tables/{table}", 0, time.monotonic()
        while mine in (position := self._ask(f"{path}/position", token))["to_act"]:
            seq = position["seq"] + 1
            acted = {"key": str(seq), "actions": position["actions"][:1], "seq": position["seq"]}
            self._ask(f"{path}/actions", token, acted)
            began = time.monotonic()
        self._wait(lambda: self._ask(f"{path}/position", token)["seq"] > seq)
        return time.monotonic() - began

    def _ask(self, path: str, token: str = "", body: Any = None) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = json.dumps(body).encode() if body else None
        try:
            with urlopen(Request(self.address + path, data, headers)) as answer:
                return json.load(answer)
        except URLError:
            if path == "/preparation":
                return {}
            raise

    def _wait(self, is_so: Any) -> float:
        while not is_so():
            if self._process.poll() is not None or time.monotonic() > self.started + TIMEOUT_S:
                raise SystemExit(self._log.read_text("utf-8"))
            time.sleep(POLL_S)
        return time.monotonic() - self.started

    def stop(self) -> None:
        os.killpg(self._process.pid, signal.SIGINT)
        self._process.wait()


def measure(commit: str) -> None:
    with tempfile.TemporaryDirectory(prefix="kibitz-start-") as folder:
        start = FreshStart(commit, Path(folder))
        try:
            packages, page = start.wait_for_packages(), start.wait_for_page()
            print(f"{commit}: packages installed after {packages:.1f} s", flush=True)
            print(f"{commit}: first page {page - packages:.1f} s later", flush=True)
            for game in ("kalamala", "kahmate"):
                took = start.first_answer(game)
                print(f"{commit}: first answer of {BOT} in {game} took {took:.1f} s", flush=True)
            print(f"{commit}: bots at their best after {start.wait_for_bots():.1f} s", flush=True)
        finally:
            start.stop()


def main() -> None:
    # Whoever ends this ends what it started, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commits", nargs="*", default=["HEAD"], help="what to measure")
    for commit in parser.parse_args().commits:
        measure(commit)


if __name__ == "__main__":
    main()
