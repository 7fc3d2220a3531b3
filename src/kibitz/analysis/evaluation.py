"""How likely each seat is to win, and what each action would make of it.

The best mind there is for a game is asked, as it is at a table: it sees the view of whoever is to
act, so no action is held against anybody for what they could not know. Where nobody has written a
mind, greedy's evaluation is turned into a chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from math import exp
from random import Random
from typing import Any, NamedTuple, TypeAlias

from kibitz.bots import greedy
from kibitz.bots.api import PRESS, Think, Thoughts
from kibitz.bots.evaluations import worth_in
from kibitz.bots.registry import BOTS, LEVELS, has_mind
from kibitz.core.game import CHANCE, Game, Seat

AnyGame: TypeAlias = Game[Any, Any, Any]
Chances: TypeAlias = tuple[float, ...]
"""Of winning, in the order of the seats; a draw is shared. They sum to one."""

BEST = LEVELS[-1]
SHOWN = 4
"""So many actions are weighed with care, of those that look best."""
GLANCE = 400
"""Nodes for a first look at an action."""
SPAN = 700.0
"""What greedy thinks of positions is worth the odds of e to one, for so much more of it."""
KEPT = 64
"""So many thoughts are remembered: a position is asked about more than once."""
FORCED = 12
"""So many actions without a choice are followed."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one decision may cost. With nodes the same is found again, whatever the machine."""

    nodes: int | None = None
    seconds: float | None = None

    def part(self, parts: int) -> Budget:
        """One of so many equal parts."""
        if self.seconds is not None:
            return Budget(seconds=self.seconds / parts)
        return Budget(nodes=max(GLANCE, (self.nodes or 0) // parts))


class Weighed(NamedTuple):
    action: Any
    chance: float
    """Of the seat that would do it."""
    line: tuple[Any, ...]
    """How play is expected to go on, this action first."""
    share: float = 0.0
    """How often the best mix has it, where actions are mixed."""


NODES = {"kalamala": 20_000, "as-kimble": 400, "kahmate": 20_000}
"""What is usual: some tenths of a second for a decision."""


def usual(game: str) -> Budget:
    return Budget(nodes=NODES.get(game, 2_000))


class Judge:
    def __init__(self, game: AnyGame, budget: Budget) -> None:
        self.game, self.budget = game, budget
        self._judged, self._weighed = known_of(game.name)
        self._latest: dict[Any, Thoughts] = {}

    # Positions

    def chances(self, state: Any, budget: Budget | None = None) -> Chances:
        """As whoever is to act would judge, or over all that chance may do."""
        for _ in range(FORCED):
            if over := self.game.outcome(state):
                return shared(over.payoffs)
            if CHANCE in (able := self.game.to_act(state)):
                return self.expected(state, budget)
            if self._judged or len(able) != 1:
                break
            (seat,) = able
            actions = self.game.turn_actions(state, seat)
            if len(actions) != 1 or self.game.secret(state, seat, ()):
                break
            state = self.game.resolve(state, seat, actions[0]).state
        return self._settled(state, budget or self.budget)

    def expected(self, state: Any, budget: Budget | None = None) -> Chances:
        """Over all that chance may do now."""
        odds = self.game.odds(state)
        part = (budget or self.budget).part(max(1, len(odds)))
        found = [0.0] * len(self.game.seats)
        for action, share in odds.items():
            after = self.game.resolve(state, CHANCE, action).state
            for n, chance in enumerate(self._settled(after, part)):
                found[n] += float(share) * chance
        return evened(found)

    def _settled(self, state: Any, budget: Budget) -> Chances:
        """Without looking through what chance may do."""
        if over := self.game.outcome(state):
            return shared(over.payoffs)
        if self._judged:
            return self._judged(self.game, state, budget)
        seat = self._next(state)
        if not has_mind(self.game.name):
            return self._by_worth(self._played_on(state, seat)[0])
        if seat is None or len(self.game.seats) != 2:
            return self._by_worth(state)
        thoughts = self.think(state, seat, self.game.turn_actions(state, seat), budget)
        if thoughts.value is None or not thoughts.depth:
            return self._by_worth(state)
        return self._as(seat, thoughts.value)

    def _next(self, state: Any) -> Seat | None:
        able = self.game.to_act(state)
        return next((seat for seat in self.game.seats if seat in able), None)

    def _as(self, seat: Seat, chance: float) -> Chances:
        """Of two seats."""
        return tuple(chance if each == seat else 1.0 - chance for each in self.game.seats)

    def think(self, state: Any, seat: Seat, actions: Sequence[Any], budget: Budget) -> Thoughts:
        """What the best mind has to say, from where the seat sits."""
        if len(actions) < 2 or not has_mind(self.game.name):
            return Thoughts()
        if (state, seat, budget) not in self._latest:
            think = Think(self.game, seat, Random(0), budget.seconds, budget.nodes)
            BOTS[BEST](self.game.view(state, seat, ()), actions, think)
            if len(self._latest) >= KEPT:
                self._latest.clear()
            self._latest[state, seat, budget] = think.thoughts
        return self._latest[state, seat, budget]

    def _by_worth(self, state: Any) -> Chances:
        """By greedy's evaluation."""
        worth, game = worth_in(self.game.name), self.game
        if over := game.outcome(state):
            return shared(over.payoffs)
        if worth is None:
            return (1 / len(game.seats),) * len(game.seats)
        return shares([worth(game, state, each) / SPAN for each in game.seats])

    # Actions

    def weigh(self, state: Any, seat: Seat, played: Any = None) -> tuple[Weighed, ...]:
        """The best few things the seat could do, the best first, and what was done among them."""
        actions = list(self.game.turn_actions(state, seat))
        if CHANCE in self.game.to_act(state):
            actions.append(PRESS)
        found: Sequence[Weighed]
        if self._weighed:
            found = self._weighed(self.game, state, seat, self.budget, played)
        elif not has_mind(self.game.name):
            found = self._beside_greedy(state, seat, actions, played)
        else:
            found = self._beside_best(state, seat, actions, played)
        ranked = sorted(found, key=lambda each: -each.chance)
        return tuple(ranked[:SHOWN] + [each for each in ranked[SHOWN:] if each.action == played])

    def _beside_best(
        self, state: Any, seat: Seat, actions: Sequence[Any], played: Any
    ) -> list[Weighed]:
        """Where the mind has named several actions, it has compared them, and its first is the
        best; else each is judged after it is done, all of them alike."""
        thoughts = self.think(state, seat, actions, self.budget)
        told = [
            Weighed(each.action, each.value, each.line or (each.action,))
            for each in thoughts.candidates
            if each.action in actions
        ]
        told[1:] = [each._replace(chance=min(each.chance, told[0].chance)) for each in told[1:]]
        if len(told) >= min(SHOWN, len(actions)):
            missing = played is not None and all(each.action != played for each in told)
            return [*told, self._after(state, seat, played, self.budget)] if missing else told
        lines = {each.action: each.line for each in told}
        looked = self._looked_at(state, seat, actions, {*lines, played})
        return [each._replace(line=lines.get(each.action, each.line)) for each in looked]

    def _looked_at(
        self, state: Any, seat: Seat, actions: Sequence[Any], wanted: set[Any]
    ) -> list[Weighed]:
        """A glance at all, then a closer look at what is wanted and at the best of the others."""
        left = [action for action in actions if action not in wanted]
        if len(left) > SHOWN:
            quick = Budget(nodes=GLANCE)
            seen = [self._after(state, seat, action, quick) for action in left]
            best = sorted(seen, key=lambda each: -each.chance)[: SHOWN - 1]
            left = [each.action for each in best]
        closer = [action for action in actions if action in wanted or action in left]
        part = self.budget.part(SHOWN)
        return [self._after(state, seat, action, part) for action in closer]

    def _after(self, state: Any, seat: Seat, action: Any, budget: Budget) -> Weighed:
        """What comes of an action, as far as the seat can know."""
        mine = self.game.seats.index(seat)
        if action == PRESS:
            return Weighed(PRESS, self.expected(state, budget)[mine], ())
        after = self._ahead(state, seat, action)
        return Weighed(action, self.chances(after, budget)[mine], (action,))

    def _ahead(self, state: Any, seat: Seat, action: Any) -> Any:
        return self.game.resolve(self._known(state, seat), seat, action).state

    def knows_all(self, state: Any, seat: Seat) -> bool:
        """Whether nothing is hidden from the seat, as far as one may guess."""
        return bool(self._known(state, seat) == state)

    def _known(self, state: Any, seat: Seat) -> Any:
        """A state as the seat may imagine it."""
        return self.game.imagine(self.game.view(state, seat, ()), Random(0))

    # Without a mind

    def _beside_greedy(
        self, state: Any, seat: Seat, actions: Sequence[Any], played: Any
    ) -> list[Weighed]:
        """What greedy would do and what was done, greedy going on for the seat after both."""
        chosen = greedy.choose(
            self.game.view(state, seat, ()), actions, Think(self.game, seat, Random(0))
        )
        wanted = [action for action in actions if action in (chosen, played)]
        return [self._followed(state, seat, action) for action in wanted]

    def _followed(self, state: Any, seat: Seat, action: Any) -> Weighed:
        mine = self.game.seats.index(seat)
        if action == PRESS:
            return Weighed(PRESS, self.expected(state)[mine], ())
        after, line = self._played_on(self._ahead(state, seat, action), seat)
        is_drawn = CHANCE in self.game.to_act(after)
        found = self.expected(after) if is_drawn else self._by_worth(after)
        return Weighed(action, found[mine], (action, *line))

    def _played_on(self, state: Any, seat: Seat | None) -> tuple[Any, tuple[Any, ...]]:
        """Where greedy leads for a seat, until something hidden, chance or another one decides."""
        game, line = self.game, list[Any]()
        for _ in range(FORCED):
            if seat is None or game.to_act(state) != {seat} or game.secret(state, seat, ()):
                break
            actions, think = game.turn_actions(state, seat), Think(game, seat, Random(0))
            line.append(greedy.choose(game.view(state, seat, ()), actions, think))
            state = game.resolve(state, seat, line[-1]).state
        return state, tuple(line)


def shared(payoffs: Sequence[float]) -> Chances:
    """A match that is over: who won has won."""
    most = max(payoffs)
    winners = sum(each == most for each in payoffs)
    return tuple(1 / winners if each == most else 0.0 for each in payoffs)


def shares(worth: Sequence[float]) -> Chances:
    most = max(worth)
    return evened([exp(each - most) for each in worth])


def evened(found: Sequence[float]) -> Chances:
    total = sum(found)
    return tuple(each / total for each in found)


Judged: TypeAlias = Callable[[AnyGame, Any, Budget], Chances]
Weighing: TypeAlias = Callable[[AnyGame, Any, Seat, Budget, Any], tuple[Weighed, ...]]


def known_of(game: str) -> tuple[Judged | None, Weighing | None]:
    """How a game's own module judges positions and weighs actions, where it has one."""
    name = f"kibitz.analysis.games.{game.replace('-', '_')}"
    if not find_spec(name):
        return None, None
    module = import_module(name)
    return getattr(module, "judged", None), getattr(module, "weighed", None)
