"""The kernel and the rules play side by side, from the start and from positions seldom seen."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from games.as_kimble.play import LOTS, game_with
from games.as_kimble.test_reference import (
    EXAMPLE_3,
    EXAMPLE_9,
    EXAMPLE_10,
    EXAMPLE_11,
    EXAMPLE_12,
)
from kibitz.core.bits import mix_bits, next_die
from kibitz.core.game import CHANCE, Game
from kibitz.core.jit import i64, u64
from kibitz.games.as_kimble import AS_KIMBLE, kernel
from kibitz.games.as_kimble.actions import (
    Action,
    BookedWin,
    Church,
    IgnoredBreak,
    Lot,
    Note,
    RefEnd,
    SilentLot,
    SilentPop,
    StickyLot,
    StickyPop,
    StrayPop,
    WarmPop,
)
from kibitz.games.as_kimble.kernel.encoding import MAX_LOTS, STATE
from kibitz.games.as_kimble.state import GameOver, Lots, Side, State
from support.kernel_vs_rules.as_kimble import RARE, compare, whole_games
from support.kernel_vs_rules.match import in_another_python, number, played_out, side_by_side

BESIDE = "support.kernel_vs_rules.as_kimble"
ACTORS = ("R", "B", "Y", "G", CHANCE)
DEFAULT = game_with()


def packed_from(
    game: Game[Any, Any, Any], state: State
) -> tuple[kernel.OptionCodes, kernel.Packed]:
    packed = kernel.blank()
    kernel.pack(state, packed)
    return kernel.option_codes(game.options), packed


def packed_at(position: str, **options: Any) -> tuple[kernel.OptionCodes, kernel.Packed]:
    game = game_with(**options)
    return packed_from(game, game.notation.read_state(position))


# Side by side


def test_whole_games() -> None:
    whole_games(range(8), 90)


def test_a_whole_game_to_its_end() -> None:
    assert side_by_side(game_with(pace="turn", hembo="off"), kernel, Random(14)) > 200


def test_every_kind_of_position() -> None:
    met = compare(range(250))
    assert not [each for each in RARE if not met[each]], met


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1100, 10))
def test_whole_games_at_length(seed: int) -> None:
    whole_games(range(seed, seed + 10), 1500)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10_000, 20_000, 1_000))
def test_every_kind_of_position_at_length(seed: int) -> None:
    met = compare(range(seed, seed + 1_000), 4)
    assert not [each for each in RARE if not met[each]], met


# In other ways


def test_interpreted() -> None:
    script = "whole_games(range(20, 23), 30); assert len(compare(range(400, 410))) > 50"
    in_another_python(script, BESIDE, KIBITZ_TARGET="python")


@pytest.mark.long
def test_interpreted_at_length() -> None:
    script = "whole_games(range(40, 60), 300); assert not set(RARE) - set(compare(range(600)))"
    in_another_python(script, BESIDE, KIBITZ_TARGET="python")


@pytest.mark.long
def test_with_bounds_checked_at_length() -> None:
    script = "whole_games(range(60, 90), 400); assert not set(RARE) - set(compare(range(1500)))"
    in_another_python(script, BESIDE, KIBITZ_TARGET="jit", NUMBA_BOUNDSCHECK="1")


# Counts


def sequences(game: Game[Any, Any, Any], state: State, depth: int) -> int:
    listed = [(actor, each) for actor in ACTORS for each in game.rules.turn_actions(state, actor)]
    if depth == 1:
        return len(listed)
    after = (game.rules.resolve(state, actor, action).state for actor, action in listed)
    return sum(sequences(game, each, depth - 1) for each in after)


COUNTED: list[tuple[dict[str, Any], str, int]] = [
    ({}, "h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -", 4),
    ({"mode": "companion"}, EXAMPLE_3, 4),
    ({"raise_return": "rearmost"}, EXAMPLE_9, 4),
    ({"finished": "skip", "pace": "turn"}, EXAMPLE_9, 4),
    ({"refusal": "final"}, EXAMPLE_10, 5),
    ({"pace": "turn", "die": "naksu"}, EXAMPLE_11, 3),
    ({}, EXAMPLE_12.replace("-/-/-/-", "3/3/3/-"), 3),
    ({"mode": "companion"}, EXAMPLE_12.replace("-/-/-/-", "3/3/3/-"), 3),
    ({"mode": "companion"}, "h3,t5/h4/h4/h4 B:N3 d2>5 0+0/0+0/0+0/0+0 1:- ---- -", 2),
]


@pytest.mark.parametrize(("options", "position", "depth"), COUNTED)
def test_counts(options: dict[str, Any], position: str, depth: int) -> None:
    game = game_with(**options)
    state = game.notation.read_state(position)
    codes, packed = packed_from(game, state)
    for each in range(1, depth + 1):
        assert kernel.perft(codes, packed, each) == sequences(game, state, each)
    assert kernel.unpack(packed) == state


def test_nothing_at_all_is_one_sequence() -> None:
    codes, packed = packed_at(EXAMPLE_9)
    assert kernel.perft(codes, packed, 0) == 1


# Random play


@pytest.mark.parametrize("seed", range(6))
def test_random_play_follows_the_rules(seed: int) -> None:
    """The same die in the rules' hands leads to the same end."""
    options = {"pace": "turn", "die": ("fair", "naksu")[seed % 2], "refusal": "final"}
    game = game_with(**options, finished=("pop", "skip")[seed // 2 % 2])
    state, die = game.rules.start() if seed else game.notation.read_state(LOTS), u64(seed)
    codes, packed = packed_from(game, state)
    played, payoffs = 0, np.zeros(4, np.int64)
    kernel.pack(state, whole := kernel.blank())
    length, left = kernel.playout(codes, whole, die, i64(10**6), payoffs)
    while game.rules.to_act(state):
        die = u64(next_die(die))
        shown = u64(mix_bits(die))
        actor = kernel.actor_at(codes, packed, shown)
        code = kernel.pick(codes, packed, actor, shown)
        action = kernel.unpack_action(int(code))
        assert action in game.rules.turn_actions(state, ACTORS[actor])
        assert ACTORS[actor] == CHANCE or CHANCE not in game.rules.to_act(state)
        kernel.resolve(codes, packed, actor, code)
        state, played = game.rules.resolve(state, ACTORS[actor], action).state, played + 1
    over = game.rules.outcome(state)
    assert over is not None
    assert kernel.unpack(whole) == state
    assert (length, tuple(payoffs.tolist())) == (played, over.payoffs)
    assert left == next_die(die)


def test_random_play_stops_when_told() -> None:
    codes, packed = packed_from(DEFAULT, DEFAULT.rules.start())
    payoffs = np.full(4, 7, np.int64)
    assert kernel.playout(codes, packed, u64(1), i64(5), payoffs)[0] == 5
    assert payoffs.tolist() == [0, 0, 0, 0]


def test_random_play_waits_in_a_break() -> None:
    codes, packed = packed_at(EXAMPLE_9[:-1] + "b")
    assert kernel.playout(codes, packed, u64(1), i64(5), np.zeros(4, np.int64))[0] == 0


def test_random_games_differ_and_end() -> None:
    game = game_with(pace="turn", hembo="off")
    played = [played_out(game, kernel, seed) for seed in range(200)]
    assert all(sorted(payoffs) == [-1, -1, -1, 3] for _, payoffs in played)
    assert len({length for length, _ in played}) > 150
    wins = Counter(payoffs.index(3) for _, payoffs in played)
    assert min(wins[seat] for seat in range(4)) > 25


PICKED = [*COUNTED, ({"mode": "companion"}, EXAMPLE_10.replace("M6", "VB"), 1)]


def shown_for(i: int, count: int) -> int:
    """The middle of the i-th of so many equal parts of all that a die can show."""
    return ((2 * i + 1) << 31) // count


@pytest.mark.parametrize(("options", "position", "depth"), PICKED)
def test_every_action_is_as_likely(options: dict[str, Any], position: str, depth: int) -> None:
    game = game_with(**options)
    state = game.notation.read_state(position)
    codes, packed = packed_from(game, state)
    actors = [actor for actor in ACTORS if actor in game.rules.to_act(state)]
    if CHANCE in actors:
        actors = [CHANCE]
    for i, actor in enumerate(actors):
        shown = shown_for(i, len(actors))
        assert ACTORS[kernel.actor_at(codes, packed, u64(shown))] == actor
        listed = game.rules.turn_actions(state, actor)
        for j, action in enumerate(listed):
            shown = shown_for(j, len(listed)) << 32
            code = kernel.pick(codes, packed, number(game, actor), u64(shown))
            assert kernel.unpack_action(int(code)) == action


@pytest.mark.parametrize("face", range(1, 7))
def test_a_dome_turns_the_die_over(face: int) -> None:
    game = game_with(die="naksu")
    state = game.notation.read_state(f"h4/h4/h4/h4 R:N3 d{face} 0+0/0+0/0+0/0+0 1:- ---- -")
    codes, packed = packed_from(game, state)
    picked = Counter[Action]()
    for i in range(100):
        shown = u64(shown_for(i, 100) << 32)
        picked[kernel.unpack_action(int(kernel.pick(codes, packed, i64(4), shown)))] += 1
    assert picked == {action: 100 * chance for action, chance in game.rules.odds(state).items()}


# Packing


def test_a_copy_is_all_of_it() -> None:
    packed, other = kernel.blank(), kernel.blank()
    for i, name in enumerate(STATE.names or ()):
        value = np.arange(4) + 10 * i if STATE[name].shape else 10 * i + 1
        setattr(packed, name, value)
    kernel.copy(packed, other)
    assert all(np.array_equal(getattr(packed, n), getattr(other, n)) for n in STATE.names or ())


def test_everything_counts_for_the_key() -> None:
    codes, packed = packed_at(EXAMPLE_10)
    keys = [int(kernel.key(codes, packed))]
    for name in STATE.names or ():
        for i in range(4 if STATE[name].shape else 1):
            for change in (1, 3):
                changed = kernel.blank()
                kernel.copy(packed, changed)
                if STATE[name].shape:
                    getattr(changed, name)[i] ^= change
                else:
                    setattr(changed, name, getattr(changed, name) ^ change)
                keys.append(int(kernel.key(codes, changed)))
    assert len(keys) == len(set(keys)) > 80


def test_what_was_packed_before_is_gone() -> None:
    _, packed = packed_at(EXAMPLE_10)
    kernel.pack(State(), packed)
    assert kernel.unpack(packed) == State()


def test_a_reason_is_not_packed() -> None:
    with pytest.raises(ValueError, match="reason"):
        kernel.pack(State(phase=GameOver(None, "late")), kernel.blank())


def test_a_fifth_piece_is_not_packed() -> None:
    sides = (Side(home=5), Side(), Side(), Side())
    with pytest.raises(ValueError, match="pieces"):
        kernel.pack(State(sides=sides), kernel.blank())


def tied_lots(pops: int) -> State:
    return State(phase=Lots(((4,) * pops,) * 4))


def test_many_ties_are_packed() -> None:
    packed = kernel.blank()
    kernel.pack(tied_lots(MAX_LOTS), packed)
    assert kernel.unpack(packed) == tied_lots(MAX_LOTS)
    with pytest.raises(ValueError, match="starting pops"):
        kernel.pack(tied_lots(MAX_LOTS + 1), packed)


def test_a_tie_there_is_no_room_for_is_popped_again() -> None:
    codes, packed = packed_from(DEFAULT, tied_lots(MAX_LOTS))
    lot = i64(kernel.pack_action(Lot("b", 3)))
    kernel.resolve(codes, packed, i64(4), lot)
    assert kernel.unpack(packed).phase == tied_lots(MAX_LOTS).phase
    assert kernel.to_act(codes, packed) == 0b11111, "all four may press, and chance answers"


@pytest.mark.parametrize(
    "action",
    [
        WarmPop(1),
        Church(),
        SilentPop("R", 1),
        StickyPop("R"),
        SilentLot("a", 1),
        StickyLot("a"),
        StrayPop("R", 1),
        IgnoredBreak("R"),
        BookedWin("R"),
        RefEnd("late"),
        Note("so"),
    ],
)
def test_what_the_rules_do_not_list_is_not_packed(action: Action) -> None:
    with pytest.raises(ValueError, match="not in the kernel"):
        kernel.pack_action(action)


def test_no_list_is_longer_than_the_longest() -> None:
    out = np.zeros(kernel.MAX_ACTIONS, np.int64)
    codes, packed = packed_at(EXAMPLE_3.replace("0+0/", "5000+0/", 1), mode="companion")
    assert kernel.anytime_actions(codes, packed, i64(0), out) == kernel.MAX_ACTIONS


def test_it_is_warmed_up() -> None:
    kernel.warm()


def test_every_rulebook_has_option_codes() -> None:
    assert kernel.option_codes(AS_KIMBLE.game({}).options).dome == 1
    many = kernel.option_codes(game_with(team_size=[1, 2, 1, 40]).options).many
    assert many == 0b1010
