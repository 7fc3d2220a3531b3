"""The memory of Kalamala's search and its settings: records that the caller owns."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, Protocol, cast

import numpy as np

from kibitz.bots.kalamala.endings import ENDINGS_DTYPE, fill_endings, read_endings
from kibitz.bots.kalamala.net import NET_DTYPE, fill_net, read_weights
from kibitz.bots.kalamala.weights import PIECES, WEIGHTS
from kibitz.core.jit import I64, U64, Numbers, record_dtype
from kibitz.games.kalamala.kernel.encoding import (
    MAX_ACTIONS,
    MAX_KINDS,
    PAST_CAPACITY,
    OptionCodes,
)

MAX_PLIES = 64
"""The greatest depth of a line, quiet ones and deaths together."""
WIN = 1_000_000
SURE_WIN = WIN - 1000
"""From here on a value is a win that is seen to its end."""
BOARD_SLOTS = 4096
"""Places of the counter that says at once of most boards that they never stood before."""
CODE_COUNT = 1 << 16
MAX_SLOTS = 1 << 20
"""Values that there is room for."""


class Handicap(NamedTuple):
    """The weaknesses of a player; the best one has none."""

    overlooks_per_256: int
    """Of 256 answers, how many are not seen."""
    noise: int
    """By how much a judgement may be off, in hundredths of a piece."""
    seed: int
    """The actions that are overlooked this time."""
    may_reduce: bool = True
    """True if poor actions are looked at less deeply; without it a depth is seen in full."""


class Node(Protocol):
    """A position on the way from the root, and what can be done in it: one record of NODE_DTYPE."""

    own: U64
    others: U64
    reserve: I64
    reserve_others: I64
    side: I64
    turn: I64
    start: I64
    """From `start` to `end` the past counts for super-ko; `past_key` is that part's key."""
    end: I64
    past_key: U64
    codes: Annotated[Numbers, np.int64, (MAX_ACTIONS,)]
    """The actions, then both sets of pieces after each and its place in the order."""
    owns: Annotated[Numbers, np.uint64, (MAX_ACTIONS,)]
    theirs: Annotated[Numbers, np.uint64, (MAX_ACTIONS,)]
    order: Annotated[Numbers, np.int64, (MAX_ACTIONS,)]
    killers: Annotated[Numbers, np.int64, (2,)]
    line: Annotated[Numbers, np.int64, (MAX_PLIES,)]
    """The line that is best from here."""
    line_length: I64


NODE_DTYPE = record_dtype(Node)


class Pruning(NamedTuple):
    """Parts that a search leaves out as unlikely to matter; levels 1 to 5 have none of it."""

    margin: int = 0
    """Few plies before the end of a line, a position is looked at no further if its judgement is
    better than it has to be by this for each ply; zero: always looked at."""
    reduces_by_log: int = 0
    """Late actions are looked at less deeply by the logarithms of their number and of the plies
    left (REDUCTIONS)."""
    uses_endings: int = 0
    """Endings that are solved (endings.py) are looked at no further."""


class Settings(Protocol):
    """Handicap, Pruning and the judgement, as one record of SETTINGS_DTYPE."""

    overlooks_per_256: I64
    noise: I64
    seed: U64
    may_reduce: I64
    margin: I64
    reduces_by_log: I64
    uses_endings: I64
    uses_net: I64
    """Judge by the net (net.py), and not by the weights."""


SETTINGS_DTYPE = record_dtype(Settings)


class SearchBuffers(Protocol):
    """The memory of a search, one record of BUFFERS_DTYPE; the caller owns it.

    As one record it is handed over as one address: arrays by themselves are copied at each call,
    which took two thirds of the time.
    """

    nodes: Annotated[Any, NODE_DTYPE, (MAX_PLIES,)]
    """By ply."""
    kinds: Annotated[Numbers, np.int64, (MAX_KINDS,)]
    """Room to work in for `slides`."""
    rears: Annotated[Numbers, np.uint64, (MAX_KINDS,)]
    past: Annotated[Numbers, np.uint64, (PAST_CAPACITY + 2 * MAX_PLIES, 3)]
    """Both sets of pieces and the turn of what stood, the match's own past first."""
    board_counts: Annotated[Numbers, np.int64, (BOARD_SLOTS,)]
    """The number of boards with this hint in it."""
    slot_mask: I64
    """One less than the slots in use, a power of two."""
    keys: Annotated[Numbers, np.uint64, (MAX_SLOTS,)]
    entries: Annotated[Numbers, np.int64, (MAX_SLOTS,)]
    """Value, depth, kind of bound and best code, in one number."""
    history_scores: Annotated[Numbers, np.int64, (2, CODE_COUNT)]
    """By side and code: how often an action turned out too good for the other side."""
    pieces: Annotated[Numbers, np.int64, PIECES.shape]
    weights: Annotated[Numbers, np.int64, WEIGHTS.shape]
    node_count: I64
    max_nodes: I64
    is_stopped: I64
    settings: Annotated[Any, SETTINGS_DTYPE]
    net: Annotated[Any, NET_DTYPE]
    endings: Annotated[Any, ENDINGS_DTYPE]
    line: Annotated[Numbers, np.int64, (MAX_PLIES,)]
    """The best line of the latest depth that has one."""
    line_length: I64


BUFFERS_DTYPE = record_dtype(SearchBuffers)


class Flag(Protocol):
    """A record over memory that others write to while a search goes on."""

    stop: I64
    """Not zero: stop."""


FLAG_DTYPE = record_dtype(Flag)


class Search(NamedTuple):
    """All that stays the same during a search."""

    options: OptionCodes
    buffers: SearchBuffers
    flag: Flag


def new_buffers() -> SearchBuffers:
    d = cast(SearchBuffers, np.zeros(1, BUFFERS_DTYPE).view(np.recarray)[0])
    d.pieces[:], d.weights[:] = PIECES, WEIGHTS
    fill_net(d.net, *read_weights())
    fill_endings(d.endings, read_endings())
    return d


def fill_settings(d: SearchBuffers, handicap: Handicap, pruning: Pruning, uses_net: bool) -> None:
    values = {**handicap._asdict(), **pruning._asdict(), "uses_net": uses_net}
    for name, value in values.items():
        setattr(d.settings, name, value)
