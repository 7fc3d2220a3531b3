"""Setting up Kahmaté: both captains place unseen, so line-ups are a matrix game too.

The ready line-ups, both ways round, and many with a man or two elsewhere are set against one
another; each pair is worth what the position is worth before the ball is drawn.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, TypeAlias

import numpy as np

from kibitz.bots.kahmate.reach import seen_from
from kibitz.bots.kahmate.turn_graph import copied
from kibitz.bots.kahmate.value import Judge, worth
from kibitz.core.game import Seat
from kibitz.core.jit import compiled, small
from kibitz.games.kahmate import kernel
from kibitz.games.kahmate.actions import Place
from kibitz.games.kahmate.board import HIGH, LINES, SQUARES
from kibitz.games.kahmate.kernel.encoding import NEXT_MAN, House, Packed, pool
from kibitz.games.kahmate.kernel.setup import set_up
from kibitz.games.kahmate.line_ups import LINE_UPS
from kibitz.games.kahmate.state import SEATS, TEAM, Placing, State

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

VARIANTS = 52
"""How many line-ups are made of the ready ones."""
ROUNDS = 4000
"""Of learning what to place against what."""


@lru_cache(maxsize=1)
def line_ups() -> Numbers:
    """[line-up, man]: squares as Red has them, in the order in which men are placed."""
    found = [[place.square for place in line_up.placements(SEATS[0])] for line_up in LINE_UPS]
    found += [[at // HIGH * HIGH + HIGH - 1 - at % HIGH for at in each] for each in found]
    rng, lines = Random(VARIANTS), [at for at in SQUARES if at // HIGH in LINES[SEATS[0]]]
    while len(found) < 2 * len(LINE_UPS) + VARIANTS:
        made = list(rng.choice(found))
        made[rng.randrange(len(made))] = rng.choice(lines)
        if len(set(made)) == len(made) and made not in found:
            found.append(made)
    return np.array(found, np.int64)


@compiled
def weigh_all(
    house: House, j: Judge, p: Packed, words: Numbers, start: Numbers, ways: Numbers, out: Numbers
) -> None:
    """What each pair of line-ups is worth to Red."""
    for mine in range(ways.shape[0]):
        for theirs in range(ways.shape[0]):
            copied(start, words)
            for man in range(ways.shape[1]):
                set_up(p, small(0), small(NEXT_MAN[man]), small(ways[mine, man]))
            for man in range(ways.shape[1]):
                at = seen_from(small(1), small(ways[theirs, man]))
                set_up(p, small(1), small(NEXT_MAN[man]), at)
            out[mine, theirs] = worth(house, j, p, small(0))


def mixes(house: House, j: Judge, state: State) -> tuple[Numbers, Numbers]:
    """How often each side should choose each line-up."""
    room, ways = pool(2), line_ups()
    words = room.view(np.uint64).reshape(2, -1)
    empty = State(
        (None,) * len(SQUARES), state.turn, Placing(SEATS[0]), hands=state.hands, score=state.score
    )
    kernel.pack(empty, room[0])
    out = np.zeros((len(ways), len(ways)))
    weigh_all(house, j, room[1], words[1], words[0], ways, out)
    return learnt(out)


def learnt(table: Numbers) -> tuple[Numbers, Numbers]:
    """The best mixes of a matrix game, nearly: both learn from what they regret."""
    regrets = [np.zeros(size) for size in table.shape]
    totals = [np.zeros(size) for size in table.shape]
    for n in range(1, ROUNDS + 1):
        mine, theirs = (
            each / each.sum() if each.sum() > 0 else np.full(len(each), 1 / len(each))
            for each in regrets
        )
        gains = table @ theirs, -(mine @ table)
        for k, (now, gain) in enumerate(zip((mine, theirs), gains, strict=True)):
            regrets[k] = np.maximum(0, regrets[k] + gain - now @ gain)
            totals[k] += n * now
    return totals[0] / totals[0].sum(), totals[1] / totals[1].sum()


def placed(state: State, seat: Seat, mix: Numbers, rng: Random) -> Place | None:
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
    return Place(TEAM[n], square)
