"""The net of Kalamala's level 6: games for it, the fit, and matches that say whether it is better.

    .venv/bin/python tools/nets/kalamala.py gen PARENT GAMES SEED OUT.npz [--processes 2]
    .venv/bin/python tools/nets/kalamala.py fit OUT.npz... --weights NEW.npz [--epochs 20]
    .venv/bin/python tools/nets/kalamala.py match NEW.npz PARENT --ms 20 --games 1000
    .venv/bin/python tools/nets/kalamala.py rounds FOLDER PARENT GAMES SEED [--rounds 2]

A player is `hand` (the judgement by weights of level 5), a file of weights, `level-5` or `level-6`,
with other settings of the search after a colon: `hand:margin=80,reduces_by_log=1`. With `keep=1` a
player of a match goes on with the values that it found for its choices before.

`gen` lets PARENT play itself at a few thousand nodes per action and keeps every position with what
its search found. Half of them are one or two random actions aside, because a search looks at such
positions too. A game depends on its seed and on nothing else, so the same command gives the same
file on any machine. The sums of `fit` differ in the last digits between machines, so the file of
weights is what counts, and `match` is the proof.

`rounds` does all of it again and again, each time with the net of the round before if that has won
its match. A net is fitted to the games of its round and of the one before.
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
from scipy.sparse import csr_matrix

from kibitz.bots.kalamala import net
from kibitz.bots.kalamala.buffers import (
    FLAG_DTYPE,
    MAX_PLIES,
    MAX_SLOTS,
    SURE_WIN,
    Flag,
    Handicap,
    Pruning,
    Search,
    fill_settings,
    new_buffers,
)
from kibitz.bots.kalamala.levels import STRENGTHS
from kibitz.bots.kalamala.search import clear_table, deepen, reset_search, root_values
from kibitz.core.jit import Numbers, i64, u64
from kibitz.games.kalamala import Options, kalamala, kernel
from kibitz.games.kalamala.kernel.encoding import Packed, blank

OPTIONS = kalamala(Options(turn_limit=400)).options
NODES = 1500, 5000
"""The fewest and the most of a search whose value is learned."""
OPENING_PLIES = 2, 12
WHIM_PER_256, ASIDE_PER_256 = 6, 128
"""Of 256 actions, how many are played at random, and beside how many a position aside is kept."""
NOISE = 10
MAX_GAME_POSITIONS = 800
UNKNOWN_RESULT = 9
LABEL_SLOTS = 1 << 15
QUIET_MARGIN = 60
"""Positions are left out whose judgement is further than this from what it is once nobody wants to
push anything off."""
MAX_LABEL = 1500
RESULT_SHARE = 0.15
"""How much of what is learned is who won in the end; the rest is what the search found."""
BATCH, RATE, DECAY = 4096, 3e-3, 3e-6
HELD_OUT = 20
"""One position in so many is kept for checking."""
MATCH_PLIES = 4, 8
MIN_NODES = 200

POSITION = np.dtype(
    [
        ("own", np.uint64),
        ("others", np.uint64),
        ("value", np.int32),
        ("static", np.int32),
        ("quiet", np.int32),
        ("reserve", np.uint8),
        ("reserve_others", np.uint8),
        ("moves", np.uint8),
        ("kills", np.uint8),
        ("result", np.uint8),
    ]
)
"""A position for the side to act: what its search found, the judgement of it without a search,
and the result in half points."""


# Players


class Player:
    """A search with its own memory."""

    def __init__(self, said: str, slots: int = MAX_SLOTS) -> None:
        name, _, settings = said.partition(":")
        strength = STRENGTHS[int(name[-1]) - 1] if name.startswith("level-") else None
        self.pruning = strength.pruning if strength else Pruning()
        self.uses_net = strength.uses_net if strength else name != "hand"
        changes = dict(each.split("=") for each in settings.split(",") if each)
        keeps = strength.keeps_table if strength else False
        self.keeps_table = bool(int(changes.pop("keep", keeps)))
        self.pruning = self.pruning._replace(**{key: int(each) for key, each in changes.items()})
        self.buffers, self.slots = new_buffers(), slots
        if self.uses_net and not strength:
            net.fill_net(self.buffers.net, *net.read_weights(Path(name)))
        self.options = kernel.option_codes(OPTIONS)
        flag = cast(Flag, np.zeros(1, FLAG_DTYPE).view(np.recarray)[0])
        self.search = Search(self.options, self.buffers, flag)

    def think(self, p: Packed, nodes: int, noise: int, seed: int) -> tuple[int, int]:
        """The code of an action, or NO_ACTION, and the value."""
        handicap = Handicap(i64(0), i64(noise), u64(seed))
        fill_settings(self.buffers, handicap, self.pruning, self.uses_net)
        if not self.keeps_table:
            self.forget()
        reset_search(self.buffers, p, i64(nodes))
        value, _ = deepen(self.search, i64(MAX_PLIES - 2))
        return int(self.buffers.line[0]) if self.buffers.line_length else -1, int(value)

    def forget(self) -> None:
        clear_table(self.buffers, i64(self.slots))


def play_opening(options: Any, p: Packed, plies: int, rng: Random) -> None:
    """Random actions from the start, again until nobody has lost by them."""
    while True:
        kernel.start(options, p)
        if all(play_at_random(options, p, rng) for _ in range(plies)) and has_actions(options, p):
            return


def play_at_random(options: Any, p: Packed, rng: Random) -> bool:
    action, _ = kernel.pick(options, p, u64(rng.getrandbits(63)))
    if action >= 0:
        kernel.resolve(options, p, i64(p.side[0]), i64(action))
    return bool(action >= 0)


def has_actions(options: Any, p: Packed) -> bool:
    return bool(kernel.to_act(options, p))


# gen: games for learning


def game_positions(player: Player, number: int, nodes: tuple[int, int]) -> Numbers:
    """All positions of one game, and some beside it."""
    options, rng = player.options, Random(number)
    p, aside, winner = blank(), blank(), 2
    found: list[Any] = []
    play_opening(options, p, rng.randint(*OPENING_PLIES), rng)
    while has_actions(options, p) and len(found) < MAX_GAME_POSITIONS:
        side = int(p.side[0])
        code, value = _kept_position(player, p, rng.randint(*nodes), rng, found)
        found[-1]["result"] = side
        if abs(value) >= SURE_WIN or code < 0:
            winner = side if value > 0 else 1 - side
            break
        if rng.randrange(256) < ASIDE_PER_256:
            kernel.copy(p, aside)
            steps = rng.randint(1, 2)
            moved = all(play_at_random(options, aside, rng) for _ in range(steps))
            if moved and has_actions(options, aside):
                _kept_position(player, aside, rng.randint(*nodes), rng, found)
        if rng.randrange(256) < WHIM_PER_256:
            play_at_random(options, p, rng)
        else:
            kernel.resolve(options, p, i64(side), i64(code))
    else:
        payoffs = np.zeros(2, np.int64)
        if kernel.outcome(options, p, payoffs) and payoffs.any():
            winner = int(payoffs.argmax())
    rows = np.array(found, POSITION) if found else np.zeros(0, POSITION)
    known = rows["result"] != UNKNOWN_RESULT
    won = np.where(rows["result"] == winner, 2, 0) if winner < 2 else np.ones(len(rows))
    rows["result"] = np.where(known, won, UNKNOWN_RESULT)
    return rows


def _kept_position(
    player: Player, p: Packed, nodes: int, rng: Random, found: list[Any]
) -> tuple[int, int]:
    code, value = player.think(p, nodes, NOISE, rng.getrandbits(63))
    player.buffers.settings.noise = 0
    static, quiet, moves, kills = root_values(player.search)
    side = int(p.side[0])
    row = np.zeros(1, POSITION)[0]
    row["own"], row["others"] = p.stones[side], p.stones[1 - side]
    row["reserve"], row["reserve_others"] = p.reserve[side], p.reserve[1 - side]
    row["value"], row["static"], row["quiet"] = value, static, quiet
    row["moves"], row["kills"], row["result"] = min(moves, 255), kills, UNKNOWN_RESULT
    found.append(row)
    return code, value


@cache
def _cached_player(said: str, slots: int) -> Player:
    return Player(said, slots)


def _games(job: tuple[str, range, tuple[int, int]]) -> Numbers:
    said, numbers, nodes = job
    player = _cached_player(said, LABEL_SLOTS)
    player.keeps_table = False  # A game depends on its seed alone.
    return np.concatenate([game_positions(player, number, nodes) for number in numbers])


GAMES_PER_JOB = 10


def generate(
    parent: str, games: int, seed: int, processes: int, nodes: tuple[int, int] = NODES
) -> Numbers:
    """The positions of so many games, those of game SEED first."""
    starts = range(seed, seed + games, GAMES_PER_JOB)
    jobs = [(parent, range(n, min(n + GAMES_PER_JOB, seed + games)), nodes) for n in starts]
    if processes == 1:
        return np.concatenate([_games(job) for job in jobs])
    with get_context("spawn").Pool(processes) as pool:
        return np.concatenate(list(pool.imap(_games, jobs)))


# fit: weights from positions


SHARED_ROWS = int(net.shared_rows().max()) + 1


def row_numbers(positions: Numbers) -> Numbers:
    """By position, the rows that `net_value` adds up, numbered as in a file of weights."""
    shared, found = net.shared_rows().astype(np.int16), []
    own, others = positions["own"], positions["others"]

    def add(start: Any, mine: Numbers, theirs: Numbers) -> None:
        at = start + net.TERNARY[mine] + net.TERNARY_TWICE[theirs]
        found.append(shared[at.astype(np.int64)])

    for n in range(8):
        shift = np.uint64(8 * n)
        add(net.RANK_STARTS[n], own >> shift & np.uint64(255), others >> shift & np.uint64(255))
        files = [
            ((each >> np.uint64(n) & np.uint64(net.FILE_A)) * np.uint64(net.FILE_TO_BYTE))
            >> np.uint64(56)
            for each in (own, others)
        ]
        add(net.RANK_STARTS[n], *files)
    for n in range(net.DIAGONAL_COUNT):
        mask, shift = net.DIAGONAL_MASKS[n], net.DIAGONAL_SHIFTS[n]
        slants = [((each & mask) * np.uint64(net.FILE_A)) >> shift for each in (own, others)]
        add(net.DIAGONAL_STARTS[n], *slants)
    reserves = 5 * positions["reserve"].astype(np.int64) + positions["reserve_others"]
    found.append(shared[net.RESERVE_ROW + reserves])
    found.append(shared[net.MOVE_ROW + positions["moves"].astype(np.int64).clip(0, net.MOST_MOVES)])
    found.append(shared[net.KILL_ROW + positions["kills"].astype(np.int64).clip(0, net.MOST_KILLS)])
    return np.stack(found, 1)


def learnable(positions: Numbers) -> Numbers:
    static, quiet = positions["static"], positions["quiet"]
    calm: Numbers = positions[(abs(quiet - static) <= QUIET_MARGIN) & (abs(static) < SURE_WIN)]
    return calm


def target_chances(positions: Numbers) -> Numbers:
    value = positions["value"].astype(np.float64)
    chance = 1 / (1 + np.exp(-value.clip(-MAX_LABEL, MAX_LABEL) / net.SCALE))
    chance = np.where(abs(value) >= SURE_WIN, value > 0, chance)
    is_known = positions["result"] != UNKNOWN_RESULT
    mixed = RESULT_SHARE * positions["result"] / 2 + (1 - RESULT_SHARE) * chance
    return np.where(is_known, mixed, chance).astype(np.float32)


def cross_entropy(logits: Numbers, targets: Numbers) -> float:
    return float(np.mean(np.logaddexp(0, logits) - targets * logits))


Weights = dict[str, Numbers]


def first_weights(seed: int) -> Weights:
    rng = np.random.default_rng(seed)
    made = {
        "rows": rng.normal(0, 0.03, (SHARED_ROWS, net.NEURONS)),
        "second": rng.normal(0, 0.25, (net.NEURONS - 1, net.SECOND_NEURONS)),
        "second_bias": np.zeros(net.SECOND_NEURONS),
        "third": rng.normal(0, 0.3, net.SECOND_NEURONS),
    }
    return {name: each.astype(np.float32) for name, each in made.items()}


def as_matrix(rows: Numbers) -> csr_matrix:
    """A row for each position: how often each row of the net is added."""
    count, each = rows.shape
    ends = np.arange(0, count * each + 1, each)
    ones = np.ones(count * each, np.float32)
    return csr_matrix((ones, rows.ravel(), ends), shape=(count, SHARED_ROWS))


def layers(w: Weights, matrix: csr_matrix) -> tuple[Numbers, Numbers, Numbers]:
    """The logarithm of the odds that the net gives, and the two layers on the way."""
    sums = matrix @ w["rows"]
    first = np.maximum(sums[:, 1:], 0)
    second = np.maximum(first @ w["second"] + w["second_bias"], 0)
    return sums[:, 0] + second @ w["third"], first, second


def gradients(w: Weights, matrix: csr_matrix, targets: Numbers) -> Weights:
    logits, first, second = layers(w, matrix)
    out = (1 / (1 + np.exp(-logits)) - targets) / len(targets)
    to_second = out[:, None] * w["third"] * (second > 0)
    to_first = (to_second @ w["second"].T) * (first > 0)
    return {
        "rows": matrix.T @ np.concatenate([out[:, None], to_first], 1),
        "second": first.T @ to_second,
        "second_bias": to_second.sum(0),
        "third": second.T @ out,
    }


def fit_weights(
    rows: Numbers, targets: Numbers, epochs: int, seed: int = 0, batch: int = BATCH
) -> tuple[float, Weights]:
    """Adam with a rate that sinks to nothing; the loss on what was held out, and the weights."""
    learned = len(targets) - held_out_count(targets)
    batch = min(batch, learned)
    steps, step = learned // batch * epochs, 0
    w, rng = first_weights(seed), np.random.default_rng(seed)
    moments = {name: (np.zeros_like(each), np.zeros_like(each)) for name, each in w.items()}
    for _ in range(epochs):
        order = rng.permutation(learned)
        for begin in range(0, learned - batch + 1, batch):
            chosen = order[begin : begin + batch]
            found = gradients(w, as_matrix(rows[chosen]), targets[chosen])
            rate = RATE * 0.5 * (1 + math.cos(math.pi * step / steps))
            step += 1
            for name, (mean, square) in moments.items():
                slope = found[name] + 2 * DECAY * w[name]
                mean *= 0.9
                mean += 0.1 * slope
                square *= 0.999
                square += 0.001 * slope * slope
                width = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                w[name] -= rate / (1 - 0.9**step) * mean / width
    logits, _, _ = layers(w, as_matrix(rows[learned:]))
    return cross_entropy(logits, targets[learned:]), w


def held_out_count(targets: Numbers) -> int:
    """How many of the latest positions are kept for checking."""
    return max(1, len(targets) // HELD_OUT)


def whole_numbers(w: Weights) -> Weights:
    """The weights as the kernel has them: whole numbers."""
    both = net.FIRST_UNIT * net.SECOND_UNIT
    units = {"rows": net.FIRST_UNIT, "second": net.SECOND_UNIT, "third": net.SECOND_UNIT}
    found = {name: np.rint(each * units.get(name, both)) for name, each in w.items()}
    found["rows"] = found["rows"].clip(-net.MAX_ROW_NUMBER, net.MAX_ROW_NUMBER)
    return {
        name: each.astype(np.int32 if name == "second_bias" else np.int16)
        for name, each in found.items()
    }


def fit(paths: Sequence[Path], weights: Path, epochs: int, seed: int = 0) -> dict[str, Any]:
    """Write a file of weights, and return what it was made from."""
    digest, parts, total = sha256(), [], 0
    for path in paths:
        with np.load(path, allow_pickle=False) as file:
            part = file["positions"]
        digest.update(part.tobytes())
        parts.append(learnable(part))
        total += len(part)
    positions = np.concatenate(parts)
    targets = target_chances(positions)
    held = slice(len(targets) - held_out_count(targets), None)
    before = cross_entropy(positions["static"][held] / net.SCALE, targets[held])
    begin = time.time()
    after, found = fit_weights(row_numbers(positions), targets, epochs, seed)
    numbers: dict[str, Any] = whole_numbers(found)
    np.savez_compressed(weights, **numbers)
    return {
        "positions": total,
        "learned": len(positions),
        "data": digest.hexdigest(),
        "epochs": epochs,
        "seed": seed,
        "loss_before": round(before, 5),
        "loss_after": round(after, 5),
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
    plies: int
    nodes: tuple[int, int]
    seconds: tuple[float, float]
    moves: tuple[int, int]


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
    return Side(Player(players[0]), [2e6, 1.0]), Side(Player(players[1]), [2e6, 1.0])


def play_pair(job: tuple[MatchPlan, int]) -> list[GameResult]:
    """Two games from one opening, each player beginning once."""
    plan, number = job
    if time.time() > plan.until:
        return []
    sides = _sides(plan.players)
    return [play_game(plan, sides, number, first) for first in (0, 1)]


def play_game(plan: MatchPlan, sides: tuple[Side, Side], number: int, first: int) -> GameResult:
    options, p, rng = sides[0].player.options, blank(), Random(f"{plan.seed}/{number}")
    play_opening(options, p, rng.randint(*MATCH_PLIES), rng)
    for each in sides:
        each.player.forget()
    nodes, seconds, moves, plies, score = [0, 0], [0.0, 0.0], [0, 0], 0, None
    dice = Random(f"{plan.seed}/{number}/{first}")
    while has_actions(options, p):
        side = int(p.side[0])
        k = 0 if side == first else 1
        player, speed = sides[k]
        allowed = plan.nodes or max(MIN_NODES, int(plan.ms / 1e3 * speed[0] / speed[1]))
        begin = time.thread_time()
        code, value = player.think(p, allowed, 2, dice.getrandbits(63))
        spent, seen = time.thread_time() - begin, int(player.buffers.node_count)
        nodes[k], seconds[k], moves[k] = nodes[k] + seen, seconds[k] + spent, moves[k] + 1
        if seen > MIN_NODES:
            speed[0], speed[1] = speed[0] * 0.98 + seen, speed[1] * 0.98 + spent
        if abs(value) >= SURE_WIN or code < 0:
            score = float((value > 0) == (k == 0))
            break
        kernel.resolve(options, p, i64(side), i64(code))
        plies += 1
    if score is None:
        payoffs = np.zeros(2, np.int64)
        kernel.outcome(options, p, payoffs)
        score = (1 + int(payoffs[first])) / 2
    return GameResult(
        score, plies, (nodes[0], nodes[1]), (seconds[0], seconds[1]), (moves[0], moves[1])
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
    moves = np.array([game.moves for game in games]).sum(0)
    return {
        "players": plan.players,
        "games": len(games),
        "score": round(100 * score, 1),
        "error": round(100 * error, 1),
        "elo": round(elo(score)),
        "interval": [round(elo(score - 1.96 * error)), round(elo(score + 1.96 * error))],
        "ms": [round(1e3 * each, 1) for each in spent / moves],
        "mega_nodes_per_s": [round(each / 1e6, 2) for each in seen / spent],
        "plies": round(float(np.mean([game.plies for game in games])), 1),
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


# rounds: all of it, again and again


def settings_text(said: str) -> str:
    """The settings of a player, as they are typed after a file of weights."""
    name, _, settings = said.partition(":")
    if not name.startswith("level-"):
        return settings
    strength = STRENGTHS[int(name[-1]) - 1]
    own = {**strength.pruning._asdict(), "keep": int(strength.keeps_table)}
    texts = [*(f"{key}={each}" for key, each in own.items() if each), settings]
    return ",".join(filter(None, texts))


class RoundPlan(NamedTuple):
    folder: Path
    games: int
    seed: int
    """Of the first game of the first round; each round has SEEDS_PER_ROUND of them."""
    rounds: int
    data: tuple[Path, ...]
    """Games of the round before the first, if there were any."""
    epochs: int
    match_games: int
    ms: float
    match_nodes: int
    """Of a match by nodes and not by milliseconds, if not zero."""
    nodes: tuple[int, int]
    processes: int


SEEDS_PER_ROUND = 10_000_000


def play_rounds(parent: str, plan: RoundPlan) -> Iterator[dict[str, Any]]:
    """The results of each round: games, fit, and the match of the new net with its parent."""
    plan.folder.mkdir(parents=True, exist_ok=True)
    settings, before = settings_text(parent), plan.data
    for number in range(1, plan.rounds + 1):
        games, weights = (plan.folder / f"{name}-{number}.npz" for name in ("games", "net"))
        seed = plan.seed + (number - 1) * SEEDS_PER_ROUND
        found = generate(parent, plan.games, seed, plan.processes, plan.nodes)
        np.savez_compressed(games, positions=found)
        fitted = fit((*before, games), weights, plan.epochs)
        child = f"{weights}:{settings}"
        match = MatchPlan((child, parent), plan.ms, plan.match_nodes, 1, math.inf)
        result = play_match(match, plan.match_games, plan.processes)
        yield {
            "round": number,
            "parent": parent,
            "games": plan.games,
            "seed": seed,
            "fit": fitted,
            "match": result,
        }
        parent, before = (child if result["score"] > 50 else parent), (games,)


# The command line


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    gen = commands.add_parser("gen")
    gen.add_argument("parent")
    gen.add_argument("games", type=int)
    gen.add_argument("seed", type=int)
    gen.add_argument("out", type=Path)
    gen.add_argument("--nodes", type=int, nargs=2, default=NODES)
    fitting = commands.add_parser("fit")
    fitting.add_argument("data", type=Path, nargs="+")
    fitting.add_argument("--weights", type=Path, required=True)
    fitting.add_argument("--epochs", type=int, default=20)
    fitting.add_argument("--seed", type=int, default=0)
    match = commands.add_parser("match")
    match.add_argument("players", nargs=2)
    match.add_argument("--ms", type=float, default=20)
    match.add_argument("--nodes", type=int, default=0)
    match.add_argument("--games", type=int, default=400)
    match.add_argument("--seed", type=int, default=1)
    match.add_argument("--seconds", type=float, default=1e9, help="begin no game after that")
    rounds = commands.add_parser("rounds")
    rounds.add_argument("folder", type=Path)
    rounds.add_argument("parent")
    rounds.add_argument("games", type=int)
    rounds.add_argument("seed", type=int)
    rounds.add_argument("--rounds", type=int, default=2)
    rounds.add_argument("--data", type=Path, nargs="*", default=[], help="games of a round before")
    rounds.add_argument("--epochs", type=int, default=20)
    rounds.add_argument("--nodes", type=int, nargs=2, default=NODES)
    rounds.add_argument("--match-games", type=int, default=400)
    rounds.add_argument("--match-nodes", type=int, default=0, help="instead of milliseconds")
    rounds.add_argument("--ms", type=float, default=20)
    for command in (gen, match, rounds):
        command.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    said = parser.parse_args(arguments)
    for found in _results(said):
        print(json.dumps(found), flush=True)


def _results(said: argparse.Namespace) -> Iterator[dict[str, Any]]:
    if said.command == "rounds":
        yield from play_rounds(said.parent, _round_plan(said))
    else:
        yield _result(said)


def _round_plan(said: argparse.Namespace) -> RoundPlan:
    named = {name: getattr(said, name) for name in RoundPlan._fields}
    return RoundPlan(**{**named, "data": tuple(said.data), "nodes": tuple(said.nodes)})


def _result(said: argparse.Namespace) -> dict[str, Any]:
    if said.command == "gen":
        begin = time.time()
        nodes = (said.nodes[0], said.nodes[1])
        found = generate(said.parent, said.games, said.seed, said.processes, nodes)
        np.savez_compressed(said.out, positions=found)
        spent = round(time.time() - begin, 1)
        return {"games": said.games, "positions": len(found), "seconds": spent}
    if said.command == "fit":
        return fit(said.data, said.weights, said.epochs, said.seed)
    first, second = said.players
    until = time.time() + said.seconds
    plan = MatchPlan((first, second), said.ms, said.nodes, said.seed, until)
    return play_match(plan, said.games, said.processes)


if __name__ == "__main__":
    main()
