"""The analysis of Kahmaté: its duels. Positions and turns are judged by its engine as it is."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from kibitz.analysis.duels import Duel
from kibitz.analysis.evaluation import AnyGame, Budget
from kibitz.bots.api import SearchContext
from kibitz.core.game import Seat
from kibitz.games.kahmate.actions import Card
from kibitz.games.kahmate.rules import hand_of
from kibitz.games.kahmate.state import Duelling, State, other_side

DEFAULT_NODES = 20_000
EPSILON = 1e-9
"""Chances that differ by less are the same, reckoned in another order."""


class DuelSolution(NamedTuple):
    """Both sides' best mixes, and what the captain on turn may hope for with each pair of cards:
    his chance of winning the match, by the attacker's card and the defender's."""

    attacker: Any
    defender: Any
    chances: Any


def is_first_card(state: State, seat: Seat, action: Any) -> bool:
    return isinstance(action, Card) and seat == state.turn


def duel_of(game: AnyGame, state: State, seat: Seat, action: Any, budget: Budget) -> Duel | None:
    if not isinstance(action, Card):
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
    """As the best level sees it, which need not know whose eye it is. The engine is loaded here,
    as whoever only reads what was found has no use for it."""
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
