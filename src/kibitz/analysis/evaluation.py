"""The chances of each seat to win, and of what each action would make of them.

The best level of a game's engine is asked, as it is at a table: it sees the view of whoever is to
act, so no action is held against anybody for what they could not know. Where there is no engine,
the score of the game's story is turned into a chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Any, NamedTuple, TypeAlias

from kibitz.bots import greedy
from kibitz.bots.api import Evaluation, SearchContext
from kibitz.bots.registry import BOTS, LEVELS, has_engine
from kibitz.core.game import CHANCE, PRESS_DIE, Game, Seat
from kibitz.games import extra_of

AnyGame: TypeAlias = Game[Any, Any, Any]
Chances: TypeAlias = tuple[float, ...]
"""Of winning, in the order of the seats; a draw is shared. They sum to one."""

BEST_LEVEL = LEVELS[-1]
MAX_SHOWN_ACTIONS = 4
"""So many actions are weighed with care, of those that look best."""
GLANCE_NODES = 400
"""Nodes for a first look at an action."""
SCORE_WEIGHT = 2.0
"""The logarithm of the odds of whoever has the best score against whoever has none."""
DEFAULT_NODES = 2_000
"""For a decision, where the game does not say: some tenths of a second."""
MAX_CACHED = 64
"""So many thoughts are remembered: a position is asked about more than once."""
MAX_FORCED_ACTIONS = 12
"""So many actions without a choice are followed."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The cost of one decision. With nodes the same is found again, whatever the machine."""

    nodes: int | None = None
    seconds: float | None = None

    def part(self, parts: int) -> Budget:
        """One of so many equal parts."""
        if self.seconds is not None:
            return Budget(seconds=self.seconds / parts)
        return Budget(nodes=max(GLANCE_NODES, (self.nodes or 0) // parts))


class RankedAction(NamedTuple):
    action: Any
    chance: float
    """Of the seat that would do it."""
    line: tuple[Any, ...]
    """The expected line of play, this action first."""
    share: float = 0.0
    """Its share in the best mix, where actions are mixed."""


def default_budget(game: str) -> Budget:
    return Budget(nodes=getattr(extra_of(game, "analysis"), "DEFAULT_NODES", DEFAULT_NODES))


PositionEvaluator: TypeAlias = Callable[[AnyGame, Any, Budget], Chances]
ActionRanker: TypeAlias = Callable[[AnyGame, Any, Seat, Budget], tuple[RankedAction, ...]]


class Evaluator:
    def __init__(self, game: AnyGame, budget: Budget) -> None:
        self.game, self.budget = game, budget
        expert = extra_of(game.name, "analysis")
        self._position_evaluator: PositionEvaluator | None = getattr(
            expert, "position_chances", None
        )
        self._action_ranker: ActionRanker | None = getattr(expert, "ranked_actions", None)
        self._is_weighed: Callable[[Any], bool] | None = getattr(expert, "is_weighed", None)
        self._is_exact: Callable[[AnyGame, Any], bool] | None = getattr(expert, "is_exact", None)
        self._evaluation_cache: dict[Any, Evaluation] = {}

    # Positions

    def chances(self, state: Any, budget: Budget | None = None) -> Chances:
        """As whoever is to act would judge, or over all that chance may do."""
        for _ in range(MAX_FORCED_ACTIONS):
            if over := self.game.rules.outcome(state):
                return result_chances(over.payoffs)
            if CHANCE in (able := self.game.rules.to_act(state)):
                return self.expected_chances(state, budget)
            if self._position_evaluator or len(able) != 1:
                break
            (seat,) = able
            actions = self.game.rules.turn_actions(state, seat)
            if len(actions) != 1 or self.game.rules.secret_actions(state, seat, ()):
                break
            state = self.game.rules.resolve(state, seat, actions[0]).state
        return self._settled_chances(state, budget or self.budget)

    def expected_chances(self, state: Any, budget: Budget | None = None) -> Chances:
        """Over all that chance may do now."""
        odds = self.game.rules.odds(state)
        part = (budget or self.budget).part(max(1, len(odds)))
        found = [0.0] * len(self.game.seats)
        for action, share in odds.items():
            after = self.game.rules.resolve(state, CHANCE, action).state
            for n, chance in enumerate(self._settled_chances(after, part)):
                found[n] += float(share) * chance
        return normalise_chances(found)

    def _settled_chances(self, state: Any, budget: Budget) -> Chances:
        """Without looking through what chance may do."""
        if over := self.game.rules.outcome(state):
            return result_chances(over.payoffs)
        if self._position_evaluator:
            return self._position_evaluator(self.game, state, budget)
        seat = self._seat_to_act(state)
        if not has_engine(self.game.name):
            return self._chances_by_score(self._play_on(state, seat)[0])
        if seat is None or len(self.game.seats) != 2:
            return self._chances_by_score(state)
        evaluation = self.evaluate(state, seat, self.game.rules.turn_actions(state, seat), budget)
        if evaluation.value is None or not evaluation.depth:
            return self._chances_by_score(state)
        return self._chances_of_two(seat, evaluation.value)

    def _seat_to_act(self, state: Any) -> Seat | None:
        able = self.game.rules.to_act(state)
        return next((seat for seat in self.game.seats if seat in able), None)

    def _chances_of_two(self, seat: Seat, chance: float) -> Chances:
        """Of two seats."""
        return tuple(chance if each == seat else 1.0 - chance for each in self.game.seats)

    def evaluate(
        self, state: Any, seat: Seat, actions: Sequence[Any], budget: Budget
    ) -> Evaluation:
        """The evaluation of the best level, from where the seat sits."""
        if len(actions) < 2 or not has_engine(self.game.name):
            return Evaluation()
        if (state, seat, budget) not in self._evaluation_cache:
            think = SearchContext(self.game, seat, Random(0), budget.seconds, budget.nodes)
            BOTS[BEST_LEVEL](self.game.rules.view(state, seat, ()), actions, think)
            if len(self._evaluation_cache) >= MAX_CACHED:
                self._evaluation_cache.clear()
            self._evaluation_cache[state, seat, budget] = think.evaluation
        return self._evaluation_cache[state, seat, budget]

    def _chances_by_score(self, state: Any) -> Chances:
        if over := self.game.rules.outcome(state):
            return result_chances(over.payoffs)
        score = self.game.story.score(state) or (0.0,) * len(self.game.seats)
        best = max(map(abs, score)) or 1.0
        return softmax_chances([SCORE_WEIGHT * each / best for each in score])

    def is_exact(self, state: Any) -> bool:
        """True if the chances in a position are solved and not estimated."""
        return bool(self._is_exact and self._is_exact(self.game, state))

    # Actions

    def is_weighed(self, state: Any, seat: Seat) -> bool:
        """False where the seat's actions cannot be compared one by one: something is hidden from
        it, as far as one may guess, or the game says so."""
        if self._is_weighed and not self._is_weighed(state):
            return False
        imagined = self.game.rules.imagine(self.game.rules.view(state, seat, ()), Random(0))
        return bool(imagined == state)

    def chances_with(
        self, state: Any, seat: Seat, action: Any, budget: Budget | None = None
    ) -> Chances:
        """Once the seat has done this, or lets the die fall."""
        if action == PRESS_DIE:
            return self.expected_chances(state, budget)
        return self.chances(self.game.rules.resolve(state, seat, action).state, budget)

    def rank_actions(self, state: Any, seat: Seat) -> tuple[RankedAction, ...]:
        """The best few things the seat could do, the best first."""
        actions = list(self.game.rules.turn_actions(state, seat))
        if CHANCE in self.game.rules.to_act(state):
            actions.append(PRESS_DIE)
        found: Sequence[RankedAction]
        if self._action_ranker:
            found = self._action_ranker(self.game, state, seat, self.budget)
        elif not has_engine(self.game.name):
            found = self._rank_with_greedy(state, seat, actions)
        else:
            found = self._rank_with_engine(state, seat, actions)
        return tuple(found[:MAX_SHOWN_ACTIONS])

    def _rank_with_engine(
        self, state: Any, seat: Seat, actions: Sequence[Any]
    ) -> list[RankedAction]:
        """Where the engine has named several actions, it has compared them, and its first is the
        best; else each is judged after it is done, all of them alike."""
        evaluation = self.evaluate(state, seat, actions, self.budget)
        told = [
            RankedAction(each.action, each.value, each.line or (each.action,))
            for each in evaluation.candidates
            if each.action in actions
        ]
        if len(told) >= min(MAX_SHOWN_ACTIONS, len(actions)):
            return told
        lines = {each.action: each.line for each in told}
        looked = self._rank_by_search(state, seat, actions, set(lines))
        return [each._replace(line=lines.get(each.action, each.line)) for each in looked]

    def _rank_by_search(
        self, state: Any, seat: Seat, actions: Sequence[Any], wanted: set[Any]
    ) -> list[RankedAction]:
        """A glance at all, then a closer look at what is wanted and at the best of the others."""
        left = [action for action in actions if action not in wanted]
        if len(left) > MAX_SHOWN_ACTIONS:
            quick = Budget(nodes=GLANCE_NODES)
            seen = [self._rank_action(state, seat, action, quick) for action in left]
            best = sorted(seen, key=lambda each: -each.chance)[: MAX_SHOWN_ACTIONS - 1]
            left = [each.action for each in best]
        closer = [action for action in actions if action in wanted or action in left]
        part = self.budget.part(MAX_SHOWN_ACTIONS)
        found = [self._rank_action(state, seat, action, part) for action in closer]
        return sorted(found, key=lambda each: -each.chance)

    def _rank_action(self, state: Any, seat: Seat, action: Any, budget: Budget) -> RankedAction:
        """An action with the chance that follows from it."""
        found = self.chances_with(state, seat, action, budget)
        line = () if action == PRESS_DIE else (action,)
        return RankedAction(action, found[self.game.seats.index(seat)], line)

    # Without an engine

    def _rank_with_greedy(
        self, state: Any, seat: Seat, actions: Sequence[Any]
    ) -> list[RankedAction]:
        """The choice of greedy, which goes on for the seat after it."""
        chosen = greedy.choose(
            self.game.rules.view(state, seat, ()),
            actions,
            SearchContext(self.game, seat, Random(0)),
        )
        mine = self.game.seats.index(seat)
        chance, line = self.chances_with(state, seat, chosen)[mine], tuple[Any, ...]()
        if chosen != PRESS_DIE:
            line = self._play_on(self.game.rules.resolve(state, seat, chosen).state, seat)[1]
        return [RankedAction(chosen, chance, (chosen, *line))]

    def _play_on(self, state: Any, seat: Seat | None) -> tuple[Any, tuple[Any, ...]]:
        """Where greedy leads for a seat, until something hidden, chance or another one decides."""
        game, line = self.game, list[Any]()
        for _ in range(MAX_FORCED_ACTIONS):
            if (
                seat is None
                or game.rules.to_act(state) != {seat}
                or game.rules.secret_actions(state, seat, ())
            ):
                break
            actions, think = (
                game.rules.turn_actions(state, seat),
                SearchContext(game, seat, Random(0)),
            )
            line.append(greedy.choose(game.rules.view(state, seat, ()), actions, think))
            state = game.rules.resolve(state, seat, line[-1]).state
        return state, tuple(line)


def result_chances(payoffs: Sequence[float]) -> Chances:
    """A match that is over: who won has won."""
    most = max(payoffs)
    winners = sum(each == most for each in payoffs)
    return tuple(1 / winners if each == most else 0.0 for each in payoffs)


def softmax_chances(worth: Sequence[float]) -> Chances:
    most = max(worth)
    return normalise_chances([exp(each - most) for each in worth])


def normalise_chances(found: Sequence[float]) -> Chances:
    total = sum(found)
    return tuple(each / total for each in found)
