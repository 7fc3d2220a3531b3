"""Duels and cards (8)."""

from __future__ import annotations

from kibitz.core.jit import i64, jit
from kibitz.games.kahmate.kernel.ball import settle_interception
from kibitz.games.kahmate.kernel.encoding import (
    ATTACK_OF,
    DEFENCE_OF,
    FORCE_CONTEST,
    FULL_HAND,
    TACKLE_CONTEST,
    OptionCodes,
    Packed,
)
from kibitz.games.kahmate.kernel.force import settle_force
from kibitz.games.kahmate.kernel.state import kind_of, man_at, other_side
from kibitz.games.kahmate.kernel.tackle import settle_tackle

# 8  Duels, cards, knock-outs


@jit
def modifier_edge(p: Packed) -> int:
    """By how much the modifier of the man who attacks is greater."""
    attacker, defender = man_at(p, i64(p.attacker)), man_at(p, i64(p.defender))
    return i64(ATTACK_OF[kind_of(attacker)] - DEFENCE_OF[kind_of(defender)])


@jit
def commit_card(p: Packed, card: int) -> None:
    p.card = card


@jit
def reveal_cards(options: OptionCodes, p: Packed, answer: int) -> None:
    """Both cards are shown and spent; then the duel is decided or goes into its second round."""
    card, turn = i64(p.card), i64(p.turn)
    margin = i64(card + modifier_edge(p) - answer)
    spend_card(p, turn, card)
    spend_card(p, other_side(turn), answer)
    if margin == 0 and p.in_round == 1:
        p.in_round, p.card = 2, 0
    else:
        settle_duel(options, p, margin)


@jit
def settle_duel(options: OptionCodes, p: Packed, margin: int) -> None:
    if p.contest == TACKLE_CONTEST:
        settle_tackle(options, p, margin)
    elif p.contest == FORCE_CONTEST:
        settle_force(p, margin)
    else:
        settle_interception(p, margin)


@jit
def spend_card(p: Packed, side: int, card: int) -> None:
    left = i64(i64(p.hands[side]) & ~(i64(1) << card))
    p.hands[side] = left if left else i64(FULL_HAND)
