"""Matches and searches in WebAssembly, run by Node.js."""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots.kalamala import levels as kalamala
from kibitz.bots.kalamala.buffers import BUFFERS_DTYPE, MAX_PLIES
from kibitz.core.batch import play_matches
from kibitz.core.targets.build import build_wasm
from kibitz.core.targets.library import Library
from support.targets.matches import MOST, bots_game, kernel_of

SCRIPT = Path(__file__).with_name("wasm_matches.mjs")
CALLS_SCRIPT = Path(__file__).with_name("wasm_calls.mjs")
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


# Searches


class FoundAction(NamedTuple):
    """What a search came to: the code of its action, its value, its depth and its nodes."""

    action: int
    value: int
    depth: int
    nodes: int


def searches_in_wasm(
    folder: Path, library: Path, roots: Sequence[kalamala.Root], nodes: int
) -> list[FoundAction]:
    """The searches of Kalamala's level 6 from these roots, one after another."""
    entries = Library(library).entries
    symbols = {
        name: entries[f"kibitz.bots.kalamala.search.{name}"]["symbol"]
        for name in ("clear_table", "reset_search", "deepen")
    }
    build_wasm(folder / "search.wasm", symbols["deepen"].removesuffix("deepen"))
    first, fields = roots[0], BUFFERS_DTYPE.fields
    assert fields
    memory: dict[str, Any] = {
        "options": first.option_codes,
        "buffers": first.buffers,
        "flag": first.flag,
        **{f"root {n}": root.packed for n, root in enumerate(roots)},
    }
    reads = [["buffers", fields[name][1], 8] for name in ("line", "node_count")]
    calls: list[dict[str, Any]] = []
    for n in range(len(roots)):
        reset = ["buffers", f"root {n}", nodes]
        calls += [
            {"symbol": symbols["clear_table"], "values": ["buffers", first.slots], "reads": []},
            {"symbol": symbols["reset_search"], "values": reset, "reads": []},
            {
                "symbol": symbols["deepen"],
                "values": ["options", "buffers", "flag", MAX_PLIES - 2],
                "reads": reads,
            },
        ]
    placed = {name: b64encode(each.tobytes()).decode() for name, each in memory.items()}
    request = {"wasm": str(folder / "search.wasm"), "memory": placed, "calls": calls}
    command, given = [str(NODE), str(CALLS_SCRIPT)], json.dumps(request)
    ran = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    answers = json.loads(ran.stdout)
    assert not any(each["status"] for each in answers)
    return [_found_action(each) for each in answers[2::3]]


def _found_action(answer: dict[str, Any]) -> FoundAction:
    value, depth, *_ = np.frombuffer(b64decode(answer["results"]), np.int64)
    action, nodes = (int(np.frombuffer(b64decode(each), np.int64)[0]) for each in answer["read"])
    return FoundAction(action, int(value), int(depth), nodes)
