"""All actions with the boards they lead to, for a search: it works on the scalars.

Neither looks at the past: `is_barred` says of a board that it may not be repeated.
"""

from __future__ import annotations

from kibitz.core.bits import bit, lowest_bit, without_lowest_bit
from kibitz.core.jit import Numbers, i64, jit, jit_inline, u64
from kibitz.games.kalamala.kernel.encoding import FALL
from kibitz.games.kalamala.kernel.moves import is_fall, preferred_fall, stones_after
from kibitz.games.kalamala.kernel.slides import slides


@jit_inline
def results(
    own: int,
    others: int,
    reserve: int,
    kinds: Numbers,
    rears: Numbers,
    codes: Numbers,
    after_own: Numbers,
    after_others: Numbers,
) -> tuple[int, int]:
    """All that the side with `own` can do, and both sets of pieces after it.

    Gives how many deaths there are, which come first, and how many actions; placements come last.
    The past is not asked; `kinds` and `rears` are room to work in. A piece that falls is a FALL
    here, which `resolve` knows too; `listed_action` tells what it is called.
    """
    kind_count, _ = slides(own, others, kinds, rears)
    deaths, end = i64(0), i64(0)
    for kind in range(kind_count):
        left = rears[kind]
        while left != u64(0):
            code = i64(kinds[kind] + lowest_bit(left))
            left = without_lowest_bit(left)
            place = end
            if is_fall(code):
                codes[end], after_own[end] = codes[deaths], after_own[deaths]
                after_others[end], place = after_others[deaths], deaths
                deaths = i64(deaths + 1)
            codes[place] = code
            after_own[place], after_others[place] = stones_after(own, others, code)
            end = i64(end + 1)
    empty = u64(~u64(own | others)) if reserve > 0 else u64(0)
    while empty != u64(0):
        codes[end] = lowest_bit(empty)
        after_own[end], after_others[end] = u64(own | bit(codes[end])), others
        end, empty = i64(end + 1), without_lowest_bit(empty)
    return deaths, end


@jit
def listed_action(own: int, others: int, code: int) -> int:
    """The action that a code of `results` stands for, as `turn_actions` lists it."""
    return preferred_fall(own, others, code & 63) if code >> 6 == FALL >> 6 else code
