"""The walk of one action through the modules: from the socket it comes by to the views it leads to.

    .venv/bin/python tools/trace_action.py

A server in this process, two guests at a table of Kalamala, one action: every function of ours
that runs on the way is written down. docs/architecture.md tells the same in words.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from litestar.testing import TestClient

import kibitz
from kibitz.server.app import create_app
from kibitz.server.settings import Settings

SOURCE = Path(kibitz.__file__).parent
ORIGIN = {"Origin": "http://testserver.local"}
ACTION = "@e4"


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


def trace_action(walk: Walk) -> None:
    with TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder), has_rate_limits=False, prepares_bots=False)
        threading.setprofile(walk.trace)
        with TestClient(create_app(settings), base_url=ORIGIN["Origin"]) as client:
            client.headers.update(ORIGIN)
            asked = {"game": "kalamala", "seats": {"A": "me", "B": "me"}}
            opened = client.post("/api/v1/tables", json=asked)
            opened.raise_for_status()
            with client.websocket_connect(f"{opened.json()['url']}/live?is_tall=0") as socket:
                seq = _read_until(socket, "view")["seq"]
                act = {"type": "act", "key": "1", "seq": seq, "seat": "A", "actions": [ACTION]}
                walk.is_on = True
                socket.send_json(act)
                _read_until(socket, "view")
                walk.is_on = False
        threading.setprofile(None)


def _read_until(socket: Any, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(socket.receive_text())
        if message["type"] == "refused":
            sys.exit(f"refused: {message}")
        if message["type"] == kind:
            return message


if __name__ == "__main__":
    walk = Walk()
    trace_action(walk)
    print(f"{len(walk.modules)} modules:")
    print("\n".join(f"  {name}" for name in walk.modules))
    print(f"{len(walk.deepest)} calls deep:")
    print("\n".join(f"  {'  ' * depth}{name}" for depth, name in enumerate(walk.deepest)))
