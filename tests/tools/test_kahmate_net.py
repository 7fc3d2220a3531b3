"""The tool of Kahmaté's net at a small size: games, a fit and a match."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.bots.kahmate.net import read_weights, write_weights
from kibitz.bots.kahmate.value import FEATURE_COUNT, empty_net, read_net

sys.path.insert(0, str(Path(__file__).parents[2] / "tools" / "nets"))
import kahmate as tool  # type: ignore[import-not-found]


def run_tool(capsys: pytest.CaptureFixture[str], *said: object) -> dict[str, Any]:
    arguments: Sequence[str] = [str(each) for each in said]
    tool.main(arguments)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_same_games_give_a_net_that_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games, again, weights = (tmp_path / name for name in ("a.npz", "b.npz", "net.npz"))
    small = ("--nodes", 60, "--processes", 1)
    assert run_tool(capsys, "gen", "level-5", 1, 7, games, *small)["turns"] > 5
    run_tool(capsys, "gen", "level-5", 1, 7, again, *small)
    assert np.load(games)["turns"].tobytes() == np.load(again)["turns"].tobytes()

    said = ("--parent", "level-5", "--weights", weights, "--epochs", 2)
    fitted = run_tool(capsys, "fit", games, *said)
    assert 0 < fitted["learned"] < fitted["turns"]
    assert fitted["loss_after"] < fitted["loss_before"] + 0.1
    assert weights.stat().st_size < 100_000

    match = run_tool(capsys, "match", weights, "level-5:width=4", "--games", 4, *small, "--seed", 3)
    assert match["games"] == 4
    assert 0 <= match["score"] <= 100


def test_a_file_of_weights_reads_back(tmp_path: Path) -> None:
    path, net = tmp_path / "net.npz", read_net()
    write_weights(net, path)
    for part, again in zip(net, read_weights(path), strict=True):
        assert np.array_equal(part, again)


def turns_of(sides: Sequence[int], values: Sequence[float], winner: int) -> Any:
    found = np.zeros(len(sides), tool.TURN)
    found["side"], found["value"], found["winner"] = sides, values, winner
    return found


def test_a_target_leans_on_later_turns_and_on_who_made_the_try() -> None:
    turns = turns_of((0, 1, 0), (0.5, 0.5, 0.5), 0)
    red, blue, last = tool.target_chances(turns)
    assert last == pytest.approx(0.7 + 0.3 * 0.5)
    assert blue == pytest.approx(1 - (0.7 * last + 0.3 * 0.5))
    assert 0.5 < red < last
    assert tool.target_chances(turns_of((0, 1), (0.6, 0.3), tool.NOBODY))[1] == pytest.approx(0.3)


def test_what_comes_after_a_whim_says_nothing_of_the_turn_before() -> None:
    turns = turns_of((0, 1), (0.2, 0.1), 0)
    turns["is_whim"] = 1, 0
    assert tool.target_chances(turns)[0] == pytest.approx(0.2)


def test_learning_makes_the_loss_smaller() -> None:
    """Turns whose chance is in one number."""
    rng = np.random.default_rng(1)
    features = np.zeros((2000, FEATURE_COUNT), np.float32)
    features[:, 0] = rng.random(2000)
    targets = features[:, 0].copy()
    w = tool.as_weights(empty_net(), 0)
    w["numbers"] += rng.normal(0, 0.1, w["numbers"].shape).astype(np.float32)
    before = tool.cross_entropy(tool.layers(w, features)[1], targets)
    tool.fit_case(w, features, targets, 40, rng, rate=0.05)
    assert tool.cross_entropy(tool.layers(w, features)[1], targets) < before - 0.05
