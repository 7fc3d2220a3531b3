"""The adapters by the tests of the libraries they are for."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, get_all_states
from pettingzoo.test import api_test, render_test, seed_test

from kibitz.games import GAMES
from kibitz.games.kahmate.duels import single_duel
from kibitz.games.kahmate.state import ATTACK, DEFENCE
from kibitz.learn import IllegalAction, openspiel
from kibitz.learn import gymnasium as our_gymnasium
from kibitz.learn import pettingzoo as our_pettingzoo
from kibitz.learn.pettingzoo import raw_env
from learn.test_batch import RARE_START, random_options

NAMES = [name for name in GAMES if "kernel" in GAMES[name].extras]
SHORT = {"kahmate": {"turn_limit": 3}, "kalamala": {"turn_limit": 30}, "as-kimble": {}}


def cases(slow: str = "") -> list[Any]:
    """Every game by default, and under five random option sets in the long run."""
    long = pytest.mark.long
    usual = [pytest.param(name, {}, id=name, marks=[long] * (name == slow)) for name in NAMES]
    others = [
        pytest.param(name, seed, id=f"{name}-{seed}", marks=long)
        for name in NAMES
        for seed in range(1, 6)
    ]
    return [*usual, *others]


def options_of(name: str, given: Any) -> dict[str, Any]:
    return random_options(name, given) if isinstance(given, int) else dict(given)


@pytest.mark.parametrize(("name", "given"), cases())
def test_pettingzoo_accepts_its_environments(name: str, given: Any) -> None:
    options = options_of(name, given)

    def make(**settings: Any) -> Any:
        return our_pettingzoo.env(name, options=options, **settings)

    with warnings.catch_warnings():  # It warns of observations that are dictionaries in one.
        warnings.simplefilter("ignore")
        api_test(make(), num_cycles=100, verbose_progress=False)
        seed_test(make, num_cycles=60)


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_shows_its_environments(name: str) -> None:
    def make(**settings: Any) -> Any:
        return our_pettingzoo.env(name, **settings)

    for mode in ("human", "ansi", "svg", "rgb_array"):
        env = make(render_mode=mode)
        env.reset(seed=1)
        shown = env.render()
        if mode == "rgb_array":
            assert shown.shape[2] == 3
            assert shown.std() > 5
        else:
            assert (shown is None) == (mode == "human")


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_tests_how_they_are_shown(name: str) -> None:
    def make(**settings: Any) -> Any:
        return our_pettingzoo.env(name, options=SHORT[name], **settings)

    tests: dict[str, Callable[[Any], bool]] = {"svg": lambda shown: shown.startswith("<svg")}
    render_test(make, tests)


@pytest.mark.parametrize("name", NAMES)
def test_a_match_is_cut_off_after_so_many_cycles(name: str) -> None:
    """As PettingZoo's `max_cycles_test` wants it, which is for agents that act all at once."""
    env = our_pettingzoo.env(name, max_cycles=4)
    for _ in range(2):
        env.reset(seed=1)
        played = 0
        for agent in env.agent_iter():
            observation, reward, is_over, is_cut, _ = env.last()
            assert not is_over
            if is_cut:
                assert reward == 0.0
                env.step(None)
            else:
                env.step(int(env.action_space(agent).sample(observation["action_mask"])))
                played += 1
        assert played == 4 * len(env.possible_agents)
    with pytest.raises(ValueError, match="at least 1"):
        our_pettingzoo.env(name, max_cycles=0)


def test_only_who_acts_has_a_mask_and_sees_its_own_card() -> None:
    env = raw_env("kahmate")
    env.reset(seed=1)
    kernel = env.match.kernel
    shown = []
    for card in (2, 4):
        state = env.match.setup.game.notation.read_state(RARE_START.format(card))
        kernel.pack(state, env.match.p)
        env.match._begin_turn()
        other, own = env.observe("player_1"), env.observe("player_0")
        assert other["action_mask"].sum() == 6
        assert own["action_mask"].sum() == 0
        parts = (other["observation"], own["observation"])
        shown.append([part["board"].tobytes() + part["numbers"].tobytes() for part in parts])
    assert shown[0][0] == shown[1][0]
    assert shown[0][1] != shown[1][1]


def test_an_illegal_action_is_refused() -> None:
    env = raw_env("kalamala")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="not legal"):
        env.step(int(np.flatnonzero(env.match.mask() == 0)[0]))


@pytest.mark.parametrize(("name", "given"), cases())
def test_gymnasium_accepts_its_environments(name: str, given: Any) -> None:
    options = options_of(name, given)
    identity = f"kibitz/{our_gymnasium.NAMES[name]}-v1"
    env = gymnasium.make(identity, options=options, opponent="random", seat="random").unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)
    observation, _ = env.reset(seed=4)
    rng, rewards = Random(1), []
    for _ in range(60):
        number = rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
        observation, reward, is_over, _, info = env.step(number)
        assert not info
        rewards.append(reward)
        if is_over:
            observation, _ = env.reset()
    assert env.observation_space.contains(observation)
    if observation["action_mask"].all():
        return
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    assert env.step(illegal)[1:3] == (-1.0, True)


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_is_a_vector_environment(name: str) -> None:
    envs: Any = gymnasium.make_vec(f"kibitz/{our_gymnasium.NAMES[name]}-v1", num_envs=5)
    observations, infos = envs.reset(seed=3)
    assert envs.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    for _ in range(30):
        actions = [np.flatnonzero(mask)[0] for mask in observations["action_mask"]]
        observations, rewards, over, cut, infos = envs.step(np.array(actions))
        assert envs.observation_space.contains(observations)
        assert rewards.shape == over.shape == cut.shape == (5,)
        assert (infos["actor"] >= 0).all()
    with pytest.raises(IllegalAction):
        envs.step(np.full(5, -1))


@pytest.mark.parametrize(("name", "given"), cases(slow="as-kimble"))
def test_openspiel_accepts_its_games(name: str, given: Any) -> None:
    allowed = openspiel._parameters(name)
    options = {**SHORT[name], **options_of(name, given)}
    # Amounts are written as fractions there, whole ones too.
    given = {key: type(allowed[key])(options[key]) for key in options if key in allowed}
    game = pyspiel.load_game(openspiel.short_name(name), given)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_an_option_that_is_an_amount_takes_fractions() -> None:
    game = pyspiel.load_game("kibitz_as_kimble(unit_factor=0.5)")
    assert game.new_initial_state().setup.game.options["unit_factor"] == 0.5
    assert pyspiel.load_game("kibitz_as_kimble").new_initial_state().legal_actions()


def test_a_duel_is_worth_in_openspiel_what_the_theory_says() -> None:
    """Its equilibrium by counterfactual regret, against `kibitz solve-duel`; one needs to remember
    the first round in the second."""
    hands = (1, 2, 3), (1, 2, 4)
    cards = "/".join("".join(map(str, hand)) for hand in hands)
    start = RARE_START.format("-").replace("123456/123456", cards)
    game = pyspiel.load_game("kibitz_kahmate", {"position": start, "until": "reveal"})
    solver = cfr.CFRPlusSolver(game)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    theory = single_duel(ATTACK["S"], DEFENCE["O"], *hands)
    value = expected_game_score.policy_value(game.new_initial_state(), [found, found])
    assert value[0] == pytest.approx(float(theory.outlook.lead), abs=0.03)
    assert exploitability.nash_conv(game, found) < 0.06


def test_all_states_of_a_duel_are_found() -> None:
    start = RARE_START.format("-").replace("123456/123456", "12/13")
    game = pyspiel.load_game("kibitz_kahmate", {"position": start, "until": "reveal"})
    found = get_all_states.get_all_states(
        game, include_terminals=True, to_string=lambda state: state.history_str()
    )
    ends = [state for state in found.values() if state.is_terminal()]
    assert len(found) > len(ends) > 3
    assert all(sum(state.returns()) == 0 for state in ends)
    # Whoever has the same information has the same actions.
    actions: dict[tuple[int, str], set[tuple[int, ...]]] = {}
    for state in found.values():
        if not state.is_terminal():
            player = state.current_player()
            known = player, state.information_state_string(player)
            actions.setdefault(known, set()).add(tuple(state.legal_actions()))
    assert all(len(each) == 1 for each in actions.values())
    assert len(actions) < len(found) - len(ends)


def test_an_information_state_tells_what_was_witnessed_and_no_more() -> None:
    """Two cards put down in secret: only their own captain can tell the histories apart."""
    start = RARE_START.format("-")
    told: dict[int, list[str]] = {0: [], 1: []}
    for card in (2, 4):
        game = pyspiel.load_game("kibitz_kahmate", {"position": start})
        state = game.new_initial_state()
        assert state.current_player() == 0
        texts = {state.action_to_string(0, each): each for each in state.legal_actions()}
        state.apply_action(texts[next(text for text in texts if str(card) in text)])
        assert state.current_player() == 1
        for player in (0, 1):
            told[player].append(state.information_state_string(player))
    assert told[0][0] != told[0][1]
    assert told[1][0] == told[1][1]
