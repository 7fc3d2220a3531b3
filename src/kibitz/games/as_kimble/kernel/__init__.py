"""The rules of AS-Kimble again, for speed: a chapter a file, each beside its chapter in rules/.

A position is a numpy record of whole numbers that the caller owns (encoding.py), changed in place;
an action is a number. Only packing.py knows both worlds, and says what is outside the kernel.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.jit import i64, u64
from kibitz.games.as_kimble.kernel.book import outcome
from kibitz.games.as_kimble.kernel.dispatch import (
    anytime_actions,
    odds,
    resolve,
    to_act,
    turn_actions,
)
from kibitz.games.as_kimble.kernel.encoding import MAX_ACTIONS, SEATS, OptionCodes, Packed
from kibitz.games.as_kimble.kernel.packing import (
    blank,
    option_codes,
    pack,
    pack_action,
    unpack,
    unpack_action,
)
from kibitz.games.as_kimble.kernel.playout import actor_at, perft, pick, playout
from kibitz.games.as_kimble.kernel.sides import copy, key
from kibitz.games.as_kimble.state import State

PEER_GAME = "maedn(players=4)"
"""A game of OpenSpiel that is like it, for `kibitz bench`."""
BENCH_OPTIONS = {"hembo": "off"}
"""Beside what a table where bots play suggests: nobody in `kibitz bench` speaks out of turn."""


def warm() -> None:
    """Have everything compiled that can be called from outside."""
    agreed, packed, other = option_codes({"pace": "turn"}), blank(), blank()
    out, weights = np.zeros(MAX_ACTIONS, np.int64), np.zeros(MAX_ACTIONS, np.int64)
    pack(State(), packed)
    copy(packed, other)
    to_act(agreed, packed)
    turn_actions(agreed, packed, i64(0), out)
    anytime_actions(agreed, packed, i64(0), out)
    odds(agreed, packed, out, weights)
    outcome(agreed, packed, weights)
    key(agreed, packed)
    perft(agreed, packed, 2)
    actor = actor_at(agreed, packed, u64(1))
    resolve(agreed, packed, actor, pick(agreed, packed, actor, u64(1)))
    playout(agreed, other, u64(1), i64(100), np.zeros(SEATS, np.int64))


__all__ = [
    "MAX_ACTIONS",
    "OptionCodes",
    "Packed",
    "actor_at",
    "anytime_actions",
    "blank",
    "copy",
    "key",
    "odds",
    "option_codes",
    "outcome",
    "pack",
    "pack_action",
    "perft",
    "pick",
    "playout",
    "resolve",
    "to_act",
    "turn_actions",
    "unpack",
    "unpack_action",
    "warm",
]
