"""Counts of all sequences of actions agree with those of two other programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.games.kalamala import Options, kalamala
from kibitz.games.kalamala.rules import legal_actions, outcome, resolve
from kibitz.games.kalamala.state import State

LINES = (Path(__file__).parents[2] / "perft" / "kalamala.txt").read_text().splitlines()
CASES = [
    (position, repetition, depth, int(count))
    for position, repetition, counts in (
        line.split(" | ") for line in LINES if not line.startswith("#")
    )
    for depth, count in enumerate(counts.split(), 1)
]
LONG = [case for case in CASES if case[3] > 10_000_000]


def perft(options: Options, state: State, depth: int) -> int:
    if outcome(options, state):
        return 0
    actions = legal_actions(options, state)
    if depth == 1:
        return len(actions)
    return sum(
        perft(options, resolve(options, state, state.side, action).state, depth - 1)
        for action in actions
    )


def count(position: str, repetition: str, depth: int) -> int:
    options = Options(repetition=repetition)
    game = kalamala(options)
    state = game.rules.start() if position == "start" else game.notation.read_state(position)
    return perft(options, state, depth)


@pytest.mark.parametrize(
    ("position", "repetition", "depth", "expected"), [c for c in CASES if c not in LONG]
)
def test_counts(position: str, repetition: str, depth: int, expected: int) -> None:
    assert count(position, repetition, depth) == expected


@pytest.mark.long
@pytest.mark.parametrize(("position", "repetition", "depth", "expected"), LONG)
def test_counts_at_depth_4(position: str, repetition: str, depth: int, expected: int) -> None:
    assert count(position, repetition, depth) == expected
