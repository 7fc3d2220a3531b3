"""Numbers of actions, and lists of them."""

from __future__ import annotations

from typing import Any

from kibitz.core.jit import i64, jit
from kibitz.games.kahmate.kernel.board import first_square, has_any, without_first_square
from kibitz.games.kahmate.kernel.encoding import KIND_SHIFT, ORIGIN_SHIFT, Squares


@jit
def action_of(kind: int, origin: int, target: int) -> int:
    return i64(i64(kind) << KIND_SHIFT | i64(origin) << ORIGIN_SHIFT | i64(target))


@jit
def append_actions(out: Any, n: int, kind: int, origin: int, targets: Squares) -> int:
    """One action for each of a set of squares (or cards), after the `n` listed so far."""
    while has_any(targets):
        out[n] = action_of(kind, origin, first_square(targets))
        n = i64(n + 1)
        targets = without_first_square(targets)
    return n
