"""The rules of Kahmaté again, for speed: a chapter a file, as in rules/, over packed states.

What a state, an action and the options are packed into is in encoding.py. Paragraphs are those of
the rule book (docs/rules/kahmate.md). `resolve` changes a state in place.
"""

from kibitz.games.kahmate.kernel.dispatch import anytime_actions, resolve, to_act, turn_actions
from kibitz.games.kahmate.kernel.encoding import (
    MAX_ACTIONS,
    OptionCodes,
    Packed,
    blank,
    option_codes,
    pack_action,
    pool,
    unpack_action,
)
from kibitz.games.kahmate.kernel.face import KERNEL
from kibitz.games.kahmate.kernel.match import outcome
from kibitz.games.kahmate.kernel.packing import pack, unpack
from kibitz.games.kahmate.kernel.playout import perft, pick, playout
from kibitz.games.kahmate.kernel.setup import odds
from kibitz.games.kahmate.kernel.state import copy, key
from kibitz.games.kahmate.kernel.warm import warm

PEER_GAME = "backgammon"
"""A game of OpenSpiel that is like it, for `kibitz bench`."""

__all__ = [
    "KERNEL",
    "MAX_ACTIONS",
    "OptionCodes",
    "Packed",
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
    "pool",
    "resolve",
    "to_act",
    "turn_actions",
    "unpack",
    "unpack_action",
    "warm",
]
