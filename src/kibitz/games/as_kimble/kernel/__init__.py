"""The rules of AS-Kimble again, for speed: a chapter a file, each beside its chapter in rules/.

A position is a numpy record of whole numbers that the caller owns (encoding.py), changed in place;
an action is a number. Only packing.py knows both worlds, and says what is outside the kernel.
"""

from __future__ import annotations

from kibitz.games.as_kimble.kernel.book import outcome
from kibitz.games.as_kimble.kernel.dispatch import (
    anytime_actions,
    odds,
    resolve,
    to_act,
    turn_actions,
)
from kibitz.games.as_kimble.kernel.encoding import MAX_ACTIONS, OptionCodes, Packed
from kibitz.games.as_kimble.kernel.face import KERNEL
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
from kibitz.games.as_kimble.kernel.warm import warm

PEER_GAME = "maedn(players=4)"
"""A game of OpenSpiel that is like it, for `kibitz bench`."""
BENCH_OPTIONS = {"hembo": "off"}
"""Beside what a table where bots play suggests: nobody in `kibitz bench` speaks out of turn."""


__all__ = [
    "KERNEL",
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
