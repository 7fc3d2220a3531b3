"""The positions of a recorded match as numbers: the states of the kernel, and what was played."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from math import nan
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.game import CHANCE, PRESS_DIE
from kibitz.core.jit import Numbers
from kibitz.core.record import Record, replay
from kibitz.learn.setup import Setup

Candidates = tuple[tuple[int, float, float], ...]
"""Numbers of actions, each with its share and its value."""


class Position(NamedTuple):
    """A position in which a seat acted."""

    state: bytes
    """The record of the kernel, as it lies in memory."""
    match: int
    ply: int
    """The number of actions before it in the record."""
    seat: int
    number: int
    """The action that was played, as the kernel numbers it."""
    value: float
    """The chance to win that the bot saw for its seat; NaN where it saw none."""
    candidates: Candidates
    result: tuple[float, ...]
    """The payoffs in the end; NaN in a match that was broken off."""


def positions_of(setup: Setup, record: Record) -> Iterator[Position]:
    """Every position in which a seat chose something that has a number: its turns, presses of the
    die included. Chance, calls out of turn and rulings have none."""
    game, kernel = setup.game, setup.kernel
    lines = list(replay(game, record))
    outcome = game.rules.outcome(lines[-1].step.state) if lines else None
    result = tuple(map(float, outcome.payoffs)) if outcome else (nan,) * kernel.seats
    arena = record.extras.get("arena", {})
    waiting = {seat: deque[Any]() for seat in game.seats}
    for each in arena.get("evaluations", ()):
        waiting[each["seat"]].append(each)
    p = kernel.blank()
    for ply, line in enumerate(lines):
        text = record.actions[ply]
        kernel.pack(line.before, p)
        if line.actor == CHANCE:
            text, seat = PRESS_DIE, int(kernel.actor(setup.options, p))
        else:
            seat = game.seats.index(line.actor) if line.actor in game.seats else -1
        number = _number_of(setup, p, seat, text)
        if number is None:
            continue
        value, candidates = _evaluation(setup, p, seat, waiting[game.seats[seat]], ply, text)
        match = int(arena.get("number", 0))
        yield Position(p.tobytes(), match, ply, seat, number, value, candidates, result)


def _number_of(setup: Setup, p: Any, seat: int, text: str) -> int | None:
    if seat < 0:
        return None
    try:
        return int(setup.kernel.number_of(p, seat, text))
    except ValueError:
        return None


def _evaluation(
    setup: Setup, p: Any, seat: int, waiting: deque[Any], ply: int, text: str
) -> tuple[float, Candidates]:
    """The oldest thought of a seat, if it is about this action: cards are thought about before
    they are due, and played in the same order."""
    if not waiting or waiting[0]["at"] > ply or waiting[0]["action"] != text:
        return nan, ()
    found = waiting.popleft()
    weighed = (
        (_number_of(setup, p, seat, action), share, value)
        for action, value, share in found["candidates"]
    )
    value = nan if found["value"] is None else float(found["value"])
    return value, tuple((n, float(s), float(v)) for n, s, v in weighed if n is not None)


def shard_arrays(setup: Setup, positions: Sequence[Position]) -> dict[str, Numbers]:
    """Positions as arrays of the same length. Candidates lie one after another: those of position
    `i` end at `candidate_ends[i]`."""
    states = np.frombuffer(b"".join(each.state for each in positions), np.uint8)
    weighed = [one for each in positions for one in each.candidates]
    lengths = [len(each.candidates) for each in positions]
    return {
        "states": states.reshape(len(positions), setup.kernel.state.itemsize),
        "match": np.array([each.match for each in positions], np.int64),
        "ply": np.array([each.ply for each in positions], np.int32),
        "seat": np.array([each.seat for each in positions], np.int8),
        "number": np.array([each.number for each in positions], np.int32),
        "value": np.array([each.value for each in positions], np.float32),
        "result": np.array([each.result for each in positions], np.float32),
        "candidate_ends": np.cumsum(lengths, dtype=np.int64),
        "candidate_numbers": np.array([number for number, _, _ in weighed], np.int32),
        "candidate_shares": np.array([share for _, share, _ in weighed], np.float32),
        "candidate_values": np.array([value for _, _, value in weighed], np.float32),
    }
