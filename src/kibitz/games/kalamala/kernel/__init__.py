"""The rules of Kalamala again, for speed: same names, same order as rules.py.

What a state, an action and the options are packed into is in encoding.py; moves and what they lead
to in moves.py, and slides.py has them once more as sets. `resolve` changes a state in place.
"""

from kibitz.games.kalamala.kernel.dispatch import (
    anytime_actions,
    copy,
    legal_actions,
    odds,
    outcome,
    resolve,
    start,
    to_act,
    turn_actions,
)
from kibitz.games.kalamala.kernel.encoding import (
    MAX_ACTIONS,
    OptionCodes,
    Packed,
    blank,
    option_codes,
    pack_action,
    pool,
    unpack_action,
)
from kibitz.games.kalamala.kernel.face import KERNEL
from kibitz.games.kalamala.kernel.keys import board_key, key, reserve_key, stones_key
from kibitz.games.kalamala.kernel.packing import pack, unpack
from kibitz.games.kalamala.kernel.playout import perft, pick, playout
from kibitz.games.kalamala.kernel.successors import listed_action, results
from kibitz.games.kalamala.kernel.warm import warm

PEER_GAME = "breakthrough"
"""A game of OpenSpiel that is like it, for `kibitz bench`."""

__all__ = [
    "KERNEL",
    "MAX_ACTIONS",
    "OptionCodes",
    "Packed",
    "anytime_actions",
    "blank",
    "board_key",
    "copy",
    "key",
    "legal_actions",
    "listed_action",
    "odds",
    "option_codes",
    "outcome",
    "pack",
    "pack_action",
    "perft",
    "pick",
    "playout",
    "pool",
    "reserve_key",
    "resolve",
    "results",
    "start",
    "stones_key",
    "to_act",
    "turn_actions",
    "unpack",
    "unpack_action",
    "warm",
]
