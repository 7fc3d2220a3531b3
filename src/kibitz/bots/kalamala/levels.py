"""How bots think about Kalamala: a search, at five strengths."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp, log
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots.api import Bot, Candidate, SearchContext
from kibitz.bots.kalamala.mcts import mcts
from kibitz.bots.kalamala.search import (
    MAX_PLIES,
    NODES,
    STOPPED,
    SURE_WIN,
    WIN,
    Handicap,
    SearchBuffers,
    new_buffers,
    past_key,
    reset_search,
    search,
)
from kibitz.core.jit import i64, u64
from kibitz.games.kalamala import kernel
from kibitz.games.kalamala.kernel.encoding import LENGTH_UNIT, OptionCodes, Packed, blank
from kibitz.games.kalamala.kernel.moves import stones_after
from kibitz.games.kalamala.state import State

__all__ = ["LEVELS", "mcts"]

SCALE = 81.0
"""How many hundredths of a piece make the odds of winning e to one."""


MANY_SLOTS, FEW_SLOTS = 1 << 20, 1 << 14
"""How many values are kept."""


class Strength(NamedTuple):
    seconds: float
    depth: int = MAX_PLIES
    overlooks_per_256: int = 0
    noise: int = 2
    """Even the best one does not always play the same."""


STRENGTHS = (
    Strength(0.5, depth=1, overlooks_per_256=0, noise=250),
    Strength(0.5, depth=2, overlooks_per_256=90, noise=80),
    Strength(0.7, depth=3, overlooks_per_256=24, noise=25),
    Strength(0.8, depth=5, noise=5),
    Strength(4.8),
)


def win_chance(value: int) -> float:
    """Of winning, for whom the value is."""
    if abs(value) >= SURE_WIN:
        return 1.0 if value > 0 else 0.0
    return 1.0 / (1.0 + exp(-value / SCALE))


def value_from_chance(won: float | None) -> float:
    """The value that stands for this chance, in hundredths of a piece."""
    won = min(max(won if won is not None else 0.5, 1e-6), 1 - 1e-6)
    return SCALE * log(won / (1 - won))


def make_bot(strength: Strength) -> Bot:
    def choose(view: State, actions: Sequence[Any], think: SearchContext) -> Any:
        if len(actions) == 1:
            return actions[0]
        root = Root(view, think, MANY_SLOTS if strength.depth > 4 else FEW_SLOTS)
        with think.search_budget(strength.seconds) as nodes:
            root.prepare_search(nodes)
            seen = Handicap(
                i64(strength.overlooks_per_256), i64(strength.noise), u64(think.rng.getrandbits(63))
            )
            best = root.deepen(seen, strength.depth)
        root.report_evaluation(think)
        return best if best in actions else actions[0]

    return choose


class Root:
    """A position to search from."""

    def __init__(self, state: State, think: SearchContext, slots: int = MANY_SLOTS) -> None:
        self.option_codes: OptionCodes = kernel.option_codes(think.game.options)
        self.packed: Packed = blank(past_length(state))
        kernel.pack(state, self.packed)
        self.buffers = shared_buffers(slots)._replace(flag=np.frombuffer(think.flag, np.int64))
        self.value = 0
        self.depth = 0
        self.line: tuple[Any, ...] = ()

    def prepare_search(self, nodes: int) -> None:
        reset_search(self.option_codes, self.buffers, self.packed, i64(nodes))

    def deepen(self, sight: Handicap, most: int) -> Any:
        """Search further and further; the best action of the last depth that gave one."""
        for depth in range(1, min(most, MAX_PLIES - 2) + 1):
            value = self.search_to_depth(sight, depth)
            found = int(self.buffers.line_lengths[0])
            if found:
                self.line = self.unpack_line(self.buffers.line[0, :found].tolist())
            if self.is_stopped:
                break
            self.value, self.depth = value, depth
            if abs(value) >= SURE_WIN and WIN - abs(value) <= depth:
                break
        return self.line[0] if self.line else None

    @property
    def is_stopped(self) -> bool:
        return bool(self.buffers.counts[STOPPED])

    def search_to_depth(self, sight: Handicap, depth: int) -> int:
        p = self.packed
        side, length = int(p.side[0]), i64(p.length[0])
        return int(
            search(
                self.option_codes,
                self.buffers,
                sight,
                p.stones[side],
                p.stones[1 - side],
                p.reserve[side],
                p.reserve[1 - side],
                i64(side),
                i64(p.turn[0]),
                i64(0),
                length,
                u64(past_key(p)),
                i64(depth),
                i64(0),
                i64(-WIN),
                i64(WIN),
            )
        )

    def unpack_line(self, codes: Sequence[int]) -> tuple[Any, ...]:
        """A line as the rules spell it."""
        side = int(self.packed.side[0])
        own, others = self.packed.stones[side], self.packed.stones[1 - side]
        line = []
        for code in codes:
            named = kernel.listed_action(own, others, i64(code))
            line.append(kernel.unpack_action(int(named)))
            if code < LENGTH_UNIT:
                own = u64(int(own) | 1 << code)
            else:
                own, others = map(u64, stones_after(own, others, i64(code)))
            own, others = others, own
        return tuple(line)

    def report_evaluation(self, think: SearchContext) -> None:
        found, said = win_chance(self.value), think.evaluation
        said.value, said.depth, said.nodes = found, self.depth, int(self.buffers.counts[NODES])
        if self.line:
            said.candidates = (Candidate(self.line[0], found, 1.0, self.line),)


@cache
def shared_buffers(slots: int) -> SearchBuffers:
    """One for every process: nobody thinks about two things at once."""
    return new_buffers(slots)


def past_length(state: State) -> int:
    """How much room its past needs."""
    return max(1, sum(len(turns) for turns in state.past.values()))


LEVELS: tuple[Bot, ...] = tuple(map(make_bot, STRENGTHS))


def warm() -> None:
    """Compile everything that is needed to choose."""
    from random import Random

    from kibitz.games.kalamala import kalamala

    game = kalamala()
    start = game.rules.start()
    for bot in (*LEVELS, mcts):
        bot(
            start,
            game.rules.turn_actions(start, "A"),
            SearchContext(game, "A", Random(1), nodes=100),
        )
