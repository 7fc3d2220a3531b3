"""The face that every game's kernel has: a match as numbers, for programs that play many.

A state is a numpy record that the caller owns, changed in place; the options are one, too.
An action is a number below `actions`, with the same meaning in every position as far as
that is possible, seen from the side of who acts. What is not between this world and that of the
rules is compiled, and allocates nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.jit import Numbers

CHANCE, OVER = -1, -2
"""Of `actor`: chance is next, or nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    name: str
    """With its version: numbers and observations keep their meaning in one."""
    state: np.dtype[Any]
    options: np.dtype[Any]
    seats: int
    actions: int
    planes: tuple[int, int, int]
    """The shape of the board in an observation, in bytes."""
    numbers: int
    """The number of floats beside it."""

    start: Callable[[Any, Any], None]
    """(options, p): the first state."""
    actor: Callable[[Any, Any], int]
    """(options, p): a seat, CHANCE or OVER; of several seats the lowest."""
    legal: Callable[[Any, Any, int, Numbers], int]
    """(options, p, seat, words): sets the bits of what the seat may do, 64 a word, and counts."""
    legal_turn: Callable[[Any, Any, Numbers], tuple[int, int]]
    """(options, p, words): the actor, and the number of what it may do, whose bits are set: both
    answers at once."""
    act: Callable[[Any, Any, int, int], None]
    """(options, p, seat, number): does what is legal."""
    chance: Callable[[Any, Any, int], int]
    """(options, p, die): one event by its odds; returns the die after it."""
    pick: Callable[[Any, Any, int], tuple[int, int]]
    """(options, p, die): a legal number of the actor at random, and the die after it."""
    payoffs: Callable[[Any, Any, Numbers], bool]
    """(options, p, out): fills in what everybody gets, if the match is over."""
    observe: Callable[[Any, Any, int, Numbers, Numbers], None]
    """(options, p, seat, planes, numbers): only what that seat may know, seen from its side."""

    copy: Callable[[Any, Any], None]
    """(source, target)."""
    playout: Callable[[Any, Any, int, int, Numbers], tuple[int, int]]
    """(options, p, die, most, payoffs): plays on at random, so many actions at most; returns how
    many, and the die after them."""

    option_codes: Callable[[Mapping[str, Any]], Any]
    """The record of a game's options."""
    pack: Callable[[Any, Any], None]
    """(state, p): of the rules into numbers."""
    unpack: Callable[[Any], Any]
    number_of: Callable[[Any, int, str], int]
    """(p, seat, text): the number of an action as the notation spells it."""
    text_of: Callable[[Any, int, int], str]
    """(p, seat, number)."""

    @property
    def words(self) -> int:
        """The 64-bit words of a set of actions."""
        return -(-self.actions // 64)

    def blank(self) -> Any:
        """Room for one state."""
        return self.pool(1)[0]

    def pool(self, size: int) -> Any:
        """Room for so many states, side by side."""
        return np.zeros(size, self.state).view(np.recarray)

    def new_words(self) -> Numbers:
        return np.zeros(self.words, np.uint64)

    def new_observation(self) -> tuple[Numbers, Numbers]:
        return np.zeros(self.planes, np.uint8), np.zeros(self.numbers, np.float32)
