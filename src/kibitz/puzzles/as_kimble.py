"""Puzzles of AS-Kimble: the move of a pop that is better than any other by a twentieth of a win.

The proof is an expectation over every way the next three pops may fall, all teams playing what the
judgement of the engine likes best, which also judges what they lead to. `figures` are the chances
of the solution and of the next best move, in percent.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from kibitz.bots.api import SearchContext
from kibitz.bots.as_kimble.levels import LEVELS, PackedChoice, pack_choice, shared_buffers
from kibitz.bots.as_kimble.search import (
    ROOT,
    SearchBuffers,
    best_action,
    evaluate_actions,
    evaluate_position,
)
from kibitz.core.game import CHANCE
from kibitz.core.jit import i64
from kibitz.games.as_kimble import kernel
from kibitz.games.as_kimble.actions import Double, Enter, Move, Raise
from kibitz.games.as_kimble.board import RING, TEAMS
from kibitz.games.as_kimble.kernel.encoding import CHANCE as CHANCE_CODE
from kibitz.games.as_kimble.kernel.encoding import MAX_ACTIONS, POPPING, OptionCodes, Packed
from kibitz.games.as_kimble.kernel.packing import blanks
from kibitz.games.as_kimble.state import Choosing, State
from kibitz.games.as_kimble.view import View
from kibitz.puzzles.puzzle import Puzzle, puzzle_id

OPTIONS: dict[str, Any] = {"pace": "free", "hembo": "off"}
RULE = "6"
START = "h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -"
POPS = 3
MIN_GAP, MIN_GLANCE_GAP = 0.05, 0.02
"""By the proof, and by a first look that saves most proofs."""
MAX_FIRST_ACTION, MAX_ACTIONS_PLAYED = 400, 800
FIRST_RATING, RATING_PER_CHOICE, MOST_FOR_CLOSENESS = 900, 100, 500


def puzzles_of_match(game: Any, seed: int) -> Iterator[Puzzle]:
    """One puzzle at most of a match that a bot in changing moods plays with itself, looked for
    from any time on."""
    rng, state = Random(seed), game.notation.read_state(START)
    first = rng.randrange(MAX_FIRST_ACTION)
    for number in range(MAX_ACTIONS_PLAYED):
        actors = game.rules.to_act(state)
        if not actors:
            return
        if CHANCE in actors:
            odds = game.rules.odds(state)
            actor, action = CHANCE, rng.choices(list(odds), list(map(float, odds.values())))[0]
        else:
            actor = min(actors)
            if number >= first and (puzzle := puzzle_at(game, state)):
                yield puzzle
                return
            think = SearchContext(game, actor, rng, nodes=1)
            actions = game.rules.turn_actions(state, actor)
            action = LEVELS[1](View(actor, state), actions, think)
        state = game.rules.resolve(state, actor, action).state


def puzzle_at(game: Any, state: State) -> Puzzle | None:
    """The puzzle at a choice, proved; None where no move is so much better than the others."""
    phase = state.phase
    if not isinstance(phase, Choosing) or state.die.wanted_face or state.is_break:
        return None
    actions = game.rules.turn_actions(state, phase.team)
    if len(actions) < 2:
        return None
    packed = pack_choice(state, actions, SearchContext(game, phase.team, Random(0)))
    seat, d = i64(TEAMS.index(phase.team)), shared_buffers(True)
    if _gap(_glance_values(packed, d, seat)) < MIN_GLANCE_GAP:
        return None
    values = expected_values(packed, d, seat)
    if _gap(values) < MIN_GAP:
        return None
    first, second = sorted(values, reverse=True)[:2]
    best = actions[values.index(first)]
    start = game.notation.write_state(state)
    closeness = max(0, MOST_FOR_CLOSENESS - round(2500 * (first - second)))
    return Puzzle(
        id=puzzle_id(start),
        theme=_theme(game, state, phase.team, best),
        seat=phase.team,
        rating=FIRST_RATING + RATING_PER_CHOICE * len(actions) + closeness,
        start=start,
        solution=game.notation.write_action(best),
        figures=tuple(f"{100 * chance:.1f}" for chance in (first, second)),
    )


def _theme(game: Any, state: State, team: str, action: Any) -> str:
    """A word for what the solution does."""
    events = game.rules.resolve(state, team, action).events
    if any(event.message.id == "as-kimble.eaten" for event in events):
        return "eat"
    match action:
        case Enter():
            return "enter"
        case Double():
            return "double"
        case Raise():
            return "raise"
        case Move() if action.target >= RING:
            return "goal"
        case Move():
            return "run"
        case _:
            return "wait"


def _gap(values: list[float]) -> float:
    first, second = sorted(values, reverse=True)[:2]
    return first - second


def _glance_values(packed: PackedChoice, d: SearchBuffers, seat: int) -> list[float]:
    values = np.zeros(len(packed.codes))
    d.row[ROOT] = packed.packed
    evaluate_actions(packed.option_codes, d, seat, packed.codes, i64(len(values)), values)
    return [float(each) for each in values]


def expected_values(packed: PackedChoice, d: SearchBuffers, seat: int) -> list[float]:
    """The chance of the seat after each action, over every way the next pops may fall."""
    rows, options, found = blanks(POPS + 1), packed.option_codes, []
    for code in packed.codes:
        kernel.copy(packed.packed, rows[POPS])
        kernel.resolve(options, rows[POPS], seat, i64(code))
        found.append(_expectation(options, d, rows, seat, POPS))
    return found


def _expectation(options: OptionCodes, d: SearchBuffers, rows: Any, seat: int, pops: int) -> float:
    """The seat's chance from the position in the row of so many pops, which is used up."""
    p: Packed = rows[pops]
    while p.phase != POPPING and (actors := int(kernel.to_act(options, p))):
        actor = i64((actors & -actors).bit_length() - 1)
        kernel.resolve(options, p, actor, best_action(options, d, p, actor))
    if pops == 0 or p.phase != POPPING:
        evaluate_position(options, d, p)
        return float(d.values[seat])
    codes, weights = np.zeros(MAX_ACTIONS, np.int64), np.zeros(MAX_ACTIONS, np.int64)
    listed, total = int(kernel.odds(options, p, codes, weights)), 0.0
    for code, weight in zip(codes[:listed], weights[:listed], strict=True):
        kernel.copy(p, rows[pops - 1])
        kernel.resolve(options, rows[pops - 1], i64(CHANCE_CODE), i64(code))
        total += int(weight) * _expectation(options, d, rows, seat, pops - 1)
    return total / float(weights[:listed].sum())
