"""Nothing takes more than three touches, whatever the game and wherever it stands."""

from __future__ import annotations

import pytest

from kibitz.games import GAMES
from kibitz.table import open_table
from support.random_matches import random_match

MOST = 3
POSITIONS = 60


@pytest.mark.parametrize("name", GAMES)
def test_three_touches_are_enough(name: str) -> None:
    game, played = random_match(name, seed=5)
    longest = 0
    for each in played[:: max(1, len(played) // POSITIONS)]:
        table = open_table(game, game.notation.write_state(each.before))
        for seat in game.seats:
            for offer in table.offers(seat):
                assert len(offer.path) <= MOST, offer
                longest = max(longest, len(offer.path))
    assert longest > 1, "there was something to choose"
