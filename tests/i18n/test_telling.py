"""Events told to whoever they are about: you and your, in every language."""

from __future__ import annotations

from random import Random

import pytest

from kibitz.core.message import message
from kibitz.games import GAMES
from kibitz.games.as_kimble.ui.phrases import and_list, team_message
from kibitz.i18n import LANGUAGES, Name, say_in
from kibitz.i18n.grammar import form_of
from laws.laws import some_options, wander

NAMES = {"R": "Aino", "B": "Väinö", "Y": "Pekka", "G": "Ben", "A": "Aino"}
YOU = {"en": "You popped 4", "fr": "Tu as fait 4", "fi": "Sinä naksautit 4", "sv": "Du knäppte 4"}
PERSON_GENITIVES = [
    ("Aino", "Ainon"),
    ("Pekka", "Pekan"),
    ("Matti", "Matin"),
    ("Virtanen", "Virtasen"),
    ("Ben", "Benin"),
    ("Anna7", "Anna7:n"),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_one_it_is_about_is_spoken_to(language: str) -> None:
    popped = message("as-kimble.popped", seat="R", number=4)
    assert say_in(language, NAMES, own="R", is_told=True)(popped) == YOU[language]
    assert say_in(language, NAMES, own="B", is_told=True)(popped).startswith("Aino ")


def test_you_in_a_list_is_no_subject() -> None:
    """French has another word there: it is on the chip of a raise round."""
    teams = and_list([team_message(team) for team in "RB"])
    raised = message("as-kimble.status-raised", round=1, teams=teams)
    assert say_in("fr", NAMES, own="R")(raised) == "surenchère 1\xa0: toi et Väinö"
    assert say_in("en", NAMES, own="R")(raised) == "raise round 1, raised: you and Väinö"


def test_you_has_a_capital_only_where_a_sentence_begins() -> None:
    tell = say_in("en", NAMES, own="R", is_told=True)
    eater = message("as-kimble.of-team", seat="R", piece=message("as-kimble.size-2"))
    size = message("as-kimble.size-3")
    eaten = message("as-kimble.eaten", seat="B", piece=size, eater=eater, n=6)
    assert tell(eaten) == "Your double ate Väinö's triple: Väinö +6"
    mine = message("as-kimble.into-mine", seat="B", piece=size, mine=eater, n=6)
    assert tell(mine) == "Väinö's triple ran into a mine, your double: Väinö +6"


def test_a_piece_of_nobody_begins_a_sentence_with_a_capital() -> None:
    size = message("as-kimble.size-2")
    eaten = message("as-kimble.eaten", seat="B", piece=size, eater=size, n=4)
    assert say_in("en", {"B": "Blue"})(eaten) == "Double ate Blue's double: Blue +4"


@pytest.mark.parametrize(("name", "genitive"), PERSON_GENITIVES)
def test_finnish_puts_the_name_of_a_person_into_the_genitive(name: str, genitive: str) -> None:
    assert f"{Name(name, 'fi', is_person=True):gen}" == genitive
    assert form_of("fi", name, "gen") == f"{name}-joukkueen"


@pytest.mark.parametrize(("name", "verb"), [("Hans", "is"), ("Anna and Ben", "are"), ("J", "is")])
def test_people_are_one_unless_several_are_listed(name: str, verb: str) -> None:
    """A name that ends in s is a plural only if it is a team's."""
    assert f"{Name(name, 'en', is_person=True):is|are}" == verb
    assert f"{Name('Hens', 'en'):is|are}" == "are"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_whatever_happens_can_be_told_to_every_seat(name: str, language: str) -> None:
    rng = Random(11)
    table = wander(GAMES[name].game(some_options(GAMES[name], rng)), rng)
    events = [event for played in table.history for event in played.step.events]
    assert events
    for own in table.game.seats:
        tell = say_in(language, NAMES, own, is_told=True)
        for event in events:
            text = tell(event.message)
            assert text
            assert "\ue000" not in text


def test_whoever_is_spoken_to_has_the_moral_victory_in_their_language() -> None:
    """Not as the subject of a sentence: French says *pour toi*."""
    own = message("as-kimble.moral-team", seat="R")
    moral = message("as-kimble.moral", teams=own, n=4)
    told = say_in("fr", NAMES, own="R", is_told=True)(moral)
    assert told == "La victoire morale est pour toi, avec 4 pénalités faites"
