"""How many taps a turn takes, as the tool counts them."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from kibitz.games import GAMES

TOOL = Path(__file__).parents[2] / "tools" / "count_taps.py"


@cache
def taps_by_action() -> dict[tuple[str, str], tuple[int, int]]:
    """The least and the most for each kind of action of each game."""
    done = subprocess.run([sys.executable, TOOL], capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()[1:]]
    return {(game, kind): (int(least), int(most)) for game, kind, least, most, _ in lines}


@pytest.mark.parametrize("kind", ["push", "pull", "place"])
def test_kalamala_takes_two_taps_and_a_confirmation_at_most(kind: str) -> None:
    assert taps_by_action()["kalamala", kind][1] <= 3


@pytest.mark.parametrize("kind", ["step", "run"])
def test_a_step_of_kahmate_takes_two_taps(kind: str) -> None:
    assert taps_by_action()["kahmate", kind] == (2, 2)


def test_a_forced_turn_of_as_kimble_takes_one_tap() -> None:
    """The dome; the only move plays itself."""
    assert taps_by_action()["as-kimble", "pop"] == (1, 1)
    assert GAMES["as-kimble"].game({}).policy.plays_forced_moves


def test_nothing_takes_more_than_three_taps_and_a_confirmation() -> None:
    assert {game for game, _ in taps_by_action()} == set(GAMES)
    assert max(most for _, most in taps_by_action().values()) <= 4
