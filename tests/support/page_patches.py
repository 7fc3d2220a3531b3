"""Whole views made of patches by the script of the page itself, run by Node.js."""

from __future__ import annotations

import json
import subprocess
from itertools import count
from pathlib import Path
from typing import Any

import kibitz
from support.targets.wasm import NODE
from support.view_patches import ViewPatches

RUNNER = Path(__file__).with_suffix(".mjs")
SCRIPT = Path(kibitz.__file__).parent / "web" / "static" / "table" / "view_patches.js"


class PageScript:
    """The script, for as many pages as are asked for, each with messages of its own."""

    def __init__(self, script: Path = SCRIPT) -> None:
        self._process = subprocess.Popen(
            [NODE, RUNNER, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._pages = count()

    def open_page(self) -> PagePatches:
        return PagePatches(self, next(self._pages))

    def take(self, page: int, message: dict[str, Any]) -> dict[str, Any]:
        """The view that the page takes the message for, as `taken`, and the markup of its
        `layers`."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"page": page, "message": message}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def __enter__(self) -> PageScript:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.communicate()


class PagePatches(ViewPatches):
    """A page. Its double, with which other tests read the wire, takes the same for the same."""

    def __init__(self, script: PageScript, number: int) -> None:
        super().__init__()
        self._script, self.number = script, number

    def take(self, message: dict[str, Any]) -> dict[str, Any]:
        answer = self._script.take(self.number, message)
        assert super().take(message) == answer["taken"]
        assert self.markup == answer["layers"]
        taken: dict[str, Any] = answer["taken"]
        return taken
