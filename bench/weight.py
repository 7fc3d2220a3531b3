"""Weigh pages as a slow phone loads them: bytes, requests and time to the first board.

    .venv/bin/python bench/weight.py BEFORE            this checkout beside a commit or a checkout
    .venv/bin/python bench/weight.py BEFORE AFTER      two others
    .venv/bin/python bench/weight.py BEFORE --rounds 5 --pages home table-kahmate

Both servers run at once and take turns at every page, so that other work on the machine meets both
alike; of each figure the median of all rounds counts. Chromium has the slow 4G that Lighthouse has
(150 ms to and fro, 1.6 Mbit/s down, 0.75 Mbit/s up) and a quarter of a CPU. Bytes are those that
cross the line, headers and sockets included, as a proxy counts them. Cold is a browser that was
never here, warm the same page once more. A board is there once it has been painted; on the home
page that is its first picture. `match` is all that a page is sent while Kahmaté is played at random
to its end, or for 268 actions.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import socket
import socketserver
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

ROOT = Path(__file__).parents[1]
SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
CPU_DIVISOR = 4
PHONE = {"width": 390, "height": 844}
GAMES = ("kahmate", "kalamala", "as-kimble")
PAGES = ("home", "lesson-kalamala", *(f"table-{game}" for game in GAMES))
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
"""The first of these that the system has; else playwright has its own."""
BOARD = "#stage svg.board"
PICTURE = ".home-page main svg"
QUIET_S = 0.7
"""A page that nothing came for so long has come."""
TIMEOUT_S = 60.0
MATCH_ACTIONS = 268
"""As many as the match had that was weighed first."""
MATCH_S = 120.0
"""A match that takes longer is weighed as far as it came."""
CHUNK_BYTES = 1 << 16
WATCH = """(wanted) => {
  const note = () => setTimeout(() => { window.boardAt ??= performance.now(); });
  const look = () => {
    if (!document.querySelector(wanted)) return requestAnimationFrame(look);
    requestAnimationFrame(note);
  };
  look();
}"""


class Load(NamedTuple):
    """One load of a page."""

    kilobytes: float
    requests: float
    board_s: float


class CountingProxy(socketserver.ThreadingTCPServer):
    """Passes on what comes, and counts the bytes that go to the browser."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passage)
        self.target_port, self.sent_bytes, self.sent_at = port, 0, 0.0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Passage(socketserver.BaseRequestHandler):
    server: CountingProxy

    def handle(self) -> None:
        with socket.create_connection(("127.0.0.1", self.server.target_port)) as there:
            upwards = threading.Thread(target=self._pass, args=(self.request, there, False))
            upwards.start()
            self._pass(there, self.request, True)
            upwards.join()

    def _pass(self, here: socket.socket, there: socket.socket, is_counted: bool) -> None:
        try:
            while chunk := here.recv(CHUNK_BYTES):
                if is_counted:
                    self.server.sent_bytes += len(chunk)
                    self.server.sent_at = time.monotonic()
                there.sendall(chunk)
            there.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # The browser has gone.


@contextmanager
def checkout_of(name: str) -> Iterator[Path]:
    """A folder with that checkout, or with that commit until it is not needed any more."""
    if (Path(name) / "src" / "kibitz").is_dir():
        yield Path(name).resolve()
        return
    with tempfile.TemporaryDirectory(prefix="kibitz-weight-") as folder:
        archive = subprocess.Popen(
            ["git", "-C", str(ROOT), "archive", name, "src", "docs/rules"], stdout=subprocess.PIPE
        )
        subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
        if archive.wait():
            raise SystemExit(f"{name} is neither a checkout nor a commit")
        yield Path(folder)


@contextmanager
def run_server(checkout: Path) -> Iterator[CountingProxy]:
    """Its server, behind a proxy that counts."""
    with tempfile.TemporaryDirectory(prefix="kibitz-weight-") as data:
        ours = {
            "KIBITZ_DATA": data,
            "KIBITZ_PORT": "0",
            "KIBITZ_OPEN_BROWSER": "off",
            "KIBITZ_RATE_LIMITS": "off",
            "KIBITZ_PREPARE_BOTS": "off",
            "PYTHONPATH": str(checkout / "src"),
        }
        clean = {name: value for name, value in os.environ.items() if "KIBITZ_" not in name}
        process = subprocess.Popen(
            [sys.executable, "-m", "kibitz.server.run"],
            env=clean | ours,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout
        said = process.stdout.readline()
        port = int(said.split("http://")[1].split("/")[0].split(":")[1])
        try:
            with CountingProxy(port) as proxy:
                yield proxy
                proxy.shutdown()
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(20)


class Phone:
    """A browser that was never here, on a slow line and with a slow processor."""

    def __init__(self, browser: Browser, proxy: CountingProxy) -> None:
        self.proxy = proxy
        self.context: BrowserContext = browser.new_context(
            viewport={"width": PHONE["width"], "height": PHONE["height"]},
            has_touch=True,
            is_mobile=True,
            reduced_motion="reduce",
        )

    def path_of(self, page: str) -> str:
        """Where a page is; a table is opened first."""
        kind, _, game = page.partition("-")
        if kind == "home":
            return "/"
        return f"/learn/{game}" if kind == "lesson" else self.opens(game)

    def opens(self, game: str) -> str:
        """Open a table with all its seats, past the browser's cache; where it is."""
        form: dict[str, str | float | bool] = {"game": game, "play": "device", "entropy": ""}
        headers = {"Origin": self.proxy.address}
        answer = self.context.request.post(
            f"{self.proxy.address}/tables", form=form, headers=headers, max_redirects=0
        )
        assert answer.status == 303, answer.text()
        return answer.headers["location"]

    def loads(self, path: str) -> Load:
        page = self.context.new_page()
        line = self._slow_line(page)
        asked: list[str] = []
        line.on("Network.requestWillBeSent", lambda sent: asked.append(sent["request"]["url"]))
        line.on("Network.webSocketCreated", lambda made: asked.append(made["url"]))
        wanted = PICTURE if path == "/" else BOARD
        page.add_init_script(f"({WATCH})({wanted!r})")
        before = self.proxy.sent_bytes
        page.goto(self.proxy.address + path)
        page.wait_for_function("() => window.boardAt", timeout=TIMEOUT_S * 1000)
        board_s = float(page.evaluate("window.boardAt")) / 1000
        self.is_quiet(page)
        page.close()
        fetched = [url for url in asked if not url.startswith("data:")]
        return Load((self.proxy.sent_bytes - before) / 1000, len(fetched), board_s)

    def is_quiet(self, page: Page) -> None:
        until = time.monotonic() + TIMEOUT_S
        while time.monotonic() < min(until, self.proxy.sent_at + QUIET_S):
            page.wait_for_timeout(50)

    def _slow_line(self, page: Page) -> CDPSession:
        line = self.context.new_cdp_session(page)
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", SLOW_4G)
        line.send("Emulation.setCPUThrottlingRate", {"rate": CPU_DIVISOR})
        return line

    def plays(self, game: str, other: Phone) -> tuple[int, float]:
        """Watch a whole match against another; its actions, and the kilobytes that came."""
        seats = next(each["seats"] for each in self._ask("/games") if each["name"] == game)
        opened = self._ask("/tables", {"game": game, "seats": {seats[0]: "me"}})
        table = f"/tables/{opened['id']}"
        token = self._ask(f"{table}/links")[seats[1]].rsplit("/", 1)[1]
        other._ask(f"{table}/join", {"token": token})
        page, rng, count = self.context.new_page(), random.Random(game), 0
        heard: list[int] = []
        line = self.context.new_cdp_session(page)
        line.send("Network.enable")
        line.on("Network.webSocketFrameReceived", lambda frame: heard.append(1))
        page.goto(self.proxy.address + opened["url"])
        page.wait_for_selector(BOARD, state="attached")
        self.is_quiet(page)
        before = self.proxy.sent_bytes
        until = time.monotonic() + MATCH_S
        while count < MATCH_ACTIONS and time.monotonic() < until:
            views = [(person, person._ask(f"{table}/position")) for person in (self, other)]
            if views[0][1]["is_over"]:
                break
            person, at = next((each for each in views if each[1]["actions"]), views[0])
            if not at["actions"]:  # a draw waits for somebody's string
                page.wait_for_timeout(100)
                continue
            act = {"key": str(count), "actions": [rng.choice(at["actions"])], "seq": at["seq"]}
            known = len(heard)
            person._ask(f"{table}/actions", act)
            count += 1
            for _ in range(40):
                if len(heard) > known:
                    break
                page.wait_for_timeout(25)
        self.is_quiet(page)
        page.close()
        return count, (self.proxy.sent_bytes - before) / 1000

    def _ask(self, path: str, body: Any = None) -> Any:
        """An answer to a program, past the proxy: its bytes are not a page's."""
        url = f"http://127.0.0.1:{self.proxy.target_port}/api/v1{path}"
        answer = self.context.request.fetch(url, method="POST" if body else "GET", data=body)
        assert answer.ok, answer.text()
        return answer.json()


def measure_pages(
    browser: Browser, proxies: list[CountingProxy], pages: list[str], rounds: int
) -> dict[tuple[str, str], list[list[Load]]]:
    """All loads by page and by whether it was the first one: of each server."""
    found: dict[tuple[str, str], list[list[Load]]] = defaultdict(lambda: [[] for _ in proxies])
    for number in range(rounds):
        for page in pages:
            # Who goes first changes, too.
            for index in (0, 1) if number % 2 == 0 else (1, 0):
                phone = Phone(browser, proxies[index])
                path = phone.path_of(page)
                for when in ("cold", "warm"):
                    found[page, when][index].append(phone.loads(path))
                phone.context.close()
        print(f"round {number + 1} of {rounds} is done", flush=True)
    return found


def print_loads(found: dict[tuple[str, str], list[list[Load]]]) -> None:
    print(f"{'':<24}{'kB':>16}{'requests':>18}{'board after, s':>20}")
    for (page, when), servers in found.items():
        columns = []
        for index, width in enumerate((8, 9, 10)):
            for loads in servers:
                middle = statistics.median(load[index] for load in loads)
                columns.append(f"{middle:>{width}.{2 if index == 2 else 0}f}")
        print(f"{page + ', ' + when:<24}{''.join(columns)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", help="a commit or a checkout")
    parser.add_argument("after", nargs="?", default=str(ROOT), help="likewise; else this one")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pages", nargs="*", default=PAGES, choices=PAGES)
    parser.add_argument("--match", action="store_true", help="play a match of Kahmaté as well")
    given = parser.parse_args()
    with ExitStack() as stack:
        checkouts = [stack.enter_context(checkout_of(each)) for each in (given.before, given.after)]
        proxies = [stack.enter_context(run_server(each)) for each in checkouts]
        playwright = stack.enter_context(sync_playwright())
        program = next(filter(None, map(shutil.which, BROWSERS)), None)
        browser = stack.enter_context(playwright.chromium.launch(executable_path=program))
        print(f"each pair of figures: {given.before}, then {given.after}")
        if given.pages:
            print_loads(measure_pages(browser, proxies, given.pages, given.rounds))
        if given.match:
            for proxy, name in zip(proxies, (given.before, given.after), strict=True):
                people = Phone(browser, proxy), Phone(browser, proxy)
                count, kilobytes = people[0].plays("kahmate", people[1])
                each = kilobytes / max(count, 1)
                print(f"match of {count} actions, {name}: {kilobytes:,.0f} kB, {each:.1f} each")


if __name__ == "__main__":
    main()
