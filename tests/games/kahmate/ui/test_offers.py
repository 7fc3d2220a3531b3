"""Offers and actions correspond, and they tell nothing that is hidden."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kahmate.touching import (
    CENTRE,
    DRAW,
    DUEL,
    FALL,
    FAST,
    GOAL,
    LOOSE,
    OUT,
    PASS,
    SAY,
    SQUARES,
    TOUCHABLE,
    after,
    at,
    offer_of,
    paths,
    position,
    tables,
)
from kibitz.core.game import CHANCE, SPECTATOR, Mark, Offer
from kibitz.core.message import Message
from kibitz.games.kahmate import Options
from kibitz.games.kahmate.actions import Action
from kibitz.games.kahmate.line_ups import LINE_UPS
from kibitz.games.kahmate.state import SEATS, State, View, other_side
from kibitz.games.kahmate.ui.paths import paths_in, run_area, run_paths
from kibitz.table import Table
from laws.laws import entered_as, listed_actions

MARKS = {"put", "dot", "way", "attack", "arrow", "pass", "risk", "quiet", "area"}


@given(tables())
@settings(max_examples=150, deadline=None)
def test_every_action_is_offered_and_every_run_can_be_played(
    table: Table[State, Action, View],
) -> None:
    for actor in (*SEATS, CHANCE):
        offers, reached = table.offers(actor), set()
        for offer in offers:
            if len(offer.actions) == 1:
                reached.add(
                    entered_as(table, actor, table.game.notation.read_action(offer.actions[0]))
                )
            else:
                gone = after(table, *(f"{actor} {text}" for text in offer.actions))
                assert len(gone.rows) == len(table.rows) + len(offer.actions)
        assert reached == set(listed_actions(table, actor))
        assert len({(offer.path, offer.actions) for offer in offers}) == len(offers)


@given(tables())
@settings(max_examples=150, deadline=None)
def test_offers_can_be_touched_and_said(table: Table[State, Action, View]) -> None:
    for actor in (*SEATS, CHANCE):
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
                assert mark.kind in MARKS
                assert set(mark.places) <= SQUARES
                assert 1 <= mark.after <= len(offer.path)


@given(tables())
@settings(max_examples=150, deadline=None)
def test_only_line_ups_share_a_path(table: Table[State, Action, View]) -> None:
    for seat in SEATS:
        by_path: dict[tuple[str, ...], list[Offer]] = defaultdict(list)
        for offer in table.offers(seat):
            by_path[offer.path].append(offer)
        for path, sharing in by_path.items():
            kinds = [offer.kind for offer in sharing]
            assert len({SAY(offer.label) for offer in sharing}) == len(sharing)
            if path == ("btn-lineup",):
                assert set(kinds) == {"lineup"}
            else:
                assert len(kinds) == 1


def test_a_place_is_touched_or_a_man_is_dragged_there() -> None:
    table = at("start")
    assert "sq-b3: S@b3" in paths(table, "R", "place")
    assert "tray sq-b3: S@b3" in paths(table, "R", "place")
    assert len(paths(table, "R", "place")) == 32
    assert "sq-k8: S@k8" in paths(table, "B", "place")


def test_the_sixth_man_is_not_placed_without_a_word() -> None:
    placed = "S@b1", "T@b2", "F@b3", "C@b4", "O@b5", "O@b6"
    table = at("start")
    for text in placed:
        found = [offer for offer in table.offers("R") if offer.actions == (text,)]
        assert [offer.needs_confirmation for offer in found] == [text == "O@b6"] * 2
        table = after(table, f"R {text}")
    assert table.offers("R") == ()


def test_early_placements_are_offered_like_others() -> None:
    table = after(at("start"), "B S@l3")
    assert "sq-l4: T@l4" in paths(table, "B", "place")
    assert "sq-l3: T@l3" not in paths(table, "B", "place")
    assert len(paths(table, "B", "lineup")) == len(paths(table, "R", "lineup")) == len(LINE_UPS)


def test_chance_touches_the_numbered_squares() -> None:
    expected = {f"sq-g{card + 1}: ball={card}" for card in range(1, 7)}
    assert paths(at(DRAW), CHANCE, "ball") == expected


def test_a_far_square_takes_several_steps() -> None:
    table = at(CENTRE)
    offer = offer_of(table, "R", "g4-g5", "g5-h5")
    assert (offer.path, offer.kind, offer.needs_confirmation) == (("sq-g4", "sq-h5"), "run", False)
    assert offer.marks == (
        Mark("dot", ("sq-h5",), "1", after=1),
        Mark("way", ("sq-g4", "sq-g5", "sq-h5"), after=2),
    )
    assert offer_of(table, "R", "g4-g5").marks == (Mark("dot", ("sq-g5",), "2", after=1),)
    assert paths(table, "R", "step") >= {"sq-g4 sq-f4: g4-f4", "sq-f3 sq-f4: f3-f4"}


def reach(text: str, origin: str) -> dict[str, int]:
    """How many points a man has left where he can run."""
    found = {}
    for offer in at(text).offers("R"):
        if offer.path[0] == f"sq-{origin}" and offer.kind in ("step", "run", "try"):
            found[offer.path[1][3:]] = int(offer.marks[0].text)
    return found


def test_a_run_goes_around_men_by_a_shortest_way() -> None:
    blocked = position("Fe4 Sf4 oe3 oe5 tf3 cf5 sd3", "h4", movers="e4:4")
    assert reach(blocked, "e4") == {
        "d4": 3,
        "c4": 2,
        "d5": 2,
        "b4": 1,
        "c3": 1,
        "c5": 1,
        "d6": 1,
    } | dict.fromkeys(("b3", "b5", "c2", "c6", "d7", "e6"), 0)


def test_a_run_takes_a_loose_ball_along_only_where_no_other_way_leads() -> None:
    walled = position("Fe4 oe3 oe5 sf3 tf5 Sb3", "f4", movers="e4:4")
    found = reach(walled, "e4")
    assert (found["f4"], found["g4"]) == (3, 2)
    through = offer_of(at(walled), "R", "e4-f4", "f4-g4")
    assert SAY(through.prompts[1]) == "Run to g4, taking the ball along: 2 points, 2 left"
    around = reach(LOOSE, "e4")
    assert (around["f4"], around["g4"]) == (3, 0)
    assert offer_of(at(LOOSE), "R", "e4-e3", "e3-f3", "f3-g3", "g3-g4").kind == "run"
    assert SAY(offer_of(at(LOOSE), "R", "e4-f4").prompts[1]) == (
        "Step to f4 and pick up the ball: 1 point, 3 left"
    )


def test_a_run_over_a_loose_ball_goes_on_in_goal() -> None:
    """As the tutorial's kick wants it: the runner picks it up on his way to a try."""
    table = at(position("Fi6 Sb3 oi4", "k6", movers="i6:4"))
    (offer,) = (o for o in table.offers("R") if o.path == ("sq-i6", "sq-m6"))
    assert offer.actions == ("i6-j6", "j6-k6", "k6-l6", "l6-m6")
    assert (offer.kind, offer.can_be_undone) == ("try", False)
    for text in offer.actions:
        table, _ = table.act("R", text)
    assert table.outcome


def test_runs_but_no_tries_can_be_undone() -> None:
    for offer in at(GOAL).offers("R"):
        assert offer.can_be_undone == (offer.kind in ("step", "run"))


def test_a_holder_runs_with_the_ball_as_far_as_in_goal() -> None:
    table = at(GOAL)
    assert paths(table, "R", "try") == {
        "sq-k4 sq-m3: k4-k3 k3-l3 l3-m3",
        "sq-k4 sq-m2: k4-k3 k3-k2 k2-l2 l2-m2",
        "sq-k4 sq-m5: k4-k5 k5-l5 l5-m5",
        "sq-k4 sq-m6: k4-k5 k5-k6 k6-l6 l6-m6",
    }
    beside = at(position("Fl4 Sb3 sl5 tg2", "l4", movers="l4:1"))
    assert paths(beside, "R", "try") == {"sq-l4 sq-m4: l4-m4"}
    offer = offer_of(beside, "R", "l4-m4")
    assert SAY(offer.label) == "Score a try"
    assert SAY(offer.prompts[1]) == "Carry the ball to m4: a try, and you win the match"
    longer = at(position("Fl4 Sb3 sl5 tg2", "l4", movers="l4:1"), Options(tries=2))
    assert SAY(offer_of(longer, "R", "l4-m4").prompts[1]) == "Carry the ball to m4: a try"


@given(tables(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_no_way_is_longer_than_it_must_be(table: Table[State, Action, View], rng: Random) -> None:
    """Every square of a way is reached with one step less than the next."""
    state = table.state
    men = [at for at, man in enumerate(state.field) if man and man.side == state.turn]
    for origin in rng.sample(men, min(3, len(men))):
        found, area = run_paths(state, origin, 4), run_area(state, origin, 4)
        around_the_ball = paths_in(
            area._replace(free=area.free & ~(1 << (state.ball or 0)), loose=None)
        )
        for target, way in found.items():
            assert (way[0], way[-1]) == (origin, target)
            if state.ball in way[1:-1]:
                assert target not in around_the_ball
                continue
            assert all(len(found[passed]) == steps for steps, passed in enumerate(way[1:], 2))


def test_a_tackle_and_a_charge_are_asked_for() -> None:
    force = offer_of(at(CENTRE), "R", "g4>h4")
    assert (force.path, force.kind, force.needs_confirmation) == (("sq-g4", "sq-h4"), "force", True)
    assert force.marks == (
        Mark("attack", ("sq-h4",), "force", after=1),
        Mark("arrow", ("sq-g4", "sq-h4"), after=2),
    )
    tackle = offer_of(at(position("Sg5 Fb3 ch5", "h5")), "R", "g5xh5")
    assert (tackle.path, tackle.kind, tackle.needs_confirmation) == (
        ("sq-g5", "sq-h5"),
        "tackle",
        True,
    )
    assert tackle.marks[0] == Mark("attack", ("sq-h5",), "tackle", after=1)


def test_a_pass_shows_who_may_jump_in() -> None:
    risky, safe = offer_of(at(CENTRE), "R", "g4~e5"), offer_of(at(CENTRE), "R", "g4~f3")
    line = ("sq-g4", "sq-e5", "sq-f5")
    assert risky.marks == (Mark("risk", line, after=1), Mark("risk", line, after=2))
    path = ("sq-g4", "sq-f3")
    assert safe.marks == (Mark("pass", path, after=1), Mark("pass", path, after=2))
    assert {risky.kind, safe.kind} == {"pass"}
    assert not risky.needs_confirmation


def test_a_kick_begins_with_the_man_or_with_the_button() -> None:
    by_man, by_button = (o for o in at(CENTRE).offers("R") if o.actions == ("g4^j6",))
    assert (by_man.path, by_man.kind) == (("sq-g4", "sq-j6"), "kick")
    assert by_man.marks == (Mark("quiet", ("sq-j6",), after=1),)
    assert (by_button.path, by_button.kind) == (("btn-kick", "sq-j6"), "kick")
    assert by_button.marks == (Mark("area", ("sq-j6",), after=1),)


def test_where_one_can_run_kicks_are_for_the_button() -> None:
    there = [o for o in at(CENTRE).offers("R") if o.path[-1] == "sq-h5"]
    assert [(o.path[0], o.actions) for o in there if o.path[0] in ("sq-g4", "btn-kick")] == [
        ("sq-g4", ("g4-g5", "g5-h5")),
        ("btn-kick", ("g4^h5",)),
    ]
    assert SAY(offer_of(at(CENTRE), "R", "g4^h5").label) == "Kick to h5, free"


def test_the_turn_ends_by_a_button() -> None:
    assert paths(at(CENTRE), "R", "end") == {"btn-end: end"}
    assert not offer_of(at(CENTRE), "R", "end").needs_confirmation


def test_a_turn_in_which_nobody_moved_is_not_ended_without_a_word() -> None:
    offer = offer_of(at(position(FAST, "g4")), "R", "end")
    assert offer.needs_confirmation
    assert SAY(offer.prompts[0]) == "Nobody has moved yet. End your turn anyway? Next: Marc"


def test_the_end_of_a_turn_may_be_the_end_of_more() -> None:
    last = at(CENTRE, Options(turn_limit=23))
    stale = at(position(FAST, "g4", rest="0-0 22 R:7:g"), Options(hold_limit=8))
    assert SAY(offer_of(last, "R", "end").prompts[0]) == (
        "End your turn: it is the last one, so the match will be over"
    )
    assert SAY(offer_of(stale, "R", "end").prompts[0]) == (
        "End your turn: no ground gained for 8 turns, so the ball is redrawn"
    )


def test_a_pass_is_jumped_into_or_let_go() -> None:
    offer = offer_of(at(PASS), "B", "int=f5")
    assert (offer.path, offer.kind, offer.needs_confirmation) == (("sq-f5",), "intercept", True)
    assert offer.marks == (Mark("risk", ("sq-g4", "sq-e5", "sq-f5"), after=1),)
    assert paths(at(PASS), "B", "decline") == {"btn-no: no"}


def test_cards_are_offered_to_both_captains_until_they_chose() -> None:
    table = at(DUEL)
    assert paths(table, "R", "card") == {f"card-{n}: card={n}" for n in (1, 3, 4)}
    assert paths(table, "B", "card") == {f"card-{n}: card={n}" for n in (1, 5, 6)}
    assert all(offer.needs_confirmation for seat in SEATS for offer in table.offers(seat))
    assert after(table, "B card=5").offers("B") == ()
    assert after(table, "R card=4").offers("R") == ()
    assert SAY(offer_of(table, "R", "card=4").prompts[0]) == (
        "4 − 1 makes 3 for your Fast man. Marc holds 1, 5, 6."  # noqa: RUF001
    )
    assert SAY(offer_of(table, "B", "card=6").prompts[0]) == (
        "6 + 0 makes 6 for your Ordinary man. Aino holds 1, 3, 4."
    )


def test_an_exit_and_a_fall_are_one_touch() -> None:
    assert paths(at(OUT), "R", "exit") == {f"sq-{name}: exit={name}" for name in ("h3", "h5", "i4")}
    assert paths(at(FALL), "R", "drop") == {"sq-b3: drop=b3", "sq-b5: drop=b5"}
    assert SAY(offer_of(at(OUT), "R", "exit=i4").prompts[0]) == "Come out on i4: 2 points, 1 left"
    assert SAY(offer_of(at(FALL), "R", "drop=b3").prompts[0]) == (
        "The ball goes to b3, where Aino's Ordinary man gets it"
    )


@pytest.mark.parametrize(
    ("text", "action", "says"),
    [
        (
            CENTRE,
            "g4>h4",
            [
                "Your Fast man on g4 has the ball: 3 points left. You can run, pass back, kick "
                "ahead or force through.",
                "Force through h4: you attack with −1, they defend with 0. It costs 2 points; "  # noqa: RUF001
                "if your Fast man loses, he is knocked out and drops the ball.",
            ],
        ),
        (
            CENTRE,
            "f3-f4",
            [
                "Your Strong man on f3, the second and last man to move: 2 points left. "
                "You can run.",
                "Step to f4: 1 point, 1 left",
            ],
        ),
        (
            position("Sg5 Fb3 ch5", "h5"),
            "g5xh5",
            [
                "Your Strong man on g5: 2 points left. You can run or tackle.",
                "Tackle h5: you attack with +2, they defend with +1. Your Strong man will have "
                "no points left, and if he loses he is knocked out.",
            ],
        ),
        (
            position("Fg4 Oe5 tf4 cf5", "g4", movers="g4:0"),
            "g4~e5",
            [
                "Your Fast man on g4 has the ball: no points left. "
                "You can pass back or kick ahead.",
                "Pass to the Ordinary man on e5. f5 or f4 can intercept.",
            ],
        ),
        (
            position("Fg4 Oe5 cf5", "g4", movers="g4:0"),
            "g4~e5",
            [
                "Your Fast man on g4 has the ball: no points left. "
                "You can pass back or kick ahead.",
                "Pass to the Ordinary man on e5. f5 can intercept: then you attack with −1, "  # noqa: RUF001
                "they defend with +1.",
            ],
        ),
        (CENTRE, "end", ["End your turn. Next: Marc"]),
    ],
)
def test_an_offer_says_what_it_does(text: str, action: str, says: list[str]) -> None:
    offer = offer_of(at(text), "R", action)
    assert [SAY(sentence) for sentence in offer.prompts] == says


# Secrecy


def known_to(table: Table[State, Action, View], viewer: str) -> list[object]:
    """All that a viewer is offered and told."""
    seen = table.view(viewer)
    told: list[object] = [table.offers(viewer), table.game.ui.hint(seen, viewer)]
    told.append(table.game.ui.status(seen))
    if viewer in SEATS:
        told += [table.why_not(viewer, (place,)) for place in sorted(TOUCHABLE)]
        told += [table.why_not(viewer, ("tray", place)) for place in sorted(SQUARES)]
    return told


def test_nothing_tells_where_the_others_men_are_placed() -> None:
    for mine, theirs in ((("S@b3", "T@b4"), ("S@c8", "T@b1")), (("S@b3",), ("S@c1",))):
        one, two = (after(at("start"), *(f"R {t}" for t in texts)) for texts in (mine, theirs))
        for viewer in ("B", SPECTATOR):
            assert known_to(one, viewer) == known_to(two, viewer)
    early = [after(at("start"), f"B S@{name}") for name in ("l3", "k8")]
    for viewer in ("R", SPECTATOR):
        assert known_to(early[0], viewer) == known_to(early[1], viewer)


@pytest.mark.parametrize("acts", [("R card=4", "R card=1"), ("B card=5", "B card=6")])
def test_nothing_tells_which_card_the_other_has_chosen(acts: tuple[str, str]) -> None:
    one, two = (after(at(DUEL), act) for act in acts)
    for viewer in (other_side(acts[0][0]), SPECTATOR):
        assert known_to(one, viewer) == known_to(two, viewer)
    seat = acts[0][0]
    assert known_to(one, seat) != known_to(two, seat)
