"""What every game tells of a match."""

from __future__ import annotations

import pytest

from kibitz.core.colours import LIGHT
from kibitz.core.message import message
from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES, say_in
from kibitz.table.highlights import biggest_highlights, match_highlights, score_course, seat_tallies
from support.languages.catalogues import catalogue_entries
from support.random_matches import random_match


def ids_of(name: str) -> set[str]:
    listed = catalogue_entries(GAMES[name].words, "en")
    return {each.id[0] if isinstance(each.id, tuple) else str(each.id) for each in listed}


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_or_counted_can_happen(name: str) -> None:
    game = GAMES[name].game({})
    told = {
        *game.story.moments,
        *(each.event for counts in game.story.tallies.values() for each in counts),
    }
    assert told
    assert told <= ids_of(name)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_what_is_counted_has_words(name: str, language: str) -> None:
    say, game = say_in(language), GAMES[name].game({})
    for each in (f"{name}.course", *(f"{name}.tally-{tally}" for tally in game.story.tallies)):
        assert say(message(each))


@pytest.mark.parametrize("name", GAMES)
def test_every_seat_has_a_colour_of_its_own(name: str) -> None:
    game = GAMES[name].game({})
    assert tuple(game.ui.colours) == game.seats
    assert len(set(game.ui.colours.values())) == len(game.seats)
    assert set(game.ui.colours.values()) <= LIGHT.keys()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_a_random_match_has_a_story(name: str, seed: int) -> None:
    game, played = random_match(name, seed)
    found = match_highlights(game, played)
    assert found
    assert found[-1].n == len(played), "its end is one of its moments"
    assert len(biggest_highlights(found, 4)) == min(4, len(found))
    went = score_course(game, played)
    assert (went[0].n, went[-1].n) == (0, len(played))
    assert went[-1].score == game.story.score(played[-1].step.state)
    assert all(len(each.score) == len(game.seats) for each in went)
    counted = seat_tallies(game, played)
    assert any(sum(counts.values()) for counts in counted.values())
    assert {seat for counts in counted.values() for seat in counts} <= {*game.seats}
