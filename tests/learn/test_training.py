"""The example that trains a Kalamala player: it learns, plays, and says what it lacks.

That ten minutes of it beat greedy is measured, not tested (docs/learning.md).
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import kibitz
from arena.test_ray_runner import TOKEN, line_from, running
from kibitz.core.targets import PYTHON
from kibitz.core.targets.cuda import Ptx, batch_threads_of
from kibitz.learn import Batch, cuda
from kibitz.learn.cuda_driver import CudaArray
from learn.test_cuda import PythonCard
from support.targets.matches import kernel_of

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "train_kalamala.py"
ROUNDS = 25
MATCHES = 32


@pytest.fixture(scope="module")
def example() -> Any:
    spec = spec_from_file_location("train_kalamala", EXAMPLE)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def network(example: Any) -> Any:
    """After so many rounds, by a clock that counts them: the same on every machine."""
    sizes, seconds = example.Sizes(), count()
    play = example.players(1, 1, sizes)
    return example.train(2 * ROUNDS / 60, play, sizes, 1, lambda: next(seconds), lambda *_, **__: 0)


def results_against_random(example: Any, network: Any) -> Iterator[float]:
    """From 0 to 1, each seat half of the time; it looks one action ahead."""
    env, ahead = Batch("kalamala", MATCHES, seed=7), Batch("kalamala", 2048)
    everyone = np.arange(MATCHES)
    playing = np.ones(MATCHES, bool)
    while playing.any():
        rows, actions, values = example.look_ahead(env, ahead, network)
        best = [actions[rows == n][values[rows == n].argmax()] for n in range(MATCHES)]
        mine = np.where(env.actor == everyone % 2, best, env.sample())
        rewards, done = env.step(mine)
        for n in np.flatnonzero(done & playing).tolist():
            yield float(rewards[n, n % 2] + 1) / 2
        playing &= ~done


def test_it_learns_to_beat_random_play(example: Any, network: Any) -> None:
    results = list(results_against_random(example, network))
    assert len(results) == MATCHES
    assert sum(results) / MATCHES > 0.85


def test_it_plays_as_a_bot(example: Any, network: Any, tmp_path: Path) -> None:
    example.WEIGHTS_FILE = str(tmp_path / "w.npz")
    example.save(network, example.WEIGHTS_FILE)
    learner, random = kibitz.bot(example.choose, seed=1), kibitz.bot("random", seed=1)
    match = kibitz.Match(kibitz.game("kalamala", turn_limit=200))
    while not match.outcome:
        (seat,) = match.to_act
        match.play(seat, (learner if seat == "A" else random)(match))
    assert match.outcome.payoffs == (1, -1)


def test_boards_are_turned_in_eight_ways(example: Any) -> None:
    inputs = np.arange(example.INPUTS, dtype=np.float32)[None]
    turned = {example.turn_boards(inputs, turn).tobytes() for turn in range(8)}
    assert len(turned) == 8
    assert inputs.tobytes() in turned
    assert all((np.sort(each) == np.arange(64)).all() for each in example.TURNED)


def numpy_as_cupy() -> ModuleType:
    """NumPy under another name, which takes arrays of a card whose memory is this machine's."""
    fake = ModuleType("cupy")
    vars(fake).update({name: getattr(np, name) for name in np.__all__})
    owners = []

    def asarray(given: Any, dtype: Any = None) -> Any:
        if not isinstance(given, CudaArray):
            return np.asarray(given, dtype)
        owners.append(given)
        memory = (ctypes.c_char * given.nbytes).from_address(given.at)
        return np.ndarray(given.shape, given.dtype, memory, strides=given.strides)

    vars(fake)["asarray"] = asarray
    return fake


@pytest.mark.long
def test_on_a_card_it_learns_the_same(example: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = kernel_of("kalamala")
    card, names = PythonCard(kernel), batch_threads_of(kernel, None, PYTHON)
    monkeypatch.setattr(cuda, "Card", lambda: card)
    monkeypatch.setattr(cuda, "kept_ptx", lambda *given: {each: Ptx("", each) for each in names})
    monkeypatch.setattr(example, "STEPS", 2)
    sizes, learned = example.Sizes(2, 40, 8, 16), []
    for library in (np, numpy_as_cupy()):
        monkeypatch.setattr(example, "xp", library)
        seconds = count()
        play = example.players(1, 1, sizes)
        learned.append(example.train(0.1, play, sizes, 1, seconds.__next__))
    assert card.blocks
    for ours, theirs in zip(learned[0].weights, learned[1].weights, strict=True):
        assert np.allclose(ours, theirs)


@pytest.mark.skipif(find_spec("cupy") is not None, reason="CuPy is here")
def test_without_a_card_a_sentence_says_so() -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), "--gpu"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("--gpu needs CuPy and an NVIDIA card: ")


@pytest.mark.long
@pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray")
def test_two_workers_of_a_cluster_play(tmp_path: Path) -> None:
    cluster_of_two = ROOT / "tests" / "support" / "bots" / "ray_cluster.py"
    out = tmp_path / "w.npz"
    with running(sys.executable, str(cluster_of_two)) as cluster:
        address = line_from(cluster, ":")
        command = [sys.executable, str(EXAMPLE), "--minutes", "0.1", "--out", str(out)]
        with running(*command, "--workers", "2", "--ray", address, env=TOKEN) as learner:
            line_from(learner, "The weights are in")
    assert learner.returncode == 0
    with np.load(out) as saved:
        assert [saved[name].shape for name in saved.files] == [(139, 64), (64,), (64,), (1,)]
