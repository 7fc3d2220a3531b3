"""Cards put down together: their best mixes, and what a card cost on average.

A card is held against the other side's best mix, never against the card it happened to meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from kibitz.analysis.evaluation import AnyGame, Budget
from kibitz.core.game import Seat
from kibitz.games import extra_of

DIGITS = 4
EPSILON = 1e-9
"""Chances that differ by less are the same, reckoned in another order."""


class DuelSolution(NamedTuple):
    """Both sides' best mixes, and the chance of whoever attacks with each pair of cards."""

    attacker: Seat
    defender: Seat
    round: int
    cards: tuple[str, ...]
    """The attacker's, as the notation writes them."""
    other_cards: tuple[str, ...]
    mix: Any
    other_mix: Any
    chances: Any
    """[attacker's card, defender's]: that the attacker wins the match."""
    met: tuple[str, str] | None = None
    """The two cards that were shown, if it is known what came of them."""

    @property
    def pairs(self) -> Iterator[tuple[tuple[str, str], float, float]]:
        """The pairs of cards that meet, how often, and the attacker's chance with each; the two
        that were shown are among them, however rare they are."""
        for row, card in enumerate(self.cards):
            for column, other in enumerate(self.other_cards):
                share = float(self.mix[row] * self.other_mix[column])
                if share or (card, other) == self.met:
                    yield (card, other), share, float(self.chances[row, column])

    @property
    def value(self) -> float:
        """The attacker's chance while both cards lie face down."""
        return float(self.mix @ self.chances @ self.other_mix)


class ShownCard(NamedTuple):
    """The second card of a duel, by which both are shown, and the attacker's chance afterwards."""

    text: str
    chance: float


@dataclass(frozen=True, slots=True)
class Duel:
    """One card of a duel, from the eye of whoever put it down."""

    card: str
    is_attack: bool
    round: int
    mix: Mapping[str, float]
    """The share of plays for each card of the hand."""
    other: Mapping[str, float]
    """And the other side's best mix."""
    chances: Mapping[str, float]
    """Of winning the match with each card, against that mix."""
    cost: float
    """By how much the best card was better than this one."""

    @property
    def share(self) -> float:
        """The share of the mix that the played card has."""
        return self.mix[self.card]

    @property
    def json(self) -> dict[str, Any]:
        def round_shares(found: Mapping[str, float]) -> dict[str, float]:
            return {card: round(each, DIGITS) for card, each in found.items()}

        return {
            "card": self.card,
            "attacks": self.is_attack,
            "round": self.round,
            "share": round(self.share, DIGITS),
            "cost": round(self.cost, DIGITS),
            "mix": round_shares(self.mix),
            "other": round_shares(self.other),
        }


def is_card(game: AnyGame, action: Any) -> bool:
    """True for a card of a duel, in a game that has duels."""
    expert = extra_of(game.name, "analysis")
    return hasattr(expert, "is_card") and bool(expert.is_card(action))


def solve_duel(
    game: AnyGame, state: Any, budget: Budget, shown: ShownCard | None = None
) -> DuelSolution:
    """The duel of a state, whether or not a card lies there. Where it is known what came of the
    second card, all that ends alike is worth as much."""
    found: DuelSolution = extra_of(game.name, "analysis").solve_duel(game, state, budget, shown)
    return found


def duel_of(solution: DuelSolution, seat: Seat, card: str) -> Duel:
    """The analysis of one card of a duel."""
    is_attack = seat == solution.attacker
    cards, others = solution.cards, solution.other_cards
    mix, other = solution.mix, solution.other_mix
    chances = solution.chances @ other
    if not is_attack:
        cards, others, mix, other = others, cards, other, mix
        chances = 1 - solution.mix @ solution.chances
    cost = float(chances.max() - chances[cards.index(card)])
    return Duel(
        card=card,
        is_attack=is_attack,
        round=solution.round,
        mix=dict(zip(cards, mix.tolist(), strict=True)),
        other=dict(zip(others, other.tolist(), strict=True)),
        chances=dict(zip(cards, chances.clip(0, 1).tolist(), strict=True)),
        cost=cost if cost > EPSILON else 0.0,
    )
