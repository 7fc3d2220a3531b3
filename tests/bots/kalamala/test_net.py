"""The net of level 6: its weights are the recorded ones, and it judges as its definition says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from kibitz.bots.api import SearchContext
from kibitz.bots.kalamala import levels, net
from kibitz.bots.kalamala.buffers import Handicap, Search
from kibitz.bots.kalamala.search import root_values
from kibitz.core.jit import i64, u64
from kibitz.games.kalamala import kalamala
from kibitz.games.kalamala.board import SIZE
from kibitz.games.kalamala.state import State

JUDGED = Path(__file__).parent / "judgements.txt"
"""Fifty positions, each with its judgement. To record those of new weights:

    .venv/bin/python tests/bots/kalamala/test_net.py > tests/bots/kalamala/judgements.txt
"""


def judgement(state: State) -> tuple[int, int, int]:
    """The value, and the numbers of moves and kills that it depends on."""
    root = levels.Root(state, SearchContext(kalamala(), state.side, Random(0)), levels.FEW_SLOTS)
    root.uses_net = True
    root.prepare_search(10**9)
    root.fill_settings(Handicap(i64(0), i64(0), u64(0)))
    value, _, moves, kills = root_values(Search(root.option_codes, root.buffers, root.flag))
    return int(value), int(moves), int(kills)


def positions() -> Iterator[State]:
    """Fifty positions with something to choose, from random matches."""
    game, rng, found = kalamala(), Random(6), 0
    while found < 50:
        state = game.rules.start()
        for _ in range(rng.randrange(60)):
            if not game.rules.to_act(state):
                break
            actions = game.rules.turn_actions(state, state.side)
            state = game.rules.resolve(state, state.side, rng.choice(actions)).state
        if game.rules.to_act(state):
            found += 1
            yield state


def recorded_lines() -> list[str]:
    game = kalamala()
    return [f"{judgement(each)[0]}\t{game.notation.write_state(each)}" for each in positions()]


def test_the_weights_are_those_of_the_record() -> None:
    record = json.loads(net.WEIGHTS_FILE.with_suffix(".json").read_text())
    assert sha256(net.WEIGHTS_FILE.read_bytes()).hexdigest() == record["digest"]
    assert net.WEIGHTS_FILE.stat().st_size <= 300_000


def test_fifty_positions_are_judged_as_they_were() -> None:
    assert recorded_lines() == JUDGED.read_text().splitlines()


def lines_of_the_board() -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """The 38 lines with at least three squares, and the first row of each one's patterns."""
    for n in range(SIZE):
        ring = min(n, SIZE - 1 - n)
        yield net.RANK_PATTERNS * ring, [(x, n) for x in range(SIZE)]
        yield net.RANK_PATTERNS * ring, [(n, y) for y in range(SIZE)]
    for step in (1, -1):
        for shift in range(-SIZE, 2 * SIZE):
            line = [(x, shift + step * x) for x in range(SIZE) if 0 <= shift + step * x < SIZE]
            if len(line) >= 3:
                longer = [size for size in net.DIAGONAL_SIZES if size > len(line)]
                yield 4 * net.RANK_PATTERNS + sum(3**size for size in longer), line


def plain_judgement(state: State, moves: int, kills: int) -> int:
    """The same by the definition: a row for each line, added up one number at a time."""
    rows, second, bias, third = (each.tolist() for each in net.read_weights())
    shared = net.shared_rows().tolist()
    own, others = state.stones if state.side == "A" else state.stones[::-1]
    mine, theirs = state.reserve if state.side == "A" else state.reserve[::-1]
    chosen = [
        net.RESERVE_ROW + 5 * mine + theirs,
        net.MOVE_ROW + min(moves, net.MOST_MOVES),
        net.KILL_ROW + min(kills, net.MOST_KILLS),
    ]
    for start, line in lines_of_the_board():
        digits = [(own >> x + 8 * y & 1) + 2 * (others >> x + 8 * y & 1) for x, y in line]
        chosen.append(start + sum(digit * 3**n for n, digit in enumerate(digits)))
    assert len(chosen) == net.SUMMED_ROWS
    sums = [sum(rows[shared[row]][n] for row in chosen) for n in range(net.NEURONS)]
    total = sums[0] * net.SECOND_UNIT
    for j in range(net.SECOND_NEURONS):
        inner = bias[j] + sum(max(each, 0) * second[i][j] for i, each in enumerate(sums[1:]))
        total += max(inner >> 6, 0) * third[j]
    return int(min(max((total * net.SCALE) >> 13, -net.MAX_NET_VALUE), net.MAX_NET_VALUE))


def test_it_judges_as_the_plain_definition_does() -> None:
    for state in positions():
        value, moves, kills = judgement(state)
        assert value == plain_judgement(state, moves, kills), state


def quarter_turn(squares: int) -> int:
    """A set of squares after the board was turned by a quarter."""
    places = [(n % SIZE, n // SIZE) for n in range(SIZE * SIZE) if squares >> n & 1]
    return sum(1 << x * SIZE + SIZE - 1 - y for x, y in places)


def test_a_turned_board_is_judged_alike() -> None:
    for state in positions():
        a, b = map(quarter_turn, state.stones)
        other = State((a, b), state.side, state.reserve, state.turn)
        assert judgement(other) == judgement(state)


def test_weights_that_would_run_over_are_refused() -> None:
    rows, second, bias, third = net.read_weights()
    larger = rows.copy()
    larger[0, 0] = net.MAX_ROW_NUMBER + 1
    with pytest.raises(ValueError, match="too large"):
        net.fill_net(levels.shared_buffers().net, larger, second, bias, third)


if __name__ == "__main__":
    print("\n".join(recorded_lines()))
