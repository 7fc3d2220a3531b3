"""What `kibitz bench` prints is what was played."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz.cli import bench_learn
from kibitz.cli.bench import measure_speed
from kibitz.cli.main import app
from kibitz.games import GAMES, extra_of


@pytest.mark.parametrize(
    "game",
    [
        pytest.param("kahmate", marks=pytest.mark.long),
        "kalamala",
        pytest.param("as-kimble", marks=pytest.mark.long),
    ],
)
def test_rates_belong_together(game: str) -> None:
    found = measure_speed(game, 0.2)
    assert found.ours.mean_actions > 50
    told = found.as_json()
    assert told["actions_per_s"] > told["games_per_s"] > 0
    assert bool(found.theirs) == ("peer" in told)


def test_programs_get_json() -> None:
    told = CliRunner().invoke(app, ["bench", "kalamala", "--seconds", "0.1", "--json"]).stdout
    assert set(json.loads(told)["kalamala"]) >= {"actions_per_s", "games_per_s", "mean_actions"}


def test_every_game_has_somebody_to_be_compared_with() -> None:
    assert all(extra_of(game, "kernel").PEER_GAME for game in GAMES)


def test_environments_are_measured_beside_others() -> None:
    told = CliRunner().invoke(app, ["bench", "kalamala", "--learn", "--seconds", "0.02"]).stdout
    assert "Kalamala: " in told
    assert "OpenSpiel backgammon: " in told
    assert "Gymnasium CartPole-v1" in told
    asked = ["bench", "kalamala", "--learn", "--seconds", "0.02", "--json"]
    found = json.loads(CliRunner().invoke(app, asked).stdout)
    assert set(found["games"]["kalamala"]) == {"1", "64", "1024"}
    assert found["games"]["kalamala"]["1024"]["step_with_mask"] > 0
    assert found["peers"]["OpenSpiel tic_tac_toe"] > 0


def test_a_library_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_module(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(bench_learn, "find_spec", lambda name: None)
    monkeypatch.setattr(bench_learn, "import_module", no_module)
    told = CliRunner().invoke(app, ["bench", "kalamala", "--learn", "--seconds", "0.001"]).stdout
    for library in ("OpenSpiel", "PettingZoo tictactoe_v3", "Gymnasium"):
        assert f"{library} is not installed (pip install" in told


@pytest.mark.long
@pytest.mark.parametrize("what", ["kalamala", "--workers"])
def test_a_server_is_measured(what: str) -> None:
    told = output_of("bench/server.py", "--quick", what)
    assert "actions/s" in told
    assert "problems" not in told


@pytest.mark.long
def test_two_trees_are_measured_side_by_side() -> None:
    told = output_of("bench/server.py", "--quick", "kalamala", "--against", "HEAD")
    (cost,) = re.findall(r"CPU per action, 2 people +([\d.]+) +([\d.]+) +([\d.]+) ms", told)
    assert float(cost[2]) == pytest.approx(float(cost[1]) / float(cost[0]), abs=0.02)


def test_pauses_are_measured() -> None:
    found = json.loads(output_of("bench/pauses.py", "kalamala", "5"))
    assert 0 <= found["collecting_in_play"] <= found["longest_in_play"]
    assert found["longest_in_play"] > 0


@pytest.mark.long
def test_minds_are_measured() -> None:
    told = output_of("bench/bots.py")
    assert int(re.findall(r"all: (\d+) of 30", told)[0]) >= 29
    gains = [float(gain) for gain in re.findall(r"(\S+) of a duel at most, in 206 cases", told)]
    assert len(gains) == 2
    assert max(gains) < 0.01


def output_of(*command: str) -> str:
    ran = subprocess.run(
        [sys.executable, *command],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
