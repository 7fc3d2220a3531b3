"""Positions, actions and options as text: what is read and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.as_kimble.play import LOTS, NOTHING, game_with, unread
from kibitz.core.message import Refused

START = f"h4/h4/h4/h4 R:N3 d- {NOTHING}"
BUSY = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1 R:M6 d6 0+1/2+0/0+0/1+0 2:RB! -!+- b"
WON = "g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1 R:E d2 0+7/0+3/0+0/1+0 1:B ---- -"


@pytest.mark.parametrize(
    ("position", "options"),
    [
        (START, {}),
        (BUSY, {}),
        (WON, {}),
        (WON.replace("R:E", "-:E"), {}),
        (LOTS, {}),
        (LOTS.replace("-/-/-/-", "3/-/3/1", 1), {}),
        (LOTS.replace("S:-/-/-/-", "K:ab"), {}),
        (BUSY.replace("R:M6", "R:M6x"), {}),
        (BUSY.replace("R:M6", "R:CBY"), {}),
        (BUSY.replace("R:M6", "R:VB").replace("2:RB!", "2:RBYG"), {}),
        (BUSY.replace("d6", "d2>5"), {"mode": "companion"}),
        (f"h1,t27x3/h4/h4/h4 B:P2 d4 {NOTHING}", {}),
        (f"g1w3/h4/h4/h4 B:P2 d4 {NOTHING}", {}),
        (START.replace("0+0/", "999999+999999/", 1), {}),
    ],
)
def test_a_position_reads_back(position: str, options: dict[str, Any]) -> None:
    game = game_with(**options)
    assert game.notation.write_state(game.notation.read_state(position)) == position


@pytest.mark.parametrize(
    ("position", "refusal", "options"),
    [
        ("", "fields", {}),
        (f"{START} ", "fields", {}),
        (START.replace("h4/", "", 1), "sides", {}),
        (START.replace("h4/", "h5/", 1), "side", {}),
        (START.replace("h4/", "/", 1), "side", {}),
        (START.replace("h4/", "h4,/", 1), "side", {}),
        (START.replace("h4/", "t5,h3/", 1), "side", {}),
        (START.replace("h4/", "h3,t28/", 1), "side", {}),
        (START.replace("h4/", "h3,t05/", 1), "side", {}),
        (START.replace("h4/", "h2,t5x1,g1/", 1), "side", {}),
        (START.replace("h4/", "h2,g2,g1/", 1), "side", {}),
        (START.replace("h4/", "h2,t9,t5/", 1), "side-order", {}),
        (START.replace("h4/", "h2,t5,t5/", 1), "side-order", {}),
        (START.replace("h4/", "h3/", 1), "piece-count", {}),
        (START.replace("h4/h4/", "h3,t5/h3,t5/", 1), "read-two-on-a-grid", {}),
        (START.replace("R:N3", "R:N4"), "turn", {}),
        (START.replace("R:N3", "R:VBR"), "turn", {}),
        (START.replace("d-", "d7"), "die", {}),
        (START.replace("d-", "d->4"), "die", {}),
        (START.replace("0+0/", "00+0/", 1), "ledger", {}),
        (START.replace("0+0/", "1000000+0/", 1), "ledger", {}),
        (START.replace("1:-", "0:-"), "raises", {}),
        (START.replace("1:-", "1:BR"), "raises", {}),
        (START.replace("----", "---"), "hembo-marks", {}),
        (f"{START[:-1]}x", "flags", {}),
        (WON.replace("R:E", "R:N3"), "read-already-won", {}),
        (WON.replace("R:E", "B:E"), "read-not-won", {}),
        (START.replace("R:N3", "R:M5"), "read-no-choice", {}),
        (BUSY.replace("R:M6", "R:M5x"), "read-refused-six", {}),
        (BUSY.replace("R:M6", "R:VR").replace("2:RB!", "2:RBYG"), "read-own-vote", {}),
        (BUSY.replace("R:M6", "R:VBYG").replace("2:RB!", "2:RBYG"), "read-vote-over", {}),
        (BUSY.replace("R:M6", "R:VB"), "round-open", {}),
        (BUSY.replace("R:M6", "R:C-"), "read-pending", {}),
        (BUSY.replace("R:M6", "R:CRB"), "read-pending", {}),
        (START.replace("R:N3", "R:CB"), "read-nothing-to-return", {}),
        (LOTS.replace("-/-/-/-", "1/2/3/4", 1), "read-lots-decided", {}),
        (LOTS.replace("-/-/-/-", "11/2/3/4", 1), "read-lots-not-due", {}),
        (LOTS.replace("S:-/-/-/-", "K:aa"), "read-same-chair", {}),
        (BUSY.replace("d6", "d5>5"), "read-reset-done", {"mode": "companion"}),
        (BUSY.replace("d6", "d2>5"), "read-no-reset-here", {}),
        (f"{LOTS[:-1]}b", "read-no-break-here", {}),
        (BUSY, "read-marks-off", {"hembo": "off"}),
    ],
)
def test_a_position_is_refused(position: str, refusal: str, options: dict[str, Any]) -> None:
    found, paragraph = unread(position, **options)
    assert found == refusal
    assert paragraph in ("16", "9.3")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "R",
        "R pop",
        "R pop 7",
        "R pop 06",
        "r pop 6",
        "R  pop 6",
        "R pop 6 ",
        "X pop 6",
        "R t28-t1",
        "R t5",
        "R t05-t9",
        "R g1-g5",
        "R g0-g1",
        "R raise g5",
        "R raise",
        "R done 0",
        "R done 01",
        "R done 1000000",
        "R hembo",
        "R hembo Jag",
        "e lot 3",
        "a colour X",
        'ref pen R 1 "x"',
        'ref pen R +0 "x"',
        "ref pen R +1",
        "ref pen R +1 x",
        "note",
        "note x",
        'note "x" y',
        'note "a\nb"',
        'note "\\x"',
        'ref set "start" "x"',
        f'ref set "{START}"',
        'ref set "nonsense" "x"',
        "Break",
        "fix 7",
    ],
)
def test_an_action_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        game_with().notation.read_action(text)


def test_quoted_words_are_json() -> None:
    game = game_with()
    assert (
        game.notation.write_action(game.notation.read_action(r'note "caf\u00e9 \"x\""'))
        == r'note "café \"x\""'
    )


@pytest.mark.parametrize(
    "options",
    [
        {"mode": "paper"},
        {"team_size": [1, 1, 1]},
        {"team_size": [1, 1, 1, 0]},
        {"team_size": [1, 1, 1, True]},
        {"team_size": "1111"},
        {"raising": 1},
        {"raising": "true"},
        {"unit": "beer"},
        {"unit": "custom"},
        {"unit_name": "tea"},
        {"unit": "custom", "unit_name": ""},
        {"unit": "custom", "unit_name": None},
        {"unit_factor": 0},
        {"unit_factor": True},
        {"unit_factor": "2"},
        {"litres_per_share": -1},
        {"litres_per_share": None},
        {"die": "loaded"},
        {"pace": 1},
        {"hembo": True},
        {"colour": "R"},
        {"unit_factor": float("inf")},
    ],
)
def test_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        game_with(**options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"team_size": [2, 1, 5, 1]},
        {"unit": "custom", "unit_name": "juice", "litres_per_share": 0.1},
        {"unit_factor": 0.5},
        {"unit": "wine", "litres_per_share": 0},
        {"raising": False},
    ],
)
def test_options_are_written_as_they_were_given(options: dict[str, Any]) -> None:
    written = game_with(**options).options
    assert {name: written[name] for name in options} == options
    assert game_with(**written).options == written


GARBAGE = st.one_of(
    st.text(max_size=80),
    st.builds(
        lambda position, at, text: position[:at] + text + position[at + 1 :],
        st.sampled_from([START, BUSY, WON, LOTS]),
        st.integers(0, 90),
        st.text(max_size=3),
    ),
    st.lists(
        st.sampled_from([*BUSY.split(), "R", "pop", "6", '"', "ref", "٣", "g1w1"]), max_size=9
    ).map(" ".join),
)


@settings(deadline=None, max_examples=300)
@given(text=GARBAGE, mode=st.sampled_from(("digital", "companion")))
def test_garbage_is_read_or_refused_in_one_sentence(text: str, mode: str) -> None:
    game = game_with(mode=mode)
    for read, write in (
        (game.notation.read_state, game.notation.write_state),
        (game.notation.read_action, game.notation.write_action),
    ):
        try:
            found = read(text)
        except Refused as error:
            refusal = error.refusal
        else:
            assert write(found) == text or text.startswith(("note", "ref"))
            continue
        assert refusal.paragraph
