"""Offers and actions correspond, and every touch has an answer."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kalamala.play import at, positions
from kibitz.core.game import Mark, Offer
from kibitz.core.message import Message
from kibitz.games.kalamala import Options, kalamala
from kibitz.games.kalamala.board import EXITS
from kibitz.games.kalamala.options import REPETITION
from kibitz.games.kalamala.state import SEATS, State
from kibitz.games.kalamala.ui.offers import offers
from kibitz.i18n import say_in
from kibitz.table.table import open_table

GAME = kalamala()
SAY = say_in("en", {"A": "Rings", "B": "Blocks"})
MARKS = {"anchor", "beam", "push", "pull", "off", "dot"}
PLACES = tuple(f"sq-{file}{rank}" for file in "abcdefgh" for rank in range(1, 9))
TOUCHABLE = {*PLACES, *EXITS, "rs-A", "rs-B"}


def offers_in(state: State, options: Options | None = None) -> tuple[Offer, ...]:
    game = kalamala(options or Options())
    return game.ui.offers(state, game.rules.turn_actions(state, state.side))


def paths(state: State, length: int = 3) -> dict[str, set[tuple[str, ...]]]:
    """The paths of the moves by their spelling: from the anchor, or of two from what moves."""
    found = defaultdict(set)
    for offer in offers_in(state):
        if offer.kind != "place" and len(offer.path) == length:
            found[offer.actions[0]].add(offer.path)
    return found


# Offers


@given(st.sampled_from(REPETITION), st.randoms(use_true_random=False))
@settings(max_examples=4, deadline=None)
def test_a_match_can_be_played_by_touch(repetition: str, rng: Random) -> None:
    options = Options(repetition=repetition, turn_limit=60)
    game = kalamala(options)
    state = game.rules.start()
    while found := offers_in(state, options):
        reached = {
            game.rules.resolve(
                state, state.side, game.notation.read_action(offer.actions[0])
            ).action: offer
            for offer in found
        }
        assert reached.keys() == set(game.rules.turn_actions(state, state.side))
        text = rng.choice(found).actions[0]
        state = game.rules.resolve(state, state.side, game.notation.read_action(text)).state
    assert game.rules.outcome(state)


@given(positions())
@settings(max_examples=100, deadline=None)
def test_offers_and_legal_actions_correspond(position: tuple[Options, State]) -> None:
    options, state = position
    game = kalamala(options)
    actions = game.rules.turn_actions(state, state.side)
    found = offers(options, state, actions)
    reached = {
        game.rules.resolve(state, state.side, game.notation.read_action(offer.actions[0])).action
        for offer in found
    }
    assert reached == set(actions)
    assert len({(offer.path, offer.actions) for offer in found}) == len(found)


@given(positions())
@settings(max_examples=100, deadline=None)
def test_offers_can_be_touched_and_said(position: tuple[Options, State]) -> None:
    options, state = position
    said: dict[tuple[str, ...], Message] = {}
    for offer in offers_in(state, options):
        assert set(offer.path) <= TOUCHABLE
        assert len(offer.prompts) == len(offer.path)
        assert offer.rule
        SAY(offer.label)
        for touches, sentence in enumerate(offer.prompts[:-1], 1):
            assert said.setdefault(offer.path[:touches], sentence) == sentence
        for sentence in offer.prompts:
            SAY(sentence)
        for mark in offer.marks:
            assert mark.kind in MARKS
            assert set(mark.places) <= TOUCHABLE
            assert 1 <= mark.after <= len(offer.path)


@given(positions())
@settings(max_examples=100, deadline=None)
def test_only_chains_of_several_lengths_share_a_path(position: tuple[Options, State]) -> None:
    options, state = position
    by_path: dict[tuple[str, ...], list[Offer]] = defaultdict(list)
    for offer in offers_in(state, options):
        by_path[offer.path].append(offer)
    for sharing in by_path.values():
        if len(sharing) > 1:
            assert len({SAY(offer.label) for offer in sharing}) == len(sharing)


def test_nothing_is_offered_where_nothing_may_be_done() -> None:
    assert offers(Options(), GAME.rules.start(), ()) == ()


def test_every_anchor_offers_its_own_way() -> None:
    assert paths(at("8/8/8/6A1/6AB/6A1/8/8 A 0,1 5,6 51 -")) == {
        "h4:NE1": {("sq-g3", "sq-h4", "off-E5")},
        "h4:E1": {("sq-g4", "sq-h4", "off-E4")},
        "h4:SE1": {("sq-g5", "sq-h4", "off-E3")},
        "g3:S1": {("sq-g4", "sq-g3", "sq-g2")},
        "g3:S2": {("sq-g4", "sq-g3", "sq-g1")},
        "g5:N1": {("sq-g4", "sq-g5", "sq-g6")},
        "g5:N2": {("sq-g4", "sq-g5", "sq-g7")},
    }


def test_nobody_is_asked_to_push_further_than_off_the_board() -> None:
    corner = at("7B/6A1/5A2/4A3/8/8/8/8 A 0,1 5,6 51 -")
    assert paths(corner)["h8:NE1"] == {("sq-g7", "sq-h8", "off-NE")}
    assert "h8:NE2" not in paths(corner)


def test_a_path_ends_where_the_nearest_stone_lands() -> None:
    found = paths(at("5B2/5B2/5A2/5A2/5A2/5A2/8/8 A 0,1 4,5 51 -"))
    assert found["f7-f8:N1"] == {("sq-f6", "sq-f7", "sq-f8")}
    assert found["f7-f8:N2"] == {("sq-f6", "sq-f7", "off-Nf")}


def test_pulling_one_or_two_of_a_row_is_one_path() -> None:
    found = paths(at("8/8/4B3/4B3/8/4A3/4A3/4A3 A 0,0 5,6 51 -"))
    assert found["e5:S1"] == found["e6-e5:S1"] == {("sq-e3", "sq-e5", "sq-e4")}


def test_a_move_that_repeats_is_not_offered() -> None:
    start = at("4B3/8/8/8/4B3/8/8/4A3 A 0,0 7,6 51 -")
    after = GAME.rules.resolve(start, "A", GAME.notation.read_action("e4:S1")).state
    assert sorted(paths(after)) == ["e1:N1", "e1:S1", "e3:S1", "e8:N1", "e8:S1"]


@pytest.mark.parametrize(
    ("position", "text", "label", "says"),
    [
        (
            "8/8/8/8/8/2AA2B1/8/8 A 0,0 6,7 51 -",
            "g3:W2",
            "Pull to e3",
            [
                "Choose where this piece goes, or a highlighted piece for it to push or pull",
                "2 against 1: up to 2 squares",
                "Pull g3 2 squares to e3",
            ],
        ),
        (
            "8/8/8/8/8/2AA2B1/8/8 A 0,0 6,7 51 -",
            "g3:E2",
            "Push off the board",
            [
                "Choose where this piece goes, or a highlighted piece for it to push or pull",
                "2 against 1: up to 2 squares",
                "Push g3 off the board: that costs Blocks one piece",
            ],
        ),
        (
            "8/6B1/5B2/8/3A4/2A5/1A6/A7 A 0,1 4,5 51 -",
            "f6-g7:NE2",
            "Push to h8, one falls off",
            [
                "Choose where this piece goes, or a highlighted piece for it to push or pull",
                "4 against 2: up to 2 squares",
                "Push f6-g7 2 squares, partly off the board: that costs Blocks one piece",
            ],
        ),
        (
            "8/8/8/8/1BB1A3/8/8/8 A 0,0 7,6 51 -",
            "c4:E1",
            "Pull one piece to d4",
            [
                "Your anchor: choose a highlighted piece for it to push or pull",
                "1 against 2 is too weak to push, but can pull the near part",
                "Pull c4 one square to d4",
            ],
        ),
        (
            "8/8/8/8/8/8/8/8 A 4,0 4,8 51 -",
            "@e4",
            "Place on e4",
            [
                "Choose an empty square for your piece",
                "Place a piece from your reserve on e4",
            ],
        ),
    ],
)
def test_an_offer_says_what_it_does(position: str, text: str, label: str, says: list[str]) -> None:
    offer = next(
        offer
        for offer in offers_in(at(position))
        if offer.actions == (text,) and len(offer.path) == len(says)
    )
    assert SAY(offer.label) == label
    assert [SAY(sentence) for sentence in offer.prompts] == says


@pytest.mark.parametrize(
    ("position", "text", "says"),
    [
        (
            "7B/8/8/8/8/2A4A/8/8 A 0,0 6,7 51 -",
            "h3:E1",
            "Push h3 off the board: that costs you one piece",
        ),
        (
            "8/6A1/5A2/8/3A4/2A5/1A6/A6B A 0,0 2,7 51 -",
            "f6-g7:NE2",
            "Push f6-g7 2 squares, partly off the board: that costs you one piece",
        ),
    ],
)
def test_the_loss_of_ones_own_is_said_to_be_that(position: str, text: str, says: str) -> None:
    found = {
        SAY(offer.prompts[-1]) for offer in offers_in(at(position)) if offer.actions == (text,)
    }
    assert found == {says}


def test_marks_show_the_beam_the_anchor_and_the_landing() -> None:
    state = at("8/8/8/8/8/2AA2B1/8/8 A 0,0 6,7 51 -")
    direct, offer = (offer for offer in offers_in(state) if offer.actions == ("g3:E2",))
    chosen = {
        ("anchor", ("sq-c3", "sq-d3"), ""),
        ("beam", ("sq-d3", "sq-g3"), ""),
        ("off", ("sq-g3", "off-E3"), "2"),
    }
    assert [mark for mark in offer.marks if mark.after == 1] == [
        Mark("beam", ("sq-d3", "sq-g3"), after=1)
    ]
    for touches in (2, 3):
        shown = {(m.kind, m.places, m.text) for m in offer.marks if m.after == touches}
        assert shown == chosen
    assert {(m.kind, m.places, m.text) for m in direct.marks if m.after == 2} == chosen
    assert {(m.kind, m.places, m.text) for m in direct.marks if m.after == 1} == {
        ("beam", ("sq-d3", "sq-g3"), ""),
        ("off", ("sq-g3", "off-E3"), "2"),
    }


def test_what_moves_is_touched_first_whoever_moves_it() -> None:
    """Whole rows by any of their pieces."""
    found = paths(at("5B2/5B2/5A2/5A2/5A2/5A2/8/8 A 0,1 4,5 51 -"), 2)
    assert found["f7-f8:N1"] == {("sq-f7", "sq-f8"), ("sq-f8", "off-Nf")}
    assert found["f7-f8:N2"] == {("sq-f7", "off-Nf"), ("sq-f8", "off-Nf")}
    assert found["f6:N1"] == set()


def test_one_move_by_several_anchors_is_one_offer_with_all_their_beams() -> None:
    state = at("8/8/8/8/1A1B1A2/8/8/8 A 0,0 6,7 51 -")
    (offer,) = (o for o in offers_in(state) if o.actions == ("d4:E1",) and len(o.path) == 2)
    beams = {mark.places for mark in offer.marks if mark.kind == "beam"}
    assert beams == {("sq-b4", "sq-d4"), ("sq-f4", "sq-d4")}


def test_a_piece_of_ones_own_moves_or_moves_others() -> None:
    """Touched first it may be either, and no path is the beginning of another."""
    state = at("8/8/8/8/2AA1B2/8/8/8 A 0,0 6,7 51 -")
    found = offers_in(state)
    assert {offer.path[1] for offer in found if offer.path[0] == "sq-d4"} == {
        "sq-c4",
        "sq-e4",
        "sq-f4",
    }
    whole = {offer.path for offer in found}
    assert not any(path[:2] in whole for path in whole if len(path) == 3)


@given(positions())
@settings(max_examples=100, deadline=None)
def test_every_move_takes_two_touches(position: tuple[Options, State]) -> None:
    options, state = position
    found = offers_in(state, options)
    short = {offer.actions for offer in found if len(offer.path) == 2}
    assert {offer.actions for offer in found} == short
    whole = {offer.path for offer in found}
    assert not any(path[:2] in whole for path in whole if len(path) == 3)


# What a touch meant

DUEL = "8/4B3/6A1/8/1BB1A3/8/8/8 A 0,0 6,5 51 -"
PAIR = "8/8/1AA2B2/8/8/8/8/8 A 0,0 6,7 51 -"
START = "8/8/3BA3/2B2A2/2A2B2/3AB3/8/8 A 4,4 0,0 1 -"


@pytest.mark.parametrize(
    ("position", "path", "says", "rule"),
    [
        (START, "", "Choose a piece to push or pull, or your reserve to place one.", "3"),
        (START, "sq-a1", "Choose a piece to push or pull, or your", "3"),
        (START, "off-NE", "Choose a piece to push or pull, or your", "3"),
        (DUEL, "sq-a1", "Choose a piece to push or pull. Your reserve is empty.", "3"),
        (START, "rs-B", "That is not your reserve.", "3.1"),
        (DUEL, "rs-A", "Your reserve is empty.", "3.1"),
        (DUEL, "rs-A sq-a1", "Your reserve is empty.", "3.1"),
        (START, "rs-A sq-e3", "e3 is taken. Place your piece on an empty square.", "3.1"),
        (START, "rs-A off-NE", "Choose an empty square for your piece", "3.1"),
        (DUEL, "sq-c4", "Choose where this piece goes", "3.3"),
        (DUEL, "sq-c4 sq-b4", "e4 is too weak for b4-c4: 1 against 2.", "3.3"),
        (DUEL, "sq-c4 sq-c5", "c4 can only move in line with one of your pieces", "3.3"),
        (DUEL, "sq-c4 sq-e4", "e4 is in the way.", "3.3"),
        (DUEL, "sq-e7 off-Ne", "2 squares is too far: the power is 1.", "3.3"),
        (DUEL, "sq-b4 sq-c4", "e4 is too weak for b4-c4: 1 against 2.", "3.3"),
        ("8/8/1ABB4/8/8/8/8/8 A 1,0 6,6 51 -", "sq-c6", "b6 is too weak for c6-d6", "3.3"),
        ("B7/8/8/8/8/8/8/6A1 A 1,0 6,7 51 -", "sq-g1", "g1 sees no other", "3.3"),
        (DUEL, "sq-e4 sq-e5", "e4 can only move in line with one of your pieces", "3.3"),
        (DUEL, "sq-e4 sq-e4", "Your anchor: choose a highlighted piece", "3.3"),
        (DUEL, "sq-e4 off-E4", "e4 can only move in line", "3.3"),
        ("8/8/8/8/3A2B1/8/8/8 A 0,0 7,7 51 -", "sq-d4 sq-d5", "d4 does not move by itself.", "3.3"),
        ("8/8/8/8/3A4/8/6B1/8 A 1,0 6,7 51 -", "sq-g2", "None of your pieces can move g2", "3.3"),
        (DUEL, "sq-g6 sq-c4", "g6 and c4 are not in line, straight or diagonally.", "3.3"),
        (DUEL, "sq-e4 sq-b4", "b4 moves only together with c4, which is nearer.", "3.3"),
        ("8/8/1A1B1A2/8/8/8/8/8 A 1,0 5,7 51 -", "sq-b6 sq-f6", "d6 is in between.", "3.3"),
        (DUEL, "sq-e4 sq-c4 sq-b4", "e4 is too weak for b4-c4: 1 against 2.", "3.3"),
        (DUEL, "sq-e4 sq-c4 sq-e4", "e4 is in the way.", "3.3"),
        (DUEL, "sq-e4 sq-c4 off-E4", "e4 is in the way.", "3.3"),
        (DUEL, "sq-e4 sq-c4 sq-c5", "b4-c4 can only move on its line with e4", "3.3"),
        (DUEL, "sq-e4 sq-c4 off-NW", "b4-c4 can only move on its line with e4", "3.3"),
        (DUEL, "sq-e4 sq-c4 sq-c4", "Choose where b4-c4 should go:", "3.3"),
        (DUEL, "sq-e4 sq-e7 off-Ne", "2 squares is too far: the power is 1.", "3.3"),
        (PAIR, "sq-c6 sq-f6 off-E6", "3 squares is too far: the power is 2.", "3.3"),
        ("8/8/1AA4B/8/8/8/8/8 A 0,0 6,7 51 -", "sq-c6 sq-h6 sq-e6", "3 squares is too far:", "3.3"),
        ("8/8/1ABA4/8/8/8/8/8 A 1,0 5,7 51 -", "sq-b6", "d6 is in the way.", "3.3"),
        ("8/8/1ABB4/8/8/8/8/8 A 1,0 6,6 51 -", "sq-b6", "b6 is too weak for c6-d6: 1 aga", "3.3"),
        ("8/8/1ABB4/8/8/8/8/8 A 1,0 6,6 51 -", "sq-b6 sq-c6", "b6 is too weak for c6-d6", "3.3"),
    ],
)
def test_a_touch_in_vain_is_explained(position: str, path: str, says: str, rule: str) -> None:
    table = open_table(GAME, position)
    refusal = table.why_not("A", tuple(path.split()))
    assert says in SAY(refusal)
    assert refusal.paragraph == rule


def test_a_landing_that_repeats_says_when_it_stood() -> None:
    table = open_table(GAME, "4B3/8/8/8/4B3/8/8/4A3 A 0,0 7,6 51 -")
    table, _ = table.act("A", "e4:S1")
    refusal = table.why_not("B", ("sq-e8", "sq-e3", "sq-e4"))
    assert refusal.id == "kalamala.repeats"
    assert SAY(refusal) == "That would repeat the position after turn 50."
    assert refusal.value("at") == "sq-e4"


def test_an_anchor_all_of_whose_moves_repeat_says_so() -> None:
    blocked = "8/8/8/8/A7/B7/8/A7 A 1,0 5,7 51 8/8/8/8/A7/8/B7/A7"
    for path in (("sq-a1",), ("sq-a1", "sq-a3"), ("sq-a1", "sq-a3", "sq-a2")):
        assert open_table(GAME, blocked).why_not("A", path).id == "kalamala.repeats"


def test_out_of_turn_and_after_the_end_that_is_the_answer() -> None:
    table = open_table(GAME)
    for path in ((), ("sq-c5",), ("rs-B", "sq-a1"), ("nonsense",)):
        assert table.why_not("B", path).id == "kalamala.not-your-turn"
    lost = open_table(GAME, "8/8/8/8/8/6B1/5B2/7A A 0,0 7,6 51 -")
    resigned, _ = table.act("A", "resign A")
    for over in (lost, resigned):
        for seat in SEATS:
            assert over.why_not(seat, ("sq-h1",)).id == "kalamala.over"


TOUCHES = st.one_of(st.sampled_from(sorted(TOUCHABLE)), st.text(max_size=8))


@given(positions(), st.lists(TOUCHES, max_size=5), st.sampled_from(["A", "B"]))
@settings(max_examples=400, deadline=None)
def test_every_touch_has_an_answer(
    position: tuple[Options, State], touched: list[str], seat: str
) -> None:
    options, state = position
    game = kalamala(options)
    intended = game.ui.intent(state, seat, tuple(touched))
    if not isinstance(intended, Message):
        refusal = game.rules.why_not(state, seat, intended)
        if refusal is None:
            return
        intended = refusal
    assert SAY(intended)
    assert intended.paragraph
    assert (intended.value("at") or "rs-A") in TOUCHABLE
    assert (intended.value("because") or "rs-A") in TOUCHABLE


@given(positions(), st.data())
@settings(max_examples=200, deadline=None)
def test_what_is_taken_for_an_allowed_action_is_offered(
    position: tuple[Options, State], data: st.DataObject
) -> None:
    options, state = position
    game, found = kalamala(options), offers_in(position[1], options)
    if found:
        begun = data.draw(st.sampled_from(found)).path[:-1]
        path = (*begun, data.draw(st.sampled_from(sorted(TOUCHABLE))))
        intended = game.ui.intent(state, state.side, path)
        if not isinstance(intended, Message) and not game.rules.why_not(
            state, state.side, intended
        ):
            assert path in {offer.path for offer in found}
