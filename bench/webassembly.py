"""Random play in WebAssembly, run by Node.js, beside the native library: actions per second.

    .venv/bin/python bench/webassembly.py [MATCHES]

Both play the same matches of each game, one after another on one core, and have to agree on every
one. Rates are the best of three rounds that take turns; the ratio is of WebAssembly to the library.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from kibitz.core.targets import NATIVE
from kibitz.core.targets.sources import native_library
from support.targets.matches import NAMES, random_matches
from support.targets.wasm import timed_matches

MATCHES, ROUNDS = 2000, 3


def measure(name: str, library: Path, matches: int) -> None:
    wasm_seconds, native_seconds, actions = [], [], 0
    random_matches(name, NATIVE, 1)
    for _ in range(ROUNDS):
        with TemporaryDirectory() as folder:
            found = timed_matches(name, Path(folder), library, matches)
        since = perf_counter()
        assert random_matches(name, NATIVE, matches) == found[:3], name
        native_seconds.append(perf_counter() - since)
        wasm_seconds.append(found.seconds)
        actions = int(np.frombuffer(found.lengths, np.int64).sum())
    wasm, native = actions / min(wasm_seconds), actions / min(native_seconds)
    rates = f"WebAssembly {wasm:>12,.0f}/s   native {native:>12,.0f}/s"
    print(f"{name:<10} {rates}   ratio {wasm / native:.3f}")


if __name__ == "__main__":
    found = native_library()
    if found is None:
        sys.exit("There is no library of these sources: run kibitz compile")
    for game in NAMES:
        measure(game, found, int(sys.argv[1]) if sys.argv[1:] else MATCHES)
