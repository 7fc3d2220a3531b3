"""Best play in duels: by hand, by proof, and by linear programs that were set up another way."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from kibitz.games.kahmate.duels import Mix, Outlook, Round, equilibrium, hand_game, single_duel

Number = int | Fraction
Hand = tuple[int, ...]
Hands = tuple[Hand, Hand]
Table = list[list[Outlook]]
ALL = (1, 2, 3, 4, 5, 6)
EDGES = st.integers(-2, 3)
"""What a man's attack can be more than another's defence."""
GAMES = {"single": single_duel, "hand": hand_game}
games = pytest.mark.parametrize("game", GAMES)
many = settings(deadline=None, max_examples=80)


@st.composite
def hands(draw: st.DrawFn, most: int = 6) -> Hands:
    size = draw(st.integers(1, most))
    hand = st.permutations(ALL).map(lambda cards: tuple(sorted(cards[:size])))
    return draw(hand), draw(hand)


def solution_of(game: str, edge: int, both: Hands) -> Round:
    return GAMES[game](edge, 0, *both)


def less(hand: Hand, card: int) -> Hand:
    return tuple(sorted({*hand} - {card}))


def outlook(lead: Number, win: Number, by_two: Number, duels: Number) -> Outlook:
    return Outlook(*map(Fraction, (lead, win, by_two, duels)))


def always(card: int) -> Mix:
    return {each: Fraction(each == card) for each in ALL}


# By hand


@games
@pytest.mark.parametrize(
    ("attack", "defence", "mine", "theirs", "win", "by_two"),
    [
        (0, 0, 3, 2, 1, 0),
        (0, 0, 4, 2, 1, 1),
        (0, 0, 2, 3, 0, 0),
        (-1, 1, 6, 1, 1, 1),
        (2, -1, 1, 6, 0, 0),
        (2, -1, 1, 3, 1, 0),
    ],
)
def test_one_card_each_leaves_no_choice(
    game: str, attack: int, defence: int, mine: int, theirs: int, win: int, by_two: int
) -> None:
    found = GAMES[game](attack, defence, (mine,), (theirs,))
    assert found.outlook == outlook(2 * win - 1, win, by_two, 1)
    assert (found.attacker, found.defender) == ({mine: Fraction(1)}, {theirs: Fraction(1)})
    assert not found.ties


@games
def test_a_tie_of_last_cards_is_settled_from_full_hands(game: str) -> None:
    equal = solution_of(game, 0, ((2,), (2,)))
    assert equal.outlook == outlook(-1, 0, 0, 1)
    assert equal.ties[2, 2].defender == always(6)
    stronger = solution_of(game, 1, ((2,), (3,)))
    assert stronger.outlook == outlook(1, 1, 0, 1)
    assert stronger.ties[2, 3].attacker == always(6)


def test_two_cards_each_are_mixed_evenly() -> None:
    """A pair of equal cards ties twice: -1 in one duel. Unequal cards: each wins one of two."""
    found = hand_game(0, 0, (1, 2), (1, 2))
    assert found.attacker == found.defender == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    assert found.outlook == outlook(Fraction(-1, 2), Fraction(1, 4), 0, Fraction(3, 2))
    assert found.outlook.expected_wins == Fraction(1, 2)
    assert {tie.outlook for tie in found.ties.values()} == {outlook(-1, 0, 0, 1)}


def test_a_better_modifier_can_hurt_where_it_brings_ties() -> None:
    """With -2 the attacker gives the duel up with his 2 and wins the next; -1 makes that a tie."""
    assert hand_game(-2, 0, (2, 3), (1, 2)).outlook.lead == 0
    assert hand_game(-1, 0, (2, 3), (1, 2)).outlook.lead == Fraction(-1, 2)


def test_by_two_is_fought_for_where_the_duel_is_won_anyhow() -> None:
    """6-6 and 5-5 win by one, 6-5 by two, 5-6 is a tie that the 6 then wins by two or more."""
    found = single_duel(2, 1, ALL, ALL)
    assert found.outlook == outlook(1, 1, Fraction(1, 2), 1)
    half = Fraction(1, 2)
    assert found.attacker == found.defender == {**always(0), 5: half, 6: half}


def test_of_equal_cards_the_lowest_is_played() -> None:
    found = single_duel(0, 0, (5, 6), (1, 2))
    assert found.attacker == {5: Fraction(1), 6: Fraction(0)}
    assert found.defender == {1: Fraction(1), 2: Fraction(0)}


# What always holds


@many
@given(EDGES, hands())
def test_the_best_cards_settle_a_single_duel(edge: int, both: Hands) -> None:
    mine, theirs = (sorted(hand, reverse=True) for hand in both)
    best, second = mine[0] + edge - theirs[0], edge
    if len(mine) > 1:
        second = mine[1] + edge - theirs[1]
    assert single_duel(edge, 0, *both).outlook.win == (best > 0 or (best == 0 and second > 0))


@many
@given(EDGES, hands())
def test_a_better_modifier_never_loses_a_single_duel(edge: int, both: Hands) -> None:
    assert (
        solution_of("single", edge + 1, both).outlook.win
        >= solution_of("single", edge, both).outlook.win
    )


def test_a_better_modifier_wins_more_with_full_hands() -> None:
    leads = [solution_of("hand", edge, (ALL, ALL)).outlook.lead for edge in range(-2, 4)]
    assert all(worse < better for worse, better in pairwise(leads))


@games
@many
@given(edge=EDGES, both=hands())
def test_only_the_difference_of_the_modifiers_counts(game: str, edge: int, both: Hands) -> None:
    assert GAMES[game](edge + 1, 1, *both) == solution_of(game, edge, both)


@games
@many
@given(edge=EDGES, both=hands())
def test_expectations_stay_within_bounds(game: str, edge: int, both: Hands) -> None:
    found, size = solution_of(game, edge, both).outlook, len(both[0])
    assert 0 <= found.win_by_two <= found.win <= 1
    assert 0 <= found.expected_wins <= found.duels
    assert (found.duels == 1) if game == "single" else (size <= 2 * found.duels <= 2 * size)
    if game == "single":
        assert found.expected_wins == found.win


# Proof: no card does better against the other's mix, so both mixes are best and it is the value


def outlooks(game: str, edge: int, both: Hands, found: Round, second: bool) -> Table:
    """What each pair of cards leads to, later games being taken as solved."""

    def of(mine: int, theirs: int) -> Outlook:
        margin = mine + edge - theirs
        if margin == 0 and not second:
            return found.ties[mine, theirs].outlook
        win, by_two = Fraction(margin > 0), Fraction(margin >= 2)
        rest = less(both[0], mine), less(both[1], theirs)
        if game == "single" or not rest[0]:
            return Outlook(2 * win - 1, win, by_two, Fraction(1))
        later = hand_game(0, 0, *rest).outlook
        return Outlook(2 * win - 1 + later.lead, win, by_two, 1 + later.duels)

    return [[of(mine, theirs) for theirs in both[1]] for mine in both[0]]


def rounds(game: str, edge: int, both: Hands) -> list[tuple[Round, Table]]:
    """The first round and those after each tie; a refill makes its duel the last."""
    found = solution_of(game, edge, both)
    listed = [(found, outlooks(game, edge, both, found, second=False))]
    for (mine, theirs), tie in found.ties.items():
        rest = less(both[0], mine), less(both[1], theirs)
        after = (game, edge, rest) if rest[0] else ("single", edge, (ALL, ALL))
        listed.append((tie, outlooks(*after, tie, second=True)))
    return listed


def mean(mix: Mix, found: Sequence[Outlook]) -> Outlook:
    """What comes of a card against a mix."""
    parts = zip(*found, strict=True)
    weighed = (zip(mix.values(), part, strict=True) for part in parts)
    return Outlook(*(sum((p * number for p, number in each), Fraction(0)) for each in weighed))


def prove(game: str, edge: int, both: Hands) -> None:
    """In a single duel not by the margin either, where it decides between equals."""
    aims = 3 if game == "single" else 1
    for found, table in rounds(game, edge, both):
        for mix in (found.attacker, found.defender):
            assert sum(mix.values()) == 1
            assert min(mix.values()) >= 0
        of_rows = [mean(found.defender, row) for row in table]
        of_columns = [mean(found.attacker, column) for column in zip(*table, strict=True)]
        assert max(met[:aims] for met in of_rows) == found.outlook[:aims]
        assert min(met[:aims] for met in of_columns) == found.outlook[:aims]
        assert found.outlook == mean(found.attacker, of_rows)


@games
@many
@given(edge=EDGES, both=hands())
@example(edge=0, both=(ALL, ALL))
@example(edge=1, both=(ALL, ALL))
def test_no_card_does_better_than_the_mixes(game: str, edge: int, both: Hands) -> None:
    prove(game, edge, both)


@pytest.mark.long
@games
@pytest.mark.parametrize("edge", range(-2, 4))
def test_no_card_does_better_in_any_duel_there_is(game: str, edge: int) -> None:
    for size in ALL:
        for mine, theirs in product(combinations(ALL, size), repeat=2):
            prove(game, edge, (mine, theirs))


MATRICES = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda size: st.lists(
        st.lists(st.fractions(-3, 3, max_denominator=9), min_size=size[1], max_size=size[1]),
        min_size=size[0],
        max_size=size[0],
    )
)


@many
@given(MATRICES)
def test_what_the_rows_can_secure_is_what_the_columns_need_not_exceed(
    payoffs: list[list[Fraction]],
) -> None:
    ours, others = equilibrium(payoffs)
    for mix in (ours, others):
        assert sum(mix) == 1
        assert min(mix) >= 0
    secured = min(
        sum(p * number for p, number in zip(ours, column, strict=True))
        for column in zip(*payoffs, strict=True)
    )
    exceeded = max(
        sum(q * number for q, number in zip(others, row, strict=True)) for row in payoffs
    )
    assert secured == exceeded
    assert float(secured) == pytest.approx(lp_value(payoffs), abs=1e-9)


# Second opinions


def maximum(**program: Any) -> float:
    exact = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(**program, options=exact)
    assert found.status == 0
    return float(-found.fun)


def lp_value(payoffs: Sequence[Sequence[Fraction]]) -> float:
    """The greatest v that some mix of rows secures against every column."""
    table = np.array(payoffs, dtype=float)
    height, width = table.shape
    return maximum(
        c=[*[0] * height, -1],
        A_ub=np.hstack([-table.T, np.ones((width, 1))]),
        b_ub=np.zeros(width),
        A_eq=[[*[1] * height, 0]],
        b_eq=[1],
        bounds=[*[(0, None)] * height, (None, None)],
    )


@games
@many
@given(edge=EDGES, both=hands())
@example(edge=2, both=(ALL, ALL))
def test_a_solver_of_linear_programs_agrees(game: str, edge: int, both: Hands) -> None:
    for found, table in rounds(game, edge, both):
        leads = [[met.lead for met in row] for row in table]
        assert float(found.outlook.lead) == pytest.approx(lp_value(leads), abs=1e-9)


def tree_value(game: str, edge: int, both: Hands) -> float:
    """The whole game as one linear program, its sequence form, from the rules alone.

    The attacker plans how much weight each card has wherever he may have to choose one, as a share
    of the weight with which he lets it come to that. A choice is worth what he gets there at
    least, whatever the defender answers.
    """
    shares: list[dict[str, int]] = []
    worths: list[dict[str, int]] = []

    def grow(edge: int, mine: Hand, theirs: Hand, came: str, second: bool, refilled: bool) -> str:
        choice = f"choice {len(shares)}"
        shares.append({came: -1} | {f"{choice} card {card}": 1 for card in mine})
        for answer in theirs:
            worth = {choice: 1}
            for card in mine:
                weight, total = f"{choice} card {card}", card + edge
                rest, empty = (less(mine, card), less(theirs, answer)), len(mine) == 1
                if total == answer and not second:
                    left = (ALL, ALL) if empty else rest
                    worth[grow(edge, *left, weight, True, empty)] = -1
                    continue
                worth[weight] = -1 if total > answer else 1
                if game == "hand" and not empty and not refilled:
                    worth[grow(0, *rest, weight, False, False)] = -1
            worths.append(worth)
        return choice

    first = grow(edge, *both, "start", False, False)
    names = list({name: None for row in (*shares, *worths) for name in row})
    return maximum(
        c=[-(name == first) for name in names],
        A_ub=[[row.get(name, 0) for name in names] for row in worths],
        b_ub=[0] * len(worths),
        A_eq=[[row.get(name, 0) for name in names] for row in shares],
        b_eq=[0] * len(shares),
        bounds=[
            (1, 1) if name == "start" else (0, None) if "card" in name else (None, None)
            for name in names
        ],
    )


@games
@settings(deadline=None, max_examples=60)
@given(edge=EDGES, both=hands(most=3))
def test_the_whole_game_at_once_has_the_same_value(game: str, edge: int, both: Hands) -> None:
    lead = solution_of(game, edge, both).outlook.lead
    assert float(lead) == pytest.approx(tree_value(game, edge, both), abs=1e-9)
