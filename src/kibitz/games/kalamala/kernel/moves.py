"""The moves of a side, in the order of rules.py and under its names (3.2 to 3.4, 7.2).

Only the two sets of pieces are needed here: `own` are those of the side that moves.
"""

from __future__ import annotations

from kibitz.core.bits import bit, lowest, without_lowest
from kibitz.core.jit import compiled, inlined, small, wide
from kibitz.games.kalamala.kernel.encoding import (
    AWAYS,
    DISTANCE,
    LANDINGS,
    LEFT,
    LENGTH,
    STEPS,
    TURNS,
    WAYS,
    Numbers,
)

# The board


@inlined
def turned(squares: int, places: int) -> int:
    return wide(wide(squares << places) | wide(squares >> wide(wide(64) - places)))


@inlined
def stepped(squares: int, direction: int) -> int:
    """All of them one step further; those that leave the board are gone."""
    return wide(turned(squares, TURNS[direction]) & LANDINGS[direction])


@compiled
def has(squares: int, square: int) -> bool:
    return wide(wide(squares >> wide(square)) & wide(1)) != wide(0)


# 3.2  Chains


@compiled
def row(pieces: int, square: int, direction: int) -> int:
    """How many neighbouring pieces there are in a row from this one onwards."""
    length, at = small(1), square
    for _ in range(LEFT[direction, square]):
        at = small(at + STEPS[direction])
        if not has(pieces, at):
            break
        length = small(length + 1)
    return length


# 3.3  Move


@compiled
def move(rear: int, direction: int, length: int, distance: int) -> int:
    return small(rear + 64 * direction + LENGTH * length + DISTANCE * distance)


@compiled
def moves(own: int, others: int, out: Numbers, first: int) -> int:
    """All moves, before repetition is considered: where the list ends that begins at `first`."""
    end, anchors = first, own
    while anchors != wide(0):
        anchor, anchors = lowest(anchors), without_lowest(anchors)
        for direction in range(8):
            if wide(WAYS[direction, anchor] & wide(own | others)) != wide(0):
                end = _held(own, others, anchor, small(direction), out, first, end)
    return end


@compiled
def _held(
    own: int, others: int, anchor: int, direction: int, out: Numbers, first: int, end: int
) -> int:
    """What the piece there does with the row it sees in this direction: pushes, then pulls."""
    occupied, step, away = wide(own | others), STEPS[direction], AWAYS[direction]
    gap, seen = small(0), small(anchor + step)
    while not has(occupied, seen):
        gap, seen = small(gap + 1), small(seen + step)
    strength = row(own, anchor, away)
    length = row(own if has(own, seen) else others, seen, direction)
    front = small(seen + (length - 1) * step)
    distance = small(1)
    while length * distance <= strength:
        if distance <= LEFT[direction, front] and has(occupied, small(front + distance * step)):
            break
        end = _found(own, others, move(seen, direction, length, distance), out, first, end)
        distance = small(distance + 1)
    for part in range(1, length + 1):
        distance, far = small(1), small(seen + (part - 1) * step)
        while part * distance <= strength and distance <= gap:
            end = _found(own, others, move(far, away, part, distance), out, first, end)
            distance = small(distance + 1)
    return end


@compiled
def _found(own: int, others: int, code: int, out: Numbers, first: int, end: int) -> int:
    """The list with one move more, unless its result is there already."""
    code = canonical(own, others, code)
    for place in range(first, end):
        if out[place] == code:
            return end
    out[end] = code
    return small(end + 1)


# 3.4  Leaving the board


@inlined
def falls(code: int) -> bool:
    """Whether a move takes the front of its chain, or what a FALL names, off the board."""
    rear, direction, length = code & 63, code >> 6 & 7, code >> 9 & 7
    return code < DISTANCE or LEFT[direction, rear] - (length - 1) < code >> 12


@inlined
def after(own: int, others: int, code: int) -> tuple[int, int]:
    """Both sets of pieces after a move, or after a FALL."""
    rear, direction, length, distance = bit(code & 63), code >> 6 & 7, code >> 9 & 7, code >> 12
    left = rear
    for _ in range(1, length):
        left = wide(left | stepped(left, direction))
    entered = left if distance > 0 else wide(0)
    for _ in range(distance):
        entered = stepped(entered, direction)
    if wide(own & rear) != wide(0):
        return wide(wide(own & wide(~left)) | entered), others
    return own, wide(wide(others & wide(~left)) | entered)


# 7.2  One result, one action


@compiled
def canonical(own: int, others: int, code: int) -> int:
    """Of all spellings with this result the preferred one; only a death has several.

    Where one piece falls, or the front one of a chain by a single step, the square of the rear
    piece is left empty and no other changes: there are other ways to do that. Longer chains that
    fall further have no other spelling but a greater distance.
    """
    if not falls(code):
        return code
    rear, direction, length, distance = code & 63, code >> 6 & 7, code >> 9 & 7, code >> 12
    if length == 1 or distance == 1:
        return fallen(own, others, rear)
    return move(rear, direction, length, min(distance, LEFT[direction, rear] + 1))


@compiled
def fallen(own: int, others: int, square: int) -> int:
    """The preferred move that leaves this square empty and changes no other one.

    In each direction the piece falls alone, if the way is free, or fills the place of the next
    one of a chain that reaches to the edge: either takes an anchor as long as that way.
    """
    chosen, least = small(0), small(1 << 30)
    occupied = wide(own | others)
    colour = own if has(own, square) else others
    for direction in range(8):
        way, left = WAYS[direction, square], LEFT[direction, square]
        length, distance = small(1), small(1)
        if wide(way & occupied) == wide(0):
            distance = small(left + 1)
        elif wide(way & colour) == way:
            length = small(left + 1)
        else:
            continue
        preference = small((length * 8 + distance) * 8 + direction)
        if preference < least and power(own, occupied, square, AWAYS[direction]) > left:
            least, chosen = preference, move(square, small(direction), length, distance)
    return chosen


@compiled
def power(own: int, occupied: int, square: int, direction: int) -> int:
    """The length of the own row that is the first thing in this direction; 0 if none is."""
    at = square
    for _ in range(LEFT[direction, square]):
        at = small(at + STEPS[direction])
        if has(occupied, at):
            return row(own, at, direction) if has(own, at) else small(0)
    return small(0)
