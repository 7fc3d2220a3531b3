"""AS-Kimble's rules, one position at a time; the examples are those of the rule book (19)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.as_kimble.play import (
    LOTS,
    NOTHING,
    after,
    event_ids,
    game_with,
    last_step,
    ledger,
    legal,
    marks,
    motions,
    refusal_of,
    result,
    state_after,
    turn,
    unread,
    ways,
)
from kibitz.core.game import CHANCE, REFEREE, TABLE, odds_of_press
from kibitz.core.message import message
from kibitz.games.as_kimble import Options
from kibitz.games.as_kimble.board import TEAMS
from kibitz.i18n import say_in

HOME = f"h4/h4/h4/h4 R:N3 d- {NOTHING}"
DOUBLING = f"h3,t0/h4/h4/h4 R:P1 d6 {NOTHING}"
TRIPLE = f"h2,t4x2/h1,t9x3/h4/h4 R:M5 d5 {NOTHING}"
MINE = f"h3,t1/h3,t7/h4/h4 R:M6 d6 {NOTHING}"
FORCED = "t1,g2,g3,g4/h3,t7/h4/h4 R:M6 d6 3+0/0+0/0+0/0+0 1:- ---- -"
SPLIT = f"h1,t25x3/h4/h4/h4 R:M4 d4 {NOTHING}"
RAISE = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1 R:M6 d6 0+1/2+0/0+0/1+0 1:- ---- -"
ROUND = RAISE.replace("1:-", "1:RBYG")
PLACED = "g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1 R:N3 d2 2+5/0+3/0+0/1+0 1:B ---- -"
TICK = "h3,t9/g1,g2,g3,g4/h4/h4 R:M2 d2 0+0/2+6/0+0/0+0 1:- ---- -"


# The thirteen examples


def test_three_pops_without_margin() -> None:
    assert after("start") == HOME
    assert turn(HOME, "R pop 2", "R pop 5") == "R:P1"
    assert turn(HOME, "R pop 2", "R pop 5", "R pop 1") == "B:N3"
    assert turn(HOME, "R pop 6") == "R:M6"
    assert legal(HOME, "R pop 6") == ["R in"]


def test_doubling() -> None:
    assert legal(DOUBLING, "R pop 6") == ["R double", "R t0-t6"]
    assert after(DOUBLING, "R pop 6", "R double").startswith("h2,t0x2/h4/h4/h4 R:P1 d6 ")
    assert refusal_of(DOUBLING, "R pop 6", "R in") == ("enter-own", "6")


def test_a_double_eats_a_triple() -> None:
    eaten = "h2,t9x2/h4/h4/h4 B:N3 d5 0+0/6+0/0+0/0+0 1:- -!-- -"
    assert after(TRIPLE, "R t4-t9") == eaten
    assert event_ids(TRIPLE, "R t4-t9") == ["moved", "eaten", "hembo-due"]
    assert after(eaten, "B pop 2").split()[3:] == ["0+0/7+0/0+0/0+0", "1:-", "----", "-"]
    assert marks(eaten, "B hembo jag") == "-+--"
    assert ledger(eaten, "B hembo jag", "B pop 2") == "0+0/6+0/0+0/0+0"


def test_a_mine_is_entered_only_where_nothing_else_can_be_done() -> None:
    assert legal(MINE) == ["R in"]
    assert refusal_of(MINE, "R t1-t7") == ("mine-not-forced", "6")
    assert legal(FORCED) == ["R t1-t7"]
    mined = after(FORCED, "R t1-t7")
    assert mined.startswith("h1,g2,g3,g4/h3,t7/h4/h4 R:P1 d6 4+0/")
    assert turn(mined, "R pop 4") == "B:N1"
    both = f"t1,t8,g3,g4/h3,t7/h3,t14/h4 R:M6 d6 {NOTHING}"
    assert legal(both) == ["R t1-t7", "R t8-t14"]


def test_a_triple_splits_into_the_goal() -> None:
    assert after(SPLIT, "R t25-g2").startswith("h1,g1w1,g2/h4/h4/h4 B:N3 d4 ")
    waiting = f"h1,g1w1,g2/h4/h4/h4 R:N1 d4 {NOTHING}"
    assert legal(waiting, "R pop 2") == ["R g1-g3", "R g2-g4"]
    assert turn(waiting, "R pop 4") == "B:N3"


def test_a_raise_and_what_the_others_give_back() -> None:
    assert legal(RAISE) == ["R raise g1", "R raise g3", "R t0-t6", "R t12-t18"]
    assert after(RAISE, "R raise g1") == (
        "t0x2,t12,g3/h4/t20,t8,g2,g4/h4 R:CY d6 0+1/2+0/0+0/1+0 1:R -!-! -"
    )
    assert after(RAISE, "R raise g1", "Y return g2") == (
        "t0x2,t12,g3/h4/h1,t20,t8,g4/h4 R:P1 d6 0+1/2+0/0+0/1+0 1:R -!-! -"
    )


def test_a_new_round_needs_everybody() -> None:
    assert legal(ROUND) == ["R propose", "R t0-t6", "R t12-t18"]
    assert turn(ROUND, "R propose", "B yes", "G yes") == "R:VBG"
    assert legal(ROUND, "R propose", "B yes", "G yes") == ["Y no", "Y yes"]
    agreed = after(ROUND, "R propose", "B yes", "G yes", "Y yes").split()
    assert (agreed[1], agreed[4]) == ("R:M6", "2:-")
    assert legal(ROUND, "R propose", "B yes", "G yes", "Y yes") == legal(RAISE)
    assert turn(ROUND, "R propose", "Y no") == "R:M6x"
    assert legal(ROUND, "R propose", "Y no") == ["R t0-t6", "R t12-t18"]


def test_a_team_that_has_placed_all_but_owes() -> None:
    assert legal(PLACED) == ["R pass"]
    raises = [f"R raise g{goal}" for goal in (1, 2, 3, 4)]
    assert legal(PLACED, "R pop 6") == ["R pass", *raises]
    assert turn(PLACED, "R done 2") == "R:E"
    assert result(PLACED, "R done 2") == {"winner": "R", "true_victory": False, "moral": "R"}


def test_lots_and_colours() -> None:
    lots = ("a lot 3", "b lot 3", "c lot 5", "d lot 2")
    assert turn(LOTS, *lots) == "K:dc"
    assert turn(LOTS, *lots, "d colour R") == "G:N3"


def test_a_penalty_is_done_whenever_a_turn_comes() -> None:
    pace: dict[str, Any] = {"pace": "turn"}
    assert after(TICK, "R t9-t11", **pace) == (
        "h3,t11/g1,g2,g3,g4/h4/h4 B:N3 d2 0+0/1+7/0+0/0+0 1:- ---- -"
    )
    assert refusal_of(TICK, "R t9-t11", "B done 1", **pace) == ("done-by-turns", "11.1")
    assert turn(TICK.replace("2+6", "1+6"), "R t9-t11", **pace) == "B:E"
    skipped = after(TICK, "R t9-t11", **pace, finished="skip")
    assert skipped.split()[1:4:2] == ["Y:N3", "0+0/1+7/0+0/0+0"]


# Beyond the examples


@pytest.mark.parametrize(
    ("lots", "due"),
    [
        ("-/-/-/-", "abcd"),
        ("3/-/3/-", "bd"),
        ("3/3/3/3", "abcd"),
        ("3/3/5/3", "abd"),
        ("3/3/5/5", "abcd"),
        ("31/3/5/5", "bcd"),
        ("31/31/54/56", "ab"),
        ("31/31/5/5", "abcd"),
        ("3/32/5/2", ""),
    ],
)
def test_who_must_pop_for_the_lots(lots: str, due: str) -> None:
    game, position = game_with(), LOTS.replace("-/-/-/-", lots, 1)
    if not due:
        assert unread(position) == ("read-lots-not-due", "16")
        return
    state = game.notation.read_state(position)
    assert game.notation.filter_extras(state, ())["to_act"] == due


def test_on_a_screen_every_seat_presses_the_dome_for_itself() -> None:
    """K17: whoever is due may press, and the die falls for nobody else."""
    game = game_with()
    state = game.notation.read_state(LOTS.replace("-/-/-/-", "3/-/-/5", 1))
    assert game.rules.to_act(state) == {CHANCE, "B", "Y"}
    assert game.rules.turn_actions(state, "B") == ()
    for seat, chair in (("B", "b"), ("Y", "c")):
        odds = odds_of_press(game, state, seat)
        texts = {game.notation.write_action(each): share for each, share in odds.items()}
        assert texts == {f"{chair} lot {face}": Fraction(1, 6) for face in range(1, 7)}


def test_ties_are_broken_among_those_who_tied() -> None:
    """K20."""
    ties = ("a lot 2", "b lot 2", "c lot 6", "d lot 6")
    assert (
        turn(LOTS, *ties, "a lot 3", "b lot 1", "c lot 4", "d lot 4", "c lot 1", "d lot 2")
        == "K:bd"
    )
    orders = turn(
        LOTS, *reversed(ties), "c lot 4", "d lot 4", "a lot 3", "d lot 2", "b lot 1", "c lot 1"
    )
    assert orders == "K:bd"
    equal = tuple(f"{chair} lot 4" for chair in "abcd")
    assert turn(LOTS, *equal, "a lot 1", "b lot 2", "c lot 3", "d lot 6") == "K:ad"


def test_very_long_lots_are_read_at_once() -> None:
    """They would take a quarter of a minute if each pop were looked at from the first."""
    alike = "4" * 5000
    four = f"{alike}2/{alike}2/{alike}5/{alike}3"
    assert turn(LOTS.replace("-/-/-/-", four), "a lot 1", "b lot 3") == "K:ac"
    extra = LOTS.replace("-/-/-/-", f"{four}1")
    assert unread(extra) == ("read-lots-not-due", "16")


@pytest.mark.parametrize("chair", "abcd")
@pytest.mark.parametrize("team", TEAMS)
def test_whoever_sits_on_a_chair_goes_with_its_colour(chair: str, team: str) -> None:
    highest = "b" if chair == "a" else "a"
    colours = LOTS.replace("S:-/-/-/-", f"K:{chair}{highest}")
    step = last_step(colours, f"{chair} colour {team}")
    before = dict(zip("abcd", TEAMS, strict=True))
    assert sorted(step.seat_changes) == sorted(step.seat_changes.values()) == sorted(TEAMS)
    assert step.seat_changes[before[chair]] == team
    assert step.seat_changes[before[highest]] == step.state.phase.team
    for seat, next in zip(TEAMS, (*TEAMS[1:], TEAMS[0]), strict=True):
        following = (TEAMS.index(step.seat_changes[seat]) + 1) % 4
        assert step.seat_changes[next] == TEAMS[following]


def test_nobody_else_changes_seats() -> None:
    assert last_step(LOTS, "a lot 3").seat_changes == {}
    assert last_step(HOME, "R pop 6").seat_changes == {}


def test_a_seat_is_a_chair_until_colours_are_known() -> None:
    game, colours = game_with(), LOTS.replace("S:-/-/-/-", "K:dc")
    for position in (LOTS, colours):
        called = [game.policy.seat_letter(state_after(position), seat) for seat in TEAMS]
        assert called == list("abcd")
    for position in (HOME, RAISE, after(PLACED, "R done 2")):
        called = [game.policy.seat_letter(state_after(position), seat) for seat in TEAMS]
        assert called == list(TEAMS)
    assert say_in("en", {})(message("as-kimble.seat-b")) == "Chair b"


def test_loosening_pops_come_before_the_lots() -> None:
    assert after(LOTS, "warm 3").split()[2] == "d3"
    assert refusal_of(LOTS, "a lot 3", "warm 3") == ("warm-before", "4")


def test_votes_and_returns_come_in_any_order() -> None:
    orders = {
        after(ROUND, "R propose", *votes) for votes in (("B yes", "Y yes"), ("Y yes", "B yes"))
    }
    assert len(orders) == 1
    board = "t0,g1,g3/h2,g2,g4/t20,t8,g2,g4/h2,g1,g4 R:M6 d6 0+0/0+0/0+0/0+0 1:- ---- -"
    board = board.replace("t0,g1,g3", "t0,t5,g1,g3")
    returns = ("B return g2", "Y return g4", "G return g1")
    assert after(board, "R raise g1", *returns) == after(board, "R raise g1", *reversed(returns))


def answers_after(position: str, *texts: str, **options: Any) -> dict[str, str]:
    game = game_with(**options)
    owed = game.policy.default_answers(state_after(position, *texts, **options))
    return {seat: game.notation.write_action(action) for seat, action in owed.items()}


def test_what_counts_for_an_answer_that_does_not_come() -> None:
    assert answers_after(ROUND, "R propose", "G yes") == {"B": "B no", "Y": "Y no"}
    assert answers_after(RAISE, "R raise g1") == {"Y": "Y return g2"}
    three = f"t0x2,g3,g4/h1,g1w1,g4/t8,g2,g3,g4/h2,g3,g4 R:CBYG d6 {NOTHING}"
    assert answers_after(three) == {"B": "B return g1", "Y": "Y return g2", "G": "G return g3"}
    assert answers_after(three, "Y return g4") == {"B": "B return g1", "G": "G return g3"}
    for position in (HOME, DOUBLING, RAISE, ROUND, PLACED, LOTS):
        assert answers_after(position) == {}
    assert answers_after(three, "break") == {}
    assert answers_after(three, "break", "resume") == answers_after(three)
    assert answers_after(three, "R stray 2", mode="companion") == {}


@pytest.mark.parametrize(("position", "texts"), [(ROUND, ("R propose",)), (RAISE, ("R raise g1",))])
def test_what_counts_in_the_end_is_allowed(position: str, texts: tuple[str, ...]) -> None:
    game, state = game_with(), state_after(position, *texts)
    owed = game.policy.default_answers(state)
    assert owed.keys() == game.rules.to_act(state)
    for seat, action in owed.items():
        assert game.rules.why_not(state, seat, action) is None


def test_a_piece_hops_from_grid_to_grid() -> None:
    around = f"h3,t26/h3,t5/h4/h4 R:M3 d3 {NOTHING}"
    assert ways(around, "R t26-g2") == ["hop t-26 t-27 g-R1 g-R2"]
    passing = f"h3,t5/h3,t26/h4/h4 B:M4 d4 {NOTHING}"
    assert ways(passing, "B t26-t2") == ["hop t-26 t-27 t-0 t-1 t-2"]
    inside = f"h2,g1w1/h4/h4/h4 R:M2 d2 {NOTHING}"
    assert ways(inside, "R g1-g3") == ["hop g-R1w1 g-R2 g-R3"]


def test_who_is_eaten_goes_home_after_the_other_has_come() -> None:
    assert ways(TRIPLE, "R t4-t9") == ["hop t-4 t-5 t-6 t-7 t-8 t-9", "home t-9 h-B1"]
    assert ways(FORCED, "R t1-t7") == ["hop t-1 t-2 t-3 t-4 t-5 t-6 | t-7 h-R0"]


def test_what_is_put_down_flies() -> None:
    assert ways(MINE, "R in") == ["fly h-R2 t-0"]
    assert ways(f"h3,t0/h4/h4/h4 R:M6 d6 {NOTHING}", "R double") == ["fly h-R2 t-0"]
    assert ways(RAISE, "R raise g1") == ["fly g-R1 t-0", "home g-B4 h-B3", "home g-G1 h-G3"]


def test_the_die_is_seen_to_roll_unless_it_is_a_real_one() -> None:
    assert ways(HOME, "R pop 2") == ways(LOTS, "a lot 3") == ["roll dome dome"]
    assert ways(HOME, "R pop 2", mode="companion") == []
    assert motions(HOME, "R pop 2") == []


def test_in_a_raise_pieces_that_wait_go_first() -> None:
    crowded = f"t3,g1w2/h3,g4/h1,t20,g1w1/h1,g1w1,g3 R:M6 d6 {NOTHING}"
    assert motions(crowded, "R raise g1") == ["g-R1w2 t-0", "g-B4 h-B3", "g-Y1w1 h-Y1"]
    assert motions(crowded, "R raise g1", "G return g1") == ["g-G1w1 h-G1"]
    assert motions(crowded, "R raise g1", "G return g3") == ["g-G3 h-G1"]
    single = f"t3,t9,g1,g2/h3,g4/h2,t20,g1/h2,g1,g3 R:M6 d6 {NOTHING}"
    assert motions(single, "R raise g1") == ["g-R1 t-0", "g-B4 h-B3", "g-Y1 h-Y2"]
    assert motions(single, "R raise g1", "G return g1") == ["g-G1 h-G2"]


def test_the_book_has_room_for_six_digits() -> None:
    full = HOME.replace("0+0", "5+999998", 1)
    assert ledger(full, "R done 1") == "4+999999/0+0/0+0/0+0"
    assert ledger(full, "R done 5") == "0+999999/0+0/0+0/0+0"


def test_a_team_still_to_give_a_piece_back_does_not_win() -> None:
    board = "t0,t5,g1,g3/g1,g2,g3,g4/h3,g4/h3,g1 R:M6 d6 0+0/1+0/0+0/0+0 1:- ---- -"
    assert turn(board, "R raise g1", "B done 1") == "R:CB"
    assert turn(board, "R raise g1", "B done 1", "B return g4") == "R:P1"
    assert turn(board, "B done 1") == "B:E"


def test_a_raise_eats_who_stands_on_the_start_grid() -> None:
    board = "t5,t12,g1,g3/h2,t0,g4/h3,g4/h3,g1 R:M6 d6 0+0/0+0/0+0/0+0 1:- ---- -"
    found = after(board, "R raise g3")
    assert found.startswith("t0,t5,t12,g1/h4/")
    assert (found.split()[3], found.split()[5]) == ("0+0/1+0/0+0/0+0", "-!!!")


def test_the_rearmost_piece_may_be_agreed_on() -> None:
    options: dict[str, Any] = {"raise_return": "rearmost"}
    assert legal(RAISE, **options) == ["R raise g1", "R t0-t6", "R t12-t18"]
    assert turn(RAISE, "R raise g1", **options) == "R:P1"
    assert refusal_of(RAISE, "R raise g3", **options) == ("rearmost", "15")


def test_a_refusal_may_be_agreed_to_be_final() -> None:
    found = after(ROUND, "R propose", "B no", refusal="final")
    assert found.split()[4] == "1:RBYG!"
    later = found.replace("R:M6x", "R:M6")
    assert "R propose" not in legal(later, refusal="final")


def test_without_raising() -> None:
    assert legal(RAISE, raising=False) == ["R t0-t6", "R t12-t18"]
    assert refusal_of(RAISE, "R raise g1", raising=False) == ("raising-off", "15")


def test_a_six_that_is_of_no_use_still_gives_a_pop() -> None:
    stuck = f"g1,g2,g3,t27/h4/h4/h4 R:N1 d1 {NOTHING}".replace("g1,g2,g3,t27", "t27,g1,g2,g3")
    assert turn(stuck, "R pop 6") == "R:P1"
    assert turn(stuck, "R pop 5") == "B:N3"


def test_finished_teams_are_passed_over_if_that_is_agreed() -> None:
    board = "h3,t9/g1,g2,g3,g4/g1,g2,g3,g4/h4 R:M2 d2 0+0/2+6/1+0/0+0 1:- ---- -"
    assert turn(board, "R t9-t11", finished="skip") == "G:N3"
    assert turn(board, "R t9-t11", finished="skip", pace="turn") == "Y:E"
    own = "t25,g1,g2,g3/h4/h4/h4 R:M6 d6 2+0/0+0/0+0/0+0 1:- ---- -"
    assert turn(own.replace("t25", "t25"), "R t25-g4", finished="skip") == "B:N3"
    assert turn(own, "R t25-g4") == "R:P3"


@pytest.mark.parametrize(
    ("mark", "size", "form", "owed", "left"),
    [
        ("!", 1, "jag", 0, "+"),
        ("!", 1, "vi", 0, "!"),
        ("!", 3, "vi", 0, "+"),
        ("+", 1, "jag", 0, "+"),
        ("+", 1, "vi", 0, "+"),
        ("-", 1, "jag", 1, "-"),
        ("-", 1, "vi", 1, "-"),
    ],
)
def test_the_sentence(mark: str, size: int, form: str, owed: int, left: str) -> None:
    position = f"h4/h3,t9/h4/h4 B:N3 d5 0+0/0+0/0+0/0+0 1:- {mark}--- -"
    found = after(position, f"R hembo {form}", team_size=[size, 1, 1, 1]).split()
    assert (found[3], found[5]) == (f"{owed}+0/0+0/0+0/0+0", f"{left}---")


def test_hembo_in_time_or_late_whoever_pops() -> None:
    """The order of call and pop is what matters; further pops of the same turn do not."""
    owing = f"h2,t9x2/h4/h4/h4 R:P1 d6 {NOTHING}".replace("----", "-!--")
    assert marks(owing, "R pop 6") == "-!--"
    assert ledger(owing, "R pop 1", "R t9-t10", "B hembo jag", "B pop 1") == "0+0/0+0/0+0/0+0"
    assert ledger(owing, "R pop 1", "R t9-t10", "B pop 1", "B hembo jag") == "0+0/2+0/0+0/0+0"


def test_a_second_fall_opens_the_duty_again() -> None:
    position = f"h2,t4x2/h3,t9/h4/h4 R:M5 d5 {NOTHING}".replace("----", "-+--")
    assert marks(position, "R t4-t9") == "-!--"


def test_without_hembo() -> None:
    assert marks(TRIPLE, "R t4-t9", hembo="off") == "----"
    assert refusal_of(HOME, "R hembo jag", hembo="off") == ("hembo-off", "15")


def test_a_break_stops_everything_but_words() -> None:
    resting = after(HOME, "break")
    assert resting.endswith(" b")
    assert legal(resting) == []
    for text in ("R pop 3", "R done 1"):
        assert refusal_of(resting, text)[1] == "12.3"
    assert ledger(resting, "R hembo jag") == "1+0/0+0/0+0/0+0"
    assert after(resting, 'note "pizza"') == resting
    assert after(resting, "resume") == HOME
    assert refusal_of(HOME, "resume") == ("no-break", "12.3")


def test_on_a_screen_a_break_is_the_referee_s_or_everybody_s() -> None:
    for mode, allowed in (("digital", {REFEREE, TABLE}), ("companion", {REFEREE, TABLE, *"RBYG"})):
        game, state = game_with(mode=mode), state_after(HOME)
        action = game.notation.read_action("break")
        actors = {"R", "B", "Y", "G", CHANCE, REFEREE, TABLE}
        assert {who for who in actors if not game.rules.why_not(state, who, action)} == allowed


def test_mishaps_on_a_real_board() -> None:
    real: dict[str, Any] = {"mode": "companion"}
    known = HOME.replace("d-", "d4")
    assert after(known, "church", **real) == known
    assert after(known, "R silent 2", **real).split()[1:3] == ["R:N3", "d2"]
    assert after(known, "R sticky", **real).split()[1:3] == ["R:P2", "d4"]
    assert refusal_of(HOME, "R sticky", **real) == ("face-unknown", "12.2")
    assert refusal_of(known, "R stray 2", **real) == ("stray-due", "12.2")
    assert after(HOME, "B stray 2", **real).split()[2] == "d2"
    strayed = after(known, "B stray 2", **real)
    assert strayed.split()[2] == "d2>4"
    assert legal(strayed, **real) == [f"fix {face}" for face in range(1, 7)]
    assert refusal_of(strayed, "R pop 3", **real) == ("reset-first", "12.2")
    assert after(strayed, "Y stray 5", **real).split()[2] == "d5>4"
    assert after(strayed, "fix 3", **real).split()[2] == "d3>4"
    assert after(strayed, "fix 3", "fix 4", **real) == known
    assert refusal_of(strayed, "break", "fix 4", **real) == ("in-a-break", "12.3")
    assert refusal_of(known, "church") == ("real-board-only", "12.2")


def test_a_break_that_is_ignored_costs_the_team_penalties_every_time() -> None:
    """K105."""
    resting = "h4/h4/h4/h4 R:N3 d4 0+0/0+0/0+0/0+0 1:- ---- b"
    real: dict[str, Any] = {"mode": "companion"}
    assert after(resting, "B stray 6", "G ignored", **real) == (
        "h4/h4/h4/h4 R:N3 d6>4 0+0/1+0/0+0/1+0 1:- ---- b"
    )
    assert ledger(resting, "B stray 4", "B stray 4", **real) == "0+0/2+0/0+0/0+0"
    assert event_ids(resting, "B stray 6", **real) == ["stray-in-break", "ignored", "reset-due"]
    assert ledger(resting, "R ignored", break_penalty=3, **real) == "3+0/0+0/0+0/0+0"
    full = resting.replace("0+0", "999999+0", 1)
    for text in ("R ignored", "R stray 4"):
        assert refusal_of(full, text, **real) == ("book-limits", "12.3")


def test_where_a_break_costs_nothing_by_itself_the_referee_decides() -> None:
    resting = "h4/h4/h4/h4 R:N3 d4 0+0/0+0/0+0/0+0 1:- ---- b"
    free: dict[str, Any] = {"mode": "companion", "break_penalty": 0}
    assert ledger(resting, "B stray 6", "G ignored", **free) == "0+0/0+0/0+0/0+0"
    assert event_ids(resting, "G ignored", **free) == ["ignored-free"]


def test_a_pop_that_is_nobodys_turn_is_undone_and_costs_only_in_a_break() -> None:
    """K107."""
    known, real = HOME.replace("d-", "d4"), {"mode": "companion"}
    assert after(known, "B stray 6", **real).split()[2:4] == ["d6>4", "0+0/0+0/0+0/0+0"]
    assert after(known, "break", "B stray 6", **real).split()[2:4] == ["d6>4", "0+0/1+0/0+0/0+0"]
    late = after(known, "break", "B stray 6", "resume", **real)
    assert refusal_of(late, "G ignored", **real) == ("nothing-ignored", "12.3")
    assert ledger(late, "B stray 5", **real) == "0+0/1+0/0+0/0+0"
    assert refusal_of(known, "break", "G ignored") == ("real-board-only", "12.2")


def test_a_die_that_stands_silent_or_sticky_is_the_same_in_the_starting_pops() -> None:
    """K91, R31."""
    drawn = f"h4/h4/h4/h4 S:3/-/-/- d3 {NOTHING}"
    real: dict[str, Any] = {"mode": "companion"}
    assert after(drawn, "church", **real) == drawn
    assert after(drawn, "b silent 6", **real) == drawn.replace("d3", "d6")
    assert after(drawn, "b silent 6", "c sticky", **real) == drawn.replace(
        "3/-/-/- d3", "3/-/6/- d6"
    )
    assert refusal_of(drawn, "a sticky", **real) == ("no-pop-due", "12.2")
    for text in ("R sticky", "R silent 2", "B stray 2", "R ignored", "break"):
        assert refusal_of(drawn, text, **real) == ("preparing", "4")
    assert refusal_of(LOTS, "a sticky", **real) == ("face-unknown", "12.2")
    assert after(LOTS, "a silent 2", "warm 4", **real) == LOTS.replace("d-", "d4")
    for text in ("church", "a silent 2"):
        assert refusal_of(drawn, text) == ("preparing", "4")
    assert refusal_of(HOME, "a silent 2", **real) == ("no-pop-due", "12.2")


def test_the_referee() -> None:
    assert ledger(PLACED, 'ref pen B +3 "popped twice"') == "2+5/3+3/0+0/1+0"
    assert turn(PLACED, 'ref pen R -2 "a mistake"') == "R:E"
    assert ledger(PLACED, 'ref done B -3 "not true"') == "2+5/0+0/0+0/1+0"
    assert refusal_of(PLACED, 'ref pen B -1 "why"') == ("book-limits", "12.1")
    assert after(PLACED, 'ref rule "the cat did it"') == PLACED
    ended = after(PLACED, 'ref end "late"')
    assert ended.split()[1] == "-:E"
    assert result(PLACED, 'ref end "late"') == {"winner": None, "true_victory": False, "moral": "R"}
    assert after(ended, f'ref set "{HOME}" "play on"') == HOME
    for text in ('ref rule "x"', 'note "x"', "R pop 1", 'ref pen R +1 "x"', "break"):
        assert refusal_of(ended, text)[0] == "over"
    game, state = game_with(), state_after(HOME)
    for who in ("R", CHANCE, TABLE):
        assert (
            game.rules.why_not(state, who, game.notation.read_action('ref rule "x"')).id
            == "as-kimble.referee-only"
        )


def test_a_true_victory_is_the_winner_s_own_raise() -> None:
    assert result(PLACED.replace("1:B", "1:R"), "R done 2")["true_victory"] is True
    assert result(PLACED.replace("1:B", "2:-"), "R done 2")["true_victory"] is True


def test_every_win_says_whether_there_was_a_raise_in_it() -> None:
    """K79, K112, K113."""
    game = game_with()
    for raises, id, wanted in (
        ("1:-", "over-won", "won-unraised"),
        ("1:B", "over-won", "won-others-raised"),
        ("2:R", "over-truly", 2),
    ):
        state = state_after(PLACED.replace("1:B", raises), "R done 2")
        why = game.rules.outcome(state).why
        assert why.id == f"as-kimble.{id}"
        kind = why.value("raises")
        assert (kind.id.removeprefix("as-kimble.") if kind else why.value("n")) == wanted


def test_the_moral_victory_may_be_shared() -> None:
    assert result(PLACED.replace("0+3", "0+7"), "R done 2")["moral"] == "RB"
    assert result(PLACED.replace("2+5", "1+0").replace("0+3", "0+0"), 'ref end "x"')["moral"] == ""


def test_the_dome_likes_to_turn_the_die_over() -> None:
    game, state = game_with(die="naksu"), state_after(HOME.replace("d-", "d2"))
    odds = {action.face: share for action, share in game.rules.odds(state).items()}
    assert {face: int(share * 100) for face, share in odds.items()} == {
        1: 17, 2: 10, 3: 17, 4: 17, 5: 22, 6: 17,
    }  # fmt: skip
    fair = game_with(die="naksu").rules.odds(state_after(HOME))
    assert len(set(fair.values())) == 1


def test_the_starting_pops_are_fair_whatever_the_dome_likes() -> None:
    lots = state_after(LOTS.replace("d-", "d2"))
    assert set(game_with(die="naksu").rules.odds(lots).values()) == {Fraction(1, 24)}


def test_units_are_for_people() -> None:
    assert Options(unit="cans", team_size=(3, 1, 1, 1)).litres("R", 2) == pytest.approx(0.99)
    assert Options().litres("R", 5) == 0
    assert Options(unit="custom", unit_name="juice", litres_per_share=0.1).litres(
        "B", 3
    ) == pytest.approx(0.3)


# Refusals


@pytest.mark.parametrize(
    ("position", "texts", "refusal", "paragraph"),
    [
        (HOME, ("B pop 3",), "not-your-turn", "5"),
        (HOME, ("R in",), "pop-first", "5"),
        (HOME, ("R pass",), "must-pop", "5.2"),
        (HOME, ("R pop 6", "R pop 6"), "choose-first", "5.1"),
        (HOME, ("R pop 6", "R pass"), "must-move", "5.1"),
        (HOME, ("R pop 6", "R t0-t6"), "no-piece", "6"),
        (TRIPLE, ("R in",), "enter-six", "6"),
        (TRIPLE, ("R t4-t8",), "not-the-number", "6"),
        (TRIPLE, ("B t9-t14",), "not-your-turn", "5"),
        (f"h2,t4,t9/h4/h4/h4 R:M5 d5 {NOTHING}", ("R t4-t9",), "own-piece", "6"),
        (f"h1,t4,t26,g4/h4/h4/h4 R:M5 d5 {NOTHING}", ("R t26-g4",), "goal-taken", "6"),
        (f"t0,t2,t4,t8/h4/h4/h4 R:M6 d6 {NOTHING}", ("R in",), "enter-nobody", "6"),
        (TRIPLE, ("R double",), "double-six", "8.1"),
        (f"h2,t4x2/h1,t9x3/h4/h4 R:M6 d6 {NOTHING}", ("R double",), "double-nobody", "8.1"),
        (f"t0x2,t4,t9/h4/h4/h4 R:M6 d6 {NOTHING}", ("R double",), "double-home", "8.1"),
        (TRIPLE, ("R raise g1",), "raise-six", "9.1"),
        (DOUBLING, ("R pop 6", "R raise g1"), "raise-home", "9.1"),
        (RAISE.replace("h3,g1", "h4"), ("R raise g1",), "raise-goals", "9.1"),
        (RAISE.replace("1:-", "1:R"), ("R raise g1",), "raised-already", "9.3"),
        (RAISE, ("R raise g2",), "goal-empty", "9.2"),
        (RAISE, ("R propose",), "round-open", "9.3"),
        (ROUND.replace("1:RBYG", "1:RBYG!"), ("R propose",), "proposals-closed", "9.3"),
        (ROUND, ("R propose", "B no", "R propose"), "refused-now", "9.3"),
        (ROUND, ("R propose", "R yes"), "not-your-turn", "5"),
        (ROUND, ("R propose", "B yes", "B yes"), "not-your-turn", "5"),
        (ROUND, ("R propose", "R t0-t6"), "vote-first", "9.3"),
        (RAISE, ("R raise g1", "Y return g1"), "goal-empty", "9.2"),
        (RAISE, ("R raise g1", "B return g4"), "not-your-turn", "5"),
        (RAISE, ("R raise g1", "R pop 1"), "return-first", "9.2"),
        (HOME, ("R done 1",), "done-too-many", "11.1"),
        (PLACED, ("R done 3",), "done-too-many", "11.1"),
        (LOTS, ("R pop 3",), "lots-first", "4"),
        (LOTS, ("R hembo jag",), "preparing", "4"),
        (LOTS, ("a lot 3", "a lot 4"), "lot-not-due", "4"),
        (HOME, ("a lot 3",), "pop-first", "5"),
        (LOTS, ("a lot 1", "b lot 2", "c lot 3", "d lot 6", "b colour R"), "colour-chooser", "4"),
        (LOTS, ("a lot 1", "b lot 2", "c lot 3", "d lot 6", "R in"), "colour-first", "4"),
    ],
)
def test_refusals(position: str, texts: tuple[str, ...], refusal: str, paragraph: str) -> None:
    assert refusal_of(position, *texts) == (refusal, paragraph)


def test_the_dome_answers_and_nobody_else() -> None:
    game, state = game_with(), state_after(HOME)
    refusal = game.rules.why_not(state, "R", game.notation.read_action("R pop 6"))
    assert (refusal.id, refusal.paragraph) == ("as-kimble.dome-answers", "17")
    real = game_with(mode="companion")
    assert real.rules.why_not(state, "R", real.notation.read_action("R pop 6")) is None
    assert (
        real.rules.why_not(state, "B", real.notation.read_action("R pop 6")).id
        == "as-kimble.for-another"
    )
