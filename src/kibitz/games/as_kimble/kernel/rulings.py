"""Breaks and the reset pop (12): rules/events.py again, as far as its actions are listed."""

from __future__ import annotations

from kibitz.core.jit import jit
from kibitz.games.as_kimble.kernel.encoding import Packed

# 12.2  On a real board


@jit
def reset_die(p: Packed, face: int) -> None:
    p.face = face
    if face == p.wanted_face:
        p.wanted_face = 0


# 12.3  Break


@jit
def take_break(p: Packed) -> None:
    p.is_break = 1


@jit
def resume(p: Packed) -> None:
    p.is_break = 0
