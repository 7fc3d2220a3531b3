"""Races home at AS-Kimble: the chances of all teams where none can meet another any more.

From there on every team runs for itself, and all that counts is who is home first. By what turn a
team has placed its four pieces follows from the die alone if each number has a use that is at least
as fast as the others whatever time is left. One team may have to look at how far the others are: it
does what wins most often. Where several have to, the race is not solved here.

Nothing is sampled. All that is left out are races of more than MAX_TURNS turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import fsum, prod
from typing import Any, TypeAlias

import numpy as np
from msgspec.structs import replace

from kibitz.core.game import Game
from kibitz.core.jit import Numbers
from kibitz.games.as_kimble.board import RING, SIX, TEAMS, start_grid
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.hembo import OWING_MARK
from kibitz.games.as_kimble.rules.moves import make_move, table_moves
from kibitz.games.as_kimble.rules.turn import pops_granted
from kibitz.games.as_kimble.state import FOUR_SIDES, Choosing, Popping, Side, State

Curve: TypeAlias = Numbers
"""The chance of having placed all pieces by the end of this turn, of the next one, and so on."""
MAX_TURNS = 256
"""Of a longer race the chance is below one in 10**15."""
MAX_PATHS = 1500
"""A side whose pieces can stand in more ways on the ring takes too long."""
MAX_OWED = 99
"""Penalties of a team, each of which takes a turn."""
ROUNDING = 1e-13
"""Chances that differ by less are equal."""
NOBODY_MEETS = Options(raising=False, hembo="off")


class UnsettledChoice(Exception):
    """No use of a number is at least as fast as all others whatever time is left."""


def race_chances(game: Game[Any, Any, Any], state: State) -> tuple[float, ...] | None:
    """Return each team's chance of winning, or None where this is no race or not a solved one."""
    phase = state.phase
    if not isinstance(phase, Popping | Choosing) or not is_race(game, state):
        return None
    first = TEAMS.index(phase.team)
    order = [*range(first, len(TEAMS)), *range(first)]
    sides = [state.sides[team] for team in order]
    # As a turn comes it completes a penalty. This one has come, those of the others will.
    waits = [max(0, state.books[team].owed - (team != first)) for team in order]
    curves = [_settled_curve(side, None if n else phase) for n, side in enumerate(sides)]
    for curve, wait in zip(curves, waits, strict=True):
        if curve is not None:
            curve[:wait] = 0.0
    settled = [curve for curve in curves if curve is not None]
    if len(settled) == len(TEAMS):
        chances = [fsum(shares) for shares in _shares_by_turn(settled)]
    elif len(settled) == len(TEAMS) - 1:
        place = next(n for n, curve in enumerate(curves) if curve is None)
        results = _results_by_turn(settled, place, waits[place])
        chances = _Chooser(results, place).chances(sides[place], None if place else phase)
    else:
        return None
    return tuple(chances[order.index(team)] for team in range(len(TEAMS)))


def is_race(game: Game[Any, Any, Any], state: State) -> bool:
    """True if no team can meet another or raise, and nothing else is open but the die."""
    options, raises = game.options, state.raises
    is_fixed = raises.is_closed and len(raises.teams) == len(TEAMS)
    if (options["raising"] and not is_fixed) or options["die"] != "fair":
        return False
    owed = max(book.owed for book in state.books)
    if OWING_MARK in state.hembo or owed > (0 if options["pace"] == "free" else MAX_OWED):
        return False
    paths = (prod(RING - piece.progress for piece in side.ring) for side in state.sides)
    return _are_ways_apart(state.sides) and max(paths) <= MAX_PATHS


def _are_ways_apart(sides: Sequence[Side]) -> bool:
    """True if no grid lies under or before the pieces of two teams."""
    ways = [_way_of(side) for side in sides]
    pairs = zip(TEAMS, ways, strict=True)
    grids = {(start_grid(team) - 1 - n) % RING for team, way in pairs for n in range(way)}
    return len(grids) == sum(ways)


def _way_of(side: Side) -> int:
    """The grids of the ring that a team may still stand on: all of them, if a piece is at home."""
    if side.home:
        return RING
    return RING - side.ring[0].progress if side.ring else 0


def _shares_by_turn(curves: Sequence[Curve]) -> list[Curve]:
    """The chance of each team to be the first, and in this turn, in the order of turns."""
    still = [1.0 - curve for curve in curves]
    before = [np.concatenate(([1.0], each[:-1])) for each in still]
    found = []
    for place in range(len(curves)):
        share = before[place] - still[place]
        for other in range(len(curves)):
            if other != place:
                share = share * (still if other < place else before)[other]
        found.append(share)
    return found


# One team, alone on the board


def _settled_curve(side: Side, phase: Popping | Choosing | None) -> Curve | None:
    """A curve that the caller owns, or None where it depends on the others; the phase is that of
    the team whose turn goes on."""
    try:
        if isinstance(phase, Choosing):
            return _curve_of_number(side, phase.number).copy()
        return _curve(side, phase.pops if phase else None).copy()
    except UnsettledChoice:
        return None


def _curve(side: Side, pops: int | None = None) -> Curve:
    """The curve of a team that is to pop, as a turn begins or after a six, or so many times."""
    if side.is_placed:
        return np.ones(MAX_TURNS)
    return _curve_of_pops(side, pops_granted(side) if pops is None else pops)


def _curve_of_number(side: Side, number: int) -> Curve:
    """The curve of a team that is to use a number: a six gives another pop, others end the turn."""
    return _fastest(
        _curve(each) if number == SIX or each.is_placed else _a_turn_later(_curve(each))
        for each in sides_after(side, number)
    )


def _a_turn_later(curve: Curve) -> Curve:
    return np.concatenate(([0.0], curve[:-1]))


@cache
def _curve_of_pops(side: Side, pops: int) -> Curve:
    """The curve of a team that is to pop so often, unless it moves.

    K is that of the numbers that move something, s the share of those below six that do not, and r
    is 1/6 if a six does not. Then x(n) = K + s x(n - 1) + r G for n pops, where x(0) is G a turn
    later, and G that with all pops granted, which is found turn by turn.
    """
    known = np.zeros(MAX_TURNS)
    for number in range(1, SIX + 1):
        if sides_after(side, number):
            known = known + _curve_of_number(side, number) / SIX
    idle, again = _idle_shares(side)
    series, granted = fsum(idle**n for n in range(pops)), pops_granted(side)
    if pops != granted:
        whole = _curve_of_pops(side, granted)
        return series * (known + again * whole) + idle**pops * _a_turn_later(whole)
    found, before, rest = list[float](), 0.0, 1.0 - series * again
    for each in known.tolist():
        before = (series * each + idle**pops * before) / rest
        found.append(before)
    return np.array(found)


@cache
def _idle_shares(side: Side) -> tuple[float, float]:
    """The share of the numbers below six that move nothing, and of a six that moves nothing."""
    idle = [number for number in range(1, SIX + 1) if not sides_after(side, number)]
    return fsum(1 / SIX for number in idle if number < SIX), 1 / SIX if SIX in idle else 0.0


def _fastest(curves: Iterable[Curve]) -> Curve:
    """The curve that is nowhere below another one; raises UnsettledChoice where there is none."""
    curves = list(curves)
    best = max(curves, key=fsum)
    if any((curve > best + ROUNDING).any() for curve in curves):
        raise UnsettledChoice
    return best


@cache
def sides_after(side: Side, number: int) -> tuple[Side, ...]:
    """The sides that a number can make of this one, by the rules, with nobody else on the board."""
    alone = replace(State(), sides=(side, *FOUR_SIDES[1:]))
    moves = table_moves(alone, TEAMS[0], number)
    return tuple(make_move(NOBODY_MEETS, alone, move)[0].sides[0] for move in moves)


# One team that has to look at the others


def _results_by_turn(others: Sequence[Curve], place: int, wait: int) -> Numbers:
    """By turn, a row for each team: the chances of all if the one at this place has placed its
    pieces by then and not before."""
    shares = [np.cumsum(each) for each in _shares_by_turn(others)]
    rows = [each if n < place else _a_turn_later(each) for n, each in enumerate(shares)]
    rows.insert(place, 1.0 - np.sum(rows, axis=0))
    results = np.array(rows)
    results[:, :wait] = results[:, wait : wait + 1]
    return results


class _Chooser:
    """The team that looks at the others, and the chances of all, by turn, as it plays to win."""

    def __init__(self, results: Numbers, place: int) -> None:
        self._results, self._place = results, place
        self._known: dict[Side, Numbers] = {}

    def chances(self, side: Side, phase: Popping | Choosing | None) -> list[float]:
        """In its first turn, or where it is in this turn."""
        if isinstance(phase, Choosing):
            found = self._of_number(side, phase.number)
        elif phase and phase.pops != pops_granted(side):
            whole, (idle, again) = self._of_turn(side), _idle_shares(side)
            series = fsum(idle**n for n in range(phase.pops))
            found = series * (self._moving(side) + again * whole)
            found += idle**phase.pops * _a_turn_sooner(whole)
        else:
            found = self._of_turn(side)
        return [float(each) for each in found[:, 0]]

    def _of_turn(self, side: Side) -> Numbers:
        """As `_curve_of_pops`, with all pops granted, from the last turn to the first."""
        if side.is_placed:
            return self._results
        if side not in self._known:
            pops, moving, (idle, again) = pops_granted(side), self._moving(side), _idle_shares(side)
            series = fsum(idle**n for n in range(pops))
            found, rest = series * moving / (1.0 - series * again), idle**pops
            if rest:
                rest, after = rest / (1.0 - series * again), self._results[:, -1]
                for turn in reversed(range(MAX_TURNS)):
                    after = found[:, turn] = found[:, turn] + rest * after
            self._known[side] = found
        return self._known[side]

    def _moving(self, side: Side) -> Numbers:
        """The part of the numbers that move something."""
        numbers = [n for n in range(1, SIX + 1) if sides_after(side, n)]
        found = np.zeros_like(self._results)
        for number in numbers:
            found += self._of_number(side, number) / SIX
        return found

    def _of_number(self, side: Side, number: int) -> Numbers:
        after = [
            self._of_turn(each)
            if number == SIX or each.is_placed
            else _a_turn_sooner(self._of_turn(each))
            for each in sides_after(side, number)
        ]
        best = np.argmax([each[self._place] for each in after], axis=0)
        return np.array(after)[best, :, np.arange(MAX_TURNS)].T


def _a_turn_sooner(results: Numbers) -> Numbers:
    """What comes of the turn after each."""
    return np.concatenate((results[:, 1:], results[:, -1:]), axis=1)
