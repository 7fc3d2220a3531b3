"""Records read, refuse and verify."""

import json
from dataclasses import replace

import pytest

from kibitz.core.message import Refused, message
from kibitz.core.record import Fault, Record, read_record, verify, write_record
from kibitz.games import game_of
from kibitz.games.kalamala import kalamala

RECORD = Record(
    game="kalamala",
    rules="1",
    options={"first": "B"},
    actions=("@a1", "c4:NE1", "resign B"),
    result="A",
    extras={"times": [0, 2.5, 4]},
)
ENVELOPE = {
    "kibitz": 1,
    "game": "kalamala",
    "rules": "1",
    "options": {"first": "B"},
    "start": "start",
    "actions": ["@a1", "c4:NE1", "resign B"],
    "result": "A",
    "times": [0, 2.5, 4],
}


def test_the_envelope() -> None:
    assert json.loads(write_record(RECORD)) == ENVELOPE
    assert read_record(write_record(RECORD)) == RECORD
    assert verify(game_of(RECORD), RECORD) is None


@pytest.mark.parametrize(
    ("change", "index"),
    [
        ({"actions": ("@a1", "c4:NE7", "resign B")}, 1),
        ({"actions": ("@a1", "c4:NE1", "tea")}, 2),
        ({"actions": ("@a1", "@a1", "resign B")}, 1),
        ({"start": "9/9 A"}, None),
        ({"result": "B"}, None),
        ({"result": "*"}, None),
        ({"actions": ("@a1",), "result": "A"}, None),
    ],
)
def test_verify_names_what_does_not_follow(change: dict[str, object], index: int | None) -> None:
    fault = verify(game_of(RECORD), replace(RECORD, **change))  # type: ignore[arg-type]
    assert fault is not None
    assert fault.index == index


@pytest.mark.parametrize(
    ("extras", "is_well"),
    [
        ({"times": [0, 2.5]}, False),
        ({"times": [0, 2.5, 1]}, False),
        ({"times": [-1, 2.5, 4]}, False),
        ({"times": [0, True, 4]}, False),
        ({"times": [0, 0, 0]}, True),
        ({"teams": {"A": {"name": "Aino", "players": ["Aino", "Elsa"]}}}, True),
        ({"teams": {"C": {"name": "Aino"}}}, False),
        ({"teams": {"A": "Aino"}}, False),
        ({"teams": {"A": {"players": "Aino"}}}, False),
        ({"teams": {"A": {"name": 1}}}, False),
        ({"seats": {"A": {"name": "Aino"}}}, False),
    ],
)
def test_verify_reads_who_played_and_when(extras: dict[str, object], is_well: bool) -> None:
    fault = verify(game_of(RECORD), replace(RECORD, extras=extras))
    assert (fault is None) == is_well


@pytest.mark.parametrize(
    ("actions", "name", "is_well"),
    [
        ((), "seats", True),
        ((), "teams", False),
        (("a lot 1", "b lot 2", "c lot 6", "d lot 3", "a colour Y"), "teams", True),
        (("a lot 1", "b lot 2", "c lot 6", "d lot 3", "a colour Y"), "seats", False),
    ],
)
def test_who_played_goes_by_the_letters_of_the_end(
    actions: tuple[str, ...], name: str, is_well: bool
) -> None:
    letter = "a" if name == "seats" else "Y"
    extras = {name: {letter: {"name": "Aino"}}}
    record = Record(
        game="as-kimble",
        rules="1",
        options={},
        start="h4/h4/h4/h4 S:-/-/-/- d- 0+0/0+0/0+0/0+0 1:- ---- -",
        actions=actions,
        extras=extras,
    )
    assert (verify(game_of(record), record) is None) == is_well


def test_a_record_keeps_the_canonical_spelling() -> None:
    record = Record(
        game="kalamala",
        rules="1",
        options={},
        start="8/8/8/6A1/6AB/6A1/8/8 A 0,1 5,6 51 -",
        actions=("h4:NE1",),
    )
    assert verify(kalamala(), record) == Fault(0, message("record.spelling", text="h4:E1"))
    assert verify(kalamala(), replace(record, actions=("h4:E1",))) is None


def test_an_adjourned_match_goes_on_from_its_record() -> None:
    record = replace(RECORD, actions=RECORD.actions[:2], result="*", extras={"times": [0, 2.5]})
    assert verify(game_of(record), record) is None


def record_with(**changes: object) -> str:
    return json.dumps({**ENVELOPE, **changes})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "json"),
        ("[" * 100_000, "json"),
        ('{"kibitz": NaN}', "json"),
        ("[]", "format"),
        (record_with(kibitz=2), "format"),
        (record_with(kibitz=True), "format"),
        (json.dumps({"kibitz": 1, "game": "kalamala"}), "missing"),
        (record_with(surprise=1), "unknown"),
        (record_with(options=None), "type"),
        (record_with(actions="@a1"), "type"),
        (record_with(actions=[1]), "type"),
        (record_with(times={}), "type"),
    ],
)
def test_what_is_no_record_is_refused(text: str, why: str) -> None:
    with pytest.raises(Refused) as error:
        read_record(text)
    assert error.value.refusal.id == f"record.{why}"


@pytest.mark.parametrize(
    "change",
    [
        {"game": "go"},
        {"rules": "0"},
        {"options": {"frist": "A"}},
        {"options": {"first": "C"}},
        {"options": {"turn_limit": True}},
        {"options": {"turn_limit": 1.0}},
    ],
)
def test_games_and_options_that_do_not_exist_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(Refused):
        game_of(replace(RECORD, **change))  # type: ignore[arg-type]
