"""A call of everything that Python calls, so that it is compiled and kept."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from kibitz.core.batch import call_face
from kibitz.core.jit import i64, u64
from kibitz.games.kalamala.kernel.dispatch import (
    anytime_actions,
    copy,
    is_barred,
    legal_actions,
    odds,
    outcome,
    resolve,
    start,
    to_act,
    turn_actions,
)
from kibitz.games.kalamala.kernel.encoding import MAX_ACTIONS, MAX_TURN, A, B, blank, option_codes
from kibitz.games.kalamala.kernel.face import KERNEL
from kibitz.games.kalamala.kernel.keys import board_key, key, reserve_key, stones_key
from kibitz.games.kalamala.kernel.moves import stones_after
from kibitz.games.kalamala.kernel.packing import pack, unpack
from kibitz.games.kalamala.kernel.playout import perft, pick, playout
from kibitz.games.kalamala.kernel.successors import listed_action, results
from kibitz.games.kalamala.options import DEFAULT


def warm() -> None:
    options, p, other, seat = option_codes(asdict(DEFAULT)), blank(), blank(), i64(0)
    start(options, p)
    copy(p, other)
    out, weights = np.zeros(MAX_ACTIONS, np.int64), np.zeros(MAX_ACTIONS, np.int64)
    boards, payoffs = np.zeros((2, MAX_ACTIONS), np.uint64), np.zeros(2, np.int64)
    to_act(options, p)
    listed = turn_actions(options, p, seat, out)
    stones_after(p.stones[A], p.stones[B], i64(out[listed - 1]))
    legal_actions(options, p, out)
    anytime_actions(options, p, seat, out)
    odds(options, p, out, weights)
    outcome(options, p, payoffs)
    resolve(options, p, seat, i64(out[0]))
    key(options, p)
    board_key(p.stones[A], p.stones[B])
    stones_key(seat, p.stones[A])
    reserve_key(seat, seat, seat)
    results(p.stones[A], p.stones[B], i64(0), p.kinds, p.rears, out, boards[0], boards[1])
    listed_action(p.stones[A], p.stones[B], i64(0))
    is_barred(options, p, p.stones[A], p.stones[B])
    pick(options, p, u64(0))
    perft(options, p, 2)
    pack(unpack(p), p)
    playout(options, p, u64(0), i64(MAX_TURN), payoffs)
    call_face(KERNEL, options)
