"""The speed of random play inside compiled code, beside OpenSpiel where that is installed.

All of it is measured in one run, by turns, so that a busy machine slows everything alike: the
ratios mean more than the rates.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS, MCTS, has_engine
from kibitz.core.game import CHANCE, Game
from kibitz.core.jit import i64, u64
from kibitz.core.message import Value, fixed_decimal
from kibitz.games import GAMES, extra_of

ROUNDS = 5
CLOCK_SLICE_S = 0.2
"""Seconds between two looks at the clock."""
MAX_GAME_ACTIONS = 1_000_000
ROLLOUTS_PER_CALL = 500
"""Games that OpenSpiel plays for each call into it."""
SAMPLE_GAMES = 50
"""Games of OpenSpiel that are counted action by action."""


class PlayRate(NamedTuple):
    actions_per_s: float
    games_per_s: float
    mean_actions: float

    def as_values(self) -> dict[str, Value]:
        actions, games, mean = (fixed_decimal(each) for each in self)
        return {"actions": actions, "games": games, "mean": mean}


class BenchResult(NamedTuple):
    game: str
    ours: PlayRate
    tries_per_s: float | None = None
    """The tries per second of a search tree from the start, where the game has one."""
    peer: str = ""
    theirs: PlayRate | None = None

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


def measure_speed(game: str, seconds: float) -> BenchResult:
    """Random play from the start to the end on one core; the median of several rounds."""
    ours = _own_play(game)
    ours(0.0)  # compiles
    peer = getattr(extra_of(game, "kernel"), "PEER_GAME", "")
    theirs = _peer_play(peer) if peer and find_spec("pyspiel") else None
    rounds = [
        (_measure_rate(ours, seconds / ROUNDS), theirs and _measure_rate(theirs, seconds / ROUNDS))
        for _ in range(ROUNDS)
    ]
    own = _median_rate([each for each, _ in rounds])
    other = _median_rate([each for _, each in rounds if each]) if theirs else None
    return BenchResult(game, own, _mcts_rate(game, seconds), peer if other else "", other)


def _measure_rate(play: Play, seconds: float) -> PlayRate:
    begin, games, actions = perf_counter(), 0, 0
    while not games or perf_counter() - begin < seconds:
        more, played = play(CLOCK_SLICE_S)
        games, actions = games + more, actions + played
    spent = perf_counter() - begin
    return PlayRate(actions / spent, games / spent, actions / games)


def _median_rate(rates: list[PlayRate]) -> PlayRate:
    return PlayRate(*(median(each) for each in zip(*rates, strict=True)))


def _own_play(name: str) -> Play:
    game, kernel = _bench_game(name), extra_of(name, "kernel")
    if kernel is None:
        return _rules_play(game)
    options, first, work = kernel.option_codes(game.options), kernel.blank(), kernel.blank()
    payoffs = np.zeros(len(game.seats), np.int64)
    kernel.pack(game.rules.start(), first)
    die = [u64(1)]

    def play(seconds: float) -> tuple[int, int]:
        begin, games, actions = perf_counter(), 0, 0
        while not games or perf_counter() - begin < seconds:
            kernel.copy(first, work)
            length, shown = kernel.playout(options, work, die[0], i64(MAX_GAME_ACTIONS), payoffs)
            die[0] = u64(shown)
            games, actions = games + 1, actions + int(length)
        return games, actions

    return play


def _rules_play(game: Game[Any, Any, Any]) -> Play:
    """Random play by the rules themselves, in a game without a kernel."""
    rules, rng = game.rules, Random(1)

    def play(seconds: float) -> tuple[int, int]:
        begin, games, actions = perf_counter(), 0, 0
        while not games or perf_counter() - begin < seconds:
            state = rules.start()
            while actors := rules.to_act(state):
                actor = CHANCE if CHANCE in actors else rng.choice(sorted(actors))
                listed = rules.turn_actions(state, actor)
                state, actions = rules.resolve(state, actor, rng.choice(listed)).state, actions + 1
            games += 1
        return games, actions

    return play


def _mcts_rate(name: str, seconds: float) -> float | None:
    if not has_engine(name):
        return None
    game, mcts = _bench_game(name), BOTS[MCTS]
    state = game.rules.start()
    seat = min(game.rules.to_act(state) - {CHANCE})
    view, actions = game.rules.view(state, seat, ()), game.rules.turn_actions(state, seat)
    if len(actions) < 2:
        return None
    mcts(view, actions, SearchContext(game, seat, Random(1), nodes=10))
    context = SearchContext(game, seat, Random(1), seconds=seconds)
    begin = perf_counter()
    mcts(view, actions, context)
    return context.evaluation.nodes / (perf_counter() - begin)


def _bench_game(name: str) -> Game[Any, Any, Any]:
    rulebook, more = GAMES[name], getattr(extra_of(name, "kernel"), "BENCH_OPTIONS", {})
    return rulebook.game({**rulebook.preset, **rulebook.bots_preset, **more})


def _peer_play(name: str) -> Play:
    """Random rollouts of its own search, inside its C++; how long they are is counted apart."""
    pyspiel: Any = import_module("pyspiel")
    game = pyspiel.load_game(name)
    mean = _mean_length(game)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    rollouts = pyspiel.RandomRolloutEvaluator(ROLLOUTS_PER_CALL, 1)
    searcher = pyspiel.MCTSBot(game, rollouts, 1.0, 2, 1000, False, 1, False)

    def play(seconds: float) -> tuple[int, int]:
        searcher.mcts_search(state)
        return 2 * ROLLOUTS_PER_CALL, round(2 * ROLLOUTS_PER_CALL * mean)

    return play


def _mean_length(game: Any) -> float:
    rng, actions = Random(1), 0
    for _ in range(SAMPLE_GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            actions += 1
    return actions / SAMPLE_GAMES
