"""Both hands, and who has moved this turn: in the strip below a lying field.

Upright there is no strip: the hands are in the in-goals, and what a mover has left is on him.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape

from kibitz.core.drawing import FONT, Part, group, join_parts, text_part
from kibitz.core.game import Seat, Viewer
from kibitz.core.message import Say, message
from kibitz.games.kahmate.board import IN_GOAL
from kibitz.games.kahmate.messages import letter_message
from kibitz.games.kahmate.state import CARDS, POINTS, SEATS, Hand, Man
from kibitz.games.kahmate.ui.duel_panel import shorten_text
from kibitz.games.kahmate.ui.field import Pitch
from kibitz.games.kahmate.ui.pieces import man, pips, plate, row_of_cards

STRIP_CARD_GAP = 4
"""Between the cards of a hand in the strip."""


@lru_cache(maxsize=512)
def hand(cards: Hand, side: Seat, viewer: Viewer, pitch: Pitch, prefix: str, say: Say) -> Part:
    said = escape(say(message("kahmate.draw-hand", seat=side, cards=", ".join(map(str, cards)))))
    if pitch.is_tall:
        drawn = _small_hand(cards, side, pitch)
    else:
        drawn = _strip_hand(cards, side, viewer, pitch, say)
    return group(f'id="{prefix}hand-{side}" role="img" aria-label="{said}" {FONT}', drawn)


def _small_hand(cards: Hand, side: Seat, pitch: Pitch) -> Part:
    """At the right end of the own in-goal."""
    _, y, width, height = pitch.box(IN_GOAL[side], IN_GOAL[side])
    back = f'<rect x="{width - 117:g}" y="{y + height / 2 - 12.5:g}" width="114" height="25" rx="8"'
    drawn = row_of_cards(cards, width - 112, y + (height - 21) / 2, 15, 21, 2.8)
    return join_parts(f'{back} fill="var(--card)" opacity=".92"/>', drawn)


def _strip_hand(cards: Hand, side: Seat, viewer: Viewer, pitch: Pitch, say: Say) -> Part:
    """Red's at the left, Blue's at the right; larger for whoever has it."""
    width, height = _card_size(viewer, side)
    at, anchor = (pitch.strip.x + 14, "start") if side == "R" else (pitch.strip.right - 14, "end")
    id = "your-cards" if side == viewer else "cards"
    text = shorten_text(say(message(f"kahmate.draw-{id}", seat=side)), 176, 11)
    left = at if side == "R" else at - _hand_width(viewer, side)
    top = pitch.strip.y + pitch.strip.height - 7 - height
    drawn = row_of_cards(cards, left, top, width, height, STRIP_CARD_GAP)
    return join_parts(_heading(at, pitch.strip.y + 15, text, f"{side}-deep", anchor), drawn)


def _card_size(viewer: Viewer, side: Seat) -> tuple[int, int]:
    if viewer not in SEATS:
        return 25, 34
    return (28, 38) if side == viewer else (22, 30)


def _hand_width(viewer: Viewer, side: Seat) -> int:
    return len(CARDS) * (_card_size(viewer, side)[0] + STRIP_CARD_GAP) - STRIP_CARD_GAP


def _heading(x: float, y: float, text: str, ink: str, anchor: str = "start") -> Part:
    look = f' text-anchor="{anchor}" font-size="10" font-weight="700" letter-spacing=".6"'
    return text_part(text.upper(), x, y, f'{look} fill="var(--{ink})"', ink, anchor)


@lru_cache(maxsize=512)
def movers(
    men: tuple[tuple[Man, int], ...],
    turn: Seat,
    viewer: Viewer,
    pitch: Pitch,
    prefix: str,
    say: Say,
) -> Part:
    """Between the hands: who has moved this turn and what he has left, and who may yet."""
    strip, made = pitch.strip, list[Part | str]()
    x = start = strip.x + 14 + _hand_width(viewer, "R") + 16
    y = strip.y + strip.height / 2 + 8
    for who, points in men:
        place = f'transform="translate({x + 16:g} {y:g}) scale(.667)"'
        drawn = man(who, say(letter_message(who)), prefix)
        made.append(group(place, drawn, at=(x + 16, y), scale=0.667))
        made.append(pips(x + 37, y, points, POINTS[who.kind]))
        x += 37 + 12.5 * POINTS[who.kind] + 8
    free = 2 - len(men)
    for _ in range(free):
        dashes = 'fill="none" stroke="var(--line-2)" stroke-width="1.6" stroke-dasharray="4 3.2"'
        made.append(f'<g transform="translate({x + 16:g} {y:g})">{plate(turn, dashes, 30)}</g>')
        x += 35
    if free:
        room = strip.right - 14 - _hand_width(viewer, "B") - 8 - x
        text = shorten_text(say(message("kahmate.draw-free", n=free)), room, 11)
        look = ' font-size="11.5" fill="var(--ink-2)"'
        made.append(text_part(text, x + 3, y + 4, look, "ink-2"))
    heading = _heading(start, strip.y + 15, say(message("kahmate.draw-movers")), "ink-2")
    return group(FONT, heading, *made)
