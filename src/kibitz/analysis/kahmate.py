"""The analysis of Kahmaté: positions and plans by the search of its engine, and its duels.

The engine is loaded where it is asked: whoever only reads what was found has no use for it.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from kibitz.analysis.duels import DuelSolution, ShownCard
from kibitz.analysis.evaluation import MAX_SHOWN_ACTIONS, AnyGame, Budget, Chances, RankedAction
from kibitz.bots.api import SearchContext
from kibitz.core.game import Seat
from kibitz.games.kahmate.actions import Card
from kibitz.games.kahmate.state import SEATS, Duelling, Placing, State, hand_of, other_side

if TYPE_CHECKING:
    from kibitz.bots.kahmate.levels import Root

DEFAULT_NODES = 20_000
CONFIDENCE = 0.45
"""By so much the logarithm of the odds that the engine gives a try is smaller in truth: so it was
in 1,215 matches of level 5 against itself (docs/decisions/0021). A try that it sees to the end
stays sure."""


def is_weighed(state: State) -> bool:
    """False while men are set up: line-ups are compared as wholes, unseen, by their mixes."""
    return not isinstance(state.phase, Placing)


def is_card(action: Any) -> bool:
    return isinstance(action, Card)


def position_chances(game: AnyGame, state: State, budget: Budget) -> Chances:
    """The chances in the match: what the running try is worth and the race to the tries it takes.
    Before a set-up they are those of the best mixes of line-ups."""
    if isinstance(state.phase, Placing):
        from kibitz.bots.kahmate.levels import solved_line_ups

        red = calibrated_chance(game, state, "R", solved_line_ups(state, game.options).value)
        return (red, 1.0 - red)
    value = _searched_root(game, state, budget).value
    chance = calibrated_chance(game, state, state.turn, value)
    return tuple(chance if seat == state.turn else 1.0 - chance for seat in SEATS)


def ranked_actions(
    game: AnyGame, state: State, seat: Seat, budget: Budget
) -> tuple[RankedAction, ...]:
    """The first actions of the engine's plans, the best plan of each; what it did not plan to do
    is not among them."""
    root, found = _searched_root(game, state, budget), dict[Any, RankedAction]()
    for value, line in root.plans():
        mine = calibrated_chance(game, state, state.turn, value)
        chance = mine if seat == state.turn else 1.0 - mine
        if line and line[0] not in found and len(found) < MAX_SHOWN_ACTIONS:
            found[line[0]] = RankedAction(line[0], chance, line)
    return tuple(found.values())


def calibrated_chance(game: AnyGame, state: State, side: Seat, value: float) -> float:
    """The chance of a side to win the match, by the engine's value of it: the race to the tries it
    takes, with a calibrated chance of making the running one."""
    from kibitz.bots.kahmate.value import MATCH_CHANCES

    tries = state.raised_tries or game.options["tries"]
    mine, theirs = (tries - state.score[SEATS.index(each)] for each in (side, other_side(side)))
    won, lost = 1.0 - float(MATCH_CHANCES[theirs, mine - 1]), float(MATCH_CHANCES[mine, theirs - 1])
    running = (value - lost) / (won - lost)
    if not 0.0 < running < 1.0:
        return min(1.0, max(0.0, value))  # It is decided, or the score decides it soon.
    odds: float = (running / (1.0 - running)) ** CONFIDENCE
    return lost + (won - lost) * odds / (1.0 + odds)


def _searched_root(game: AnyGame, state: State, budget: Budget) -> Root:
    """The search of the best level, for the captain on turn: whose eye it is does not matter."""
    from kibitz.bots.kahmate.levels import STRENGTHS, Root

    best = STRENGTHS[-1]
    think = SearchContext(game, state.turn, Random(0), budget.seconds, budget.nodes)
    root = Root(state, think)
    with think.search_budget(best.seconds) as nodes:
        root.search(best, nodes)
    return root


# Duels


def solve_duel(
    game: AnyGame, state: State, budget: Budget, shown: ShownCard | None
) -> DuelSolution:
    """The matrix game over what the ends of the duel are worth, as the best level sees them; the
    end that was reached is worth what was found there."""
    from kibitz.bots.kahmate.duel_ends import KnownEnd, solve_duel_ends

    duel = state.phase
    assert isinstance(duel, Duelling)
    attacker, defender = state.turn, other_side(state.turn)
    hand, other_hand = hand_of(state, attacker), hand_of(state, defender)
    cards, others = (
        tuple(game.notation.write_action(Card(each)) for each in held)
        for held in (hand, other_hand)
    )
    met, known = None, None
    if shown:
        assert duel.card is not None
        met = game.notation.write_action(Card(duel.card)), shown.text
        known = KnownEnd(cards.index(met[0]), others.index(met[1]), shown.chance)
    stakes = _searched_root(game, state, budget).stakes
    ends = (stakes.if_lost, stakes.if_won, stakes.if_perfect)
    lost, won, perfect = (calibrated_chance(game, state, attacker, each) for each in ends)
    lead = stakes.lead * CONFIDENCE
    stakes = stakes._replace(if_lost=lost, if_won=won, if_perfect=perfect, lead=lead)
    found = solve_duel_ends(state, stakes, known)
    return DuelSolution(attacker, defender, duel.round, cards, others, *found, met)
