"""Batches on a graphics card: equal to this machine's processor, then how fast.

    python tools/cuda_batch.py write FOLDER     # anywhere: needs Kibitz and Numba-CUDA
    python tools/cuda_batch.py run FOLDER       # on a machine with a card: needs NumPy alone

What is written is the PTX of every game, and digests of what the processor found: 65,536 matches of
each game under 20 random option sets, so many steps of random play. `run` does the same on the card
and compares states, dice, masks, observations and rewards, then matches that another batch took.
Then it prints the steps per second of a million matches, without and with observations. One line of
JSON for each game.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
MATCHES, MANY_MATCHES = 65_536, 1 << 20
OPTION_SETS, STEPS, SPEED_STEPS = 20, 100, 200
SCRATCH = {"kalamala": "kinds"}
"""The first field of a state from which on it is room to work in, which nobody compares."""


# Anywhere


def write(folder: Path, matches: int, sets: int, steps: int) -> None:
    from kibitz.core.targets.cuda import batch_ptx_of
    from kibitz.games import GAMES

    folder.mkdir(parents=True, exist_ok=True)
    for name in GAMES:
        found = []
        for number in range(sets):
            begin = perf_counter()
            found.append(_processor_results(name, number, matches, steps))
            print(name, number, f"{perf_counter() - begin:.1f} s", flush=True)
        kernel = _batch(name, {}, 1).kernel
        told = {
            "state": kernel.state.itemsize,
            "options": kernel.options.itemsize,
            "compared": kernel.state.fields[SCRATCH[name]][1] if name in SCRATCH else None,
            "seats": kernel.seats,
            "words": kernel.words,
            "planes": kernel.planes,
            "numbers": kernel.numbers,
            "matches": matches,
            "steps": steps,
            "sets": found,
            "ptx": batch_ptx_of(kernel),
        }
        (folder / f"{name}.json").write_text(json.dumps(told))


def _batch(name: str, options: dict[str, Any], matches: int, seed: int = 0) -> Any:
    from kibitz.learn import Batch

    return Batch(name, matches, seed=seed, options=options)


def _processor_results(name: str, number: int, matches: int, steps: int) -> dict[str, Any]:
    """One set of options: the usual ones first, then random ones that the kernel takes."""
    options = _some_options(name, number) if number else {}
    env = _batch(name, options, matches, number)
    a = env._matches.arrays
    assert (seeded_dice(number, matches, 1) == a.sample_dice).all()
    summed, ended = np.zeros((matches, env.seats), np.float32), 0
    for _ in range(steps):
        rewards, done = env.step(env.sample())
        summed += rewards
        ended += int(done.sum())
    record = env.setup.options
    shown = [part for seat in range(env.seats) for part in _copies(env.observe(seat))]
    arrays = {"dice": a.dice, "actors": a.actors, "counts": a.counts, "words": a.words}
    digests = {key: _digest(each) for key, each in arrays.items()}
    end = a.pool.dtype.fields[SCRATCH[name]][1] if name in SCRATCH else a.pool.dtype.itemsize
    pool = a.pool.view(np.uint8).reshape(matches, -1)[:, :end]
    digests |= {"pool": _digest(pool), "rewards": _digest(summed)}
    digests["observations"] = _digest(*shown)
    return {
        "options": record.tobytes().hex(),
        "seed": number,
        "ended": ended,
        "digests": digests,
        "text": {key: str(value) for key, value in env.setup.game.options.items()},
    }


def _copies(arrays: Any) -> list[Any]:
    return [each.copy() for each in arrays]


def _some_options(name: str, number: int) -> dict[str, Any]:
    sys.path.insert(0, str(ROOT / "tests"))
    from kibitz.games import GAMES
    from laws.laws import some_options

    rng = Random(f"{name} {number}")
    while True:
        chosen = {**some_options(GAMES[name], rng), **GAMES[name].bots_preset}
        try:
            _batch(name, chosen, 1)
        except ValueError:  # Refused by the rules, or by the kernel.
            continue
        return chosen


def _digest(*arrays: Any) -> str:
    digest = sha256()
    for each in arrays:
        digest.update(np.ascontiguousarray(each).data)
    return digest.hexdigest()[:32]


# On a machine with a card


def _driver() -> Any:
    """The module, without the package around it."""
    path = ROOT / "src" / "kibitz" / "learn" / "cuda_driver.py"
    spec = spec_from_file_location("cuda_driver", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules["cuda_driver"] = module
    spec.loader.exec_module(module)
    return module


class CardBatch:
    """A batch as kibitz.learn makes one, without the package."""

    def __init__(
        self, driver: Any, card: Any, told: dict[str, Any], options: bytes, n: int
    ) -> None:
        def array(shape: tuple[int, ...], dtype: Any, is_interleaved: bool = False) -> Any:
            return driver.CudaArray(card, shape, dtype, is_interleaved)

        self.card, self.n, seats = card, n, told["seats"]
        record = np.frombuffer(options, np.dtype(f"V{told['options']}"))
        self.options, self.pool = array((1,), record.dtype), array((n,), f"V{told['state']}")
        self.options[:] = record
        self.dice, self.sample_dice = array((n,), np.uint64), array((n,), np.uint64)
        self.actors, self.counts = array((n,), np.int8), array((n,), np.int32)
        self.words, self.actions = array((n, told["words"]), np.uint64, True), array((n,), np.int32)
        self.payoffs, self.rewards = array((n, seats), np.int64), array((n, seats), np.float32)
        self.done, self.faults = array((n,), np.uint8), array((n,), np.int32)
        self.seats = array((n,), np.int8)
        self.planes = array((n, *told["planes"]), np.uint8, True)
        self.numbers = array((n, told["numbers"]), np.float32, True)
        kernels = told["functions"]
        begin = self.options, self.pool, self.dice, self.actors, self.counts, self.words
        paid = self.actions, self.payoffs, self.rewards, self.done, self.faults
        draws = self.sample_dice, self.counts, self.words, self.actions
        shown = self.options, self.pool, self.seats, self.planes, self.numbers
        self.reset = card.bind(kernels["reset"], n, begin)
        self.step = card.bind(kernels["step"], n, (*begin, *paid))
        self.sample = card.bind(kernels["sample"], n, draws)
        self.observe = card.bind(kernels["observe"], n, shown)
        by_actor = self.options, self.pool, self.actors, self.planes, self.numbers
        self.observe_actor = card.bind(kernels["observe"], n, by_actor)

    def take(self, other: CardBatch, rows: Any, take: Any) -> None:
        """As `Batch.take`; the rows and the function are the card's."""
        theirs = other.pool, other.dice, other.actors, other.counts, other.words
        ours = self.pool, self.dice, self.actors, self.counts, self.words
        self.card.bind(take, self.n, (rows, *theirs, *ours))()

    def seed(self, seed: int) -> None:
        self.dice[:] = seeded_dice(seed, self.n, 0)
        self.sample_dice[:] = seeded_dice(seed, self.n, 1)
        self.reset()


def seeded_dice(seed: int, size: int, stream: int) -> Any:
    """As kibitz.learn.setup.seeded_dice."""
    with np.errstate(over="ignore"):
        begin = _mix_bits(np.array([seed % 2**64], np.uint64) + np.uint64(stream))
        steps = np.arange(1, size + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return _mix_bits(begin + steps)


def _mix_bits(z: Any) -> Any:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def run(folder: Path) -> None:
    driver = _driver()
    card = driver.Card()
    for path in sorted(folder.glob("*.json")):
        told = json.loads(path.read_text())
        begin = perf_counter()
        told["functions"] = {
            name: card.function(text, entry) for name, (text, entry) in told["ptx"].items()
        }
        result = {"game": path.stem, "card": card.name, "load_s": round(perf_counter() - begin, 1)}
        wrong = [
            f"{each['seed']}: {', '.join(missed)}"
            for each in told["sets"]
            if (missed := _differences(driver, card, told, each))
        ]
        result |= {
            "option_sets": len(told["sets"]),
            "matches": told["matches"],
            "ended": sum(each["ended"] for each in told["sets"]),
            "equal": not wrong,
            "wrong": wrong,
        }
        print(json.dumps(result), flush=True)
        print(json.dumps({"game": path.stem, **_speed(driver, card, told)}), flush=True)


def _differences(driver: Any, card: Any, told: dict[str, Any], expected: Any) -> list[str]:
    """The names of what is not as on the processor."""
    n, seats = told["matches"], told["seats"]
    batch = CardBatch(driver, card, told, bytes.fromhex(expected["options"]), n)
    batch.seed(expected["seed"])
    summed = np.zeros((n, seats), np.float32)
    for _ in range(told["steps"]):
        batch.sample()
        batch.step()
        summed += batch.rewards.get()
    pool = batch.pool.get().view(np.uint8).reshape(n, -1)[:, : told["compared"]]
    shown = []
    for seat in range(seats):
        batch.seats[:] = seat
        batch.observe()
        shown += [batch.planes.get(), batch.numbers.get()]
    names = "dice", "actors", "counts", "words"
    found = {name: _digest(getattr(batch, name).get()) for name in names}
    found |= {"pool": _digest(pool), "rewards": _digest(summed), "observations": _digest(*shown)}
    faults = int(batch.faults.get().sum())
    other = CardBatch(driver, card, told, bytes.fromhex(expected["options"]), n)
    rows = driver.CudaArray(card, (n,), np.int32)
    rows[:] = np.arange(n, dtype=np.int32)[::-1]
    other.take(batch, rows, told["functions"]["take"])
    other.seats[:] = seats - 1
    other.observe()
    taken = [getattr(other, name).get() for name in (*names, "planes", "numbers")]
    given = [getattr(batch, name).get()[::-1] for name in (*names, "planes", "numbers")]
    is_taken = all((one == two).all() for one, two in zip(taken, given, strict=True))
    wrong = [name for name, digest in expected["digests"].items() if found[name] != digest]
    return [*wrong, *(["faults"] if faults else []), *([] if is_taken else ["take"])]


def _speed(driver: Any, card: Any, told: dict[str, Any]) -> dict[str, Any]:
    batch = CardBatch(driver, card, told, bytes.fromhex(told["sets"][0]["options"]), MANY_MATCHES)
    batch.seed(1)
    for _ in range(50):
        batch.sample()
        batch.step()

    def rate(*calls: Callable[[], None]) -> int:
        def work() -> None:
            for _ in range(SPEED_STEPS):
                for call in calls:
                    call()

        best = float(min(card.milliseconds(work) for _ in range(3)))
        return int(MANY_MATCHES * SPEED_STEPS / best * 1000)

    return {
        "matches": MANY_MATCHES,
        "steps_per_s_with_sampling": rate(batch.sample, batch.step),
        "samples_per_s": rate(batch.sample),
        "with_observations_and_sampling": rate(batch.sample, batch.step, batch.observe_actor),
        "observations_per_s": rate(batch.observe_actor),
        "faults": int(batch.faults.get().sum()),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=("write", "run"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--sets", type=int, default=OPTION_SETS)
    parser.add_argument("--steps", type=int, default=STEPS)
    given = parser.parse_args()
    if given.command == "write":
        write(given.folder, given.matches, given.sets, given.steps)
    else:
        run(given.folder)
