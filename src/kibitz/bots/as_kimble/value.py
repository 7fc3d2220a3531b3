"""The chances of the four teams in a position of AS-Kimble, in compiled code.

What can be said of a team is a row of numbers. A small network makes one number of it, how well the
team stands, and the chances are the shares of the four (a softmax). `tools/tune/as_kimble.py` finds
the weights by letting this judgement play itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.bots.as_kimble.weights import TABLE
from kibitz.core.bits import lowest_bit, popcount, without_lowest_bit
from kibitz.core.floats import exp
from kibitz.core.jit import Numbers, i64, jit
from kibitz.games.as_kimble.kernel.encoding import (
    EVERYBODY,
    FIRST_GOAL,
    ON_RING,
    POPPING,
    SEATS,
    OptionCodes,
    Packed,
)
from kibitz.games.as_kimble.kernel.sides import goal_set, progress_of, size_at, way_occupant
from kibitz.games.as_kimble.kernel.turn import pops_granted

# The columns of a row

HOME, RING_PIECES, CONTAINED, WALKED, CARRIED, FURTHEST = range(6)
GOAL_1, WAITING, MINE, MINE_SIZE, INTRUDER = 6, 10, 11, 12, 13
OWED, OWES, MARGIN = 14, 15, 16
NEAR, FAR, FINE, PREY_NEAR, PREY_FAR = 17, 18, 19, 20, 21
TURN, NEXT, AFTER_NEXT, POPS = 22, 23, 24, 25
RAISES, RAISED, RAISERS, ALL_IN_GOAL = 26, 27, 28, 29
TURNS, SOON, RIVAL, RIVALS = 30, 31, 32, 33
LATE, READY = 34, 35
COLUMNS = 36
NEURONS = 16
DANGERS = (NEAR, FAR, FINE, PREY_NEAR, PREY_FAR, INTRUDER)
"""The features that a beginner does not look at."""

# Turns until a team has placed all, roughly

STEPS_PER_TURN, ENTER_TURNS, FIT_TURNS = 3.8, 2.0, 1.5
RING_STEPS = 28.0
SIX_IN_ONE, SIX_IN_THREE = 1 / 6, 91 / 216


class Net(NamedTuple):
    """Weights: of each column for each neuron, and past them."""

    inward: Numbers
    bias: Numbers
    outward: Numbers
    straight: Numbers
    hidden: Numbers
    """Room to work in: what the neurons have."""


def net_from_numbers(numbers: Numbers) -> Net:
    """From one row of numbers, in the order of the fields."""
    cuts = np.cumsum([COLUMNS * NEURONS, NEURONS, NEURONS])
    inward, bias, outward, straight = np.split(np.asarray(numbers, np.float64), cuts)
    return Net(
        inward.reshape(COLUMNS, NEURONS).copy(),
        bias.copy(),
        outward.copy(),
        straight.copy(),
        np.zeros(NEURONS),
    )


def tuned_net() -> Net:
    return net_from_numbers(np.array(TABLE.split(), np.float64) / 1000)


def without_dangers(net: Net) -> Net:
    """The same, for somebody who does not see who may eat whom."""
    seen = np.ones(COLUMNS)
    seen[list(DANGERS)] = 0.0
    return net._replace(inward=net.inward * seen[:, None], straight=net.straight * seen)


@jit
def fill_chances(options: OptionCodes, net: Net, p: Packed, rows: Numbers, out: Numbers) -> None:
    """Of winning, for each team, while the die is to fall."""
    fill_features(options, p, rows)
    score_rows(net, rows, out)


@jit
def score_rows(net: Net, rows: Numbers, out: Numbers) -> None:
    hidden, most = net.hidden, -1e300
    for team in range(SEATS):
        stands = 0.0
        for neuron in range(NEURONS):
            hidden[neuron] = net.bias[neuron]
        for column in range(COLUMNS):
            value = rows[team, column]
            if value != 0.0:
                stands += value * net.straight[column]
                for neuron in range(NEURONS):
                    hidden[neuron] += value * net.inward[column, neuron]
        for neuron in range(NEURONS):
            if hidden[neuron] > 0.0:
                stands += hidden[neuron] * net.outward[neuron]
        out[team] = stands
        most = max(most, stands)
    total = 0.0
    for team in range(SEATS):
        out[team] = exp(out[team] - most)
        total += out[team]
    for team in range(SEATS):
        out[team] /= total


@jit
def fill_features(options: OptionCodes, p: Packed, rows: Numbers) -> None:
    """Fill a row for each team."""
    in_goal, raisers = i64(0), i64(0)
    for team in range(SEATS):
        for column in range(COLUMNS):
            rows[team, column] = 0.0
        in_goal += i64(goal_set(p, team) != 0)
        raisers += i64(_may_raise_later(options, p, team))
    for team in range(SEATS):
        row = rows[team]
        _fill_pieces(p, team, row)
        _fill_dangers(p, team, rows)
        _fill_turn(p, team, row)
        row[OWED] = min(16.0, float(p.owed[team])) / 8.0
        row[OWES] = 1.0 if p.owed[team] else 0.0
        row[ALL_IN_GOAL] = in_goal / 4.0
        if _may_raise_later(options, p, team):
            row[RAISES] = 1.0 if in_goal == SEATS else 0.0
            row[READY] = 1.0
            row[RAISERS] = (raisers - 1) / 3.0
        else:
            row[RAISERS] = raisers / 3.0
        row[RAISED] = 1.0 if (p.raised >> team) & 1 else 0.0
    for team in range(SEATS):
        soonest, total = 100.0, 0.0
        for other in range(SEATS):
            if other != team:
                soonest = min(soonest, rows[other, TURNS])
                total += rows[other, TURNS]
        rows[team, RIVAL] = soonest
        rows[team, RIVALS] = total / 3.0


@jit
def _may_raise_later(options: OptionCodes, p: Packed, team: int) -> bool:
    """True if a raise could come as things are, but for what the others have in their goals."""
    if not options.raising or p.home[team]:
        return False
    return p.raised == EVERYBODY or not (p.raised >> team) & 1


@jit
def _fill_pieces(p: Packed, team: int, row: Numbers) -> None:
    home = float(p.home[team])
    row[HOME] = home / 4.0
    steps, left = RING_STEPS * home + 6.0, i64(p.taken[team] & ON_RING)
    while left:
        place = lowest_bit(left)
        size = size_at(p, team, place)
        row[RING_PIECES] += 0.25
        row[CONTAINED] += (size - 1) / 3.0
        row[WALKED] += place / RING_STEPS
        row[CARRIED] += (size - 1) * place / RING_STEPS
        row[FURTHEST] = place / RING_STEPS
        steps += RING_STEPS - place
        left = i64(without_lowest_bit(left))
    free = i64(0)
    for goal in range(4):
        if (p.taken[team] >> (FIRST_GOAL + goal)) & 1:
            row[GOAL_1 + goal] = 1.0
            steps -= goal
        else:
            free += 1
    if row[GOAL_1] > 0.0:
        row[WAITING] = (size_at(p, team, FIRST_GOAL) - 1) / 3.0
    if p.taken[team] & 1:
        row[MINE] = 1.0
        row[MINE_SIZE] = (size_at(p, team, i64(0)) - 1) / 3.0
    elif way_occupant(p, team, i64(0)) != SEATS:
        row[INTRUDER] = 1.0
    row[MARGIN] = 1.0 if pops_granted(p, team) == 1 else 0.0
    placing = steps / STEPS_PER_TURN + ENTER_TURNS * home + FIT_TURNS * free
    turns = max(placing, float(min(60, p.owed[team])))
    row[TURNS] = turns / 30.0
    row[SOON] = 2.0 / (2.0 + turns)
    row[LATE] = max(0.0, min(20.0, float(p.owed[team]) - placing + 3.0)) / 8.0


@jit
def _fill_dangers(p: Packed, team: int, rows: Numbers) -> None:
    """Fill the dangers of a team's pieces: what eating them costs it, and brings the others."""
    left = i64(p.taken[team] & ON_RING & ~1)
    while left:
        place = lowest_bit(left)
        left = i64(without_lowest_bit(left))
        size = size_at(p, team, place)
        loss = (place + 8.0 + (size - 1) * (RING_STEPS + 8.0)) / RING_STEPS
        for ahead in range(1, SEATS):
            other = (team + ahead) & 3
            target = progress_of(ahead, place)
            near, far = 0.0, 0.0
            if target == 0:
                if p.home[other]:
                    near = SIX_IN_ONE if pops_granted(p, other) == 1 else SIX_IN_THREE
            else:
                behind = i64((p.taken[other] & ON_RING) << 12) >> target
                near = popcount(behind >> 6 & 63) / 6.0
                far = popcount(behind & 63) / 36.0
            if near + far > 0.0:
                rows[team, NEAR] += near * loss
                rows[team, FAR] += far * loss
                rows[team, FINE] += (near + far) * size
                rows[other, PREY_NEAR] += near * loss
                rows[other, PREY_FAR] += far * loss


@jit
def _fill_turn(p: Packed, team: int, row: Numbers) -> None:
    ahead = (team - p.team) & 3
    if ahead == 0:
        row[TURN] = 1.0
        pops = p.number if p.phase == POPPING else i64(1)
        row[POPS] = pops / 3.0
    elif ahead == 1:
        row[NEXT] = 1.0
    elif ahead == 2:
        row[AFTER_NEXT] = 1.0
