"""The net of Kahmaté's level 6: games for it, the fit, and matches that say whether it is better.

    .venv/bin/python tools/nets/kahmate.py gen PARENT GAMES SEED OUT.npz [--processes 2]
    .venv/bin/python tools/nets/kahmate.py fit OUT.npz... --parent PARENT --weights NEW.npz
    .venv/bin/python tools/nets/kahmate.py match NEW.npz PARENT --nodes 4000 --games 400

A player is `level-5`, `level-6` or a file of weights, with other widths of its search after a
colon: `level-5:width=32,reply_width=10`.

`gen` lets PARENT play itself and keeps every beginning of a turn, with what the whole search of
level 5 found there: the answers to a turn, and what is answered to them. One turn in eight is not
the best one, so that the net knows what a search looks at. `fit` goes on from the net of PARENT. A
game depends on its seed and on nothing else, so the same command gives the same file on any
machine. The sums of `fit` differ in the last digits between machines, so the file of weights is
what counts, and `match` is the proof.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import numpy as np

from kibitz.bots.api import SearchContext
from kibitz.bots.kahmate.levels import LEVELS, STRENGTHS, Root, Strength
from kibitz.bots.kahmate.net import read_weights, write_weights
from kibitz.bots.kahmate.search import NODES_SEEN
from kibitz.bots.kahmate.value import (
    BIAS,
    CASE_COUNT,
    FEATURE_COUNT,
    HIDDEN_NEURONS,
    OUT,
    Net,
    fill_features,
    read_net,
)
from kibitz.core.game import CHANCE
from kibitz.core.jit import Numbers
from kibitz.core.targets import PYTHON
from kibitz.games.kahmate import Options, kahmate
from kibitz.games.kahmate.actions import Card
from kibitz.games.kahmate.line_ups import LINE_UPS
from kibitz.games.kahmate.options import PRESET
from kibitz.games.kahmate.state import SEATS, Duelling, Placing, Playing, State

GAME = kahmate(Options(**PRESET))
LABEL_NODES = 20_000
"""Of a search whose value is learned."""
ASIDE_PER_256 = 60
"""Of 256 men, how many are placed beside where a ready line-up has them."""
WHIMS_PER_256 = 32
"""Of 256 turns, how many are played otherwise than best."""
MAX_WHIMS = 12
"""So many of the best plans a whim chooses from."""
MAX_GAME_TURNS = 120
TD_LAMBDA = 0.7
"""How much of what a position is taken to be worth is left to the positions after it."""
HELD_OUT = 20
"""One turn in so many, the latest, is kept for checking."""
BATCH, RATE, DECAY = 512, 4e-4, 1e-5
FIRST_SPEED = 1e6
"""Nodes per second, until a player has shown its own."""
MIN_NODES = 200

plain_features: Any = cast(Any, fill_features).version(PYTHON)
"""Not compiled: a few milliseconds beside a search."""
TURN = np.dtype(
    [
        ("features", np.float32, (FEATURE_COUNT,)),
        ("case", np.uint8),
        ("side", np.uint8),
        ("value", np.float32),
        ("is_whim", np.uint8),
        ("game", np.uint32),
        ("winner", np.uint8),
    ]
)
"""The beginning of a turn: what its search found for the side on turn, whether the turn was then
played otherwise, and who made the try; NOBODY where it ended without one."""
NOBODY = 2


# Players


class Player:
    """A search, with its widths and its net."""

    def __init__(self, said: str) -> None:
        name, _, settings = said.partition(":")
        number = int(name[-1]) if name.startswith("level-") else len(LEVELS)
        changes = dict(each.split("=") for each in settings.split(",") if each)
        strength = STRENGTHS[min(number, len(STRENGTHS)) - 1]
        self.strength: Strength = strength._replace(
            **{key: type(getattr(strength, key))(each) for key, each in changes.items()}
        )
        self.net = read_net() if name.startswith("level-") else read_weights(Path(name))

    def search(self, state: State, rng: Random, nodes: int) -> Root:
        root = Root(state, SearchContext(GAME, seat_to_act(state), rng))
        root.search(self.strength, nodes, self.net)
        return root


def seat_to_act(state: State) -> str:
    (seat,) = GAME.rules.to_act(state)
    return seat


def turn_line(root: Root, is_whim: bool, rng: Random) -> tuple[Any, ...]:
    """The rest of the turn as planned, as far as nobody else has a say in it; or one of the best
    plans."""
    lines = [root.line()]
    if is_whim:
        lines = [line for _, line in root.plans()[:MAX_WHIMS] if line] or lines
    return rng.choice(lines)


def play_opening(rng: Random) -> State:
    """Ready line-ups with some men aside, and the ball drawn."""
    state: State = GAME.rules.start()
    line_ups = {seat: rng.choice(LINE_UPS).placements(seat) for seat in SEATS}
    while isinstance(state.phase, Placing):
        seat = seat_to_act(state)
        actions = GAME.rules.turn_actions(state, seat)
        fitting = [each for each in actions if each in line_ups[seat]]
        if not fitting or rng.randrange(256) < ASIDE_PER_256:
            fitting = list(actions)
        state = GAME.rules.resolve(state, seat, rng.choice(fitting)).state
    return draw_ball(state, rng)


def draw_ball(state: State, rng: Random) -> State:
    odds = GAME.rules.odds(state)
    (drawn,) = rng.choices(list(odds), list(map(float, odds.values())))
    return GAME.rules.resolve(state, CHANCE, drawn).state


def play_line(state: State, line: Sequence[Any]) -> State:
    """A plan, until the turn is another's or cards decide."""
    seat = state.turn
    for action in line:
        if not isinstance(state.phase, Playing) or state.turn != seat or GAME.rules.outcome(state):
            break
        state = GAME.rules.resolve(state, seat, action).state
    return state


def next_state(root: Root, state: State, rng: Random, is_whim: bool = False) -> State:
    """After what whoever is to act chose by this search."""
    seat = seat_to_act(state)
    if isinstance(state.phase, Duelling):
        mix = root.card_mix()
        (card,) = rng.choices(list(mix), list(mix.values()))
        return GAME.rules.resolve(state, seat, Card(card)).state
    line = turn_line(root, is_whim, rng) or (GAME.rules.turn_actions(state, seat)[-1],)
    if isinstance(state.phase, Playing):
        return play_line(state, line)
    return GAME.rules.resolve(state, seat, line[0]).state


# gen: games for learning


def game_turns(player: Player, number: int, nodes: int) -> Numbers:
    """The beginnings of the turns of one game."""
    rng, winner = Random(number), NOBODY
    state, turns = play_opening(rng), -1
    found = np.zeros(MAX_GAME_TURNS, TURN)
    kept = 0
    while state.turns < MAX_GAME_TURNS - 1:
        if over := GAME.rules.outcome(state):
            if over.result in SEATS:
                winner = SEATS.index(over.result)
            break
        if CHANCE in GAME.rules.to_act(state):
            state = draw_ball(state, rng)
            continue
        root = player.search(state, rng, nodes)
        is_beginning = state.turns != turns and isinstance(state.phase, Playing)
        is_whim = is_beginning and rng.randrange(256) < WHIMS_PER_256
        if is_beginning:
            turns, row = state.turns, found[kept]
            judge = root.buffers.evaluation
            with np.errstate(over="ignore"):
                row["case"] = plain_features(root.option_codes, judge, root.room[0])
            row["features"] = judge.features
            row["side"], row["value"] = SEATS.index(state.turn), root.value
            row["is_whim"], row["game"] = is_whim, number
            kept += 1
        state = next_state(root, state, rng, is_whim)
    found["winner"] = winner
    return found[:kept]


@cache
def _cached_player(said: str) -> Player:
    return Player(said)


def _games(job: tuple[str, range, int]) -> Numbers:
    said, numbers, nodes = job
    player = _cached_player(said)
    return np.concatenate([game_turns(player, number, nodes) for number in numbers])


GAMES_PER_JOB = 10


def generate(parent: str, games: int, seed: int, processes: int, nodes: int) -> Numbers:
    """The turns of so many games, those of game SEED first."""
    starts = range(seed, seed + games, GAMES_PER_JOB)
    jobs = [(parent, range(n, min(n + GAMES_PER_JOB, seed + games)), nodes) for n in starts]
    if processes == 1:
        return np.concatenate([_games(job) for job in jobs])
    with get_context("spawn").Pool(processes) as pool:
        return np.concatenate(list(pool.imap(_games, jobs)))


# fit: weights from turns


def target_chances(turns: Numbers) -> Numbers:
    """The chance of the side on turn to make the next try: what was found there, then of the turn
    after it, and so on, and less and less so, who made the try."""
    chances = np.zeros(len(turns), np.float32)
    ends = np.flatnonzero(np.append(turns["game"][1:] != turns["game"][:-1], True))
    begin = 0
    for end in ends:
        winner = int(turns["winner"][end])
        expected = None if winner == NOBODY else float(winner == 0)
        for at in range(end, begin - 1, -1):
            value, is_red = float(turns["value"][at]), turns["side"][at] == 0
            thought = value if is_red else 1.0 - value
            if expected is None or (turns["is_whim"][at] and at < end):
                expected = thought
            expected = TD_LAMBDA * expected + (1.0 - TD_LAMBDA) * thought
            chances[at] = expected if is_red else 1.0 - expected
        begin = end + 1
    return chances


Weights = dict[str, Numbers]


def as_weights(net: Net, case: int) -> Weights:
    numbers, straight = net.numbers[case].astype(np.float32), net.straight[case].astype(np.float32)
    return {
        "numbers": numbers[:FEATURE_COUNT].copy(),
        "bias": numbers[BIAS].copy(),
        "out": numbers[OUT].copy(),
        "straight": straight[:FEATURE_COUNT].copy(),
        "nothing": straight[FEATURE_COUNT:].copy(),
    }


def as_net(cases: Sequence[Weights]) -> Net:
    net = Net(
        np.zeros((CASE_COUNT, FEATURE_COUNT + 2, HIDDEN_NEURONS), np.float32),
        np.zeros((CASE_COUNT, FEATURE_COUNT + 1), np.float32),
    )
    for case, w in enumerate(cases):
        net.numbers[case] = np.concatenate([w["numbers"], w["bias"][None], w["out"][None]])
        net.straight[case] = np.concatenate([w["straight"], w["nothing"]])
    return net


def layers(w: Weights, features: Numbers) -> tuple[Numbers, Numbers]:
    """The neurons, and the logarithm of the odds."""
    hidden = np.maximum(features @ w["numbers"] + w["bias"], 0)
    return hidden, hidden @ w["out"] + features @ w["straight"] + w["nothing"]


def gradients(w: Weights, features: Numbers, targets: Numbers) -> Weights:
    hidden, logits = layers(w, features)
    wrong = (1 / (1 + np.exp(-logits)) - targets) / len(targets)
    back = np.outer(wrong, w["out"]) * (hidden > 0)
    return {
        "numbers": features.T @ back,
        "bias": back.sum(0),
        "out": hidden.T @ wrong,
        "straight": features.T @ wrong,
        "nothing": wrong.sum(keepdims=True),
    }


def cross_entropy(logits: Numbers, targets: Numbers) -> float:
    return float(np.mean(np.logaddexp(0, logits) - targets * logits))


def fit_case(
    w: Weights, features: Numbers, targets: Numbers, epochs: int, rng: Any, rate: float = RATE
) -> None:
    """Change the weights by Adam, with a rate that sinks to nothing."""
    batch = min(BATCH, len(targets))
    steps, step = len(targets) // batch * epochs, 0
    moments = {name: (np.zeros_like(each), np.zeros_like(each)) for name, each in w.items()}
    for _ in range(epochs):
        order = rng.permutation(len(targets))
        for begin in range(0, len(targets) - batch + 1, batch):
            chosen = order[begin : begin + batch]
            found = gradients(w, features[chosen], targets[chosen])
            speed = rate * 0.5 * (1 + math.cos(math.pi * step / steps))
            step += 1
            for name, (mean, square) in moments.items():
                slope = found[name] + DECAY * w[name]
                mean *= 0.9
                mean += 0.1 * slope
                square *= 0.999
                square += 0.001 * slope * slope
                width = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                w[name] -= speed / (1 - 0.9**step) * mean / width


def total_loss(cases: Sequence[Weights], turns: Numbers, targets: Numbers) -> float:
    """The mean over all turns, each by the net of its case."""
    logits = np.zeros(len(turns), np.float32)
    for case, w in enumerate(cases):
        is_here = turns["case"] == case
        logits[is_here] = layers(w, turns["features"][is_here])[1]
    return cross_entropy(logits, targets)


def fit(
    paths: Sequence[Path], parent: str, weights: Path, epochs: int, seed: int = 0
) -> dict[str, Any]:
    """Write a file of weights, and return what it was made from."""
    digest, parts = sha256(), []
    for path in paths:
        with np.load(path, allow_pickle=False) as file:
            parts.append(file["turns"])
        digest.update(parts[-1].tobytes())
    turns = np.concatenate(parts)
    targets = target_chances(turns)
    is_held = np.arange(len(turns)) >= len(turns) - max(1, len(turns) // HELD_OUT)
    cases = [as_weights(Player(parent).net, case) for case in range(CASE_COUNT)]
    before = total_loss(cases, turns[is_held], targets[is_held])
    begin, rng = time.time(), np.random.default_rng(seed)
    for case, w in enumerate(cases):
        learned = (turns["case"] == case) & ~is_held
        if learned.any():
            fit_case(w, turns["features"][learned], targets[learned], epochs, rng)
    write_weights(as_net(cases), weights)
    held = targets[is_held].astype(np.float64).clip(1e-6, 1 - 1e-6)
    return {
        "parent": parent,
        "games": len(np.unique(turns["game"])),
        "turns": len(turns),
        "learned": int((~is_held).sum()),
        "data": digest.hexdigest(),
        "epochs": epochs,
        "seed": seed,
        "loss_before": round(before, 5),
        "loss_after": round(total_loss(cases, turns[is_held], targets[is_held]), 5),
        "entropy_of_targets": round(cross_entropy(np.log(held / (1 - held)), held), 5),
        "seconds": round(time.time() - begin, 1),
        "digest": sha256(weights.read_bytes()).hexdigest(),
    }


# match: is it better?


class Side(NamedTuple):
    player: Player
    speed: list[float]
    """Nodes and seconds so far."""


class GameResult(NamedTuple):
    score: float
    """Of the first player."""
    turns: int
    nodes: tuple[int, int]
    seconds: tuple[float, float]
    choices: tuple[int, int]


class MatchPlan(NamedTuple):
    players: tuple[str, str]
    ms: float
    nodes: int
    """Instead of milliseconds, if not zero."""
    seed: int
    until: float
    """No game begins after this time."""


@cache
def _sides(players: tuple[str, str]) -> tuple[Side, Side]:
    return Side(Player(players[0]), [FIRST_SPEED, 1.0]), Side(
        Player(players[1]), [FIRST_SPEED, 1.0]
    )


def play_pair(job: tuple[MatchPlan, int]) -> list[GameResult]:
    """Two games from one opening, each player on each side once."""
    plan, number = job
    if time.time() > plan.until:
        return []
    sides = _sides(plan.players)
    return [play_game(plan, sides, number, first) for first in (0, 1)]


def play_game(plan: MatchPlan, sides: tuple[Side, Side], number: int, first: int) -> GameResult:
    """One game; the first player has the seat with number `first`."""
    state = play_opening(Random(f"{plan.seed}/{number}"))
    dice = Random(f"{plan.seed}/{number}/{first}")
    nodes, seconds, choices = [0, 0], [0.0, 0.0], [0, 0]
    while not (over := GAME.rules.outcome(state)):
        if CHANCE in GAME.rules.to_act(state):
            state = draw_ball(state, dice)
            continue
        k = 0 if SEATS.index(seat_to_act(state)) == first else 1
        player, speed = sides[k]
        allowed = plan.nodes or max(MIN_NODES, int(plan.ms / 1e3 * speed[0] / speed[1]))
        begin = time.thread_time()
        root = player.search(state, dice, allowed)
        spent, seen = time.thread_time() - begin, int(root.buffers.counts[NODES_SEEN])
        nodes[k], seconds[k], choices[k] = nodes[k] + seen, seconds[k] + spent, choices[k] + 1
        if seen > MIN_NODES:
            speed[0], speed[1] = speed[0] * 0.98 + seen, speed[1] * 0.98 + spent
        state = next_state(root, state, dice)
    return GameResult(
        (1 + over.payoffs[first]) / 2,
        state.turns,
        (nodes[0], nodes[1]),
        (seconds[0], seconds[1]),
        (choices[0], choices[1]),
    )


def elo(score: float) -> float:
    score = min(max(score, 1e-3), 1 - 1e-3)
    return 400 * math.log10(score / (1 - score))


def summary(plan: MatchPlan, pairs: Sequence[Sequence[GameResult]]) -> dict[str, Any]:
    """The score of the first player, with 95% by opening pairs, and what each of them spent."""
    means = np.array([np.mean([game.score for game in pair]) for pair in pairs])
    games = [game for pair in pairs for game in pair]
    score, error = float(means.mean()), float(means.std(ddof=1) / math.sqrt(len(means)))
    spent = np.array([game.seconds for game in games]).sum(0)
    seen = np.array([game.nodes for game in games]).sum(0)
    choices = np.array([game.choices for game in games]).sum(0)
    return {
        "players": plan.players,
        "games": len(games),
        "score": round(100 * score, 1),
        "error": round(100 * error, 1),
        "elo": round(elo(score)),
        "interval": [round(elo(score - 1.96 * error)), round(elo(score + 1.96 * error))],
        "ms": [round(1e3 * each, 1) for each in spent / choices],
        "kilo_nodes": [round(each / 1e3, 1) for each in seen / choices],
        "turns": round(float(np.mean([game.turns for game in games])), 1),
        "seed": plan.seed,
    }


def play_match(plan: MatchPlan, games: int, processes: int) -> dict[str, Any]:
    jobs = [(plan, number) for number in range(games // 2)]
    return summary(plan, [pair for pair in _pair_results(jobs, processes) if pair])


def _pair_results(jobs: Sequence[Any], processes: int) -> Iterator[list[GameResult]]:
    if processes == 1:
        yield from map(play_pair, jobs)
        return
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(play_pair, jobs)


# The command line


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    gen = commands.add_parser("gen")
    gen.add_argument("parent")
    gen.add_argument("games", type=int)
    gen.add_argument("seed", type=int)
    gen.add_argument("out", type=Path)
    gen.add_argument("--nodes", type=int, default=LABEL_NODES)
    fitting = commands.add_parser("fit")
    fitting.add_argument("data", type=Path, nargs="+")
    fitting.add_argument("--parent", default="level-6")
    fitting.add_argument("--weights", type=Path, required=True)
    fitting.add_argument("--epochs", type=int, default=12)
    fitting.add_argument("--seed", type=int, default=0)
    match = commands.add_parser("match")
    match.add_argument("players", nargs=2)
    match.add_argument("--ms", type=float, default=40)
    match.add_argument("--nodes", type=int, default=0)
    match.add_argument("--games", type=int, default=400)
    match.add_argument("--seed", type=int, default=1)
    match.add_argument("--seconds", type=float, default=1e9, help="begin no game after that")
    for command in (gen, match):
        command.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    said = parser.parse_args(arguments)
    print(json.dumps(_run(said)), flush=True)


def _run(said: argparse.Namespace) -> dict[str, Any]:
    if said.command == "gen":
        begin = time.time()
        found = generate(said.parent, said.games, said.seed, said.processes, said.nodes)
        np.savez_compressed(said.out, turns=found)
        spent = round(time.time() - begin, 1)
        return {"games": said.games, "turns": len(found), "seconds": spent}
    if said.command == "fit":
        return fit(said.data, said.parent, said.weights, said.epochs, said.seed)
    first, second = said.players
    until = time.time() + said.seconds
    plan = MatchPlan((first, second), said.ms, said.nodes, said.seed, until)
    return play_match(plan, said.games, said.processes)


if __name__ == "__main__":
    main()
