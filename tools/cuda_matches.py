"""The kernels on a graphics card: equal to this machine's processor, then how fast.

    python tools/cuda_matches.py write FOLDER     # anywhere: needs Numba-CUDA and a C compiler
    python tools/cuda_matches.py run FOLDER       # on a machine with a card: needs CuPy

What is written is PTX for every game, and what the processor found: `run` loads it, plays the same
65,536 matches of each game, compares lengths, payoffs, dice and all answers of the face, and prints
one line of JSON for each.
"""

from __future__ import annotations

import argparse
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

MATCHES, MANY_MATCHES = 65_536, 1 << 20
MOST, STEPS, THREADS = 20_000, 200, 128
STEPPED = 4096
"""Matches that go on by the face: each has room for an observation."""


def write(folder: Path) -> None:
    from kibitz.core.batch import play_matches, play_steps
    from kibitz.core.jit import i64
    from kibitz.core.kernel import Kernel
    from kibitz.core.targets.cuda import ptx_of
    from kibitz.games import GAMES, extra_of

    folder.mkdir(parents=True, exist_ok=True)
    for name, rulebook in GAMES.items():
        kernel: Kernel = extra_of(name, "kernel").KERNEL
        game = rulebook.game({**rulebook.preset, **rulebook.bots_preset})
        options, first, p = kernel.option_codes(game.options), kernel.blank(), kernel.blank()
        kernel.start(options, first)
        lengths, payoffs = np.zeros(MATCHES, np.int64), np.zeros((MATCHES, kernel.seats), np.int64)
        dice = seeds(MATCHES)
        play_matches(kernel)(options, first, p, dice, i64(MOST), lengths, payoffs)
        stepped, answers = seeds(STEPPED), np.zeros(STEPPED, np.int64)
        words, (planes, numbers) = kernel.new_words(), kernel.new_observation()
        for n in range(STEPPED):
            kernel.copy(first, p)
            stepped[n], answers[n] = play_steps(kernel)(
                options, p, stepped[n], i64(STEPS), words, planes, numbers, payoffs[0].copy()
            )
        ptx = ptx_of(kernel)
        for kind, made in ptx.items():
            (folder / f"{name}-{kind}.ptx").write_text(made.text)
        np.savez_compressed(
            folder / f"{name}.npz",
            options=np.frombuffer(options.tobytes(), np.uint8),
            first=np.frombuffer(first.tobytes(), np.uint8),
            entries=np.array([ptx["matches"].entry, ptx["steps"].entry]),
            sizes=np.array([kernel.words, *kernel.planes, kernel.numbers]),
            lengths=lengths,
            payoffs=payoffs,
            dice=dice,
            stepped=stepped,
            answers=answers,
        )
        print(name, sum(len(made.text) for made in ptx.values()), "bytes of PTX", flush=True)


def seeds(count: int) -> Any:
    return np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)


def run(folder: Path) -> None:
    cupy: Any = import_module("cupy")
    card = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    for found in sorted(folder.glob("*.npz")):
        said = np.load(found)
        told = {"game": found.stem, "card": card, **_run_matches(cupy, folder, found.stem, said)}
        print(json.dumps({**told, **_run_steps(cupy, folder, found.stem, said)}), flush=True)


def _flat(array: Any, shape: tuple[int, ...], item: int) -> list[Any]:
    """An array as Numba passes it on: no owner, sizes, the address, shape and strides."""
    strides = [item * int(np.prod(shape[n + 1 :])) for n in range(len(shape))]
    sizes = [np.int64(int(np.prod(shape))), np.int64(item)]
    return [np.uint64(0), np.uint64(0), *sizes, array, *map(np.int64, (*shape, *strides))]


def _load(cupy: Any, folder: Path, name: str, said: Any, kind: str) -> Any:
    entry = str(said["entries"][("matches", "steps").index(kind)])
    return cupy.RawModule(path=str(folder / f"{name}-{kind}.ptx")).get_function(entry)


def _run_matches(cupy: Any, folder: Path, name: str, said: Any) -> dict[str, Any]:
    function, seats = _load(cupy, folder, name, said, "matches"), said["payoffs"].shape[1]
    size, options, first = (
        len(said["first"]),
        cupy.asarray(said["options"]),
        cupy.asarray(said["first"]),
    )
    told: dict[str, Any] = {"registers": function.num_regs}
    for count in (MATCHES, MANY_MATCHES):
        pool, dice = cupy.zeros(count * size, cupy.uint8), cupy.asarray(seeds(count))
        lengths, payoffs = cupy.zeros(count, cupy.int64), cupy.zeros((count, seats), cupy.int64)
        values = [
            *_flat(options, (1,), len(said["options"])),
            *_flat(first, (1,), size),
            *_flat(pool, (count,), size),
            *_flat(dice, (count,), 8),
            np.int64(MOST),
            *_flat(lengths, (count,), 8),
            *_flat(payoffs, (count, seats), 8),
        ]
        seconds = _launch(cupy, function, count, values)
        if count == MATCHES:
            told["equal_matches"] = all(
                bool((mine.get() == said[key]).all())
                for key, mine in (("lengths", lengths), ("payoffs", payoffs), ("dice", dice))
            )
        told[f"actions_per_s_of_{count}"] = round(int(lengths.sum()) / seconds)
        del pool, dice, lengths, payoffs, values
        cupy.get_default_memory_pool().free_all_blocks()
    return told


def _run_steps(cupy: Any, folder: Path, name: str, said: Any) -> dict[str, Any]:
    """From the start, by the face alone."""
    function, seats = _load(cupy, folder, name, said, "steps"), said["payoffs"].shape[1]
    size, (words, *planes, numbers) = len(said["first"]), map(int, said["sizes"])
    pool, dice = cupy.tile(cupy.asarray(said["first"]), STEPPED), cupy.asarray(seeds(STEPPED))
    answers = cupy.zeros(STEPPED, cupy.int64)
    values = [
        *_flat(cupy.asarray(said["options"]), (1,), len(said["options"])),
        *_flat(pool, (STEPPED,), size),
        *_flat(dice, (STEPPED,), 8),
        np.int64(STEPS),
        *_flat(cupy.zeros((STEPPED, words), cupy.uint64), (STEPPED, words), 8),
        *_flat(cupy.zeros((STEPPED, *planes), cupy.uint8), (STEPPED, *planes), 1),
        *_flat(cupy.zeros((STEPPED, numbers), cupy.float32), (STEPPED, numbers), 4),
        *_flat(cupy.zeros((STEPPED, seats), cupy.int64), (STEPPED, seats), 8),
        *_flat(answers, (STEPPED,), 8),
    ]
    seconds = _launch(cupy, function, STEPPED, values)
    is_equal = (answers.get() == said["answers"]).all() and (dice.get() == said["stepped"]).all()
    return {"equal_faces": bool(is_equal), "steps_per_s": round(STEPPED * STEPS / seconds)}


def _launch(cupy: Any, function: Any, count: int, values: list[Any]) -> float:
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    function((-(-count // THREADS),), (THREADS,), tuple(values))
    end.record()
    end.synchronize()
    return float(cupy.cuda.get_elapsed_time(begin, end)) / 1000


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=("write", "run"))
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    (write if given.command == "write" else run)(given.folder)
