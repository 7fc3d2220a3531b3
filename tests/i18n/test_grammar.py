"""Names in sentences: their forms, number and direction, by the rules of each language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Formatter

import pytest

from kibitz.core.message import message
from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES, YOU, Name, name_in, say_in, word_folders
from kibitz.i18n.grammar import (
    END_ISOLATE,
    ISOLATE,
    RULES,
    form_of,
    join_names,
    join_sentences,
    join_team,
)
from support.languages.catalogues import catalogue_entries
from support.languages.grammar_tables import FORMS, NUMBERS
from support.languages.script_words import script_ids

MARYAM = "\u0645\u0631\u064a\u0645"
ISOLATED = f"{ISOLATE}{MARYAM}{END_ISOLATE}"
PLURAL_OF_OUR_NAMES = {("en", "Rings"), ("en", "Blocks")}


@pytest.mark.parametrize(("language", "form", "name", "made"), FORMS)
def test_a_name_is_put_into_a_form(language: str, form: str, name: str, made: str) -> None:
    assert form_of(language, name, form) == made


@pytest.mark.parametrize(("language", "name", "is_plural"), NUMBERS)
def test_a_verb_goes_with_the_number_of_a_name(language: str, name: str, is_plural: bool) -> None:
    assert form_of(language, name, "one|several") == ("several" if is_plural else "one")


def test_a_form_that_a_language_has_not_is_the_name_itself() -> None:
    assert form_of("fi", "Ketut", "de") == "Ketut"
    assert form_of("xx", "Ketut", "gen") == "Ketut"
    assert form_of("xx", "Ketut", "has|have") == "has"


def test_our_own_names_have_the_forms_of_the_catalogue() -> None:
    red = name_in("fi", "kahmate.seat-R")
    assert f"{red}, {red:gen}, {red:nonsense}" == "Punainen, Punaisen, Punainen"
    waited = message("kahmate.hint-wait-place", seat="R")
    assert say_in("fi", {"R": red})(waited) == "Odotetaan Punaisen ryhmitystä."
    assert say_in("fi", {"R": "Ketut"})(waited) == "Odotetaan Ketut-joukkueen ryhmitystä."


def test_a_message_inside_another_has_its_forms_too() -> None:
    red = message("kahmate.seat-R")
    waited = message("kahmate.hint-wait-place", seat=red)
    assert say_in("fi")(waited) == "Odotetaan Punaisen ryhmitystä."


def test_a_chosen_name_remembers_the_side_it_stands_for() -> None:
    foxes = Name("Foxes", "en", plain="Red")
    assert f"{foxes}, {foxes:plain}, {foxes:gen}" == "Foxes, Red, Foxes'"


def seat_ids() -> Iterator[str]:
    for folder in word_folders():
        for entry in catalogue_entries(folder, "en"):
            if entry.id and str(entry.id).partition(".")[2].startswith("seat-"):
                yield str(entry.id)


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_names_that_are_plural_have_a_plural_verb(language: str) -> None:
    names = [name_in(language, id) for id in seat_ids()]
    plural = {(language, str(name)) for name in names if f"{name:one|several}" == "several"}
    assert plural == {each for each in PLURAL_OF_OUR_NAMES if each[0] == language}


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """Every sentence with its id, those of a plural one by one."""
    for folder in word_folders():
        for entry in catalogue_entries(folder, language):
            id = entry.id if isinstance(entry.id, str) else entry.id[0]
            for text in [entry.string] if isinstance(entry.string, str) else entry.string or ():
                yield id, text


def fields(language: str) -> Iterator[tuple[str, str, str]]:
    """All that sentences ask of their values: the id, the value and the form."""
    for id, text in sentences(language):
        for _, name, form, _ in Formatter().parse(text):
            if name and form:
                yield id, name, form


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_ask_only_for_forms_that_there_are(language: str) -> None:
    of_you = {id.removeprefix(f"{YOU}-") for id, _ in sentences(language) if id.startswith(YOU)}
    known = {*RULES.get(language, {}), "plain", *of_you}
    asked = {form.lower() for _, _, form in fields(language) if "|" not in form}
    assert asked <= known


def test_our_own_names_have_every_case_that_finnish_asks_for() -> None:
    cases = {form for _, _, form in fields("fi")} - {"plain"}
    for id in seat_ids():
        name = name_in("fi", id)
        made = {case: f"{name:{case}}" for case in cases}
        assert not [case for case, text in made.items() if "joukkue" in text], id


def test_finnish_asks_people_for_no_case() -> None:
    """A team can be put into a case by the word for team; for a person nothing is that sure."""
    assert {name for _, name, _ in fields("fi")} <= {"seat", "other", "team", "asking", "chair"}


def test_scripts_ask_our_own_names_for_no_case() -> None:
    """They are sent the rules of a language, and not the forms of its catalogue."""
    assert {id for id, _, _ in fields("fi")} & script_ids() == set()


def test_english_leaves_the_possessive_of_a_name_to_its_rule() -> None:
    possessive = re.compile(r"\{(seat|side|team)\}'")
    assert [id for id, text in sentences("en") if possessive.search(text)] == []


def test_french_leaves_the_words_before_a_name_to_its_rules() -> None:
    before = re.compile(
        r"\b(([dD]e|[qQ]ue) \{(title|game)|([dD]e|[àÀ]|[qQ]ue) \{(seat|side|team|other|name))\}"
    )
    words_of_programs = {"record.people", "record.unknown", "cli.usage-value"}
    found = {id for id, text in sentences("fr") if before.search(text)}
    assert found <= words_of_programs


def test_a_name_from_right_to_left_turns_nothing_around_it() -> None:
    said = say_in("en", {"A": MARYAM})(message("kalamala.placed", seat="A", square="e4"))
    assert said.startswith(f"{ISOLATED} ")
    named = say_in("en")(message("table.sat-by", name=MARYAM, seat="A"))
    assert named.startswith(f"{ISOLATED} ")
    assert form_of("fi", ISOLATED, "gen") == f"{ISOLATED}-joukkueen"
    assert join_names(["Kettu", MARYAM]) == f"Kettu, {ISOLATED}"
    assert join_team(["Kettu", MARYAM]) == f"Kettu & {ISOLATED}"


@pytest.mark.parametrize("language", ["en", "fi", "fr"])
def test_two_at_a_team_are_several(language: str) -> None:
    pair = join_team(["Väinö", "Aino"])
    assert form_of(language, pair, "one|many") == "many"
    assert form_of("fi", pair, "person-gen") == "Väinö & Ainon"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["Aino", "Élodie", "Łukasz", "Ελένη", "さくら", "🦊 & 2"])
def test_any_other_name_stays_letter_for_letter(language: str, name: str) -> None:
    assert f"{Name(name, language)}" == name
    assert str(Name(MARYAM, language)) == MARYAM


def test_sentences_on_one_line_have_full_stops_between_them() -> None:
    assert join_sentences([]) == ""
    assert join_sentences(["Red raised"]) == "Red raised"
    assert join_sentences(["Red raised", "Hembo!", "The end."]) == "Red raised. Hembo! The end."
    assert join_sentences(["The end.", "Red raised"]) == "The end. Red raised"


def test_games_have_seats() -> None:
    assert len(list(seat_ids())) >= sum(len(each.game({}).seats) for each in GAMES.values())
