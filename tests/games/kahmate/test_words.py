"""Whatever is said of Kahmaté has words, and they ask for no value that is not given."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from babel.messages.pofile import read_po

from kibitz.games.kahmate import game, options
from kibitz.games.kahmate.line_ups import LINE_UPS
from kibitz.games.kahmate.state import SEATS, TEAM

FOLDER = Path(game.__file__).parent
PREFIX = {"message": "", "of_man": "", "_no": "kahmate.read-", "_refused": "kahmate."}
"""What a call of these puts before the id."""
GIVEN = {"of_man": {"seat", "man", "square"}}


def words() -> dict[str, set[str]]:
    """The values that each sentence asks for."""
    with (FOLDER / "words" / "en.po").open("rb") as file:
        entries = [entry for entry in read_po(file, locale="en") if entry.id]
    found = {}
    for entry in entries:
        id = entry.id[0] if isinstance(entry.id, tuple) else str(entry.id)
        forms = (entry.string,) if isinstance(entry.string, str) else entry.string or ()
        found[id] = {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}
    return found


def calls() -> Iterator[tuple[str, ast.Call, set[str]]]:
    """Where the game speaks: the id, and the values given by name."""
    for file in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            first = node.args[0] if node.args else None
            speaker = node.func.id
            if speaker in PREFIX and isinstance(first, ast.Constant) and first.value:
                names = {keyword.arg for keyword in node.keywords if keyword.arg}
                yield PREFIX[speaker] + str(first.value), node, names | GIVEN.get(speaker, set())


def test_no_sentence_asks_for_a_value_that_is_not_given() -> None:
    known, spoken = words(), set()
    for id, call, given in calls():
        spoken.add(id)
        assert id in known
        if all(keyword.arg for keyword in call.keywords):
            assert known[id] <= given, id
    assert len(spoken) > 150


def test_what_is_put_together_has_words() -> None:
    ids = {f"kind-{kind}" for kind in TEAM} | {f"seat-{seat}" for seat in SEATS}
    ids |= {f"note-{seat}" for seat in SEATS} | {"title", "tagline", "size"}
    ids |= {f"option-{name}" for name in options.Options.__dataclass_fields__}
    ids |= {f"over-{event}" for event in ("resign", "forfeit", "draw", "void")}
    ids |= {f"{verb}-without-ball" for verb in ("pass", "kick", "force")}
    ids |= {f"btn-{button}" for button in ("end", "kick", "lineup", "no")}
    ids |= {f"reveal-{end}" for end in ("beats", "loses", "again", "defender")}
    plans = {f"{each.id}-plan" for each in LINE_UPS}
    assert {f"kahmate.{id}" for id in ids} | plans <= words().keys()
