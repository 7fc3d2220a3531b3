"""The weights by which levels 1 to 5 judge Kalamala positions, and the squares they are about.

In hundredths of a piece; `tools/tune/kalamala.py` prints these.
"""

from __future__ import annotations

import numpy as np

PIECES = np.array([-400, -278, -234, -141, -41, 59, 135, 220, 279], np.int64)
"""By how many there are, on the board and in reserve."""
RESERVE, KILL, THREAT, MOVE, TURN = 0, 1, 2, 3, 4
RINGS, PAIR = 5, 8
WEIGHTS = np.array([150, 20, 10, 5, 37, 56, 119, 188, 12], np.int64)
"""RESERVED: a piece in reserve rather than on the board. KILL: a piece that can be pushed off at
once. THREAT: one that could be, were it one's turn. MOVE: each way to move. TURN: to be to act.
RINGS: a piece in the second, third and fourth ring from the edge. PAIR: two in a row."""
RING_2 = sum(1 << s for s in range(64) if min(s % 8, 7 - s % 8, s // 8, 7 - s // 8) == 1)
RING_3 = sum(1 << s for s in range(64) if min(s % 8, 7 - s % 8, s // 8, 7 - s // 8) == 2)
RING_4 = sum(1 << s for s in range(64) if min(s % 8, 7 - s % 8, s // 8, 7 - s // 8) == 3)
MASKS = np.array([RING_2, RING_3, RING_4], np.uint64)
