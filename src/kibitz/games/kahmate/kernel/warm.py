"""A call of everything that Python calls, so that it is compiled and kept."""

from __future__ import annotations

import numpy as np

from kibitz.core.batch import call_face
from kibitz.core.jit import i64, u64
from kibitz.games.kahmate.kernel.dispatch import anytime_actions, resolve, to_act, turn_actions
from kibitz.games.kahmate.kernel.encoding import MAX_ACTIONS, blank, option_codes
from kibitz.games.kahmate.kernel.face import KERNEL
from kibitz.games.kahmate.kernel.match import outcome
from kibitz.games.kahmate.kernel.packing import pack
from kibitz.games.kahmate.kernel.playout import perft, pick, playout
from kibitz.games.kahmate.kernel.setup import odds
from kibitz.games.kahmate.kernel.state import copy, key
from kibitz.games.kahmate.options import DEFAULT
from kibitz.games.kahmate.rules import start


def warm() -> None:
    options, p, other = option_codes(DEFAULT), blank(), blank()
    pack(start(DEFAULT), p)
    out, weights = np.zeros(MAX_ACTIONS, np.int64), np.zeros(MAX_ACTIONS, np.int64)
    to_act(options, p)
    turn_actions(options, p, i64(0), out)
    anytime_actions(options, p, i64(0), out)
    odds(options, p, out, weights)
    key(options, p)
    perft(options, p, i64(2))
    copy(p, other)
    resolve(options, p, i64(0), i64(pick(options, p, u64(1))))
    playout(options, p, u64(1), i64(1000), weights)
    outcome(options, p, weights)
    call_face(KERNEL, options)
