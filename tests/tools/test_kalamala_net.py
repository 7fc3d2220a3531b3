"""The tool of Kalamala's net at a small size: games, a fit and a match."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.bots.kalamala import net

sys.path.insert(0, str(Path(__file__).parents[2] / "tools" / "nets"))
import kalamala as tool  # type: ignore[import-not-found]


def run_tool(capsys: pytest.CaptureFixture[str], *said: object) -> dict[str, Any]:
    arguments: Sequence[str] = [str(each) for each in said]
    tool.main(arguments)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_same_games_give_a_net_that_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games, again, weights = (tmp_path / name for name in ("a.npz", "b.npz", "net.npz"))
    small = ("--nodes", 40, 60, "--processes", 1)
    assert run_tool(capsys, "gen", "hand", 3, 7, games, *small)["positions"] > 50
    run_tool(capsys, "gen", "hand", 3, 7, again, *small)
    assert np.load(games)["positions"].tobytes() == np.load(again)["positions"].tobytes()

    fitted = run_tool(capsys, "fit", games, "--weights", weights, "--epochs", 30)
    assert 0 < fitted["learned"] <= fitted["positions"]
    assert fitted["loss_after"] < np.log(2) + 0.1
    assert np.load(weights)["rows"].shape == (tool.SHARED_ROWS, net.NEURONS)

    match = run_tool(
        capsys, "match", weights, "hand:margin=80", "--nodes", 60, "--games", 4, "--processes", 1
    )
    assert match["games"] == 4
    assert 0 <= match["score"] <= 100


def test_rounds_go_on_with_the_better_net(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ("--nodes", 20, 30, "--match-nodes", 30, "--match-games", 4, "--epochs", 3)
    said = ("rounds", tmp_path, "hand:margin=80", 2, 7, *small, "--processes", 1)
    tool.main([str(each) for each in said])
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    child = f"{tmp_path / 'net-1.npz'}:margin=80"
    assert first["match"]["players"] == [child, "hand:margin=80"]
    assert second["parent"] == (child if first["match"]["score"] > 50 else "hand:margin=80")
    assert second["seed"] == 7 + tool.SEEDS_PER_ROUND
    assert second["fit"]["positions"] > first["fit"]["positions"], "both rounds are learned from"


def test_a_new_net_is_searched_with_as_its_parent_is() -> None:
    assert tool.settings_text("hand:margin=80") == "margin=80"
    assert tool.settings_text("level-5") == ""
    level_6 = "margin=80,reduces_by_log=1,uses_endings=1,keep=1"
    assert tool.settings_text("level-6:noise=3") == f"{level_6},noise=3"


def test_learning_makes_the_loss_smaller() -> None:
    """Positions whose value is in one row: more moves are better."""
    rng = np.random.default_rng(1)
    positions = np.zeros(4000, tool.POSITION)
    positions["moves"] = rng.integers(0, 48, len(positions))
    rows = tool.row_numbers(positions)
    targets = (positions["moves"] / 47).astype(np.float32)
    before, _ = tool.fit_weights(rows, targets, epochs=1, batch=500)
    after, _ = tool.fit_weights(rows, targets, epochs=40, batch=500)
    assert after < before - 0.05
