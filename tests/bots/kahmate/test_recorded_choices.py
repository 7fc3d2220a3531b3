"""Levels 1 to 5 choose what they chose when these lines were recorded, and look at as many nodes.

A change that is to make the search faster, or to add to it, must not change any of this. To record
the choices of levels that were changed on purpose, in the same positions:

    .venv/bin/python tests/bots/kahmate/test_recorded_choices.py > tests/bots/kahmate/new.txt
    mv tests/bots/kahmate/new.txt tests/bots/kahmate/choices.txt
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from kibitz.bots.api import SearchContext
from kibitz.bots.kahmate import levels
from kibitz.games.kahmate import kahmate

RECORDED = (Path(__file__).parent / "choices.txt").read_text().splitlines()
POSITIONS = list(dict.fromkeys(line.partition("\t")[0] for line in RECORDED))
"""From a match of level 2 against itself, two duels among them."""
NODES = (1000, 2000, 3000, 8000, 40_000)
"""By level."""


def choice(position: str, level: int) -> str:
    """Position, level and nodes allowed, then action, chance of winning, depth and nodes."""
    game = kahmate()
    state = game.notation.read_state(position)
    (seat,) = game.rules.to_act(state)
    actions = game.rules.turn_actions(state, seat)
    think = SearchContext(game, seat, Random(level), nodes=NODES[level - 1])
    action = levels.LEVELS[level - 1](game.rules.view(state, seat, ()), actions, think)
    said = think.evaluation
    assert said.value is not None
    found = (game.notation.write_action(action), f"{said.value:.6f}", said.depth, said.nodes)
    return "\t".join(map(str, (position, level, NODES[level - 1], *found)))


@pytest.mark.parametrize("level", range(1, 6))
def test_a_level_chooses_what_it_chose(level: int) -> None:
    recorded = [line for line in RECORDED if line.split("\t")[1] == str(level)]
    assert [choice(position, level) for position in POSITIONS] == recorded


if __name__ == "__main__":
    for position in POSITIONS:
        for level in range(1, 6):
            print(choice(position, level))
