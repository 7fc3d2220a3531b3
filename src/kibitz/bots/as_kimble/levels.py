"""How bots think about AS-Kimble: actions are tried out with the die, at five strengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import exp, log
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kibitz.bots import greedy
from kibitz.bots.api import ENDLESS, PRESS, Bot, Candidate, Think
from kibitz.bots.as_kimble.mcts import grown
from kibitz.bots.as_kimble.search import ROOT, Desk, consider, desk, glance, in_tries, liked
from kibitz.bots.as_kimble.value import Numbers, tuned, unwary
from kibitz.core.jit import small, wide
from kibitz.games.as_kimble import kernel
from kibitz.games.as_kimble.board import SIX, TEAMS
from kibitz.games.as_kimble.game import as_kimble
from kibitz.games.as_kimble.kernel.encoding import (
    KIND_BITS,
    PROPOSE,
    RAISE,
    House,
    Packed,
)
from kibitz.games.as_kimble.kernel.sides import choosing
from kibitz.games.as_kimble.kernel.turn import may_propose, may_raise
from kibitz.games.as_kimble.state import Choosing, Popping, Returning, State, Voting
from kibitz.games.as_kimble.view import View

__all__ = ["LEVELS", "mcts", "warm"]

Candidates: TypeAlias = tuple[Candidate, ...]
Weigh: TypeAlias = Callable[["Board", Think], Candidates]
"""What each action is worth to the seat, the best first."""


class Strength(NamedTuple):
    seconds: float = 0.5
    tries: int = 0
    """None: it goes by first sight."""
    turns: int = 0
    """How far a try goes."""
    mood: float = 0.0
    """How much first sight may be off, in the logarithm of the odds."""
    is_wary: bool = True
    """Whether it sees who may eat whom."""


STRENGTHS = (
    Strength(mood=1.0, is_wary=False),
    Strength(mood=0.35),
    Strength(mood=0.17),
    Strength(mood=0.08),
    Strength(seconds=4.4, tries=ENDLESS, turns=10),
)
"""Each wins about 32 of 100 games against three of the one below it."""
MCTS_SECONDS = 0.9


class Board(NamedTuple):
    """A position to choose in."""

    house: House
    packed: Packed
    codes: Numbers

    @property
    def actions(self) -> tuple[Any, ...]:
        return tuple(kernel.unpack_action(int(code)) for code in self.codes)


def board(state: State, actions: Sequence[Any], think: Think) -> Board:
    """What is to be said is taken as said: no choice depends on it."""
    packed = kernel.blank()
    kernel.pack(state, packed)
    packed.owing, packed.said, packed.is_break = 0, 0, 0
    codes = np.array([kernel.pack_action(each) for each in actions], np.int64)
    return Board(in_tries(kernel.house(think.game.options)), packed, codes)


def choosing_by(weigh: Weigh) -> Bot:
    def choose(view: View, actions: Sequence[Any], think: Think) -> Any:
        """Where there is no number to use, nothing to vote on or to give back, it is greedy."""
        if len(actions) == 1:
            return actions[0]
        match view.state.phase:
            case Popping() if PRESS in actions:
                return _press_or_pass(view.state, actions, think)
            case Choosing() | Voting() | Returning() if not view.state.die.wanted:
                found = weigh(board(view.state, actions, think), think)
            case _:
                return greedy.choose(view, actions, think)
        think.thoughts.candidates, think.thoughts.value = found, found[0].value
        return found[0].action

    return choose


def _press_or_pass(state: State, actions: Sequence[Any], think: Think) -> Any:
    """A team that has placed all lets the die fall only if it would raise with a six (5.2)."""
    passing = next(each for each in actions if each != PRESS)
    here = board(state, [passing], think)
    house, p, team = here.house, here.packed, small(TEAMS.index(think.seat))
    choosing(p, team, small(SIX), small(0))
    if not may_raise(house, p, team) and not may_propose(house, p, team):
        return passing
    kind = int(liked(house, desk_of(True), p, team)) & KIND_BITS
    return PRESS if kind in (RAISE, PROPOSE) else passing


# Levels


def weighing(strength: Strength) -> Weigh:
    def weigh(here: Board, think: Think) -> Candidates:
        d, seat = desk_of(strength.is_wary), small(TEAMS.index(think.seat))
        d.row[ROOT] = here.packed
        with think.within(strength.seconds, strength.tries) as nodes:
            if strength.tries and len(here.codes) > 1:
                tried = _tried(here, d, seat, strength, min(nodes, strength.tries), think)
                if tried:
                    return tried
            return _seen(here, d, seat, strength.mood, think)

    return weigh


def _seen(here: Board, d: Desk, seat: int, mood: float, think: Think) -> Candidates:
    """At first sight, and in a mood."""
    listed, worth = len(here.codes), np.zeros(len(here.codes))
    glance(here.house, d, seat, here.codes, small(listed), worth)
    think.thoughts.nodes += listed
    values = [_in_mood(float(each), think.rng.gauss(0.0, mood)) for each in worth]
    found = [
        Candidate(action, value, 1 / listed, (action,))
        for action, value in zip(here.actions, values, strict=True)
    ]
    return tuple(sorted(found, key=lambda each: -each.value))


def _in_mood(chance: float, off: float) -> float:
    if not 0.0 < chance < 1.0 or not off:
        return chance
    return 1.0 / (1.0 + exp(-log(chance / (1.0 - chance)) - off))


def _tried(
    here: Board, d: Desk, seat: int, strength: Strength, nodes: int, think: Think
) -> Candidates:
    """Nothing where there was no time to try anything. What was given up comes last."""
    die, flag = wide(think.rng.getrandbits(63)), np.frombuffer(think.flag, np.int64)
    listed, turns = small(len(here.codes)), small(strength.turns)
    done = int(consider(here.house, d, seat, here.codes, listed, die, turns, small(nodes), flag))
    think.thoughts.nodes += done
    think.thoughts.depth = strength.turns
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
def desk_of(is_wary: bool) -> Desk:
    """One for every process: nobody thinks about two things at once."""
    return desk(tuned() if is_wary else unwary(tuned()))


# The plain search


def _mcts(here: Board, think: Think) -> Candidates:
    with think.within(MCTS_SECONDS) as nodes:
        return grown(here.house, here.packed, here.codes, think, nodes)


mcts = choosing_by(_mcts)
LEVELS: tuple[Bot, ...] = tuple(choosing_by(weighing(each)) for each in STRENGTHS)


def warm() -> None:
    """Have everything compiled that a choice may call for."""
    game = as_kimble()
    for position, passing in WARM:
        state = game.read_state(position)
        listed = game.turn_actions(state, "R")
        actions = (*listed, PRESS) if passing else listed
        for bot in (mcts, LEVELS[0], LEVELS[-1]):
            bot(View("R", state), actions, Think(game, "R", Random(1), nodes=20))


WARM = (
    ("h2,t0,t9/h4/h4/h4 R:M6 d6 0+0/0+0/0+0/0+0 1:- ---- -", False),
    ("g1,g2,g3,g4/h3,g1/h3,g1/h3,g1 R:N3 d2 2+0/0+0/0+0/0+0 1:- ---- -", True),
)
