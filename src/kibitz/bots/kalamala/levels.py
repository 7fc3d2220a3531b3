"""How bots think about Kalamala: a search, at five strengths."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp, log
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots.api import Bot, Candidate, Think
from kibitz.bots.kalamala.mcts import mcts
from kibitz.bots.kalamala.search import (
    NODES,
    PLIES,
    STOPPED,
    SURE,
    WIN,
    Desk,
    Sight,
    desk,
    past_key,
    prepare,
    search,
)
from kibitz.core.jit import small, wide
from kibitz.games.kalamala import kernel
from kibitz.games.kalamala.kernel.encoding import LENGTH, House, Packed, blank
from kibitz.games.kalamala.kernel.moves import after
from kibitz.games.kalamala.state import State

__all__ = ["LEVELS", "mcts"]

SCALE = 81.0
"""How many hundredths of a piece make the odds of winning e to one."""


MANY, FEW = 1 << 20, 1 << 14
"""How many values are kept."""


class Strength(NamedTuple):
    seconds: float
    depth: int = PLIES
    overlooks: int = 0
    mood: int = 2
    """Even the best one does not always play the same."""


STRENGTHS = (
    Strength(0.5, depth=1, overlooks=0, mood=250),
    Strength(0.5, depth=2, overlooks=90, mood=80),
    Strength(0.7, depth=3, overlooks=24, mood=25),
    Strength(0.8, depth=5, mood=5),
    Strength(4.8),
)


def chance(value: int) -> float:
    """Of winning, for whom the value is."""
    if abs(value) >= SURE:
        return 1.0 if value > 0 else 0.0
    return 1.0 / (1.0 + exp(-value / SCALE))


def value_of(won: float | None) -> float:
    """The value that stands for this chance, in hundredths of a piece."""
    won = min(max(won if won is not None else 0.5, 1e-6), 1 - 1e-6)
    return SCALE * log(won / (1 - won))


def choosing(strength: Strength) -> Bot:
    def choose(view: State, actions: Sequence[Any], think: Think) -> Any:
        if len(actions) == 1:
            return actions[0]
        root = Root(view, think, MANY if strength.depth > 4 else FEW)
        with think.within(strength.seconds) as nodes:
            root.prepare(nodes)
            seen = Sight(
                small(strength.overlooks), small(strength.mood), wide(think.rng.getrandbits(63))
            )
            best = root.deepen(seen, strength.depth)
        root.tell(think)
        return best if best in actions else actions[0]

    return choose


class Root:
    """A position to search from."""

    def __init__(self, state: State, think: Think, slots: int = MANY) -> None:
        self.house: House = kernel.house(think.game.options)
        self.packed: Packed = blank(len_of(state))
        kernel.pack(state, self.packed)
        self.desk = desk_of(slots)._replace(flag=np.frombuffer(think.flag, np.int64))
        self.value = 0
        self.depth = 0
        self.line: tuple[Any, ...] = ()

    def prepare(self, nodes: int) -> None:
        prepare(self.house, self.desk, self.packed, small(nodes))

    def deepen(self, sight: Sight, most: int) -> Any:
        """Search further and further; the best action of the last depth that gave one."""
        for depth in range(1, min(most, PLIES - 2) + 1):
            value = self.searched(sight, depth)
            found = int(self.desk.reach[0])
            if found:
                self.line = self.spelled(self.desk.line[0, :found].tolist())
            if self.is_stopped:
                break
            self.value, self.depth = value, depth
            if abs(value) >= SURE and WIN - abs(value) <= depth:
                break
        return self.line[0] if self.line else None

    @property
    def is_stopped(self) -> bool:
        return bool(self.desk.counts[STOPPED])

    def searched(self, sight: Sight, depth: int) -> int:
        p = self.packed
        side, length = int(p.side[0]), small(p.length[0])
        return int(
            search(
                self.house,
                self.desk,
                sight,
                p.stones[side],
                p.stones[1 - side],
                p.reserve[side],
                p.reserve[1 - side],
                small(side),
                small(p.turn[0]),
                small(0),
                length,
                wide(past_key(p)),
                small(depth),
                small(0),
                small(-WIN),
                small(WIN),
            )
        )

    def spelled(self, codes: Sequence[int]) -> tuple[Any, ...]:
        """A line as the rules spell it."""
        side = int(self.packed.side[0])
        own, others = self.packed.stones[side], self.packed.stones[1 - side]
        line = []
        for code in codes:
            named = kernel.spelled(own, others, small(code))
            line.append(kernel.unpack_action(int(named)))
            if code < LENGTH:
                own = wide(int(own) | 1 << code)
            else:
                own, others = map(wide, after(own, others, small(code)))
            own, others = others, own
        return tuple(line)

    def tell(self, think: Think) -> None:
        found, said = chance(self.value), think.thoughts
        said.value, said.depth, said.nodes = found, self.depth, int(self.desk.counts[NODES])
        if self.line:
            said.candidates = (Candidate(self.line[0], found, 1.0, self.line),)


@cache
def desk_of(slots: int) -> Desk:
    """One for every process: nobody thinks about two things at once."""
    return desk(slots)


def len_of(state: State) -> int:
    """How much room its past needs."""
    return max(1, sum(len(turns) for turns in state.past.values()))


LEVELS: tuple[Bot, ...] = tuple(map(choosing, STRENGTHS))


def warm() -> None:
    """Compile everything that is needed to choose."""
    from random import Random

    from kibitz.games.kalamala import kalamala

    game = kalamala()
    start = game.start()
    for bot in (*LEVELS, mcts):
        bot(start, game.turn_actions(start, "A"), Think(game, "A", Random(1), nodes=100))
