"""Positions made by hand: any placement can be, and every phase leads to play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kahmate.play import field, game_with, state_after
from kibitz.core.message import message
from kibitz.games.kahmate.board import FIELD_SQUARES, NAMES, name_of
from kibitz.games.kahmate.state import POINTS, TEAM, Playing, State
from kibitz.i18n import say_in
from laws.laws import wander

DASH = "\N{EN DASH}"
PLAIN = field({"g4": "F", "e5": "S", "h4": "o", "k2": "t"}, ball="g4")


def edits(position: str, place: str, texts: str = "", **options: Any) -> dict[str, str]:
    """What a touch offers: positions by what is said of them."""
    state = state_after(position, texts, **options)
    return labels_at(game_with(**options), state, place)


def labels_at(game: Any, state: State, place: str) -> dict[str, str]:
    say = say_in("en")
    return {say(edit.label): edit.position for edit in game.ui.edits(state, place)}


def test_a_free_square_takes_the_ball_and_any_man() -> None:
    offered = edits(PLAIN, "sq-c3")
    assert list(offered) == [
        "Ball here",
        "R: Tough man",
        "R: Clever man",
        "R: Ordinary man",
        "R: Strong man, from e5",
        "R: Fast man, from g4",
        "B: Strong man",
        "B: Fast man",
        "B: Clever man",
        "B: Ordinary man",
        "B: Ordinary man, from h4",
        "B: Tough man, from k2",
    ]
    men = {"g4": "F", "e5": "S", "h4": "o", "k2": "t"}
    assert offered["Ball here"] == field(men, ball="c3")
    assert offered["B: Ordinary man"] == field({**men, "c3": "o"}, ball="g4")


def test_a_man_takes_along_what_is_his() -> None:
    offered = edits(PLAIN, "sq-c3", "g4-g5")
    expected = field({"c3": "F", "e5": "S", "h4": "o", "k2": "t"}, ball="c3")
    assert offered["R: Fast man, from g5"] == expected.replace(" play - ", " play c3:3 ")


def test_movers_stay_in_the_order_of_their_squares() -> None:
    moved = PLAIN.replace(" play - ", " play e5:1,g4:2 ")
    assert " play c3:2,e5:1 " in edits(moved, "sq-c3")["R: Fast man, from g4"]
    assert edits(moved, "sq-g4")["Off the field"].split()[3] == "e5:1"


def test_nobody_has_more_men_than_there_are() -> None:
    two = field({"b2": "O", "b7": "O"}, ball="g4")
    offered = edits(two, "sq-c3")
    assert "R: Ordinary man" not in offered
    assert {"R: Ordinary man, from b2", "R: Ordinary man, from b7"} <= offered.keys()


def test_a_man_is_touched_for_what_concerns_him() -> None:
    assert list(edits(PLAIN, "sq-e5")) == [
        "Off the field",
        "Has the ball",
        "Down, back after this turn",
        "Down, back after R's next turn",
        "Has moved, 0 points left",
        "Has moved, 1 point left",
        "Has moved, 2 points left",
    ]
    assert list(edits(PLAIN, "sq-h4")) == [
        "Off the field",
        "Has the ball",
        "Down, back after B's next turn",
    ]


def test_the_ball_stays_where_a_man_is_taken_off() -> None:
    men = {"e5": "S", "h4": "o", "k2": "t"}
    assert edits(PLAIN, "sq-g4")["Off the field"] == field(men, ball="g4")


def test_who_has_moved_and_is_down_has_the_second_mark() -> None:
    offered = edits(PLAIN, "sq-e5")
    first, second = (
        field({"g4": "F", "e5": x, "h4": "o", "k2": "t"}, ball="g4") for x in ("S!", "S!!")
    )
    assert offered["Down, back after this turn"] == first
    later = offered["Down, back after R's next turn"]
    assert later == second.replace(" play - ", " play e5:0 ")
    assert edits(later, "sq-e5")["Down, back after this turn"] == first
    assert edits(later, "")["Nobody has moved yet"] == first


def test_only_two_men_have_moved() -> None:
    three = field({"c2": "S", "c3": "T", "c4": "C"}).replace(" play - ", " play c2:1,c3:0 ")
    offered = edits(three, "sq-c4")
    assert "Down, back after this turn" in offered
    assert not any("moved" in each or "next turn" in each for each in offered)
    assert "Has not moved yet" in edits(three, "sq-c3")


def test_the_turn_goes_over_and_nobody_has_moved() -> None:
    moved = PLAIN.replace(" play - ", " play g4:2 ")
    assert edits(moved, "")["B to play"] == PLAIN.replace(" R play", " B play")


@pytest.mark.parametrize("square", ["m4", "a2"])
def test_the_ball_may_be_put_in_goal_where_it_may_be_kicked_there(square: str) -> None:
    """E116, F118 and F119: with `kick_in_goal`, and where somebody may go in for it."""
    men = {"g4": "F", "e5": "S", "h4": "o", "k2": "t"}
    lying = field(men, ball=square)
    assert "Ball here" not in edits(PLAIN, f"sq-{square}")
    assert edits(PLAIN, f"sq-{square}", kick_in_goal=True)["Ball here"] == lying
    moved = edits(lying, "sq-c3", kick_in_goal=True)["R: Fast man, from g4"]
    assert moved == field({"c3": "F", "e5": "S", "h4": "o", "k2": "t"}, ball=square)
    alone = field({"g4": "F"} if square == "a2" else {"h4": "o"}, ball="g4")
    assert "Ball here" not in edits(alone, f"sq-{square}", kick_in_goal=True)


def test_cards_are_spent_on_both_sides_and_changed_in_each_in_goal() -> None:
    fewer = edits(PLAIN, "")["One fewer card each"]
    assert fewer == PLAIN.replace("123456/123456", "23456/23456")
    assert edits(PLAIN, "sq-a4") == {}
    swapped = edits(fewer, "sq-a4")["R: 1 back, 5 spent"]
    assert swapped == PLAIN.replace("123456/123456", "12346/23456")
    swapped = edits(fewer, "sq-m1")["B: 1 back, 2 spent"]
    assert swapped == PLAIN.replace("123456/123456", "23456/13456")
    assert edits(swapped, "")["One more card each"] == PLAIN
    assert edits(fewer.replace("23456/23456", "2/3"), "")["All cards back"] == PLAIN


def test_the_highest_card_comes_back_first() -> None:
    few = PLAIN.replace("123456/123456", "14/56")
    assert edits(few, "")["One more card each"].split()[5] == "146/456"


def test_the_last_card_stays() -> None:
    last = PLAIN.replace("123456/123456", "3/4")
    assert "One fewer card each" not in edits(last, "")


def test_the_score_is_one_of_a_match_that_goes_on() -> None:
    scores = [each for each in edits(PLAIN, "", tries=2) if each.startswith("Score")]
    assert scores == [f"Score 1{DASH}0", f"Score 0{DASH}1"]
    assert not [each for each in edits(PLAIN, "") if each.startswith("Score")]


def test_set_up_leads_to_play_with_the_ball_in_the_middle() -> None:
    placed = edits("start", "sq-c3")["R: Strong man"]
    assert placed == field({"c3": "S"}, ball="g4").replace(" 3 -", " 0 -")
    assert edits("start", "sq-c3", "S@c2")["R: Strong man, from c2"] == placed


def test_a_duel_can_be_left_and_a_touch_then_names_changes_only() -> None:
    duel = "13/13/13/6Fo5/13/13/13/13 B duel:T:h4>g4:1:3 h4:0 g4 123456/123456 0-0 3 -"
    left = duel.replace("duel:T:h4>g4:1:3", "play")
    assert edits(duel, "")["Play on from here"] == left
    assert list(edits(duel, "sq-g4")) == ["Off the field", "Down, back after R's next turn"]


def test_a_possession_can_be_counted_anew() -> None:
    held = PLAIN.removesuffix("-") + "R:3:g"
    offered = edits(held, "", hold_limit=8)
    assert offered["Reset the possession count"] == PLAIN
    assert all(each.endswith(" -") for each in offered.values())


def test_a_match_that_is_over_goes_on_before_its_end() -> None:
    over = "13/13/13/12F/13/13/13/1s11 R over:R - m4 123456/123456 1-0 9 -"
    left = field({"b8": "s"}, ball="g4").replace(" 3 -", " 9 -")
    assert edits(over, "")["Play on from here"] == left


def test_a_match_whose_turns_are_over_goes_on_with_the_last_one() -> None:
    over = PLAIN.replace(" R play", " R over:draw").replace(" 3 -", " 40 -")
    left = PLAIN.replace(" 3 -", " 39 -")
    assert edits(over, "", turn_limit=40)["Play on from here"] == left


@pytest.mark.parametrize("where", ["tray", "card-3", "btn-end", "nowhere"])
def test_elsewhere_there_is_nothing_to_change(where: str) -> None:
    assert edits(PLAIN, where) == {}


@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=25)
def test_every_phase_leads_to_play_or_to_the_start(seed: int) -> None:
    rng = Random(seed)
    game = game_with(tries=rng.randint(1, 3), turn_limit=rng.choice((0, 3, 40)), hold_limit=4)
    state = wander(game, rng).state
    for place in ("", *(f"sq-{name}" for name in rng.sample(NAMES, 12))):
        for edit in game.ui.edits(state, place):
            made = game.notation.read_state(edit.position)
            assert made.phase == Playing() or made == game.rules.start()
    assert any(game.ui.edits(state, f"sq-{name_of(at)}") for at in FIELD_SQUARES)


@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=40)
def test_any_men_with_any_ball_can_be_set_up_from_the_start(seed: int) -> None:
    rng = Random(seed)
    goal = _random_position(rng)
    assert _touch_up_to(goal) == goal


def _random_position(rng: Random) -> str:
    squares = [name_of(at) for at in rng.sample(FIELD_SQUARES, 13)]
    men = {}
    for team in (TEAM, tuple(kind.lower() for kind in TEAM)):
        for kind in rng.sample(team, rng.randint(0, len(team))):
            men[squares.pop()] = kind + "!" * (rng.random() < 0.2)
    ball = rng.choice((*men, squares.pop()))
    cards = rng.randint(1, 6)
    hands = ("".join(map(str, sorted(rng.sample(range(1, 7), cards)))) for _ in "RB")
    text = field(men, turn=rng.choice("RB"), ball=ball).replace(" 3 -", " 0 -")
    return text.replace("123456/123456", "/".join(hands))


def _touch_up_to(goal: str) -> str:
    """The goal, by touches alone."""
    game = game_with()
    now, wanted = game.rules.start(), game.notation.read_state(goal)

    def touch(place: str, words: str) -> None:
        nonlocal now
        now = game.notation.read_state(labels_at(game, now, place)[words])

    touch("", "Empty field")
    if now.turn != wanted.turn:
        touch("", f"{wanted.turn} to play")
    kinds = {kind: say_in("en")(message(f"kahmate.kind-{kind}")) for kind in POINTS}
    for at in FIELD_SQUARES:
        if man := wanted.field[at]:
            touch(f"sq-{name_of(at)}", f"{man.side}: {kinds[man.kind]}")
            if man.down:
                when = "this turn" if man.side == wanted.turn else f"{man.side}'s next turn"
                touch(f"sq-{name_of(at)}", f"Down, back after {when}")
    if now.ball != wanted.ball:
        there = wanted.field[wanted.ball]
        touch(f"sq-{name_of(wanted.ball)}", "Has the ball" if there else "Ball here")
    while len(now.hands[0]) > len(wanted.hands[0]):
        touch("", "One fewer card each")
    for index, (side, in_goal) in enumerate((("R", "sq-a1"), ("B", "sq-m8"))):
        while now.hands[index] != wanted.hands[index]:
            held, hoped = set(now.hands[index]), set(wanted.hands[index])
            touch(in_goal, f"{side}: {min(hoped - held)} back, {min(held - hoped)} spent")
    return str(game.notation.write_state(now))
