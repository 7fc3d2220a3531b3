"""The kernel and the rules play the same game, side by side."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from games.kahmate.play import SET_UP, game_with, state_after
from kibitz.core.jit import i64, u64
from kibitz.games.kahmate import kernel
from kibitz.games.kahmate.actions import Resign
from kibitz.games.kahmate.kernel.encoding import STATE
from kibitz.games.kahmate.state import Duelling, Hold, Man, MatchOver, Mover, Phase, State, put_man
from support.kernel_vs_rules.kahmate import (
    KAHMATE,
    RARE,
    as_bytes,
    compare,
    compare_seldom,
    perft,
    played_by_the_rules,
    whole_matches,
)
from support.kernel_vs_rules.match import in_another_python, played_out, side_by_side

BESIDE = "support.kernel_vs_rules.kahmate"
KICK_OFF = "13/2O8o1/2S7s2/1F8c2/2C7t2/1O11/2T8o1/10f2 R play - g4 123456/123456 0-0 0 -"
SCRUM = "13/13/4Co!7/3FOst6/4T1f6/5o7/3Oc8/13 R play - e4 1356/2345 1-0 20 R:1:d"
"""All kinds of plays at once."""
GOAL_LINE = "13/13/13/13/1Osf9/1T11/13/13 B play - b5 3/4 0-0 21 -"


def test_whole_matches() -> None:
    assert whole_matches(1, 5) > 500


def test_a_match_as_tables_have_it() -> None:
    game = KAHMATE.game({**KAHMATE.preset, "turn_limit": 60})
    assert side_by_side(game, kernel, Random(1)) > 200


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 110))
def test_whole_matches_at_length(seed: int) -> None:
    assert whole_matches(seed, 20, 120) > 2000


def test_every_kind_of_position() -> None:
    met = compare(3, 300) + compare_seldom()
    assert not RARE - set(met)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 108))
def test_every_kind_of_position_at_length(seed: int) -> None:
    met = compare(seed, 2500) + compare_seldom()
    assert not RARE - set(met)


def test_interpreted() -> None:
    script = "whole_matches(7, 1, 8); compare(2, 20)"
    in_another_python(script, BESIDE, KIBITZ_TARGET="python")


@pytest.mark.long
def test_interpreted_at_length() -> None:
    script = "whole_matches(9, 8); assert not RARE - set(compare(4, 600) + compare_seldom())"
    in_another_python(script, BESIDE, KIBITZ_TARGET="python")


@pytest.mark.long
def test_with_bounds_checked_at_length() -> None:
    script = "whole_matches(10, 40); assert not RARE - set(compare(5, 3000) + compare_seldom())"
    in_another_python(script, BESIDE, KIBITZ_TARGET="jit", NUMBA_BOUNDSCHECK="1")


def packed_from(game: Any, state: State) -> tuple[Any, Any]:
    packed = kernel.blank()
    kernel.pack(state, packed)
    return kernel.option_codes(game.options), packed


@pytest.mark.parametrize(
    ("position", "depth", "options"),
    [
        ("start", 3, {}),
        (KICK_OFF, 2, {}),
        (SCRUM, 2, {"tries": 2, "hold_limit": 2}),
        (GOAL_LINE, 4, {}),
    ],
)
def test_counts(position: str, depth: int, options: dict[str, Any]) -> None:
    game, state = game_with(**options), state_after(position, **options)
    codes, packed = packed_from(game, state)
    for each in range(1, depth + 1):
        assert kernel.perft(codes, packed, each) == perft(game, state, each)
    assert kernel.unpack(packed) == state


@pytest.mark.long
@pytest.mark.parametrize(
    ("position", "depth", "options"),
    [(KICK_OFF, 4, {}), (SCRUM, 4, {"tries": 2, "hold_limit": 2}), (GOAL_LINE, 6, {})],
)
def test_counts_at_length(position: str, depth: int, options: dict[str, Any]) -> None:
    test_counts(position, depth, options)


def test_counts_of_the_set_up() -> None:
    codes, packed = packed_from(game_with(), state_after("start"))
    assert kernel.perft(codes, packed, 0) == 1
    assert kernel.perft(codes, packed, 6) == 16 * 15 * 14 * 13 * 12 * 11


@pytest.mark.parametrize("seed", [1, 2])
def test_a_playout_is_a_match(seed: int) -> None:
    """Its choices are those of `pick`, which is compared to the lists wherever we look."""
    game = game_with(turn_limit=60, hold_limit=3, tries=2)
    codes, packed = packed_from(game, game.rules.start())
    payoffs = np.zeros(2, np.int64)
    length, _ = kernel.playout(codes, packed, u64(seed), i64(10**9), payoffs)
    played, state = played_by_the_rules(game, seed)
    assert (length, kernel.unpack(packed)) == (played, state)
    assert tuple(payoffs.tolist()) == game.rules.outcome(state).payoffs


def test_playouts_under_the_preset_end_in_all_ways() -> None:
    game = KAHMATE.game(KAHMATE.preset)
    ends = [played_out(game, kernel, seed) for seed in range(400)]
    assert {tuple(payoffs) for _, payoffs in ends} == {(1, -1), (-1, 1), (0, 0)}
    assert len({length for length, _ in ends}) > 100


def test_a_playout_stops_after_so_many_actions() -> None:
    game = game_with()
    codes, packed = packed_from(game, game.rules.start())
    payoffs = np.array([7, 7])
    played, die = kernel.playout(codes, packed, u64(5), i64(13), payoffs)
    assert played == 13
    assert payoffs.tolist() == [0, 0]
    assert game.notation.write_state(kernel.unpack(packed)).split()[2] == "play"
    again, _ = kernel.playout(codes, packed, die, i64(10), payoffs)
    assert again == 10


def test_a_finished_match_stays_as_it_is() -> None:
    game = game_with()
    over = state_after("start", "resign R")
    codes, packed = packed_from(game, over)
    payoffs = np.zeros(2, np.int64)
    assert kernel.playout(codes, packed, u64(5), i64(13), payoffs)[0] == 0
    assert payoffs.tolist() == [-1, 1]
    assert kernel.perft(codes, packed, 2) == 0
    assert kernel.unpack(packed) == over


def test_a_key_tells_states_apart_by_every_field() -> None:
    game = game_with()
    state = replace(state_after(SCRUM, hold_limit=2, tries=2), movers=(Mover(35, 1), Mover(36, 2)))
    men = [(at, man) for at, man in enumerate(state.field) if man]
    duel = Duelling("I", 35, 36, 37, 1, 2)
    phases: list[Phase] = [
        *map(MatchOver, ("R", "B", "draw", "void")),
        duel,
        replace(duel, contest="T"),
        replace(duel, attacker=34),
        replace(duel, defender=34),
        replace(duel, receiver=34),
        replace(duel, round=2),
        replace(duel, card=3),
        replace(duel, card=None),
    ]
    variants = [
        state,
        *(replace(state, field=put_man(state.field, at, None)) for at, _ in men),
        *(replace(state, field=put_man(state.field, at, Man("R", "S", 2))) for at, _ in men),
        *(replace(state, field=put_man(state.field, at, Man("B", "S", 1))) for at, _ in men),
        replace(state, turn="B"),
        *(replace(state, phase=phase) for phase in phases),
        replace(state, movers=()),
        replace(state, movers=state.movers[:1]),
        replace(state, movers=(Mover(34, 1), Mover(36, 2))),
        replace(state, movers=(Mover(35, 1), Mover(37, 2))),
        replace(state, movers=(Mover(35, 2), Mover(36, 2))),
        replace(state, movers=(Mover(35, 1), Mover(36, 1))),
        replace(state, ball=None),
        replace(state, ball=36),
        replace(state, hands=((1,), state.hands[1])),
        replace(state, hands=(state.hands[0], (1,))),
        replace(state, score=(0, 0)),
        replace(state, score=(1, 1)),
        replace(state, raised_tries=3),
        replace(state, turns=21),
        replace(state, hold=None),
        *(replace(state, hold=Hold(*hold)) for hold in (("B", 1, 3), ("R", 0, 3), ("R", 1, 4))),
    ]
    distinct = set(variants)
    keys, packed = set(), kernel.blank()
    for variant in distinct:
        kernel.pack(variant, packed)
        assert kernel.unpack(packed) == variant
        keys.add(int(kernel.key(kernel.option_codes(game.options), packed)))
    assert len(keys) == len(distinct) > 60


def test_a_state_fits_into_three_lines_of_cache() -> None:
    assert STATE.itemsize == 192


def test_a_pool_of_states_is_copied_as_words() -> None:
    states = kernel.pool(2)
    kernel.pack(state_after(SCRUM, hold_limit=2, tries=2), states[0])
    words = states.view(np.uint64).reshape(2, -1)
    words[1] = words[0]
    assert as_bytes(states[1]) == as_bytes(states[0])
    assert kernel.unpack(states[1]) == state_after(SCRUM, hold_limit=2, tries=2)


def test_a_count_beyond_all_matches_is_not_packed() -> None:
    state = state_after(KICK_OFF)
    for far in (replace(state, turns=2**61 + 1), replace(state, hold=Hold("R", 2**61 + 1, 3))):
        with pytest.raises(ValueError, match="cannot be packed"):
            kernel.pack(far, kernel.blank())
    packed = kernel.blank()
    kernel.pack(replace(state, turns=2**61), packed)
    assert kernel.unpack(packed).turns == 2**61


def test_a_limit_beyond_all_matches_is_none() -> None:
    codes = kernel.option_codes(game_with(turn_limit=10**30, hold_limit=10**30).options)
    assert codes.turn_limit == codes.hold_limit == 2**62


def test_events_have_no_number() -> None:
    with pytest.raises(ValueError, match="Resign"):
        kernel.pack_action(Resign("R"))


def test_a_match_by_hand() -> None:
    """The worked example of setting up, and of two movers."""
    game = game_with()
    state: State = game.rules.start()
    codes, packed = packed_from(game, state)
    texts = f"{SET_UP} ball=3 b4-c4 c4-d4 d4-e4 e4-f4 c5-d5 d5-e5 e5-f5"
    for text in texts.split():
        code = kernel.pack_action(game.notation.read_action(text))
        kernel.resolve(codes, packed, i64(0), i64(code))
    assert game.notation.write_state(kernel.unpack(packed)) == (
        "13/2O8o1/2S7s2/5F4c2/5C4t2/1O11/2T8o1/10f2 R play f4:0,f5:0 g4 123456/123456 0-0 0 -"
    )
    out = np.zeros(kernel.MAX_ACTIONS, np.int64)
    assert kernel.turn_actions(codes, packed, i64(0), out) == 1
    assert game.notation.write_action(kernel.unpack_action(int(out[0]))) == "end"


def test_all_is_compiled_beforehand() -> None:
    kernel.warm()
