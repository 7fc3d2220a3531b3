"""The kernel and the rules play the same game, side by side."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from games.kalamala.play import at, state_after
from games.kalamala.test_perft import CASES
from kibitz.core.jit import i64, u64
from kibitz.games.kalamala import KALAMALA, Options, kalamala, kernel
from kibitz.games.kalamala.actions import Move
from kibitz.games.kalamala.board import SQUARES
from kibitz.games.kalamala.kernel.encoding import FALL, MAX_TURN, NO_ACTION, PAST_CAPACITY
from kibitz.games.kalamala.options import REPETITION
from kibitz.games.kalamala.rules import landing
from kibitz.games.kalamala.state import NO_PAST, End, State
from support.kernel_vs_rules.kalamala import RARE, compare, compare_at, some_position, whole_matches
from support.kernel_vs_rules.match import agree, in_another_python, played_out, side_by_side

BESIDE = "support.kernel_vs_rules.kalamala"


@pytest.mark.parametrize("repetition", REPETITION)
def test_a_whole_match(repetition: str) -> None:
    limit = 0 if "super" in repetition else 90
    game = kalamala(Options(repetition=repetition, turn_limit=limit))
    assert side_by_side(game, kernel, Random(5)) > 50


@pytest.mark.long
@pytest.mark.parametrize("seed", range(50))
def test_whole_matches(seed: int) -> None:
    assert whole_matches(seed, 20)


def test_every_kind_of_position() -> None:
    met = compare(1, 800)
    assert not [rare for rare in RARE if not met[rare]], met


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 130))
def test_every_kind_of_position_at_length(seed: int) -> None:
    met = compare(seed, 3000)
    assert not [rare for rare in RARE if met[rare] < 3], met


def test_one_piece_that_falls_far_is_preferred_to_two_by_a_step() -> None:
    """g2 is left empty by g2:E2, or by g2-g1:S1."""
    state = at("8/8/8/8/6A1/6A1/4AAB1/6B1 A 0,0 4,6 51 -")
    _, packed = packed_from(kalamala(), state)
    code = kernel.listed_action(packed.stones[0], packed.stones[1], i64(FALL + 14))
    assert kernel.unpack_action(int(code)) == kalamala().notation.read_action("g2:E2")
    compare_at(kalamala(), state, Random(1), Counter())


def test_interpreted() -> None:
    script = "whole_matches(7, 2, 20); compare(2, 25)"
    in_another_python(script, BESIDE, KIBITZ_TARGET="python")


@pytest.mark.long
def test_interpreted_at_length() -> None:
    script = "whole_matches(9, 10); assert not RARE - set(compare(4, 1500))"
    in_another_python(script, BESIDE, KIBITZ_TARGET="python")


@pytest.mark.long
def test_with_bounds_checked_at_length() -> None:
    script = "whole_matches(10, 40); assert not RARE - set(compare(5, 3000))"
    in_another_python(script, BESIDE, KIBITZ_TARGET="jit", NUMBA_BOUNDSCHECK="1")


@pytest.mark.parametrize(("position", "repetition", "depth", "expected"), CASES)
def test_counts(position: str, repetition: str, depth: int, expected: int) -> None:
    game = kalamala(Options(repetition=repetition))
    options, packed = packed_from(game, state_after(position))
    assert kernel.perft(options, packed, depth) == expected
    assert kernel.unpack(packed) == state_after(position)


def test_counts_stop_at_the_limit() -> None:
    game = kalamala(Options(turn_limit=2))
    options, packed = packed_from(game, game.rules.start())
    assert [kernel.perft(options, packed, depth) for depth in (1, 2, 3)] == [80, 6276, 0]


def packed_from(game: Any, state: State) -> tuple[Any, Any]:
    packed = kernel.blank()
    kernel.pack(state, packed)
    return kernel.option_codes(game.options), packed


def test_the_start() -> None:
    for first in "AB":
        game = kalamala(Options(first=first))
        options, packed = packed_from(game, some_position(Random(1), Options()))
        kernel.start(options, packed)
        assert kernel.unpack(packed) == game.rules.start()


@pytest.mark.parametrize("repetition", REPETITION)
def test_a_playout_is_a_match(repetition: str) -> None:
    """What it chooses, one by one, is played by the rules, and the end is the same."""
    limit = 300 if "super" in repetition else 50
    game = kalamala(Options(repetition=repetition, turn_limit=limit))
    options, packed = packed_from(game, game.rules.start())
    state, die, played = game.rules.start(), u64(77), 0
    while (over := game.rules.outcome(state)) is None:
        code, die = kernel.pick(options, packed, u64(die))
        action = kernel.unpack_action(int(code))
        assert action in game.rules.turn_actions(state, state.side)
        state = game.rules.resolve(state, state.side, action).state
        kernel.resolve(options, packed, packed.side[0], i64(code))
        played += 1
    assert played_out(game, kernel, 77) == (played, list(over.payoffs))


def test_a_playout_stops_where_it_is_told_to() -> None:
    game = kalamala()
    options, packed = packed_from(game, game.rules.start())
    payoffs = np.full(2, 9, np.int64)
    assert kernel.playout(options, packed, u64(3), i64(10), payoffs)[0] == 10
    assert packed.turn[0] == 11
    assert payoffs.tolist() == [0, 0]


def test_a_playout_that_has_ended_says_so() -> None:
    """The side to act has lost, though not an action more may be played."""
    options, packed = packed_from(kalamala(), at("8/8/8/8/8/6B1/5B2/7A A 0,0 7,6 51 -"))
    payoffs = np.zeros(2, np.int64)
    assert kernel.playout(options, packed, u64(3), i64(0), payoffs)[0] == 0
    assert payoffs.tolist() == [-1, 1]
    assert kernel.pick(options, packed, u64(3))[0] == NO_ACTION


@pytest.mark.parametrize(
    ("position", "actions"),
    [
        ("start", 80),
        ("6B1/8/8/6B1/8/8/6A1/6A1 A 0,0 6,6 53 6B1/8/6B1/8/8/8/6A1/6A1;6B1/8/8/8/6B1/8/6A1/6A1", 4),
    ],
)
def test_every_action_is_as_likely_as_any_other(position: str, actions: int) -> None:
    """Where placements and moves stand side by side, and where some moves are barred."""
    game, draws = kalamala(), 400 * actions
    options, packed = packed_from(game, state_after(position))
    met, die = dict[int, int](), u64(5)
    for _ in range(draws):
        code, die = kernel.pick(options, packed, u64(die))
        met[int(code)] = met.get(int(code), 0) + 1
    assert len(met) == actions
    surprise = sum((times - 400) ** 2 / 400 for times in met.values())
    assert surprise < actions + 4 * (2 * actions) ** 0.5, met


def test_random_play_ends_under_the_preset() -> None:
    game = KALAMALA.game(KALAMALA.bots_preset)
    lengths = [played_out(game, kernel, seed)[0] for seed in range(200)]
    assert 120 < sum(lengths) / 200 < 160
    assert max(lengths) < 500


def crowd(state: State, boards: int, rng: Random) -> State:
    """A past so long that most hints are taken: other boards with as many pieces."""
    past, (a, b) = NO_PAST, (each.bit_count() for each in state.stones)
    for turn in range(state.turn - boards, state.turn):
        squares = rng.sample(SQUARES, a + b)
        stones = (sum(1 << each for each in squares[:a]), sum(1 << each for each in squares[a:]))
        past = past.insert(stones, (turn,))
    return replace(state, past=past)


def test_a_long_past_bars_only_its_own_boards() -> None:
    rng, game = Random(6), kalamala()
    for _ in range(10):
        state = replace(some_position(rng, Options()), turn=700)
        state = crowd(state, 500, rng)
        options, packed = packed_from(game, state)
        agree(game, kernel, options, state, packed)


def test_a_board_that_stood_twice() -> None:
    """Under situational super-ko it may have stood on a turn of either side."""
    one, two = "6B1/8/8/6B1/8/8/6A1/6A1", "6B1/8/6B1/8/8/8/6A1/6A1"
    game = kalamala(Options(repetition="superko-situational"))
    state = game.notation.read_state(
        f"6B1/8/8/8/6B1/8/6A1/6A1 A 0,0 6,6 55 {two};{one};{one};{two}"
    )
    options, packed = packed_from(game, state)
    assert kernel.unpack(packed) == state
    out = np.zeros(kernel.MAX_ACTIONS, np.int64)
    count = kernel.turn_actions(options, packed, i64(0), out)
    told = [kernel.unpack_action(int(code)) for code in out[:count]]
    assert told == list(game.rules.turn_actions(state, "A"))


def latest_boards(state: State) -> State:
    """The same with as much of its past as there is room for."""
    stood = sorted((turns, board) for board, turns in state.past.items())[-PAST_CAPACITY:]
    past = NO_PAST
    for turns, board in stood:
        past = past.insert(board, turns)
    return replace(state, past=past)


def test_beyond_its_room_the_oldest_boards_are_forgotten() -> None:
    game, state = kalamala(), replace(kalamala().rules.start(), turn=900)
    state = crowd(state, PAST_CAPACITY - 2, Random(3))
    options, packed = packed_from(game, state)
    for _ in range(6):
        move = next_move(state)
        kernel.resolve(options, packed, packed.side[0], i64(kernel.pack_action(move)))
        state = game.rules.resolve(state, state.side, move).state
    assert len(state.past) > PAST_CAPACITY
    assert kernel.unpack(packed) == latest_boards(state)


def reversible(moves: int) -> State:
    """A match with so many moves, no placements and no deaths."""
    game = kalamala()
    state = game.rules.start()
    for _ in range(moves):
        state = game.rules.resolve(state, state.side, next_move(state)).state
    assert len(state.past) == moves
    return state


def next_move(state: State) -> Move:
    actions = kalamala().rules.turn_actions(state, state.side)
    return next(
        each for each in actions if isinstance(each, Move) and landing(each, each.front) is not None
    )


def test_of_a_longer_past_the_latest_boards_are_packed() -> None:
    rng = Random(8)
    state = crowd(replace(at("8/6B1/5B2/8/3A4/2A5/1A6/A7 A 0,1 4,5 51 -"), turn=900), 700, rng)
    options, packed = packed_from(kalamala(), state)
    assert kernel.unpack(packed) == latest_boards(state)
    assert kernel.to_act(options, packed) == 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"end": End("A", "resign")}, "role"),
        ({"turn": 2**62}, "too far"),
        ({"past": NO_PAST.insert((1, 2), (3,))}, "other numbers"),
    ],
)
def test_what_cannot_be_packed(change: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        kernel.pack(replace(kalamala().rules.start(), **change), kernel.blank())


def test_what_has_no_code() -> None:
    with pytest.raises(ValueError, match="role"):
        kernel.pack_action(kalamala().notation.read_action("resign A"))


def test_a_copy_is_another_state() -> None:
    game = kalamala()
    state = reversible(2)
    options, packed = packed_from(game, state)
    copied = kernel.blank()
    kernel.pack(crowd(replace(game.rules.start(), turn=600), 400, Random(2)), copied)
    kernel.copy(packed, copied)
    assert kernel.unpack(copied) == state
    kernel.resolve(options, copied, i64(0), i64(0))
    assert kernel.unpack(packed) == state


def test_keys_differ_where_states_do() -> None:
    game = kalamala()
    state = reversible(2)
    options, packed = packed_from(game, state)
    a, b = state.stones
    others = [
        replace(state, stones=(b, a)),
        replace(state, side="B"),
        replace(state, reserve=(3, 4)),
        replace(state, reserve=(4, 3)),
        replace(state, turn=5),
        replace(state, past=NO_PAST),
        replace(state, past=NO_PAST.insert(state.stones, (1,))),
        replace(state, past=NO_PAST.insert(state.stones, (2,))),
    ]
    keys = {int(kernel.key(*packed_from(game, each))) for each in others}
    assert len(keys | {int(kernel.key(options, packed))}) == 9


def test_the_key_of_a_board_has_a_part_for_each_side() -> None:
    a, b = map(u64, kalamala().rules.start().stones)
    parts = kernel.stones_key(i64(0), a), kernel.stones_key(i64(1), b)
    assert kernel.board_key(a, b) == parts[0] ^ parts[1]
    assert kernel.board_key(a, b) != kernel.board_key(b, a)
    keys = {
        int(kernel.reserve_key(i64(kept), i64(also), i64(side)))
        for kept in range(5)
        for also in range(5)
        for side in range(2)
    }
    assert len(keys) == 50


def test_a_limit_may_be_greater_than_any_number() -> None:
    options = kernel.option_codes(kalamala(Options(turn_limit=10**30)).options)
    assert options.turn_limit == MAX_TURN
