"""A duel of Kahmaté of which one end is known: it was fought, and what came of it was looked at."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.bots.kahmate.card_mixes import (
    FIRST_ROUND,
    SECOND_ROUND,
    Stakes,
    card_value,
    duel_end_value,
    duel_solver,
    pack_hand,
    refilled_hand,
    solve,
    without_card,
)
from kibitz.games.kahmate.rules.duel import modifiers
from kibitz.games.kahmate.state import Duelling, State, hand_of, other_side

HALVINGS = 50
"""Of the range in which a stake is looked for."""


class KnownEnd(NamedTuple):
    """Two cards that met, by their places in the hands, and the attacker's chance afterwards."""

    attack: int
    defence: int
    chance: float


class DuelMixes(NamedTuple):
    mix: Any
    """The share of each card of the attacker's hand, then of the defender's."""
    other_mix: Any
    chances: Any
    """[attacker's card, defender's]: that the attacker wins the match."""


def solve_duel_ends(state: State, stakes: Stakes, known: KnownEnd | None) -> DuelMixes:
    """The best mixes of a duel. All ends that are like the known one are worth as much as it, but
    for the cards that are left; a tie is known by itself."""
    duel, c = state.phase, duel_solver()
    assert isinstance(duel, Duelling)
    hand, other_hand = hand_of(state, state.turn), hand_of(state, other_side(state.turn))
    attack, defend = modifiers(state.field, duel)
    mine, theirs = pack_hand(hand), pack_hand(other_hand)
    in_round = SECOND_ROUND if duel.round == 2 else FIRST_ROUND
    before, is_tie = float(c.edge_in_hand[mine, theirs]), False
    if known:
        card, answer = hand[known.attack], other_hand[known.defence]
        margin = card + attack - answer - defend
        is_tie = margin == 0 and in_round == FIRST_ROUND
        left = refilled_hand(without_card(mine, card - 1))
        left_there = refilled_hand(without_card(theirs, answer - 1))
        later = float(c.edge_in_hand[left, left_there]) - before
        if not is_tie:
            stakes = stakes_with_end(stakes, margin, later, known.chance, duel.contest == "T")
    card_value(c, in_round, attack - defend, mine, theirs, stakes, before)
    height, width = len(hand), len(other_hand)
    payoffs = c.payoffs[in_round, :height, :width]
    payoffs.clip(0.0, 1.0, payoffs)
    if known:
        payoffs[known.attack, known.defence] = known.chance
    solve(c, in_round, height, width)
    return DuelMixes(
        np.array(c.rows[in_round, :height]),
        np.array(c.columns[in_round, :width]),
        np.array(payoffs),
    )


def stakes_with_end(
    stakes: Stakes, margin: int, later: float, chance: float, is_tackle: bool
) -> Stakes:
    """The stakes by which an end with this margin, and so many duels more in hand, is worth this
    chance. Only a tackle is worth more if it is won by two."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        stake = (low + high) / 2
        same = stakes._replace(if_lost=stake, if_won=stake, if_perfect=stake)
        if duel_end_value(same, margin, later) < chance:
            low = stake
        else:
            high = stake
    if margin <= 0:
        return stakes._replace(if_lost=high)
    if not is_tackle:
        return stakes._replace(if_won=high, if_perfect=high)
    is_perfect = margin == 2 or (margin > 2 and not stakes.is_exact)
    return stakes._replace(if_perfect=high) if is_perfect else stakes._replace(if_won=high)
