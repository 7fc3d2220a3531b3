"""Every touch has an answer, and every touch in vain its reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kahmate.touching import (
    CARDS,
    CENTRE,
    DRAW,
    DUEL,
    FALL,
    GOAL,
    LOOSE,
    OUT,
    PASS,
    RED_DONE,
    SAY,
    SQUARES,
    THREE,
    TOUCHABLE,
    after,
    at,
    position,
    tables,
)
from kibitz.core.message import Message
from kibitz.games.kahmate import Options
from kibitz.games.kahmate.actions import Action
from kibitz.games.kahmate.state import SEATS, State, View
from kibitz.table import Table
from laws.laws import entered_as, listed_actions

FORWARD = position("Fe4 Og4 Oe6 Tb8 oh4", "e4", movers="e4:1")
CHARGE = position("Fe4 Sb3 of4 tg4", "e4", movers="e4:3")


@pytest.mark.parametrize(
    ("text", "seat", "path", "id", "rule"),
    [
        # Whose turn it is
        (CENTRE, "B", "sq-h4", "not-your-turn", "4"),
        (CENTRE, "B", "btn-end", "not-your-turn", "4"),
        (PASS, "R", "sq-g4", "not-your-turn", "4"),
        (OUT, "B", "sq-i4", "not-your-turn", "4"),
        (FALL, "B", "sq-b3", "not-your-turn", "4"),
        (DRAW, "R", "sq-b3", "draw-first", "3"),
        (DRAW, "B", "sq-g4", "draw-first", "3"),
        # Where to begin
        (CENTRE, "R", "", "start", "4"),
        (CENTRE, "R", "nowhere", "start", "4"),
        (CENTRE, "R", "sq-b1", "start", "4"),
        (LOOSE, "R", "sq-f4", "start-ball", "4"),
        (CENTRE, "R", "sq-j4", "not-your-man", "4"),
        (CENTRE, "R", "sq-h4", "force-from", "7"),
        (position("Sg5 Fb3 ch5", "h5"), "R", "sq-h5", "tackle-from", "6"),
        (CENTRE, "R", "sq-f6", "down", "4"),
        (CENTRE, "R", "sq-f6 sq-f7", "down", "4"),
        (CENTRE, "R", "sq-g4 sq-f6", "pass-to-the-down", "5.1"),
        (CENTRE, "R", "sq-e7 sq-f6", "down", "4"),
        (THREE, "R", "sq-e4", "third-man", "4"),
        (THREE, "R", "sq-e4 sq-e5", "third-man", "4"),
        (THREE, "R", "sq-b3 sq-d2", "third-man", "4"),
        (THREE, "R", "sq-c6", "no-points", "4"),
        (THREE, "R", "sq-c6 sq-c7", "no-points", "4"),
        (position("Ob1 Oc1 Sb2 sh4", "h4"), "R", "sq-b1", "hemmed-in", "4.1"),
        (CENTRE, "R", "sq-g4", "chosen-holder", "4"),
        (CENTRE, "R", "sq-g4 sq-g4", "chosen-holder", "4"),
        (CENTRE, "R", "sq-g4 tray", "chosen-holder", "4"),
        (CENTRE, "R", "sq-f3", "chosen-second", "4"),
        (LOOSE, "R", "sq-e4", "chosen", "4"),
        (CENTRE, "R", "card-3", "no-duel", "8"),
        (CENTRE, "R", "btn-no", "no-pass", "5.2"),
        (CENTRE, "R", "tray sq-b3", "play-first", "4"),
        (CENTRE, "R", "btn-lineup", "play-first", "4"),
        # Running
        (LOOSE, "R", "sq-b3 sq-a3", "own-in-goal", "4.1"),
        (LOOSE, "R", "sq-e4 sq-a4", "own-in-goal", "4.1"),
        (position("Fl4 Sb3 oh4", "h4"), "R", "sq-l4 sq-m4", "in-goal-without-ball", "4.1"),
        (LOOSE, "R", "sq-e4 sq-m4", "in-goal-without-ball", "4.1"),
        (LOOSE, "R", "sq-b3 sq-e6", "too-far", "4.1"),
        (THREE, "R", "sq-b3 sq-c4", "too-far-diagonal", "4.1"),
        (GOAL, "R", "sq-k4 sq-m8", "too-far", "4.1"),
        (GOAL, "R", "sq-k4 sq-f4", "too-far", "4.1"),
        (
            position("Fe4 Sb3 Oe5", "e4", movers="e4:2"),
            "R",
            "sq-e4 sq-j4",
            "too-far-to-kick",
            "4.1",
        ),
        (position("Ob1 Oc1 Sb2 Fd2 sh4", "h4"), "R", "sq-b2 sq-b1", "hemmed-in", "4.1"),
        (position("Oc1 Sb2 Fd2 sh4", "h4"), "R", "sq-d2 sq-b1", "no-way", "4.1"),
        (
            position("Fe4 oe3 oe5 sf3 tf5 Sb3", "f4", movers="e4:1"),
            "R",
            "sq-e4 sq-g4",
            "too-far",
            "4.1",
        ),
        # Passing
        (FORWARD, "R", "sq-e4 sq-g4", "pass-forward", "5.1"),
        (FORWARD, "R", "sq-e4 sq-e6", "pass-level", "5.1"),
        (FORWARD, "R", "sq-e4 sq-b8", "pass-too-far", "5.1"),
        # Kicking
        (FORWARD, "R", "sq-e4 sq-g5", "kick-partner-ahead", "5.3"),
        (FORWARD, "R", "btn-kick", "kick-partner-ahead", "5.3"),
        (FORWARD, "R", "btn-kick sq-f4", "kick-partner-ahead", "5.3"),
        (FORWARD, "R", "sq-e4 btn-kick", "kick-partner-ahead", "5.3"),
        (FORWARD, "R", "sq-g4 btn-kick", "kick-without-ball", "5.3"),
        (LOOSE, "R", "btn-kick", "kick-no-holder", "5.3"),
        (THREE, "R", "btn-kick sq-g4", "kick-no-holder", "5.3"),
        (position("F!e4 Sb3 oh4", "e4"), "R", "btn-kick", "down", "4"),
        (CENTRE, "R", "btn-kick", "kicking", "5.3"),
        (CENTRE, "R", "btn-kick sq-f4", "kick-not-forward", "5.3"),
        (CENTRE, "R", "btn-kick sq-k4", "kick-too-far", "5.3"),
        (CENTRE, "R", "btn-kick sq-h4", "kick-onto-a-man", "5.3"),
        (GOAL, "R", "btn-kick sq-m4", "kick-in-goal", "5.3"),
        (position("Fl4 Sb3 ol3", "l4"), "R", "btn-kick", "kick-nowhere", "5.3"),
        # Tackling and forcing through
        (THREE, "R", "sq-b3 sq-h4", "not-adjacent", "1"),
        (position("Fe4 of4 th4", "h4"), "R", "sq-e4 sq-f4", "tackle-without-ball", "6"),
        (position("Fe4 of4", "e4", movers="e4:1"), "R", "sq-e4 sq-f4", "force-one-point", "7"),
        (CHARGE, "R", "sq-e4 sq-f4", "force-opponent-beyond", "7"),
        (CHARGE, "R", "sq-e4 sq-g4", "not-adjacent", "1"),
        (position("Fe1 of1 Og1 Of2", "e1"), "R", "sq-e1 sq-f1", "force-no-exit", "7"),
        # Jumping in, cards, coming out, falling
        (PASS, "B", "sq-h4", "cannot-intercept", "5.2"),
        (PASS, "B", "sq-e4", "cannot-intercept", "5.2"),
        (PASS, "B", "sq-e5", "intercepting", "5.2"),
        (PASS, "B", "sq-a1", "intercepting", "5.2"),
        (PASS, "B", "btn-end", "intercepting", "5.2"),
        (DUEL, "R", "card-5", "not-in-hand", "8"),
        (DUEL, "B", "card-3", "not-in-hand", "8"),
        (DUEL, "B", "card-5", "choose-card", "8"),
        (DUEL, "R", "sq-g4 sq-g5", "card-first", "8"),
        (DUEL, "B", "sq-h4", "card-first", "8"),
        (DUEL, "R", "btn-end", "card-first", "8"),
        (OUT, "R", "sq-h4", "exit-where", "7"),
        (OUT, "R", "sq-g4", "exit-where", "7"),
        (OUT, "R", "btn-end", "exit-first", "7"),
        (FALL, "R", "sq-c4", "drop-where", "6.1"),
        (FALL, "R", "btn-end", "drop-first", "6.1"),
        # Set-up
        ("start", "R", "sq-d4", "place-where", "3"),
        ("start", "R", "sq-l4", "place-where", "3"),
        ("start", "R", "tray sq-a4", "place-where", "3"),
        ("start", "B", "sq-b4", "place-where", "3"),
        ("start", "B", "tray sq-g4", "place-where", "3"),
        ("start", "R", "tray", "placing", "3"),
        ("start", "B", "", "placing", "3"),
        ("start", "B", "sq-l4", "placing", "3"),
    ],
)
def test_a_touch_in_vain_is_explained(text: str, seat: str, path: str, id: str, rule: str) -> None:
    refusal = at(text).why_not(seat, tuple(path.split()))
    assert (refusal.id, refusal.paragraph) == (f"kahmate.{id}", rule)
    assert SAY(refusal)


@pytest.mark.parametrize(
    ("acts", "seat", "path", "id"),
    [
        (("R S@b3",), "R", "sq-b3", "place-taken"),
        (("B S@l3",), "B", "sq-l3", "place-taken"),
        (RED_DONE, "R", "sq-b3", "placed-all"),
        (RED_DONE, "R", "tray", "placed-all"),
    ],
)
def test_what_was_placed_stands_in_the_way(
    acts: tuple[str, ...], seat: str, path: str, id: str
) -> None:
    refusal = after(at("start"), *acts).why_not(seat, tuple(path.split()))
    assert (refusal.id, refusal.paragraph) == (f"kahmate.{id}", "3")


@pytest.mark.parametrize("act", ["R card=4", "B card=5"])
def test_a_chosen_card_stays(act: str) -> None:
    seat, card = act[0], act[-1]
    for path in ((), (f"card-{card}",), ("card-1",), ("sq-g4",)):
        refusal = after(at(DUEL), act).why_not(seat, path)
        assert (refusal.id, refusal.paragraph) == ("kahmate.card-chosen", "8")
        assert refusal.value("card") == int(card)


def test_the_others_card_leaves_ones_own_to_be_chosen() -> None:
    table = after(at(DUEL), "R card=4")
    assert table.why_not("B", ("card-3",)).id == "kahmate.not-in-hand"
    assert table.why_not("B", ("card-5",)).id == "table.allowed"


def test_when_the_match_is_over_that_is_the_answer() -> None:
    for text in (CENTRE, DUEL, "start"):
        over = after(at(text), "R resign R")
        for seat in SEATS:
            for path in ((), ("sq-g4", "sq-g5"), ("card-1",), ("sq-b3",)):
                assert over.why_not(seat, path).id == "kahmate.match-over"
                assert over.why_not(seat, path).paragraph == "9"


def test_a_square_out_of_reach_says_how_far_it_is() -> None:
    says = {
        (LOOSE, "sq-b3 sq-e6"): "e6 is 6 steps away, and your Strong man has 2 points left.",
        (THREE, "sq-b3 sq-c4"): (
            "Men can't step diagonally: c4 is 2 steps away, and your Strong man has 1 point left."
        ),
    }
    for (text, path), sentence in says.items():
        assert SAY(at(text).why_not("R", tuple(path.split()))) == sentence


def test_options_of_the_table_are_named_as_such() -> None:
    lined = Options(pass_shape="line", kick_shape="line", force_down="no")
    for text, path, id in (
        (position("Fe4 Od2 oh4", "e4"), "sq-e4 sq-d2", "pass-not-in-line"),
        (position("Fe4 Od2 oh4", "e4", movers="e4:1"), "sq-e4 sq-g5", "kick-not-in-line"),
        (position("Fe4 Od2 o!f4", "e4"), "sq-e4 sq-f4", "force-the-down"),
    ):
        refusal = at(text, lined).why_not("R", tuple(path.split()))
        assert (refusal.id, refusal.paragraph) == (f"kahmate.{id}", "11")


def test_what_may_be_done_after_all_is_said_to_be_so() -> None:
    for text, seat, path in (
        (CENTRE, "R", "sq-g4 sq-h5"),
        (CENTRE, "R", "sq-g4 sq-j6"),
        (CENTRE, "R", "btn-kick sq-j6"),
        (CENTRE, "R", "btn-end"),
        (CENTRE, "R", "sq-f3 btn-end"),
        (PASS, "B", "btn-no"),
        (PASS, "B", "sq-f5"),
        (DUEL, "R", "card-4"),
        (OUT, "R", "sq-i4"),
        (FALL, "R", "sq-b3"),
        ("start", "R", "tray sq-b3"),
    ):
        assert at(text).why_not(seat, tuple(path.split())).id == "table.allowed"


TOUCHES = st.one_of(st.sampled_from(sorted(TOUCHABLE)), st.text(max_size=8))


@given(tables(), st.data(), st.sampled_from(SEATS))
@settings(max_examples=300, deadline=None)
def test_every_touch_has_an_answer(
    table: Table[State, Action, View], data: st.DataObject, seat: str
) -> None:
    begun = sorted({offer.path[:1] for offer in table.offers(seat)} | {()})
    path = (*data.draw(st.sampled_from(begun)), *data.draw(st.lists(TOUCHES, max_size=3)))
    answer = table.why_not(seat, path)
    assert SAY(answer)
    if answer.id == "table.allowed":
        intended = table.game.ui.intent(table.view(seat), seat, path)
        assert not isinstance(intended, Message)
        assert entered_as(table, seat, intended) in listed_actions(table, seat)
        return
    assert answer.paragraph
    for value in (answer.value("at"), answer.value("because")):
        assert (value or "sq-a1") in SQUARES | CARDS
