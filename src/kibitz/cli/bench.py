"""How fast random play is inside compiled code, beside games of OpenSpiel where that is installed.

All of it is measured in one run, by turns, so that a busy machine slows everything alike: the
ratios mean more than the rates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots.api import Think
from kibitz.bots.registry import BOTS, MCTS, has_mind
from kibitz.core.game import CHANCE, Game
from kibitz.core.jit import small, wide
from kibitz.games import GAMES

ROUNDS = 5
SHORT = 0.2
"""Seconds between two looks at the clock."""
LONGEST = 1_000_000
ROLLOUTS = 500
"""Games that OpenSpiel plays for each call into it."""
SAMPLE = 50
"""Games of OpenSpiel that are counted action by action."""
OPTIONS: Mapping[str, Mapping[str, Any]] = {"as-kimble": {"hembo": "off"}}
"""Beside what a table where bots play suggests: nobody here speaks out of turn."""
PEERS = {"kalamala": "breakthrough", "kahmate": "backgammon", "as-kimble": "maedn(players=4)"}


class Rate(NamedTuple):
    actions_per_s: float
    games_per_s: float
    mean_actions: float

    def told(self) -> dict[str, str]:
        actions, games, mean = (f"{each:,.0f}" for each in self)
        return {"actions": actions, "games": games, "mean": mean}


class Measured(NamedTuple):
    game: str
    ours: Rate
    tries_per_s: float | None = None
    """How often a tree of tries plays on from the start, where the game has one."""
    peer: str = ""
    theirs: Rate | None = None

    @property
    def ratio(self) -> float | None:
        return self.ours.actions_per_s / self.theirs.actions_per_s if self.theirs else None

    def as_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {**self.ours._asdict(), "mcts_simulations_per_s": self.tries_per_s}
        if self.theirs:
            told["peer"] = {"game": self.peer, **self.theirs._asdict(), "ratio": self.ratio}
        return told


Play = Callable[[float], tuple[int, int]]
"""Plays for so many seconds; how many games and how many actions it were."""


def measure(game: str, seconds: float) -> Measured:
    """Random play from the start to the end on one core; the median of several rounds."""
    ours = _own_play(game)
    ours(0.0)  # compiles
    theirs = _peer_play(PEERS[game]) if find_spec("pyspiel") else None
    rounds = [
        (_rate(ours, seconds / ROUNDS), theirs and _rate(theirs, seconds / ROUNDS))
        for _ in range(ROUNDS)
    ]
    own = _middle([each for each, _ in rounds])
    other = _middle([each for _, each in rounds if each]) if theirs else None
    return Measured(game, own, _tries(game, seconds), PEERS[game] if other else "", other)


def _rate(play: Play, seconds: float) -> Rate:
    begin, games, actions = perf_counter(), 0, 0
    while not games or perf_counter() - begin < seconds:
        more, played = play(SHORT)
        games, actions = games + more, actions + played
    spent = perf_counter() - begin
    return Rate(actions / spent, games / spent, actions / games)


def _middle(rates: list[Rate]) -> Rate:
    return Rate(*(median(each) for each in zip(*rates, strict=True)))


def _own_play(name: str) -> Play:
    game = _game(name)
    kernel = import_module(f"kibitz.games.{name.replace('-', '_')}.kernel")
    house, first, work = kernel.house(game.options), kernel.blank(), kernel.blank()
    payoffs = np.zeros(len(game.seats), np.int64)
    kernel.pack(game.start(), first)
    die = [wide(1)]

    def play(seconds: float) -> tuple[int, int]:
        begin, games, actions = perf_counter(), 0, 0
        while not games or perf_counter() - begin < seconds:
            kernel.copy(first, work)
            length, shown = kernel.playout(house, work, die[0], small(LONGEST), payoffs)
            die[0] = wide(shown)
            games, actions = games + 1, actions + int(length)
        return games, actions

    return play


def _tries(name: str, seconds: float) -> float | None:
    if not has_mind(name):
        return None
    game, mcts = _game(name), BOTS[MCTS]
    state = game.start()
    seat = min(game.to_act(state) - {CHANCE})
    view, actions = game.view(state, seat, ()), game.turn_actions(state, seat)
    if len(actions) < 2:
        return None
    mcts(view, actions, Think(game, seat, Random(1), nodes=10))
    think = Think(game, seat, Random(1), seconds=seconds)
    begin = perf_counter()
    mcts(view, actions, think)
    return think.thoughts.nodes / (perf_counter() - begin)


def _game(name: str) -> Game[Any, Any, Any]:
    rulebook = GAMES[name]
    return rulebook.game({**rulebook.preset, **rulebook.bots_preset, **OPTIONS.get(name, {})})


def _peer_play(name: str) -> Play:
    """Random rollouts of its own search, inside its C++; how long they are is counted apart."""
    pyspiel: Any = import_module("pyspiel")
    game = pyspiel.load_game(name)
    mean = _mean_length(game)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    rollouts = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    searcher = pyspiel.MCTSBot(game, rollouts, 1.0, 2, 1000, False, 1, False)

    def play(seconds: float) -> tuple[int, int]:
        searcher.mcts_search(state)
        return 2 * ROLLOUTS, round(2 * ROLLOUTS * mean)

    return play


def _mean_length(game: Any) -> float:
    rng, actions = Random(1), 0
    for _ in range(SAMPLE):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            actions += 1
    return actions / SAMPLE
