"""Steps per second of `kibitz.learn`, beside the environments of other libraries in the same run.

All of it on one core and in seconds of the processor, the best of some rounds: a busy machine
disturbs little, and the ratios mean more than the rates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.message import Value, fixed_decimal
from kibitz.core.targets import chosen_target
from kibitz.games import GAMES
from kibitz.learn import Batch

ROUNDS = 5
SIZES = (1, 64, 1024)
PLAYED_STEPS = 200
"""Steps of random play before the clock starts, so that matches stand in different places."""
Work = Callable[[], int]
"""Does something for a while; how many steps it were."""


class BatchRate(NamedTuple):
    """Steps per second of a batch of some size; the actions are drawn apart."""

    step_with_mask: int
    step_mask_observation: int
    with_random_actions: int


class LearnResult(NamedTuple):
    target: str
    games: dict[str, dict[int, BatchRate]]
    """By game and number of matches."""
    peers: dict[str, int]
    absent: dict[str, str]
    """Libraries that are not here, and the packages that bring them."""

    def as_json(self) -> dict[str, Any]:
        games = {
            name: {str(size): rate._asdict() for size, rate in rates.items()}
            for name, rates in self.games.items()
        }
        return {
            "target": self.target,
            "games": games,
            "peers": self.peers,
            "absent": list(self.absent),
        }


def as_values(rates: dict[int, BatchRate]) -> dict[str, Value]:
    """The rates of a game, for a sentence."""
    one, few, many = (fixed_decimal(rates[size].step_with_mask) for size in SIZES)
    seen = fixed_decimal(rates[SIZES[-1]].step_mask_observation)
    return {"one": one, "few": few, "many": many, "seen": seen}


def measure_learning(names: Sequence[str], seconds: float) -> LearnResult:
    """`seconds` are for each figure."""
    games = {
        name: {size: _own(name, size, seconds) for size in SIZES}
        for name in names
        if "kernel" in GAMES[name].extras
    }
    found, absent = _peers()
    peers = {name: rate(work, seconds) for name, work in found.items()}
    return LearnResult(chosen_target(), games, peers, absent)


def rate(work: Work, seconds: float) -> int:
    """Steps per second, the best of some rounds; the first is to get ready."""
    best = 0.0
    for _ in range(1 + ROUNDS):
        begin, steps = process_time(), 0
        while process_time() - begin < seconds / ROUNDS:
            steps += work()
        best = max(best, steps / (process_time() - begin))
    return round(best)


def _own(name: str, size: int, seconds: float) -> BatchRate:
    env = Batch(name, size, seed=1, threads=1)
    count = max(1, 2000 // size)
    for _ in range(PLAYED_STEPS):
        env.step(env.sample())

    def sample() -> int:
        for _ in range(count):
            env.sample()
        return size * count

    def step() -> int:
        for _ in range(count):
            env.step(env.sample())
        return size * count

    def step_and_observe() -> int:
        for _ in range(count):
            env.step(env.sample())
            env.observe()
        return size * count

    drawn, played, seen = (rate(each, seconds) for each in (sample, step, step_and_observe))
    return BatchRate(_without(played, drawn), _without(seen, drawn), played)


def _without(whole: int, part: int) -> int:
    """The rate of the rest, where a part of the work is known."""
    rest = 1 / whole - 1 / part
    return round(1 / rest) if rest > 0 else whole


def _openspiel(name: str) -> Work:
    pyspiel: Any = import_module("pyspiel")
    game, rng = pyspiel.load_game(name), Random(1)

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            steps += 1
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        return steps

    return play


def _pettingzoo(make: Callable[[], Any]) -> Work:
    env, rng = make(), Random(1)

    def play() -> int:
        env.reset(seed=1)
        steps = 0
        for _ in env.agent_iter(200):
            observation, _, is_over, is_cut, _ = env.last()
            mask = observation["action_mask"]
            env.step(None if is_over or is_cut else rng.choice(np.flatnonzero(mask).tolist()))
            steps += 1
        return steps

    return play


def _gymnasium(name: str, size: int) -> Work:
    gymnasium: Any = import_module("gymnasium")
    envs = gymnasium.make_vec(name, size, vectorization_mode="vector_entry_point")
    envs.reset(seed=1)
    actions = envs.action_space.sample()

    def play() -> int:
        for _ in range(20):
            envs.step(actions)
        return 20 * size

    return play


def _peers() -> tuple[dict[str, Work], dict[str, str]]:
    """Environments of other libraries, and those that are not installed."""
    found: dict[str, Work] = {}
    absent: dict[str, str] = {}
    if find_spec("pyspiel"):
        found |= {f"OpenSpiel {each}": _openspiel(each) for each in ("tic_tac_toe", "backgammon")}
    else:
        absent["OpenSpiel"] = "kibitz[openspiel]"
    if find_spec("pettingzoo"):
        ours = import_module("kibitz.learn.pettingzoo")
        found["PettingZoo kibitz kahmate"] = _pettingzoo(lambda: ours.env("kahmate"))
    for name in ("tictactoe_v3", "connect_four_v3"):
        try:
            classic = import_module(f"pettingzoo.classic.{name}")
        except ImportError:
            absent[f"PettingZoo {name}"] = "pettingzoo[classic]"
        else:
            found[f"PettingZoo {name}"] = _pettingzoo(classic.env)
    if find_spec("gymnasium"):
        found["Gymnasium CartPole-v1, 1,024 at once"] = _gymnasium("CartPole-v1", 1024)
    else:
        absent["Gymnasium"] = "kibitz[learn]"
    return found, absent
