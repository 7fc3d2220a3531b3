"""The state of a duel, and what it looks like from a place at the table."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.core.game import Seat, Viewer

SEATS = ("A", "B")
CARDS = (1, 2, 3)
FACE_DOWN = 0


@dataclass(frozen=True, slots=True)
class State:
    """Everything that is true of a duel, hidden or not. Pairs are in the order of SEATS."""

    steps: tuple[int, int] = (0, 0)
    hands: tuple[tuple[int, ...], tuple[int, ...]] = (CARDS, CARDS)
    down: int | None = None
    """The card A has face down; it stays in the hand until it is shown."""
    runner: Seat | None = None
    winds: tuple[bool, bool] = (True, True)
    """Who still has a second wind."""
    drawn: bool = False
    """By agreement; kept beside the position."""


@dataclass(frozen=True, slots=True)
class View:
    """A duel as one viewer sees it: `down` may be FACE_DOWN, `early` is the viewer's own."""

    viewer: Viewer
    steps: tuple[int, int]
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    down: int | None
    early: int | None
    runner: Seat | None
    winds: tuple[bool, bool]
    drawn: bool
