"""The bots of AS-Kimble: they judge as they say they do, know a raise from a mine, and stop."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import exp
from random import Random
from typing import Any

import numpy as np
import pytest

from games.as_kimble.play import NOTHING, game_with
from kibitz.bots.api import SearchContext
from kibitz.bots.as_kimble import levels
from kibitz.bots.as_kimble import value as judgement
from kibitz.bots.as_kimble.search import (
    MIN_TRIES,
    ROOT,
    TRY,
    best_action,
    evaluate_position,
    new_buffers,
    options_for_tries,
    try_actions,
    try_value,
)
from kibitz.core.bits import mix_bits, next_die
from kibitz.core.game import CHANCE, PRESS_DIE
from kibitz.core.jit import i64, u64
from kibitz.games.as_kimble import kernel
from kibitz.games.as_kimble.actions import Vote
from kibitz.games.as_kimble.board import TEAMS, grid_at, progress_at
from kibitz.games.as_kimble.rules.turn import pops_granted
from kibitz.games.as_kimble.state import Choosing, Popping, State, side_of, way_occupant

BOTS = {"mcts": levels.mcts, **{f"level-{n}": bot for n, bot in enumerate(levels.LEVELS, 1)}}
BEST = levels.LEVELS[4]
OPTIONS: dict[str, tuple[Any, ...]] = {
    "mode": ("digital", "companion"),
    "team_size": ([1, 1, 1, 1], [2, 1, 3, 1]),
    "raising": (True, True, False),
    "raise_return": ("owner", "rearmost"),
    "refusal": ("opportunity", "final"),
    "finished": ("pop", "skip"),
    "hembo": ("call", "off"),
    "pace": ("free", "turn"),
    "die": ("fair", "naksu"),
}


def some_game(rng: Random) -> Any:
    return game_with(**{name: rng.choice(values) for name, values in OPTIONS.items()})


def at_random(game: Any, rng: Random, most: int) -> Iterator[State]:
    """Positions of one match at random; one action in twenty is said out of turn."""
    state: State = game.rules.start()
    for _ in range(most):
        yield state
        actors = sorted(game.rules.to_act(state))
        if not actors:
            return
        actor = CHANCE if CHANCE in actors else rng.choice(actors)
        listed = game.rules.turn_actions(state, actor)
        if rng.random() < 0.05:
            actor = rng.choice(TEAMS)
            listed = game.rules.anytime_actions(state, actor) or listed
        action = rng.choice(listed)
        state = game.rules.resolve(state, game.rules.actor_of(state, action), action).state


def offered_actions(game: Any, state: State, seat: str) -> tuple[Any, ...]:
    """As a table offers it: to press the dome, where that is the seat's to do."""
    listed: tuple[Any, ...] = game.rules.turn_actions(state, seat)
    return (*listed, PRESS_DIE) if CHANCE in game.rules.to_act(state) else listed


def chosen_action(
    bot: Any, position: str, seat: str = "R", nodes: int = 2000, **options: Any
) -> str:
    game = game_with(**options)
    state = game.notation.read_state(position)
    view, actions = game.rules.view(state, seat, ()), offered_actions(game, state, seat)
    action = bot(view, actions, SearchContext(game, seat, Random(1), nodes=nodes))
    return PRESS_DIE if action == PRESS_DIE else str(game.notation.write_action(action))


# Whatever happens


@pytest.mark.parametrize("name", BOTS)
def test_whatever_the_position_it_plays_by_the_rules(name: str) -> None:
    rng, asked = Random(name), 0
    for _ in range(5):
        game = some_game(rng)
        for state in at_random(game, rng, 300):
            where = game.notation.write_state(state)
            for seat in sorted(game.rules.to_act(state) - {CHANCE}):
                actions = offered_actions(game, state, seat)
                if len(actions) > 1:
                    think = SearchContext(game, seat, rng, nodes=20)
                    assert (
                        BOTS[name](game.rules.view(state, seat, ()), actions, think) in actions
                    ), where
                    assert think.evaluation.nodes <= 20 + len(actions), where
                    asked += 1
    assert asked > 100


@pytest.mark.parametrize(
    "position",
    [
        "t0,t12,g3,g4/h1,t9,g2,g4/h1,t17,g1,g4/h3,g1 R:CBY d6",
        "t0,t6,t12,g1/t5,g2,g3,g4/h2,t20,g1/h2,t2,g1 R:VY d6 0+0/0+0/0+0/0+0 1:RBYG ---- -",
        "t0,t6,t12,g1/t5,g2,g3,g4/h2,t20,g1/h2,t2,g1 R:M6 d6 9+0/0+0/0+7/0+0 1:RBYG -!-+ -",
        "t1x2,t8,g3/h3,t7/h3,t14/h4 R:M6 d6",
        "g1,g2,g3,g4/t22,g2,g3,g4/h2,t20,g4/h3,g1 R:N3 d2 6+5/0+3/0+0/1+0 1:B ---- -",
    ],
    ids=["return", "vote", "propose", "mines", "placed"],
)
@pytest.mark.parametrize("name", BOTS)
def test_in_every_phase_it_chooses_something_offered(name: str, position: str) -> None:
    position = position if position.endswith("-") else f"{position} {NOTHING}"
    for options in ({}, {"mode": "companion"}, {"finished": "skip", "refusal": "final"}):
        game = game_with(**options)
        state = game.notation.read_state(position)
        for seat in sorted(game.rules.to_act(state) - {CHANCE}):
            actions = offered_actions(game, state, seat)
            think = SearchContext(game, seat, Random(2), nodes=60)
            assert BOTS[name](game.rules.view(state, seat, ()), actions, think) in actions


OPEN = f"h2,t3,t12/h2,t16,t22/h3,t1/h2,t5,g3 R:M4 d4 {NOTHING}"


@pytest.mark.parametrize("name", BOTS)
def test_the_same_dice_give_the_same_choice(name: str) -> None:
    game = game_with()
    state = game.notation.read_state(OPEN)
    said = []
    for _ in "ab":
        think = SearchContext(game, "R", Random(4), nodes=200)
        BOTS[name](game.rules.view(state, "R", ()), game.rules.turn_actions(state, "R"), think)
        said.append(think.evaluation)
    assert said[0] == said[1]


@pytest.mark.parametrize("name", BOTS)
def test_told_to_stop_it_chooses_at_once(name: str) -> None:
    game = game_with()
    state = game.notation.read_state(OPEN)
    think = SearchContext(game, "R", Random(4))
    think.stop()
    actions = game.rules.turn_actions(state, "R")
    assert BOTS[name](game.rules.view(state, "R", ()), actions, think) in actions
    assert think.evaluation.nodes <= len(actions)


@pytest.mark.parametrize("name", BOTS)
def test_it_says_what_it_considered(name: str) -> None:
    game = game_with()
    state = game.notation.read_state(OPEN)
    actions, think = (
        game.rules.turn_actions(state, "R"),
        SearchContext(game, "R", Random(4), nodes=400),
    )
    action = BOTS[name](game.rules.view(state, "R", ()), actions, think)
    said = think.evaluation
    assert said.candidates[0].action == action
    assert said.candidates[0].value == said.value
    assert {each.action for each in said.candidates} == set(actions)
    assert all(0 < each.value < 1 and each.line == (each.action,) for each in said.candidates)
    assert sum(each.share for each in said.candidates) == pytest.approx(1)


# What it must know


@pytest.mark.parametrize(
    ("position", "best"),
    [
        ("t23,g2,g3,g4/h2,t1x2/h4/h4 R:M5 d5", "R t23-g1"),
        ("h2,t2,t18/h3,t4/h3,t20/h4 R:M2 d2", "R t2-t4"),
        ("h2,t5,t16/h3,t12/h4/h4 R:M4 d4", "R t16-t20"),
        ("h3,t0/h4/h4/h4 R:M6 d6", "R double"),
        ("t1x2,t8,g3/h3,t7/h3,t14/h4 R:M6 d6", "R t8-t14"),
        ("t20,g2,g3,g4/h2,t12,g1/h2,t17,g1/h2,t2,g1 R:M6 d6", "R t20-t26"),
        ("t0,t6,t12,g1/t5,g2,g3,g4/h2,t20,g1/h2,t2,g1 R:M6 d6", "R raise g1"),
    ],
    ids=["win", "eat the one nearly home", "flee", "double", "mine", "ahead", "behind"],
)
def test_a_number_is_used_well(position: str, best: str) -> None:
    for level in levels.LEVELS[3:]:
        assert chosen_action(level, f"{position} {NOTHING}") == best


def test_the_win_is_seen_at_every_level() -> None:
    """Beginners too know where the goal is."""
    for bot in BOTS.values():
        assert chosen_action(bot, f"t23,g2,g3,g4/h2,t1x2/h4/h4 R:M5 d5 {NOTHING}") == "R t23-g1"


def test_votes_are_for_oneself() -> None:
    """Blue is about to win; the others would rather go on."""
    board = "t0,t6,t12,g1/t5,g2,g3,g4/h2,t20,g1/h2,t2,g1"
    position = f"{board} R:V- d6 0+0/0+0/0+0/0+0 1:RBYG ---- -"
    assert chosen_action(BEST, position, "B") == "B no"
    assert chosen_action(BEST, position, "Y") == "Y yes"


def test_a_placed_team_presses_the_dome_for_a_raise_only() -> None:
    owing = "g1,g2,g3,g4/t22,g2,g3,g4/h2,t20,g4/h3,g1 R:N3 d2 {}/0+3/0+0/1+0 1:{} ---- -"
    assert chosen_action(BEST, owing.format("9+5", "B")) == PRESS_DIE
    assert chosen_action(BEST, owing.format("9+5", "RB")) == "R pass"
    assert chosen_action(BEST, owing.format("1+5", "B")) == "R pass"
    assert chosen_action(BEST, owing.format("9+5", "B"), raising=False) == "R pass"


# The judgement, again by the rules


def slow_row(game: Any, state: State, team: str) -> dict[int, float]:
    j, side, row = judgement, side_of(state, team), dict[int, float]()
    owed = state.books[TEAMS.index(team)].owed
    row[j.HOME] = side.home / 4
    row[j.RING_PIECES] = len(side.ring) / 4
    row[j.CONTAINED] = sum(each.size - 1 for each in side.ring) / 3
    row[j.WALKED] = sum(each.progress for each in side.ring) / 28
    row[j.CARRIED] = sum((each.size - 1) * each.progress for each in side.ring) / 28
    row[j.FURTHEST] = max((each.progress for each in side.ring), default=0) / 28
    for goal in range(4):
        row[j.GOAL_1 + goal] = float(side.goal[goal] > 0)
    row[j.WAITING] = max(0, side.goal[0] - 1) / 3
    mine = next((each for each in side.ring if each.progress == 0), None)
    row[j.MINE], row[j.MINE_SIZE] = float(bool(mine)), (mine.size - 1) / 3 if mine else 0
    row[j.INTRUDER] = float(not mine and way_occupant(state, team, 0) is not None)
    row[j.OWED], row[j.OWES] = min(16, owed) / 8, float(owed > 0)
    row[j.MARGIN] = float(pops_granted(side) == 1)
    steps = 28 * side.home + sum(28 - each.progress for each in side.ring) + 6
    steps -= sum(goal for goal in range(4) if side.goal[goal])
    placing = steps / 3.8 + 2 * side.home + 1.5 * side.goal.count(0)
    row[j.TURNS], row[j.SOON] = max(placing, min(60, owed)) / 30, 2 / (2 + max(placing, owed))
    row[j.LATE] = max(0, min(20, owed - placing + 3)) / 8
    assert isinstance(state.phase, Choosing | Popping)
    after = (TEAMS.index(team) - TEAMS.index(state.phase.team)) % 4
    row[j.TURN], row[j.NEXT], row[j.AFTER_NEXT] = (float(after == n) for n in range(3))
    if after == 0:
        row[j.POPS] = state.phase.pops / 3 if isinstance(state.phase, Popping) else 1 / 3
    teams = {each: _may_raise(game, state, each) for each in TEAMS}
    everybody = sum(any(each.goal) for each in state.sides)
    row[j.ALL_IN_GOAL] = everybody / 4
    row[j.READY], row[j.RAISES] = float(teams[team]), float(teams[team] and everybody == 4)
    row[j.RAISERS] = sum(teams[each] for each in TEAMS if each != team) / 3
    row[j.RAISED] = float(team in state.raises.teams)
    return row


def _may_raise(game: Any, state: State, team: str) -> bool:
    if not game.options["raising"] or side_of(state, team).home:
        return False
    return len(state.raises.teams) == 4 or team not in state.raises.teams


def slow_dangers(state: State, rows: dict[str, dict[int, float]]) -> None:
    j = judgement
    for team in TEAMS:
        for piece in side_of(state, team).ring:
            if piece.progress == 0:
                continue
            loss = (piece.progress + 8 + (piece.size - 1) * 36) / 28
            for other in TEAMS:
                if other == team:
                    continue
                side, target = (
                    side_of(state, other),
                    progress_at(other, grid_at(team, piece.progress)),
                )
                near = far = 0.0
                if target == 0 and side.home:
                    near = 1 - (5 / 6) ** pops_granted(side)
                steps = [target - each.progress for each in side.ring]
                near += sum(1 <= each <= 6 for each in steps) / 6
                far += sum(7 <= each <= 12 for each in steps) / 36
                for who, column, worth in (
                    (team, j.NEAR, near * loss),
                    (team, j.FAR, far * loss),
                    (team, j.FINE, (near + far) * piece.size),
                    (other, j.PREY_NEAR, near * loss),
                    (other, j.PREY_FAR, far * loss),
                ):
                    rows[who][column] = rows[who].get(column, 0) + worth


def slow_rows(game: Any, state: State) -> dict[str, dict[int, float]]:
    rows = {team: slow_row(game, state, team) for team in TEAMS}
    slow_dangers(state, rows)
    turns = {team: rows[team][judgement.TURNS] for team in TEAMS}
    for team in TEAMS:
        others = [turns[each] for each in TEAMS if each != team]
        rows[team][judgement.RIVAL], rows[team][judgement.RIVALS] = min(others), sum(others) / 3
    return rows


def slow_chances(rows: dict[str, dict[int, float]]) -> list[float]:
    net, stands = judgement.tuned_net(), []
    for team in TEAMS:
        row = rows[team]
        hidden = [
            max(0.0, net.bias[n] + sum(value * net.inward[c, n] for c, value in row.items()))
            for n in range(judgement.NEURONS)
        ]
        straight = sum(value * net.straight[c] for c, value in row.items())
        stands.append(straight + sum(h * w for h, w in zip(hidden, net.outward, strict=True)))
    return [exp(each) / sum(map(exp, stands)) for each in stands]


def packed_state(game: Any, state: State) -> tuple[kernel.OptionCodes, kernel.Packed]:
    p = kernel.blank()
    kernel.pack(state, p)
    return options_for_tries(kernel.option_codes(game.options)), p


def test_the_judgement_is_what_the_rules_say() -> None:
    rng, seen, found = Random(11), np.zeros((4, judgement.COLUMNS)), np.zeros(4)
    met = np.zeros(judgement.COLUMNS)
    for number in range(3):
        game = game_with(raising=number > 0, pace="turn")
        waiting = game.notation.read_state(f"h1,g1w2/h4/h2,t20x2/h4 R:N1 d2 {NOTHING}")
        for state in (waiting, *islice(at_random(game, rng, 900), 0, None, 11)):
            if not isinstance(state.phase, Popping):
                continue
            options, p = packed_state(game, state)
            judgement.fill_chances(options, judgement.tuned_net(), p, seen, found)
            rows = slow_rows(game, state)
            for i, team in enumerate(TEAMS):
                for column in range(judgement.COLUMNS):
                    wanted = rows[team].get(column, 0)
                    where = f"{game.notation.write_state(state)}: {team} {column}"
                    assert seen[i, column] == pytest.approx(wanted), where
            assert found == pytest.approx(slow_chances(rows)), game.notation.write_state(state)
            met += (seen != 0).any(0)
    assert met.all(), f"never met: {np.flatnonzero(met == 0)}"


# Tries, again by the rules


def slow_worth(game: Any, state: State) -> list[float]:
    if over := game.rules.outcome(state):
        return [float(each > 0) for each in over.payoffs]
    return slow_chances(slow_rows(game, state))


def slow_try(game: Any, state: State, seat: str, action: Any, die: int, turns: int) -> float:
    """Only moves, so that nothing is pending."""
    state = game.rules.resolve(state, seat, action).state
    while game.rules.to_act(state):
        if isinstance(state.phase, Popping):
            turns -= state.phase.is_new
            if turns < 0:
                break
            die = int(next_die(u64(die)))
            face = 1 + (int(mix_bits(u64(die))) >> 32) * 6 // 2**32
            pop = next(each for each in game.rules.odds(state) if each.face == face)
            state = game.rules.resolve(state, CHANCE, pop).state
        else:
            (team,) = game.rules.to_act(state)
            after = [
                game.rules.resolve(state, team, each).state
                for each in game.rules.turn_actions(state, team)
            ]
            state = max(after, key=lambda each: slow_worth(game, each)[TEAMS.index(team)])
    return slow_worth(game, state)[TEAMS.index(seat)]


def test_a_try_is_play_by_the_judgement() -> None:
    rng, d, compared = Random(5), new_buffers(judgement.tuned_net()), 0
    game = game_with(raising=False, pace="turn", hembo="off")
    for state in islice(at_random(game, rng, 600), 20, None, 40):
        if not isinstance(state.phase, Choosing):
            continue
        compared += 1
        seat, die = state.phase.team, rng.getrandbits(63)
        options, d.row[ROOT] = packed_state(game, state)
        action = rng.choice(game.rules.turn_actions(state, seat))
        code, number = i64(kernel.pack_action(action)), i64(TEAMS.index(seat))
        found = try_value(options, d, number, code, u64(die), i64(3))
        wanted = slow_try(game, state, seat, action, die, 3)
        assert found == pytest.approx(wanted), game.notation.write_state(state)


def test_all_actions_meet_the_same_die_until_one_is_left() -> None:
    game, d, flag = (
        game_with(pace="turn"),
        new_buffers(judgement.tuned_net()),
        np.zeros(1, np.int64),
    )
    state = game.notation.read_state(OPEN)
    options, d.row[ROOT] = packed_state(game, state)
    eats, stays = (
        kernel.pack_action(game.notation.read_action(each)) for each in ("R t12-t16", "R t3-t7")
    )
    codes = np.array([eats, eats, stays])
    done = try_actions(options, d, i64(0), codes, i64(3), u64(7), i64(6), i64(3000), flag)
    assert d.sums[0] == d.sums[1], "one action twice"
    assert d.alive[:3].tolist() == [1, 0, 0], "what is no better, and what is worse"
    assert MIN_TRIES <= d.tries[2] <= d.tries[0] < 1000
    assert done == d.tries[:3].sum()


def test_what_is_pending_is_judged_as_it_will_end() -> None:
    """A raise that all but blue gain by is not agreed to, and blue's vote decides."""
    game, d = game_with(pace="turn"), new_buffers(judgement.tuned_net())
    book = "0+0/0+0/0+0/0+0 {} ---- -"
    sides = "t0,t6,t12,g1/t5,g2,g3,g4/h2,t20,g1/h2,t2,g1"
    options, p = packed_state(
        game, game.notation.read_state(f"{sides} R:V- d6 {book.format('1:RBYG')}")
    )
    evaluate_position(options, d, p)
    assert (
        kernel.unpack(p).sides
        == game.notation.read_state(f"{sides} R:N1 d6 {book.format('1:-')}").sides
    )
    asked = f"{sides} R:VY d6 {book.format('1:RBYG')}"
    options, d.row[TRY] = packed_state(game, game.notation.read_state(asked))
    assert kernel.unpack_action(int(best_action(options, d, d.row[TRY], i64(1)))) == Vote(
        "B", False
    )
    options, p = packed_state(game, game.notation.read_state(asked))
    evaluate_position(options, d, p)
    raised = "t0x2,t6,t12/h1,t5,g3,g4/h3,t20/h3,t2"
    assert (
        kernel.unpack(p).sides
        == game.notation.read_state(f"{raised} R:P1 d6 {book.format('2:R')}").sides
    )
