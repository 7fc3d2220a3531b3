"""The state of a Kalamala match. The game is open: what everybody sees is all there is."""

from __future__ import annotations

from typing import TypeAlias

from rpds import HashTrieMap

from kibitz.core.game import Seat
from kibitz.core.values import FrozenValue

SEATS = ("A", "B")
PIECES = 8
RESERVE = 4

Stones: TypeAlias = tuple[int, int]
"""The squares held by A and by B, one bit a square (board.py)."""
Past: TypeAlias = "HashTrieMap[Stones, tuple[int, ...]]"
"""Earlier boards, each with the turns on which it stood."""

NO_PAST: Past = HashTrieMap()


class End(FrozenValue, frozen=True):
    """The end of a match by an event; it is kept beside the position (7.4)."""

    result: str
    reason: str


class State(FrozenValue, frozen=True):
    """Pairs are in the order of SEATS."""

    stones: Stones
    side: Seat
    """The side to act."""
    reserve: tuple[int, int]
    turn: int
    past: Past = NO_PAST
    """Boards that the repetition rule still needs. All of them had today's reserves and losses."""
    end: End | None = None

    @property
    def dead(self) -> tuple[int, int]:
        """Every side always has eight pieces: on the board, in reserve, or dead (1)."""
        a, b = self.stones
        in_reserve = self.reserve
        return (PIECES - a.bit_count() - in_reserve[0], PIECES - b.bit_count() - in_reserve[1])


def remember_board(past: Past, stones: Stones, turn: int, repetition: str) -> Past:
    """The past with one more board, as far as the repetition option needs it (7.1)."""
    if repetition == "none":
        return NO_PAST
    if repetition == "ko":
        past = NO_PAST
    return past.insert(stones, (*past.get(stones, ()), turn))


def barring_turns(past: Past, stones: Stones, turn: int, repetition: str) -> tuple[int, ...]:
    """The earlier turns on which this board stood and which keep it from standing on this one.

    Sides act by turns, so the same side was to act on every second one (5).
    """
    turns = past.get(stones, ())
    if repetition == "superko-situational":
        return tuple(each for each in turns if (turn - each) % 2 == 0)
    return turns


def other_side(side: Seat) -> Seat:
    return "B" if side == "A" else "A"
