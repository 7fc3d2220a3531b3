"""Solved endings: what the table says happens by the rules, whatever stood before."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from kibitz.bots.api import SearchContext
from kibitz.bots.kalamala import ending_solver, endings, levels
from kibitz.bots.kalamala.ending_solver import BY_DEATH, FREE, SOLVED, WITHOUT_TURNS
from kibitz.core.jit import i64, u64
from kibitz.games.kalamala import Options, kalamala
from kibitz.games.kalamala.options import REPETITION
from kibitz.games.kalamala.state import NO_PAST, State, other_side


def solved_in(game: Any, state: State) -> int | None:
    root = levels.Root(state, SearchContext(game, state.side, Random(0)), levels.FEW_SLOTS)
    root.prepare_search(10**9)
    return root.solved_in()


def random_ending(rng: Random, pieces: int = endings.MAX_PIECES) -> State:
    """Some pieces on some squares, either side to act, as after a death."""
    here = rng.randint(1, pieces - 1)
    there = rng.randint(1, pieces - here)
    squares = rng.sample(range(64), here + there)
    own, others = (sum(1 << each for each in part) for part in (squares[:here], squares[here:]))
    stones = (own, others) if rng.random() < 0.5 else (others, own)
    return State(stones, rng.choice("AB"), (0, 0), 60)


def after(game: Any, state: State) -> Iterator[State]:
    """Every state that an action leads to."""
    for action in game.rules.turn_actions(state, state.side):
        yield game.rules.resolve(state, state.side, action).state


def wins(game: Any, state: State, plies: int) -> bool:
    """By the rules alone: whoever is to act wins in so many actions at most."""
    return plies > 0 and any(loses(game, each, plies - 1) for each in after(game, state))


def loses(game: Any, state: State, plies: int) -> bool:
    following = list(after(game, state))
    if plies <= 1:
        return not following
    return all(wins(game, each, plies - 1) for each in following)


def is_over_within(game: Any, state: State, plies: int) -> bool:
    return wins(game, state, plies) if plies % 2 else loses(game, state, plies)


def some_endings(game: Any, rng: Random, plies: int, count: int) -> Iterator[tuple[State, int]]:
    """Solved endings that are over in so many actions at most, but not at once."""
    while count:
        state = random_ending(rng)
        found = solved_in(game, state)
        if found and found <= plies:
            count -= 1
            yield state, found


def test_two_pieces_are_solved_wherever_they_stand() -> None:
    """All that are over within three actions, and that all others are not."""
    game, rng = kalamala(), Random(1)
    pairs = [(a, b) for a in range(64) for b in range(64) if a != b]
    for a, b in rng.sample(pairs, 150):
        state = State((1 << a, 1 << b), "A", (0, 0), 60)
        found = solved_in(game, state)
        assert found is not None
        for plies in range(4):
            is_known = plies % 2 == found % 2 and plies >= found
            assert is_over_within(game, state, plies) == is_known, (state, plies, found)


@pytest.mark.parametrize("repetition", REPETITION)
def test_an_ending_is_over_as_the_table_says(repetition: str) -> None:
    game = kalamala(Options(repetition=repetition))
    for state, plies in some_endings(game, Random(repetition), 3, 12):
        assert is_over_within(game, state, plies), game.notation.write_state(state)


@pytest.mark.long
@pytest.mark.parametrize("repetition", REPETITION)
def test_longer_endings_are_over_as_the_table_says(repetition: str) -> None:
    game = kalamala(Options(repetition=repetition))
    for state, plies in some_endings(game, Random(repetition), 6, 150):
        assert is_over_within(game, state, plies), game.notation.write_state(state)


def test_mirror_images_have_one_place() -> None:
    rng = Random(2)
    for _ in range(60):
        state = random_ending(rng)
        symmetry = rng.randrange(endings.SYMMETRIES)
        turned = [
            sum(1 << int(endings.IMAGES[symmetry, n]) for n in range(64) if each >> n & 1)
            for each in state.stones
        ]
        game = kalamala()
        mirrored = replace(state, stones=(turned[0], turned[1]))
        assert solved_in(game, mirrored) == solved_in(game, state)


def test_every_ending_has_a_place_of_its_own() -> None:
    """For two against one: whoever is to act in the first of its images, the others anywhere."""
    table: Any = levels.shared_buffers().endings
    firsts = [(x, y) for n, (x, y) in enumerate(colex_pairs()) if endings.orbits(2)[n] & 7 == 0]
    assert len(firsts) == endings.ORBIT_COUNTS[2]
    places = {
        int(endings.ending_place(table, u64(1 << x | 1 << y), u64(1 << other)))
        for x, y in firsts[:40]
        for other in range(64)
    }
    assert len(places) == 40 * 64


def colex_pairs() -> list[tuple[int, int]]:
    return sorted(combinations(range(64), 2), key=lambda pair: pair[::-1])


def test_a_way_that_meets_the_past_is_not_counted_on() -> None:
    """The winner's next board has stood, so that it may not be made again."""
    game, rng, found = kalamala(), Random(4), 0
    while found < 5:
        state = random_ending(rng)
        plies = solved_in(game, state)
        if not plies or plies % 2 == 0 or plies < 3:
            continue
        ways = [
            each
            for each in after(game, state)
            if each.dead == state.dead and solved_in(game, replace(each, past=NO_PAST)) == plies - 1
        ]
        if ways:
            found += 1
            met = NO_PAST.insert(ways[0].stones, (state.turn - 1,))
            assert solved_in(game, replace(state, past=met)) is None
            harmless = NO_PAST.insert(board_that_loser_wins(game, state, rng), (state.turn - 1,))
            assert solved_in(game, replace(state, past=harmless)) == plies


def board_that_loser_wins(game: Any, state: State, rng: Random) -> tuple[int, int]:
    """A board with the same pieces to which the winner, who is to act, will not move."""
    loser = other_side(state.side)
    while True:
        other = random_ending(rng)
        same = [each.bit_count() for each in other.stones]
        if same == [each.bit_count() for each in state.stones]:
            plies = solved_in(game, replace(other, side=loser))
            if plies is not None and plies % 2:
                return other.stones


def test_with_the_past_of_a_match_it_is_still_so() -> None:
    """Endings of random play, with all that has stood in them."""
    game, rng, found = kalamala(), Random(7), 0
    while found < 15:
        state = random_ending(rng)
        for _ in range(rng.randrange(1, 9)):
            following = list(after(game, state))
            if not following:
                break
            state = rng.choice(following)
        plies = solved_in(game, state) if any(state.stones) else None
        if state.past != NO_PAST and plies is not None and 0 < plies <= 4:
            found += 1
            assert is_over_within(game, state, plies), game.notation.write_state(state)


def test_a_limit_of_turns_may_come_first() -> None:
    state, plies = next(some_endings(kalamala(), Random(3), 9, 1))
    for limit in (state.turn + plies - 2, state.turn + plies - 1):
        game = kalamala(Options(turn_limit=limit))
        assert (solved_in(game, state) is None) == (limit < state.turn + plies - 1)


@pytest.mark.parametrize("pieces", [3, pytest.param(4, marks=pytest.mark.long)])
def test_level_6_wins_what_is_solved(pieces: int) -> None:
    """With next to no nodes, against random play, in the actions that the table gives."""
    game, rng, level = kalamala(), Random(pieces), levels.LEVELS[-1]
    for _ in range(6 if pieces == 3 else 100):
        state = random_ending(rng, pieces)
        plies = solved_in(game, state)
        if not plies:
            continue
        winner = state.side if plies % 2 else other_side(state.side)
        for _ in range(plies):
            actions = game.rules.turn_actions(state, state.side)
            if not actions:
                break
            chosen = rng.choice(actions)
            if state.side == winner:
                think = SearchContext(game, state.side, rng, nodes=200)
                chosen = level(state, actions, think)
            state = game.rules.resolve(state, state.side, chosen).state
        over = game.rules.outcome(state)
        assert over, game.notation.write_state(state)
        assert over.result == winner


# The solver


@pytest.mark.long
def test_the_table_is_what_the_solver_finds() -> None:
    solved = ending_solver.solve_endings(endings.MAX_PIECES)
    assert np.array_equal(solved.tables[SOLVED], endings.read_endings())
    decided, free = solved.tables[SOLVED] > 0, solved.tables[FREE] > 0
    assert not (decided & ~free).any(), "won by force is won without a rule about repetition"
    both = solved.tables[[SOLVED, FREE]][:, decided].astype(int)
    assert (both.sum(0) % 2 == 0).all(), "by the same side"


class Proof:
    """The tables of the solver, asked about states."""

    def __init__(self, pieces: int) -> None:
        self.solver = ending_solver.solve_endings(pieces)

    def plies(self, state: State, table: int) -> int:
        return int(ending_solver.plies_in(self.solver, *pieces_of(state, state.side), i64(table)))

    def winning_ways(self, game: Any, state: State, left: int, table: int) -> Iterator[State]:
        """The states that the proof leads the winner to, as far as the rules allow them."""
        twin = pieces_of(state, other_side(state.side))
        only_deaths = table == BY_DEATH and ending_solver.is_lost_within(
            self.solver, *twin, i64(left), i64(table)
        )
        for each in after(game, state):
            is_death = each.dead != state.dead
            plies = self.plies(each, SOLVED if is_death else table)
            if plies != left - 1 or (only_deaths and not is_death):
                continue
            is_free = is_death or table == BY_DEATH
            board = pieces_of(each, state.side)
            if is_free or not ending_solver.may_have_stood(self.solver, *board, i64(plies)):
                yield each


def pieces_of(state: State, side: str) -> tuple[int, int]:
    own = 0 if side == "A" else 1
    return u64(state.stones[own]), u64(state.stones[1 - own])


@pytest.mark.long
def test_nothing_on_the_winners_way_is_ever_barred() -> None:
    """Both proofs played out by the rules, super-ko and all, against whatever the loser does."""
    proof, game, rng, played = Proof(3), kalamala(), Random(1), 0
    while played < 600:
        state, table = random_ending(rng, 3), rng.choice((BY_DEATH, WITHOUT_TURNS))
        left = proof.plies(state, table)
        played += left > 0
        while left > 0:
            before, ways = state, list(after(game, state))
            if left % 2:
                ways = list(proof.winning_ways(game, state, left, table))
                assert ways, game.notation.write_state(state)
            if not ways:
                break
            state = rng.choice(ways)
            if state.dead != before.dead:
                found = proof.plies(state, SOLVED)
                is_first = found == proof.plies(state, BY_DEATH)
                table = BY_DEATH if is_first else WITHOUT_TURNS
            now = proof.plies(state, table)
            assert 0 <= now < left, game.notation.write_state(before)
            left = now
        assert left <= 0 or left % 2 == 0
