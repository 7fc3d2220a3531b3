"""The search for Kalamala: it is minimax, it respects super-ko, and it stops when it is told to."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from kibitz.bots.api import SearchContext
from kibitz.bots.kalamala import levels
from kibitz.bots.kalamala.buffers import (
    FLAG_DTYPE,
    MAX_PLIES,
    SURE_WIN,
    WIN,
    Handicap,
    Pruning,
    Search,
    fill_settings,
)
from kibitz.bots.kalamala.search import quiescence
from kibitz.core.jit import i64, u64
from kibitz.games.kalamala import Options, kalamala
from kibitz.games.kalamala.kernel.encoding import option_codes
from kibitz.games.kalamala.options import REPETITION
from kibitz.games.kalamala.state import NO_PAST, State

WINS = [line.split("\t") for line in (Path(__file__).parent / "wins.txt").read_text().splitlines()]
CLEAR = Handicap(i64(0), i64(0), u64(0), False)
BOTS = {"mcts": levels.mcts, **{f"level-{n}": bot for n, bot in enumerate(levels.LEVELS, 1)}}


def at_random(game: Any, rng: Random, plies: int) -> State:
    state: State = game.rules.start()
    for _ in range(plies):
        if not game.rules.to_act(state):
            break
        state = game.rules.resolve(
            state, state.side, rng.choice(game.rules.turn_actions(state, state.side))
        ).state
    return state


def search_value(game: Any, state: State, depth: int) -> int:
    root = levels.Root(state, SearchContext(game, state.side, Random(0)), levels.FEW_SLOTS)
    root.prepare_search(10**9)
    return root.search_to_depth(CLEAR, depth)


def minimax(game: Any, state: State, depth: int, ply: int = 0) -> int:
    """The same, without anything clever: by the rules, and judged as the search judges."""
    if depth == 0:
        return judge_state(state, ply)
    actions = game.rules.turn_actions(state, state.side)
    if not actions:
        over = game.rules.outcome(state)
        return 0 if over.result == "draw" else ply - WIN
    after = (game.rules.resolve(state, state.side, action).state for action in actions)
    return max(-minimax(game, each, depth - 1, ply + 1) for each in after)


def judge_state(state: State, ply: int) -> int:
    own = 0 if state.side == "A" else 1
    stones, reserve = [u64(each) for each in state.stones], [i64(each) for each in state.reserve]
    buffers = levels.shared_buffers()
    fill_settings(buffers, CLEAR, Pruning(), uses_net=False)
    flag: Any = np.zeros(1, FLAG_DTYPE).view(np.recarray)[0]
    here = Search(option_codes(kalamala().options), buffers, flag)
    pair = stones[own], stones[1 - own], reserve[own], reserve[1 - own]
    return int(quiescence(here, *pair, i64(ply), i64(-WIN), i64(WIN)))


@pytest.mark.parametrize("repetition", REPETITION)
def test_it_is_minimax(repetition: str) -> None:
    """Few pieces, so that boards come back and the past matters; a limit now and then."""
    rng = Random(repetition)
    for number in range(12):
        game = kalamala(Options(repetition=repetition, turn_limit=(0, 70)[number % 2]))
        state = late(game, rng)
        for depth in (1, 2):
            where = game.notation.write_state(state)
            assert search_value(game, state, depth) == minimax(game, state, depth), (where, depth)


def late(game: Any, rng: Random) -> State:
    """After many plies at random, nobody with pieces in reserve, and with a past."""
    while True:
        state = at_random(game, rng, rng.randrange(55, 68))
        few = sum(each.bit_count() for each in state.stones) <= 9
        if game.rules.to_act(state) and few and not any(state.reserve):
            return state


def test_a_board_that_may_not_come_back_is_not_counted_on() -> None:
    """What the past bars is no action, for the search as for the rules."""
    game, rng, barred = kalamala(), Random(5), 0
    while barred < 8:
        state = late(game, rng)
        for _ in range(30):
            here = {
                action: game.rules.resolve(state, state.side, action).state
                for action in game.rules.turn_actions(state, state.side)
            }
            lasting = [each for each in here.values() if each.dead == state.dead]
            if len(game.rules.turn_actions(replace(state, past=NO_PAST), state.side)) > len(here):
                barred += 1
                assert search_value(game, state, 2) == minimax(game, state, 2), (
                    game.notation.write_state(state)
                )
                break
            if not lasting:
                break
            state = rng.choice(lasting)


@pytest.mark.parametrize("name", BOTS)
def test_whatever_the_position_it_plays_by_the_rules(name: str) -> None:
    rng = Random(name)
    for number in range(25):
        options = Options(
            repetition=rng.choice(REPETITION),
            first=rng.choice("AB"),
            turn_limit=(0, 60)[number % 2],
        )
        game = kalamala(options)
        state = at_random(game, rng, rng.randrange(60))
        if actions := game.rules.turn_actions(state, state.side):
            think = SearchContext(game, state.side, rng, nodes=150)
            assert BOTS[name](state, actions, think) in actions
            assert think.evaluation.nodes <= 150 + MAX_PLIES, "one line may be ended"


@pytest.mark.parametrize("name", BOTS)
def test_the_same_dice_give_the_same_choice(name: str) -> None:
    game = kalamala()
    state = at_random(game, Random(3), 12)
    actions = game.rules.turn_actions(state, state.side)
    chosen = [
        BOTS[name](state, actions, SearchContext(game, state.side, Random(4), nodes=300))
        for _ in "ab"
    ]
    assert chosen[0] == chosen[1]


def test_what_it_thought_about_before_changes_nothing() -> None:
    game = kalamala()
    state = at_random(game, Random(3), 12)

    def choice_and_evaluation() -> Any:
        think = SearchContext(game, state.side, Random(4))
        root = levels.Root(state, think, levels.FEW_SLOTS)
        root.prepare_search(10**9)
        best = root.deepen(Handicap(i64(0), i64(0), u64(0)), 5)
        root.report_evaluation(think)
        return best, think.evaluation

    alone = choice_and_evaluation()
    for number in range(4):
        search_value(game, at_random(game, Random(number), 30), 4)
        assert choice_and_evaluation() == alone


def level_6_at(state: State, match: str, seat_of: str = "") -> Any:
    """The evaluation of level 6 in a match, at so many nodes."""
    game = kalamala()
    seat = seat_of or state.side
    think = SearchContext(game, seat, Random(4), nodes=3000, match=match)
    levels.LEVELS[5](state, game.rules.turn_actions(state, state.side), think)
    return think.evaluation


def test_in_a_match_level_6_goes_on_with_what_it_found() -> None:
    state = at_random(kalamala(), Random(3), 12)
    alone = level_6_at(state, "")
    assert level_6_at(state, "one") == alone
    again = level_6_at(state, "one")
    assert again.depth > alone.depth, "the first depths are known"
    assert level_6_at(state, "another") == alone
    assert level_6_at(state, "another", "BA"[state.side == "B"]) == alone, "nor for the other seat"
    assert level_6_at(state, "") == alone
    assert level_6_at(state, "") == alone


@pytest.mark.parametrize("name", BOTS)
def test_told_to_stop_it_chooses_at_once(name: str) -> None:
    game = kalamala()
    state = at_random(game, Random(3), 12)
    actions, think = (
        game.rules.turn_actions(state, state.side),
        SearchContext(game, state.side, Random(4)),
    )
    think.stop()
    assert BOTS[name](state, actions, think) in actions
    assert think.evaluation.nodes < 5000


def test_it_says_what_it_considered() -> None:
    game = kalamala()
    state = at_random(game, Random(3), 12)
    think = SearchContext(game, state.side, Random(4), nodes=20_000)
    chosen = levels.LEVELS[4](state, game.rules.turn_actions(state, state.side), think)
    said = think.evaluation
    assert said.candidates[0].action == chosen
    assert said.depth >= 3
    assert 0 < said.candidates[0].value < 1
    for action in said.candidates[0].line:
        assert action in game.rules.turn_actions(state, state.side), "its line can be played"
        state = game.rules.resolve(state, state.side, action).state


def test_it_wins_by_force() -> None:
    """Ten positions each in 5, 7 and 9 plies with one winning first action (tools/find_wins.py)."""
    solved = 0
    for _, action, position in WINS:
        game = kalamala()
        state = game.notation.read_state(position)
        think = SearchContext(game, state.side, Random(1), nodes=300_000)
        chosen = levels.LEVELS[4](state, game.rules.turn_actions(state, state.side), think)
        solved += game.notation.write_action(chosen) == action
    assert len(WINS) == 30
    assert solved >= 29


@pytest.mark.long
def test_the_wins_are_wins_and_the_only_ones() -> None:
    """By the rules alone, without the search: the shortest ones, in full."""
    for plies, action, position in WINS:
        if plies != "5":
            continue
        game = kalamala()
        state = game.notation.read_state(position)
        winning = [
            each
            for each in game.rules.turn_actions(state, state.side)
            if loses(game, game.rules.resolve(state, state.side, each).state, 4)
        ]
        assert [game.notation.write_action(each) for each in winning] == [action], position
        assert not wins(game, state, 3), position


def wins(game: Any, state: State, plies: int) -> bool:
    if plies <= 0:
        return False
    after = (
        game.rules.resolve(state, state.side, each).state
        for each in game.rules.turn_actions(state, state.side)
    )
    return any(loses(game, each, plies - 1) for each in after)


def loses(game: Any, state: State, plies: int) -> bool:
    actions = game.rules.turn_actions(state, state.side)
    if not actions:
        return bool(game.rules.outcome(state).result != "draw")
    if plies <= 1:
        return False
    return all(
        wins(game, game.rules.resolve(state, state.side, each).state, plies - 1) for each in actions
    )


def test_a_sure_win_is_worth_more_than_anything() -> None:
    for _, _, position in WINS[:3]:
        game = kalamala()
        state = game.notation.read_state(position)
        assert search_value(game, state, 10) >= SURE_WIN
