"""Drawings of Kahmaté's things: men, ball, cards and signs, each around its own middle.

A man stands in a box of 48 units, on a round plate if he is Red and on a square one if he is
Blue; his kind is the silhouette of his head and shoulders. Men and ball are defined once in a
drawing and used from there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from kibitz.core.drawing import (
    FONT,
    Box,
    Figure,
    Fill,
    Part,
    filled_box,
    group,
    join_parts,
    text_part,
    writing,
)
from kibitz.core.game import Seat
from kibitz.games.kahmate.state import CARDS, POINTS, SEATS, Hand, Man

DARK = "#1B1328"


class _Bust(NamedTuple):
    body: str
    head: str
    face: str
    extra: str = ""


def _eyes(left: float, right: float, y: float, radius: float = 1.3) -> str:
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{DARK}" stroke="none"/>'
        for x in (left, right)
    )


_BUSTS = {
    "S": _Bust(
        "M2 48C1 33 6 27.5 15 26.5L33 26.5C42 27.5 47 33 46 48Z",
        '<rect x="17.5" y="8.5" width="13" height="16.5" rx="5.5"/>',
        f"{_eyes(21.3, 26.7, 15.8)}"
        '<path d="M17.5 13.5V11.5C17.5 7 20 5.8 24 5.8S30.5 7 30.5 11.5V13.5Z" fill="#3A2A22"'
        ' stroke="none"/><path d="M19.8 20.6C21 18.9 23 18.9 24 20.2C25 18.9 27 18.9 28.2 20.6"'
        ' fill="none" stroke="#3A2A22" stroke-width="2.3"/>',
        '<path d="M8 34.5C10.5 36.5 11 40 10 44M40 34.5C37.5 36.5 37 40 38 44" fill="none"'
        f' stroke="{DARK}" stroke-width="1.6" opacity=".55"/>',
    ),
    "T": _Bust(
        "M6.5 48C6.5 35 12 29.5 24 29.5S41.5 35 41.5 48Z",
        '<circle cx="24" cy="17.5" r="8.8"/>',
        f'{_eyes(21, 27, 19)}<path d="M21.5 23H26.5" stroke-width="1.6"/>'
        '<path d="M13.5 19.5C12.7 10.5 17 6.5 24 6.5S35.3 10.5 34.5 19.5C34.3 22 32.3 22.4 31.8'
        ' 20.2L31.2 15.5H16.8L16.2 20.2C15.7 22.4 13.7 22 13.5 19.5Z" fill="#3A2A22"'
        ' stroke-width="1.6"/>'
        '<path d="M19 7.8V15.3M24 6.8V15.3M29 7.8V15.3" stroke="#F3DDB4" stroke-width="1.5"/>',
    ),
    "F": _Bust(
        "M9 48C10.5 37 17 31.5 26 30.5C34 31.5 38.5 38 39 48Z",
        '<circle cx="28" cy="19" r="7.8"/>',
        f"{_eyes(28.5, 33, 19)}"
        '<path d="M29 22.8C30.5 23.8 32 23.6 33 22.6" fill="none" stroke-width="1.5"/>'
        '<path d="M33.5 13C31 9.3 24 8.5 20.5 12L10 9.5L15.5 14L8.5 16.5L19.5 19.8C21.5 17.8 22.5'
        ' 15.5 33.5 13Z" fill="#F08A24" stroke-width="1.5"/>',
        f'<path d="M2.5 27H10M4.5 33H9.5" stroke="{DARK}" stroke-width="1.9" opacity=".55"/>',
    ),
    "C": _Bust(
        "M11.5 48C11.5 37.5 16.5 31 24 31S36.5 37.5 36.5 48Z",
        '<circle cx="24" cy="18" r="8.8"/>',
        '<path d="M15.5 14.5C16.5 8.5 22 7.5 23 4.5C24.5 8 31.5 8.5 32.5 14.5C28 12.3 20 12.3 15.5'
        ' 14.5Z" fill="#3A2A22" stroke="none"/>'
        '<circle cx="19.7" cy="18.6" r="4.2" fill="#fff" stroke-width="1.9"/>'
        '<circle cx="28.3" cy="18.6" r="4.2" fill="#fff" stroke-width="1.9"/>'
        f"{_eyes(20.6, 29.2, 18.8, 1.4)}",
    ),
    "O": _Bust(
        "M9 48C9 36.5 14.5 30.5 24 30.5S39 36.5 39 48Z",
        '<circle cx="24" cy="18.5" r="8.2"/>',
        f"{_eyes(21.2, 26.8, 19)}"
        '<path d="M21.8 22.6C23 23.7 25 23.7 26.2 22.6" fill="none" stroke-width="1.5"/>'
        '<path d="M16 17C15.5 11 19.5 9.3 24 9.3S32.5 11 32 17C28 13.8 20 13.8 16 17Z"'
        ' fill="#A9773B" stroke="none"/>',
    ),
}


_PLATES = {"R": Box(-22, -22, 44, 44), "B": Box(-21.5, -21.5, 43, 43)}
"""Round for Red, square for Blue."""


def plate(side: Seat, look: str, size: float = 48) -> str:
    """Round or square, in a box of this size around 0, 0."""
    scale = size / 48
    box = Box(*(scale * each for each in _PLATES[side]))
    if side == "R":
        return f'<circle r="{box.right:g}" {look}/>'
    return f'<rect {box} rx="{9 * scale:g}" {look}/>'


def _bust(side: Seat, kind: str, body: str = "") -> str:
    bust = _BUSTS[kind]
    # Blue's Fast runs the other way.
    turned = ' transform="translate(48 0) scale(-1 1)"' if (side, kind) == ("B", "F") else ""
    return (
        f'<g{turned}><path d="{body or bust.body}" fill="var(--{side})" stroke="{DARK}"'
        f' stroke-width="1.8"/>{bust.extra}<g fill="var(--wood)" stroke="{DARK}" stroke-width="1.8"'
        f' stroke-linecap="round" stroke-linejoin="round">{bust.head}{bust.face}</g></g>'
    )


def _standing_man(side: Seat, bust: str, clip: str = "") -> str:
    shadow = plate(side, 'transform="translate(0 2.2)" fill="#000" opacity=".3"')
    ground = plate(side, f'fill="var(--plate)" stroke="{DARK}" stroke-width="1.5"')
    rim = plate(side, f'fill="none" stroke="var(--{side})" stroke-width="3.4"')
    edge = plate(side, f'fill="none" stroke="{DARK}" stroke-width="1.2"', 50.6)
    return f'{shadow}{ground}<g{clip}><g transform="translate(-24 -24)">{bust}</g></g>{rim}{edge}'


def _lying_man(side: Seat, bust: str, clip: str) -> str:
    """Down: on a grey plate with a dashed rim, on his back, crossed out."""
    shadow = plate(side, 'transform="translate(0 2.2)" fill="#000" opacity=".3"')
    ground = plate(side, f'fill="var(--plate-2)" stroke="{DARK}" stroke-width="1.5"')
    rim = plate(side, f'fill="none" stroke="{DARK}" stroke-width="3.4"')
    dashes = f'fill="none" stroke="var(--{side})" stroke-width="3.4" stroke-dasharray="6 5"'
    turn, x = (-90, -6.5) if side == "R" else (90, 6.5)
    cross = "M-4.5-4.5L4.5 4.5M4.5-4.5L-4.5 4.5"
    return (
        f"{shadow}{ground}<g{clip}>"
        f'<g transform="rotate({turn}) translate(-24 -25)" opacity=".8">{bust}</g></g>'
        f'{rim}{plate(side, dashes)}<g transform="translate({x} 0)" stroke-linecap="round">'
        f'<path d="{cross}" stroke="#fff" stroke-width="6"/>'
        f'<path d="{cross}" stroke="{DARK}" stroke-width="3"/></g>'
    )


_BALL = (
    '<ellipse cy="3" rx="12" ry="7" fill="#000" opacity=".3"/>'
    f'<ellipse rx="12.5" ry="8" fill="var(--plate)" stroke="{DARK}" stroke-width="2"/>'
    '<path d="M-8.5-5.6C-6-2-6 2-8.5 5.6M8.5-5.6C6-2 6 2 8.5 5.6" stroke="#F08A24"'
    ' stroke-width="2.8" fill="none"/>'
    f'<path d="M-3.6 0H3.6M-1.8-1.8V1.8M1.8-1.8V1.8" stroke="{DARK}" stroke-width="1.3"/>'
)
_EYES = (
    '<g fill="#FFF8E8"><ellipse cx="-7" rx="6" ry="7.4"/><ellipse cx="6.6" rx="6" ry="7.4"/></g>'
    '<g fill="#251B35"><circle cx="-4.8" cy="2" r="3.5"/><circle cx="8.8" cy="2" r="3.5"/></g>'
    '<g fill="#fff"><circle cx="-3.6" cy=".6" r="1.2"/><circle cx="10" cy=".6" r="1.2"/></g>'
    '<path d="M1.4-10.6C4-12.6 8-12.7 10.4-10.8" fill="none" stroke="#F08A24" stroke-width="3"'
    ' stroke-linecap="round"/>'
)
"""The kibitzer's own, on the backs of cards."""


def definitions(prefix: str) -> str:
    """The definitions that a drawing uses: man-RS and so on, down-RS, ball, eyes."""
    clips = "".join(
        f'<clipPath id="{prefix}clip-{side}">{plate(side, "")}</clipPath>' for side in SEATS
    )
    men = "".join(
        f'<g id="{prefix}man-{side}{kind}">{_standing_man(side, _bust(side, kind), clip)}</g>'
        f'<g id="{prefix}down-{side}{kind}">{_lying_man(side, _bust(side, kind), clip)}</g>'
        for side, clip in ((side, f' clip-path="url(#{prefix}clip-{side})"') for side in SEATS)
        for kind in _BUSTS
    )
    return f'{clips}{men}<g id="{prefix}ball">{_BALL}</g><g id="{prefix}eyes">{_EYES}</g>'


def portrait(side: Seat) -> str:
    """A man who stands for his side, without letter and ids: the same in every language, and for
    pictures that may be there twice."""
    kind, body = {
        "R": (
            "F",
            "M10.6 41.4C12.6 36 18 31.5 26 30.5C33 31.4 37 36.5 38 41A22 22 0 0 1 10.6 41.4Z",
        ),
        "B": (
            "S",
            "M2.8 37.5C4 30.5 8 27.2 15 26.5H33C40 27.2 44 30.5 45.2 37.5A9 9 0 0 1 36.5 45.5H11.5"
            "A9 9 0 0 1 2.8 37.5Z",
        ),
    }[side]
    return _standing_man(side, _bust(side, kind, body))


def figure(who: Man, letter: str, is_mover: bool = False) -> Figure:
    """A man in short."""
    ground, middle = "plate-2" if who.down else "plate", "mark" if is_mover else who.side
    return Figure(who.side == "R", ground, who.side if who.down else middle, letter)


@lru_cache(maxsize=1 << 10)
def man(who: Man, letter: str, prefix: str, points: int | None = None) -> Part:
    """In a box of 48 units; with the points he has left, if he is a mover."""
    left, ground = -1 if who.side == "R" else 1, Fill(_PLATES[who.side], figure(who, letter).colour)
    if who.down:
        x = -16 * left
        badge = f'<circle r="9" fill="{DARK}" stroke="#fff" stroke-width="1.6"/>'
        return join_parts(
            Part(f'<use href="#{prefix}down-{who.side}{who.kind}"/>', fills=(ground,)),
            _letter(letter, -13 * left, 5),
            group(f'transform="translate({x} -16)"', badge, _number(who.down, 12.5), at=(x, -16)),
        )
    middle = -1 if (who.side, who.kind) == ("B", "F") else 0.5
    return join_parts(
        Part(f'<use href="#{prefix}man-{who.side}{who.kind}"/>', fills=(ground,)),
        _letter(letter, middle, 19.5),
        "" if points is None else _rim_pips(points, POINTS[who.kind]),
    )


def _letter(letter: str, x: float, y: float) -> Part:
    look = (
        f' {FONT} text-anchor="middle" font-size="12.5" font-weight="800" fill="#fff"'
        f' paint-order="stroke" stroke="{DARK}" stroke-width="2.6" stroke-linejoin="round"'
    )
    return text_part(letter, x, y, look, anchor="middle")


def _number(number: int, size: float) -> Part:
    y = size * 0.36
    markup = (
        f'<text y="{y:g}" {FONT} text-anchor="middle" font-size="{size:g}"'
        f' font-weight="800" fill="#fff">{number}</text>'
    )
    return Part(markup, writings=(writing(str(number), 0, y, anchor="middle"),))


def _rim_pips(left: int, whole: int) -> str:
    """A small column at the left of the plate, filled from below."""
    height = whole * 7.6 + 2.4
    dots = "".join(_pip(-19, height / 2 - 5 - 7.6 * i + 1, 2.7, i < left) for i in range(whole))
    return (
        f'<g class="points"><rect x="-24" y="{1 - height / 2:g}" width="10" height="{height:g}"'
        f' rx="5" fill="var(--mark-halo)" stroke="var(--mark)" stroke-width="1.2"/>{dots}</g>'
    )


def _pip(x: float, y: float, radius: float, is_full: bool) -> str:
    fill = "var(--mark)" if is_full else "none"
    look = f'fill="{fill}" stroke="var(--mark)" stroke-width="1.1"'
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {look}/>'


def pips(x: float, y: float, left: int, whole: int) -> str:
    """Points in a row that begins here: those left, those spent."""
    dots = (
        f'<circle cx="{x + 5 + 12.5 * i:g}" cy="{y:g}" r="{4.5 if i < left else 3.7}" '
        + (
            'fill="var(--accent)"/>'
            if i < left
            else 'fill="none" stroke="var(--line-2)" stroke-width="1.6"/>'
        )
        for i in range(whole)
    )
    return "".join(dots)


# Cards


@lru_cache(maxsize=1 << 10)
def card(x: float, y: float, width: float, height: float, number: int, look: str = "held") -> Part:
    """A fitness card by its middle: held, up (chosen), spent, or an empty place for one."""
    size, edge = height * (0.44 if height > 32 else 0.51), 1 + width / 46
    area, corners = Box(x - width / 2, y - height / 2, width, height), f' rx="{width * 0.22:.3g}"'
    box = f"{area}{corners}"
    if look == "empty":
        return Part(f'<rect {box} fill="var(--sunk)" stroke="var(--line-2)" {_dashes(edge)}/>')
    ink, weight = ("ink-3", 600) if look == "spent" else ("outline", 800)
    letters = f' text-anchor="middle" font-size="{size:.3g}" font-weight="{weight}"'
    letters = f'{letters} fill="var(--{ink})"'
    text = text_part(str(number), x, y + size * 0.36, letters, ink, "middle")
    if look == "spent":
        empty = f'<rect {box} fill="none" stroke="var(--line-2)" {_dashes(edge)}/>'
        return join_parts(empty, text)
    shadow = f'<rect {box} transform="translate(0 {edge:g})" fill="#000" opacity=".25"/>'
    if look == "up":
        shadow += f'<rect {box} fill="none" stroke="var(--accent)" stroke-width="{edge + 7:g}"/>'
    rim = f' stroke="var(--outline)" stroke-width="{edge:.3g}"'
    return join_parts(shadow, filled_box(area, "plate", corners, rim), text)


def _dashes(width: float) -> str:
    return f'stroke-width="{width:.3g}" stroke-dasharray="{width * 2.2:.3g} {width * 1.6:.3g}"'


def card_back(x: float, y: float, width: float, height: float, prefix: str) -> Part:
    """Nothing about it tells which card it is."""
    box = Box(x - width / 2, y - height / 2, width, height)
    return Part(
        f'<rect {box} rx="{width * 0.22:.3g}" fill="#5A3AC2" stroke="var(--ink)" stroke-width="2"/>'
        f'<use href="#{prefix}eyes" transform="translate({x:g} {y:g}) scale({width / 46:.3g})"/>'
    )


@lru_cache(maxsize=1 << 10)
def row_of_cards(hand: Hand, x: float, y: float, width: float, height: float, gap: float) -> Part:
    """All six from the left, those that are spent dashed."""
    return join_parts(
        *(
            card(
                x + width / 2 + i * (width + gap),
                y + height / 2,
                width,
                height,
                each,
                "held" if each in hand else "spent",
            )
            for i, each in enumerate(CARDS)
        )
    )


# Signs

ICONS = {
    "T": "M3 12h7M21 12h-7M8 8l3 4-3 4M16 8l-3 4 3 4",
    "F": "M3 12h12M11 6l6 6-6 6M21 4v16",
    "I": "M20 18C18 9 12 6 5 7M10 3L4.5 7 10 12",
    "lock": "M7.5 11h9A2.5 2.5 0 0 1 19 13.5v4A2.5 2.5 0 0 1 16.5 20h-9A2.5 2.5 0 0 1 5 17.5v-4"
    "A2.5 2.5 0 0 1 7.5 11ZM8 11V8a4 4 0 0 1 8 0v3",
}
"""Tackle, force, interception and what is decided in secret, in a box of 24."""


def icon(name: str, x: float, y: float, size: float, colour: str) -> str:
    return (
        f'<path d="{ICONS[name]}" transform="translate({x - size / 2:g} {y - size / 2:g})'
        f' scale({size / 24:.3g})" fill="none" stroke="var(--{colour})" stroke-width="2.4"'
        ' stroke-linecap="round" stroke-linejoin="round"/>'
    )


def warning(x: float, y: float) -> str:
    """A triangle on somebody who could jump in."""
    return (
        f'<g transform="translate({x:g} {y:g})" stroke="var(--mark-halo)">'
        '<path d="M0-10L10.5 8.5H-10.5Z" fill="var(--warn)" stroke-width="2"'
        ' stroke-linejoin="round"/>'
        '<path d="M0-3.5V2.5M0 5.6V5.7" stroke-width="2.4" stroke-linecap="round"/></g>'
    )
