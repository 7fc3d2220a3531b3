"""The numbers that screens show are those of the position."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import given, reject, settings
from hypothesis import strategies as st

from games.as_kimble.reference import random_options, random_position
from kibitz.core.game import SPECTATOR
from kibitz.core.message import Refused
from kibitz.games.as_kimble import AS_KIMBLE

TEAMS = "RBYG"


def read(position: str) -> dict[str, Any]:
    """The figures by the text of the position alone."""
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
        assert dict(game.ui.scoreboard(game.rules.view(state, viewer, ()))) == read(position), (
            position
        )


def test_figures_are_few() -> None:
    game = AS_KIMBLE.game({})
    assert len(json.dumps(game.ui.scoreboard(game.rules.view(game.rules.start(), "R", ())))) < 400
