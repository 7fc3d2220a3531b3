"""Every game in GAMES keeps every law. A new game gets these by being listed.

The sample game in tests/duel is held to them too: it has what Kalamala has not, secrets and chance.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duel import DUEL
from kibitz.core.game import Rulebook
from kibitz.games import GAMES
from laws.laws import LAWS, AnyGame, random_play_ends, some_options

SHELF = {**GAMES, DUEL.name: DUEL}


@pytest.mark.parametrize("rulebook", SHELF.values(), ids=SHELF.keys())
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32))
def test_law(law: Callable[[AnyGame, Random], None], rulebook: Rulebook, seed: int) -> None:
    rng = Random(seed)
    law(rulebook.game(some_options(rulebook, rng)), rng)


@pytest.mark.parametrize("rulebook", SHELF.values(), ids=SHELF.keys())
@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_random_play_ends_under_the_presets(rulebook: Rulebook, seed: int) -> None:
    for preset in (rulebook.preset, rulebook.bots_preset):
        random_play_ends(rulebook.game(preset), Random(seed))


@pytest.mark.long
@pytest.mark.parametrize("rulebook", SHELF.values(), ids=SHELF.keys())
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@settings(deadline=None, max_examples=200)
@given(seed=st.integers(0, 2**32))
def test_law_at_length(
    law: Callable[[AnyGame, Random], None], rulebook: Rulebook, seed: int
) -> None:
    rng = Random(seed)
    law(rulebook.game(some_options(rulebook, rng)), rng)
