"""The greedy bot at Kahmaté: it scores, tackles, mixes its cards, and peeks at nothing."""

from collections import Counter
from dataclasses import fields
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS
from kibitz.core.game import Game
from kibitz.core.options import Choice
from kibitz.games.kahmate import Options, kahmate
from kibitz.games.kahmate.actions import Force, Intercept, Pass, Tackle
from kibitz.games.kahmate.state import Placing, Playing, State
from kibitz.table import open_table

AnyGame = Game[Any, Any, Any]
greedy = BOTS["greedy"]
HANDS = "123456/123456 0-0 6 -"


def chosen_action(position: str, seed: int = 0) -> str:
    game = kahmate()
    state = game.notation.read_state(position)
    (seat,) = game.rules.to_act(state)
    actions = game.rules.turn_actions(state, seat)
    return game.notation.write_action(
        greedy(game.rules.view(state, seat, ()), actions, SearchContext(game, seat, Random(seed)))
    )


def turn(position: str) -> list[str]:
    """What the bot does until its turn is over or a duel begins."""
    game = kahmate()
    state, done = game.notation.read_state(position), []
    side, completed = state.turn, state.turns
    while state.phase == Playing() and (state.turn, state.turns) == (side, completed):
        done.append(chosen_action(game.notation.write_state(state)))
        state = game.rules.resolve(state, side, game.notation.read_action(done[-1])).state
    return done


def is_try(text: str) -> bool:
    return text[2] == "-" and text[3] in "am"


# The turn


@pytest.mark.parametrize(
    "position",
    [
        "13/13/13/8co3/9F3/13/13/13 R play - j5",
        "13/13/13/9S3/9O3/10o2/3t9/13 R play - j4",
        "13/13/13/9S3/13/9F3/13/2o10 R play j4:0 j4",
        "13/13/3f9/2Os9/13/1C11/13/13 B play - d4",
    ],
    ids=["run", "relay", "kick", "blue"],
)
def test_a_try_that_nothing_can_stop_is_made(position: str) -> None:
    assert is_try(turn(f"{position} {HANDS}")[-1])


def test_a_holder_about_to_score_is_tackled() -> None:
    done = turn(f"13/13/13/2oT9/13/7O1c3/13/13 R play - c4 {HANDS}")
    assert done[-1].endswith("xc4")


def test_the_way_to_the_line_is_blocked() -> None:
    position = f"13/1T11/13/4f8/13/1O11/13/13 {{}} play - e4 {HANDS}"
    assert is_try(turn(position.format("B"))[-1])
    game = kahmate()
    state = game.notation.read_state(position.format("R"))
    for text in turn(position.format("R")):
        state = game.rules.resolve(state, "R", game.notation.read_action(text)).state
    assert not is_try(turn(game.notation.write_state(state))[-1])


# Cards


def cards(position: str, seeds: int = 60) -> Counter[str]:
    return Counter(chosen_action(position, seed) for seed in range(seeds))


TACKLE = "13/8o4/13/13/5{}c5/3O9/13/13 R duel:T:f5>g5:1:{} f5:0 g5 {} 0-0 9 -"


@pytest.mark.parametrize("committed", ["-", "2"], ids=["attacker", "defender"])
def test_cards_are_mixed(committed: str) -> None:
    played = cards(TACKLE.format("Oo", committed, "123456/123456"))
    assert len(played) > 1


def test_a_dominated_card_is_never_played() -> None:
    """Strong against Fast: a five is a perfect tackle whatever the answer, so no six is spent."""
    assert "card=6" not in cards(TACKLE.format("Sf", "-", "123456/123456"))


def test_a_card_does_not_depend_on_the_hidden_one() -> None:
    for seed in range(20):
        answers = {
            chosen_action(TACKLE.format("Oo", committed, "13456/12456"), seed)
            for committed in "13456"
        }
        assert len(answers) == 1


# Whatever the phase and the options

random_options = st.builds(
    Options,
    **{
        option.name: st.sampled_from(option.metadata["allowed"].words)
        for option in fields(Options)
        if isinstance(option.metadata["allowed"], Choice)
    },
    tries=st.integers(1, 2),
    hold_limit=st.sampled_from((0, 2, 8)),
    turn_limit=st.just(30),
    kick_in_goal=st.booleans(),
)


@settings(deadline=None, max_examples=10)
@given(random_options, st.randoms(use_true_random=False))
def test_every_answer_is_one_of_those_offered(options: Options, rng: Random) -> None:
    """Both sides wander about, in search of duels, and the bot is asked now and then."""
    game = kahmate(options)
    table = open_table(game)
    for _ in range(80):
        if table.outcome:
            break
        for seat in game.seats:
            actions = table.actions(seat)
            if actions and (table.state.phase != Playing() or rng.random() < 0.1):
                assert greedy(table.view(seat), actions, SearchContext(game, seat, rng)) in actions
        (actor,) = game.rules.to_act(table.state)
        actions = table.actions(actor)
        contests = [each for each in actions if isinstance(each, Tackle | Force | Pass | Intercept)]
        table, _ = table.act(actor, game.notation.write_action(rng.choice(contests or actions)))


def test_line_ups_differ() -> None:
    game = kahmate()
    assert len({line_up(game, seed) for seed in range(10)}) > 1


def line_up(game: AnyGame, seed: int) -> str:
    state, rng = game.rules.start(), Random(seed)
    while state.phase == Placing("R"):
        actions = game.rules.turn_actions(state, "R")
        action = greedy(game.rules.view(state, "R", ()), actions, SearchContext(game, "R", rng))
        state = game.rules.resolve(state, "R", action).state
    return game.notation.write_state(state)


def test_greedy_beats_random() -> None:
    game = kahmate(Options(turn_limit=200, hold_limit=8))
    for seed in range(4):
        me = "RB"[seed % 2]
        assert winner(game, {me: "greedy"}, seed) == me


def winner(game: AnyGame, bots: dict[str, str], seed: int) -> Any:
    state: State = game.rules.start()
    rng = Random(seed)
    while not (over := game.rules.outcome(state)):
        (actor,) = game.rules.to_act(state)
        actions = game.rules.turn_actions(state, actor)
        bot = BOTS[bots.get(actor, "random")]
        action = bot(game.rules.view(state, actor, ()), actions, SearchContext(game, actor, rng))
        state = game.rules.resolve(state, actor, action).state
    return over.result
