"""Offers and actions correspond, and they say what happens and what it costs."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given, settings

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
    SPLIT,
    TOUCHABLE,
    VOTE,
    KimbleTable,
    after,
    at,
    mishaps,
    offer_of,
    paths,
    position,
    says,
    tables,
)
from kibitz.core.game import CHANCE, REFEREE, SPECTATOR, Mark, Offer
from kibitz.core.message import Message
from kibitz.games.as_kimble import Options
from kibitz.games.as_kimble.board import TEAMS, home_place
from laws.laws import listed_actions

ACTORS = (*TEAMS, CHANCE, REFEREE)
CHOOSERS = {("dome",), ("btn-hembo",), ("btn-done",), ("btn-warm",), ("btn-mishap", "btn-silent")}
CHOOSERS |= {("btn-mishap", home_place(team)) for team in TEAMS}


@given(tables())
@settings(max_examples=150, deadline=None)
def test_every_action_is_offered_and_nothing_else_but_the_dome(table: KimbleTable) -> None:
    for actor in ACTORS:
        offers = table.offers(actor)
        sent = [offer.actions[0] for offer in offers if offer.actions]
        seen = mishaps(table, actor)
        reached = {table.game.notation.read_action(text) for text in sent if text not in seen}
        assert reached == set(listed_actions(table, actor))
        assert seen <= set(sent)
        again = {text for text in sent if sent.count(text) > 1}
        assert all(text.endswith(" double") for text in again)
        assert len({(offer.path, offer.actions) for offer in offers}) == len(offers)
        pressed = [offer.path for offer in offers if not offer.actions]
        may_press = {CHANCE, actor} <= table.game.rules.to_act(table.state) and actor != CHANCE
        assert pressed == [("dome",)] * may_press


@given(tables())
@settings(max_examples=150, deadline=None)
def test_offers_can_be_touched_and_said(table: KimbleTable) -> None:
    for actor in ACTORS:
        said: dict[tuple[str, ...], Message] = {}
        for offer in table.offers(actor):
            assert set(offer.path) <= TOUCHABLE
            assert len(offer.prompts) == len(offer.path)
            assert offer.rule
            assert SAY(offer.label)
            assert all(SAY(sentence) and sentence.paragraph for sentence in offer.prompts)
            for touches, sentence in enumerate(offer.prompts[:-1], 1):
                assert said.setdefault(offer.path[:touches], sentence) == sentence
            for mark in offer.marks:
                assert mark.kind in ("dot", "attack", "arrow", "risk", "way")
                assert set(mark.places) <= PLACES
                assert 1 <= mark.after <= len(offer.path)


@given(tables())
@settings(max_examples=100, deadline=None)
def test_where_the_chooser_opens_the_labels_differ(table: KimbleTable) -> None:
    for actor in ACTORS:
        by_path: dict[tuple[str, ...], list[Offer]] = defaultdict(list)
        for offer in table.offers(actor):
            by_path[offer.path].append(offer)
        for path, sharing in by_path.items():
            assert len({SAY(offer.label) for offer in sharing}) == len(sharing)
            if len(sharing) > 1:
                assert path in CHOOSERS
                assert len(sharing) <= 6 or not path[0].startswith(("btn-mishap", "btn-warm"))
            assert not any(path == other[: len(path)] for other in by_path if other != path)


# The dome


def test_the_dome_is_pressed_by_whose_turn_it_is() -> None:
    table = at("start")
    assert paths(table, "R", "pop") == ["dome: "]
    for other in ("B", "Y", "G", REFEREE):
        assert paths(table, other, "pop") == []
    assert paths(table, CHANCE, "pop") == [f"dome: R pop {face}" for face in range(1, 7)]
    assert paths(at(BREAK), "R", "pop") == []


def test_the_dome_needs_nothing_else_to_be_there() -> None:
    bare = at("start", Options(hembo="off", pace="turn"))
    assert [offer.path for offer in bare.offers("R")] == [("dome",)]
    assert bare.offers("B") == ()
    assert bare.game.ui.offers(bare.view(SPECTATOR), ()) == ()


def test_around_a_real_board_one_says_what_the_die_shows() -> None:
    table = at("start", COMPANION)
    assert paths(table, "R", "pop") == [f"dome: R pop {face}" for face in range(1, 7)]
    assert SAY(offer_of(table, "R", "R pop 4").label) == "It shows 4"
    assert paths(table, "B", "pop") == []
    again = at(RESET, COMPANION)
    for team in TEAMS:
        assert paths(again, team, "fix") == [f"dome: fix {face}" for face in range(1, 7)]


# A number


def test_a_piece_goes_where_the_number_takes_it() -> None:
    table = at(position("h1,t5,t20,t26/h4/h4/h4", "R:M4"))
    assert paths(table, "R", "move") == ["t-5 t-9: R t5-t9", "t-20 t-24: R t20-t24"]
    assert paths(table, "R", "goal") == ["t-26 g-R3: R t26-g3"]
    offer = offer_of(table, "R", "R t5-t9")
    assert offer.marks == (
        Mark("dot", ("t-9",), "4", after=1),
        Mark("way", ("t-5", "t-6", "t-7", "t-8", "t-9"), after=1),
        Mark("way", ("t-5", "t-6", "t-7", "t-8", "t-9"), after=2),
    )
    assert SAY(offer.label) == "Move to 9"
    assert [SAY(each) for each in offer.prompts] == [
        "Your single on grid 5: 4 steps take it to grid 9.",
        "Single to grid 9.",
    ]
    assert not any(offer.needs_confirmation for offer in table.offers("R"))
    assert table.offers("B") == at("start").offers("B")


def test_what_a_meal_costs_is_said_as_soon_as_the_piece_is_chosen() -> None:
    """And of a mine; joining one's own piece costs nothing."""
    assert SAY(offer_of(at(MEAL), "R", "R t4-t9").prompts[0]).startswith(
        "Eats Blue's triple: Blue +6. Your double on grid 4"
    )
    mine = next(offer for offer in at(MINE).offers("R") if offer.kind == "mine")
    assert SAY(mine.prompts[0]).startswith("Onto a mine: you +1.")
    raised = next(offer for offer in at(RAISE).offers("R") if offer.kind == "raise")
    assert SAY(raised.prompts[0]).startswith("Your piece on goal")


def test_eating_is_an_attack_and_says_what_it_costs() -> None:
    offer = offer_of(at(MEAL), "R", "R t4-t9")
    assert (offer.kind, offer.path, offer.needs_confirmation) == ("eat", ("t-4", "t-9"), False)
    assert offer.marks == (
        Mark("attack", ("t-9",), "eat", after=1),
        Mark("way", ("t-4", "t-5", "t-6", "t-7", "t-8", "t-9"), after=1),
        Mark("way", ("t-4", "t-5", "t-6", "t-7", "t-8", "t-9"), after=2),
    )
    assert SAY(offer.label) == "Eat Blue on 9: +6"
    assert SAY(offer.prompts[1]) == "Double to grid 9, eating Blue's triple: 6 penalties for Blue."


def test_a_mine_is_a_risk_and_asked_for_where_there_is_a_choice() -> None:
    only = offer_of(at(MINE), "R", "R t1-t7")
    assert (only.kind, only.path, only.needs_confirmation) == ("mine", ("t-1", "t-7"), False)
    assert only.marks == (
        Mark("risk", ("t-1", "t-7", "t-7"), after=1),
        Mark("way", ("t-1", "t-2", "t-3", "t-4", "t-5", "t-6", "t-7"), after=2),
    )
    assert SAY(only.prompts[1]) == (
        "Into the mine on 7: you are eaten, 1 penalty for you. Then you pop again."
    )
    two = at(position("t1x2,t8,g4/h2,t7x2/h3,t14/h4", "R:M6"))
    assert paths(two, "R", "mine") == ["t-1 t-7: R t1-t7", "t-8 t-14: R t8-t14"]
    assert all(offer.needs_confirmation for offer in two.offers("R") if offer.kind == "mine")
    assert says(two, "R", "R t1-t7").startswith(
        "Into the mine on 7: you are eaten, 4 penalties for you."
    )


def test_a_mine_that_sends_the_fourth_home_warns_of_the_sentence() -> None:
    table = at(position("h3,t3/h3,t7/h4/h4", "R:M4"), Options(team_size=(2, 1, 1, 1)))
    assert says(table, "R", "R t3-t7") == (
        "Into the mine on 7: you are eaten, 1 penalty for you. All your pieces will be "
        "home: say “Vi bor i hembo” before the next turn's first pop."
    )


def test_home_and_start_grid_enter_or_double() -> None:
    assert paths(at(position("h4/h4/h4/h4", "R:M6")), "R", "enter") == ["h-R t-0: R in"]
    six = at(SIX)
    assert paths(six, "R", "enter") == []
    assert paths(six, "R", "double") == ["h-R t-0: R double", "t-0 h-R: R double"]
    assert SAY(offer_of(six, "R", "R double").label) == "Make a double"
    assert says(six, "R", "R double") == (
        "A piece from home joins your single on grid 0: a double. Then you pop again."
    )
    guest = at(position("h4/h1,t0x3/h4/h4", "R:M6"))
    assert offer_of(guest, "R", "R in").marks[0] == Mark("attack", ("t-0",), "eat", after=1)
    assert SAY(offer_of(guest, "R", "R in").label) == "Enter and eat Blue"
    assert says(guest, "R", "R in") == (
        "A piece enters on grid 0 and eats Blue's triple: 3 penalties for Blue. Then you pop again."
    )


def test_the_piece_on_the_start_grid_may_go_on_or_grow() -> None:
    six = at(position("h2,t0x2/h4/h4/h4", "R:M6"))
    goes, grows = offer_of(six, "R", "R t0-t6"), six.offers("R")[2]
    assert (goes.path, grows.path) == (("t-0", "t-6"), ("t-0", "h-R"))
    assert goes.prompts[0] == grows.prompts[0]
    assert SAY(goes.prompts[0]) == (
        "Your double on grid 0: 6 steps take it to grid 6, or choose your home to make a triple."
    )
    assert SAY(grows.label) == "Make a triple"
    assert grows.prompts[1] == offer_of(six, "R", "R double").prompts[1]
    assert grows.marks == (Mark("arrow", ("h-R", "t-0"), after=2),)
    blocked = at(position("h4/h2,t7,t13/h4/h4", "B:M6"))
    assert paths(blocked, "B", "double") == ["h-B t-7: B double", "t-7 h-B: B double"]
    assert SAY(blocked.offers("B")[2].prompts[0]) == (
        "Your single on grid 7: choose your home to make a double."
    )
    alone = offer_of(at(position("t0,t12,t13,g2/h4/h4/h4", "R:M6")), "R", "R t0-t6")
    assert SAY(alone.prompts[0]) == "Your single on grid 0: 6 steps take it to grid 6."
    five = offer_of(at(position("h3,t0/h4/h4/h4", "R:M5")), "R", "R t0-t5")
    assert SAY(five.prompts[0]) == "Your single on grid 0: 5 steps take it to grid 5."


@pytest.mark.parametrize(
    ("text", "action", "said"),
    [
        (SPLIT, "R t25-g2", "Triple into goal 2: it splits into one piece there and 2 on goal 1."),
        (
            position("h1,t26x3/h4/h4/h4", "R:M2"),
            "R t26-g1",
            "Triple into goal 1: it splits into one piece there and 2 beside it.",
        ),
        (CROWD, "R g1-g3", "From goal 1 on to goal 3."),
        (
            position("t26,g2,g3,g4/h4/h4/h4", "R:M2"),
            "R t26-g1",
            "Single into goal 1. That wins the match.",
        ),
        (
            position("t26,g2,g3,g4/h4/h4/h4", "R:M2", ledger="2+0/0+0/0+0/0+0"),
            "R t26-g1",
            "Single into goal 1. All your pieces will be in the goal: you win once the 2 "
            "penalties you owe are done.",
        ),
    ],
)
def test_the_goal_splits_and_decides(text: str, action: str, said: str) -> None:
    assert says(at(text), "R", action) == said


def test_passing_the_turn_to_a_winner_is_said() -> None:
    text = position("h3,t9/g1,g2,g3,g4/h4/h4", "R:M2", ledger="0+0/1+6/0+0/0+0")
    assert says(at(text, Options(pace="turn")), "R", "R t9-t11") == (
        "Single to grid 11. That lets Blue win."
    )


# Raising


def test_a_raise_begins_with_a_goal_piece_and_is_asked_for() -> None:
    table = at(RAISE)
    assert paths(table, "R", "raise") == ["g-R1 t-0: R raise g1", "g-R3 t-0: R raise g3"]
    offer = offer_of(table, "R", "R raise g1")
    assert offer.needs_confirmation
    assert [SAY(each) for each in offer.prompts] == [
        "Your piece on goal 1: choose your start grid, 0, to raise it.",
        "The piece on goal 1 joins your piece on grid 0: a double. Every other team "
        "sends a goal piece home. Then you pop again.",
    ]
    eats = at(position("t12x3,g3/h2,t0,g4/h2,t20,g4/h3,g1", "R:M6"))
    assert says(eats, "R", "R raise g3") == (
        "The piece on goal 3 goes to your start grid, 0, and eats Blue's single: 1 "
        "penalty for Blue. Every other team sends a goal piece home. Then you pop "
        "again."
    )
    assert offer_of(eats, "R", "R raise g3").marks[0].kind == "attack"
    alone = at(position("t12x3,g3/h3,g4/h3,g4/h3,g1", "R:M6"))
    assert says(alone, "R", "R raise g3") == (
        "The piece on goal 3 goes to your start grid, 0. Every other team sends a goal "
        "piece home. Then you pop again."
    )


def test_a_new_round_is_asked_for_and_voted_on_by_buttons() -> None:
    assert paths(at(AGAIN), "R", "propose") == ["btn-propose: R propose"]
    vote = at(VOTE)
    for team in ("Y", "G"):
        assert paths(vote, team, "yes") == [f"btn-yes: {team} yes"]
        assert paths(vote, team, "no") == [f"btn-no: {team} no"]
    for team in ("R", "B"):
        assert paths(vote, team, "yes") == []
    assert says(vote, "Y", "Y no") == "No to raise round 2: Red will play the six without it."


def test_a_piece_is_given_back_by_touching_it_and_home() -> None:
    table = at(GIVE)
    assert paths(table, "Y", "return") == ["g-Y2 h-Y: Y return g2", "g-Y4 h-Y: Y return g4"]
    assert paths(table, "R", "return") == []
    offer = offer_of(table, "B", "B return g4")
    assert offer.marks == (
        Mark("dot", ("h-B",), after=1),
        Mark("arrow", ("g-B4", "h-B"), after=2),
    )
    assert says(table, "Y", "Y return g2") == "The piece on goal 2 goes home."
    assert SAY(offer.prompts[1]) == (
        "The piece on goal 4 goes home. All your pieces will be home: say “Jag bor i "
        "hembo” before the next turn's first pop."
    )


def test_a_six_that_is_of_no_use_but_for_raising_may_be_left() -> None:
    six = at(position("g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1", "R:M6", ledger="2+5/0+3/0+0/1+0"))
    assert paths(six, "R", "leave") == ["btn-pass: R pass"]
    assert says(six, "R", "R pass") == "The six is not used. Then you pop again."
    placed = at(PLACED)
    assert paths(placed, "R", "leave") == ["btn-pass: R pass"]
    assert says(placed, "R", "R pass") == "Your turn is over. Next: Blue."
    assert paths(placed, "R", "pop") == ["dome: "]


# Whoever's turn it is


@pytest.mark.parametrize("text", ["start", MEAL, VOTE, GIVE, PLACED, BREAK, OWING])
def test_hembo_is_always_there_for_every_team(text: str) -> None:
    table = at(text, Options(team_size=(1, 2, 1, 1)))
    for team in TEAMS:
        right, wrong = ("vi", "jag") if team == "B" else ("jag", "vi")
        expected = [f"btn-hembo: {team} hembo {form}" for form in (right, wrong)]
        assert paths(table, team, "hembo") == expected
        assert not any(
            offer.needs_confirmation for offer in table.offers(team) if offer.kind == "hembo"
        )
    for actor in (CHANCE, REFEREE):
        assert paths(table, actor, "hembo") == []


def test_the_sentence_says_what_it_costs() -> None:
    due = at(OWING)
    assert SAY(offer_of(due, "B", "B hembo jag").label) == "“Jag bor i hembo”"
    assert says(due, "B", "B hembo jag") == "Say it now: “Jag bor i hembo”. It costs nothing."
    assert says(due, "B", "B hembo vi") == (
        "“Vi bor i hembo” is not how your team says it: nothing happens, "
        "and “Jag bor i hembo” is still due."
    )
    assert says(due, "R", "R hembo jag") == (
        "Nothing is due: saying “Jag bor i hembo” now costs you 1 penalty."
    )
    said = after(due, "B: B hembo jag")
    assert says(said, "B", "B hembo jag") == "“Jag bor i hembo” once more: it costs nothing."
    assert paths(at("start", Options(hembo="off")), "R", "hembo") == []


def test_penalties_are_done_one_by_one_or_all_at_once() -> None:
    table = at(OWING)
    assert paths(table, "B", "done") == [f"btn-done: B done {n}" for n in (1, 2, 3, 6, 4, 5)]
    labels = [SAY(offer.label) for offer in table.offers("B") if offer.kind == "done"]
    assert labels == ["1 done", "2 done", "3 done", "All 6 done", "4 done", "5 done"]
    assert says(table, "B", "B done 1") == "1 penalty done, 5 still owed."
    assert says(table, "B", "B done 6") == "All 6 penalties done: then you owe nothing."
    assert paths(table, "R", "done") == []
    assert paths(at(OWING, Options(pace="turn")), "B", "done") == []
    assert paths(at(PLACED), "R", "done") == ["btn-done: R done 1", "btn-done: R done 2"]
    assert says(at(PLACED), "R", "R done 2") == (
        "All 2 penalties done: then you owe nothing. That wins the match."
    )
    assert SAY(offer_of(at(PLACED), "G", "G done 1").label) == "1 done"


def test_only_the_sentence_that_is_due_is_urgent() -> None:
    """In its right form, for the team that owes it, until it has said it."""
    due = at(OWING, Options(team_size=(1, 2, 1, 1)))
    for team in TEAMS:
        urgent = [offer.actions for offer in due.offers(team) if offer.is_urgent]
        assert urgent == ([("B hembo vi",)] if team == "B" else [])
    for table in (after(due, "B: B hembo vi"), at("start"), at(MEAL)):
        assert not any(offer.is_urgent for team in TEAMS for offer in table.offers(team))


def test_the_sentence_has_a_button_at_all_times_and_no_other_has() -> None:
    for text in (SIX, MEAL, AGAIN, PLACED, BREAK):
        for team in TEAMS:
            always = {offer.path for offer in at(text).offers(team) if offer.is_always_shown}
            assert always == {("btn-hembo",)}


def test_buttons_come_in_the_order_of_what_is_due() -> None:
    """What the turn asks for, what a team may do at any time, and last what can wait."""
    owing = 'ref pen B +1 "spilt"'
    vote = after(at(AGAIN, COMPANION), f"{REFEREE}: {owing}", "R: R propose")
    buttons = dict.fromkeys(offer.path[0] for offer in vote.offers("B"))
    assert [*buttons][:2] == ["btn-yes", "btn-no"]
    assert [*buttons][2:] == ["btn-hembo", "btn-done", "btn-mishap", "btn-break"]


def test_breaks_are_buttons_of_those_who_may_call_them() -> None:
    assert paths(at(SIX), REFEREE, "break") == ["btn-break: break"]
    assert paths(at(BREAK), REFEREE, "resume") == ["btn-resume: resume"]
    for team in TEAMS:
        assert paths(at(SIX), team, "break") == []
        assert paths(at(SIX, COMPANION), team, "break") == ["btn-break: break"]
        assert paths(at(BREAK, COMPANION), team, "resume") == ["btn-resume: resume"]


@pytest.mark.parametrize("text", ["start", SIX, VOTE, GIVE, PLACED, OWING, RESET])
def test_around_a_real_board_any_team_calls_a_break_at_any_time(text: str) -> None:
    table = at(text, COMPANION)
    for team in TEAMS:
        assert paths(table, team, "break") == ["btn-break: break"]
        begun = after(table, f"{team}: break")
        assert paths(begun, team, "break") == []
        assert paths(begun, team, "resume") == ["btn-resume: resume"]
    for table in (at(LOTS, COMPANION), at(COLOURS, COMPANION), at(OVER, COMPANION)):
        assert all(paths(table, team, "break") == [] for team in TEAMS)


# What happens to a real dome


@given(tables())
@settings(max_examples=150, deadline=None)
def test_mishaps_are_offered_where_they_can_happen_and_can_be_played(table: KimbleTable) -> None:
    for team in TEAMS:
        offers = [offer for offer in table.offers(team) if offer.kind in MISHAPS]
        assert {offer.actions[0] for offer in offers} == mishaps(table, team)
        for offer in offers:
            assert offer.path[0] == ("btn-warm" if offer.kind == "warm" else "btn-mishap")
            played, _ = table.act(team, offer.actions[0])
            assert len(played.history) == len(table.history) + 1
    for actor in (CHANCE, REFEREE):
        assert not any(offer.kind in MISHAPS for offer in table.offers(actor))


MISHAPS = ("church", "silent", "sticky", "stray", "warm")
SHOWN = position("h3,t5/h4/h4/h4", "R:N1", die="d4")


def test_a_pop_that_is_due_may_go_wrong_in_four_ways() -> None:
    table = at(SHOWN, COMPANION)
    for team in TEAMS:
        assert paths(table, team, "church") == ["btn-mishap btn-church: church"]
        assert paths(table, team, "sticky") == ["btn-mishap btn-sticky: R sticky"]
        assert paths(table, team, "silent") == [
            f"btn-mishap btn-silent: R silent {face}" for face in range(1, 7)
        ]
        assert paths(table, team, "stray") == [
            f"btn-mishap h-{other}: {other} stray {face}" for other in "BYG" for face in range(1, 7)
        ]
    assert paths(at("start", COMPANION), "R", "sticky") == []
    digital = at(position("h3,t5/h4/h4/h4", "R:N1", die="d4"))
    assert not any(offer.kind in MISHAPS for team in TEAMS for offer in digital.offers(team))


def test_where_no_pop_is_due_somebody_may_pop_all_the_same() -> None:
    for text in (SIX, VOTE, GIVE, RESET, position("h3,t5/h4/h4/h4", "R:N1", flags="b")):
        table = at(text, COMPANION)
        assert [len(paths(table, "R", kind)) for kind in MISHAPS] == [0, 0, 0, 24, 0]
        assert SAY(offer_of(table, "R", "R stray 1").prompts[0]) == (
            "Who popped out of turn? Choose the home of that team."
        )
    for text in (LOTS, COLOURS, OVER):
        assert not any(offer.kind in MISHAPS for offer in at(text, COMPANION).offers("R"))


def test_a_mishap_says_what_comes_of_it() -> None:
    table = at(SHOWN, COMPANION)
    first = "What happened to the pop? If another team popped out of turn, choose its home."
    for text, label, said in (
        (
            "church",
            "It is leaning on the dome",
            "The die is leaning against the dome. Tap the dome lightly, straight from above, until "
            "the die falls; any other knock is forbidden. Then enter what it shows.",
        ),
        (
            "R sticky",
            "It didn't move: 4",
            "The die did not move: it still shows 4, and that counts as Red's pop.",
        ),
        (
            "R silent 2",
            "No sound: 2",
            (
                "The pop made no sound and does not count: the die shows 2 now, and Red can pop "
                "again."
            ),
        ),
        (
            "B stray 2",
            "Blue popped 2",
            "Blue popped 2 out of turn. The die must show 4 again before play continues.",
        ),
        ("B stray 4", "Blue popped 4", "Blue popped 4 out of turn."),
    ):
        offer = offer_of(table, "Y", text)
        assert (SAY(offer.label), [SAY(each) for each in offer.prompts]) == (label, [first, said])
        assert offer.rule == "12.2"
    assert says(at(RESET, COMPANION), "Y", "B stray 3") == (
        "Blue popped 3 out of turn. The die must show 4 again before play continues."
    )


def test_a_starting_pop_goes_wrong_as_any_other_pop_does() -> None:
    """K91, R31: the chair that is due enters it, by its letter."""
    table = after(at(NEW, COMPANION), "Y: warm 4")
    first = "What happened to the pop?"
    assert paths(table, "Y", "church") == ["btn-mishap btn-church: church"]
    assert paths(table, "Y", "sticky") == ["btn-mishap btn-sticky: c sticky"]
    assert paths(table, "Y", "silent") == [
        f"btn-mishap btn-silent: c silent {face}" for face in range(1, 7)
    ]
    assert paths(table, "Y", "stray") == []
    for text, said in (
        (
            "c sticky",
            "The die did not move: it still shows 4, and that counts as the pop of chair c.",
        ),
        (
            "c silent 2",
            "The pop made no sound and is no lot: the die shows 2 now, and chair c pops again.",
        ),
    ):
        assert [SAY(each) for each in offer_of(table, "Y", text).prompts] == [first, said]
    assert paths(after(table, "Y: c lot 2"), "Y", "church") == []
    assert paths(at(NEW, COMPANION), "Y", "sticky") == []


def test_the_dome_is_loosened_before_the_starting_pops() -> None:
    table = at(NEW, COMPANION)
    assert paths(table, "Y", "warm") == [f"btn-warm: warm {face}" for face in range(1, 7)]
    assert SAY(offer_of(table, "Y", "warm 5").label) == "Loosened: 5"
    assert says(table, "Y", "warm 5") == "A pop to loosen the dome: it shows 5."
    assert paths(after(table, "Y: warm 5"), "R", "warm") == paths(table, "Y", "warm")
    assert paths(after(table, "R: a lot 5"), "R", "warm") == []
    assert paths(at(NEW), "R", "warm") == []


# Before and after


def test_lots_are_drawn_at_the_dome_and_colours_chosen_at_home() -> None:
    assert len(paths(at(LOTS), CHANCE, "lot")) == 12
    assert paths(at(LOTS), "Y", "lot") == []
    real = at(LOTS, COMPANION)
    assert paths(real, "Y", "lot") == [f"dome: c lot {face}" for face in range(1, 7)]
    assert paths(real, "R", "lot") == []
    assert paths(at(COLOURS), "G", "colour") == [f"h-{team}: d colour {team}" for team in TEAMS]
    assert paths(at(COLOURS), "R", "colour") == []


def test_when_the_game_is_over_nothing_is_offered() -> None:
    for actor in ACTORS:
        assert at(OVER).offers(actor) == ()


def test_a_mine_is_not_offered_where_something_else_moves() -> None:
    assert [offer.kind for offer in at(ROUND_IT).offers("R")][:1] == ["enter"]
    assert paths(at(ROUND_IT), "R", "mine") == []
    assert paths(at(position(RAISES, "R:M6", raises="1:R")), "R", "raise") == []
