"""Bots of AS-Kimble at five strengths: actions are tried out with the die.

Once nothing is left but to run home, the best of them know the chances (races.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import exp, log
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kibitz.bots.api import UNLIMITED_NODES, Bot, Candidate, MeasurePlan, SearchContext
from kibitz.bots.as_kimble.mcts import search_candidates
from kibitz.bots.as_kimble.races import is_race, race_chances
from kibitz.bots.as_kimble.search import (
    ROOT,
    SearchBuffers,
    best_action,
    evaluate_actions,
    new_buffers,
    options_for_tries,
    try_actions,
)
from kibitz.bots.as_kimble.value import tuned_net, without_dangers
from kibitz.core.game import PRESS_DIE
from kibitz.core.jit import Numbers, i64, u64
from kibitz.games.as_kimble import kernel
from kibitz.games.as_kimble.actions import PassOn
from kibitz.games.as_kimble.board import SIX, TEAMS
from kibitz.games.as_kimble.game import as_kimble
from kibitz.games.as_kimble.kernel.encoding import KIND_MASK, PROPOSE, RAISE, OptionCodes, Packed
from kibitz.games.as_kimble.kernel.sides import enter_choosing
from kibitz.games.as_kimble.kernel.turn import may_propose, may_raise
from kibitz.games.as_kimble.state import Choosing, Popping, Returning, State, Voting
from kibitz.games.as_kimble.view import View

__all__ = ["LEVELS", "MEASURE_PLAN", "greedy", "mcts", "warm"]

Candidates: TypeAlias = tuple[Candidate, ...]
Ranker: TypeAlias = Callable[["PackedChoice", SearchContext], Candidates]
"""The worth of each action to the seat, the best first."""


class Strength(NamedTuple):
    seconds: float = 0.5
    tries: int = 0
    """None: it looks one step ahead."""
    turns: int = 0
    """The number of turns in a try."""
    noise: float = 0.0
    """The error of that one step at most, in the logarithm of the odds."""
    is_wary: bool = True
    """True if it sees who may eat whom."""


STRENGTHS = (
    Strength(noise=1.0, is_wary=False),
    Strength(noise=0.35),
    Strength(noise=0.17),
    Strength(noise=0.08),
    Strength(seconds=4.4, tries=UNLIMITED_NODES, turns=10),
)
"""Each wins about 32 of 100 games against three of the one below it."""
MCTS_THINK_S = 0.9


class PackedChoice(NamedTuple):
    """A position to choose in."""

    state: State
    option_codes: OptionCodes
    packed: Packed
    codes: Numbers

    @property
    def actions(self) -> tuple[Any, ...]:
        return tuple(kernel.unpack_action(int(code)) for code in self.codes)


def pack_choice(state: State, actions: Sequence[Any], think: SearchContext) -> PackedChoice:
    """The choice in packed form; what is to be said is taken as said: no choice depends on it."""
    packed = kernel.blank()
    kernel.pack(state, packed)
    packed.owing, packed.said, packed.is_break = 0, 0, 0
    codes = np.array([kernel.pack_action(each) for each in actions], np.int64)
    option_codes = options_for_tries(kernel.option_codes(think.game.options))
    return PackedChoice(state, option_codes, packed, codes)


def make_bot(weigh: Ranker) -> Bot:
    def choose(view: View, actions: Sequence[Any], think: SearchContext) -> Any:
        """Colours, and what a real die shows, are left to chance: all start alike."""
        if len(actions) == 1:
            return actions[0]
        match view.state.phase:
            case Popping() if (passing := PassOn(think.seat)) in actions:
                pops = [each for each in actions if each != passing]
                return think.rng.choice(pops) if _is_six_wanted(view.state, think) else passing
            case Choosing() | Voting() | Returning() if not view.state.die.wanted_face:
                found = weigh(pack_choice(view.state, actions, think), think)
            case _:
                return think.rng.choice(actions)
        think.evaluation.candidates, think.evaluation.value = found, found[0].value
        return found[0].action

    return choose


def _is_six_wanted(state: State, think: SearchContext) -> bool:
    """A team that has placed all lets the die fall only if it would raise with a six (5.2)."""
    here = pack_choice(state, (), think)
    options, p, team = here.option_codes, here.packed, i64(TEAMS.index(think.seat))
    enter_choosing(p, team, i64(SIX), i64(0))
    if not may_raise(options, p, team) and not may_propose(options, p, team):
        return False
    kind = int(best_action(options, shared_buffers(True), p, team)) & KIND_MASK
    return kind in (RAISE, PROPOSE)


# Levels


def make_ranker(strength: Strength) -> Ranker:
    def weigh(here: PackedChoice, think: SearchContext) -> Candidates:
        d, seat = shared_buffers(strength.is_wary), i64(TEAMS.index(think.seat))
        d.row[ROOT] = here.packed
        with think.search_budget(strength.seconds, strength.tries) as nodes:
            if strength.tries and len(here.codes) > 1:
                found = _race_candidates(here, think) or _tried_candidates(
                    here, d, seat, strength, min(nodes, strength.tries), think
                )
                if found:
                    return found
            return _glance_candidates(here, d, seat, strength.noise, think)

    return weigh


def _glance_candidates(
    here: PackedChoice, d: SearchBuffers, seat: int, mood: float, think: SearchContext
) -> Candidates:
    """The values one step ahead, and in a mood."""
    listed, values = len(here.codes), np.zeros(len(here.codes))
    evaluate_actions(here.option_codes, d, seat, here.codes, i64(listed), values)
    think.evaluation.nodes += listed
    noisy = [
        _with_noise(float(each), think.rng.gauss(0.0, mood) if mood else 0.0) for each in values
    ]
    found = [
        Candidate(action, value, 1 / listed, (action,))
        for action, value in zip(here.actions, noisy, strict=True)
    ]
    return tuple(sorted(found, key=lambda each: -each.value))


def _with_noise(chance: float, off: float) -> float:
    if not 0.0 < chance < 1.0 or not off:
        return chance
    return 1.0 / (1.0 + exp(-log(chance / (1.0 - chance)) - off))


def _race_candidates(here: PackedChoice, think: SearchContext) -> Candidates:
    """The exact values, once nothing is left but to run home; nothing before."""
    game, seat = think.game, TEAMS.index(think.seat)
    if not is_race(game, here.state):
        return ()
    found = []
    for action in here.actions:
        after = game.rules.resolve(here.state, think.seat, action).state
        over = game.rules.outcome(after)
        chances = [float(each > 0) for each in over.payoffs] if over else race_chances(game, after)
        if chances is None:
            return ()
        found.append(Candidate(action, chances[seat], 1 / len(here.codes), (action,)))
    think.evaluation.nodes += len(found)
    return tuple(sorted(found, key=lambda each: -each.value))


def _tried_candidates(
    here: PackedChoice,
    d: SearchBuffers,
    seat: int,
    strength: Strength,
    nodes: int,
    think: SearchContext,
) -> Candidates:
    """Nothing where there was no time to try anything. What was given up comes last."""
    die, flag = u64(think.rng.getrandbits(63)), np.frombuffer(think.flag, np.int64)
    listed, turns = i64(len(here.codes)), i64(strength.turns)
    done = int(
        try_actions(here.option_codes, d, seat, here.codes, listed, die, turns, i64(nodes), flag)
    )
    think.evaluation.nodes += done
    think.evaluation.depth = strength.turns
    if not done:
        return ()
    found = [
        (
            bool(d.alive[i]),
            Candidate(action, float(d.sums[i] / d.tries[i]), int(d.tries[i]) / done, (action,)),
        )
        for i, action in enumerate(here.actions)
    ]
    found.sort(key=lambda each: (not each[0], -each[1].value))
    return tuple(candidate for _, candidate in found)


@cache
def shared_buffers(is_wary: bool) -> SearchBuffers:
    """Return the buffers of this process, which runs one search at a time."""
    return new_buffers(tuned_net() if is_wary else without_dangers(tuned_net()))


# The plain search


def _mcts_candidates(here: PackedChoice, think: SearchContext) -> Candidates:
    with think.search_budget(MCTS_THINK_S) as nodes:
        return search_candidates(here.option_codes, here.packed, here.codes, think, nodes)


mcts = make_bot(_mcts_candidates)
_five = tuple(make_bot(make_ranker(each)) for each in STRENGTHS)
LEVELS: tuple[Bot, ...] = (*_five, _five[-1])
"""The sixth searches as the fifth does, and plays the night better (calls.py)."""
greedy = make_bot(make_ranker(Strength()))
NO_STRONGER = """\
Level 6 plays the board as level 5 does: three tries to make it stronger brought nothing, and what
luck is left is luck. One copy sat with three of level 5, so that 25% is the score of an equal.

- **Ten times the tries per decision:** 22.4% ± 1.5 of 760 games.
- **A judgement fitted to twelve times as many positions, and one with four times as many neurons
  besides:** 24.97% ± 0.15 and 25.10% ± 0.15 of 80,000 games each.
- **The whole board as input:** on 100,000 positions that it had not seen its loss was 1.2232, that
  of the judgement we have 1.2231. It was not played.

What level 6 does better is [the night](bots.md#the-night-of-as-kimble).
"""
"""Why the sixth level is no stronger, for the page of the measurement."""
MEASURE_PLAN = MeasurePlan(
    {
        **{f"level-{n}": "100n" for n in range(1, 5)},
        "level-5": "500n",
        "level-6": "500n",
        "mcts": "60n",
    },
    level_games=2000,
    greedy_games=2000,
    mcts_games=200,
    note=NO_STRONGER,
)


def warm() -> None:
    """Have everything compiled that a choice may call for."""
    game = as_kimble()
    for position, passing in WARM_UP_POSITIONS:
        state = game.notation.read_state(position)
        listed = game.rules.turn_actions(state, "R")
        actions = (*listed, PRESS_DIE) if passing else listed
        for bot in (mcts, LEVELS[0], LEVELS[-1]):
            bot(View("R", state), actions, SearchContext(game, "R", Random(1), nodes=20))


WARM_UP_POSITIONS = (
    ("h2,t0,t9/h4/h4/h4 R:M6 d6 0+0/0+0/0+0/0+0 1:- ---- -", False),
    ("g1,g2,g3,g4/h3,g1/h3,g1/h3,g1 R:N3 d2 2+0/0+0/0+0/0+0 1:- ---- -", True),
)
