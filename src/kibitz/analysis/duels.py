"""Cards put down together: their best mixes, and what a card cost on average.

A card is held against the other side's best mix, never against the card it happened to meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.analysis.evaluation import AnyGame, Budget
from kibitz.core.game import Seat
from kibitz.games import extra_of

DIGITS = 4


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


def is_first_card(game: AnyGame, state: Any, seat: Seat, action: Any) -> bool:
    """True for a first card, which lies face down, in a game that has duels."""
    expert = extra_of(game.name, "analysis")
    return hasattr(expert, "is_first_card") and bool(expert.is_first_card(state, seat, action))


def duel_of(game: AnyGame, state: Any, seat: Seat, action: Any, budget: Budget) -> Duel | None:
    """The analysis of a card of a duel; None for anything else."""
    expert = extra_of(game.name, "analysis")
    found: Duel | None = (
        expert.duel_of(game, state, seat, action, budget) if hasattr(expert, "duel_of") else None
    )
    return found
