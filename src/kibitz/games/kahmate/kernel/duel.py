"""Duels and cards (8)."""

from __future__ import annotations

from kibitz.core.jit import compiled, small
from kibitz.games.kahmate.kernel.ball import interception_decided
from kibitz.games.kahmate.kernel.encoding import (
    ATTACK_OF,
    DEFENCE_OF,
    FORCED,
    FULL_HAND,
    TACKLED,
    House,
    Packed,
)
from kibitz.games.kahmate.kernel.force import force_decided
from kibitz.games.kahmate.kernel.state import kind_of, man_at, other
from kibitz.games.kahmate.kernel.tackle import tackle_decided

# 8  Duels, cards, knock-outs


@compiled
def edge(p: Packed) -> int:
    """By how much the modifier of the man who attacks is greater."""
    attacker, defender = man_at(p, small(p.attacker)), man_at(p, small(p.defender))
    return small(ATTACK_OF[kind_of(attacker)] - DEFENCE_OF[kind_of(defender)])


@compiled
def commit(p: Packed, card: int) -> None:
    p.card = card


@compiled
def reveal(house: House, p: Packed, answer: int) -> None:
    """Both cards are shown and spent; then the duel is decided or goes into its second round."""
    card, turn = small(p.card), small(p.turn)
    margin = small(card + edge(p) - answer)
    spend(p, turn, card)
    spend(p, other(turn), answer)
    if margin == 0 and p.in_round == 1:
        p.in_round, p.card = 2, 0
    else:
        decided(house, p, margin)


@compiled
def decided(house: House, p: Packed, margin: int) -> None:
    if p.contest == TACKLED:
        tackle_decided(house, p, margin)
    elif p.contest == FORCED:
        force_decided(p, margin)
    else:
        interception_decided(p, margin)


@compiled
def spend(p: Packed, side: int, card: int) -> None:
    left = small(small(p.hands[side]) & ~(small(1) << card))
    p.hands[side] = left if left else small(FULL_HAND)
