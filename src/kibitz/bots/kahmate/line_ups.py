"""Setting up Kahmaté: both captains place unseen, so line-ups are a matrix game too.

The ready line-ups, both ways round, and many with a man or two elsewhere are set against one
another; each pair is worth what the position is worth before the ball is drawn.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, TypeAlias

import numpy as np

from kibitz.bots.kahmate.reach import square_for_side
from kibitz.bots.kahmate.turn_graph import copy_words
from kibitz.bots.kahmate.value import EvaluationBuffers, win_chance
from kibitz.core.game import Seat
from kibitz.core.jit import compiled, i64
from kibitz.games.kahmate import kernel
from kibitz.games.kahmate.actions import Placement
from kibitz.games.kahmate.board import LINES, RANK_COUNT, SQUARES
from kibitz.games.kahmate.kernel.encoding import NEXT_MAN, OptionCodes, Packed, pool
from kibitz.games.kahmate.kernel.setup import set_up
from kibitz.games.kahmate.line_ups import LINE_UPS
from kibitz.games.kahmate.state import SEATS, TEAM, Placing, State

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

VARIANT_COUNT = 52
"""How many line-ups are made of the ready ones."""
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


@compiled
def fill_payoffs(
    house: OptionCodes,
    j: EvaluationBuffers,
    p: Packed,
    words: Numbers,
    start: Numbers,
    ways: Numbers,
    out: Numbers,
) -> None:
    """What each pair of line-ups is worth to Red."""
    for mine in range(ways.shape[0]):
        for theirs in range(ways.shape[0]):
            copy_words(start, words)
            for man in range(ways.shape[1]):
                set_up(p, i64(0), i64(NEXT_MAN[man]), i64(ways[mine, man]))
            for man in range(ways.shape[1]):
                at = square_for_side(i64(1), i64(ways[theirs, man]))
                set_up(p, i64(1), i64(NEXT_MAN[man]), at)
            out[mine, theirs] = win_chance(house, j, p, i64(0))


def solve_line_ups(
    house: OptionCodes, j: EvaluationBuffers, state: State
) -> tuple[Numbers, Numbers]:
    """How often each side should choose each line-up."""
    room, ways = pool(2), line_ups()
    words = room.view(np.uint64).reshape(2, -1)
    empty = State(
        (None,) * len(SQUARES), state.turn, Placing(SEATS[0]), hands=state.hands, score=state.score
    )
    kernel.pack(empty, room[0])
    out = np.zeros((len(ways), len(ways)))
    fill_payoffs(house, j, room[1], words[1], words[0], ways, out)
    return regret_matching_mixes(out)


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


def next_placement(state: State, seat: Seat, mix: Numbers, rng: Random) -> Placement | None:
    """The next man by a line-up that fits those who stand, if there is one."""
    side = SEATS.index(seat)
    ways = line_ups() if side == 0 else len(SQUARES) - 1 - line_ups()
    standing = [at for at, man in enumerate(state.field) if man and man.side == seat]
    kinds = [state.field[at] for at in standing]
    n = len(standing)
    fits = []
    for way, chance in zip(ways.tolist(), mix.tolist(), strict=True):
        if chance > 0 and n < len(way):
            want = {(at, kind) for at, kind in zip(way[:n], TEAM, strict=False)}
            have = {(at, man.kind) for at, man in zip(standing, kinds, strict=True) if man}
            if want == have and way[n] not in standing:
                fits.append((way[n], chance))
    if not fits:
        return None
    square = rng.choices([at for at, _ in fits], [chance for _, chance in fits])[0]
    return Placement(TEAM[n], square)
