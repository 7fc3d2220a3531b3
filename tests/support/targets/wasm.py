"""Matches in WebAssembly, run by Node.js."""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.batch import play_matches
from kibitz.core.targets.build import build_wasm
from kibitz.core.targets.library import Library
from support.targets.matches import MOST, bots_game, kernel_of

SCRIPT = Path(__file__).with_name("wasm_matches.mjs")
NODE = Path(sys.executable).with_name("node")


class WasmMatches(NamedTuple):
    lengths: bytes
    payoffs: bytes
    dice: bytes
    seconds: float
    """The time that they took, without what was done before."""


def matches_in_wasm(name: str, folder: Path, library: Path, matches: int) -> tuple[bytes, ...]:
    """The lengths, payoffs and dice of so many matches."""
    return timed_matches(name, folder, library, matches)[:3]


def timed_matches(name: str, folder: Path, library: Path, matches: int) -> WasmMatches:
    kernel = kernel_of(name)
    said = Library(library).entries[play_matches(kernel).name]
    build_wasm(folder / "kernel.wasm", said["symbol"])
    options = kernel.option_codes(bots_game(name).options)
    first, work = kernel.blank(), kernel.blank()
    kernel.start(options, first)
    dice = np.arange(1, matches + 1, dtype=np.uint64)
    lengths, payoffs = np.zeros(matches, np.int64), np.zeros((matches, kernel.seats), np.int64)
    count = str(matches)
    values: list[Any] = [
        *map(_memory, (options, first, work)),
        *(_memory(dice), count, str(MOST), _memory(lengths), count),
        *(_memory(payoffs), count, str(kernel.seats)),
    ]
    request = {"wasm": str(folder / "kernel.wasm"), "symbol": said["symbol"], "values": values}
    command, given = [str(NODE), str(SCRIPT)], json.dumps(request)
    ran = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    answer = json.loads(ran.stdout)
    assert answer["status"] == 0
    *_, dice_after, lengths_after, payoffs_after = map(b64decode, answer["memory"])
    return WasmMatches(lengths_after, payoffs_after, dice_after, answer["seconds"])


def _memory(value: Any) -> dict[str, str]:
    return {"bytes": b64encode(value.tobytes()).decode()}
