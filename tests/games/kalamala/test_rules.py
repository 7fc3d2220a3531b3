"""Kalamala's rules, one position at a time; the examples are those of the rule book, section 8."""

import pytest

from games.kalamala.play import after, game_with, legal, moves, outcome, refusal_of, state_after
from kibitz.core.game import REFEREE
from kibitz.core.message import Refused

SINGLES = "8/4B3/6A1/8/1BB1A3/8/8/8 A 0,0 6,5 51 -"
TWO_ON_ONE = "8/8/1AA2B2/8/8/8/8/8 A 0,0 6,7 51 -"
THREE_ON_TWO = "8/8/4B3/4B3/8/4A3/4A3/4A3 A 0,0 5,6 51 -"
FOUR_ON_TWO = "8/6B1/5B2/8/3A4/2A5/1A6/A7 A 0,1 4,5 51 -"
OWN_ROW = "B7/8/8/8/3A4/3A4/3A4/8 A 0,1 5,6 51 -"
ONE_KILL = "8/8/8/6A1/6AB/6A1/8/8 A 0,1 5,6 51 -"
WHOLE_CHAIN = "5B2/5B2/5A2/5A2/5A2/5A2/8/8 A 0,1 4,5 51 -"
LOST = "8/8/8/8/8/6B1/5B2/7A A 0,0 7,6 51 -"
BOTH_STUCK = "7A/7A/8/8/8/1B6/8/8 A 0,0 6,7 51 -"
KO = "4B3/8/8/8/4B3/8/8/4A3 A 0,0 7,6 51 -"
AGAIN = "6B1/8/6B1/8/8/8/6A1/6A1 A 0,0 6,6 51 -"


def test_the_start() -> None:
    assert len(legal("start")) == 80
    assert moves("start") == (
        "c4:NE1 c4:NW1 c4:SW1 c5:E1 c5:N1 c5:W1 d3:NE1 d3:SE1 d3:SW1 d6:N1 d6:S1 d6:W1 e3:E1 e3:N1"
        " e3:S1 e6:NE1 e6:NW1 e6:SW1 f4:E1 f4:S1 f4:W1 f5:NE1 f5:SE1 f5:SW1"
    )
    first = "8/8/3BA3/2B2A2/2A2B2/3AB3/8/8"
    assert after("start") == f"{first} A 4,4 0,0 1 -"
    assert after("start", "d6:N1") == f"8/3B4/4A3/2B2A2/2A2B2/3AB3/8/8 B 4,4 0,0 2 {first}"


def test_a_placement_fills_a_square_and_forgets_the_past() -> None:
    assert after("start", "d6:N1", "@a1") == "8/3B4/4A3/2B2A2/2A2B2/3AB3/8/B7 A 4,3 0,0 3 -"


def test_the_side_that_begins_is_agreed() -> None:
    assert after("start", first="B").split()[1] == "B"


def test_single_pieces() -> None:
    assert moves(SINGLES) == "c4:E1 e4:NE1 e4:SW1 e7:N1 e7:S1 g6:NE1 g6:SW1"


def test_two_on_one() -> None:
    assert moves(TWO_ON_ONE) == "b6:W1 c6:E1 f6:E1 f6:E2 f6:W1 f6:W2"
    assert after(TWO_ON_ONE, "f6:W2").startswith("8/8/1AAB4/8/8/8/8/8 B")
    assert outcome(TWO_ON_ONE, "f6:W2") == ("A", "no_action")


def test_three_on_two() -> None:
    assert moves(THREE_ON_TWO) == "e1:S1 e3:N1 e5-e6:N1 e5:S1 e6-e5:S1"
    pulled = "8/8/8/4B3/4B3/4A3/4A3/4A3 B 0,0 5,6 52 8/8/4B3/4B3/8/4A3/4A3/4A3"
    assert after(THREE_ON_TWO, "e6-e5:S1") == pulled
    assert moves(THREE_ON_TWO, "e6-e5:S1") == "e5:N1"


def test_four_on_two_partly_off_the_board() -> None:
    assert moves(FOUR_ON_TWO) == (
        "a1:SW1 b2-a1:SW1 c3-d4:NE1 d4:NE1 f6-g7:NE1 f6-g7:NE2 f6:SW1 g7-f6:SW1"
    )
    assert after(FOUR_ON_TWO, "f6-g7:NE2") == "7B/8/8/8/3A4/2A5/1A6/A7 B 0,1 4,6 52 -"
    assert after(FOUR_ON_TWO, "f6-g7:NE1").startswith("7B/6B1/8/8/3A4/2A5/1A6/A7 B 0,1 4,5 52 ")


def test_ones_own_row_may_be_divided() -> None:
    assert moves(OWN_ROW) == "d2:S1 d2:S2 d4:N1 d4:N2"
    assert after(OWN_ROW, "d2:S2") == "B7/8/8/8/3A4/3A4/8/8 B 0,1 6,6 52 -"


def test_one_kill_is_one_action_however_it_is_spelt() -> None:
    assert moves(ONE_KILL) == "g3:S1 g3:S2 g5:N1 g5:N2 h4:E1"
    game = game_with()
    state = game.notation.read_state(ONE_KILL)
    for text in ("h4:E1", "h4:NE1", "h4:SE1"):
        step = game.rules.resolve(state, "A", game.notation.read_action(text))
        assert game.notation.write_action(step.action) == "h4:E1"
        assert game.notation.write_state(step.state) == "8/8/8/6A1/6A1/6A1/8/8 B 0,1 5,7 52 -"
    assert refusal_of(ONE_KILL, "h4:E2") == ("too-far", "3.3")


def test_what_was_typed_is_what_is_animated() -> None:
    game = game_with()
    step = game.rules.resolve(
        game.notation.read_state(ONE_KILL), "A", game.notation.read_action("h4:NE1")
    )
    (motion,) = step.events[0].motions
    assert (motion.origin, motion.via, motion.target) == ("sq-h4", "off-E5", "dz-B7")


def test_a_whole_chain_leaves_the_board() -> None:
    assert moves(WHOLE_CHAIN) == "f3:S1 f3:S2 f3:S3 f4-f3:S1 f7-f8:N1 f7-f8:N2"
    assert after(WHOLE_CHAIN, "f7-f8:N2") == "8/8/5A2/5A2/5A2/5A2/8/8 B 0,1 4,7 52 -"
    assert outcome(WHOLE_CHAIN, "f7-f8:N2") is None


def test_who_cannot_act_has_lost() -> None:
    assert outcome(LOST) == ("B", "no_action")
    assert legal(LOST) == []


def test_if_neither_can_act_the_side_to_act_loses() -> None:
    assert moves(BOTH_STUCK) == "h7:S1 h8:N1"
    assert outcome(BOTH_STUCK, "h8:N1") == ("A", "no_action")


def test_ko() -> None:
    assert moves(KO) == "e4:N1 e4:S1"
    for repetition in ("ko", "superko", "superko-situational"):
        assert moves(KO, "e4:S1", repetition=repetition) == "e1:N1 e1:S1 e3:S1 e8:N1 e8:S1"
    assert moves(KO, "e4:S1", repetition="none") == "e1:N1 e1:S1 e3:N1 e3:S1 e8:N1 e8:S1"


def test_positional_and_situational() -> None:
    expected = {
        "superko": "g1:S1 g2:N1 g5:N2 g5:S2",
        "ko": "g1:S1 g2:N1 g5:N1 g5:N2 g5:S2",
        "superko-situational": "g1:S1 g2:N1 g5:N1 g5:N2 g5:S2",
        "none": "g1:S1 g2:N1 g5:N1 g5:N2 g5:S1 g5:S2",
    }
    for repetition, answer in expected.items():
        assert moves(AGAIN, "g6:S2", "g4:N1", repetition=repetition) == answer


def test_a_repetition_is_refused_with_the_turn_it_repeats() -> None:
    game = game_with()
    state = state_after(AGAIN, "g6:S2", "g4:N1")
    refusal = game.rules.why_not(state, "A", game.notation.read_action("g5:N1"))
    assert (refusal.id, refusal.paragraph) == ("kalamala.repeats", "5")
    assert refusal.value("turn") == 50
    assert refusal.value("at") == "sq-g6"
    assert (
        game.notation.read_state(refusal.value("position")).stones
        == game.notation.read_state(AGAIN).stones
    )


def test_a_stone_is_placed_from_the_end_of_the_reserve() -> None:
    game = game_with()
    for position, slot in (("start", "rs-A4"), (after("start", "@a1", "@a2"), "rs-A3")):
        state = state_after(position)
        (event,) = game.rules.resolve(state, "A", game.notation.read_action("@h8")).events
        assert [(m.origin, m.target) for m in event.motions] == [(slot, "sq-h8")]


def test_what_cannot_have_been_a_push_is_told_as_a_pull() -> None:
    game = game_with()
    state = game.notation.read_state("8/8/8/8/8/2AA2BA/8/8 A 0,0 5,7 51 -")
    told = {
        text: game.rules.resolve(state, "A", game.notation.read_action(text)).events[0].message.id
        for text in ("g3:W1", "g3:W2")
    }
    assert told == {"g3:W1": "kalamala.pushed", "g3:W2": "kalamala.pulled"}


def test_coming_back_to_the_very_first_position_is_called_that() -> None:
    fresh, later = KO.replace(" 51 ", " 1 "), KO.replace(" 51 ", " 2 ")
    assert refusal_of(fresh, "e4:S1", "e3:N1") == ("repeats-start", "5")
    assert refusal_of(later, "e4:S1", "e3:N1") == ("repeats", "5")


@pytest.mark.parametrize(
    ("position", "text", "why"),
    [
        (SINGLES, "@a1", ("reserve-empty", "3.1")),
        (FOUR_ON_TWO.replace(" A 0,1 4,5", " A 1,1 3,5"), "@g7", ("square-taken", "3.1")),
        (SINGLES, "b4:E1", ("nothing-sees", "3.3")),
        (SINGLES, "c4:W1", ("in-the-way", "3.3")),
        (SINGLES, "b4-c4:E1", ("too-heavy", "3.3")),
        (SINGLES, "e7:N2", ("too-far", "3.3")),
        (SINGLES, "a1:N1", ("no-piece", "3.2")),
        (SINGLES, "b4-d4:E1", ("no-piece", "3.2")),
        ("8/8/8/8/1BA1A3/8/8/8 A 0,0 6,7 51 -", "b4-c4:E1", ("mixed-chain", "3.2")),
        (SINGLES, "c4-b4:E1", ("not-in-line", "7.2")),
        (SINGLES, "b4-c4:N1", ("not-in-line", "7.2")),
        (SINGLES, "b4-b4:E1", ("not-an-action", "7.2")),
        (SINGLES, "c4:E0", ("not-an-action", "7.2")),
        (SINGLES, "C4:E1", ("not-an-action", "7.2")),
        (SINGLES, "c4:E1 ", ("not-an-action", "7.2")),
        (SINGLES, "resign C", ("not-an-action", "7.2")),
        (LOST, "resign A", ("over", "4")),
    ],
)
def test_a_refusal_says_why_and_where_it_is_written(
    position: str, text: str, why: tuple[str, str]
) -> None:
    assert refusal_of(position, text) == why


def test_the_other_side_has_to_wait() -> None:
    game = game_with()
    with pytest.raises(Refused) as error:
        game.rules.resolve(game.rules.start(), "B", game.notation.read_action("@a1"))
    assert error.value.refusal.id == "kalamala.not-your-turn"


@pytest.mark.parametrize(
    ("event", "end"),
    [
        ("resign A", ("B", "resign")),
        ("resign B", ("A", "resign")),
        ("forfeit A", ("B", "forfeit")),
        ("forfeit B", ("A", "forfeit")),
        ("void", ("void", "void")),
    ],
)
def test_an_event_ends_the_match_and_leaves_the_position(event: str, end: tuple[str, str]) -> None:
    assert outcome("start", "d6:N1", event) == end
    assert after("start", "d6:N1", event) == after("start", "d6:N1")
    assert legal("start", "d6:N1", event) == []
    assert refusal_of("start", event, "@a1") == ("over", "4")
    assert refusal_of("start", event, "void") == ("over", "4")


def test_events_belong_to_roles() -> None:
    game = game_with()
    state = game.rules.start()
    for text, actor in (("resign A", "B"), ("forfeit A", "B"), ("void", "A")):
        assert game.rules.why_not(state, actor, game.notation.read_action(text))
    assert [game.notation.write_action(a) for a in game.rules.role_actions(state, "B")] == [
        "resign B"
    ]
    assert len(game.rules.role_actions(state, REFEREE)) == 3


def test_the_turn_limit_draws_but_a_loss_comes_first() -> None:
    assert outcome("start", "@a1", turn_limit=2) is None
    assert outcome("start", "@a1", "@a2", turn_limit=2) == ("draw", "turn_limit")
    assert legal("start", "@a1", "@a2", turn_limit=2) == []
    assert outcome(TWO_ON_ONE, "f6:W2", turn_limit=51) == ("A", "no_action")
    assert outcome(LOST, turn_limit=1) == ("B", "no_action")
    assert outcome(SINGLES, turn_limit=50) == ("draw", "turn_limit")


def test_a_match_can_be_very_long() -> None:
    """The past is a set: a thousand turns without a placement or a loss cost no more each."""
    game = game_with()
    state = game.notation.read_state("4B3/8/8/8/4B3/8/8/4A3 A 0,0 7,6 51 -")
    board = "{}/8/8/8/4B3/8/8/4A3"
    ranks = ["4B3", "3B4", "5B2", "6B1", "2B5", "1B6", "7B", "B7"]
    boards = ";".join(board.format(rank) for rank in ranks[1:] * 300)
    long = game.notation.read_state(f"4B3/8/8/8/4B3/8/8/4A3 A 0,0 7,6 20000 {boards}")
    assert len(game.rules.turn_actions(long, "A")) == len(game.rules.turn_actions(state, "A"))
    after = game.rules.resolve(long, "A", game.notation.read_action("e4:N1")).state
    assert game.notation.write_state(after).endswith(";4B3/8/8/8/4B3/8/8/4A3")
