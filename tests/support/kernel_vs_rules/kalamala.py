"""Positions made of rows on lines, so that every kind of move happens, played in two ways."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import replace

from kibitz.core.game import Game
from kibitz.core.jit import i64, u64
from kibitz.games.kalamala import Options, kalamala, kernel
from kibitz.games.kalamala.actions import Move, Placement
from kibitz.games.kalamala.board import DIRECTIONS, OPPOSITE, RAYS, SQUARES
from kibitz.games.kalamala.kernel.encoding import LENGTH_UNIT
from kibitz.games.kalamala.kernel.moves import is_fall
from kibitz.games.kalamala.options import REPETITION
from kibitz.games.kalamala.rules import all_hold_slides, chain, moves, stones_after
from kibitz.games.kalamala.state import PIECES, RESERVE, SEATS, State, Stones, remember_board
from support.kernel_vs_rules.match import agree, number, side_by_side

Size = tuple[int, int, int]
"""Length, distance, and how many pieces fall."""
SIZES: frozenset[Size] = frozenset(
    {(1, 1, 0), (1, 2, 0), (1, 3, 0), (2, 1, 0), (2, 2, 0), (3, 1, 0)}
    | {(1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 4, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1)}
    | {(2, 2, 1), (2, 2, 2)}
)
"""Of all moves there are."""
ENDS = frozenset({"stuck", "all barred", "draw", "lost beyond the limit"})
SPELLINGS = frozenset({"several spellings", "unlike lengths"})
RARE = SIZES | ENDS | SPELLINGS | {"barred", "not barred by the other side's turn"}


def some_options(rng: Random) -> Options:
    return Options(
        repetition=rng.choice(REPETITION),
        first=rng.choice(SEATS),
        turn_limit=rng.choice((0, 0, 1, 20, 60, 200)),
    )


def some_position(rng: Random, options: Options) -> State:
    """A row of the side to act and what it sees, most often near an edge; others at random."""
    side = rng.randrange(2)
    stones = [0, 0]
    name, square = rng.choice(sorted(DIRECTIONS)), rng.choice(SQUARES)
    way = (*reversed(RAYS[OPPOSITE[name]][square]), square, *RAYS[name][square])
    way = way[rng.choice((0, 0, 1, 2)) :]
    strength, gap = rng.choice((1, 2, 2, 3, 4, 4, 5)), rng.choice((0, 0, 0, 1, 2, 3))
    rows = (side, strength), (-1, gap), (rng.randrange(2), rng.randint(1, 4))
    line = [seat for seat, length in rows for _ in range(length)]
    for square, seat in zip(way, line, strict=False):
        if seat >= 0 and stones[seat].bit_count() < PIECES:
            stones[seat] |= 1 << square
    for _ in range(rng.choice((0, 0, 1, 3, 9))):
        seat, square = rng.randrange(2), rng.choice(SQUARES)
        if stones[seat].bit_count() < PIECES and not (stones[0] | stones[1]) >> square & 1:
            stones[seat] |= 1 << square
    reserve = [min(RESERVE, PIECES - each.bit_count(), rng.choice((0, 0, 2, 4))) for each in stones]
    turn = rng.choice((1, 2, 20, 21, 61, 90, 201))
    state = State((stones[0], stones[1]), SEATS[side], (reserve[0], reserve[1]), turn)
    return with_past(rng, options, state, rng.choice((0, 0.4, 1)))


def with_past(rng: Random, options: Options, state: State, share: float) -> State:
    """Some of the boards that could follow have stood before, some of them twice."""
    past = state.past
    for board in moves(state.stones, state.side):
        if sizes(board) == sizes(state.stones):
            for _ in range((rng.random() < share) + (rng.random() < share / 4)):
                turn = state.turn - rng.randint(1, 4)
                past = remember_board(past, board, turn, options.repetition)
    sorted_past = state.past
    for board, turns in past.items():
        sorted_past = sorted_past.insert(board, tuple(sorted(turns)))
    return replace(state, past=sorted_past)


def sizes(stones: Stones) -> tuple[int, int]:
    return stones[0].bit_count(), stones[1].bit_count()


def compare(seed: int, positions: int) -> Counter[Any]:
    """Everything the two say about so many positions, and how often rare things happened."""
    rng, met = Random(seed), Counter[Any]()
    for _ in range(positions):
        options = some_options(rng)
        state = some_position(rng, options)
        compare_at(kalamala(options), state, rng, met)
    return met


def compare_at(game: Game[Any, Any, Any], state: State, rng: Random, met: Counter[Any]) -> None:
    options, packed = kernel.option_codes(game.options), kernel.blank()
    kernel.pack(state, packed)
    agree(game, kernel, options, state, packed)
    tell(game, state, met)
    listed = game.rules.turn_actions(state, state.side)
    compare_results(game, state, packed)
    compare_pick(game, options, state, packed, rng)
    spellings = [
        each.move for held in all_hold_slides(state.stones, state.side) for each in held.slides
    ]
    for action in rng.sample(listed, min(4, len(listed))) + rng.sample(spellings, len(spellings)):
        if game.rules.why_not(state, state.side, action):
            continue
        copied = kernel.blank()
        kernel.copy(packed, copied)
        code = i64(kernel.pack_action(action))
        kernel.resolve(options, copied, number(game, state.side), code)
        there = game.rules.resolve(state, state.side, action).state
        where = f"{game.notation.write_state(state)} {game.notation.write_action(action)}"
        assert kernel.unpack(copied) == there, where
    assert kernel.unpack(packed) == state, game.notation.write_state(state)


def compare_results(game: Game[Any, Any, Any], state: State, packed: Any) -> None:
    """What a search is told: every board that can follow, those with a death first."""
    where = game.notation.write_state(state)
    side = SEATS.index(state.side)
    own, others = u64(state.stones[side]), u64(state.stones[1 - side])
    codes = np.zeros(kernel.MAX_ACTIONS, np.int64)
    boards = np.zeros((2, kernel.MAX_ACTIONS), np.uint64)
    reserve = i64(state.reserve[side])
    room = packed.kinds, packed.rears
    deaths, end = kernel.results(own, others, reserve, *room, codes, boards[0], boards[1])
    told = dict[Any, Stones]()
    for place in range(end):
        code = int(kernel.listed_action(own, others, i64(codes[place])))
        pair = [int(boards[0][place]), int(boards[1][place])]
        told[kernel.unpack_action(code)] = (pair[side], pair[1 - side])
        fewer = sum(sizes((pair[0], pair[1]))) < sum(sizes(state.stones))
        assert fewer == (place < deaths), where
        assert fewer == (codes[place] >= LENGTH_UNIT and is_fall(i64(codes[place]))), where
    assert len(told) == end, where
    expected = {move: board for board, move in moves(state.stones, state.side).items()}
    placed = {action: told.pop(action) for action in list(told) if isinstance(action, Placement)}
    assert told == expected, where
    assert set(placed) == {
        action
        for action in game.rules.turn_actions(state, state.side)
        if isinstance(action, Placement)
    } or game.rules.outcome(state), where
    for action, board in placed.items():
        stones = list(state.stones)
        stones[side] |= 1 << action.square
        assert board == tuple(stones), where


def compare_pick(
    game: Game[Any, Any, Any], options: Any, state: State, packed: Any, rng: Random
) -> None:
    """Random play chooses what is listed, and finds all of it sooner or later."""
    listed = set(game.rules.turn_actions(state, state.side))
    if game.rules.outcome(state):
        return
    few = len(listed) < 12
    die, chosen = u64(rng.getrandbits(64)), set[Any]()
    for _ in range(12 * len(listed) if few else 4):
        code, die = kernel.pick(options, packed, u64(die))
        chosen.add(kernel.unpack_action(int(code)))
    assert chosen == listed if few else chosen <= listed, game.notation.write_state(state)


def tell(game: Game[Any, Any, Any], state: State, met: Counter[Any]) -> None:
    listed = game.rules.turn_actions(state, state.side)
    for action in listed:
        if isinstance(action, Move):
            board = stones_after(state.stones, action)
            fallen = sum(sizes(state.stones)) - sum(sizes(board))
            met[len(chain(action)), action.distance, fallen] += 1
            met["not barred by the other side's turn"] += board in state.past
    over, all_moves = game.rules.outcome(state), moves(state.stones, state.side)
    spelled = dict[Stones, set[tuple[int, int]]]()
    for held in all_hold_slides(state.stones, state.side):
        for each in held.slides:
            size = len(chain(each.move)), each.move.distance
            spelled.setdefault(each.stones_after(state.stones), set()).add(size)
    for ways in spelled.values():
        met["several spellings"] += len(ways) > 1
        met["unlike lengths"] += len({length for length, _ in ways}) > 1
    if over:
        beyond = state.turn > game.options["turn_limit"] > 0
        met["draw"] += over.result == "draw"
        met["stuck"] += not all_moves and over.result != "draw"
        met["all barred"] += bool(all_moves) and over.result != "draw"
        met["lost beyond the limit"] += beyond and over.result != "draw"
    else:
        met["barred"] += len(listed) < len(all_moves)


def whole_matches(seed: int, count: int, most: int = 10**9) -> int:
    """How many actions were compared."""
    rng = Random(seed)
    return sum(side_by_side(kalamala(some_options(rng)), kernel, rng, most) for _ in range(count))
