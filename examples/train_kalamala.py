"""A Kalamala player that learns from nothing, by playing itself on a batch of `kibitz.learn`.

    python examples/train_kalamala.py --minutes 10
    kibitz arena kalamala examples/train_kalamala.py:choose greedy -n 200

It values a position by a network of one hidden layer, in plain NumPy. To choose, it tries every
action on a second batch (`Batch.take`) and takes the one after which the other side is worst off;
the value of that is what it learns for the position before. When it plays for real, it looks at all
answers to its best actions, too. The weights are in `kalamala.npz`, or where KALAMALA_WEIGHTS says.

With `--ray` several workers play, here or on a cluster. With `--gpu` batches and network are on a
graphics card: CuPy takes the place of NumPy, and the arrays of a batch as they are.
"""

import argparse
import os
from importlib import import_module
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np

from kibitz.learn import Batch

GAME = "kalamala"
SQUARES = 64
INPUTS = 2 * SQUARES + 10 + 1
"""Own pieces, the others', both reserves, and how many actions there are."""


class Sizes(NamedTuple):
    matches: int = 64
    """Matches side by side."""
    ahead: int = 4096
    """Matches to look ahead with."""
    hidden: int = 64
    lesson: int = 512
    """Positions that it learns from at once."""


ON_CARD = Sizes(2048, 131_072, 256, 8192)
STEPS, KEPT_ROUNDS, LESSONS = 32, 16, 32
"""Steps of each match before it learns; rounds that it learns from, and lessons in each."""
TRACE = 0.7
"""The share of a target that comes from how the match went on, not from one look ahead."""
BEST_ACTIONS = 12
"""Actions whose answers it looks at when it plays for real."""
WEIGHTS_FILE = os.environ.get("KALAMALA_WEIGHTS", "kalamala.npz")
_GRID = np.arange(SQUARES).reshape(8, 8)
TURNED = np.array([np.rot90(each, n).ravel() for each in (_GRID, _GRID.T) for n in range(4)])
"""The squares of a board in its eight symmetries."""


xp = np
"""The library of arrays: NumPy, or CuPy on a graphics card."""


class Network:
    """Positions as inputs; the expected result for whoever acts, from -1 to 1."""

    def __init__(self, seed=0, hidden=1):
        rng = np.random.default_rng(seed)
        first = rng.normal(0, 2 / INPUTS**0.5, (INPUTS, hidden))
        second = rng.normal(0, 0.3 / hidden**0.5, hidden)
        parts = first, np.zeros(hidden), second, np.zeros(1)
        self.weights = [xp.asarray(part, np.float32) for part in parts]
        self._means = [xp.zeros_like(part) for part in self.weights]
        self._squares = [xp.zeros_like(part) for part in self.weights]
        self._lessons = 0

    def __call__(self, inputs):
        first, bias, second, offset = self.weights
        return xp.tanh(xp.maximum(inputs @ first + bias, 0) @ second + offset)

    def learn(self, inputs, targets, rate):
        """One step of Adam towards the targets."""
        first, bias, second, offset = self.weights
        sums = inputs @ first + bias
        active = xp.maximum(sums, 0)
        values = xp.tanh(active @ second + offset)
        slopes = 2 * (values - targets) * (1 - values**2) / len(targets)
        inner = xp.outer(slopes, second) * (sums > 0)
        changes = inputs.T @ inner, inner.sum(0), active.T @ slopes, slopes.sum(keepdims=True)
        self._lessons += 1
        sizes = 1 - 0.9**self._lessons, 1 - 0.999**self._lessons
        for part, mean, square, change in zip(
            self.weights, self._means, self._squares, changes, strict=True
        ):
            mean += 0.1 * (change - mean)
            square += 0.001 * (change**2 - square)
            part -= rate * (mean / sizes[0]) / (xp.sqrt(square / sizes[1]) + 1e-8)


def inputs_of(env):
    """The inputs of the network for each match, from the side of whoever acts there."""
    board, numbers = map(xp.asarray, env.observe())
    found = xp.empty((env.n, INPUTS), np.float32)
    found[:, : 2 * SQUARES] = board[:, :2].reshape(env.n, 2 * SQUARES)
    found[:, 2 * SQUARES : -1] = numbers[:, :10]
    found[:, -1] = xp.asarray(env.counts) / 64
    return found


def look_ahead(env, ahead, network):
    """Every legal action of every match: the number of the match, the action and its value."""
    matches, actions = xp.nonzero(xp.asarray(env.legal()))
    seats = xp.asarray(env.actor).astype(np.int64)[matches]
    values = xp.empty(len(matches), np.float32)
    everyone = xp.arange(ahead.n)
    for begin in range(0, len(matches), ahead.n):
        count = min(ahead.n, len(matches) - begin)
        tried = begin + everyone % count  # What is left over of the batch tries them again.
        ahead.take(env, matches[tried].astype(np.int32))
        rewards, done = map(xp.asarray, ahead.step(actions[tried].astype(np.int32)))
        found = xp.where(done, rewards[everyone, seats[tried]], -network(inputs_of(ahead)))
        values[begin : begin + count] = found[:count]
    return matches, actions, values


class SelfPlay:
    """Matches of a network against itself."""

    def __init__(self, seed, sizes, device="cpu"):
        self.rng = xp.random.default_rng(seed)
        self.env = Batch(GAME, sizes.matches, seed=seed, threads=1, device=device)
        self.ahead = Batch(GAME, sizes.ahead, threads=1, device=device)
        for _ in range(60):  # Matches are to stand in different places.
            self.env.step(self.env.sample())

    def play(self, network, chance_of_random):
        """So many steps: the inputs, the targets, and how many matches were finished."""
        env, rounds = self.env, []
        everyone, actor = xp.arange(env.n), xp.asarray(env.actor)
        for _ in range(STEPS):
            inputs, seats = inputs_of(env), actor.astype(np.int64)
            actions, values = self._best(network)
            is_random = self.rng.random(env.n) < chance_of_random
            chosen = xp.where(is_random, xp.asarray(env.sample()), actions).astype(np.int32)
            rewards, done = map(xp.asarray, env.step(chosen))
            rounds.append((inputs, values, is_random, rewards[everyone, seats], done.copy()))
        targets, after = [], network(inputs_of(env))
        for _, values, is_random, paid, done in reversed(rounds):
            went_on = (1 - TRACE) * values + TRACE * xp.where(done, paid, -after)
            after = xp.where(is_random, values, went_on)
            targets.append(after)
        inputs = xp.concatenate([each[0] for each in rounds])
        finished = sum(int(each[4].sum()) for each in rounds)
        return inputs, xp.concatenate(targets[::-1]).astype(np.float32), finished

    def _best(self, network):
        """The best action of each match, and its value; ties are broken by chance."""
        matches, actions, values = look_ahead(self.env, self.ahead, network)
        wobbly = values + 1e-3 * self.rng.random(len(values))
        order = xp.argsort(matches + 0.2 * wobbly)  # Values are from -1 to 1: matches stay apart.
        last = order[xp.searchsorted(matches, xp.arange(self.env.n), "right") - 1]
        return actions[last], values[last]


def train(minutes, play, sizes, seed=1, clock=process_time, say=print):
    """The network after so many minutes; `play` returns what some players of it lived through."""
    network, rng, kept = Network(seed, sizes.hidden), xp.random.default_rng(seed), []
    begin, told, matches, steps = clock(), 1, 0, 0
    while (part := (clock() - begin) / (60 * minutes)) < 1:
        played = play(network, 0.25 * (1 - part) + 0.05)
        kept = [*kept, *[each[:2] for each in played]][-KEPT_ROUNDS * len(played) :]
        matches += sum(finished for _, _, finished in played)
        steps += sum(len(targets) for _, targets, _ in played)
        inputs, targets = (xp.concatenate(each) for each in zip(*kept, strict=True))
        for turn in range(LESSONS * len(played)):
            some = rng.integers(0, len(inputs), sizes.lesson)
            network.learn(turn_boards(inputs[some], turn), targets[some], 1e-3 * (1 - 0.9 * part))
        if clock() - begin > 60 * told:
            say(f"{told} min: {matches:,} matches, {steps:,} decisions", flush=True)
            told += 1
    return network


def turn_boards(inputs, turn):
    """The same positions in one of the symmetries of the board."""
    squares = xp.asarray(TURNED[turn % len(TURNED)])
    return xp.concatenate([inputs[:, squares], inputs[:, 64 + squares], inputs[:, 128:]], axis=1)


# The player


_batches = {}


def choose(view, actions, think):
    """The best action after a look at all answers to the best of them."""
    options = dict(think.game.options)
    key = str(options)
    if key not in _batches:
        sizes = 1, 128, BEST_ACTIONS, 1024
        found = [Batch(GAME, size, options=options, threads=1) for size in sizes]
        _batches[key] = (*found, load(WEIGHTS_FILE))
    env, ahead, tried, answers, network = _batches[key]
    env.set(0, think.game.notation.write_state(view))
    _, numbers, values = look_ahead(env, ahead, network)
    best = np.resize(numbers[np.argsort(-values)[:BEST_ACTIONS]], BEST_ACTIONS)
    tried.take(env, np.zeros(BEST_ACTIONS, int))
    rewards, done = (each.copy() for each in tried.step(best))
    matches, _, values = look_ahead(tried, answers, network)
    worst = np.full(BEST_ACTIONS, -1.0)
    np.maximum.at(worst, matches, values)
    after = np.where(done, rewards[:, env.actor[0]], -worst)
    return think.game.notation.read_action(env.action_text(0, best[after.argmax()]))


def save(network, path):
    np.savez(path, *(part.get() if xp is not np else part for part in network.weights))


def load(path):
    network = Network()
    with np.load(path) as saved:
        network.weights = [saved[name] for name in saved.files]
    return network


def players(count, seed, sizes, address=None):
    """A function that lets players play: here, or on a Ray cluster."""
    if address is None:
        device = "cpu" if xp is np else "cuda"
        here = [SelfPlay(seed + n, sizes, device) for n in range(count)]
        return lambda *given: [each.play(*given) for each in here]
    from kibitz.arena.ray_runner import connect_ray

    ray = connect_ray(address)
    remote = ray.remote(num_cpus=1)(SelfPlay)
    there = [remote.remote(seed + n, sizes) for n in range(count)]
    return lambda *given: ray.get([each.play.remote(*given) for each in there])


def use_card():
    """CuPy in place of NumPy; a sentence where that cannot be."""
    global xp
    try:
        xp = import_module("cupy")
        xp.zeros(1)
    except Exception as error:
        raise SystemExit(
            f"--gpu needs CuPy and an NVIDIA card: {error}. Leave it out to use the processor."
        ) from None


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--minutes", type=float, default=10, help="CPU time; with Ray or a card, time"
    )
    parser.add_argument("--out", default=WEIGHTS_FILE, help="file for the weights")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="players on a Ray cluster")
    parser.add_argument("--ray", nargs="?", const="local", metavar="ADDRESS", help="use Ray")
    parser.add_argument("--gpu", action="store_true", help="use a graphics card")
    given = parser.parse_args()
    if given.gpu:
        use_card()
    sizes = ON_CARD if given.gpu else Sizes()
    clock = perf_counter if given.ray or given.gpu else process_time
    play = players(given.workers if given.ray else 1, given.seed, sizes, given.ray)
    save(train(given.minutes, play, sizes, given.seed, clock), given.out)
    print(f"The weights are in {given.out}.")


if __name__ == "__main__":
    main()
