"""Numbers of actions, and lists of them."""

from __future__ import annotations

from typing import Any

from kibitz.core.jit import compiled, small
from kibitz.games.kahmate.kernel.board import any_in, first_of, without_first
from kibitz.games.kahmate.kernel.encoding import KIND_BITS, ORIGIN_BITS, Squares


@compiled
def action_of(kind: int, origin: int, target: int) -> int:
    return small(small(kind) << KIND_BITS | small(origin) << ORIGIN_BITS | small(target))


@compiled
def listed(out: Any, n: int, kind: int, origin: int, targets: Squares) -> int:
    """One action for each of a set of squares (or cards), after the `n` listed so far."""
    while any_in(targets):
        out[n] = action_of(kind, origin, first_of(targets))
        n = small(n + 1)
        targets = without_first(targets)
    return n
