"""The moves of a side, in the order of rules.py and under its names (3.2 to 3.4, 7.2).

Only the two sets of pieces are needed here: `own` are those of the side that moves.
"""

from __future__ import annotations

from kibitz.core.bits import bit, lowest_bit, without_lowest_bit
from kibitz.core.jit import Numbers, i64, jit, jit_inline, u64
from kibitz.games.kalamala.kernel.encoding import (
    AHEAD_COUNTS,
    DISTANCE_UNIT,
    LANDINGS,
    LENGTH_UNIT,
    OPPOSITES,
    ROTATIONS,
    SQUARES_AHEAD,
    STEPS,
)

# The board


@jit_inline
def rotate_bits(squares: int, places: int) -> int:
    return u64(u64(squares << places) | u64(squares >> u64(u64(64) - places)))


@jit_inline
def step_squares(squares: int, direction: int) -> int:
    """All of them one step further; those that leave the board are gone."""
    return u64(rotate_bits(squares, ROTATIONS[direction]) & LANDINGS[direction])


@jit
def has_square(squares: int, square: int) -> bool:
    return u64(u64(squares >> u64(square)) & u64(1)) != u64(0)


# 3.2  Chains


@jit
def row(pieces: int, square: int, direction: int) -> int:
    """The number of neighbouring pieces in a row from this one onwards."""
    length, at = i64(1), square
    for _ in range(AHEAD_COUNTS[direction, square]):
        at = i64(at + STEPS[direction])
        if not has_square(pieces, at):
            break
        length = i64(length + 1)
    return length


# 3.3  Move


@jit
def move_code(rear: int, direction: int, length: int, distance: int) -> int:
    return i64(rear + 64 * direction + LENGTH_UNIT * length + DISTANCE_UNIT * distance)


@jit
def moves(own: int, others: int, out: Numbers, first: int) -> int:
    """All moves, before repetition is considered: where the list ends that begins at `first`."""
    end, anchors = first, own
    while anchors != u64(0):
        anchor, anchors = lowest_bit(anchors), without_lowest_bit(anchors)
        for direction in range(8):
            if u64(SQUARES_AHEAD[direction, anchor] & u64(own | others)) != u64(0):
                end = _append_hold_moves(own, others, anchor, i64(direction), out, first, end)
    return end


@jit
def _append_hold_moves(
    own: int, others: int, anchor: int, direction: int, out: Numbers, first: int, end: int
) -> int:
    """Append the moves of an anchor with the row it sees in this direction: pushes, then pulls."""
    occupied, step, away = u64(own | others), STEPS[direction], OPPOSITES[direction]
    gap, seen = i64(0), i64(anchor + step)
    while not has_square(occupied, seen):
        gap, seen = i64(gap + 1), i64(seen + step)
    strength = row(own, anchor, away)
    length = row(own if has_square(own, seen) else others, seen, direction)
    front = i64(seen + (length - 1) * step)
    distance = i64(1)
    while length * distance <= strength:
        if distance <= AHEAD_COUNTS[direction, front] and has_square(
            occupied, i64(front + distance * step)
        ):
            break
        end = _append_move(
            own, others, move_code(seen, direction, length, distance), out, first, end
        )
        distance = i64(distance + 1)
    for part in range(1, length + 1):
        distance, far = i64(1), i64(seen + (part - 1) * step)
        while part * distance <= strength and distance <= gap:
            end = _append_move(own, others, move_code(far, away, part, distance), out, first, end)
            distance = i64(distance + 1)
    return end


@jit
def _append_move(own: int, others: int, code: int, out: Numbers, first: int, end: int) -> int:
    """The list with one move more, unless its result is there already."""
    code = canonical_move(own, others, code)
    for place in range(first, end):
        if out[place] == code:
            return end
    out[end] = code
    return i64(end + 1)


# 3.4  Leaving the board


@jit_inline
def is_fall(code: int) -> bool:
    """True if a move takes the front of its chain, or what a FALL names, off the board."""
    rear, direction, length = code & 63, code >> 6 & 7, code >> 9 & 7
    return code < DISTANCE_UNIT or AHEAD_COUNTS[direction, rear] - (length - 1) < code >> 12


@jit_inline
def stones_after(own: int, others: int, code: int) -> tuple[int, int]:
    """Both sets of pieces after a move, or after a FALL."""
    rear, direction, length, distance = bit(code & 63), code >> 6 & 7, code >> 9 & 7, code >> 12
    left = rear
    for _ in range(1, length):
        left = u64(left | step_squares(left, direction))
    entered = left if distance > 0 else u64(0)
    for _ in range(distance):
        entered = step_squares(entered, direction)
    if u64(own & rear) != u64(0):
        return u64(u64(own & u64(~left)) | entered), others
    return own, u64(u64(others & u64(~left)) | entered)


# 7.2  One result, one action


@jit
def canonical_move(own: int, others: int, code: int) -> int:
    """Of all spellings with this result the preferred one; only a death has several.

    Where one piece falls, or the front one of a chain by a single step, the square of the rear
    piece is left empty and no other changes: there are other ways to do that. Longer chains that
    fall further have no other spelling but a greater distance.
    """
    if not is_fall(code):
        return code
    rear, direction, length, distance = code & 63, code >> 6 & 7, code >> 9 & 7, code >> 12
    if length == 1 or distance == 1:
        return preferred_fall(own, others, rear)
    return move_code(rear, direction, length, min(distance, AHEAD_COUNTS[direction, rear] + 1))


@jit
def preferred_fall(own: int, others: int, square: int) -> int:
    """The preferred move that leaves this square empty and changes no other one.

    In each direction the piece falls alone, if the way is free, or fills the place of the next
    one of a chain that reaches to the edge: either takes an anchor as long as that way.
    """
    chosen, least = i64(0), i64(1 << 30)
    occupied = u64(own | others)
    colour = own if has_square(own, square) else others
    for direction in range(8):
        way, left = SQUARES_AHEAD[direction, square], AHEAD_COUNTS[direction, square]
        length, distance = i64(1), i64(1)
        if u64(way & occupied) == u64(0):
            distance = i64(left + 1)
        elif u64(way & colour) == way:
            length = i64(left + 1)
        else:
            continue
        preference = i64((length * 8 + distance) * 8 + direction)
        if preference < least and power(own, occupied, square, OPPOSITES[direction]) > left:
            least, chosen = preference, move_code(square, i64(direction), length, distance)
    return chosen


@jit
def power(own: int, occupied: int, square: int, direction: int) -> int:
    """The length of the own row that is the first thing in this direction; 0 if none is."""
    at = square
    for _ in range(AHEAD_COUNTS[direction, square]):
        at = i64(at + STEPS[direction])
        if has_square(occupied, at):
            return row(own, at, direction) if has_square(own, at) else i64(0)
    return i64(0)
