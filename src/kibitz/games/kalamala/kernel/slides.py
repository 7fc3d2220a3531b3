"""All moves of a side at once, as sets of squares: what random play and a search use.

A kind of move is a direction, a length and a distance; of each kind the rear squares are one set.
They are the moves that kernel_moves.py lists, in another order, except that a piece falling off
the board is a FALL here, however it is spelled (7.2).

On a line of eight squares few sizes of a move fit in, since its anchor is at least as long as its
length times its distance: one piece goes by 1 to 4, two go by 1 or 2, three or four by 1. By 4, or
four of them, only to fall.
"""

from __future__ import annotations

from kibitz.core.bits import count
from kibitz.core.jit import inlined, small, wide
from kibitz.games.kalamala.kernel.encoding import (
    AWAYS,
    AXES,
    DISTANCE,
    FALL,
    LANDINGS,
    LENGTH,
    NE,
    NW,
    TURNS,
    E,
    N,
    Numbers,
)
from kibitz.games.kalamala.kernel.moves import stepped, turned


@inlined
def slides(own: int, others: int, kinds: Numbers, rears: Numbers) -> tuple[int, int]:
    """How many kinds of moves there are; the first is FALL and may have no squares, others do."""
    end, found, falling = small(1), small(0), wide(0)
    end, found, falling = _by_one(own, others, N, kinds, rears, end, found, falling)
    end, found, falling = _by_one(own, others, E, kinds, rears, end, found, falling)
    end, found, falling = _by_one(own, others, NE, kinds, rears, end, found, falling)
    end, found, falling = _by_one(own, others, NW, kinds, rears, end, found, falling)
    for direction in AXES:
        if wide(own & stepped(own, direction)) != wide(0):
            end, found, falling = _by_more(
                own, others, direction, kinds, rears, end, found, falling
            )
    kinds[0], rears[0] = FALL, falling
    return end, small(found + count(falling))


@inlined
def seen(anchors: int, empty: int, direction: int) -> int:
    """The pieces of either side that some of the anchors see in this direction."""
    one = TURNS[direction]
    two, four = (
        wide(wide(one * wide(2)) & wide(63)),
        wide(wide(one * wide(4)) & wide(63)),
    )
    free = wide(empty & LANDINGS[direction])
    reach = wide(anchors | wide(free & turned(anchors, one)))
    free = wide(free & turned(free, one))
    reach = wide(reach | wide(free & turned(reach, two)))
    free = wide(free & turned(free, two))
    reach = wide(reach | wide(free & turned(reach, four)))
    return wide(stepped(reach, direction) & wide(~empty))


@inlined
def _kept(
    squares: int,
    direction: int,
    length: int,
    distance: int,
    kinds: Numbers,
    rears: Numbers,
    end: int,
    found: int,
) -> tuple[int, int]:
    kinds[end] = small(64 * direction + LENGTH * length + DISTANCE * distance)
    rears[end] = squares
    return small(end + (squares != wide(0))), small(found + count(squares))


@inlined
def _by_one(
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
    behind, empty = AWAYS[ahead], wide(~wide(own | others))
    pushed, pulled = seen(own, empty, ahead), seen(own, empty, behind)
    moved = wide(pushed | pulled)
    end, found = _kept(wide(moved & stepped(empty, behind)), ahead, 1, 1, kinds, rears, end, found)
    end, found = _kept(wide(moved & stepped(empty, ahead)), behind, 1, 1, kinds, rears, end, found)
    falling = wide(falling | wide(pushed & wide(~LANDINGS[behind])))
    falling = wide(falling | wide(pulled & wide(~LANDINGS[ahead])))
    return end, found, falling


@inlined
def _by_more(
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
    behind, empty = AWAYS[ahead], wide(~wide(own | others))
    fronts, backs = wide(own & stepped(own, ahead)), wide(own & stepped(own, behind))
    pushed, pulled = seen(fronts, empty, ahead), seen(backs, empty, behind)
    if wide(pushed | pulled) == wide(0):
        return end, found, falling
    for _ in range(2):
        end, found, falling = _by_two(
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
        wide(fronts & stepped(fronts, ahead)),
        wide(backs & stepped(backs, behind)),
    )
    if fronts == wide(0):
        return end, found, falling
    pushed, pulled = seen(fronts, empty, ahead), seen(backs, empty, behind)
    for _ in range(2):
        end, found, falling = _by_three(
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
        wide(fronts & stepped(fronts, ahead)),
        wide(backs & stepped(backs, behind)),
    )
    if fronts == wide(0):
        return end, found, falling
    pushed, pulled = seen(fronts, empty, ahead), seen(backs, empty, behind)
    for _ in range(2):
        end, found, falling = _by_four(
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


@inlined
def _twins(own: int, others: int, behind: int) -> int:
    """The squares of pieces that have another of their side next ahead."""
    return wide(wide(own & stepped(own, behind)) | wide(others & stepped(others, behind)))


@inlined
def _by_two(
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
        stepped(wide(~wide(own | others)), behind),
        _twins(own, others, behind),
    )
    next_free, next_rim = (
        stepped(free, behind),
        stepped(wide(~LANDINGS[behind]), behind),
    )
    one = wide(wide(pushed | pulled) & wide(free & next_free))
    two = wide(wide(pushed | stepped(pulled, behind)) & wide(twins & next_free))
    end, found = _kept(one, ahead, 1, 2, kinds, rears, end, found)
    end, found = _kept(two, ahead, 2, 1, kinds, rears, end, found)
    return (
        end,
        found,
        wide(falling | wide(wide(pushed & next_rim) & wide(free | twins))),
    )


@inlined
def _by_three(
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
        stepped(wide(~wide(own | others)), behind),
        _twins(own, others, behind),
    )
    next_free, next_rim = (
        stepped(free, behind),
        stepped(wide(~LANDINGS[behind]), behind),
    )
    third_free, third_rim = stepped(next_free, behind), stepped(next_rim, behind)
    triplets = wide(twins & stepped(twins, behind))
    one = wide(wide(pushed | pulled) & wide(wide(free & next_free) & third_free))
    sighted = wide(pushed | stepped(stepped(pulled, behind), behind))
    end, found = _kept(one, ahead, 1, 3, kinds, rears, end, found)
    end, found = _kept(
        wide(sighted & wide(triplets & third_free)),
        ahead,
        3,
        1,
        kinds,
        rears,
        end,
        found,
    )
    either = wide(wide(free & next_free) | triplets)
    return end, found, wide(falling | wide(wide(pushed & third_rim) & either))


@inlined
def _by_four(
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
        stepped(wide(~wide(own | others)), behind),
        _twins(own, others, behind),
    )
    next_free, next_rim = (
        stepped(free, behind),
        stepped(wide(~LANDINGS[behind]), behind),
    )
    third_free, third_rim = stepped(next_free, behind), stepped(next_rim, behind)
    fourth_rim = stepped(third_rim, behind)
    landed = wide(wide(pushed | stepped(pulled, behind)) & wide(next_free & third_free))
    lost = wide(pushed & wide(next_rim | wide(next_free & third_rim)))
    end, found = _kept(wide(twins & wide(landed | lost)), ahead, 2, 2, kinds, rears, end, found)
    triplets = wide(twins & stepped(twins, behind))
    alone = wide(wide(free & next_free) & third_free)
    either = wide(alone | wide(triplets & stepped(triplets, behind)))
    return end, found, wide(falling | wide(wide(pushed & fourth_rim) & either))
