"""The theory of duels (8): the best mixes of cards, for the duel alone and for a whole hand.

Both hands are open, so two cards put down together are a small zero-sum game, solved exactly once
the games that may follow it are. There are two:

- The **single duel** ends with the duel at hand. The loser pays the winner 1.
- The **hand game** goes on with duels of equal men, attacked by the same captain, until a duel
  ends with both hands empty, or one ends whose tie emptied them (they are refilled for its second
  round). The loser of each pays its winner 1.

So a captain wants to win as many duels more than the other as he can. Had he only to win many, it
would not be zero-sum: how many there are depends on the ties, which take two cards each.

The lead that best play secures is unique; the mixes that secure it need not be. Those given here
follow a fixed rule. A card is left out while another of its hand is as good against every card
still in: by the lead, then by the chance to win the duel at hand, then to win it by two. Of equal
cards the lowest stays. What remains is mixed for the first of these three that it can change, as
`equilibrium` mixes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import lcm
from operator import ge, le
from typing import NamedTuple, TypeAlias

from kibitz.core.values import FrozenValue
from kibitz.games.kahmate.state import CARDS, Hand

Mix: TypeAlias = Mapping[int, Fraction]
"""The chance with which each card of a hand is played."""
Aim: TypeAlias = tuple[Fraction, ...]
"""The attacker's aim: of an Outlook all but the number of duels."""
Aims: TypeAlias = Mapping[tuple[int, int], Aim]
"""By his card and the defender's."""


class Outlook(NamedTuple):
    """The attacker's expectation; the greater, the better for him."""

    lead: Fraction
    """Duels he wins less duels he loses, from now on."""
    win: Fraction
    """The chance to win the duel at hand."""
    win_by_two: Fraction
    """The chance to win it by two or more in the deciding round."""
    duels: Fraction
    """The number of duels from now on, this one included."""

    @property
    def expected_wins(self) -> Fraction:
        """Duels he wins, from now on."""
        return (self.duels + self.lead) / 2


class Round(FrozenValue, frozen=True):
    """One card each, put down together: how to choose it, and what comes of it."""

    outlook: Outlook
    attacker: Mix
    defender: Mix
    ties: Mapping[tuple[int, int], Round]
    """The second round after each tie, by the attacker's and the defender's card."""


def single_duel(attack: int, defence: int, attacker: Hand, defender: Hand) -> Round:
    """The duel alone, by the men's modifiers and by hands of equal size, cards ascending."""
    return _round(attack - defence, attacker, defender, second=False, last=True)


def hand_game(attack: int, defence: int, attacker: Hand, defender: Hand) -> Round:
    """The duel at hand and those that follow until the hands are refilled."""
    return _round(attack - defence, attacker, defender, second=False, last=False)


@cache
def _round(edge: int, attacker: Hand, defender: Hand, *, second: bool, last: bool) -> Round:
    """The attacker's modifier is greater by `edge`; after the `last` duel nothing counts."""
    ties = {}

    def outlook(mine: int, theirs: int) -> Outlook:
        margin = mine + edge - theirs
        left = _hand_without(attacker, mine), _hand_without(defender, theirs)
        ends = last or left == ((), ())
        if margin == 0 and not second:
            hands = left[0] or CARDS, left[1] or CARDS
            ties[mine, theirs] = _round(edge, *hands, second=True, last=ends)
            return ties[mine, theirs].outlook
        lead, duels = Fraction(1 if margin > 0 else -1), Fraction(1)
        if not ends:
            later = _round(0, *left, second=False, last=False).outlook
            lead, duels = lead + later.lead, duels + later.duels
        return Outlook(lead, Fraction(margin > 0), Fraction(margin > 1), duels)

    table = {(mine, theirs): outlook(mine, theirs) for mine in attacker for theirs in defender}
    attacks, defends = _mixes({cards: o[:3] for cards, o in table.items()}, attacker, defender)
    odds = [(attacks[mine] * defends[theirs], o) for (mine, theirs), o in table.items()]
    parts = range(len(Outlook._fields))
    expected = (sum((p * o[part] for p, o in odds if p), Fraction(0)) for part in parts)
    return Round(Outlook(*expected), attacks, defends, ties)


def _hand_without(hand: Hand, card: int) -> Hand:
    return tuple(other for other in hand if other != card)


def _mixes(aims: Aims, attacker: Hand, defender: Hand) -> tuple[Mix, Mix]:
    ours, others = _worthwhile_cards(aims, attacker, defender)
    rows = [[aims[mine, theirs] for theirs in others] for mine in ours]
    open_aims = (n for n in range(3) if any(aim[n] != rows[0][0][n] for row in rows for aim in row))
    first = next(open_aims, 0)
    chances = equilibrium([[aim[first] for aim in row] for row in rows])
    return (
        dict.fromkeys(attacker, Fraction(0)) | dict(zip(ours, chances[0], strict=True)),
        dict.fromkeys(defender, Fraction(0)) | dict(zip(others, chances[1], strict=True)),
    )


def _worthwhile_cards(aims: Aims, attacker: Hand, defender: Hand) -> tuple[Hand, Hand]:
    """The cards that remain when none is left that another one matches."""
    ours = _unmatched_cards(
        {mine: [aims[mine, theirs] for theirs in defender] for mine in attacker}, ge
    )
    others = _unmatched_cards(
        {theirs: [aims[mine, theirs] for mine in ours] for theirs in defender}, le
    )
    if (ours, others) == (attacker, defender):
        return ours, others
    return _worthwhile_cards(aims, ours, others)


def _unmatched_cards(
    cards: Mapping[int, Sequence[Aim]], as_good: Callable[[Aim, Aim], bool]
) -> Hand:
    kept = tuple(cards)
    for card in reversed(kept):
        rivals = _hand_without(kept, card)
        if any(all(map(as_good, cards[rival], cards[card])) for rival in rivals):
            kept = rivals
    return kept


def equilibrium(payoffs: Sequence[Sequence[Fraction]]) -> tuple[list[Fraction], list[Fraction]]:
    """Best mixes for the side that chooses a row and is paid, and for the one that pays.

    The simplex method with Bland's rule, in whole numbers: what a pivot gives can be divided by
    the pivot before, so they stay as small as they can be.
    """
    height, width = len(payoffs), len(payoffs[0])
    lowest = min(map(min, payoffs))
    scale = lcm(*(payoff.denominator for row in payoffs for payoff in row))
    # Payoffs above zero make it the linear program "the greatest sum of q with payoffs q <= 1".
    table = [[int((payoff - lowest) * scale) + 1 for payoff in row] + [1] for row in payoffs]
    table.append([-1] * width + [0])
    free, basic = list(range(width)), list(range(width, width + height))
    divisor = 1
    while entering := [column for column in range(width) if table[-1][column] < 0]:
        column = min(entering, key=lambda column: free[column])
        leaving = [row for row in range(height) if table[row][column] > 0]
        row = min(
            leaving, key=lambda row: (Fraction(table[row][-1], table[row][column]), basic[row])
        )
        line = table[row]
        pivot = line[column]
        for other in table:
            if other is not line:
                times = other[column]
                other[:] = [
                    (value * pivot - times * by) // divisor
                    for value, by in zip(other, line, strict=True)
                ]
                other[column] = -times
        line[column], divisor = divisor, pivot
        free[column], basic[row] = basic[row], free[column]
    *lines, prices = table
    total = prices.pop()
    chosen = dict(zip(free, prices, strict=True))
    answered = {variable: line[-1] for variable, line in zip(basic, lines, strict=True)}
    return (
        [Fraction(chosen.get(width + row, 0), total) for row in range(height)],
        [Fraction(answered.get(column, 0), total) for column in range(width)],
    )
