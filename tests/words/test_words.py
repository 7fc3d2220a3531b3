"""Everything the program says has words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from string import Formatter

import pytest
from babel.messages.pofile import read_po
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.drawing import Look, svg
from kibitz.core.message import message
from kibitz.games import GAMES
from kibitz.words import LANGUAGES, folders, say_in
from laws.laws import some_options, wander

SOURCE = Path(__file__).parents[2] / "src" / "kibitz"


def ids_in(tree: ast.AST) -> Iterator[str]:
    """Message ids written out in the code."""
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, str) and re.fullmatch(r"[a-z_-]+\.[A-Za-z_-]*[A-Za-z]", value):
            yield value


def used() -> set[str]:
    spoken = {i for file in SOURCE.rglob("*.py") for i in ids_in(ast.parse(file.read_text()))}
    for template in SOURCE.rglob("*.html"):
        spoken |= set(re.findall(r"""\bt\(\s*["']([a-z_-]+\.[\w-]*\w)["']""", template.read_text()))
    shells = {"filter", "cli", "server", "page", "terminal", "report"}
    speakers = {*GAMES, *shells, "table", "options", "record"}
    suffixes = {"py", "js", "css", "po", "md", "db", "html", "svg", "png"}
    return {
        id for id in spoken if id.split(".")[0] in speakers and id.split(".")[1] not in suffixes
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_has_words(language: str) -> None:
    known = set()
    for folder in folders():
        with (folder / f"{language}.po").open("rb") as file:
            entries = [e for e in read_po(file, locale=language, abort_invalid=True) if e.id]
        ids = [e.id[0] if isinstance(e.id, tuple) else str(e.id) for e in entries]
        assert all(e.string and not e.fuzzy for e in entries), folder
        known |= set(ids)
    assert used() - known == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_are_well_formed(language: str) -> None:
    for folder in folders():
        with (folder / f"{language}.po").open("rb") as file:
            for entry in read_po(file, locale=language):
                forms = (entry.string,) if isinstance(entry.string, str) else entry.string or ()
                for text in forms:
                    assert all(name is None or name for _, name, _, _ in Formatter().parse(text))


@pytest.mark.parametrize("name", GAMES)
@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_whatever_is_said_at_a_table_has_words(name: str, seed: int) -> None:
    rng, say = Random(seed), say_in("en")
    table = wander(GAMES[name].game(some_options(GAMES[name], rng)), rng)
    for played in table.played:
        assert all(say(event.message) for event in played.step.events)
    for offer in (offer for seat in table.game.seats for offer in table.offers(seat)):
        assert say(offer.label)
        assert all(say(step) for step in offer.says)
    for _ in range(30):
        drawn = svg(table.game.draw(table.view(table.game.seats[0]), Look(say)))
        places = [part.split('"')[0] for part in drawn.split('data-el="')[1:]]
        path = tuple(rng.choice(places) for _ in range(rng.randint(1, 3)))
        assert say(table.why_not(rng.choice(table.game.seats), path))


def test_numbers_choose_between_one_and_many() -> None:
    say = say_in("en")
    for n, words in ((1, "1 action,"), (2, "2 actions,"), (0, "0 actions,")):
        assert words in say(message("cli.verified", game="kalamala", n=n, result="*"))


def test_a_seat_is_called_by_its_name() -> None:
    say = say_in("en", {"A": "Aino"})
    assert say(message("kalamala.placed", seat="A", square="e4")).startswith("Aino ")
    assert "B" in say(message("kalamala.placed", seat="B", square="e4"))


def test_a_message_may_hold_another() -> None:
    inner = message("kalamala.seat-A")
    said = say_in("en")(message("kalamala.placed", seat=inner, square="e4"))
    assert say_in("en")(inner) in said


def test_a_message_without_words_is_a_fault() -> None:
    with pytest.raises(KeyError):
        say_in("en")(message("nobody.said-this"))
