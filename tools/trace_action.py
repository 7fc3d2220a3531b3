"""The walk of one action through the modules: from the arrival of its frame to the last byte sent.

    .venv/bin/python tools/trace_action.py

A server on loopback, in this process; two guests, each with a page, play Kalamala. When they have
played for a while, one more move is made, and every function of ours that runs because of it is
written down. It counts from the bytes that the server reads from the socket to the bytes that it
writes to both pages: the thread that writes to the disk is part of it, and the other player's page,
too. The handshake of the sockets is not, and neither are the tasks that are only waiting meanwhile:
they are below everything in the stack of a framework, but not on the way of the action. Caches are
warm, as they are on a server: what was read or said before is not read or said again.

How deep the calls go counts functions of ours alone, without those of libraries between them;
comprehensions and other parts of functions are none of their own. docs/architecture.md tells the
same in words.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

import kibitz
from kibitz.games import GAMES
from kibitz.server.app import create_app
from kibitz.server.run import uvicorn_config
from kibitz.server.settings import Settings

SOURCE = Path(kibitz.__file__).parent
GAME, SEATS = "kalamala", ("A", "B")
WARM_UP_ACTIONS = 40
SEED = 1


class Walk:
    """Our modules in the order in which they are first entered, and how deep the calls go."""

    def __init__(self) -> None:
        self.modules: dict[str, None] = {}
        self.deepest: list[str] = []
        self.is_on = False

    def trace(self, frame: FrameType, event: str, argument: object) -> None:
        if not self.is_on or event != "call" or not _is_ours(frame):
            return
        self.modules.setdefault(_module(frame))
        stack = []
        here: FrameType | None = frame
        while here:
            if _is_ours(here):
                stack.append(f"{_module(here)}.{here.f_code.co_name}")
            here = here.f_back
        if len(stack) > len(self.deepest):
            self.deepest = stack[::-1]


def _is_ours(frame: FrameType) -> bool:
    """True for a function of ours; a comprehension, a frame in some versions, is part of one."""
    code = frame.f_code
    return code.co_filename.startswith(str(SOURCE)) and not code.co_name.startswith("<")


def _module(frame: FrameType) -> str:
    path = Path(frame.f_code.co_filename).relative_to(SOURCE).with_suffix("")
    return ".".join(path.parts)


class Guest:
    """Somebody with a page of the table."""

    def __init__(self, base: str) -> None:
        self.client = httpx.Client(base_url=base, headers={"Origin": base})
        self._base, self._opened = base, ExitStack()
        self._page: ClientConnection | None = None

    def open_table(self) -> str:
        asked = {"game": GAME, "seats": {SEATS[0]: "me"}, "is_open": True}
        opened = self.client.post("/api/v1/tables", json=asked)
        opened.raise_for_status()
        return str(opened.json()["url"])

    def show(self, table: str) -> None:
        self.client.get(table)
        cookies = "; ".join(f"{each.name}={each.value}" for each in self.client.cookies.jar)
        headers = {"Cookie": cookies, "Origin": self._base}
        at = f"{self._base.replace('http', 'ws', 1)}{table}/live?is_patched=1&is_tall=0"
        opened = connect(at, additional_headers=headers, compression=None)
        self._page = self._opened.enter_context(opened)
        self.read_seq()

    def send(self, seat: str, text: str, seq: int | None) -> None:
        assert self._page
        asked = {"type": "act", "key": f"{seat}{seq}", "seq": seq, "seat": seat, "actions": [text]}
        self._page.send(json.dumps(asked))

    def read_seq(self, kinds: tuple[str, ...] = ("view", "patch")) -> int:
        """The row that the page is shown next, by a message of one of these kinds."""
        assert self._page
        while True:
            message: dict[str, Any] = json.loads(self._page.recv(timeout=60))
            if message["type"] in ("refused", "stale"):
                sys.exit(f"not done: {message}")
            if message["type"] in ("view", "patch"):
                assert message["type"] in kinds, "a page was sent a whole view"
                return int(message["seq"])

    def close(self) -> None:
        self._opened.close()
        self.client.close()


def trace_action(walk: Walk) -> None:
    with TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listening:
        settings = Settings(data=Path(folder), has_rate_limits=False, prepares_bots=False)
        threading.setprofile(walk.trace)
        server = uvicorn.Server(uvicorn_config(create_app(settings), settings))
        running = threading.Thread(target=server.run, args=([listening],))
        running.start()
        threading.setprofile(None)
        while not server.started:
            time.sleep(0.01)
        guests = [Guest(f"http://127.0.0.1:{listening.getsockname()[1]}") for _ in SEATS]
        try:
            _play(guests, walk)
        finally:
            for each in guests:
                each.close()
            server.should_exit = True
            running.join()


def _play(guests: list[Guest], walk: Walk) -> None:
    rng, game = Random(SEED), GAMES[GAME].game(GAMES[GAME].preset)
    rules, state = game.rules, game.rules.start()
    table = guests[0].open_table()
    guests[0].show(table)
    guests[1].show(table)
    guests[1].send(SEATS[1], f"sit {SEATS[1]}", None)
    seq = [each.read_seq() for each in guests][-1]
    for number in range(WARM_UP_ACTIONS + 1):
        (seat,) = rules.to_act(state)
        action = rng.choice(rules.turn_actions(state, seat))
        state = rules.resolve(state, seat, action).state
        walk.is_on = number == WARM_UP_ACTIONS
        guests[SEATS.index(seat)].send(seat, game.notation.write_action(action), seq)
        seq = [each.read_seq(("patch",)) for each in guests][-1]
        walk.is_on = False


if __name__ == "__main__":
    walk = Walk()
    trace_action(walk)
    print(f"{len(walk.modules)} modules:")
    print("\n".join(f"  {name}" for name in walk.modules))
    print(f"{len(walk.deepest)} calls deep:")
    print("\n".join(f"  {'  ' * depth}{name}" for depth, name in enumerate(walk.deepest)))
