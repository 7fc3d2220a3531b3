"""Finds what AS-Kimble positions are worth: the judgement plays itself, its weights are fitted.

    .venv/bin/python tools/tune/as_kimble.py [ROUNDS] [POSITIONS] [fresh]

Each round plays games with the weights of the round before, some choices made at random, and keeps
positions in which the die is to fall, with who won in the end. The weights are those that say best
who will. The first round, if fresh, plays at random. They are written to
src/kibitz/bots/as_kimble/weights.py.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.bots.as_kimble import weights
from kibitz.bots.as_kimble.search import (
    TRY,
    SearchBuffers,
    best_action,
    new_buffers,
    options_for_tries,
    random_action,
)
from kibitz.bots.as_kimble.value import COLUMNS, NEURONS, fill_features, net_from_numbers, tuned_net
from kibitz.core.bits import lowest_bit, mix_bits, next_die, number_below
from kibitz.core.jit import Numbers, i64, jit, u64
from kibitz.games.as_kimble import kernel
from kibitz.games.as_kimble.kernel.dispatch import resolve, to_act
from kibitz.games.as_kimble.kernel.encoding import ENDED, NOBODY, POPPING, SEATS, OptionCodes
from kibitz.games.as_kimble.kernel.playout import random_face
from kibitz.games.as_kimble.kernel.sides import copy
from kibitz.games.as_kimble.kernel.turn import pop
from kibitz.games.as_kimble.state import State

KEEP_ONE_IN = 12
"""One position in so many."""
WHIMS_PER_256 = 12
"""Of 256 choices, how many are made at random."""
MAX_GAME_ACTIONS = 6000
EPOCHS, BATCH, RATE, DECAY = 6, 2048, 2e-3, 1e-5
SIZES = (COLUMNS * NEURONS, NEURONS, NEURONS, COLUMNS)


def main(rounds: int, positions: int, is_fresh: bool) -> None:
    rng = np.random.default_rng(int(perf_counter() * 1000) % 1000)
    net = net_from_numbers(rng.normal(0, 0.1, sum(SIZES))) if is_fresh else tuned_net()
    rulebooks = [
        options_for_tries(kernel.option_codes(options)) for options in ({}, {"finished": "skip"})
    ]
    for number in range(rounds):
        whim = 256 if is_fresh and number == 0 else WHIMS_PER_256
        rows = np.zeros((positions, SEATS, COLUMNS), np.float32)
        winners = np.zeros(positions, np.int64)
        start = kernel.blank()
        kernel.pack(State(), start)
        die = u64(int(rng.integers(1 << 62)))
        begun = perf_counter()
        games = gather_positions(
            rulebooks[0], new_buffers(net), start, die, i64(whim), rows, winners
        )
        print(f"round {number}: {games} games, {perf_counter() - begun:.0f} s", flush=True)
        net = fit_net(net, rows, winners, rng)
    write_weights(net)


@jit
def gather_positions(
    options: OptionCodes,
    d: SearchBuffers,
    start: Any,
    die: int,
    whim: int,
    rows: Numbers,
    winners: Numbers,
) -> int:
    """Play until all rows are filled."""
    filled, games, columns = i64(0), i64(0), np.zeros((SEATS, COLUMNS))
    while filled < rows.shape[0]:
        p, first = d.row[TRY], filled
        copy(start, p)
        p.team = games & 3
        for _ in range(MAX_GAME_ACTIONS):
            die = next_die(die)
            if p.phase == ENDED:
                break
            if p.phase == POPPING:
                if (
                    number_below(mix_bits(u64(~die)), i64(KEEP_ONE_IN)) == 0
                    and filled < rows.shape[0]
                ):
                    fill_features(options, p, columns)
                    rows[filled] = columns
                    filled += 1
                pop(options, p, p.team, random_face(options, p, mix_bits(die)))
                continue
            actor = lowest_bit(to_act(options, p))
            if number_below(mix_bits(die), i64(256)) < whim:
                resolve(options, p, actor, random_action(options, p, actor, mix_bits(u64(~die))))
            else:
                resolve(options, p, actor, best_action(options, d, p, actor))
        if p.phase != ENDED or p.team == NOBODY:
            filled = first
        for number in range(first, filled):
            winners[number] = p.team
        games += 1
    return games


# Fitting


def fit_net(net: Any, rows: Numbers, winners: Numbers, rng: Any) -> Any:
    """Adam, on how unlikely the winner was said to be."""
    held = len(rows) // 20
    weights = [np.asarray(each, np.float32).copy() for each in net]
    firsts: list[Any] = [w * 0 for w in weights]
    seconds: list[Any] = [w * 0 for w in weights]
    step = 0
    total = EPOCHS * (len(rows) - held) // BATCH
    for epoch in range(EPOCHS):
        order = held + rng.permutation(len(rows) - held)
        for begin in range(0, len(order) - BATCH, BATCH):
            step += 1
            rate = RATE * (1 - step / (total + 1)) + 1e-5
            chosen = order[begin : begin + BATCH]
            slopes = loss_gradients(weights, rows[chosen], winners[chosen])
            for i, (weight, g) in enumerate(zip(weights, slopes, strict=True)):
                firsts[i] = 0.9 * firsts[i] + 0.1 * g
                seconds[i] = 0.999 * seconds[i] + 0.001 * g * g
                up, down = firsts[i] / (1 - 0.9**step), seconds[i] / (1 - 0.999**step)
                weight -= rate * (up / (np.sqrt(down) + 1e-8) + DECAY * weight)
        said = softmax_shares(weights, rows[:held])[0][np.arange(held), winners[:held]]
        print(f"  epoch {epoch}: {-np.log(said).mean():.4f}", flush=True)
    return net_from_numbers(np.concatenate([each.ravel() for each in weights]))


def softmax_shares(weights: list[Numbers], rows: Numbers) -> tuple[Numbers, Numbers]:
    inward, bias, outward, straight = weights
    hidden = np.maximum(rows @ inward + bias, 0)
    stands = hidden @ outward + rows @ straight
    grown = np.exp(stands - stands.max(1, keepdims=True))
    return grown / grown.sum(1, keepdims=True), hidden


def loss_gradients(weights: list[Numbers], rows: Numbers, winners: Numbers) -> list[Numbers]:
    off, hidden = softmax_shares(weights, rows)
    off = off.copy()
    off[np.arange(len(rows)), winners] -= 1
    off = (off / len(rows)).reshape(-1)
    flat, hidden = rows.reshape(-1, COLUMNS), hidden.reshape(-1, NEURONS)
    back = off[:, None] * weights[2] * (hidden > 0)
    return [flat.T @ back, back.sum(0), hidden.T @ off, flat.T @ off]


def write_weights(net: Any) -> None:
    numbers = [str(round(float(each) * 1000)) for part in net for each in part.ravel()]
    lines, line = [], ""
    for number in numbers:
        if len(line) + len(number) > 98:
            lines.append(line.strip())
            line = ""
        line += f" {number}"
    path = Path(weights.__file__)
    head = path.read_text().split('"""\\\n')[0]
    path.write_text(head + '"""\\\n' + "\n".join([*lines, line.strip()]) + '\n"""\n')


if __name__ == "__main__":
    given = sys.argv[1:]
    rounds, positions = ([int(each) for each in given[:2]] + [3, 300_000][len(given[:2]) :])[:2]
    main(rounds, positions, "fresh" in given)
