"""The solver of Kalamala's endings: from the end backwards, proofs that no repetition rule undoes.

The endings with the same pieces are solved together, those with fewer before them. A layer decides
the endings that are over in just so many actions: whoever is to act has an action to an ending that
the others lose in fewer, or all actions lead to endings that they win in fewer.

Of a win that is found so the number of actions left sinks from one to the next, so none comes back
with the same side to act. Super-ko also bars a board that stood while the other side was to act. A
winner who gives away a move meets such a board: first it is to act, later the loser is. Two tables
leave that out, and each is a proof by itself:

- In one, a side that wins a board sooner if the other is to act wins it only by a death.
- In the other, nobody moves to a board that is won by force for whoever moves there, were it to
  act once more; unless that takes fewer actions still, so that it cannot have stood before.

A death ends what either has to mind, as all that stood before it is forgotten. So deaths lead to
endings that are in one of the tables, and an ending is solved if it is in one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, cast

import numpy as np

from kibitz.bots.kalamala.endings import (
    MOST_PIECES,
    ORBIT_COUNTS,
    SET_COUNTS,
    Layout,
    ending_classes,
    ending_count,
    ending_place,
    endings_dtype,
    fill_layout,
)
from kibitz.core.bits import bit, lowest_bit
from kibitz.core.jit import Numbers, i64, jit, jit_inline, u64
from kibitz.games.kalamala.kernel.encoding import MAX_ACTIONS, MAX_KINDS
from kibitz.games.kalamala.kernel.successors import results

FREE, BY_DEATH, WITHOUT_TURNS, SOLVED = range(4)
"""The tables: without any repetition rule, the two proofs, and what follows from them."""
MAX_LAYERS = 250


class Solver(Layout, Protocol):
    """The layout of the endings and four tables of them, as one record of `solver_dtype`."""

    tables: Numbers
    """As `Endings.plies`, by table and place."""
    weights: Numbers
    """By size and number of a set's first image, the number of its images."""
    kinds: Numbers
    rears: Numbers
    codes: Numbers
    owns: Numbers
    theirs: Numbers


class EndingCounts(NamedTuple):
    """The endings with so many pieces that are solved, mirror images counted one by one."""

    here: int
    """Pieces of the side to act."""
    there: int
    boards: int
    won: int
    """By the side to act."""
    lost: int
    longest: int
    """Actions."""


def solver_dtype(pieces: int) -> np.dtype[np.void]:
    fields: list[Any] = [
        *((name, *_field(pieces, name)) for name in ("orbits", "orbit_starts", "starts")),
        ("tables", np.uint8, (4, ending_count(pieces))),
        ("weights", np.int64, (MOST_PIECES, ORBIT_COUNTS[pieces - 1])),
        ("kinds", np.int64, (MAX_KINDS,)),
        ("rears", np.uint64, (MAX_KINDS,)),
        ("codes", np.int64, (MAX_ACTIONS,)),
        ("owns", np.uint64, (MAX_ACTIONS,)),
        ("theirs", np.uint64, (MAX_ACTIONS,)),
    ]
    return np.dtype(fields, align=True)


def _field(pieces: int, name: str) -> tuple[Any, tuple[int, ...]]:
    field = endings_dtype(pieces)[name]
    base, shape = field.subdtype or (field, ())
    return base, shape


def new_solver(pieces: int) -> Solver:
    s = cast(Solver, np.zeros(1, solver_dtype(pieces)).view(np.recarray)[0])
    fill_layout(s, pieces)
    for size in range(1, pieces):
        start = s.orbit_starts[size]
        counts = np.bincount(s.orbits[start : start + SET_COUNTS[size]] >> 3)
        s.weights[size, : len(counts)] = counts
    return s


def solve_endings(
    pieces: int, report: Callable[[EndingCounts, EndingCounts], None] | None = None
) -> Solver:
    """Solve all endings with up to so many pieces; `report` gets each class of them as it is
    solved: without a repetition rule, and under every rule."""
    s, longest = new_solver(pieces), [0] * 4
    for here, there in ending_classes(pieces):
        if here > there:
            continue
        for table in (FREE, BY_DEATH, WITHOUT_TURNS):
            exits = longest[FREE if table == FREE else SOLVED]
            longest[table] = max(longest[table], _solve_class(s, here, there, table, exits))
        for own, other in dict.fromkeys(((here, there), (there, here))):
            _join_proofs(s, own, other)
            if report:
                report(*(count_endings(s, own, other, table) for table in (FREE, SOLVED)))
        longest[SOLVED] = max(longest[BY_DEATH], longest[WITHOUT_TURNS])
    return s


def _solve_class(s: Solver, here: int, there: int, table: int, exits: int) -> int:
    """Solve the endings with so many pieces, either side to act; the longest takes so many
    actions. Endings that deaths lead to take up to `exits`."""
    longest, quiet_layers = 0, 0
    for plies in range(MAX_LAYERS):
        found = sum(
            int(solve_layer(s, i64(own), i64(other), i64(plies), i64(table)))
            for own, other in dict.fromkeys(((here, there), (there, here)))
        )
        longest, quiet_layers = (plies, 0) if found else (longest, quiet_layers + 1)
        if quiet_layers > 1 and plies > exits + 1:
            break
    return longest


def _join_proofs(s: Solver, here: int, there: int) -> None:
    start = s.starts[here, there]
    places = slice(start, start + ORBIT_COUNTS[here] * SET_COUNTS[there])
    one, other = s.tables[BY_DEATH, places], s.tables[WITHOUT_TURNS, places]
    shorter = np.minimum(one, other)
    s.tables[SOLVED, places] = np.where((one > 0) & (other > 0), shorter, np.maximum(one, other))


@jit_inline
def next_set(squares: int) -> int:
    """The next larger number with as many bits set."""
    lowest = bit(lowest_bit(squares))
    carried = u64(squares + lowest)
    moved = u64(u64(u64(carried ^ squares) >> u64(2)) >> u64(lowest_bit(squares)))
    return u64(carried | moved)


@jit
def solve_layer(s: Solver, here: int, there: int, plies: int, table: int) -> int:
    """Decide the endings that are over in just so many actions; the number of places filled."""
    found, own = i64(0), u64(bit(here) - u64(1))
    for n in range(SET_COUNTS[here]):
        orbit = i64(s.orbits[s.orbit_starts[here] + n])
        if orbit & 7 == 0:
            start = i64(s.starts[here, there] + (orbit >> 3) * SET_COUNTS[there])
            others = u64(bit(there) - u64(1))
            for place in range(start, start + SET_COUNTS[there]):
                if (
                    u64(own & others) == u64(0)
                    and s.tables[table, place] == 0
                    and is_over_in(s, own, others, plies, table)
                ):
                    s.tables[table, place] = plies + 1
                    found = i64(found + 1)
                others = next_set(others)
        own = next_set(own)
    return found


@jit
def is_over_in(s: Solver, own: int, others: int, plies: int, table: int) -> bool:
    """True if an ending is over in so many actions, where those over in fewer are known."""
    deaths, end = results(own, others, i64(0), s.kinds, s.rears, s.codes, s.owns, s.theirs)
    if plies == 0:
        return end == 0
    if plies & 1 == 0:
        for place in range(end):
            left = plies_after(s, place, place < deaths, table)
            if left < 0 or left & 1 == 0 or left >= plies:
                return False
        return end > 0
    last = end
    if table == BY_DEATH and is_lost_within(s, others, own, plies, table):
        last = deaths
    for place in range(last):
        left = plies_after(s, place, place < deaths, table)
        if 0 <= left < plies and left & 1 == 0:
            is_way = place < deaths or table != WITHOUT_TURNS
            if is_way or not may_have_stood(s, s.owns[place], s.theirs[place], left):
                return True
    return False


@jit_inline
def plies_after(s: Solver, place: int, is_death: bool, table: int) -> int:
    """In how many actions it is over after an action, for the others; negative if unknown."""
    if is_death and table != FREE:
        table = SOLVED
    return plies_in(s, s.theirs[place], s.owns[place], table)


@jit_inline
def plies_in(s: Solver, own: int, others: int, table: int) -> int:
    if own == u64(0):
        return i64(0)
    if others == u64(0):
        return i64(-1)
    return i64(i64(s.tables[table, ending_place(s, own, others)]) - 1)


@jit_inline
def is_lost_within(s: Solver, own: int, others: int, plies: int, table: int) -> bool:
    """True if the side to act loses in fewer actions."""
    left = plies_in(s, own, others, table)
    return bool(0 <= left < plies and left & 1 == 0)


@jit_inline
def may_have_stood(s: Solver, own: int, others: int, left: int) -> bool:
    """True if the winner, who makes this board and is done in so many actions after it, may have
    been to act on it before."""
    free = plies_in(s, own, others, i64(FREE))
    if free < 0 or free & 1 == 0:
        return False
    sooner = plies_in(s, own, others, i64(WITHOUT_TURNS))
    return bool(sooner < 0 or sooner >= left)


def count_endings(s: Solver, here: int, there: int, table: int) -> EndingCounts:
    counts = np.zeros(4, np.int64)
    add_counts(s, i64(here), i64(there), i64(table), counts)
    return EndingCounts(here, there, *map(int, counts))


@jit
def add_counts(s: Solver, here: int, there: int, table: int, counts: Numbers) -> None:
    """Add boards, won and lost ones, and find the longest."""
    own = u64(bit(here) - u64(1))
    for n in range(SET_COUNTS[here]):
        orbit = i64(s.orbits[s.orbit_starts[here] + n])
        if orbit & 7 == 0:
            start = i64(s.starts[here, there] + (orbit >> 3) * SET_COUNTS[there])
            weight, others = s.weights[here, orbit >> 3], u64(bit(there) - u64(1))
            for place in range(start, start + SET_COUNTS[there]):
                if u64(own & others) == u64(0):
                    plies = i64(i64(s.tables[table, place]) - 1)
                    counts[0] += weight
                    if plies >= 0:
                        counts[2 - (plies & 1)] += weight
                        counts[3] = max(counts[3], plies)
                others = next_set(others)
        own = next_set(own)
