"""Cards of Kahmaté as matrix games, solved in compiled code.

Both hands are open and only the choice is secret, so a duel is a zero-sum game with a mix for each
side that nobody can exploit. The solver is the simplex method in floats: a game of six cards
against six takes about a microsecond, and its mixes are exact but for rounding.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kibitz.core.jit import compiled, small
from kibitz.games.kahmate.state import CARDS, Hand

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

SINGLE, HAND = "single", "hand"
"""The two games of a duel, as `kibitz duel` has them."""
MOST_CARDS = len(CARDS)
FULL = (1 << MOST_CARDS) - 1
"""Hands here are one bit a card, bit 0 the lowest."""
EVEN = 3
"""The greatest edge there is."""
TINY = 1e-11
MOST_PIVOTS = 200
FIRST, SECOND = 0, 1
"""The two rounds of a duel, where what belongs to one is kept."""


class Cards(NamedTuple):
    """What solving needs; the caller owns it."""

    payoffs: Numbers
    """[round, row, column]: the attacker chooses a row and is paid."""
    rows: Numbers
    """[round, row]: how often each is chosen."""
    columns: Numbers
    tableau: Numbers
    basic: Numbers
    free: Numbers
    lead: Numbers
    """[attacker's hand, defender's]: duels the attacker wins less those he loses, equal men."""
    edge_in_hand: Numbers
    """[mine, theirs]: the same where either side may attack."""
    wins: Numbers
    """[attacker's edge plus EVEN, his hand, the defender's]: how often he can win, cards apart."""


@cache
def cards() -> Cards:
    """One for every process, with the leads worked out."""
    made = Cards(
        np.zeros((2, MOST_CARDS, MOST_CARDS)),
        np.zeros((2, MOST_CARDS)),
        np.zeros((2, MOST_CARDS)),
        np.zeros((MOST_CARDS + 1, MOST_CARDS + 1)),
        np.zeros(MOST_CARDS, np.int64),
        np.zeros(MOST_CARDS, np.int64),
        np.zeros((FULL + 1, FULL + 1)),
        np.zeros((FULL + 1, FULL + 1)),
        np.zeros((2 * EVEN + 1, FULL + 1, FULL + 1)),
    )
    learn_leads(made)
    learn_wins(made)
    return made


def packed(hand: Hand) -> int:
    return sum(1 << card - 1 for card in hand)


def mix(attack: int, defence: int, hand: Hand, other_hand: Hand, game: str) -> tuple[Any, Any]:
    """How often to play each card of a hand, the attacker's first, in one of the two games."""
    c, last = cards(), small(game == SINGLE)
    duel_in_hand(c, small(attack - defence), small(packed(hand)), small(packed(other_hand)), last)
    return (
        dict(zip(hand, c.rows[FIRST].tolist(), strict=False)),
        dict(zip(other_hand, c.columns[FIRST].tolist(), strict=False)),
    )


# Any matrix game


@compiled
def solve(c: Cards, kept: int, height: int, width: int) -> float:
    """The value of the game in `payoffs[kept]`; the best mixes lie in `rows` and `columns`.

    With payoffs above zero it is the linear program "the greatest sum of q with payoffs q <= 1",
    by Bland's rule, which cannot go round in circles.
    """
    payoffs, t = c.payoffs[kept], c.tableau
    lowest, highest = payoffs[0, 0], payoffs[0, 0]
    for row in range(height):
        for column in range(width):
            lowest, highest = (
                min(lowest, payoffs[row, column]),
                max(highest, payoffs[row, column]),
            )
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
    for _ in range(MOST_PIVOTS):
        entering = small(-1)
        for column in range(width):
            if t[height, column] < -TINY and (entering < 0 or c.free[column] < c.free[entering]):
                entering = small(column)
        if entering < 0:
            break
        leaving, least = small(-1), 0.0
        for row in range(height):
            if t[row, entering] > TINY:
                ratio = t[row, width] / t[row, entering]
                if (
                    leaving < 0
                    or ratio < least - TINY
                    or (ratio <= least + TINY and c.basic[row] < c.basic[leaving])
                ):
                    leaving, least = small(row), ratio
        pivot(c, height, width, leaving, entering)
    return mixes(c, kept, height, width, lowest, scale)


@compiled
def pivot(c: Cards, height: int, width: int, leaving: int, entering: int) -> None:
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


@compiled
def mixes(c: Cards, kept: int, height: int, width: int, lowest: float, scale: float) -> float:
    """Read them off, and the value with them."""
    t, total = c.tableau, c.tableau[height, width]
    for row in range(MOST_CARDS):
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


@compiled
def without(hand: int, card: int) -> int:
    return small(hand & ~(small(1) << card))


@compiled
def refilled(hand: int) -> int:
    return hand if hand else small(FULL)


@compiled
def second_in_hand(c: Cards, edge: int, mine: int, theirs: int, last: int) -> float:
    """The lead that best play secures after a tie; what is learnt of smaller hands is used."""
    height, width = small(0), small(0)
    for card in range(MOST_CARDS):
        if not mine >> card & 1:
            continue
        width = small(0)
        for answer in range(MOST_CARDS):
            if not theirs >> answer & 1:
                continue
            left, left_there = without(mine, small(card)), without(theirs, small(answer))
            value = 1.0 if card + edge > answer else -1.0
            if not (last or left == 0):
                value += c.lead[left, left_there]
            c.payoffs[SECOND, height, width] = value
            width = small(width + 1)
        height = small(height + 1)
    return solve(c, small(SECOND), height, width)


@compiled
def duel_in_hand(c: Cards, edge: int, mine: int, theirs: int, last: int) -> float:
    """The same from the first card on."""
    height, width = small(0), small(0)
    for card in range(MOST_CARDS):
        if not mine >> card & 1:
            continue
        width = small(0)
        for answer in range(MOST_CARDS):
            if not theirs >> answer & 1:
                continue
            left, left_there = without(mine, small(card)), without(theirs, small(answer))
            ends = small(1) if last or left == 0 else small(0)
            value = 0.0
            if card + edge == answer:
                value = second_in_hand(c, edge, refilled(left), refilled(left_there), ends)
            else:
                value = 1.0 if card + edge > answer else -1.0
                if not ends:
                    value += c.lead[left, left_there]
            c.payoffs[FIRST, height, width] = value
            width = small(width + 1)
        height = small(height + 1)
    return solve(c, small(FIRST), height, width)


@compiled
def how_many(hand: int) -> int:
    found = small(0)
    while hand:
        hand = small(hand & (hand - 1))
        found = small(found + 1)
    return found


@compiled
def learn_leads(c: Cards) -> None:
    """From small hands to large ones."""
    for size in range(1, MOST_CARDS + 1):
        for mine in range(1, FULL + 1):
            for theirs in range(1, FULL + 1):
                if how_many(small(mine)) == size and how_many(small(theirs)) == size:
                    c.lead[mine, theirs] = duel_in_hand(
                        c, small(0), small(mine), small(theirs), small(0)
                    )
    for mine in range(1, FULL + 1):
        for theirs in range(1, FULL + 1):
            c.edge_in_hand[mine, theirs] = (c.lead[mine, theirs] - c.lead[theirs, mine]) / 2


# A duel with something at stake


class Stakes(NamedTuple):
    """What a duel is about: what the attacker has if he loses it, wins it, or wins it by two."""

    lost: float
    won: float
    perfect: float
    exact: int
    """Whether only two are by two."""
    lead: float
    """What a duel won later is worth."""


@compiled
def decided(stakes: Stakes, margin: int, later: float) -> float:
    """What an end of the duel is worth, with so many duels more in hand: the less is decided by
    it, the more they count."""
    value = stakes.won
    if margin <= 0:
        value = stakes.lost
    elif margin == 2 or (margin > 2 and not stakes.exact):
        value = stakes.perfect
    open_still = 4.0 * max(0.0, value * (1.0 - value))
    return value + stakes.lead * later * open_still


@compiled
def second_card(
    c: Cards, edge: int, mine: int, theirs: int, stakes: Stakes, before: float
) -> float:
    """What the second round is worth to the attacker, cards for later included; `before` is what
    the hands promised before the duel."""
    height, width = small(0), small(0)
    for card in range(MOST_CARDS):
        if not mine >> card & 1:
            continue
        width = small(0)
        for answer in range(MOST_CARDS):
            if not theirs >> answer & 1:
                continue
            promise = later(c, mine, theirs, small(card), small(answer)) - before
            c.payoffs[SECOND, height, width] = decided(stakes, small(card + edge - answer), promise)
            width = small(width + 1)
        height = small(height + 1)
    return solve(c, small(SECOND), height, width)


@compiled
def first_card(c: Cards, edge: int, mine: int, theirs: int, stakes: Stakes) -> float:
    """The same for the first; the mixes lie in the rows and columns of the round."""
    height, width, before = small(0), small(0), float(c.edge_in_hand[mine, theirs])
    for card in range(MOST_CARDS):
        if not mine >> card & 1:
            continue
        width = small(0)
        for answer in range(MOST_CARDS):
            if not theirs >> answer & 1:
                continue
            value = 0.0
            if card + edge == answer:
                left = refilled(without(mine, small(card)))
                left_there = refilled(without(theirs, small(answer)))
                value = second_card(c, edge, left, left_there, stakes, before)
            else:
                promise = later(c, mine, theirs, small(card), small(answer)) - before
                value = decided(stakes, small(card + edge - answer), promise)
            c.payoffs[FIRST, height, width] = value
            width = small(width + 1)
        height = small(height + 1)
    return solve(c, small(FIRST), height, width)


@compiled
def learn_wins(c: Cards) -> None:
    """With nothing at stake but the duel."""
    for mine in range(1, FULL + 1):
        for theirs in range(1, FULL + 1):
            if how_many(small(mine)) == how_many(small(theirs)):
                for edge in range(-EVEN, EVEN + 1):
                    c.wins[EVEN + edge, mine, theirs] = first_card(
                        c,
                        small(edge),
                        small(mine),
                        small(theirs),
                        Stakes(0.0, 1.0, 1.0, small(0), 0.0),
                    )


@compiled
def later(c: Cards, mine: int, theirs: int, card: int, answer: int) -> float:
    """How many more duels than the other the attacker can win with the cards that are left."""
    left, left_there = refilled(without(mine, card)), refilled(without(theirs, answer))
    return float(c.edge_in_hand[left, left_there])
