"""Drawings of AS-Kimble's things: pegs, badges, the die and small signs, each around 0, 0.

Teams are told by shape as well as by colour: heart, drop, star, clover. A peg is drawn once in a
drawing, with radius 10, and used from there; the rim and the line around it keep its silhouette
clear on any ground, and in grey.
"""

from __future__ import annotations

from functools import lru_cache

from kibitz.core.drawing import FONT
from kibitz.core.game import Seat

DARK = "#1B1328"
TIMES = "\N{MULTIPLICATION SIGN}"
SHAPES = {
    "R": "M0 9.6C-6.5 4.6-10.2 1-10.2-3.4A5.4 5.4 0 0 1 0-5.6A5.4 5.4 0 0 1 10.2-3.4"
    "C10.2 1 6.5 4.6 0 9.6Z",
    "B": "M0-11C4.5-5.5 8.4-1.6 8.4 2.6A8.4 8.4 0 0 1-8.4 2.6C-8.4-1.6-4.5-5.5 0-11Z",
    "Y": "M0-10.8L3.3-4.1 10.6-3.1 5.3 2 6.6 9.3 0 5.8-6.6 9.3-5.3 2-10.6-3.1-3.3-4.1Z",
    "G": "M-3.3-2.6A4.9 4.9 0 1 1 3.3-2.6A4.9 4.9 0 1 1 2 4.6L3.8 10.2H-3.8L-2 4.6"
    "A4.9 4.9 0 1 1-3.3-2.6Z",
}
SHINE = {
    "R": "M-6.6-4.4A3 3 0 0 1-3.6-6",
    "B": "M-4.6 3.6A5 5 0 0 1-3-1.6",
    "Y": "M-1.6-3.8L0-7",
    "G": "M-2.4-6.8A3 3 0 0 1 .4-8",
}
LIFT = 3
"""The lift of each further piece of a multiplied one."""
SIGNS = {
    "up": "M0 6.5V-5.5M-5-.8L0-6L5-.8",
    "back": "M5.5-6V-.5A3.5 3.5 0 0 1 2 3H-5.5M-2-.8L-5.8 3L-2 6.8",
    "tick": "M-5.6.6L-1.8 4.6L5.8-4.4",
    "ask": "M-3.4-3.4A3.5 3.5 0 1 1 1.6-.2C.3.6 0 1.3 0 2.4M0 6V6.2",
    "call": "M0-6.4V1.4M0 5.6V5.8",
    "crown": "M-7 5.5V-4.5L-3.2-.3L0-6.5L3.2-.3L7-4.5V5.5Z",
    "flag": "M-4.5 7V-6.5H5L2.6-3L5 .5H-4.5",
    "step": "M-6 0H5M1-4.5L5.8 0L1 4.5",
    "dot": "M0-3.2A3.2 3.2 0 0 1 0 3.2A3.2 3.2 0 0 1 0-3.2Z",
}
"""In a box of radius 8, as lines."""
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_TILT = {1: -9, 2: 14, 3: 9, 4: -17, 5: -6, 6: -14}
"""The poses of a die at rest, by its face."""


def definitions(prefix: str) -> str:
    """The pegs of all teams, standing and laid on their side, a token of the book, and the glass
    of the dome."""
    pegs = "".join(
        f'<g id="{prefix}top-{team}" stroke-linejoin="round">'
        f'<path d="{shape}" fill="{DARK}" stroke="{DARK}" stroke-width="4.6"/>'
        f'<path d="{shape}" fill="var(--{team})" stroke="var(--plate)" stroke-width="2.2"/>'
        f'<path d="{SHINE[team]}" fill="none" stroke="#fff" stroke-width="1.8"'
        ' stroke-linecap="round" opacity=".8"/></g>'
        f'<g id="{prefix}peg-{team}"><circle cy="26.3" r="8.6" transform="scale(1 .35)"'
        f' fill="#000" opacity=".28"/><use href="#{prefix}top-{team}"/></g>'
        f'<path id="{prefix}laid-{team}" d="{shape}" transform="rotate(-90) scale(.8)"'
        f' fill="var(--{team})" stroke="{DARK}" stroke-width="2" stroke-linejoin="round"/>'
        for team, shape in SHAPES.items()
    )
    return (
        f'{pegs}<rect id="{prefix}token" width="8.6" height="8.6" rx="3" stroke-width="1.3"/>'
        f'<radialGradient id="{prefix}glass" cx=".38" cy=".3" r=".8">'
        '<stop offset="0" stop-color="#fff" stop-opacity=".75"/>'
        '<stop offset=".35" stop-color="#fff" stop-opacity=".16"/>'
        '<stop offset="1" stop-color="#fff" stop-opacity=".04"/></radialGradient>'
    )


@lru_cache(maxsize=256)
def peg(prefix: str, team: Seat, radius: float, size: int = 1, is_mine: bool = False) -> str:
    """A piece: as many silhouettes as it contains, with their number; a star-burst on a mine."""
    stack = "".join(f'<use href="#{prefix}top-{team}" y="{-LIFT * i}"/>' for i in range(1, size))
    drawn = f'<g transform="scale({radius / 10:g})"><use href="#{prefix}peg-{team}"/>{stack}</g>'
    if size > 1:
        drawn += _count(size, radius * (0.42 if is_mine else 0.34), radius * 0.52)
    return drawn + (_burst(-radius * 0.8, radius * 0.62) if is_mine else "")


def _count(size: int, x: float, y: float) -> str:
    """Low on the piece and near its middle, as a mine's sign is: a ring around leaves them free."""
    return (
        f'<g transform="translate({x:.1f} {y:.1f})"><rect x="-10.5" y="-8.3" width="21"'
        f' height="16.6" rx="8.3" fill="#fff" stroke="{DARK}" stroke-width="1.8"/>'
        f'<text y="4.6" text-anchor="middle" {FONT} font-size="12.5" font-weight="800"'
        f' fill="{DARK}">{TIMES}{size}</text></g>'
    )


def _burst(x: float, y: float) -> str:
    rays = "M0-5.2V5.2M-5.2 0H5.2M-3.6-3.6L3.6 3.6M3.6-3.6L-3.6 3.6"
    return (
        f'<g transform="translate({x:.1f} {y:.1f})"><circle r="8.5" fill="{DARK}" stroke="#fff"'
        f' stroke-width="1.8"/><path d="{rays}" stroke="#FFB27A" stroke-width="1.9"'
        ' stroke-linecap="round"/></g>'
    )


@lru_cache(maxsize=256)
def emblem(team: Seat, x: float, y: float, radius: float) -> str:
    """The silhouette on a card."""
    return (
        f'<path d="{SHAPES[team]}" transform="translate({x:g} {y:g}) scale({radius / 10:g})"'
        f' fill="var(--{team})" stroke="var(--outline)" stroke-width="1.6"'
        ' stroke-linejoin="round"/>'
    )


@lru_cache(maxsize=256)
def outline(team: Seat, x: float, y: float, radius: float) -> str:
    """The silhouette on felt, of a team that has not done something yet."""
    return (
        f'<path d="{SHAPES[team]}" transform="translate({x:g} {y:g}) scale({radius / 10:g})"'
        ' fill="var(--hole)" stroke="var(--felt-ink)" stroke-width="2.2"'
        ' stroke-linejoin="round"/>'
    )


@lru_cache(maxsize=256)
def die(face: int | None, x: float, y: float, size: float, turn: float | None = None) -> str:
    """Empty where nobody knows its face."""
    tilt = (_TILT[face] if face else 0) if turn is None else turn
    pips = "".join(
        f'<circle cx="{across * size * 0.26:.3g}" cy="{down * size * 0.26:.3g}"'
        f' r="{size * 0.092:.3g}" fill="var(--outline)"/>'
        for across, down in (_PIPS[face] if face else ())
    )
    return (
        f'<g transform="translate({x:g} {y:g}) rotate({tilt:g})"><rect x="{-size / 2:g}"'
        f' y="{-size / 2:g}" width="{size:g}" height="{size:g}" rx="{size * 0.22:.3g}"'
        f' fill="var(--plate)" stroke="{DARK}" stroke-width="{size * 0.05:.3g}"/>{pips}</g>'
    )


@lru_cache(maxsize=256)
def sign(name: str, x: float, y: float, radius: float, ink: str, width: float = 2.6) -> str:
    fill = f"var(--{ink})" if name in ("crown", "dot") else "none"
    return (
        f'<path d="{SIGNS[name]}" transform="translate({x:g} {y:g}) scale({radius / 8:.3g})"'
        f' fill="{fill}" stroke="var(--{ink})" stroke-width="{width:g}" stroke-linecap="round"'
        ' stroke-linejoin="round"/>'
    )
