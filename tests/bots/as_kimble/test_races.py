"""Races home at AS-Kimble: exact chances, beside the rules followed to every end."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from random import Random
from typing import Any, TypeAlias

import numpy as np
import pytest
from msgspec.structs import replace

from games.as_kimble.play import game_with
from kibitz.analysis.evaluation import Budget
from kibitz.analysis.match import analyse_record, entry_json, exact_from
from kibitz.bots.api import SearchContext
from kibitz.bots.as_kimble.levels import LEVELS
from kibitz.bots.as_kimble.races import (
    MAX_TURNS,
    UnsettledChoice,
    _curve,
    is_race,
    race_chances,
)
from kibitz.core.game import CHANCE
from kibitz.core.jit import i64, u64
from kibitz.core.record import Record
from kibitz.games.as_kimble import kernel
from kibitz.games.as_kimble.actions import Pop
from kibitz.games.as_kimble.board import RING, TEAMS
from kibitz.games.as_kimble.state import Choosing, Die, Piece, Popping, Side, State

Chances: TypeAlias = tuple[Fraction, ...]
CALM = {"raising": False, "pace": "turn", "hembo": "off"}
PLACED = "g1,g2,g3,g4"
BOOKS = "{} 1:- ---- -"


def state_of(game: Any, board: str, turn: str, owed: tuple[int, ...] = (0, 0, 0, 0)) -> State:
    books = "/".join(f"{each}+0" for each in owed)
    face = turn[3] if turn[2] == "M" else "1"
    state: State = game.notation.read_state(f"{board} {turn} d{face} {BOOKS.format(books)}")
    return state


class Tree:
    """Follows the rules with every fall of the die, everybody playing to win.

    A team that has placed all passes, so that a match ends as its last penalty is completed.
    """

    def __init__(self, game: Any) -> None:
        self._rules, self._known = game.rules, dict[State, Chances]()

    def chances(self, state: State) -> Chances:
        state = replace(state, die=Die())
        if state not in self._known:
            self._known[state] = self._followed(state)
        return self._known[state]

    def _followed(self, state: State) -> Chances:
        if over := self._rules.outcome(state):
            return tuple(Fraction(each > 0) for each in over.payoffs)
        phase = state.phase
        assert isinstance(phase, Popping | Choosing)
        mine = TEAMS.index(phase.team)
        if isinstance(phase, Choosing) or state.sides[mine].is_placed:
            actions = self._rules.turn_actions(state, phase.team)
            after = [self._rules.resolve(state, phase.team, each).state for each in actions]
            return max((self.chances(each) for each in after), key=lambda found: found[mine])
        total, again = [Fraction()] * len(TEAMS), 0
        old = replace(state, phase=replace(phase, is_new=False))
        for face in range(1, 7):
            popped = self._rules.resolve(state, CHANCE, Pop(phase.team, face)).state
            popped = replace(popped, die=Die())
            if popped == old:
                again += 1  # A six without a use: as before.
            else:
                total = [a + b for a, b in zip(total, self.chances(popped), strict=True)]
        return tuple(each / (6 - again) for each in total)


RACES = {
    "one piece each": (f"t26,g2,g3,g4/{PLACED}/t12,g2,g3,g4/{PLACED}", "R:N1", (0, 2, 0, 1)),
    "penalties as well": (f"t26,g2,g3,g4/{PLACED}/t12,g2,g3,g4/{PLACED}", "Y:N1", (1, 2, 2, 3)),
    "a number to use": (f"t26,t27,g3,g4/{PLACED}/g1w1,g2,g3/{PLACED}", "R:M2", (0, 2, 0, 2)),
    "a six to use": (f"t22,t23,g3,g4/{PLACED}/g1w1,g2,g3/{PLACED}", "R:M6", (0, 2, 0, 2)),
    "inside the goal": (f"g1w2,g2/g1w1,g2,g3/g1w1,g2,g4/{PLACED}", "B:N1", (0, 0, 0, 2)),
    "a choice to make": (f"t25x2,t26,g4/{PLACED}/{PLACED}/t18,g2,g3,g4", "G:N1", (0, 2, 3, 0)),
    "whatever the others need": (f"t21,t22,g2,g4/{PLACED}/{PLACED}/{PLACED}", "R:M2", (0, 3, 9, 9)),
    "more turns for it": (f"t21,t22,g2,g4/{PLACED}/{PLACED}/{PLACED}", "R:P2", (1, 9, 3, 9)),
    "a choice of a later team": (
        f"t21,t22,g2,g4/{PLACED}/{PLACED}/t18,g2,g3,g4",
        "G:M1",
        (1, 3, 9, 0),
    ),
    "its last number of three": (f"t24x3,t25/{PLACED}/{PLACED}/{PLACED}", "R:P1", (0, 2, 3, 3)),
    "three pops by hand": (f"t25,g1,g3,g4/{PLACED}/{PLACED}/t18,g2,g3,g4", "R:P3", (0, 2, 3, 1)),
}


@pytest.mark.parametrize("finished", ["pop", "skip"])
@pytest.mark.parametrize("race", RACES)
def test_a_race_is_what_the_rules_lead_to(race: str, finished: str) -> None:
    game = game_with(**CALM, finished=finished)
    state = state_of(game, *RACES[race])
    found, wanted = race_chances(game, state), Tree(game).chances(state)
    assert found is not None
    assert found == pytest.approx([float(each) for each in wanted], abs=1e-12)


@pytest.mark.long
def test_a_long_race_comes_out_as_often_as_it_should() -> None:
    """With one piece each there is nothing to choose, so play at random will do."""
    game, games = game_with(**CALM), 40_000
    state = state_of(game, "t25,g2,g3,g4/t4,g1,g3,g4/t12,g1,g2,g4/t18,g1,g2,g3", "B:N1")
    options, payoffs = kernel.option_codes(game.options), np.zeros(4, np.int64)
    p, wins, die = kernel.blank(), np.zeros(4), u64(5)
    for _ in range(games):
        kernel.pack(state, p)
        _, die = kernel.playout(options, p, u64(die), i64(20_000), payoffs)
        wins += payoffs > 0
    exact = np.array(race_chances(game, state))
    assert abs(wins / games - exact).max() < 4 * (0.25 / games) ** 0.5


@pytest.mark.parametrize(
    ("board", "owed", "more", "options"),
    [
        ("t25,g2,g3,g4/t4,g2,g3,g4", (0, 2, 1, 1), "1:- ---- -", {"raising": True}),
        ("t25,g2,g3,g4/t4,g2,g3,g4", (0, 2, 1, 1), "1:RBYG ---- -", {"raising": True}),
        ("h1,g2,g3,g4/t4,g2,g3,g4", (0, 2, 1, 1), "1:- ---- -", {}),
        ("t10,g2,g3,g4/t4,g2,g3,g4", (0, 2, 1, 1), "1:- ---- -", {}),
        ("t25,g2,g3,g4/t8,g2,g3,g4", (0, 2, 1, 1), "1:- ---- -", {}),
        ("t25,g2,g3,g4/t4,g2,g3,g4", (0, 2, 1, 1), "1:- ---- -", {"die": "naksu"}),
        ("t25,g2,g3,g4/t4,g2,g3,g4", (0, 2, 1, 1), "1:- --!- -", {"hembo": "call"}),
        ("t25,g2,g3,g4/t4,g2,g3,g4", (0, 2, 1, 1), "1:- ---- -", {"pace": "free"}),
        ("t25,g2,g3,g4/t4,g2,g3,g4", (0, 2, 1, 100), "1:- ---- -", {}),
    ],
    ids=[
        *("a raise", "a new round", "a piece at home", "another team ahead", "another team behind"),
        *("a die with a memory", "a sentence owed", "penalties at any time", "endless penalties"),
    ],
)
def test_it_is_no_race_with(
    board: str, owed: tuple[int, ...], more: str, options: dict[str, Any]
) -> None:
    def is_raced(board: str, more: str, **options: Any) -> bool:
        game, books = game_with(**options), "/".join(f"{each}+0" for each in owed)
        board = f"{board}/t12,g2,g3,g4/{PLACED}"
        state = game.notation.read_state(f"{board} R:N1 d1 {books} {more}")
        assert (race_chances(game, state) is not None) == is_race(game, state)
        return is_race(game, state)

    if owed[3] == 1:
        calm = "t25,g2,g3,g4/t4,g2,g3,g4"
        assert is_raced(calm, "1:- ---- -", **CALM)
        assert is_raced(calm, "1:RBYG! ---- -", **{**CALM, "raising": True, "refusal": "final"})
    assert not is_raced(board, more, **{**CALM, **options})


def sides_within(way: int) -> list[Side]:
    """All sides without a piece at home and so many grids before the rearmost one at most."""
    spots, found = range(RING - way, RING + 4), []
    for places in combinations_with_replacement(spots, 4):
        counts = [places.count(RING + goal) for goal in range(4)]
        if max(counts[1:]) <= 1:
            ring = [Piece(at, places.count(at)) for at in sorted({*places}) if at < RING]
            found.append(Side(0, tuple(ring), (counts[0], counts[1], counts[2], counts[3])))
    return found


@pytest.mark.parametrize(
    ("way", "sides", "settled"),
    [(3, 129, 92), pytest.param(7, 806, 137, marks=pytest.mark.long)],
)
def test_where_a_use_of_every_number_is_the_fastest(way: int, sides: int, settled: int) -> None:
    """As docs/bots.md has it."""

    def is_settled(side: Side) -> bool:
        try:
            curve = _curve(side)
        except UnsettledChoice:
            return False
        assert (np.diff(curve) >= 0).all()
        assert 1 - curve[-1] < 1e-13
        return True

    found = sides_within(way)
    assert (len(found), sum(map(is_settled, found))) == (sides, settled)
    assert len(_curve(found[-1])) == MAX_TURNS


@pytest.mark.parametrize("level", [5, 6])
def test_the_best_levels_race_without_trying_anything_out(level: int) -> None:
    """Where two turns are left the piece in front goes; where there are more, the one behind it."""
    game, played = game_with(**CALM), list[str]()
    for left in (3, 9):
        owed = (0, left, 99, 99)
        state = state_of(game, f"t21,t22,g2,g4/{PLACED}/{PLACED}/{PLACED}", "R:M2", owed)
        actions, view = game.rules.turn_actions(state, "R"), game.rules.view(state, "R", ())
        for seed in range(2):
            think = SearchContext(game, "R", Random(seed))
            chosen = LEVELS[level - 1](view, actions, think)
            exact = race_chances(game, state)
            assert think.evaluation.nodes == len(actions)
            assert exact is not None
            assert think.evaluation.value == pytest.approx(exact[0])
            assert think.evaluation.candidates[0].value > think.evaluation.candidates[1].value
            if seed == 0:
                played.append(game.notation.write_action(chosen))
            assert game.notation.write_action(chosen) == played[-1]
    assert played == ["R t22-t24", "R t21-t23"]


def test_the_analysis_says_from_where_it_is_exact() -> None:
    game = game_with(**CALM)
    start = f"t17,g2,g3,g4/{PLACED}/t12,g2,g3,g4/t18,g1,g2,g3 R:M6 d6"
    record = Record(
        game=game.name,
        rules=game.version,
        options=dict(game.options),
        start=f"{start} {BOOKS.format('0+0/3+0/0+0/0+0')}",
        actions=("R t17-t23", "R pop 5", "R t23-g1"),
        result={"winner": "R", "true_victory": False, "moral": ""},
    )
    entries = list(analyse_record(game, record, Budget(nodes=60)))
    assert [each.is_exact for each in entries] == [True, True, False]
    assert exact_from(entries) == 1
    assert exact_from(entries[1:]) == 2
    assert exact_from(entries[2:]) is None
    assert ["exact" in entry_json(each, TEAMS) for each in entries] == [True, True, False]
    state = game.notation.read_state(record.start)
    for entry in entries[:2]:
        played = game.notation.read_action(entry.action)
        state = game.rules.resolve(state, game.rules.actor_of(state, played), played).state
        assert entry.after == pytest.approx(race_chances(game, state), abs=1e-4)
