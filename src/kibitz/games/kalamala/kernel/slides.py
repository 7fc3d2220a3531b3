"""All moves of a side at once, as sets of squares: what random play and a search use.

A kind of move is a direction, a length and a distance; of each kind the rear squares are one set.
They are the moves that `moves` lists, in another order, except that a piece falling off
the board is a FALL here, however it is spelled (7.2).

On a line of eight squares few sizes of a move fit in, since its anchor is at least as long as its
length times its distance: one piece goes by 1 to 4, two go by 1 or 2, three or four by 1. By 4, or
four of them, only to fall.
"""

from __future__ import annotations

from typing import NamedTuple

from kibitz.core.bits import popcount
from kibitz.core.jit import Numbers, i64, jit_inline, u64
from kibitz.games.kalamala.kernel.encoding import (
    AXES,
    DISTANCE_UNIT,
    FALL,
    LANDINGS,
    LENGTH_UNIT,
    NE,
    NW,
    OPPOSITES,
    ROTATIONS,
    E,
    N,
)
from kibitz.games.kalamala.kernel.moves import rotate_bits, step_squares
from kibitz.games.kalamala.kernel.numbering import word_of


class Found(NamedTuple):
    """The end of the list of kinds, the number of moves, and the squares where a piece falls."""

    end: int
    moves: int
    falling: int


class Sweep(NamedTuple):
    """Both sides' pieces, a direction, and the pieces pushed ahead and pulled from behind."""

    own: int
    others: int
    ahead: int
    behind: int
    pushed: int
    pulled: int


@jit_inline
def slides(own: int, others: int, kinds: Numbers, rears: Numbers) -> tuple[int, int]:
    """The number of kinds of moves; the first is FALL and may have no squares, others do."""
    found = _all_slides(own, others, kinds, rears)
    kinds[0], rears[0] = FALL, found.falling
    return found.end, i64(found.moves + popcount(found.falling))


@jit_inline
def mark_slides(own: int, others: int, words: Numbers) -> tuple[int, int]:
    """Set the rear squares of each kind of move in its word of a set of actions (numbering.py),
    which has been empty; their number without falls, and the squares where a piece falls."""
    found = _all_slides(own, others, None, words)
    return found.moves, found.falling


@jit_inline
def _all_slides(own: int, others: int, kinds: Numbers | None, rears: Numbers) -> Found:
    """Kinds of moves are listed from place 1 on; without a list, rears are words."""
    found = Found(i64(1), i64(0), u64(0))
    found = _slides_by_one(own, others, N, kinds, rears, found)
    found = _slides_by_one(own, others, E, kinds, rears, found)
    found = _slides_by_one(own, others, NE, kinds, rears, found)
    found = _slides_by_one(own, others, NW, kinds, rears, found)
    for direction in AXES:
        if u64(own & step_squares(own, direction)) != u64(0):
            found = _slides_by_more(own, others, direction, kinds, rears, found)
    return found


@jit_inline
def seen_pieces(anchors: int, empty: int, direction: int) -> int:
    """The pieces of either side that some of the anchors see in this direction."""
    one = ROTATIONS[direction]
    two, four = u64(u64(one * u64(2)) & u64(63)), u64(u64(one * u64(4)) & u64(63))
    free = u64(empty & LANDINGS[direction])
    reach = u64(anchors | u64(free & rotate_bits(anchors, one)))
    free = u64(free & rotate_bits(free, one))
    reach = u64(reach | u64(free & rotate_bits(reach, two)))
    free = u64(free & rotate_bits(free, two))
    reach = u64(reach | u64(free & rotate_bits(reach, four)))
    return u64(step_squares(reach, direction) & u64(~empty))


@jit_inline
def _append_kind(
    squares: int,
    direction: int,
    length: int,
    distance: int,
    kinds: Numbers | None,
    rears: Numbers,
    found: Found,
) -> Found:
    end, moves = found.end, i64(found.moves + popcount(squares))
    kind = i64(64 * direction + LENGTH_UNIT * length + DISTANCE_UNIT * distance)
    if kinds is None:
        rears[word_of(kind)] = squares
        return Found(end, moves, found.falling)
    kinds[end] = kind
    rears[end] = squares
    return Found(i64(end + (squares != u64(0))), moves, found.falling)


@jit_inline
def _with_falling(found: Found, squares: int) -> Found:
    return Found(found.end, found.moves, u64(found.falling | squares))


@jit_inline
def _slides_by_one(
    own: int, others: int, ahead: int, kinds: Numbers | None, rears: Numbers, found: Found
) -> Found:
    """Append what a single piece does to others, ahead and behind: a push or pull of one step."""
    behind, empty = OPPOSITES[ahead], u64(~u64(own | others))
    pushed, pulled = seen_pieces(own, empty, ahead), seen_pieces(own, empty, behind)
    moved = u64(pushed | pulled)
    forward, back = (
        u64(moved & step_squares(empty, behind)),
        u64(moved & step_squares(empty, ahead)),
    )
    found = _append_kind(forward, ahead, 1, 1, kinds, rears, found)
    found = _append_kind(back, behind, 1, 1, kinds, rears, found)
    pushed_off, pulled_off = (
        u64(pushed & u64(~LANDINGS[behind])),
        u64(pulled & u64(~LANDINGS[ahead])),
    )
    return _with_falling(found, u64(pushed_off | pulled_off))


@jit_inline
def _slides_by_more(
    own: int, others: int, ahead: int, kinds: Numbers | None, rears: Numbers, found: Found
) -> Found:
    """Append what two, three and four in a row do beyond that, ahead and behind."""
    behind = OPPOSITES[ahead]
    fronts, backs = u64(own & step_squares(own, ahead)), u64(own & step_squares(own, behind))
    found = _sweep_both_ways(2, own, others, ahead, fronts, backs, kinds, rears, found)
    fronts, backs = fronts & step_squares(fronts, ahead), backs & step_squares(backs, behind)
    if fronts == u64(0):
        return found
    found = _sweep_both_ways(3, own, others, ahead, fronts, backs, kinds, rears, found)
    fronts, backs = fronts & step_squares(fronts, ahead), backs & step_squares(backs, behind)
    if fronts == u64(0):
        return found
    return _sweep_both_ways(4, own, others, ahead, fronts, backs, kinds, rears, found)


@jit_inline
def _sweep_both_ways(
    length: int,
    own: int,
    others: int,
    ahead: int,
    fronts: int,
    backs: int,
    kinds: Numbers | None,
    rears: Numbers,
    found: Found,
) -> Found:
    behind, empty = OPPOSITES[ahead], u64(~u64(own | others))
    pushed, pulled = seen_pieces(fronts, empty, ahead), seen_pieces(backs, empty, behind)
    if u64(pushed | pulled) == u64(0):
        return found
    for _ in range(2):
        s = Sweep(own, others, ahead, behind, pushed, pulled)
        found = _sweep(length, s, kinds, rears, found)
        ahead, behind, pushed, pulled = behind, ahead, pulled, pushed
    return found


@jit_inline
def _twins(own: int, others: int, behind: int) -> int:
    """The squares of pieces that have another of their side next ahead."""
    return u64(u64(own & step_squares(own, behind)) | u64(others & step_squares(others, behind)))


@jit_inline
def _sweep(length: int, s: Sweep, kinds: Numbers | None, rears: Numbers, found: Found) -> Found:
    """Append what is pushed and pulled by so many in a row.

    Two take one piece by two steps, or two by one. Three take one by three, or three by one. Four
    take two by two, of which one or both may fall; one by four and four by one only fall.
    """
    behind = s.behind
    free, twins = step_squares(u64(~u64(s.own | s.others)), behind), _twins(s.own, s.others, behind)
    next_free, next_rim = step_squares(free, behind), step_squares(u64(~LANDINGS[behind]), behind)
    seen, seen_pairs = u64(s.pushed | s.pulled), u64(s.pushed | step_squares(s.pulled, behind))
    if length == 2:
        found = _append_kind(u64(seen & u64(free & next_free)), s.ahead, 1, 2, kinds, rears, found)
        found = _append_kind(
            u64(seen_pairs & u64(twins & next_free)), s.ahead, 2, 1, kinds, rears, found
        )
        return _with_falling(found, u64(u64(s.pushed & next_rim) & u64(free | twins)))
    third_free, third_rim = step_squares(next_free, behind), step_squares(next_rim, behind)
    triplets = u64(twins & step_squares(twins, behind))
    alone = u64(free & next_free)
    if length == 3:
        seen_triplets = u64(s.pushed | step_squares(step_squares(s.pulled, behind), behind))
        found = _append_kind(
            u64(seen & u64(alone & third_free)), s.ahead, 1, 3, kinds, rears, found
        )
        found = _append_kind(
            u64(seen_triplets & u64(triplets & third_free)), s.ahead, 3, 1, kinds, rears, found
        )
        return _with_falling(found, u64(u64(s.pushed & third_rim) & u64(alone | triplets)))
    landed = u64(seen_pairs & u64(next_free & third_free))
    lost = u64(s.pushed & u64(next_rim | u64(next_free & third_rim)))
    found = _append_kind(u64(twins & u64(landed | lost)), s.ahead, 2, 2, kinds, rears, found)
    fourth_rim = step_squares(third_rim, behind)
    either = u64(u64(alone & third_free) | u64(triplets & step_squares(triplets, behind)))
    return _with_falling(found, u64(u64(s.pushed & fourth_rim) & either))
