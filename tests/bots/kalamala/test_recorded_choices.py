"""Levels 1 to 5 choose what they chose when these lines were recorded, and look at as many nodes.

A change that is to make the search faster, or to add to it, must not change any of this. To record
the choices of levels that were changed on purpose:

    .venv/bin/python tests/bots/kalamala/test_recorded_choices.py > tests/bots/kalamala/choices.txt
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from kibitz.bots.api import SearchContext
from kibitz.bots.kalamala import levels
from kibitz.games.kalamala import kalamala

RECORDED = (Path(__file__).parent / "choices.txt").read_text().splitlines()
PLIES = (0, 3, 6, 9, 14, 20, 28, 40)
"""Random actions before each position."""
NODES = (1000, 2000, 3000, 8000, 40_000)
"""By level."""


def choice(level: int, number: int) -> str:
    """Level, position, nodes allowed, then action, chance of winning, depth and nodes."""
    game, rng = kalamala(), Random(number)
    state = game.rules.start()
    for _ in range(PLIES[number]):
        options = game.rules.turn_actions(state, state.side)
        state = game.rules.resolve(state, state.side, rng.choice(options)).state
    actions = game.rules.turn_actions(state, state.side)
    think = SearchContext(game, state.side, Random(level), nodes=NODES[level - 1])
    action = levels.LEVELS[level - 1](state, actions, think)
    said = think.evaluation
    assert said.value is not None
    found = (game.notation.write_action(action), f"{said.value:.6f}", said.depth, said.nodes)
    return "\t".join(map(str, (level, number, NODES[level - 1], *found)))


@pytest.mark.parametrize("level", range(1, 6))
def test_a_level_chooses_what_it_chose(level: int) -> None:
    recorded = [line for line in RECORDED if line.startswith(f"{level}\t")]
    assert [choice(level, number) for number in range(len(PLIES))] == recorded


if __name__ == "__main__":
    for level in range(1, 6):
        for number in range(len(PLIES)):
            print(choice(level, number))
