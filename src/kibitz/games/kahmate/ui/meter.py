"""The turns without ground gained (9.2): a ring in the in-goal of the side that has the ball.

It fills a part a turn; the last two before the ball is drawn anew are orange.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape

from kibitz.core.drawing import FONT, Box, Fill, Part, Point, group, writing
from kibitz.core.game import Seat
from kibitz.core.message import Message, Say, message
from kibitz.games.kahmate.board import IN_GOAL
from kibitz.games.kahmate.ui.field import Pitch

METER_RADIUS = 9.5
URGENT_TURNS = 2
"""So many turns before the end of it."""


def hold_message(count: int, limit: int) -> Message:
    return message("kahmate.status-hold", "9.2", count=count, limit=limit)


@lru_cache(maxsize=512)
def meter(count: int, limit: int, side: Seat, pitch: Pitch, say: Say) -> Part:
    x, y = at = _middle(pitch, side)
    colour = "spark" if limit - count <= URGENT_TURNS else "ink-2"
    ring = f'r="{METER_RADIUS}" fill="none" pathLength="{limit}" transform="rotate(-90)"'
    markup = (
        '<circle r="13" fill="var(--card)" opacity=".94"/>'
        f'<circle {ring} stroke="var(--line)" stroke-width="3.6"/>'
        f'<circle {ring} stroke="var(--{colour})" stroke-width="3.6"'
        f' stroke-dasharray="{count} {limit}"/>'
        f'<circle {ring} stroke="var(--card)" stroke-width="4" stroke-dasharray=".14 .86"/>'
        f'<text y="3.9" text-anchor="middle" font-size="11" font-weight="800" fill="var(--ink)">'
        f"{count}</text>"
    )
    inside = Part(
        markup,
        fills=(Fill(Box(-13, -13, 26, 26), "card"),),
        writings=(writing(str(count), 0, 3.9, "ink", "middle"),),
    )
    said = escape(say(hold_message(count, limit)))
    look = f'role="img" aria-label="{said}" transform="translate({x:g} {y:g})" {FONT}'
    return group(f'class="meter" {look}', inside, at=at)


def _middle(pitch: Pitch, side: Seat) -> Point:
    """In a corner lying, before the hand upright."""
    box = pitch.box(IN_GOAL[side], IN_GOAL[side])
    if pitch.is_tall:
        return box.right - 134, box.y + box.height / 2
    return box.x + box.width / 2, box.y + box.height - 20
