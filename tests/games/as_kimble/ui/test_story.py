"""What is told of a match of AS-Kimble."""

from __future__ import annotations

import pytest

from kibitz.games import GAMES
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.state import book_of
from kibitz.table.highlights import match_highlights, score_course, seat_tallies
from support.random_matches import random_match


@pytest.mark.parametrize("seed", [0, 4, 45])  # the last two with mines
def test_the_figures_agree_with_the_book_at_the_end(seed: int) -> None:
    game, played = random_match("as-kimble", seed)
    end, counted = played[-1].step.state, seat_tallies(game, played)
    for team in TEAMS:
        book = book_of(end, team)
        assert counted["penalties"][team] == book.owed + book.done
        assert counted["done"][team] == book.done
        assert counted["sixes"][team] <= counted["pops"][team]
    assert sum(counted["ate"].values()) == sum(counted["eaten"].values()) > 0
    over = game.rules.outcome(end)
    assert over
    winner = over.result["winner"]
    assert score_course(game, played)[-1].score[TEAMS.index(winner)] == 100


def test_the_way_is_nothing_at_home_and_everything_in_the_goal() -> None:
    game = GAMES["as-kimble"].game({})
    assert game.story.score(game.rules.start()) == (0, 0, 0, 0)
    state = game.notation.read_state("g1,g2,g3,g4/h4/h3,t14/h4 B:N3 d6 1+0/0+0/0+0/0+0 1:- ---- -")
    whole, none, some, _ = game.story.score(state)
    assert (whole, none) == (100, 0)
    assert 0 < some < 2


def test_a_meal_is_as_big_as_what_it_costs() -> None:
    game, played = random_match("as-kimble", 0)
    eaten = [
        (scene.size, each.value("n"))
        for scene in match_highlights(game, played)
        if [each.id for each in scene.messages] == ["as-kimble.eaten"] and not scene.new_leader
        for each in scene.messages
    ]
    assert eaten
    assert all(size == number for size, number in eaten)
