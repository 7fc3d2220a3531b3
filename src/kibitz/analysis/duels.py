"""Cards put down together: what the best mixes are, and what a card cost on average.

A card is held against the other side's best mix, never against the card it happened to meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.analysis.judging import SPAN, AnyGame, shares
from kibitz.bots.evaluations.kahmate.contests import bout, stakes
from kibitz.bots.evaluations.kahmate.judging import TRY
from kibitz.core.game import Seat
from kibitz.games.kahmate.actions import Card
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.state import SEATS, Duelling, State

DIGITS = 4


@dataclass(frozen=True, slots=True)
class Duel:
    """One card of a duel, from the eye of whoever put it down."""

    card: str
    attacks: bool
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
            "attacks": self.attacks,
            "round": self.round,
            "share": round(self.share, DIGITS),
            "cost": round(self.cost, DIGITS),
            "mix": rounded(self.mix),
            "other": rounded(self.other),
        }


def duel_of(game: AnyGame, state: Any, seat: Seat, action: Any) -> Duel | None:
    """What there is to say of a card of Kahmaté; nothing of anything else."""
    if not isinstance(action, Card) or not isinstance(state, State):
        return None
    assert isinstance(state.phase, Duelling)
    options, duel = Options(**game.options), state.phase
    at_stake = stakes(options, state, duel)
    both = bout(options, state, duel, at_stake)
    attacks = seat == state.turn
    mine, theirs = (both.attacker, both.defender) if attacks else (both.defender, both.attacker)
    values = {}
    for card in mine:
        pairs = ((card, each) if attacks else (each, card) for each in theirs)
        met = zip(theirs.values(), (both.payoffs[pair] for pair in pairs), strict=True)
        values[card] = sum(odds * payoff for odds, payoff in met)
    best = (max if attacks else min)(values.values())
    half = max(1.0, (at_stake.perfect - at_stake.lost) / 2)
    lead = (state.score[0] - state.score[1]) * (1 if state.turn == SEATS[0] else -1)

    def chance(value: Any) -> float:
        """Of this seat, for a value between a duel lost and one won by two."""
        worth = (TRY * lead + at_stake.lost + half * float(1 + value)) / SPAN
        return shares([worth, -worth] if attacks else [-worth, worth])[0]

    return Duel(
        card=game.write_action(action),
        attacks=attacks,
        round=duel.round,
        mix={_text(game, card): float(share) for card, share in mine.items()},
        other={_text(game, card): float(share) for card, share in theirs.items()},
        chances={_text(game, card): chance(value) for card, value in values.items()},
        cost=chance(best) - chance(values[action.card]),
    )


def _text(game: AnyGame, card: int) -> str:
    return game.write_action(Card(card))
