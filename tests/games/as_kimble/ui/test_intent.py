"""Every touch has an answer, and every touch in vain its reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    NEW,
    OVER,
    OWING,
    PLACED,
    PLACES,
    RAISE,
    RAISES,
    RESET,
    ROUND_IT,
    SAY,
    SIX,
    TOUCHABLE,
    VOTE,
    KimbleTable,
    after,
    at,
    mishaps,
    position,
    tables,
)
from kibitz.core.message import Message
from kibitz.games.as_kimble import Options
from kibitz.games.as_kimble.board import TEAMS
from laws.laws import listed_actions

FOUR = position("h1,t5,t9,t26/h3,t12/h4/h4", "R:M4")
GOAL = position("t20,g1,g2,g4/h4/h4/h4", "R:M3")
NEAR = position("h1,t25,t26,t27/h4/h4/h4", "R:M6")


@pytest.mark.parametrize(
    ("text", "seat", "path", "id", "rule"),
    [
        # Whose turn it is
        ("start", "B", "dome", "not-your-turn", "5"),
        ("start", "B", "h-B", "not-your-turn", "5"),
        ("start", "B", "", "not-your-turn", "5"),
        (MEAL, "B", "dome", "not-your-turn", "5"),
        (MEAL, "B", "t-9 t-14", "not-your-turn", "5"),
        (MEAL, "Y", "btn-pass", "not-your-turn", "5"),
        ("start", "R", "h-R t-0", "pop-first", "5"),
        ("start", "R", "", "pop-first", "5"),
        ("start", "R", "btn-pass", "must-pop", "5.2"),
        (PLACED, "R", "g-R1 t-0", "pop-first", "5"),
        (MEAL, "R", "dome", "choose-first", "5.1"),
        (MEAL, "R", "t-4 dome", "choose-first", "5.1"),
        (MEAL, "R", "btn-pass", "must-move", "5.1"),
        (MEAL, "R", "t-4 btn-pass", "must-move", "5.1"),
        (MEAL, "R", "btn-yes", "no-vote", "9.3"),
        ("start", "B", "btn-no", "no-vote", "9.3"),
        # Where to begin
        (MEAL, "R", "", "start", "6"),
        (MEAL, "R", "nowhere", "start", "6"),
        (MEAL, "R", "t-20", "start", "6"),
        (MEAL, "R", "g-R1", "start", "6"),
        (MEAL, "R", "h-B", "not-your-piece", "6"),
        (MEAL, "R", "g-B2", "not-your-piece", "6"),
        (FOUR, "R", "t-12 t-16", "not-your-piece", "6"),
        (MEAL, "R", "t-9", "eat-from", "6"),
        (FOUR, "R", "t-13", "go-from", "6"),
        (FOUR, "R", "g-R3", "go-from", "6"),
        (position("h4/h4/h4/h4", "R:M6"), "R", "t-0", "enter-from", "6"),
        (MEAL, "R", "t-4", "then", "7.2"),
        (MEAL, "R", "t-4 t-4", "then", "7.2"),
        (SIX, "R", "h-R", "chosen-home", "6"),
        (RAISE, "R", "g-R1", "chosen-raise", "9.2"),
        # Entering and doubling
        (MEAL, "R", "h-R", "enter-six", "6"),
        (MEAL, "R", "h-R t-0", "enter-six", "6"),
        (position("h3,t0/h4/h4/h4", "R:M4"), "R", "h-R t-0", "double-six", "8.1"),
        (FOUR, "R", "h-R t-5", "double-six", "8.1"),
        (RAISE, "R", "h-R", "enter-nobody", "6"),
        (RAISE, "R", "h-R t-0", "double-home", "8.1"),
        (ROUND_IT, "R", "h-R t-1", "double-nobody", "8.1"),
        (SIX, "R", "h-R t-6", "enter-where", "6"),
        (SIX, "R", "h-R g-R1", "enter-where", "6"),
        (position("h3,t0/h4/h4/h4", "R:M4"), "R", "t-0 h-R", "double-six", "8.1"),
        (RAISE, "R", "t-0 h-R", "double-home", "8.1"),
        (SIX, "R", "t-0", "chosen-or-double", "6"),
        (SIX, "R", "t-0 t-0", "chosen-or-double", "6"),
        (position("h2,t0,t6/h4/h4/h4", "R:M6"), "R", "t-0", "chosen-double", "8.1"),
        (position("h2,t0,t6/h4/h4/h4", "R:M6"), "R", "t-6", "chosen", "6"),
        (MEAL, "R", "t-4 h-R", "no-way-home", "7.1"),
        # Moving
        (MEAL, "R", "t-4 t-8", "not-the-number", "6"),
        (MEAL, "R", "t-4 t-1", "not-the-number", "6"),
        (MEAL, "R", "t-4 g-R1", "not-the-number", "6"),
        (FOUR, "R", "t-5", "own-piece", "6"),
        (FOUR, "R", "t-5 t-9", "own-piece", "6"),
        (MEAL, "R", "t-4 g-B1", "not-your-goal", "6"),
        (MEAL, "R", "t-4 h-B", "not-your-goal", "6"),
        (FOUR, "R", "t-26 t-2", "round-again", "6"),
        (NEAR, "R", "t-26 t-4", "round-again", "6"),
        (NEAR, "R", "t-26", "past-the-goal", "6"),
        (NEAR, "R", "t-26 g-R4", "past-the-goal", "6"),
        (position("t26,g1,g2,g3/h4/h4/h4", "R:M3"), "R", "g-R3", "past-the-goal", "6"),
        (position("t26,g1,g2,g4/h4/h4/h4", "R:M2"), "R", "t-26", "goal-taken", "6"),
        (position("t26,g1,g2,g4/h4/h4/h4", "R:M2"), "R", "t-26 g-R1", "goal-taken", "6"),
        (GOAL, "R", "g-R1 g-R4", "goal-taken", "6"),
        (GOAL, "R", "g-R1 g-R2", "not-the-number", "6"),
        (ROUND_IT, "R", "t-1", "mine-not-forced", "6"),
        (ROUND_IT, "R", "t-1 t-7", "mine-not-forced", "6"),
        # Raising
        (GOAL, "R", "g-R1 t-0", "raise-six", "9.1"),
        (GOAL, "R", "btn-propose", "raise-six", "9.1"),
        (GOAL, "R", "g-R1 h-R", "return-later", "9.2"),
        (GOAL, "R", "g-R1 t-3", "goal-stays", "9.1"),
        (GOAL, "R", "g-R1 g-B1", "not-your-goal", "6"),
        (MINE, "R", "g-R2 t-0", "raise-goals", "9.1"),
        (MINE, "R", "g-R2", "raise-goals", "9.1"),
        (position("h1,t5,g1,g2/h4/h4/h4", "R:M6"), "R", "g-R1 t-0", "raise-home", "9.1"),
        (position(RAISES, "R:M6", raises="1:R"), "R", "g-R1 t-0", "raised-already", "9.3"),
        (position(RAISES, "R:M6", raises="1:R"), "R", "btn-propose", "round-open", "9.3"),
        (AGAIN, "R", "g-R1 t-0", "raised-already", "9.3"),
        (position(RAISES, "R:M6x", raises="1:RBYG"), "R", "btn-propose", "refused-now", "9.3"),
        (position(RAISES, "R:M6", raises="1:RBYG!"), "R", "btn-propose", "proposals-closed", "9.3"),
        (AGAIN, "B", "btn-propose", "not-your-turn", "5"),
        # Voting and giving back
        (VOTE, "B", "btn-yes", "voted", "9.3"),
        (VOTE, "B", "btn-no", "voted", "9.3"),
        (VOTE, "R", "btn-yes", "own-proposal", "9.3"),
        (VOTE, "Y", "dome", "vote-first", "9.3"),
        (VOTE, "R", "t-0 t-6", "vote-first", "9.3"),
        (GIVE, "Y", "g-Y1", "goal-empty", "9.2"),
        (GIVE, "Y", "g-Y1 h-Y", "goal-empty", "9.2"),
        (GIVE, "Y", "g-Y2", "chosen-return", "9.2"),
        (GIVE, "Y", "g-B4 h-B", "return-own", "9.2"),
        (GIVE, "Y", "t-20", "return-goal", "9.2"),
        (GIVE, "Y", "", "return-first", "9.2"),
        (GIVE, "Y", "btn-yes", "no-vote", "9.3"),
        (GIVE, "R", "g-R3 h-R", "return-raiser", "9.2"),
        (GIVE, "R", "g-Y2 h-Y", "return-own", "9.2"),
        (GIVE, "R", "dome", "return-first", "9.2"),
        (position(RAISES, "R:CY", raises="1:R"), "B", "g-B4 h-B", "return-given", "9.2"),
        # Whoever's turn it is
        (MEAL, "R", "btn-done", "done-too-many", "11.1"),
        (BREAK, "R", "btn-done", "in-a-break", "12.3"),
        (BREAK, "R", "dome", "in-a-break", "12.3"),
        (BREAK, "R", "t-0 t-6", "in-a-break", "12.3"),
        (BREAK, "B", "h-B", "in-a-break", "12.3"),
        (MEAL, "R", "btn-break", "break-agreed", "12.5"),
        (BREAK, "R", "btn-resume", "break-agreed", "12.5"),
        (MEAL, "R", "btn-mishap", "real-board-only", "12.2"),
        (MEAL, "R", "t-4 btn-mishap", "real-board-only", "12.2"),
        (NEW, "R", "btn-warm", "real-board-only", "12.2"),
        # Before and after
        (LOTS, "R", "dome", "lots-first", "4"),
        (LOTS, "R", "h-R t-0", "lots-first", "4"),
        (LOTS, "R", "btn-hembo", "preparing", "4"),
        (COLOURS, "R", "h-R", "colour-chooser", "4"),
        (COLOURS, "G", "dome", "colour-first", "4"),
        (OVER, "R", "dome", "over", "13"),
        (OVER, "B", "t-20 t-21", "over", "13"),
        (OVER, "B", "btn-hembo", "over", "13"),
        (OVER, "B", "btn-done", "over", "13"),
    ],
)
def test_a_touch_in_vain_is_explained(text: str, seat: str, path: str, id: str, rule: str) -> None:
    refusal = at(text).why_not(seat, tuple(path.split()))
    assert (refusal.id, refusal.paragraph) == (f"as-kimble.{id}", rule)
    assert SAY(refusal)


@pytest.mark.parametrize(
    ("options", "text", "seat", "path", "id", "rule"),
    [
        (Options(pace="turn"), OWING, "B", "btn-done", "done-by-turns", "11.1"),
        (Options(hembo="off"), MEAL, "B", "btn-hembo", "hembo-off", "15"),
        (Options(raising=False), RAISE, "R", "g-R1 t-0", "raising-off", "15"),
        (Options(raise_return="rearmost"), RAISE, "R", "g-R3 t-0", "rearmost", "15"),
        (COMPANION, BREAK, "R", "btn-break", "in-a-break", "12.3"),
        (COMPANION, MEAL, "R", "btn-resume", "no-break", "12.3"),
        (COMPANION, RESET, "R", "t-5 t-9", "reset-first", "12.2"),
        (COMPANION, RESET, "B", "t-5", "reset-first", "12.2"),
        (COMPANION, "start", "B", "dome", "not-your-turn", "5"),
        (COMPANION, "start", "R", "btn-mishap", "mishap", "12.2"),
        (COMPANION, "start", "R", "btn-mishap t-5", "mishap", "12.2"),
        (COMPANION, "start", "B", "btn-mishap h-R", "stray-due", "12.2"),
        (COMPANION, "start", "B", "btn-mishap btn-sticky", "face-unknown", "12.2"),
        (COMPANION, MEAL, "R", "btn-mishap", "mishap-stray", "12.2"),
        (COMPANION, MEAL, "R", "btn-mishap btn-silent", "no-pop-due", "12.2"),
        (COMPANION, MEAL, "R", "btn-sticky", "no-pop-due", "12.2"),
        (COMPANION, MEAL, "R", "btn-mishap btn-church", "no-pop-due", "12.2"),
        (COMPANION, LOTS, "R", "btn-mishap", "preparing", "4"),
        (COMPANION, LOTS, "R", "btn-mishap btn-silent", "no-pop-due", "12.2"),
        (COMPANION, LOTS, "Y", "btn-mishap", "mishap-lot", "12.2"),
        (COMPANION, LOTS, "Y", "btn-mishap btn-sticky", "face-unknown", "12.2"),
        (COMPANION, LOTS, "R", "btn-warm", "warm-before", "4"),
        (COMPANION, OVER, "R", "btn-mishap", "over", "13"),
        (COMPANION, LOTS, "R", "dome", "lot-not-due", "4"),
        (COMPANION, LOTS, "Y", "h-Y", "lots-first", "4"),
    ],
)
def test_what_the_table_agreed_on_is_named(
    options: Options, text: str, seat: str, path: str, id: str, rule: str
) -> None:
    refusal = at(text, options).why_not(seat, tuple(path.split()))
    assert (refusal.id, refusal.paragraph) == (f"as-kimble.{id}", rule)
    assert SAY(refusal)


@pytest.mark.parametrize(
    ("text", "seat", "path", "said"),
    [
        ("start", "B", "dome", "It is not your turn. To play: Red."),
        (MEAL, "R", "h-R t-0", "It takes a six to leave home, and you popped 5."),
        (MEAL, "R", "t-4", "Your double on grid 4: 5 steps take it to grid 9."),
        (MEAL, "R", "t-9", "That piece is not yours: to land on grid 9, start with your piece on"),
        (MEAL, "R", "h-B", "That is Blue's: start with one of your own pieces."),
        (FOUR, "R", "t-26 t-2", "After grid 27 your pieces turn into your goal"),
        (ROUND_IT, "R", "t-1 t-7", "to run into a mine when nothing else can move."),
        (MINE, "R", "g-R2 t-0", "team has a piece in its goal, and Blue's goal is empty."),
        (MEAL, "R", "btn-done", "Only penalties that are owed can be completed. Owed by Red: 0."),
        (COLOURS, "R", "h-R", "Chair d popped the lowest and chooses."),
        (CROWD, "R", "g-R1", "Your piece on goal 1: 2 steps take it to goal 3."),
    ],
)
def test_reasons_are_sentences(text: str, seat: str, path: str, said: str) -> None:
    assert said in SAY(at(text).why_not(seat, tuple(path.split())))


def test_the_place_in_question_is_named() -> None:
    for text, path, place in (
        (FOUR, "t-5 t-9", "t-9"),
        (NEAR, "t-26", "g-R4"),
        (ROUND_IT, "t-1 t-7", "t-7"),
        (FOUR, "t-12", "t-12"),
        (SIX, "h-R t-6", "t-6"),
    ):
        assert at(text).why_not("R", tuple(path.split())).value("at") == place


def test_what_may_be_done_after_all_is_said_to_be_so() -> None:
    for text, seat, path in (
        (MEAL, "R", "t-4 t-9"),
        (SIX, "R", "h-R t-0"),
        (SIX, "R", "t-0 h-R"),
        (RAISE, "R", "g-R1 t-0"),
        (AGAIN, "R", "btn-propose"),
        (VOTE, "Y", "btn-no"),
        (PLACED, "R", "btn-pass"),
        (OWING, "B", "btn-done"),
        (OWING, "B", "btn-hembo"),
        (MEAL, "Y", "btn-hembo"),
        (COLOURS, "G", "h-B"),
    ):
        assert at(text).why_not(seat, tuple(path.split())).id == "table.allowed"


def test_a_piece_given_back_is_not_asked_for_again() -> None:
    table = after(at(GIVE), "Y: Y return g2")
    assert table.why_not("Y", ("g-Y4", "h-Y")).id == "as-kimble.return-given"


TOUCHES = st.one_of(st.sampled_from(sorted(TOUCHABLE)), st.text(max_size=8))


@given(tables(), st.data(), st.sampled_from(TEAMS))
@settings(max_examples=300, deadline=None)
def test_every_touch_has_an_answer(table: KimbleTable, data: st.DataObject, seat: str) -> None:
    begun = sorted({offer.path[:1] for offer in table.offers(seat)} | {()})
    path = (*data.draw(st.sampled_from(begun)), *data.draw(st.lists(TOUCHES, max_size=3)))
    answer = table.why_not(seat, path)
    assert SAY(answer)
    if answer.id == "table.allowed":
        intended = table.game.ui.intent(table.view(seat), seat, path)
        assert not isinstance(intended, Message)
        text = table.game.notation.write_action(intended)
        assert intended in listed_actions(table, seat) or text in mishaps(table, seat)
        return
    assert answer.paragraph
    for value in (answer.value("at"), answer.value("because")):
        assert (value or "dome") in PLACES
