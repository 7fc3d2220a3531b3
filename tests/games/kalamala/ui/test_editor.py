"""Positions made by hand: any placement can be, and nothing that no match knows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from games.kalamala.play import after, game_with, positions, state_after
from kibitz.games.kalamala import Options
from kibitz.games.kalamala.board import SQUARES, square_place
from kibitz.games.kalamala.notation import write_state
from kibitz.games.kalamala.state import NO_PAST, SEATS, State

START = "8/8/3BA3/2B2A2/2A2B2/3AB3/8/8 A 4,4 0,0 1 -"


def edits(position: str, place: str, *texts: str, **options: str) -> dict[str, str]:
    """What a touch offers, position by label."""
    state = state_after(position, *texts, **options)
    return {
        edit.label.id.removeprefix("kalamala.edit-"): edit.position
        for edit in game_with(**options).ui.edits(state, place)
    }


def test_a_stone_comes_from_the_reserve_when_none_is_lost() -> None:
    assert edits(START, "sq-a1") == {
        "A": "8/8/3BA3/2B2A2/2A2B2/3AB3/8/A7 A 3,4 0,0 1 -",
        "B": "8/8/3BA3/2B2A2/2A2B2/3AB3/8/B7 A 4,3 0,0 1 -",
    }


def test_a_stone_that_is_taken_off_is_lost_and_comes_back_from_there() -> None:
    empty = edits(START, "sq-e6")["empty"]
    assert empty == "8/8/3B4/2B2A2/2A2B2/3AB3/8/8 A 4,4 1,0 1 -"
    assert edits(empty, "sq-e6")["A"] == START


def test_a_stone_of_one_kind_becomes_the_other() -> None:
    made = edits(START, "sq-e6")["B"]
    assert made == "8/8/3BB3/2B2A2/2A2B2/3AB3/8/8 A 4,3 1,0 1 -"


def test_nobody_has_a_ninth_stone() -> None:
    full = "AAAAAAAA/8/8/8/8/8/8/BBBB4 A 0,4 0,0 1 -"
    assert set(edits(full, "sq-a4")) == {"B"}
    assert set(edits(full, "sq-a1")) == {"empty"}


def test_a_reserve_takes_lost_stones_and_gives_them() -> None:
    assert set(edits(START, "rs-A")) == {"reserve-fewer"}
    fewer = edits(START, "rs-A")["reserve-fewer"]
    assert fewer == "8/8/3BA3/2B2A2/2A2B2/3AB3/8/8 A 3,4 1,0 1 -"
    assert edits(fewer, "rs-A")["reserve-more"] == START


def test_the_whole_of_a_position() -> None:
    played = after(START, "@a1")
    assert edits(played, "") == {
        "side": "8/8/3BA3/2B2A2/2A2B2/3AB3/8/A7 A 3,4 0,0 2 -",
        "clear": "8/8/8/8/8/8/8/8 B 4,4 4,4 2 -",
        "start": START,
    }


def test_the_past_can_be_forgotten_and_no_change_keeps_it() -> None:
    bare = "8/3B4/4A3/2B2A2/2A2B2/3AB3/8/8 B 4,4 0,0 2 -"
    assert edits(START, "", "d6:N1")["forget"] == bare
    assert set(edits(START, "sq-d7", "d6:N1")) == {"A", "empty"}
    for where in ("", "sq-d7", "rs-B"):
        assert all(made.endswith(" -") for made in edits(START, where, "d6:N1").values())


@pytest.mark.parametrize("where", ["off-N1", "sq-i9", "rs-C", "nowhere"])
def test_elsewhere_there_is_nothing_to_change(where: str) -> None:
    assert edits(START, where) == {}


def test_a_match_that_was_resigned_goes_on() -> None:
    state = state_after(START, "resign A")
    made = game_with().ui.edits(state, "")
    assert all(
        game_with().rules.outcome(game_with().notation.read_state(edit.position)) is None
        for edit in made
    )
    assert "start" not in edits(START, "", "resign A")


@given(positions())
@settings(deadline=None, max_examples=60)
def test_any_position_can_be_made_from_the_start(position: tuple[Options, State]) -> None:
    options, state = position
    goal = replace(state, past=NO_PAST, turn=1)
    assert write_state(_touch_up_to(options, goal)) == write_state(goal)


def _touch_up_to(options: Options, goal: State) -> State:
    game = game_with(repetition=options.repetition)
    now: State = game.rules.start()

    def touch(place: str, kind: str) -> None:
        nonlocal now
        offered = {edit.label.id: edit.position for edit in game.ui.edits(now, place)}
        now = game.notation.read_state(offered[f"kalamala.edit-{kind}"])

    touch("", "clear")
    for index, side in enumerate(SEATS):
        for square in SQUARES:
            if goal.stones[index] >> square & 1:
                touch(square_place(square), side)
        while now.reserve[index] > goal.reserve[index]:
            touch(f"rs-{side}", "reserve-fewer")
        while now.reserve[index] < goal.reserve[index]:
            touch(f"rs-{side}", "reserve-more")
    if now.side != goal.side:
        touch("", "side")
    return now
