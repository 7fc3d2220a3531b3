"""A call of everything that Python calls, so that it is compiled and kept."""

from __future__ import annotations

import numpy as np

from kibitz.core.batch import call_face
from kibitz.core.jit import i64, u64
from kibitz.games.as_kimble.kernel.book import outcome
from kibitz.games.as_kimble.kernel.dispatch import (
    anytime_actions,
    odds,
    resolve,
    to_act,
    turn_actions,
)
from kibitz.games.as_kimble.kernel.encoding import MAX_ACTIONS, SEATS
from kibitz.games.as_kimble.kernel.face import KERNEL
from kibitz.games.as_kimble.kernel.packing import blank, option_codes, pack
from kibitz.games.as_kimble.kernel.playout import actor_at, perft, pick, playout
from kibitz.games.as_kimble.kernel.sides import copy, key
from kibitz.games.as_kimble.state import State


def warm() -> None:
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
    copy(packed, other)
    actor = actor_at(agreed, packed, u64(1))
    resolve(agreed, packed, actor, pick(agreed, packed, actor, u64(1)))
    playout(agreed, other, u64(1), i64(100), np.zeros(SEATS, np.int64))
    call_face(KERNEL, agreed)
