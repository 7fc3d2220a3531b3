"""The greedy bot at AS-Kimble: it eats, runs, doubles and raises where it pays, and says hembo."""

import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.bots.api import SearchContext
from kibitz.bots.as_kimble.calls import FORGETFULNESS
from kibitz.bots.registry import (
    BOTS,
    anytime_policy_for,
    choose_action,
    choose_anytime_action,
)
from kibitz.core.game import CHANCE, Game
from kibitz.games import GAMES
from kibitz.games.as_kimble import AS_KIMBLE, Options, as_kimble
from kibitz.games.as_kimble.actions import Hembo, Pop, StrayPop
from kibitz.games.as_kimble.state import State
from support.bots.bot_questions import question_at

AnyGame = Game[Any, Any, Any]
greedy = BOTS["greedy"]
QUICK = ("random", "greedy")
NOTHING = "0+0/0+0/0+0/0+0 1:- ---- -"


def choices(position: str, seat: str = "R", **options: Any) -> set[str]:
    """What the bot does, whatever the seed."""
    game = AS_KIMBLE.game(options)
    state = game.notation.read_state(position)
    actions, view = game.rules.turn_actions(state, seat), game.rules.view(state, seat, ())
    return {
        game.notation.write_action(greedy(view, actions, SearchContext(game, seat, Random(seed))))
        for seed in range(5)
    }


# The number


@pytest.mark.parametrize(
    ("position", "best"),
    [
        ("t9,t26,g2,g3/h4/h4/h4 R:M2 d2", "R t26-g1"),
        ("h2,t3,t12/h3,t16/h4/h4 R:M4 d4", "R t12-t16"),
        ("h2,t2,t18/h3,t4/h3,t20/h4 R:M2 d2", "R t2-t4"),
        ("h2,t5,t16/h3,t12/h4/h4 R:M4 d4", "R t16-t20"),
        ("h2,t5,t16/h3,t17/h4/h4 R:M3 d3", "R t5-t8"),
        ("h2,t4,t10/h4/h4/h4 R:M4 d4", "R t4-t8"),
        ("h3,t5/h4/h4/h4 R:M6 d6", "R in"),
        ("h3,t0/h4/h4/h4 R:M6 d6", "R double"),
        ("h2,g1w1/h4/h4/h4 R:M3 d3", "R g1-g4"),
    ],
    ids=[
        "goal",
        "eat",
        "eat the one nearly home",
        "flee",
        "stay behind",
        "keep off a start grid",
        "enter",
        "double",
        "wait no longer",
    ],
)
def test_a_number_is_used_well(position: str, best: str) -> None:
    assert choices(f"{position} {NOTHING}") == {best}


def test_a_win_is_taken_at_once() -> None:
    """Though a double could be eaten instead."""
    position = f"t23,g2,g3,g4/h2,t1x2/h4/h4 R:M5 d5 {NOTHING}"
    assert choices(position) == {"R t23-g1"}


def test_of_two_mines_the_cheaper_is_driven_into() -> None:
    """The rules leave nothing else (19, 6)."""
    position = f"t1x2,t8,g3/h3,t7/h3,t14/h4 R:M6 d6 {NOTHING}"
    assert choices(position) == {"R t8-t14"}


# Raising

AHEAD = "t20,g2,g3,g4/h2,t12,g1/h2,t17,g1/h2,t2,g1"
BEHIND = "t0,t6,t12,g1/t5,g2,g3,g4/h2,t20,g1/h2,t2,g1"


def test_who_is_about_to_win_does_not_raise() -> None:
    assert choices(f"{AHEAD} R:M6 d6 {NOTHING}") == {"R t20-t26"}


def test_who_is_behind_raises() -> None:
    assert choices(f"{BEHIND} R:M6 d6 {NOTHING}") == {"R raise g1"}


def test_no_new_round_is_proposed_where_a_raise_would_not_help() -> None:
    assert choices(f"{AHEAD} R:M6 d6 0+0/0+0/0+0/0+0 1:RBYG ---- -") == {"R t20-t26"}


def test_votes_are_for_oneself() -> None:
    position = f"{BEHIND} R:V- d6 0+0/0+0/0+0/0+0 1:RBYG ---- -"
    assert choices(position, "B") == {"B no"}
    assert choices(position, "Y") == {"Y yes"}


def test_the_least_valuable_goal_piece_is_given_back() -> None:
    position = f"t0,t12,g3,g4/h1,{{}}/h2,t20,g4/h3,g1 R:CB d6 {NOTHING}"
    assert choices(position.format("g1w1,g4"), "B") == {"B return g1"}
    assert choices(position.format("t9,g2,g4"), "B") == {"B return g2"}


PLACED = "g1,g2,g3,g4/{},g2,g3,g4/h2,t20,g4/h3,g1 R:{} 1+5/0+3/0+0/1+0 1:B ---- -"


def test_a_placed_team_passes_unless_a_raise_helps() -> None:
    assert choices(PLACED.format("h1", "M6 d6")) == {"R pass"}
    assert choices(PLACED.format("h1", "N3 d2")) == {"R pass"}
    real = {"mode": "companion"}
    assert choices(PLACED.format("h1", "N3 d2"), **real) == {"R pass"}
    owing = "g1,g2,g3,g4/t22,g2,g3,g4/h2,t20,g4/h3,g1 R:{} 6+5/0+3/0+0/1+0 1:B ---- -"
    assert all(text.startswith("R raise") for text in choices(owing.format("M6 d6")))
    assert "R pass" not in choices(owing.format("N3 d2"), **real)


@pytest.mark.parametrize("texts", [("R pass", ""), ("", "R pass")])
def test_on_a_screen_a_placed_team_presses_the_dome_for_a_raise_only(
    texts: tuple[str, ...],
) -> None:
    """An empty text is the dome."""
    owing = "g1,g2,g3,g4/t22,g2,g3,g4/h2,t20,g4/h3,g1 R:N3 d2 6+5/0+3/0+0/1+0 1:{} ---- -"
    for position, wanted, options in (
        (PLACED.format("h1", "N3 d2"), "R pass", {}),
        (owing.format("B"), "", {}),
        (owing.format("RB"), "R pass", {}),
        (owing.format("RBYG"), "", {}),
        (owing.format("B"), "R pass", {"raising": False}),
    ):
        for seed in range(5):
            assert chosen_action("greedy", position, texts, seed, **options) == wanted


def test_a_random_bot_presses_the_dome_as_often_as_not() -> None:
    position = PLACED.format("h1", "N3 d2")
    pressed = [chosen_action("random", position, ("R pass", ""), seed) for seed in range(200)]
    assert set(pressed) == {"R pass", ""}
    assert 60 < pressed.count("") < 140


def chosen_action(
    bot: str, position: str, texts: tuple[str, ...], seed: int, **options: Any
) -> str:
    game = AS_KIMBLE.game(options)
    return choose_action(question_at(game, "R", bot, position, seed=seed, texts=texts))


# Out of turn


def statement_of(position: str, seat: str, bot: str = "greedy", **options: Any) -> str | None:
    game = AS_KIMBLE.game(options)
    listed = game.rules.anytime_actions(game.notation.read_state(position), seat)
    texts = tuple(map(game.notation.write_action, listed))
    asked = question_at(game, seat, bot, position, texts=texts)
    answer = choose_anytime_action(asked)
    assert choose_anytime_action(pickle.loads(pickle.dumps(asked))) == answer
    return answer


EATEN = "h2,t9x2/h4/h4/h4 {} d5 0+0/6+0/0+0/0+0 1:- {} -"


@pytest.mark.parametrize("bot", QUICK)
def test_the_sentence_is_said_in_the_right_form(bot: str) -> None:
    owing = EATEN.format("G:N3", "-!--")
    assert statement_of(owing, "B", bot) == "B hembo jag"
    assert statement_of(owing, "B", bot, team_size=[1, 2, 1, 1]) == "B hembo vi"


def test_the_sentence_is_said_only_when_owed() -> None:
    assert statement_of(EATEN.format("G:N3", "-!--"), "R") is None
    for marks in ("-+--", "----"):
        assert statement_of(EATEN.format("G:N3", marks), "B") is None


def test_the_sentence_waits_for_the_pop_that_is_its_deadline() -> None:
    assert statement_of(EATEN.format("R:P1", "-!--"), "B", "random") is None
    assert statement_of(EATEN.format("B:N3", "-!--"), "B", "random") == "B hembo jag"


def test_weaker_bots_forget_the_sentence_more_often() -> None:
    positions = [
        f"{red_side}/h4/h3,t{yellow}/h4 B:N{pops} d5 0+0/6+0/0+0/0+0 1:- -!-- -"
        for grid in range(1, 10)
        for red_side in (f"h3,t{grid}", f"h2,t{grid}x2")
        for yellow in range(12, 27)
        for pops in (1, 2, 3)
    ]
    game = AS_KIMBLE.game({})
    states = [game.notation.read_state(each) for each in positions]
    call, voice = Hembo("B", "jag"), anytime_policy_for(game.name)
    assert voice

    def share(bot: str) -> float:
        views = [game.rules.view(state, "B", ()) for state in states]
        answers = [voice(game, view, "B", [call], Random(n), bot) for n, view in enumerate(views)]
        again = [voice(game, view, "B", [call], Random(-n), bot) for n, view in enumerate(views)]
        assert answers == again, "a word in between is no second chance"
        return answers.count(None) / len(answers)

    for bot, wanted in FORGETFULNESS.items():
        assert abs(share(bot) - wanted) < 0.05, bot
    levels = [share(f"level-{n}") for n in range(1, 6)]
    assert levels == sorted(levels, reverse=True)
    assert levels[-1] > 0
    assert share("level-6") == share("random") == 0


def test_a_break_is_neither_called_nor_ended() -> None:
    for flags in "-b":
        position = f"h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- {flags}"
        assert statement_of(position, "R", mode="companion") is None


def test_a_bot_has_nothing_to_say_in_other_games() -> None:
    assert anytime_policy_for("kalamala") is None
    assert choose_anytime_action(question_at(GAMES["kalamala"].game({}), "A")) is None


def test_penalties_are_completed_as_an_own_turn_begins() -> None:
    assert statement_of(EATEN.format("B:N3", "----"), "B") == "B done 1"
    assert statement_of(EATEN.format("B:N3", "-!--"), "B") == "B hembo jag"
    for turn in ("R:N1", "B:P2"):
        assert statement_of(EATEN.format(turn, "----"), "B") is None
    assert statement_of(EATEN.format("B:N3", "----"), "B", pace="turn") is None


def asides(game: AnyGame, state: State, rng: Random) -> Iterator[tuple[str, Any]]:
    """What is said after a turn action, nothing of it twice."""
    voice = anytime_policy_for(game.name)
    assert voice
    for seat in game.seats:
        actions = list(game.rules.anytime_actions(state, seat))
        while (
            aside := voice(game, game.rules.view(state, seat, ()), seat, actions, rng, "")
        ) is not None:
            yield seat, aside
            state = game.rules.resolve(state, seat, aside).state
            actions.remove(aside)


def test_one_penalty_is_completed_a_turn() -> None:
    """The sentence is owed beside it, and neither is left out for the other."""
    game = as_kimble()
    state = game.notation.read_state(EATEN.format("B:N3", "-!--"))
    done = [game.notation.write_action(aside) for _, aside in asides(game, state, Random(1))]
    assert done == ["B hembo jag", "B done 1"]


# Whatever the phase and the options

POSITIONS = (
    "start",
    f"h4/h4/h4/h4 S:-/-/-/- d- {NOTHING}",
    f"t0,t12,g1,g3/h2,t9,g4/t20,t8,g2,g4/h3,g1 R:N1 d6 {NOTHING}",
    f"{BEHIND} R:M6 d6 0+0/0+0/0+0/0+0 1:RBYG ---- -",
    PLACED.format("h1", "N3 d2"),
)
random_options = st.builds(
    Options,
    mode=st.sampled_from(("digital", "companion")),
    raising=st.sampled_from((True, True, False)),
    raise_return=st.sampled_from(("owner", "rearmost")),
    refusal=st.sampled_from(("opportunity", "final")),
    finished=st.sampled_from(("pop", "skip")),
    hembo=st.sampled_from(("call", "off")),
    pace=st.sampled_from(("free", "turn")),
)


@settings(deadline=None, max_examples=40)
@given(random_options, st.sampled_from(POSITIONS), st.randoms(use_true_random=False))
def test_every_answer_is_one_of_those_offered(options: Options, position: str, rng: Random) -> None:
    """All wander about, sixes more often than not, and every bot is asked all the time."""
    game = as_kimble(options)
    state = game.rules.start() if position == "start" else game.notation.read_state(position)
    for _ in range(60):
        if not (actors := game.rules.to_act(state)):
            break
        for seat in sorted(actors - {CHANCE}):
            if actions := game.rules.turn_actions(state, seat):
                assert (
                    greedy(
                        game.rules.view(state, seat, ()), actions, SearchContext(game, seat, rng)
                    )
                    in actions
                )
        for seat, aside in asides(game, state, rng):
            state = game.rules.resolve(state, seat, aside).state
        state = random_step(game, state, rng)


def random_step(game: AnyGame, state: State, rng: Random) -> State:
    """One action by chance; around a real board somebody may pop out of turn first."""
    stray = StrayPop(rng.choice(game.seats), rng.randint(1, 6))
    if rng.random() < 0.1 and game.rules.why_not(state, stray.team, stray) is None:
        state = game.rules.resolve(state, stray.team, stray).state
    actors = game.rules.to_act(state)
    if not actors:
        return state
    actor = CHANCE if CHANCE in actors else rng.choice(sorted(actors))
    actions = game.rules.turn_actions(state, actor)
    sixes = [each for each in actions if isinstance(each, Pop) and each.face == 6]
    action = rng.choice(sixes if sixes and rng.random() < 0.5 else actions)
    after: State = game.rules.resolve(state, actor, action).state
    return after


# Whole games


def winner(game: AnyGame, bots: dict[str, str], rng: Random) -> Any:
    state = game.rules.start()
    while not (over := game.rules.outcome(state)):
        actors = game.rules.to_act(state)
        actor = CHANCE if CHANCE in actors else min(actors)
        actions, view = game.rules.turn_actions(state, actor), game.rules.view(state, actor, ())
        action = BOTS[bots.get(actor, "random")](view, actions, SearchContext(game, actor, rng))
        state = game.rules.resolve(state, actor, action).state
        for seat, aside in asides(game, state, rng):
            state = game.rules.resolve(state, seat, aside).state
    return over.result["winner"]


def test_greedy_beats_three_random_ones() -> None:
    """One in four would be even."""
    game, wins = as_kimble(Options(pace="turn")), 0
    for seed in range(24):
        me = game.seats[seed % 4]
        wins += winner(game, {me: "greedy"}, Random(seed)) == me
    assert wins >= 10


def test_bots_end_a_game_whose_penalties_they_complete_themselves() -> None:
    game = as_kimble()
    for bot in QUICK:
        assert winner(game, dict.fromkeys(game.seats, bot), Random(5)) in game.seats


def test_a_team_that_is_passed_over_completes_as_the_turn_goes_by() -> None:
    position = "h3,t9/g1,g2,g3,g4/h4/h4 Y:N3 d2 0+0/2+6/0+0/0+0 1:- ---- -"
    assert statement_of(position, "B", pace="free", finished="skip") == "B done 1"
    assert statement_of(position, "B", pace="free", finished="pop") is None
