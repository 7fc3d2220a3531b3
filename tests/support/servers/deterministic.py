"""The server with nothing left to luck or to the hour: two that are asked the same say the same.

The sample game is on its shelf, too.
"""

from __future__ import annotations

import secrets
import time
from random import Random

import duel.serve  # noqa: F401  (puts the sample game on the shelf)
from kibitz.server.run import main
from kibitz.server.wall_clock import WALL_CLOCK

NOON = 1_800_000_000.0


def leave_nothing_to_luck() -> None:
    """Each kind of draw from its own source, as they do not always come in the same order."""
    choices, tokens, digits, bits, noise = (Random(seed) for seed in range(5))
    secrets.choice = choices.choice
    secrets.token_bytes = lambda nbytes=None: noise.randbytes(nbytes or 32)
    secrets.token_urlsafe = lambda nbytes=None: f"{tokens.getrandbits(96):024x}"
    secrets.token_hex = lambda nbytes=None: digits.randbytes(nbytes or 32).hex()
    secrets.randbits = lambda k: bits.getrandbits(k)
    time.time = lambda: NOON
    WALL_CLOCK.now = lambda: NOON  # type: ignore[method-assign]


if __name__ == "__main__":
    leave_nothing_to_luck()
    main()
