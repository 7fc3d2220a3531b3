"""The field as it is drawn: where everything is, and what stays the same for a whole match.

A square is 48 units wide. Lying, the field has Red's in-goal on the left, rank 1 on top and the
corner of a1 at 0, 0; below it is a strip for the hands and the movers. Upright, whoever looks
has the own in-goal at the bottom, and the hands are in the in-goals.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import NamedTuple

from kibitz.core.drawing import (
    FONT,
    Box,
    Look,
    Part,
    Point,
    Spot,
    filled_box,
    group,
    join_parts,
    text_part,
)
from kibitz.core.game import Place, Seat
from kibitz.core.message import Say, message
from kibitz.games.kahmate.board import (
    CARD_SQUARES,
    FILE_COUNT,
    FILES,
    IN_GOAL,
    LINES,
    RANK_COUNT,
    RANKS,
    file_of,
    is_in_goal,
    name_of,
    rank_of,
    square_place,
)
from kibitz.games.kahmate.state import SEATS
from kibitz.games.kahmate.ui.pieces import definitions

SQUARE_SIZE = 48
FIELD_WIDTH = SQUARE_SIZE * RANK_COUNT
RIM = 6
"""The width of the edge around an upright field."""
STRIP_HEIGHT = 64
"""The height of what is below a lying field."""


class Pitch(NamedTuple):
    is_tall: bool = False
    near: Seat = "R"
    """The captain whose in-goal is at the bottom of an upright field."""
    has_labels: bool = True

    @property
    def depth(self) -> int:
        """Of an in-goal."""
        return 36 if self.is_tall else 40

    @property
    def length(self) -> int:
        return 2 * self.depth + SQUARE_SIZE * (FILE_COUNT - 2)

    @property
    def field(self) -> Box:
        return self.box(0, FILE_COUNT - 1)

    @property
    def view_box(self) -> str:
        if self.is_tall:
            return f"-{RIM} -{RIM} {FIELD_WIDTH + 2 * RIM} {self.length + 2 * RIM}"
        left, below = (22, 28) if self.has_labels else (8, 12)
        return f"{-left} -8 {self.length + 8 + left} {FIELD_WIDTH + below + STRIP_HEIGHT + 16}"

    @property
    def strip(self) -> Box:
        return Box(
            -5, FIELD_WIDTH + (28 if self.has_labels else 12), self.length + 10, STRIP_HEIGHT
        )

    def middle(self, square: int) -> Point:
        file, rank = file_of(square), rank_of(square)
        x, y, width, height = self.box(file, file, rank, rank)
        return x + width / 2, y + height / 2

    def box(self, first: int, last: int, top: int = 0, bottom: int = RANK_COUNT - 1) -> Box:
        """Around these files and ranks."""
        begin, end = self._line(first), self._line(last + 1)
        left, right = SQUARE_SIZE * top, SQUARE_SIZE * (bottom + 1)
        if not self.is_tall:
            return Box(begin, left, end - begin, right - left)
        if self.near == "R":
            return Box(left, self.length - end, right - left, end - begin)
        return Box(FIELD_WIDTH - right, begin, right - left, end - begin)

    def _line(self, file: int) -> int:
        """The distance of a file's beginning from Red's end of the field."""
        if file == 0:
            return 0
        return self.length if file == FILE_COUNT else self.depth + SQUARE_SIZE * (file - 1)


def pitch_for(look: Look) -> Pitch:
    return _pitch(look.is_tall, (look.near or "R") if look.is_tall else "R", look.has_labels)


@lru_cache
def _pitch(tall: bool, near: Seat, labels: bool) -> Pitch:
    """One and the same for the same, so that it can be told by its identity."""
    return Pitch(tall, near, labels)


def zone(pitch: Pitch, side: Seat) -> Box:
    """The two lines on which a side sets its men up."""
    return pitch.box(*sorted(LINES[side]))


@lru_cache(maxsize=64)
def in_goal_names(say: Say) -> tuple[str, str]:
    red, blue = (say(message("kahmate.draw-in-goal", seat=side)) for side in SEATS)
    return red, blue


# What stays


@lru_cache(maxsize=64)
def ground(pitch: Pitch, prefix: str, in_goals: tuple[str, str]) -> Part:
    field, stripes = pitch.field, list[Part | str]()
    for file in range(1, FILE_COUNT - 1):
        stripes.append(filled_box(pitch.box(file, file), f"grass-{2 - file % 2}"))
    for side in SEATS:
        box = pitch.box(IN_GOAL[side], IN_GOAL[side])
        stripes.append(filled_box(box, side, more=' opacity=".82"'))
        stripes.append(f'<rect {box} fill="url(#{prefix}dots-{side})"/>')
    edge = Box(-5, -5, field.width + 10, field.height + 10)
    strip = join_parts(
        f'<rect {pitch.strip} transform="translate(0 2)" rx="14" fill="#000" opacity=".07"/>',
        filled_box(pitch.strip, "card", ' rx="14"', ' stroke="var(--line)"'),
    )
    squares = "".join(
        f'<rect id="{prefix}{square_place(each)}" class="sq" {_square_box(pitch, each)}/>'
        for each in range(FILE_COUNT * RANK_COUNT)
    )
    return join_parts(
        f"<defs>{definitions(prefix)}{_patterns(prefix)}"
        f'<clipPath id="{prefix}field"><rect {field} rx="12"/></clipPath></defs>',
        filled_box(edge, "turf-edge", ' rx="16"'),
        group(f'clip-path="url(#{prefix}field)"', *stripes),
        f'<g fill="none">{squares}</g>{_in_goal_labels(pitch, in_goals)}',
        "" if pitch.is_tall else strip,
        _labels(pitch) if pitch.has_labels else "",
    )


def _patterns(prefix: str) -> str:
    """Dots for Red, squares for Blue; and what lies over men that are hidden."""
    cell = 'width="12" height="12" patternUnits="userSpaceOnUse"'
    return (
        f'<pattern id="{prefix}dots-R" {cell}><circle cx="6" cy="6" r="2.2" fill="#fff"'
        f' opacity=".24"/></pattern><pattern id="{prefix}dots-B" {cell}><rect x="3.8" y="3.8"'
        f' width="4.4" height="4.4" fill="#fff" opacity=".24"/></pattern>'
        f'<pattern id="{prefix}veil" width="16" height="16" patternUnits="userSpaceOnUse"'
        ' patternTransform="rotate(45)"><rect width="7" height="16" fill="#fff"'
        ' opacity=".09"/></pattern>'
    )


def _square_box(pitch: Pitch, square: int) -> Box:
    return pitch.box(file_of(square), file_of(square), rank_of(square), rank_of(square))


def _in_goal_labels(pitch: Pitch, names: tuple[str, str]) -> str:
    """Along the in-goal, which upright leaves room for the cards."""
    made = []
    for side, name in zip(SEATS, names, strict=True):
        x, y, width, height = pitch.box(IN_GOAL[side], IN_GOAL[side])
        turn = 0 if pitch.is_tall else -90 if side == "R" else 90
        if pitch.is_tall:
            at = f'x="14" y="{y + height / 2 + 4.5:g}" font-size="12" letter-spacing="3.5"'
        else:
            at = (
                f'transform="translate({x + width / 2 + (5 if side == "R" else -5):g}'
                f' {y + height / 2:g}) rotate({turn})" text-anchor="middle" font-size="14"'
                ' letter-spacing="6"'
            )
        made.append(f'<text {at} fill="var(--on-{side})">{escape(name.upper())}</text>')
    return f'<g aria-hidden="true" {FONT} font-weight="800">{"".join(made)}</g>'


def _labels(pitch: Pitch) -> Part:
    """Beside the field; upright there is no room, so in the corners of squares."""
    size, ink = (10.5, "chalk") if pitch.is_tall else (12, "ink-2")
    made = []
    for file in range(FILE_COUNT):
        x, y, width, _ = pitch.box(file, file)
        if not pitch.is_tall:
            made.append(text_part(FILES[file], x + width / 2, FIELD_WIDTH + 19, "", ink, "middle"))
        elif 0 < file < FILE_COUNT - 1:
            made.append(text_part(FILES[file], 8, y + 13, "", ink, "middle"))
    for rank in range(RANK_COUNT):
        x, y, width, height = pitch.box(1, FILE_COUNT - 2, rank, rank)
        if not pitch.is_tall:
            made.append(text_part(RANKS[rank], -14, y + SQUARE_SIZE / 2 + 4, "", ink, "middle"))
        else:
            made.append(text_part(RANKS[rank], x + width - 7, y + height - 7, "", ink, "middle"))
    look = f'font-size="{size}" font-weight="600" fill="var(--{ink})" text-anchor="middle"'
    return group(f'class="coordinates" aria-hidden="true" {FONT} {look}', *made)


@lru_cache(maxsize=64)
def grid(pitch: Pitch) -> Part:
    fine = "".join(_line(pitch, file) for file in (3, 4, 5, 8, 9, 10, 2, 11))
    ranks = "".join(_rank_line(pitch, rank) for rank in range(1, RANK_COUNT))
    goals = _line(pitch, 1) + _line(pitch, FILE_COUNT - 1)
    limits = _line(pitch, 3) + _line(pitch, FILE_COUNT - 3)
    halfway = _line(pitch, 6) + _line(pitch, 7)
    middles = ((card, pitch.middle(at)) for card, at in CARD_SQUARES.items())
    numbers = (text_part(str(card), x, y + 8, "", "chalk", "middle") for card, (x, y) in middles)
    return join_parts(
        f'<g stroke="var(--chalk)"><g opacity=".28">{fine}{ranks}</g>'
        f'<g stroke-width="4">{goals}</g><g stroke-width="2" opacity=".75">'
        f'<g stroke-dasharray="8 8">{limits}</g>{halfway}</g></g>',
        group(
            f'aria-hidden="true" {FONT} text-anchor="middle" font-size="22" font-weight="800"'
            ' fill="var(--chalk)" opacity=".6"',
            *numbers,
        ),
    )


def _line(pitch: Pitch, file: int) -> str:
    """Before this file, as Red sees it."""
    x, y, width, height = pitch.box(file, file)
    if not pitch.is_tall:
        return f'<path d="M{x:g} {y:g}v{height:g}"/>'
    return f'<path d="M{x:g} {y + height if pitch.near == "R" else y:g}h{width:g}"/>'


def _rank_line(pitch: Pitch, rank: int) -> str:
    x, y, width, height = pitch.box(1, FILE_COUNT - 2, rank, rank)
    return f'<path d="M{x:g} {y:g}{f"v{height:g}" if pitch.is_tall else f"h{width:g}"}"/>'


# What is touched


@lru_cache(maxsize=256)
def squares(pitch: Pitch, prefix: str, in_goals: tuple[str, str], loose: int | None) -> Part:
    """A cell for every square, row by row; one with a man is named by him, or by a loose ball."""
    if pitch.is_tall:
        files = range(FILE_COUNT - 1, -1, -1) if pitch.near == "R" else range(FILE_COUNT)
        ranks = range(RANK_COUNT) if pitch.near == "R" else range(RANK_COUNT - 1, -1, -1)
        rows = [[file * RANK_COUNT + rank for rank in ranks] for file in files]
    else:
        rows = [
            [file * RANK_COUNT + rank for file in range(FILE_COUNT)] for rank in range(RANK_COUNT)
        ]
    cells = (
        group('role="row"', *(_cell(pitch, prefix, in_goals, loose, each) for each in row))
        for row in rows
    )
    return join_parts(*cells)


def _cell(
    pitch: Pitch, prefix: str, in_goals: tuple[str, str], loose: int | None, square: int
) -> Part:
    name, place = name_of(square), square_place(square)
    if is_in_goal(square):
        name = f"{name}, {in_goals[0 if square < RANK_COUNT else 1]}"
    piece = f"ball-{name_of(square)}" if square == loose else place
    by = f' aria-labelledby="{prefix}pc-{piece}"'
    return cell(prefix, place, Spot(_hit_box(pitch, square), name), by)


def _hit_box(pitch: Pitch, square: int) -> Box:
    """A square; of an upright in-goal with the rim behind it, for a finger."""
    x, y, width, height = _square_box(pitch, square)
    if not pitch.is_tall or not is_in_goal(square):
        return Box(x, y, width, height)
    return Box(x, y - RIM if y == 0 else y, width, height + RIM)


def cell(prefix: str, place: Place, spot: Spot, named_by: str = "") -> Part:
    markup = (
        f'<rect id="{prefix}hit-{place}" class="hit" data-el="{place}" role="gridcell"'
        f' aria-label="{escape(spot.name)}"{named_by} {spot.box}/>'
    )
    return Part(markup, {place: spot})
