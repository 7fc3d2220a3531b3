"""Whatever a position can be made into by hand has words, in every language."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES, say_in
from laws.laws import places, some_options, wander


@pytest.mark.parametrize("name", GAMES)
@settings(deadline=None, max_examples=12)
@given(seed=st.integers(0, 2**32))
def test_every_edit_has_words_of_its_own(name: str, seed: int) -> None:
    rng = Random(seed)
    table = wander(GAMES[name].game(some_options(GAMES[name], rng)), rng)
    for place in rng.sample(known := places(table.game, table.state), min(30, len(known))):
        labels = [edit.label for edit in table.game.ui.edits(table.state, place)]
        for language in LANGUAGES:
            said = [say_in(language)(label) for label in labels]
            assert all(said)
            assert len(set(said)) == len(said)


@pytest.mark.parametrize("name", GAMES)
def test_every_position_can_go_back_to_the_start(name: str) -> None:
    rulebook = GAMES[name]
    game = rulebook.game(rulebook.preset)
    start = game.notation.write_state(game.rules.start())
    for seed in range(20):
        state = wander(game, Random(seed)).state
        reached = {
            game.notation.write_state(state),
            *(edit.position for edit in game.ui.edits(state, "")),
        }
        assert start in reached
