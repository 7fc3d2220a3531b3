"""Positions made by hand: the board here becomes like the one on the table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.as_kimble.play import LOTS, NOTHING, game_with, state_after
from kibitz.games.as_kimble.board import GOALS, PIECES, RING, TEAMS, progress_at
from kibitz.games.as_kimble.rules.book import has_won
from kibitz.games.as_kimble.state import (
    Book,
    Colours,
    GameOver,
    Lots,
    Piece,
    Popping,
    Side,
    State,
    grid_occupant,
    with_goal,
    with_piece,
)
from kibitz.i18n import say_in
from laws.laws import wander

START = f"h4/h4/h4/h4 R:N3 d- {NOTHING}"
PIECE = {"R": "Red heart", "B": "Blue drop", "Y": "Yellow star", "G": "Green clover"}
SIZE = {1: "single", 2: "double", 3: "triple", 4: "quadruple"}


def edits(position: str, place: str, *texts: str, **options: Any) -> dict[str, str]:
    """What a touch offers: positions by what is said of them."""
    return labels_at(game_with(**options), state_after(position, *texts, **options), place)


def labels_at(game: Any, state: State, place: str) -> dict[str, str]:
    say = say_in("en")
    return {say(edit.label): edit.position for edit in game.ui.edits(state, place)}


def test_a_grid_takes_what_a_team_has_at_home() -> None:
    two = f"h2,t5,g1/t9x4/h1,g1,g2,g3/h4 B:N1 d- {NOTHING}"
    assert list(edits(two, "t-12")) == [
        "Red heart, single",
        "Red heart, double",
        "Yellow star, single",
        "Green clover, single",
        "Green clover, double",
        "Green clover, triple",
        "Green clover, quadruple",
    ]
    made = edits(two, "t-12")["Red heart, double"]
    assert made == f"t5,t12x2,g1/t9x4/h1,g1,g2,g3/h4 B:N1 d- {NOTHING}"


def test_whoever_stood_there_goes_home() -> None:
    one = f"h2,t5x2/h4/h4/h4 B:N3 d- {NOTHING}"
    assert edits(one, "t-5")["Blue drop, single"] == f"h4/h3,t5/h4/h4 B:N1 d- {NOTHING}"
    assert edits(one, "t-5")["Empty"] == f"h4/h4/h4/h4 B:N3 d- {NOTHING}"
    assert edits(one, "t-5")["Red heart, quadruple"] == f"t5x4/h4/h4/h4 B:N3 d- {NOTHING}"
    assert "Red heart, double" not in edits(one, "t-5")


def test_a_turn_begins_with_the_pops_its_pieces_give_it() -> None:
    assert edits(START, "t-5")["Red heart, single"] == f"h3,t5/h4/h4/h4 R:N1 d- {NOTHING}"
    assert edits(START, "t-5")["Blue drop, single"] == f"h4/h3,t5/h4/h4 R:N3 d- {NOTHING}"


def test_what_stands_there_already_is_no_change() -> None:
    """Nor where the dome has said that there are other pops."""
    told = f"h1,t5x2,g1/h4/h4/h4 R:N3 d- {NOTHING}"
    assert "Red heart, double" not in edits(told, "t-5")
    assert "1 piece" not in edits(told, "g-R1")
    assert "Empty" not in {**edits(told, "t-6"), **edits(told, "g-R2")}
    assert "All four home" not in edits(START.replace("N3", "N1"), "h-R")


def test_goals_take_one_piece_and_the_first_takes_all() -> None:
    assert list(edits(START, "g-B1")) == ["1 piece", "2 pieces", "3 pieces", "4 pieces"]
    assert edits(START, "g-B1")["3 pieces"] == f"h4/h1,g1w2/h4/h4 R:N3 d- {NOTHING}"
    assert list(edits(START, "g-B2")) == ["1 piece"]
    waiting = f"h4/h1,g1w2/h4/h4 R:N3 d- {NOTHING}"
    assert edits(waiting, "g-B1")["Empty"] == START


def test_nobody_wins_by_hand() -> None:
    near = f"h1,g1,g2,g3/h4/h4/h4 R:N3 d- {NOTHING}"
    assert edits(near, "g-R4") == {}
    owing = near.replace("0+0", "1+0", 1)
    assert list(edits(owing, "g-R4")) == ["1 piece"]
    placed = edits(owing, "g-R4")["1 piece"]
    assert "Penalties owed: 0" not in edits(placed, "h-R")


def test_a_home_tells_of_its_team() -> None:
    assert edits(f"h3,t5/h4/h4/h4 R:N1 d- {NOTHING}", "h-R") == {
        "All four home": START,
        "Penalties owed: 1": f"h3,t5/h4/h4/h4 R:N1 d- 1{NOTHING[1:]}",
        "Penalties done: 1": f"h3,t5/h4/h4/h4 R:N1 d- 0+1{NOTHING[3:]}",
        "Hembo is due": f"h3,t5/h4/h4/h4 R:N1 d- {NOTHING.replace('----', '!---')}",
        "Hembo has been said": f"h3,t5/h4/h4/h4 R:N1 d- {NOTHING.replace('----', '+---')}",
        "Has raised in this round": f"h3,t5/h4/h4/h4 R:N1 d- {NOTHING.replace(':-', ':R')}",
    }
    counted = START.replace("0+0", "2+3", 1).replace(":- ", ":RB ").replace("----", "!---")
    assert list(edits(counted, "h-R")) == [
        "Penalties owed: 3",
        "Penalties owed: 1",
        "Penalties done: 4",
        "Penalties done: 2",
        "Hembo has been said",
        "No hembo due",
        "Has not raised in this round",
    ]


def test_what_is_not_agreed_is_not_offered() -> None:
    for place in ("", "h-R"):
        offered = edits(START, place, raising=False, hembo="off")
        assert not any("raise" in each.lower() or "hembo" in each.lower() for each in offered)


def test_the_dome_has_pops_and_numbers() -> None:
    offered = edits(START, "dome")
    assert list(offered) == [
        "1 pop left",
        "2 pops left",
        "Popped 6, to be played",
        "Not the first pop of the turn",
        *(f"Die shows {face}" for face in range(1, 7)),
    ]
    assert offered["2 pops left"] == START.replace("N3", "N2")
    assert offered["Popped 6, to be played"] == START.replace("N3 d-", "M6 d6")
    assert offered["Not the first pop of the turn"] == START.replace("N3", "P3")
    assert offered["Die shows 4"] == START.replace("d-", "d4")


def test_a_number_to_be_played_is_another_one_or_is_popped_again() -> None:
    chosen = f"h3,t5/h4/h4/h4 R:M4 d4 {NOTHING}"
    offered = edits(chosen, "dome")
    assert offered["Popped 3, to be played"] == chosen.replace("M4 d4", "M3 d3")
    assert offered["1 pop left"] == chosen.replace("M4", "N1")
    assert not any(each.startswith("Die") for each in offered)


def test_a_die_that_is_right_needs_no_reset() -> None:
    astray = START.replace("d-", "d2>5")
    assert edits(astray, "dome", mode="companion")["Die shows 5"] == START.replace("d-", "d5")


def test_a_number_stays_to_be_played_while_it_can_be() -> None:
    chosen = f"h3,t5/h4/h4/h4 R:M4 d4 {NOTHING}"
    assert edits(chosen, "t-20")["Blue drop, single"] == f"h3,t5/h3,t20/h4/h4 R:M4 d4 {NOTHING}"
    assert edits(chosen, "t-5")["Empty"] == f"h4/h4/h4/h4 R:N3 d4 {NOTHING}"


def test_the_whole_of_a_position() -> None:
    moved = f"h3,t5/h4/h4/h4 B:N3 d4 {NOTHING.replace('0+0', '1+2', 1)}"
    offered = edits(moved, "", refusal="final")
    assert offered["R to pop"] == moved.replace("B:N3", "R:N1")
    assert offered["Raise round 2"] == moved.replace(" 1:-", " 2:-")
    assert offered["No more raise rounds"] == moved.replace(" 1:-", " 1:-!")
    assert offered["Break"] == moved.removesuffix("-") + "b"
    assert offered["Clear the book"] == moved.replace("1+2", "0+0")
    assert offered["Everyone home"] == moved.replace("h3,t5", "h4")
    assert offered["Start over"] == START
    assert "B to pop" not in offered
    assert "No more raise rounds" not in edits(moved, "", refusal="opportunity")


def test_nobody_has_raised_in_another_round() -> None:
    raised = START.replace(" 1:-", " 2:RB")
    assert edits(raised, "")["Raise round 3"] == START.replace(" 1:-", " 3:-")
    assert edits(raised, "")["Raise round 1"] == START


def test_a_break_stays_one_until_it_is_ended() -> None:
    still = START.removesuffix("-") + "b"
    assert edits(still, "")["End the break"] == START
    assert edits(still, "t-5")["Blue drop, single"].endswith(" b")


def test_preparation_leads_to_the_first_turn() -> None:
    for phase in ("S:-/-/-/-", "S:3/-/-/-", "K:ab"):
        before = LOTS.replace("S:-/-/-/-", phase)
        assert edits(before, "")["R to pop"] == START
        assert edits(before, "t-5")["Red heart, single"] == f"h3,t5/h4/h4/h4 R:N1 d- {NOTHING}"


def test_a_game_that_is_over_goes_on_with_the_winner() -> None:
    over = f"g1,g2,g3,g4/h4/h4/h4 R:E d3 {NOTHING}"
    assert list(edits(over, "")) == ["Everyone home", "Start over"]
    assert edits(over, "g-R4")["Empty"] == f"h1,g1,g2,g3/h4/h4/h4 R:N1 d3 {NOTHING}"
    owing = f"g1,g2,g3,g4/h4/h4/h4 R:N3 d3 {NOTHING.replace('0+0', '1+0', 1)}"
    assert edits(over, "h-R")["Penalties owed: 1"] == owing


def test_votes_and_returns_go_on_while_they_can() -> None:
    raised = "t0,g1,g2,g3/h3,g1/h3,g1/h3,g1 R:CBY d6 0+0/0+0/0+0/0+0 1:R ---- -"
    assert edits(raised, "h-G")["Penalties owed: 1"].split()[1] == "R:CBY"
    assert edits(raised, "g-B1")["Empty"].split()[1] == "R:N1"
    asked = "t0,g1,g2,g3/h3,g1/h3,g1/h3,g1 R:VB d6 0+0/0+0/0+0/0+0 1:RBYG ---- -"
    assert edits(asked, "t-5")["Blue drop, single"].split()[1] == "R:VB"
    assert edits(asked, "h-B")["Has not raised in this round"].split()[1] == "R:N1"


@pytest.mark.parametrize("where", ["t-28", "g-R5", "h-R1", "btn-hembo", "nowhere"])
def test_elsewhere_there_is_nothing_to_change(where: str) -> None:
    assert edits(START, where) == {}


@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=25)
def test_every_change_leads_to_a_game_that_is_on(seed: int) -> None:
    rng = Random(seed)
    game = game_with(mode=rng.choice(("digital", "companion")), pace="free")
    state = wander(game, rng).state
    for place in ("", "dome", "h-R", *(f"t-{grid}" for grid in range(0, RING, 5))):
        for edit in game.ui.edits(state, place):
            assert not isinstance(
                game.notation.read_state(edit.position).phase, Lots | Colours | GameOver
            )


@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=40)
def test_any_board_turn_and_book_can_be_made_from_the_start(seed: int) -> None:
    goal = _any_state(Random(seed))
    assert _touch_up_to(goal) == goal


def _any_state(rng: Random) -> State:
    state = State(sides=_any_sides(rng), phase=Popping(rng.choice(TEAMS), rng.randint(1, 3)))
    books = tuple(Book(rng.randint(0, 3), rng.randint(0, 3)) for _ in TEAMS)
    state = State(state.sides, state.phase, books=books)
    return _any_state(rng) if any(has_won(state, team) for team in TEAMS) else state


def _any_sides(rng: Random) -> tuple[Side, ...]:
    grids, sides = rng.sample(range(RING), RING), []
    for team in TEAMS:
        side, left = Side(0), PIECES
        while left:
            size = rng.randint(1, left)
            match rng.choice(("home", "ring", "goal")):
                case "home":
                    side = Side(side.home + size, side.ring, side.goal)
                case "ring":
                    side = with_piece(side, Piece(progress_at(team, grids.pop()), size))
                case _:
                    free = [goal for goal in GOALS if not side.goal[goal - 1]]
                    goal = rng.choice(free)
                    size = size if goal == 1 else 1
                    side = with_goal(side, goal, size)
            left -= size
        sides.append(side)
    return tuple(sides)


def _touch_up_to(goal: State) -> State:
    """The goal, by touches alone."""
    game = game_with()
    now: State = game.rules.start()

    def touch(place: str, words: str) -> None:
        nonlocal now
        now = game.notation.read_state(labels_at(game, now, place)[words])

    for team, book in zip(TEAMS, goal.books, strict=True):
        for owed in range(1, book.owed + 1):
            touch(f"h-{team}", f"Penalties owed: {owed}")
        for done in range(1, book.done + 1):
            touch(f"h-{team}", f"Penalties done: {done}")
    for grid in range(RING):
        if standing := grid_occupant(goal, grid):
            team, piece = standing
            touch(f"t-{grid}", f"{PIECE[team]}, {SIZE[piece.size]}")
    for team, side in zip(TEAMS, goal.sides, strict=True):
        for at, count in zip(GOALS, side.goal, strict=True):
            if count:
                touch(f"g-{team}{at}", "1 piece" if count == 1 else f"{count} pieces")
    assert isinstance(goal.phase, Popping)
    if goal.phase.team != "R":
        touch("", f"{goal.phase.team} to pop")
    if now.phase != goal.phase:
        pops = goal.phase.pops
        touch("dome", "1 pop left" if pops == 1 else f"{pops} pops left")
    return now
