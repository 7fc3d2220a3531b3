"""Kahmaté's rules, one position at a time; the examples are those of the rule book, section 14."""

from __future__ import annotations

import pytest

from games.kahmate.play import (
    SET_UP,
    after,
    field,
    game_with,
    legal,
    outcome,
    refusal_of,
    state_after,
    to_act,
)
from kibitz.core.game import CHANCE, REFEREE, TABLE
from kibitz.core.message import Refused

EMPTY = "13/13/13/13/13/13/13/13 R place:R - - 123456/123456 0-0 0 -"
RELAY = "13/3S9/13/4F3o4/2O10/9t3/13/13 R play - e4 123456/123456 0-0 4 -"
TWO_JUMPERS = "13/13/5Oo6/6tC5/13/5T7/13/13 R play - h4 123456/123456 0-0 6 -"
PERFECT = "13/8o4/13/13/5Soc5/3O9/13/13 R play - g5 123456/123456 0-0 9 -"
NARROW = "13/13/13/13/5Cot5/3O9/13/13 R play - g5 123456/123456 0-0 9 -"
GOAL_LINE = "13/13/13/13/1Osf9/1T11/13/13 B play - b5 123456/123456 0-0 21 -"
FORCE = "13/13/6O2To2/13/8c4/13/13/13 R play - j3 123456/123456 0-0 30 -"
TIE = "13/13/13/13/13/5OFs5/13/13 R play - g6 123456/123456 0-0 8 -"
KICK = "13/7F5/10o2/13/7O1t3/13/13/13 R play - h2 123456/123456 0-0 14 -"
FALL = "13/1C11/13/4Ot7/13/11s1/13/13 R play - f4 123456/123456 0-0 5 -"
LAST_CARDS = "13/13/13/3Tc8/13/11s1/13/13 R play - e4 4/4 0-0 17 -"
OVER_THE_DOWN = "13/13/13/5Oc!C5/13/13/13/13 R play - f4 123456/123456 0-0 10 -"
WALLED_IN = "1OT10/1S11/13/13/13/13/13/11o1 R play - b1 123456/123456 0-0 20 -"
ABOUT_TO_SCORE = "13/13/13/11T1/13/9o3/13/13 R play - l4 123456/123456 0-0 9 -"


# The fifteen examples


def test_set_up() -> None:
    assert after("start") == EMPTY
    counts = [
        len(legal("start", " ".join(SET_UP.split()[:placed])).split()) for placed in range(13)
    ]
    assert counts == [16, 15, 14, 13, 12, 11, 16, 15, 14, 13, 12, 11, 6]
    assert to_act("start", SET_UP) == CHANCE
    assert after("start", f"{SET_UP} ball=3") == (
        "13/2O8o1/2S7s2/1F8c2/2C7t2/1O11/2T8o1/10f2 R play - g4 123456/123456 0-0 0 -"
    )
    assert legal("start", f"{SET_UP} ball=3") == (
        "b4-b3 b4-b5 b4-c4 b6-b5 b6-b7 b6-c6 c2-b2 c2-c1 c2-d2 c3-b3 c3-c4 c3-d3 c5-b5 c5-c4"
        " c5-c6 c5-d5 c7-b7 c7-c6 c7-c8 c7-d7 end"
    )


def test_two_movers_with_all_their_points() -> None:
    runs = "b4-c4 c4-d4 d4-e4 e4-f4 c5-d5 d5-e5 e5-f5"
    assert after("start", f"{SET_UP} ball=3 {runs}") == (
        "13/2O8o1/2S7s2/5F4c2/5C4t2/1O11/2T8o1/10f2 R play f4:0,f5:0 g4 123456/123456 0-0 0 -"
    )
    assert legal("start", f"{SET_UP} ball=3 {runs}") == "end"


def test_a_relay() -> None:
    relay = "e4~c5 c5-d5 d5-e5 e5-f5 f5~e4 e4-f4 f4-g4 g4-h4"
    assert after(RELAY, relay) == (
        "13/3S9/13/7Fo4/5O7/9t3/13/13 R play f5:0,h4:1 h4 123456/123456 0-0 4 -"
    )
    choices = legal(RELAY, relay).split()
    assert len(choices) == 24
    assert [c for c in choices if "^" not in c] == ["end", "h4-g4", "h4-h3", "h4-h5", "h4~f5"]


def test_two_possible_interceptors() -> None:
    assert to_act(TWO_JUMPERS, "h4~f3") == "B"
    assert after(TWO_JUMPERS, "h4~f3") == (
        "13/13/5Oo6/6tC5/13/5T7/13/13 R icpt:h4~f3 - h4 123456/123456 0-0 6 -"
    )
    assert legal(TWO_JUMPERS, "h4~f3") == "int=g3 int=g4 no"
    won = after(TWO_JUMPERS, "h4~f3 int=g3 card=2 card=1")
    assert won == "13/13/5Oo6/6tC5/13/5T7/13/13 R play - f3 13456/23456 0-0 6 -"
    assert after(TWO_JUMPERS, "h4~f3 no").split()[4] == "f3"


def test_a_perfect_tackle() -> None:
    assert after(PERFECT, "f5xg5 card=3 card=3") == (
        "13/8o4/13/13/5So!c5/3O9/13/13 R play f5:0 f5 12456/12456 0-0 9 -"
    )
    choices = legal(PERFECT, "f5xg5 card=3 card=3").split()
    assert [c for c in choices if "^" not in c] == [
        "d6-c6", "d6-d5", "d6-d7", "d6-e6", "end", "f5~d6",
    ]  # fmt: skip


def test_a_narrow_tackle_gives_the_ball_to_a_partner_behind() -> None:
    assert after(NARROW, "f5xg5 card=5 card=4") == (
        "13/13/13/13/5Co!t5/3O9/13/13 R play f5:0 h5 12346/12356 0-0 9 -"
    )
    assert legal(NARROW, "f5xg5 card=5 card=4") == "d6-c6 d6-d5 d6-d7 d6-e6 end"


def test_on_the_goal_line_the_fallen_man_s_captain_chooses() -> None:
    tackle = "c5xb5 card=2 card=3"
    assert after(GOAL_LINE, tackle) == (
        "13/13/13/13/1O!sf9/1T11/13/13 B drop:b5<c5 c5:0 b5 12456/13456 0-0 21 -"
    )
    assert to_act(GOAL_LINE, tackle) == "R"
    assert legal(GOAL_LINE, tackle) == "drop=b4 drop=b6"
    assert after(GOAL_LINE, f"{tackle} drop=b6").split()[4] == "b6"
    assert legal(GOAL_LINE, f"{tackle} drop=b6") == "d5-d4 d5-d6 d5-e5 end"


def test_force_through_and_score() -> None:
    assert legal(FORCE, "j3>k3 card=6 card=4") == "exit=k2 exit=k4 exit=l3"
    assert after(FORCE, "j3>k3 card=6 card=4 exit=l3 l3-m3") == (
        "13/13/6O3o!1T/13/8c4/13/13/13 R over:R - m3 12345/12356 1-0 31 -"
    )
    assert legal(FORCE, "j3>k3 card=6 card=4 exit=l3 l3-m3") == ""
    assert outcome(FORCE, "j3>k3 card=6 card=4 exit=l3 l3-m3") == ("R", "over-tries")


def test_a_tie_and_then_a_failed_force() -> None:
    assert after(TIE, "g6>h6 card=4 card=2") == (
        "13/13/13/13/13/5OFs5/13/13 R duel:F:g6>h6:2:- g6:4 g6 12356/13456 0-0 8 -"
    )
    assert legal(TIE, "g6>h6 card=4 card=2") == "card=1 card=2 card=3 card=5 card=6"
    assert after(TIE, "g6>h6 card=4 card=2 card=6 card=5") == (
        "13/13/13/13/13/5OF!!s5/13/13 R play g6:0 f6 1235/1346 0-0 8 -"
    )


def test_kick_and_chase() -> None:
    chase = "h2^k2 h2-i2 i2-j2 j2-k2 k2-l2"
    assert after(KICK, chase) == (
        "13/11F1/10o2/13/7O1t3/13/13/13 R play l2:0 l2 123456/123456 0-0 14 -"
    )
    assert legal(KICK, chase) == "end h5-g5 h5-h4 h5-h6 h5-i5"


def test_who_falls_misses_exactly_one_turn() -> None:
    fall = "e4xf4 card=1 card=5"
    assert "4O!!t7" in after(FALL, fall)
    assert "4O!t7" in after(FALL, f"{fall} end")
    assert "f4>e4" in legal(FALL, f"{fall} end").split()
    assert "f4>e4" not in legal(FALL, f"{fall} end", force_down="no").split()
    assert "4O!t7" in after(FALL, f"{fall} end end")
    assert "e4-e3" not in legal(FALL, f"{fall} end end").split()
    up = after(FALL, f"{fall} end end end")
    assert up == "13/1C11/13/4Ot7/13/11s1/13/13 B play - f4 23456/12346 0-0 8 -"
    for down in ("yes", "no"):
        assert "f4>e4" in legal(FALL, f"{fall} end end end", force_down=down).split()


def test_last_cards_tie_and_hands_come_back_before_the_second() -> None:
    assert after(LAST_CARDS, "d4xe4 card=4 card=4") == (
        "13/13/13/3Tc8/13/11s1/13/13 R duel:T:d4>e4:2:- d4:0 e4 123456/123456 0-0 17 -"
    )
    assert after(LAST_CARDS, "d4xe4 card=4 card=4 card=6 card=2") == (
        "13/13/13/3Tc!8/13/11s1/13/13 R play d4:0 d4 12345/13456 0-0 17 -"
    )


def test_charging_a_man_who_is_down() -> None:
    assert after(OVER_THE_DOWN, "f4>g4 card=3 card=1") == (
        "13/13/13/5Oc!C5/13/13/13/13 R exit:f4>g4 f4:3 f4 12456/23456 0-0 10 -"
    )
    assert legal(OVER_THE_DOWN, "f4>g4 card=3 card=1") == "exit=g3 exit=g5"
    assert refusal_of(OVER_THE_DOWN, "f4>g4", force_down="no") == ("force-the-down", "11")
    assert refusal_of(OVER_THE_DOWN, "f4>g4", force_beyond="any") == ("force-partner-beyond", "11")


def test_a_stale_possession_is_drawn_anew() -> None:
    holds = [after(WALLED_IN, " ".join(["end"] * n), hold_limit=2).split()[-1] for n in range(5)]
    assert holds == ["-", "R:0:b", "R:0:b", "R:1:b", "R:1:b"]
    stale = after(WALLED_IN, "end end end end end", hold_limit=2)
    assert stale == "1OT10/1S11/13/13/13/13/13/11o1 B draw - - 123456/123456 0-0 25 -"
    assert after(WALLED_IN, "end end end end end ball=4", hold_limit=2) == (
        "1OT10/1S11/13/13/13/13/13/11o1 B play - g5 123456/123456 0-0 25 -"
    )
    assert after(WALLED_IN, "end end end end c1-d1 b1-c1 end", hold_limit=2) == (
        "2OT9/1S11/13/13/13/13/13/11o1 B play - c1 123456/123456 0-0 25 R:0:c"
    )


def test_an_event_ends_the_match_and_leaves_the_position() -> None:
    assert after(GOAL_LINE, "c5xb5 card=2 card=3 forfeit B") == (
        "13/13/13/13/1O!sf9/1T11/13/13 B over:R c5:0 b5 12456/13456 0-0 21 -"
    )
    assert outcome(GOAL_LINE, "c5xb5 card=2 card=3 forfeit B") == ("R", "over-forfeit")


# Beyond the examples


def test_the_captain_who_starts_is_agreed_and_red_still_sets_up_first() -> None:
    assert after("start", start="B").split()[1:3] == ["B", "place:R"]
    assert to_act("start", start="B") == "R"
    assert to_act("start", f"{SET_UP} ball=1", start="B") == "B"


def test_after_a_try_both_set_up_again_and_the_other_side_starts() -> None:
    again = after(ABOUT_TO_SCORE, "l4-m4", tries=2)
    assert again == "13/13/13/13/13/13/13/13 B place:R - - 123456/123456 1-0 10 -"
    assert to_act(ABOUT_TO_SCORE, f"l4-m4 {SET_UP} ball=1", tries=2) == "B"


def test_cards_carry_over_to_the_next_try() -> None:
    position = ABOUT_TO_SCORE.replace("123456/123456", "12/56")
    assert after(position, "l4-m4", tries=3).split()[5] == "12/56"


@pytest.mark.parametrize(
    ("score", "tries", "over"),
    [("0-0", 2, "over:R"), ("0-1", 3, "over:draw"), ("0-0", 1, "over:R"), ("0-2", 3, "over:B")],
)
def test_a_try_on_the_last_turn_counts_first(score: str, tries: int, over: str) -> None:
    position = ABOUT_TO_SCORE.replace("0-0", score)
    ended = after(position, "l4-m4", tries=tries, turn_limit=10).split()
    assert (ended[1], ended[2], ended[7]) == ("R", over, "10")
    assert "11T" not in ended[0]


def test_the_turn_limit_ends_the_match_before_the_ball_is_stale() -> None:
    ended = after(WALLED_IN, "end end", turn_limit=22, hold_limit=1)
    assert ended.split()[1:] == ["R", "over:draw", "-", "b1", "123456/123456", "0-0", "22", "-"]
    assert outcome(WALLED_IN, "end end", turn_limit=22) == ("draw", "over-turns")


def test_a_man_on_the_numbered_square_has_the_drawn_ball() -> None:
    position = "1OT10/1S11/13/6o6/13/13/13/13 B draw - - 123456/123456 0-0 25 -"
    assert "g4xh4" not in legal(position, "ball=3", hold_limit=2)
    assert "g4-f4" in legal(position, "ball=3", hold_limit=2).split()
    assert after(position, "ball=3", hold_limit=2).split()[4] == "g4"


def test_a_duel_forgets_the_possession() -> None:
    position = NARROW.replace("0-0 9 -", "0-0 9 B:1:g")
    assert after(position, "f5xg5", hold_limit=3).split()[-1] == "-"
    assert after(position, "end", hold_limit=3).split()[-1] == "B:1:g"


def test_a_loose_ball_is_nobody_s_possession() -> None:
    position = KICK.replace("0-0 14 -", "0-0 14 R:1:h")
    assert after(position, "h2^k2", hold_limit=3).split()[-1] == "R:1:h"
    assert after(position, "h2^k2 end", hold_limit=3).split()[-1] == "-"
    assert after(position, "h2^k2 h2-i2 i2-j2 j2-k2 end", hold_limit=3).split()[-1] == "R:0:k"


def test_a_loose_ball_is_picked_up_in_passing() -> None:
    position = "13/13/13/3O1o7/13/13/13/13 R play - e4 123456/123456 0-0 3 -"
    assert after(position, "d4-e4").split()[4] == "e4"
    assert after(position, "d4-e4 e4-e5").split()[4] == "e5"


@pytest.mark.parametrize(
    ("cards", "ball", "marks"),
    [
        ("card=1 card=6", "g5", "5S!!oc5"),
        ("card=2 card=3", "h5", "5So!c5"),
        ("card=3 card=3", "f5", "5So!c5"),
        ("card=6 card=1", "f5", "5So!c5"),
    ],
)
def test_a_tackle_by_its_margin(cards: str, ball: str, marks: str) -> None:
    found = after(PERFECT, f"f5xg5 {cards}")
    assert found.split()[4] == ball
    assert marks in found


def test_only_exactly_two_may_be_agreed_to_be_perfect() -> None:
    assert after(PERFECT, "f5xg5 card=6 card=1", perfect="exact").split()[4] == "h5"
    assert after(PERFECT, "f5xg5 card=3 card=3", perfect="exact").split()[4] == "f5"


def test_a_second_tie_is_the_defender_s() -> None:
    found = after(TIE, "g6>h6 card=4 card=2 card=3 card=1")
    assert "5OF!!s5" in found
    assert found.split()[4] == "f6"


def test_a_tackled_man_who_is_down_keeps_his_mark() -> None:
    position = "13/13/13/3Tc!8/13/11s1/13/13 R play - e4 123456/123456 0-0 17 -"
    assert after(position, "d4xe4 card=6 card=1").split()[0].split("/")[3] == "3Tc!8"
    assert "T!!c!" in after(position, "d4xe4 card=1 card=6")


@pytest.mark.parametrize(
    ("position", "tackle", "choices", "ball"),
    [
        # From the side: the ball goes to the far side; by the touchline it goes forward.
        ("13/13/13/1s11/1O11/13/13/13", "b4xb5", "", "b6"),
        ("13/13/13/13/13/13/1s11/1O11", "b7xb8", "", "c8"),
        # From the front: either side; by the touchline there is but one.
        ("13/13/13/13/1Os10/13/13/13", "c5xb5", "drop=b4 drop=b6", ""),
        ("1Os10/13/13/13/13/13/13/13", "c1xb1", "", "b2"),
        # From behind, away from the goal line: the tackler stands where the ball goes.
        ("13/13/13/3sO8/13/13/13/13", "d4xe4", "", "d4"),
    ],
)
def test_where_the_ball_drops(position: str, tackle: str, choices: str, ball: str) -> None:
    at = tackle[-2:]
    position = f"{position} B play - {at} 123456/123456 0-0 3 -"
    texts = f"{tackle} card=1 card=2"
    assert legal(position, texts).startswith(choices)
    assert not ball or after(position, texts).split()[4] == ball


def test_passes_and_who_may_jump_in() -> None:
    """A Blue man on each square around the holder in turn; which passes does he endanger?"""
    endangered: dict[str, set[str]] = {}
    for jumper in ("g3", "g4", "g5", "h3", "h5"):
        for receiver in ("f2", "f3", "f4", "f5", "f6", "g2", "g3", "g4", "g5", "g6"):
            if receiver != jumper:
                men = {"h4": "O", receiver: "T", jumper: "o"}
                if " icpt:" in after(field(men), f"h4~{receiver}"):
                    endangered.setdefault(jumper, set()).add(receiver)
    assert endangered == {
        "g3": {"f2", "f3", "g2"},
        "g4": {"f3", "f4", "f5"},
        "g5": {"f5", "f6", "g6"},
        "h3": {"g2"},
        "h5": {"g6"},
    }


def test_crooked_passes_may_be_agreed_to_have_one_square_in_between() -> None:
    crooked = field({"h4": "O", "g2": "T", "h3": "o"})
    assert " play " in after(crooked, "h4~g2", between="diag")
    assert " icpt:" in after(field({"h4": "O", "g2": "T", "g3": "o"}), "h4~g2", between="diag")
    assert " play " in after(field({"h4": "O", "f3": "T", "g4": "o"}), "h4~f3", between="diag")


def test_an_intercepted_ball_and_nobody_is_down() -> None:
    found = after(TWO_JUMPERS, "h4~f3 int=g4 card=1 card=6")
    assert found.split()[4] == "g4"
    assert "!" not in found
    assert "h4xg4" in legal(TWO_JUMPERS, "h4~f3 int=g4 card=1 card=6").split()


def test_a_knocked_out_man_in_between_is_no_danger() -> None:
    position = field({"h4": "O", "f4": "T", "g4": "o!"})
    assert after(position, "h4~f4").split()[4] == "f4"


def test_lines_may_be_agreed_for_passes_and_kicks() -> None:
    crooked = field({"h4": "O", "g2": "T"})
    assert refusal_of(crooked, "h4~g2", pass_shape="line") == ("pass-not-in-line", "11")
    assert refusal_of(crooked, "h4^j3", kick_shape="line") == ("kick-not-in-line", "11")
    kicks = [c for c in legal(crooked, kick_shape="line").split() if "^" in c]
    assert kicks == [f"h4^{s}" for s in ("i3", "i4", "i5", "j2", "j4", "j6", "k1", "k4", "k7")]


def test_charging_sideways_along_the_goal_line() -> None:
    position = "13/13/13/13/1F11/1o11/13/13 R play - b5 123456/123456 0-0 3 -"
    assert legal(position, "b5>b6 card=6 card=1") == "exit=b7 exit=c6"
    assert after(position, "b5>b6 card=1 card=6").split()[4] == "b4"


def test_a_charge_into_the_in_goal_is_a_try() -> None:
    position = "13/13/13/13/10Fo1/13/13/13 R play - k5 123456/123456 0-0 3 -"
    assert legal(position, "k5>l5 card=6 card=1") == "exit=l4 exit=l6 exit=m5"
    assert outcome(position, "k5>l5 card=6 card=1 exit=m5") == ("R", "over-tries")


def test_a_committed_card_is_unspent_when_an_event_ends_the_match() -> None:
    assert after(PERFECT, "f5xg5 card=3 resign R") == (
        "13/8o4/13/13/5Soc5/3O9/13/13 R over:B f5:0 g5 123456/123456 0-0 9 -"
    )


def test_events_are_for_those_who_may() -> None:
    game, state = game_with(), state_after(PERFECT)
    for text, allowed in (
        ("resign R", "R"),
        ("resign B", "B"),
        ("forfeit R", REFEREE),
        ("void", REFEREE),
        ("draw", TABLE),
    ):
        action = game.notation.read_action(text)
        for actor in ("R", "B", CHANCE, REFEREE, TABLE):
            refusal = game.rules.why_not(state, actor, action)
            assert (refusal is None) == (actor == allowed), (text, actor)
            assert refusal is None or refusal.paragraph == "9.3"
    over = state_after(PERFECT, "draw")
    assert game.rules.outcome(over).payoffs == (0, 0)
    for text in ("end", "draw", "resign R", "void"):
        with pytest.raises(Refused, match="match-over"):
            game.rules.resolve(
                over,
                game.rules.actor_of(over, game.notation.read_action(text)),
                game.notation.read_action(text),
            )


# Refusals


DOWN = "13/13/13/4O!t7/13/4T8/13/13 R play - f4 123456/123456 0-0 5 -"
THIRD = "13/13/13/3S9/13/4TF7/13/13 R play e6:1,f6:2 c1 123456/123456 0-0 5 -"
ONE_POINT = "13/13/13/5Oc6/13/13/13/13 R play f4:1 f4 123456/123456 0-0 10 -"
BLOCKED = "13/13/13/5Ocs5/13/13/13/13 R play - f4 123456/123456 0-0 10 -"
HOLDER = "13/13/5T7/4OFO1o4/13/4o8/13/3S9 R play - f4 123456/123456 0-0 10 -"


@pytest.mark.parametrize(
    ("position", "texts", "refusal", "paragraph"),
    [
        (HOLDER, "a1-b1", "nobody", "4"),
        (HOLDER, "i4-i5", "not-your-man", "4"),
        (DOWN, "e4-e5", "down", "4"),
        (THIRD, "d4-d5", "third-man", "4"),
        (HOLDER, "d8-c8 c8-b8 b8-b7", "no-points", "4"),
        (HOLDER, "d8-e7", "not-adjacent", "1"),
        (HOLDER, "f4-e4", "taken", "4.1"),
        (field({"b4": "O", "d4": "o"}), "b4-a4", "own-in-goal", "4.1"),
        (field({"l4": "O", "d4": "o"}), "l4-m4", "in-goal-without-ball", "4.1"),
        (HOLDER, "d8~b8", "pass-without-ball", "5.1"),
        (HOLDER, "f4~g4", "pass-forward", "5.1"),
        (HOLDER, "f4~f3", "pass-level", "5.1"),
        (HOLDER, "f4~d8", "pass-too-far", "5.1"),
        (HOLDER, "f4~e5", "pass-to-nobody", "5.1"),
        (HOLDER, "f4~e6", "pass-to-opponent", "5.1"),
        (field({"e4": "O!", "f4": "F"}, ball="f4"), "f4~e4", "pass-to-the-down", "5.1"),
        (HOLDER, "e4^h4", "kick-without-ball", "5.3"),
        (HOLDER, "f4^h4", "kick-partner-ahead", "5.3"),
        (KICK, "h2^g2", "kick-not-forward", "5.3"),
        (KICK, "h2^l2", "kick-too-far", "5.3"),
        (KICK, "h2^k3", "kick-onto-a-man", "5.3"),
        (field({"d4": "o", "k4": "O"}, ball="k4"), "k4^m4", "kick-in-goal", "5.3"),
        (HOLDER, "e4xe5", "tackle-nobody", "6"),
        (HOLDER, "e4xf4", "tackle-partner", "6"),
        (DOWN, "e6xe5", "tackle-nobody", "6"),
        (field({"e4": "O", "f4": "t", "h4": "o"}), "e4xf4", "tackle-without-ball", "6"),
        (HOLDER, "g4>h4", "force-without-ball", "7"),
        (HOLDER, "f4>f5", "force-nobody", "7"),
        (HOLDER, "f4>e4", "force-partner", "7"),
        (ONE_POINT, "f4>g4", "force-one-point", "7"),
        (BLOCKED, "f4>g4", "force-opponent-beyond", "7"),
        (PERFECT, "f5xg5 d6-d7", "card-first", "8"),
        (HOLDER, "card=3", "play-first", "4"),
        (HOLDER, "int=e6", "play-first", "4"),
        (HOLDER, "S@b1", "play-first", "4"),
        (HOLDER, "ball=3", "play-first", "4"),
        (TWO_JUMPERS, "h4~f3 int=f6", "cannot-intercept", "5.2"),
        (TWO_JUMPERS, "h4~f3 end", "intercept-first", "5.2"),
        (PERFECT, "f5xg5 end", "card-first", "8"),
        (TIE, "g6>h6 card=4 card=2 card=4", "not-in-hand", "8"),
        (FORCE, "j3>k3 card=6 card=4 exit=j2", "exit-where", "7"),
        (FORCE, "j3>k3 card=6 card=4 end", "exit-first", "7"),
        (GOAL_LINE, "c5xb5 card=2 card=3 drop=b7", "drop-where", "6.1"),
        (GOAL_LINE, "c5xb5 card=2 card=3 end", "drop-first", "6.1"),
        ("start", "T@b1", "place-next", "3"),
        ("start", "S@d1", "place-where", "3"),
        ("start", "S@b1 T@b1", "place-taken", "3"),
        ("start", "end", "place-first", "3"),
        ("start", f"{SET_UP} end", "draw-first", "3"),
    ],
)  # fmt: skip
def test_refusals(position: str, texts: str, refusal: str, paragraph: str) -> None:
    assert refusal_of(position, texts) == (refusal, paragraph)


def test_no_way_out_forbids_a_charge_whatever_was_agreed() -> None:
    position = "13/13/13/13/13/13/11O1/10Oo1 R play - k8 123456/123456 0-0 10 -"
    assert "k8>l8" in legal(position).split()  # out over the goal line
    closed = "1o11/1TO10/13/13/13/13/13/13 R play - b2 123456/123456 0-0 10 -"
    assert legal(closed).split().count("b2>b1") == 1
    shut = "1oO10/1T11/13/13/13/13/13/13 R play - b2 123456/123456 0-0 10 -"
    for beyond in ("opponent", "any", "exit"):
        assert refusal_of(shut, "b2>b1", force_beyond=beyond) == ("force-no-exit", "7")


def test_it_may_be_agreed_that_only_the_way_out_matters() -> None:
    assert "f4>g4" in legal(BLOCKED, force_beyond="exit").split()


def test_it_is_not_the_other_captain_s_turn() -> None:
    game, state = game_with(), state_after(HOLDER)
    refusal = game.rules.why_not(state, "B", game.notation.read_action("end"))
    assert (refusal.id, refusal.paragraph) == ("kahmate.not-your-turn", "4")
