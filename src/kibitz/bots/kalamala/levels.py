"""Bots of Kalamala at six strengths: an alpha-beta search.

The first five judge by weights (weights.py), the sixth by a net (net.py). It also leaves out more,
looks solved endings up (endings.py), and goes on in a match with the values found before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp, log
from typing import Any, NamedTuple, cast

import numpy as np

from kibitz.bots.api import Bot, Candidate, MeasurePlan, SearchContext
from kibitz.bots.kalamala.buffers import (
    FLAG_DTYPE,
    MAX_PLIES,
    MAX_SLOTS,
    SURE_WIN,
    WIN,
    Flag,
    Handicap,
    Pruning,
    Search,
    SearchBuffers,
    fill_settings,
    new_buffers,
)
from kibitz.bots.kalamala.mcts import mcts
from kibitz.bots.kalamala.search import (
    clear_table,
    deepen,
    ending_value,
    reset_search,
    root_values,
    search,
)
from kibitz.core.game import Seat
from kibitz.core.jit import i64, u64
from kibitz.games.kalamala import kernel
from kibitz.games.kalamala.kernel.encoding import LENGTH_UNIT, OptionCodes, Packed, blank
from kibitz.games.kalamala.kernel.moves import stones_after
from kibitz.games.kalamala.state import State

__all__ = ["LEVELS", "MEASURE_PLAN", "greedy", "mcts", "warm"]

SCALE = 81.0
"""The hundredths of a piece that make the odds of winning e to one."""


MANY_SLOTS, FEW_SLOTS = MAX_SLOTS, 1 << 14
"""The number of values that are kept."""


PRUNING = Pruning(margin=80, reduces_by_log=1, uses_endings=1)


class Strength(NamedTuple):
    seconds: float
    depth: int = MAX_PLIES
    overlooks_per_256: int = 0
    noise: int = 2
    """Even the best one does not always play the same."""
    pruning: Pruning = Pruning()
    uses_net: bool = False
    """Judge by the net (net.py)."""
    keeps_table: bool = False
    """Go on with the values of the choice before, if that was this seat's in the same match."""


STRENGTHS = (
    Strength(0.5, depth=1, overlooks_per_256=0, noise=250),
    Strength(0.5, depth=2, overlooks_per_256=90, noise=80),
    Strength(0.7, depth=3, overlooks_per_256=24, noise=25),
    Strength(0.8, depth=5, noise=5),
    Strength(4.8),
    Strength(4.8, pruning=PRUNING, uses_net=True, keeps_table=True),
)
GREEDY = Strength(0.5, depth=1)


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
        root.pruning, root.uses_net = strength.pruning, strength.uses_net
        if strength.keeps_table:
            root.keep_table(think)
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
        self.packed: Packed = blank()
        kernel.pack(state, self.packed)
        self.buffers, self.slots = shared_buffers(), slots
        self.flag = cast(Flag, np.frombuffer(think.flag, FLAG_DTYPE).view(np.recarray)[0])
        self.pruning, self.uses_net = Pruning(), False
        self.is_cleared = True
        self.value = 0
        self.depth = 0
        self.line: tuple[Any, ...] = ()

    def keep_table(self, think: SearchContext) -> None:
        """Search in the memory that is kept, with its values if they are of the same match."""
        memory, owner = match_memory(), (think.match, think.seat)
        self.buffers, self.is_cleared = memory.buffers, not think.match or memory.owner != owner
        memory.owner = owner

    def prepare_search(self, nodes: int) -> None:
        if self.is_cleared:
            clear_table(self.buffers, i64(self.slots))
        reset_search(self.buffers, self.packed, i64(nodes))

    def deepen(self, handicap: Handicap, most: int) -> Any:
        """Search further and further; the best action of the last depth that gave one."""
        self.fill_settings(handicap)
        here = Search(self.option_codes, self.buffers, self.flag)
        self.value, self.depth = map(int, deepen(here, i64(min(most, MAX_PLIES - 2))))
        self.line = self._actions_of(self.buffers.line[: self.buffers.line_length].tolist())
        return self.line[0] if self.line else None

    def fill_settings(self, handicap: Handicap) -> None:
        fill_settings(self.buffers, handicap, self.pruning, self.uses_net)

    @property
    def is_stopped(self) -> bool:
        return bool(self.buffers.is_stopped)

    def search_to_depth(self, handicap: Handicap, depth: int) -> int:
        self.fill_settings(handicap)
        here = Search(self.option_codes, self.buffers, self.flag)
        return int(search(here, i64(0), i64(depth), i64(-WIN), i64(WIN)))

    def solved_in(self) -> int | None:
        """In how many actions the root is over by force, if its ending is solved."""
        here = Search(self.option_codes, self.buffers, self.flag)
        value = int(ending_value(here, self.buffers.nodes[0], i64(0)))
        return WIN - abs(value) if value else None

    def best_line(self) -> tuple[Any, ...]:
        """The line of the latest search as the rules spell it; empty where it found none."""
        node = self.buffers.nodes[0]
        return self._actions_of(node.line[: node.line_length].tolist())

    def _actions_of(self, codes: Sequence[int]) -> tuple[Any, ...]:
        node, line = self.buffers.nodes[0], []
        own, others = node.own, node.others
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
        said.value, said.depth, said.nodes = found, self.depth, int(self.buffers.node_count)
        if self.line:
            said.candidates = (Candidate(self.line[0], found, 1.0, self.line),)


@cache
def shared_buffers() -> SearchBuffers:
    """Return the buffers of this process, which runs one search at a time."""
    return new_buffers()


class MatchMemory:
    """The buffers whose values are kept from one choice of a match to the next."""

    def __init__(self) -> None:
        self.buffers = new_buffers()
        self.owner: tuple[str, Seat] = "", ""
        """The match and the seat whose values they are."""


@cache
def match_memory() -> MatchMemory:
    return MatchMemory()


LEVELS: tuple[Bot, ...] = tuple(map(make_bot, STRENGTHS))
greedy = make_bot(GREEDY)
MEASURE_PLAN = MeasurePlan(
    {
        **{f"level-{n}": "40000n" for n in range(1, 5)},
        "level-5": "150000n",
        "level-6": "150000n",
        "mcts": "1600n",
    },
    level_games=200,
)


def warm() -> None:
    """Compile everything that is needed to choose."""
    from random import Random

    from kibitz.games.kalamala import kalamala

    game = kalamala()
    start = game.rules.start()
    root = Root(start, SearchContext(game, "A", Random(1)), FEW_SLOTS)
    root.prepare_search(1)
    root.search_to_depth(Handicap(i64(0), i64(0), u64(0)), 1)
    root.solved_in()
    root_values(Search(root.option_codes, root.buffers, root.flag))
    for bot in (*LEVELS, mcts):
        bot(
            start,
            game.rules.turn_actions(start, "A"),
            SearchContext(game, "A", Random(1), nodes=100),
        )
