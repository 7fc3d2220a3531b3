"""Whatever is said of AS-Kimble has words, and they ask for no value that is not given."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from games.as_kimble.touching import (
    AGAIN,
    BREAK,
    COLOURS,
    COMPANION,
    CROWD,
    GIVE,
    LOTS,
    MEAL,
    MINE,
    NAMES,
    OWING,
    PLACED,
    RAISE,
    RESET,
    SIX,
    SPLIT,
    VOTE,
    at,
    position,
    sentences_of,
)
from kibitz.core.message import message
from kibitz.games.as_kimble import Options, game
from kibitz.games.as_kimble.board import SEAT_LETTERS, TEAMS
from kibitz.i18n import LANGUAGES, say_in

FOLDER = Path(game.__file__).parent
PREFIX = {"message": "", "_no": "as-kimble.read-", "_refused": "as-kimble.", "_meal": ""}
"""What a call of these puts before the id."""
GIVEN = {"_meal": {"seat", "eaten", "n"}}


def words() -> dict[str, tuple[str, ...]]:
    """The forms of each sentence."""
    with (FOLDER / "words" / "en.po").open("rb") as file:
        entries = [entry for entry in read_po(file, locale="en") if entry.id]
    found = {}
    for entry in entries:
        id = entry.id[0] if isinstance(entry.id, tuple) else str(entry.id)
        found[id] = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
    return found


def asked_values(forms: tuple[str, ...]) -> set[str]:
    """The values that a sentence asks for."""
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}


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
        if not id.startswith("as-kimble."):
            continue
        spoken.add(id)
        assert id in known
        if all(keyword.arg for keyword in call.keywords):
            assert asked_values(known[id]) <= given, id
    assert len(spoken) > 200


def test_what_is_put_together_has_words() -> None:
    ids = {f"{kind}-{team}" for kind in ("seat", "note") for team in TEAMS}
    ids |= {f"{kind}-{size}" for kind in ("size", "mover") for size in range(1, 5)}
    ids |= {f"seat-{chair}" for chair in SEAT_LETTERS}
    ids |= {"title", "tagline", "size"} | {f"btn-{button}" for button in NAMES}
    for name, field in Options.__dataclass_fields__.items():
        values = getattr(field.metadata["allowed"], "words", ())
        ids |= {f"option-{name}", *(f"option-{name}-{value}" for value in values)}
    ids |= {f"option-raising-{value}" for value in ("true", "false")}
    ids |= {f"options-unit-name-{kind}" for kind in ("needed", "unneeded")}
    ids |= {f"ref-{kind}-{way}" for kind in ("pen", "done") for way in ("more", "fewer")}
    ids |= {"over-won", "over-truly", "in-a-break", "no-break", "says-yes", "says-no"}
    ids |= {f"{kind}-{answer}" for kind in ("offer", "vote") for answer in ("yes", "no")}
    ids |= {f"{kind}-{word}" for kind in ("offer", "call") for word in ("break", "resume")}
    assert {f"as-kimble.{id}" for id in ids} <= words().keys()


def test_the_sentence_is_never_translated_and_nobody_is_asked_to_drink() -> None:
    for id, forms in words().items():
        for form in forms:
            assert "bor i hembo" not in form or id in QUOTING
            assert "!" not in form or id in EXCLAIMED
            if not id.startswith("as-kimble.option-unit"):
                assert not re.search(r"\b(drink|sip|beer|alcohol)", form)


QUOTING = {
    "as-kimble.learn-hembo": "Jag bor i hembo",
    "as-kimble.learn-hembo-done": "Vi bor i hembo",
}
"""Whoever learns the game reads the sentence as it is said, in every language."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_learns_it_reads_the_sentence_as_it_is_said(language: str) -> None:
    for id, sentence in QUOTING.items():
        assert sentence in say_in(language)(message(id))


EXCLAIMED = {
    "as-kimble.btn-hembo",
    "as-kimble.draw-sign-owes",
    "as-kimble.hembo-marks",
    "as-kimble.learn-hembo-title",
}
"""Only hembo is called out; the marks of a position have one too."""


@pytest.mark.parametrize(
    ("text", "act", "heard"),
    [
        (
            MEAL,
            "R: R t4-t9",
            [
                "Red's double moved from 4 to 9",
                "Red's double ate Blue's triple: Blue +6",
                "Blue's four pieces are home: “Jag bor i hembo” is due",
            ],
        ),
        (
            MINE,
            "R: R t1-t7",
            ["Red's single ran into a mine, Blue's single: Red +1"],
        ),
        ("start", "chance: R pop 2", ["Red popped 2"]),
        (
            OWING,
            "chance: B pop 2",
            ["Blue popped 2", "Blue did not say the sentence in time: 1 penalty for Blue"],
        ),
        (OWING, "B: B hembo jag", ["Blue said it in time: “Jag bor i hembo”"]),
        (
            OWING,
            "B: B hembo vi",
            ["Blue said “Vi bor i hembo”, but it is “Jag bor i hembo”: there is still time"],
        ),
        (
            OWING,
            "R: R hembo vi",
            ["Red said “Vi bor i hembo” when it was not due: 1 penalty for Red"],
        ),
        (OWING, "B: B done 2", ["Blue completed 2 penalties"]),
        (SIX, "R: R double", ["Red made a double"]),
        (position("h4/h4/h4/h4", "R:M6"), "R: R in", ["Red entered a piece"]),
        (
            SPLIT,
            "R: R t25-g2",
            ["Red's triple reached goal 2 and split: 2 more pieces are on goal 1"],
        ),
        (CROWD, "R: R g1-g3", ["Red moved from goal 1 to goal 3"]),
        (
            RAISE,
            "R: R raise g1",
            [
                "Red raised with the piece on goal 1",
                "Blue sent the piece on goal 4 home",
                "Blue's four pieces are home: “Jag bor i hembo” is due",
                "Green sent the piece on goal 1 home",
                "Green's four pieces are home: “Jag bor i hembo” is due",
            ],
        ),
        (GIVE, "Y: Y return g2", ["Yellow sent the piece on goal 2 home"]),
        (AGAIN, "R: R propose", ["Red proposed raise round 2"]),
        (VOTE, "Y: Y yes", ["Yellow said yes"]),
        (VOTE, "Y: Y no", ["Yellow said no: no new raise round"]),
        (PLACED, "R: R pass", ["Red passed"]),
        (
            PLACED,
            "R: R done 2",
            [
                "Red completed 2 penalties",
                "Red won with four pieces in the goal and nothing owed. Won without a raise, "
                "which is much like winning, only without raising. Moral victory: Red, with 7 "
                "penalties completed",
            ],
        ),
        (BREAK, "referee: resume", ["The referee ended the break", "The break is over"]),
        (
            SIX,
            'referee: ref pen B +1 "late"',
            ["The referee gave Blue 1 penalty: late"],
        ),
        (
            SIX,
            'referee: ref end "too late"',
            [
                "The referee ended the match: too late",
                "Ended by the referee: too late. Nobody completed a penalty, so there is no "
                "moral victory",
            ],
        ),
        (
            COLOURS,
            "G: d colour R",
            ["Chair d took Red, the others follow clockwise, and Green will start"],
        ),
        (LOTS, "chance: c lot 5", ["Chair c popped 5"]),
    ],
)
def test_every_event_is_a_sentence(text: str, act: str, heard: list[str]) -> None:
    assert sentences_of(at(text), act) == heard


def test_a_tick_tells_what_is_left() -> None:
    text = position("h3,t9/h4/h4/h4", "R:M2", ledger="0+0/2+6/0+0/0+0")
    assert sentences_of(at(text, Options(pace="turn")), "R: R t9-t11") == [
        "Red's single moved from 9 to 11",
        "Blue completed 1 penalty: 1 still owed",
    ]


def test_mishaps_of_a_real_dome_are_told() -> None:
    due = at(position("h3,t5/h4/h4/h4", "R:N1", die="d4"), COMPANION)
    assert sentences_of(due, "B: B stray 2") == [
        "Blue popped 2 out of turn",
        "The die must show 4 again before play continues",
    ]
    assert sentences_of(due, "R: R silent 3") == [
        "Red's pop made no sound and does not count: the die shows 3"
    ]
    assert sentences_of(at(RESET, COMPANION), "R: fix 3") == ["The die shows 3, but it must show 4"]
    assert sentences_of(at(RESET, COMPANION), "R: fix 4") == [
        "The die shows 4 again: play continues"
    ]
