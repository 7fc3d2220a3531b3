"""Positions, refusals, and matches of chance to their end."""

from random import Random

import pytest

from game_package.game import game
from kibitz.core.message import Refused
from kibitz.table import open_table

GAME = game()


def after(position: str, *actions: str) -> str:
    table = open_table(GAME, position)
    for text in actions:
        table, _ = table.act(table.state.turn, text)
    return GAME.notation.write_state(table.state)


def test_stones_are_taken_in_turns() -> None:
    assert after("12 A", "take 3", "take 1") == "8 A"


def test_who_takes_the_last_stone_wins() -> None:
    over = GAME.rules.outcome(GAME.notation.read_state(after("2 B", "take 2")))
    assert over is not None
    assert over.result == "B"


def test_more_than_there_are_cannot_be_taken() -> None:
    with pytest.raises(Refused) as refused:
        after("2 A", "take 3")
    assert refused.value.refusal.paragraph == "2"


@pytest.mark.parametrize("seed", range(20))
def test_random_play_ends(seed: int) -> None:
    state, rng = GAME.rules.start(), Random(seed)
    while actors := GAME.rules.to_act(state):
        (actor,) = actors
        action = rng.choice(GAME.rules.turn_actions(state, actor))
        state = GAME.rules.resolve(state, actor, action).state
    assert GAME.rules.outcome(state)
