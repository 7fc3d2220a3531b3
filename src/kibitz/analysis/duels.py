"""Cards put down together: what the best mixes are, and what a card cost on average.

A card is held against the other side's best mix, never against the card it happened to meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from kibitz.analysis.evaluation import AnyGame, Budget
from kibitz.bots.api import SearchContext
from kibitz.core.game import Seat
from kibitz.games.kahmate.actions import Card
from kibitz.games.kahmate.rules import hand_of
from kibitz.games.kahmate.state import Duelling, State, other_side

DIGITS = 4
EPSILON = 1e-9
"""Chances that differ by less are the same, reckoned in another order."""


@dataclass(frozen=True, slots=True)
class Duel:
    """One card of a duel, from the eye of whoever put it down."""

    card: str
    is_attack: bool
    round: int
    mix: Mapping[str, float]
    """How often to play each card of the hand."""
    other: Mapping[str, float]
    """And the other side's best mix."""
    chances: Mapping[str, float]
    """Of winning the match with each card, against that mix."""
    cost: float
    """By how much the best card was better than this one."""

    @property
    def share(self) -> float:
        """How often the mix plays the card that was played."""
        return self.mix[self.card]

    @property
    def json(self) -> dict[str, Any]:
        def rounded(found: Mapping[str, float]) -> dict[str, float]:
            return {card: round(each, DIGITS) for card, each in found.items()}

        return {
            "card": self.card,
            "attacks": self.is_attack,
            "round": self.round,
            "share": round(self.share, DIGITS),
            "cost": round(self.cost, DIGITS),
            "mix": rounded(self.mix),
            "other": rounded(self.other),
        }


class DuelSolution(NamedTuple):
    """Both sides' best mixes, and what the captain on turn may hope for with each pair of cards:
    his chance of winning the match, by the attacker's card and the defender's."""

    attacker: Any
    defender: Any
    chances: Any


def is_first_card(state: Any, seat: Seat, action: Any) -> bool:
    """Whether it is a first card, which lies face down."""
    return isinstance(action, Card) and isinstance(state, State) and seat == state.turn


def duel_of(game: AnyGame, state: Any, seat: Seat, action: Any, budget: Budget) -> Duel | None:
    """What there is to say of a card of Kahmaté; nothing of anything else."""
    if not isinstance(action, Card) or not isinstance(state, State):
        return None
    assert isinstance(state.phase, Duelling)
    attacks, both = seat == state.turn, _solve_duel(game, state, budget)
    if attacks:
        mix, against, chances = both.attacker, both.defender, both.chances @ both.defender
    else:
        mix, against, chances = both.defender, both.attacker, 1 - both.attacker @ both.chances
    cards = [game.notation.write_action(Card(card)) for card in hand_of(state, seat)]
    others = [game.notation.write_action(Card(card)) for card in hand_of(state, other_side(seat))]
    played = game.notation.write_action(action)
    cost = float(chances.max() - chances[cards.index(played)])
    return Duel(
        card=played,
        is_attack=attacks,
        round=state.phase.round,
        mix=dict(zip(cards, mix.tolist(), strict=True)),
        other=dict(zip(others, against.tolist(), strict=True)),
        chances=dict(zip(cards, chances.clip(0, 1).tolist(), strict=True)),
        cost=cost if cost > EPSILON else 0.0,
    )


def _solve_duel(game: AnyGame, state: State, budget: Budget) -> DuelSolution:
    """As the best mind sees it, which need not know whose eye it is. The mind is loaded here, as
    whoever only reads what was found has no use for it."""
    import numpy as np

    from kibitz.bots.kahmate.card_mixes import FIRST_ROUND, SECOND_ROUND
    from kibitz.bots.kahmate.levels import STRENGTHS, Root

    assert isinstance(state.phase, Duelling)
    best = STRENGTHS[-1]
    think = SearchContext(game, state.turn, Random(0), budget.seconds, budget.nodes)
    root = Root(state, think)
    with think.search_budget(best.seconds) as nodes:
        root.search(best, nodes)
    cards, kept = root.buffers.cards, SECOND_ROUND if state.phase.round == 2 else FIRST_ROUND
    height, width = len(hand_of(state, state.turn)), len(hand_of(state, other_side(state.turn)))
    return DuelSolution(
        np.array(cards.rows[kept, :height]),
        np.array(cards.columns[kept, :width]),
        np.array(cards.payoffs[kept, :height, :width]),
    )
