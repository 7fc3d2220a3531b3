"""A turn is planned ahead: who runs where, who gets the ball, and whether a duel pays.

What is sure comes first: if a try may be open, runs, safe passes and kicks are followed to their
end. Otherwise the most promising positions are kept after each run, pass or kick, and the turn
ends in the best of them, or in a duel if that promises more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from kibitz.bots.evaluations.kahmate.contests import run, worth_of_duel, worth_of_pass
from kibitz.bots.evaluations.kahmate.judging import danger, settled
from kibitz.bots.evaluations.kahmate.reach import sight_in_turn, try_chance
from kibitz.games.kahmate.actions import End, Force, Kick, Pass, Play, Step, Tackle
from kibitz.games.kahmate.board import FORWARD, IN_GOAL, NEIGHBOURS, file_of, is_in_goal, offset
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import (
    holder,
    interceptors,
    men_of,
    moves,
    points_of,
    throws,
)
from kibitz.games.kahmate.state import Duelling, State

WIDTH, DEPTH = 4, 4
"""How many positions are kept, and how often."""
SEARCHED = 400
"""How many positions are looked at for a try."""
MARGIN = 1.0
"""What an action must promise more than ending the turn."""

_END = End()
Way: TypeAlias = tuple[Play, State]
"""What is done first, and where it leads in the end."""


def planned(options: Options, state: State) -> Play:
    if try_chance(sight_in_turn(state)) == 1 and (sure := _to_a_try(options, state, [SEARCHED])):
        return sure
    choice: Play = _END
    best = settled(options, state) - danger(state) + MARGIN
    kept: list[Way] = [(_END, state)]
    for _ in range(DEPTH):
        ways: list[tuple[float, Play, State]] = []
        for begun, before in kept:
            for then, after in _quiet(options, before):
                first = then if begun is _END else begun
                if _is_try(after):
                    return first
                ways.append((settled(options, after), first, after))
            for then, value in _gambles(options, before):
                if value > best:
                    best, choice = value, then if begun is _END else begun
        kept = []
        for value, first, after in _most_promising(ways):
            kept.append((first, after))
            if value > best:
                best, choice = value, first
    return choice


def _most_promising(ways: list[tuple[float, Play, State]]) -> list[tuple[float, Play, State]]:
    """The best by what they are worth; where even the promise is too little no more is asked."""
    ways.sort(key=lambda way: way[0], reverse=True)
    kept: list[tuple[float, Play, State]] = []
    for promise, first, after in ways:
        if len(kept) == WIDTH and promise <= kept[-1][0]:
            break
        if all(after != each for _, _, each in kept):
            kept.append((promise - danger(after), first, after))
        kept.sort(key=lambda way: way[0], reverse=True)
        del kept[WIDTH:]
    return kept


def _to_a_try(options: Options, state: State, left: list[int]) -> Play | None:
    """The first thing to do towards a try that nothing can stop."""
    ways = list(_quiet(options, state))
    for first, after in ways:
        if _is_try(after):
            return first
    for first, after in ways:
        left[0] -= 1
        if left[0] < 0:
            return None
        if try_chance(sight_in_turn(after)) == 1 and _to_a_try(options, after, left):
            return first
    return None


def _is_try(state: State) -> bool:
    return state.ball is not None and is_in_goal(state.ball)


def _quiet(options: Options, state: State) -> Iterator[Way]:
    """What can be done without a duel, the ball first."""
    mine = [at for at, man in men_of(state.field, state.turn) if not man.down]
    if state.ball in mine:
        for throw in throws(options, state, state.ball):
            if isinstance(throw, Kick | Pass) and not _is_risky(options, state, throw):
                yield throw, replace(state, ball=throw.target)
    for at in sorted(mine, key=lambda at: at != state.ball):
        for target, first, points in _runs(state, at):
            yield first, run(state, at, target, points)


def _runs(state: State, at: int) -> Iterator[tuple[int, Step, int]]:
    """Where a man can run, by which first step, for how many points.

    He does not run over a loose ball: there he stops, and may go on with it.
    """
    reached: dict[int, Step] = {}
    edge = [at]
    for points in range(1, points_of(state, at) + 1):
        further = []
        for origin in edge:
            for target in NEIGHBOURS[origin]:
                if target == at or target in reached or state.field[target]:
                    continue
                if is_in_goal(target) and (
                    state.ball != at or file_of(target) == IN_GOAL[state.turn]
                ):
                    continue
                reached[target] = reached[origin] if origin in reached else Step(at, target)
                yield target, reached[target], points
                if target != state.ball and not is_in_goal(target):
                    further.append(target)
        edge = further


def _gambles(options: Options, state: State) -> Iterator[tuple[Play, float]]:
    """What leads to a duel, and what it can be expected to be worth."""
    man = holder(state)
    if man is None or state.ball is None:
        return
    if man.side != state.turn:
        yield from _tackles(options, state, state.ball)
    elif not man.down:
        yield from _forces(options, state, state.ball)
        for throw in throws(options, state, state.ball):
            if isinstance(throw, Pass) and _is_risky(options, state, throw):
                yield throw, worth_of_pass(options, state, throw.origin, throw.target)


def _is_risky(options: Options, state: State, throw: Pass | Kick) -> bool:
    """A kick never is (5.3)."""
    return isinstance(throw, Pass) and bool(
        interceptors(options, state, throw.origin, throw.target)
    )


def _tackles(options: Options, state: State, target: int) -> Iterator[tuple[Play, float]]:
    for at, man in men_of(state.field, state.turn):
        points = 0 if man.down else points_of(state, at)
        if points and at in NEIGHBOURS[target]:
            yield Tackle(at, target), worth_of_duel(options, state, Duelling("T", at, target))
        elif points:
            for beside, first, spent in _runs(state, at):
                if spent < points and beside in NEIGHBOURS[target]:
                    after = run(state, at, beside, spent)
                    yield first, worth_of_duel(options, after, Duelling("T", beside, target))


def _forces(options: Options, state: State, at: int) -> Iterator[tuple[Play, float]]:
    for move in moves(options, state, at):
        if isinstance(move, Force):
            yield move, worth_of_duel(options, state, Duelling("F", at, move.target))
    points, ahead = points_of(state, at), FORWARD[state.turn]
    for target, first, spent in _runs(state, at):
        through = offset(target, ahead, 0)
        if spent + 2 <= points and through is not None and state.field[through]:
            after = run(state, at, target, spent)
            if Force(target, through) in moves(options, after, target):
                yield first, worth_of_duel(options, after, Duelling("F", target, through))
