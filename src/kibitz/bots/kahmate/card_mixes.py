"""Cards of Kahmaté as matrix games, solved in compiled code.

Both hands are open and only the choice is secret, so a duel is a zero-sum game with a mix for each
side that nobody can exploit. The solver is the simplex method in floats: a game of six cards
against six takes about a microsecond, and its mixes are exact but for rounding.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, NamedTuple, Protocol, cast

import numpy as np

from kibitz.core.jit import Numbers, i64, jit, record_dtype
from kibitz.games.kahmate.state import CARDS, Hand

SINGLE, HAND = "single", "hand"
"""The two games of a duel, as `kibitz solve-duel` has them."""
MAX_CARDS = len(CARDS)
FULL_HAND = (1 << MAX_CARDS) - 1
"""Hands here are one bit a card, bit 0 the lowest."""
MAX_EDGE = 3
"""The greatest edge there is."""
EPSILON = 1e-11
MAX_PIVOTS = 200
FIRST_ROUND, SECOND_ROUND = 0, 1
"""The two rounds of a duel, where what belongs to one is kept."""


HANDS = FULL_HAND + 1, FULL_HAND + 1


class DuelSolver(Protocol):
    """The memory of solving, one record that the caller owns."""

    payoffs: Annotated[Numbers, np.float64, (2, MAX_CARDS, MAX_CARDS)]
    """[round, row, column]: the attacker chooses a row and is paid."""
    rows: Annotated[Numbers, np.float64, (2, MAX_CARDS)]
    """[round, row]: how often each is chosen."""
    columns: Annotated[Numbers, np.float64, (2, MAX_CARDS)]
    tableau: Annotated[Numbers, np.float64, (MAX_CARDS + 1, MAX_CARDS + 1)]
    basic: Annotated[Numbers, np.int64, (MAX_CARDS,)]
    free: Annotated[Numbers, np.int64, (MAX_CARDS,)]
    lead: Annotated[Numbers, np.float64, HANDS]
    """[attacker's hand, defender's]: duels the attacker wins less those he loses, equal men."""
    edge_in_hand: Annotated[Numbers, np.float64, HANDS]
    """[mine, theirs]: the same where either side may attack."""
    wins: Annotated[Numbers, np.float64, (2 * MAX_EDGE + 1, *HANDS)]
    """[attacker's edge plus EVEN, his hand, the defender's]: how often he can win, cards apart."""


@cache
def duel_solver() -> DuelSolver:
    """Return the solver of this process, with the leads worked out."""
    made = cast(DuelSolver, np.zeros(1, record_dtype(DuelSolver)).view(np.recarray)[0])
    fill_leads(made)
    fill_wins(made)
    return made


def pack_hand(hand: Hand) -> int:
    return sum(1 << card - 1 for card in hand)


def card_mixes(
    attack: int, defence: int, hand: Hand, other_hand: Hand, game: str
) -> tuple[Any, Any]:
    """The odds of each card of a hand, the attacker's first, in one of the two games."""
    c, last = duel_solver(), i64(game == SINGLE)
    hands = i64(pack_hand(hand)), i64(pack_hand(other_hand))
    card_lead(c, i64(FIRST_ROUND), i64(attack - defence), *hands, last)
    return (
        dict(zip(hand, c.rows[FIRST_ROUND].tolist(), strict=False)),
        dict(zip(other_hand, c.columns[FIRST_ROUND].tolist(), strict=False)),
    )


# Any matrix game


@jit
def solve(c: DuelSolver, kept: int, height: int, width: int) -> float:
    """The value of the game in `payoffs[kept]`; the best mixes lie in `rows` and `columns`.

    With payoffs above zero it is the linear program "the greatest sum of q with payoffs q <= 1",
    by Bland's rule, which cannot go round in circles.
    """
    payoffs, t = c.payoffs[kept], c.tableau
    lowest, highest = payoffs[0, 0], payoffs[0, 0]
    for row in range(height):
        for column in range(width):
            lowest = min(lowest, payoffs[row, column])
            highest = max(highest, payoffs[row, column])
    scale = max(highest - lowest, 1e-9)
    for row in range(height):
        c.basic[row] = width + row
        for column in range(width):
            t[row, column] = (payoffs[row, column] - lowest) / scale + 1.0
        t[row, width] = 1.0
    for column in range(width):
        c.free[column] = column
        t[height, column] = -1.0
    t[height, width] = 0.0
    for _ in range(MAX_PIVOTS):
        entering = i64(-1)
        for column in range(width):
            if t[height, column] < -EPSILON and (entering < 0 or c.free[column] < c.free[entering]):
                entering = i64(column)
        if entering < 0:
            break
        leaving, least = i64(-1), 0.0
        for row in range(height):
            if t[row, entering] > EPSILON:
                ratio = t[row, width] / t[row, entering]
                if (
                    leaving < 0
                    or ratio < least - EPSILON
                    or (ratio <= least + EPSILON and c.basic[row] < c.basic[leaving])
                ):
                    leaving, least = i64(row), ratio
        pivot(c, height, width, leaving, entering)
    return read_mixes(c, kept, height, width, lowest, scale)


@jit
def pivot(c: DuelSolver, height: int, width: int, leaving: int, entering: int) -> None:
    t = c.tableau
    by = 1.0 / t[leaving, entering]
    for column in range(width + 1):
        if column != entering:
            t[leaving, column] *= by
    for row in range(height + 1):
        if row != leaving:
            times = t[row, entering]
            for column in range(width + 1):
                if column != entering:
                    t[row, column] -= times * t[leaving, column]
            t[row, entering] = -times * by
    t[leaving, entering] = by
    c.free[entering], c.basic[leaving] = c.basic[leaving], c.free[entering]


@jit
def read_mixes(
    c: DuelSolver, kept: int, height: int, width: int, lowest: float, scale: float
) -> float:
    """Read them off, and the value with them."""
    t, total = c.tableau, c.tableau[height, width]
    for row in range(MAX_CARDS):
        c.rows[kept, row] = 0.0
        c.columns[kept, row] = 0.0
    for column in range(width):
        if c.free[column] >= width:
            c.rows[kept, c.free[column] - width] = max(0.0, t[height, column] / total)
    for row in range(height):
        if c.basic[row] < width:
            c.columns[kept, c.basic[row]] = max(0.0, t[row, width] / total)
    return float((1.0 / total - 1.0) * scale + lowest)


# The two games of a duel


@jit
def without_card(hand: int, card: int) -> int:
    return i64(hand & ~(i64(1) << card))


@jit
def refilled_hand(hand: int) -> int:
    return hand if hand else i64(FULL_HAND)


@jit
def card_lead(c: DuelSolver, round: int, edge: int, mine: int, theirs: int, last: int) -> float:
    """The lead that best play secures from this round on; of smaller hands it is known."""
    height, width = i64(0), i64(0)
    for card in range(MAX_CARDS):
        if not mine >> card & 1:
            continue
        width = i64(0)
        for answer in range(MAX_CARDS):
            if not theirs >> answer & 1:
                continue
            left, left_there = without_card(mine, i64(card)), without_card(theirs, i64(answer))
            ends, value = i64(1) if last or left == 0 else i64(0), 0.0
            if round == FIRST_ROUND and card + edge == answer:
                hand, hand_there = refilled_hand(left), refilled_hand(left_there)
                value = card_lead(c, i64(SECOND_ROUND), edge, hand, hand_there, ends)
            else:
                value = 1.0 if card + edge > answer else -1.0
                if not ends:
                    value += c.lead[left, left_there]
            c.payoffs[round, height, width] = value
            width = i64(width + 1)
        height = i64(height + 1)
    return solve(c, round, height, width)


@jit
def card_count(hand: int) -> int:
    found = i64(0)
    while hand:
        hand = i64(hand & (hand - 1))
        found = i64(found + 1)
    return found


@jit
def fill_leads(c: DuelSolver) -> None:
    """From small hands to large ones."""
    for size in range(1, MAX_CARDS + 1):
        for mine in range(1, FULL_HAND + 1):
            for theirs in range(1, FULL_HAND + 1):
                if card_count(i64(mine)) == size and card_count(i64(theirs)) == size:
                    c.lead[mine, theirs] = card_lead(
                        c, i64(FIRST_ROUND), i64(0), i64(mine), i64(theirs), i64(0)
                    )
    for mine in range(1, FULL_HAND + 1):
        for theirs in range(1, FULL_HAND + 1):
            c.edge_in_hand[mine, theirs] = (c.lead[mine, theirs] - c.lead[theirs, mine]) / 2


# A duel with something at stake


class Stakes(NamedTuple):
    """The stakes of a duel: what the attacker has if he loses it, wins it, or wins it by two."""

    if_lost: float
    if_won: float
    if_perfect: float
    is_exact: int
    """True if only two are by two."""
    lead: float
    """The worth of a duel won later."""


@jit
def duel_end_value(stakes: Stakes, margin: int, later: float) -> float:
    """The value of an end of the duel, with so many duels more in hand: the less is decided by
    it, the more they count."""
    value = stakes.if_won
    if margin <= 0:
        value = stakes.if_lost
    elif margin == 2 or (margin > 2 and not stakes.is_exact):
        value = stakes.if_perfect
    open_still = 4.0 * max(0.0, value * (1.0 - value))
    return value + stakes.lead * later * open_still


@jit
def card_value(
    c: DuelSolver, round: int, edge: int, mine: int, theirs: int, stakes: Stakes, before: float
) -> float:
    """The value from this round on to the attacker, cards for later included; `before` is what
    the hands promised before the duel. The mixes lie in the rows and columns of the round."""
    height, width = i64(0), i64(0)
    for card in range(MAX_CARDS):
        if not mine >> card & 1:
            continue
        width = i64(0)
        for answer in range(MAX_CARDS):
            if not theirs >> answer & 1:
                continue
            left = refilled_hand(without_card(mine, i64(card)))
            left_there = refilled_hand(without_card(theirs, i64(answer)))
            value = 0.0
            if round == FIRST_ROUND and card + edge == answer:
                value = card_value(c, i64(SECOND_ROUND), edge, left, left_there, stakes, before)
            else:
                promise = float(c.edge_in_hand[left, left_there]) - before
                value = duel_end_value(stakes, i64(card + edge - answer), promise)
            c.payoffs[round, height, width] = value
            width = i64(width + 1)
        height = i64(height + 1)
    return solve(c, round, height, width)


@jit
def first_card_value(c: DuelSolver, edge: int, mine: int, theirs: int, stakes: Stakes) -> float:
    before = float(c.edge_in_hand[mine, theirs])
    return card_value(c, i64(FIRST_ROUND), edge, mine, theirs, stakes, before)


@jit
def fill_wins(c: DuelSolver) -> None:
    """With nothing at stake but the duel."""
    for mine in range(1, FULL_HAND + 1):
        for theirs in range(1, FULL_HAND + 1):
            if card_count(i64(mine)) == card_count(i64(theirs)):
                for edge in range(-MAX_EDGE, MAX_EDGE + 1):
                    stakes = Stakes(0.0, 1.0, 1.0, i64(0), 0.0)
                    c.wins[MAX_EDGE + edge, mine, theirs] = first_card_value(
                        c, i64(edge), i64(mine), i64(theirs), stakes
                    )
