"""The speed of random play and of searches, on every target, beside OpenSpiel if it is installed.

All of it is measured in one run, by turns and in seconds of the processor, so that a busy machine
disturbs little: the ratios mean more than the rates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS, COMPARED_LEVEL, LEVELS, MCTS, has_engine
from kibitz.core.batch import play_matches
from kibitz.core.game import CHANCE, Game
from kibitz.core.jit import i64
from kibitz.core.kernel import Kernel
from kibitz.core.message import Value, fixed_decimal
from kibitz.core.targets import JIT, PYTHON, chosen_target, target_in_use, targets_here
from kibitz.games import GAMES, extra_of

ROUNDS = 5
CLOCK_SLICE_S = 0.2
"""Seconds between two looks at the clock."""
MAX_GAME_ACTIONS = 1_000_000
ROLLOUTS_PER_CALL = 500
"""Games that OpenSpiel plays for each call into it."""
MATCHES_PER_CALL = 64
SEARCH_NODES = 20_000
"""Nodes of each search that is measured; of one in plain Python a hundredth."""
SAMPLE_GAMES = 50
"""Games of OpenSpiel that are counted action by action."""


class PlayRate(NamedTuple):
    actions_per_s: float
    games_per_s: float
    mean_actions: float

    def as_values(self) -> dict[str, Value]:
        actions, games, mean = (fixed_decimal(each) for each in self)
        return {"actions": actions, "games": games, "mean": mean}


class TargetRate(NamedTuple):
    """The rates of one target, measured by turns with the others."""

    target: str
    actions_per_s: float
    nodes_per_s: float | None
    """Of level 5's search."""

    def as_values(self, beside: Sequence[TargetRate]) -> dict[str, Value]:
        """With the ratios to JIT, or to the plainest target without it."""
        base = next((each for each in beside if each.target == JIT), beside[0])
        play = self.actions_per_s / base.actions_per_s
        search = (self.nodes_per_s or 0.0) / (base.nodes_per_s or 1.0)
        return {
            "target": self.target,
            "base": base.target,
            "actions": fixed_decimal(self.actions_per_s),
            "play": fixed_decimal(play, 3),
            "nodes": fixed_decimal(self.nodes_per_s or 0.0),
            "search": fixed_decimal(search, 3),
        }


class BenchResult(NamedTuple):
    game: str
    ours: PlayRate
    targets: tuple[TargetRate, ...] = ()
    tries_per_s: float | None = None
    """The tries per second of a search tree from the start, where the game has one."""
    peer: str = ""
    theirs: PlayRate | None = None

    @property
    def ratio(self) -> float | None:
        return self.ours.actions_per_s / self.theirs.actions_per_s if self.theirs else None

    def as_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {**self.ours._asdict(), "mcts_simulations_per_s": self.tries_per_s}
        told["targets"] = {each.target: each._asdict() for each in self.targets}
        if self.theirs:
            told["peer"] = {"game": self.peer, **self.theirs._asdict(), "ratio": self.ratio}
        return told


Play = Callable[[float], tuple[int, int]]
"""Plays for so many seconds; how many games and how many actions it were."""


def measure_speed(game: str, seconds: float) -> BenchResult:
    """Random play from the start to the end on one core; the median of several rounds."""
    ours = _own_play(game, chosen_target())
    ours(0.0)  # compiles
    targets = _target_rates(game, seconds)
    peer = getattr(extra_of(game, "kernel"), "PEER_GAME", "")
    theirs = _peer_play(peer) if peer and find_spec("pyspiel") else None
    rounds = [
        (_measure_rate(ours, seconds / ROUNDS), theirs and _measure_rate(theirs, seconds / ROUNDS))
        for _ in range(ROUNDS)
    ]
    own = _median_rate([each for each, _ in rounds])
    other = _median_rate([each for _, each in rounds if each]) if theirs else None
    return BenchResult(game, own, targets, _mcts_rate(game, seconds), peer if other else "", other)


def _target_rates(name: str, seconds: float) -> tuple[TargetRate, ...]:
    """The medians of several rounds, in each of which every target has its turn."""
    if "kernel" not in GAMES[name].extras:
        return ()
    targets = targets_here()
    plays = {target: _own_play(name, target) for target in targets}
    rates: dict[str, list[float]] = {target: [] for target in targets}
    nodes: dict[str, list[float]] = {target: [] for target in targets}
    for number in range(1 + ROUNDS):
        for target in targets if number == 1 else [each for each in targets if each != PYTHON]:
            rates[target].append(_measure_rate(plays[target], seconds / ROUNDS / 2).actions_per_s)
            with target_in_use(target):
                if found := _search_rate(name, target):
                    nodes[target].append(found)
    # The first round compiles; one of plain Python is enough.
    return tuple(
        TargetRate(
            target,
            median(rates[target][-ROUNDS:]),
            median(nodes[target][-ROUNDS:] or [0.0]) or None,
        )
        for target in targets
    )


def _search_rate(name: str, target: str) -> float | None:
    """Nodes per second of level 5, from a position some way into a match."""
    if not has_engine(name):
        return None
    game, level = _bench_game(name), extra_of(name, "bots").LEVELS[LEVELS.index(COMPARED_LEVEL)]
    state = _position_with_choice(game)
    seat = min(game.rules.to_act(state) - {CHANCE})
    view, actions = game.rules.view(state, seat, ()), game.rules.turn_actions(state, seat)
    nodes = SEARCH_NODES // (100 if target == PYTHON else 1)
    context = SearchContext(game, seat, Random(1), nodes=nodes)
    begin = process_time()
    level(view, actions, context)
    return context.evaluation.nodes / (process_time() - begin)


def _position_with_choice(game: Game[Any, Any, Any]) -> Any:
    """A position of a random match in which a seat has several actions that a search weighs."""
    rules, rng, state = game.rules, Random(2), game.rules.start()
    for played in range(10**6):
        (actor, *_) = sorted(rules.to_act(state), key=lambda each: each != CHANCE)
        listed = rules.turn_actions(state, actor)
        if played > 30 and actor != CHANCE and len(listed) > 2:
            return state
        state = rules.resolve(state, actor, rng.choice(listed)).state
    raise AssertionError("no match is so long")


def _measure_rate(play: Play, seconds: float) -> PlayRate:
    begin, games, actions = process_time(), 0, 0
    while not games or process_time() - begin < seconds:
        more, played = play(CLOCK_SLICE_S)
        games, actions = games + more, actions + played
    spent = process_time() - begin
    return PlayRate(actions / spent, games / spent, actions / games)


def _median_rate(rates: list[PlayRate]) -> PlayRate:
    return PlayRate(*(median(each) for each in zip(*rates, strict=True)))


def _own_play(name: str, target: str) -> Play:
    game = _bench_game(name)
    if "kernel" not in GAMES[name].extras:
        return _rules_play(game)
    kernel: Kernel = extra_of(name, "kernel").KERNEL
    count = 1 if target == PYTHON else MATCHES_PER_CALL
    options, first, work = kernel.option_codes(game.options), kernel.blank(), kernel.blank()
    dice, lengths = np.arange(1, count + 1, dtype=np.uint64), np.zeros(count, np.int64)
    payoffs = np.zeros((count, kernel.seats), np.int64)
    kernel.start(options, first)

    def play(seconds: float) -> tuple[int, int]:
        begin, games, actions = process_time(), 0, 0
        with target_in_use(target):
            while not games or process_time() - begin < seconds:
                most = i64(MAX_GAME_ACTIONS)
                play_matches(kernel)(options, first, work, dice, most, lengths, payoffs)
                games, actions = games + count, actions + int(lengths.sum())
        return games, actions

    return play


def _rules_play(game: Game[Any, Any, Any]) -> Play:
    """Random play by the rules themselves, in a game without a kernel."""
    rules, rng = game.rules, Random(1)

    def play(seconds: float) -> tuple[int, int]:
        begin, games, actions = process_time(), 0, 0
        while not games or process_time() - begin < seconds:
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
    begin = process_time()
    mcts(view, actions, context)
    return context.evaluation.nodes / (process_time() - begin)


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
