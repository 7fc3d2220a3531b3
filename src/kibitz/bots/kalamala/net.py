"""A small net that judges Kalamala positions by the patterns on their lines.

Each of the 38 lines of three squares and more is a number in base 3: a square is empty, own or the
other side's. That number, and three more about reserves, moves and kills, each choose a row of a
table. The sum of these rows is what sixteen neurons see; the first goes straight to the end, the
others through eight more. Mirror images share their rows, and so do lines that the symmetries of
the board take to each other.

All of it is whole numbers, so every target comes to the same. A row is sixteen numbers of 16 bits
in four words: adding words adds all numbers at once, because each is kept positive and so small
that no sum reaches the next one. The second layer does the same with two numbers to a word.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple, Protocol

import numpy as np

from kibitz.core.jit import Numbers, i64, jit_inline, record_dtype, u64

NEURONS, WORDS = 16, 4
"""The neurons of the first layer, and the words that hold a row of them."""
SECOND_NEURONS, SECOND_WORDS = 8, 4
FIRST_UNIT, SECOND_UNIT = 128, 64
"""The number that stands for one: in rows and after each layer, and in the later weights."""
SCALE = 81
"""The hundredths of a piece that make the odds of winning e to one, as in levels.py."""
MAX_NET_VALUE = 20_000

# Where the rows of each kind begin

DIAGONAL_SIZES = (8, 7, 6, 5, 4, 3)
RINGS = 4
RANK_PATTERNS = 3**8
_DIAGONAL_STARTS = {
    size: RINGS * RANK_PATTERNS + sum(3**each for each in DIAGONAL_SIZES if each > size)
    for size in DIAGONAL_SIZES
}
LINE_ROWS = RINGS * RANK_PATTERNS + sum(3**size for size in DIAGONAL_SIZES)
RESERVE_ROW = LINE_ROWS
"""Five rows for each number of own pieces in reserve."""
MOST_MOVES, MOST_KILLS = 47, 3
"""More moves than that are as good as that many, and so are more kills."""
MOVE_ROW = RESERVE_ROW + 25
KILL_ROW = MOVE_ROW + MOST_MOVES + 1
ROWS = KILL_ROW + MOST_KILLS + 1

# The lines of the board

TERNARY = np.array([sum(3**i for i in range(8) if byte >> i & 1) for byte in range(256)], np.uint64)
"""The bits of a byte as digits in base 3."""
TERNARY_TWICE = 2 * TERNARY
RANK_STARTS = np.array([RANK_PATTERNS * min(n, 7 - n) for n in range(8)], np.uint64)
"""Where the rows of a rank or file begin: those as far from the edge share theirs."""
_DIAGONALS = [[(x, x + k) for x in range(8) if 0 <= x + k < 8] for k in range(-5, 6)] + [
    [(x, k - x) for x in range(8) if 0 <= k - x < 8] for k in range(2, 13)
]
DIAGONAL_COUNT = len(_DIAGONALS)
DIAGONAL_MASKS = np.array(
    [sum(1 << (x + 8 * y) for x, y in squares) for squares in _DIAGONALS], np.uint64
)
DIAGONAL_SHIFTS = np.array([56 + squares[0][0] for squares in _DIAGONALS], np.uint64)
"""By how much the product with FILE_A, where a diagonal lies in the top byte, is shifted down."""
DIAGONAL_STARTS = np.array([_DIAGONAL_STARTS[len(each)] for each in _DIAGONALS], np.uint64)
LINE_COUNT = 16 + DIAGONAL_COUNT
SUMMED_ROWS = LINE_COUNT + 3
FILE_A = 0x0101010101010101
FILE_TO_BYTE = 0x0102040810204080
"""The product of a file with this has its eight bits in the top byte."""

# How numbers share a word

MAX_ROW_NUMBER = 65_535 // (2 * SUMMED_ROWS)
"""The greatest number in a row, either way; it is added to each, so that none is negative."""
ROW_OFFSET = SUMMED_ROWS * MAX_ROW_NUMBER
"""By how much a sum is too large therefore."""
MAX_SECOND_NUMBER = (2**32 - 1) // (2 * (NEURONS - 1) * ROW_OFFSET)
"""The same for the weights of the second layer, with two to a word."""


class Sums(NamedTuple):
    """The sixteen sums of the first layer, four to a word."""

    a: int
    b: int
    c: int
    d: int


class Second(NamedTuple):
    """The eight sums of the second layer, two to a word, and that of the first layer's neurons."""

    a: int
    b: int
    c: int
    d: int
    total: int


class Net(Protocol):
    """The weights, as one record of NET_DTYPE."""

    rows: Annotated[Numbers, np.uint64, (ROWS, WORDS)]
    second: Annotated[Numbers, np.uint64, (NEURONS - 1, SECOND_WORDS)]
    second_bias: Annotated[Numbers, np.int64, (SECOND_NEURONS,)]
    third: Annotated[Numbers, np.int64, (SECOND_NEURONS,)]


NET_DTYPE = record_dtype(Net)
WEIGHTS_FILE = Path(__file__).with_name("net.npz")


@jit_inline
def net_value(
    net: Net,
    own: int,
    others: int,
    reserve: int,
    reserve_others: int,
    moves: int,
    kills: int,
) -> int:
    """The value for the side to act, in hundredths of a piece."""
    rows, sums = net.rows, Sums(u64(0), u64(0), u64(0), u64(0))
    sums = _with_row(rows, u64(RESERVE_ROW + 5 * reserve + reserve_others), sums)
    sums = _with_row(rows, u64(MOVE_ROW + min(moves, MOST_MOVES)), sums)
    sums = _with_row(rows, u64(KILL_ROW + min(kills, MOST_KILLS)), sums)
    for n in range(8):
        mine, theirs = u64(own >> u64(8 * n)), u64(others >> u64(8 * n))
        mine, theirs = u64(mine & u64(255)), u64(theirs & u64(255))
        sums = _with_row(rows, _row_of(RANK_STARTS[n], mine, theirs), sums)
        mine, theirs = u64(own >> u64(n)), u64(others >> u64(n))
        mine = u64(u64(mine & u64(FILE_A)) * u64(FILE_TO_BYTE)) >> u64(56)
        theirs = u64(u64(theirs & u64(FILE_A)) * u64(FILE_TO_BYTE)) >> u64(56)
        sums = _with_row(rows, _row_of(RANK_STARTS[n], mine, theirs), sums)
    for n in range(DIAGONAL_COUNT):
        mask, shift = DIAGONAL_MASKS[n], DIAGONAL_SHIFTS[n]
        mine = u64(u64(u64(own & mask) * u64(FILE_A)) >> shift)
        theirs = u64(u64(u64(others & mask) * u64(FILE_A)) >> shift)
        sums = _with_row(rows, _row_of(DIAGONAL_STARTS[n], mine, theirs), sums)
    return _output(net, sums)


@jit_inline
def _row_of(start: int, mine: int, theirs: int) -> int:
    return u64(start + u64(TERNARY[mine] + TERNARY_TWICE[theirs]))


@jit_inline
def _with_row(rows: Numbers, at: int, sums: Sums) -> Sums:
    return Sums(
        u64(sums.a + rows[at, 0]),
        u64(sums.b + rows[at, 1]),
        u64(sums.c + rows[at, 2]),
        u64(sums.d + rows[at, 3]),
    )


@jit_inline
def _output(net: Net, sums: Sums) -> int:
    """The layers after the sums."""
    second = Second(u64(0), u64(0), u64(0), u64(0), u64(0))
    second = _with_neurons(net, u64(sums.a >> u64(16)), 0, 3, second)
    second = _with_neurons(net, sums.b, 3, 4, second)
    second = _with_neurons(net, sums.c, 7, 4, second)
    second = _with_neurons(net, sums.d, 11, 4, second)
    offset = i64(u64(second.total * u64(MAX_SECOND_NUMBER)))
    value = i64((i64(u64(sums.a & u64(65_535))) - ROW_OFFSET) * SECOND_UNIT)
    value = _with_pair(net, value, second.a, offset, 0)
    value = _with_pair(net, value, second.b, offset, 2)
    value = _with_pair(net, value, second.c, offset, 4)
    value = _with_pair(net, value, second.d, offset, 6)
    value = i64((value * SCALE) >> 13)
    return i64(min(max(value, -MAX_NET_VALUE), MAX_NET_VALUE))


@jit_inline
def _with_neurons(net: Net, word: int, start: int, count: int, sums: Second) -> Second:
    """Add what some neurons of the first layer, lowest in a word first, are to the second."""
    weights = net.second
    a, b, c, d, total = sums.a, sums.b, sums.c, sums.d, sums.total
    for n in range(start, start + count):
        neuron = u64(max(i64(u64(word & u64(65_535))) - ROW_OFFSET, 0))
        word = u64(word >> u64(16))
        total = u64(total + neuron)
        a, b = u64(a + u64(neuron * weights[n, 0])), u64(b + u64(neuron * weights[n, 1]))
        c, d = u64(c + u64(neuron * weights[n, 2])), u64(d + u64(neuron * weights[n, 3]))
    return Second(a, b, c, d, total)


@jit_inline
def _with_pair(net: Net, value: int, word: int, offset: int, first: int) -> int:
    """Add what two neurons of the second layer come to in the end."""
    low = i64(u64(word & u64(0xFFFFFFFF))) - offset + net.second_bias[first]
    high = i64(u64(word >> u64(32))) - offset + net.second_bias[first + 1]
    value = i64(value + max(low >> 6, 0) * net.third[first])
    return i64(value + max(high >> 6, 0) * net.third[first + 1])


# The file of weights


def shared_rows() -> Numbers:
    """By row, the number of the one that it shares its weights with, counted without gaps."""
    tied = np.arange(ROWS)
    starts = [(RANK_PATTERNS * ring, 8) for ring in range(RINGS)]
    starts += [(start, size) for size, start in _DIAGONAL_STARTS.items()]
    for start, size in starts:
        patterns = np.arange(3**size)
        mirrored = sum(patterns // 3**i % 3 * 3 ** (size - 1 - i) for i in range(size))
        tied[start : start + 3**size] = start + np.minimum(patterns, mirrored)
    return np.unique(tied, return_inverse=True)[1]


def fill_net(net: Net, rows: Numbers, second: Numbers, bias: Numbers, third: Numbers) -> None:
    """Put in the weights of a file: rows without repetition, and the second layer by neuron."""
    if np.abs(rows).max() > MAX_ROW_NUMBER or np.abs(second).max() > MAX_SECOND_NUMBER:
        raise ValueError("a weight is too large for its part of a word")
    numbers = (rows.astype(np.int64) + MAX_ROW_NUMBER).astype(np.uint64)
    numbers = numbers[shared_rows()].reshape(ROWS, WORDS, 4)
    net.rows[:] = sum(numbers[..., n] << np.uint64(16 * n) for n in range(4))
    pairs = (second.astype(np.int64) + MAX_SECOND_NUMBER).astype(np.uint64)
    pairs = pairs.reshape(NEURONS - 1, SECOND_WORDS, 2)
    net.second[:] = pairs[..., 0] | pairs[..., 1] << np.uint64(32)
    net.second_bias[:], net.third[:] = bias, third


@cache
def read_weights(path: Path = WEIGHTS_FILE) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """The numbers of a file of weights, as `fill_net` takes them."""
    with np.load(path, allow_pickle=False) as file:
        return file["rows"], file["second"], file["second_bias"], file["third"]
