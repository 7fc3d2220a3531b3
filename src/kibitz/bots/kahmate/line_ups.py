"""Setting up Kahmaté: both captains place unseen, so line-ups are a matrix game too.

The ready line-ups, both ways round, and many with a man or two elsewhere are set against one
another; each pair is worth what the position is worth before the ball is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from kibitz.bots.kahmate.reach import square_for_side
from kibitz.bots.kahmate.value import EvaluationBuffers, win_chance
from kibitz.core.game import Seat
from kibitz.core.jit import Numbers, i64, jit
from kibitz.games.kahmate import kernel
from kibitz.games.kahmate.actions import Placement
from kibitz.games.kahmate.board import LINES, RANK_COUNT, SQUARES
from kibitz.games.kahmate.kernel.encoding import NEXT_MAN, OptionCodes, Packed, pool
from kibitz.games.kahmate.kernel.setup import set_up
from kibitz.games.kahmate.kernel.state import copy
from kibitz.games.kahmate.line_ups import LINE_UPS
from kibitz.games.kahmate.state import NOBODY, SEATS, TEAM, Placing, State

VARIANT_COUNT = 52
"""The number of line-ups made of the ready ones."""
LEARNING_ROUNDS = 4000
"""Of learning what to place against what."""


@lru_cache(maxsize=1)
def line_ups() -> Numbers:
    """[line-up, man]: squares as Red has them, in the order in which men are placed."""
    found = [[place.square for place in line_up.placements(SEATS[0])] for line_up in LINE_UPS]
    found += [
        [at // RANK_COUNT * RANK_COUNT + RANK_COUNT - 1 - at % RANK_COUNT for at in each]
        for each in found
    ]
    rng, lines = (
        Random(VARIANT_COUNT),
        [at for at in SQUARES if at // RANK_COUNT in LINES[SEATS[0]]],
    )
    while len(found) < 2 * len(LINE_UPS) + VARIANT_COUNT:
        made = list(rng.choice(found))
        made[rng.randrange(len(made))] = rng.choice(lines)
        if len(set(made)) == len(made) and made not in found:
            found.append(made)
    return np.array(found, np.int64)


@jit
def fill_payoffs(
    options: OptionCodes,
    j: EvaluationBuffers,
    p: Packed,
    start: Packed,
    ways: Numbers,
    out: Numbers,
) -> None:
    """Fill in the value of each pair of line-ups to Red."""
    for mine in range(ways.shape[0]):
        for theirs in range(ways.shape[0]):
            copy(start, p)
            for man in range(ways.shape[1]):
                set_up(p, i64(0), i64(NEXT_MAN[man]), i64(ways[mine, man]))
            for man in range(ways.shape[1]):
                at = square_for_side(i64(1), i64(ways[theirs, man]))
                set_up(p, i64(1), i64(NEXT_MAN[man]), at)
            out[mine, theirs] = win_chance(options, j, p, i64(0))


class SolvedLineUps(NamedTuple):
    mixes: tuple[Numbers, Numbers]
    """The odds with which each side should choose each line-up, in the order of the seats."""
    value: float
    """Red's chance of winning the match then."""


def solve_line_ups(options: OptionCodes, j: EvaluationBuffers, state: State) -> SolvedLineUps:
    room, ways = pool(2), line_ups()
    empty = replace(state, field=NOBODY, phase=Placing(SEATS[0]))
    kernel.pack(empty, room[0])
    out = np.zeros((len(ways), len(ways)))
    fill_payoffs(options, j, room[1], room[0], ways, out)
    red, blue = regret_matching_mixes(out)
    return SolvedLineUps((red, blue), float(red @ out @ blue))


def even_mix() -> Numbers:
    """The ready line-ups, both ways round, as often each."""
    ready = 2 * len(LINE_UPS)
    return np.repeat((1 / ready, 0.0), (ready, VARIANT_COUNT))


def regret_matching_mixes(table: Numbers) -> tuple[Numbers, Numbers]:
    """The best mixes of a matrix game, nearly: both learn from what they regret."""
    regrets = [np.zeros(size) for size in table.shape]
    totals = [np.zeros(size) for size in table.shape]
    for n in range(1, LEARNING_ROUNDS + 1):
        mine, theirs = (
            each / each.sum() if each.sum() > 0 else np.full(len(each), 1 / len(each))
            for each in regrets
        )
        gains = table @ theirs, -(mine @ table)
        for k, (now, gain) in enumerate(zip((mine, theirs), gains, strict=True)):
            regrets[k] = np.maximum(0, regrets[k] + gain - now @ gain)
            totals[k] += n * now
    return totals[0] / totals[0].sum(), totals[1] / totals[1].sum()


def next_placement(
    state: State, actions: Sequence[Placement], seat: Seat, mix: Numbers, rng: Random
) -> Placement:
    """The next man, by a line-up of the mix that fits those who stand as well as any."""
    ways = line_ups() if seat == SEATS[0] else len(SQUARES) - 1 - line_ups()
    standing = {(at, man.kind) for at, man in enumerate(state.field) if man and man.side == seat}
    fits = [
        len(standing.intersection(zip(way[: len(standing)], TEAM, strict=False))) if chance else -1
        for way, chance in zip(ways.tolist(), mix.tolist(), strict=True)
    ]
    best = [n for n, fit in enumerate(fits) if fit == max(fits)]
    (chosen,) = rng.choices(best, [mix[n] for n in best])
    wanted = ways[chosen][len(standing)]
    return min(actions, key=lambda each: abs(each.square - wanted))
