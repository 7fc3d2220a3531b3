"""All moves of a side at once, as sets of squares: what random play and a search use.

A kind of move is a direction, a length and a distance; of each kind the rear squares are one set.
They are the moves that kernel_moves.py lists, in another order, except that a piece falling off
the board is a FALL here, however it is spelled (7.2).

On a line of eight squares few sizes of a move fit in, since its anchor is at least as long as its
length times its distance: one piece goes by 1 to 4, two go by 1 or 2, three or four by 1. By 4, or
four of them, only to fall.
"""

from __future__ import annotations

from kibitz.core.bits import popcount
from kibitz.core.jit import i64, jit_inline, u64
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
    Numbers,
)
from kibitz.games.kalamala.kernel.moves import rotate_bits, step_squares


@jit_inline
def slides(own: int, others: int, kinds: Numbers, rears: Numbers) -> tuple[int, int]:
    """How many kinds of moves there are; the first is FALL and may have no squares, others do."""
    end, found, falling = i64(1), i64(0), u64(0)
    end, found, falling = _slides_by_one(own, others, N, kinds, rears, end, found, falling)
    end, found, falling = _slides_by_one(own, others, E, kinds, rears, end, found, falling)
    end, found, falling = _slides_by_one(own, others, NE, kinds, rears, end, found, falling)
    end, found, falling = _slides_by_one(own, others, NW, kinds, rears, end, found, falling)
    for direction in AXES:
        if u64(own & step_squares(own, direction)) != u64(0):
            end, found, falling = _slides_by_more(
                own, others, direction, kinds, rears, end, found, falling
            )
    kinds[0], rears[0] = FALL, falling
    return end, i64(found + popcount(falling))


@jit_inline
def seen_pieces(anchors: int, empty: int, direction: int) -> int:
    """The pieces of either side that some of the anchors see in this direction."""
    one = ROTATIONS[direction]
    two, four = (
        u64(u64(one * u64(2)) & u64(63)),
        u64(u64(one * u64(4)) & u64(63)),
    )
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
    kinds: Numbers,
    rears: Numbers,
    end: int,
    found: int,
) -> tuple[int, int]:
    kinds[end] = i64(64 * direction + LENGTH_UNIT * length + DISTANCE_UNIT * distance)
    rears[end] = squares
    return i64(end + (squares != u64(0))), i64(found + popcount(squares))


@jit_inline
def _slides_by_one(
    own: int,
    others: int,
    ahead: int,
    kinds: Numbers,
    rears: Numbers,
    end: int,
    found: int,
    falling: int,
) -> tuple[int, int, int]:
    """What a single piece does to others, ahead and behind: it pushes one step or pulls one step.

    Gives the end of the list, and all squares found so far from which a piece falls.
    """
    behind, empty = OPPOSITES[ahead], u64(~u64(own | others))
    pushed, pulled = seen_pieces(own, empty, ahead), seen_pieces(own, empty, behind)
    moved = u64(pushed | pulled)
    end, found = _append_kind(
        u64(moved & step_squares(empty, behind)), ahead, 1, 1, kinds, rears, end, found
    )
    end, found = _append_kind(
        u64(moved & step_squares(empty, ahead)), behind, 1, 1, kinds, rears, end, found
    )
    falling = u64(falling | u64(pushed & u64(~LANDINGS[behind])))
    falling = u64(falling | u64(pulled & u64(~LANDINGS[ahead])))
    return end, found, falling


@jit_inline
def _slides_by_more(
    own: int,
    others: int,
    ahead: int,
    kinds: Numbers,
    rears: Numbers,
    end: int,
    found: int,
    falling: int,
) -> tuple[int, int, int]:
    """Likewise what two or more in a row do beyond that, ahead and behind."""
    behind, empty = OPPOSITES[ahead], u64(~u64(own | others))
    fronts, backs = u64(own & step_squares(own, ahead)), u64(own & step_squares(own, behind))
    pushed, pulled = seen_pieces(fronts, empty, ahead), seen_pieces(backs, empty, behind)
    if u64(pushed | pulled) == u64(0):
        return end, found, falling
    for _ in range(2):
        end, found, falling = _slides_by_two(
            own,
            others,
            ahead,
            behind,
            pushed,
            pulled,
            kinds,
            rears,
            end,
            found,
            falling,
        )
        ahead, behind, pushed, pulled = behind, ahead, pulled, pushed
    fronts, backs = (
        u64(fronts & step_squares(fronts, ahead)),
        u64(backs & step_squares(backs, behind)),
    )
    if fronts == u64(0):
        return end, found, falling
    pushed, pulled = seen_pieces(fronts, empty, ahead), seen_pieces(backs, empty, behind)
    for _ in range(2):
        end, found, falling = _slides_by_three(
            own,
            others,
            ahead,
            behind,
            pushed,
            pulled,
            kinds,
            rears,
            end,
            found,
            falling,
        )
        ahead, behind, pushed, pulled = behind, ahead, pulled, pushed
    fronts, backs = (
        u64(fronts & step_squares(fronts, ahead)),
        u64(backs & step_squares(backs, behind)),
    )
    if fronts == u64(0):
        return end, found, falling
    pushed, pulled = seen_pieces(fronts, empty, ahead), seen_pieces(backs, empty, behind)
    for _ in range(2):
        end, found, falling = _slides_by_four(
            own,
            others,
            ahead,
            behind,
            pushed,
            pulled,
            kinds,
            rears,
            end,
            found,
            falling,
        )
        ahead, behind, pushed, pulled = behind, ahead, pulled, pushed
    return end, found, falling


@jit_inline
def _twins(own: int, others: int, behind: int) -> int:
    """The squares of pieces that have another of their side next ahead."""
    return u64(u64(own & step_squares(own, behind)) | u64(others & step_squares(others, behind)))


@jit_inline
def _slides_by_two(
    own: int,
    others: int,
    ahead: int,
    behind: int,
    pushed: int,
    pulled: int,
    kinds: Numbers,
    rears: Numbers,
    end: int,
    found: int,
    falling: int,
) -> tuple[int, int, int]:
    """One piece by two steps, or two by one; `pushed` and `pulled` are seen by two in a row."""
    free, twins = (
        step_squares(u64(~u64(own | others)), behind),
        _twins(own, others, behind),
    )
    next_free, next_rim = (
        step_squares(free, behind),
        step_squares(u64(~LANDINGS[behind]), behind),
    )
    one = u64(u64(pushed | pulled) & u64(free & next_free))
    two = u64(u64(pushed | step_squares(pulled, behind)) & u64(twins & next_free))
    end, found = _append_kind(one, ahead, 1, 2, kinds, rears, end, found)
    end, found = _append_kind(two, ahead, 2, 1, kinds, rears, end, found)
    return (
        end,
        found,
        u64(falling | u64(u64(pushed & next_rim) & u64(free | twins))),
    )


@jit_inline
def _slides_by_three(
    own: int,
    others: int,
    ahead: int,
    behind: int,
    pushed: int,
    pulled: int,
    kinds: Numbers,
    rears: Numbers,
    end: int,
    found: int,
    falling: int,
) -> tuple[int, int, int]:
    """One piece by three steps, or three by one."""
    free, twins = (
        step_squares(u64(~u64(own | others)), behind),
        _twins(own, others, behind),
    )
    next_free, next_rim = (
        step_squares(free, behind),
        step_squares(u64(~LANDINGS[behind]), behind),
    )
    third_free, third_rim = step_squares(next_free, behind), step_squares(next_rim, behind)
    triplets = u64(twins & step_squares(twins, behind))
    one = u64(u64(pushed | pulled) & u64(u64(free & next_free) & third_free))
    sighted = u64(pushed | step_squares(step_squares(pulled, behind), behind))
    end, found = _append_kind(one, ahead, 1, 3, kinds, rears, end, found)
    end, found = _append_kind(
        u64(sighted & u64(triplets & third_free)),
        ahead,
        3,
        1,
        kinds,
        rears,
        end,
        found,
    )
    either = u64(u64(free & next_free) | triplets)
    return end, found, u64(falling | u64(u64(pushed & third_rim) & either))


@jit_inline
def _slides_by_four(
    own: int,
    others: int,
    ahead: int,
    behind: int,
    pushed: int,
    pulled: int,
    kinds: Numbers,
    rears: Numbers,
    end: int,
    found: int,
    falling: int,
) -> tuple[int, int, int]:
    """Two pieces by two steps, of which one or both may fall; one by four or four by one fall."""
    free, twins = (
        step_squares(u64(~u64(own | others)), behind),
        _twins(own, others, behind),
    )
    next_free, next_rim = (
        step_squares(free, behind),
        step_squares(u64(~LANDINGS[behind]), behind),
    )
    third_free, third_rim = step_squares(next_free, behind), step_squares(next_rim, behind)
    fourth_rim = step_squares(third_rim, behind)
    landed = u64(u64(pushed | step_squares(pulled, behind)) & u64(next_free & third_free))
    lost = u64(pushed & u64(next_rim | u64(next_free & third_rim)))
    end, found = _append_kind(
        u64(twins & u64(landed | lost)), ahead, 2, 2, kinds, rears, end, found
    )
    triplets = u64(twins & step_squares(twins, behind))
    alone = u64(u64(free & next_free) & third_free)
    either = u64(alone | u64(triplets & step_squares(triplets, behind)))
    return end, found, u64(falling | u64(u64(pushed & fourth_rim) & either))
