"""The numbers that screens show are those of the position."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from games.as_kimble.reference import random_options, random_position
from kibitz.core.game import SPECTATOR
from kibitz.core.message import Refused
from kibitz.games.as_kimble import AS_KIMBLE

TEAMS = "RBYG"


LITRES = {"soft": 0.165, "cans": 0.165, "wine": 0.12}


def read(position: str, options: dict[str, Any]) -> dict[str, Any]:
    """The figures by the text of the position and the options alone."""
    _, turn, die, ledger, raises, hembo, flags = position.split()
    who, what = turn.split(":")
    face, _, wanted = die[1:].partition(">")
    books = [book.split("+") for book in ledger.split("/")]
    round_, _, raised = raises.rstrip("!").partition(":")
    phase = who if who in "SK" else what[0]
    return {
        "phase": phase,
        "turn": who if phase in "NPMVC" else None,
        "pops": int(what[1]) if phase in "NP" else None,
        "number": int(what[1]) if phase == "M" else None,
        "face": None if face == "-" else int(face),
        "wanted": int(wanted) if wanted else None,
        "owed": {team: int(owed) for team, (owed, _) in zip(TEAMS, books, strict=True)},
        "done": {team: int(done) for team, (_, done) in zip(TEAMS, books, strict=True)},
        "marks": dict(zip(TEAMS, hembo, strict=True)),
        "raised": [team for team in raised if team != "-"],
        "round": int(round_),
        "break": flags == "b",
        "winner": who if phase == "E" and who != "-" else None,
        "sizes": dict(zip(TEAMS, options["team_size"], strict=True)),
        "litres": litres(options, [int(done) for _, done in books]),
    }


def litres(options: dict[str, Any], done: list[int]) -> dict[str, float]:
    """11.3: penalties x players x factor x litres of a share."""
    share = options.get("litres_per_share", LITRES.get(options["unit"], 0)) * options["unit_factor"]
    if not share:
        return {}
    sizes = options["team_size"]
    return {
        team: round(n * size * share, 3) for team, n, size in zip(TEAMS, done, sizes, strict=True)
    }


@settings(deadline=None, max_examples=300)
@given(seed=st.integers(0, 2**32))
def test_figures_say_what_the_position_says(seed: int) -> None:
    rng = Random(seed)
    options = random_options(rng)
    position = random_position(rng, options)
    try:
        game = AS_KIMBLE.game(options)
        state = game.notation.read_state(position)
    except Refused:
        reject()
    for viewer in (*game.seats, SPECTATOR):
        shown = dict(game.ui.scoreboard(game.rules.view(state, viewer, ())))
        wanted = read(position, dict(game.options))
        assert shown.pop("litres") == pytest.approx(wanted.pop("litres")), position
        assert shown == wanted, position


def test_figures_are_few() -> None:
    game = AS_KIMBLE.game({})
    assert len(json.dumps(game.ui.scoreboard(game.rules.view(game.rules.start(), "R", ())))) < 460
