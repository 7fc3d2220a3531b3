"""The seconds from opening the home page to a first legal move, by visible labels alone.

    .venv/bin/python tools/first_move.py

A stranger with a phone reads what stands out, taps it after THINK_S seconds, and goes on like that
until a move is played. The server and the browser are on this machine, with nothing cached.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.browser.player import TIMEOUT_MS, Player
from support.server_process import Server
from web.conftest import PHONE, SHELL, WHOLE, installed_program
from web.pages.test_first_move import MOST_TAPS, Stranger

THINK_S = 2.0
"""Seconds for reading before each tap."""


def main() -> None:
    print(f"{'game':12}{'taps':>5}{'machine':>9}{'with reading':>14}")
    with TemporaryDirectory() as folder, Server(Path(folder)) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=installed_program(SHELL, *WHOLE))
        for title in MOST_TAPS:
            context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
            context.set_default_timeout(TIMEOUT_MS)
            stranger = Stranger(Player(context.new_page(), server.address, finger=True))
            start = monotonic()
            stranger.arrives(title)
            while not stranger.has_moved:
                if stranger.player.primary.is_visible() or stranger.player.lit() - {*stranger.taps}:
                    stranger.goes_on()
                stranger.page.wait_for_timeout(300)
            needed, taps = monotonic() - start, len(stranger.taps)
            print(f"{title:12}{taps:5}{needed:8.1f}s{needed + taps * THINK_S:13.1f}s")
            context.close()


if __name__ == "__main__":
    main()
