"""The search context that a bot chooses with, and the evaluation it gives of its choice.

A bot is a function: `choose(view, actions, think) -> one of the actions`. It sees a view, never a
state, so there is nothing for it to peek at; all else it needs is in its `SearchContext`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from threading import Timer
from typing import Any, TypeAlias

from kibitz.core.game import Game, Seat

UNLIMITED_NODES = 2**62
"""More nodes than anybody looks at."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action that was weighed."""

    action: Any
    value: float
    """The chance that the seat wins with it, from 0 to 1; a draw is half a win."""
    share: float = 0.0
    """Its share of choices, where that is a matter of chance, or of the thinking that went
    into it."""
    line: tuple[Any, ...] = ()
    """The expected line of play, this action first."""


@dataclass(slots=True)
class Evaluation:
    """The candidates that a bot considered, the best first."""

    candidates: tuple[Candidate, ...] = ()
    value: float | None = None
    """The chance that the seat wins, from 0 to 1."""
    nodes: int = 0
    depth: int = 0
    beliefs: Mapping[str, float] = field(default_factory=dict)
    """The likelihood of each thing that it cannot see, by its notation."""


@dataclass(slots=True)
class SearchContext:
    """For one choice: the game, who chooses, dice, and how long it may take."""

    game: Game[Any, Any, Any]
    seat: Seat
    rng: Random
    seconds: float | None = None
    nodes: int | None = None
    """Both: what somebody wants it to spend; None: what the bot thinks right."""
    evaluation: Evaluation = field(default_factory=Evaluation)
    match: str = ""
    """Which match it is, for a bot that plays in several and remembers."""
    max_seconds: float | None = None
    """Seconds that it may take at most, whatever the bot thinks right: somebody waited already."""
    flag: array[int] = field(default_factory=lambda: array("q", [0]))
    """Not zero: choose now. Compiled code looks at the same memory."""

    def stop(self) -> None:
        self.flag[0] = 1

    @property
    def is_stopped(self) -> bool:
        return self.flag[0] != 0

    @contextmanager
    def search_budget(self, seconds: float, nodes: int = UNLIMITED_NODES) -> Iterator[int]:
        """Give the nodes it may look at, and stop when its time is up.

        Where a number of nodes is asked for, time does not matter, and the same dice give the same
        choice.
        """
        if self.nodes is not None:
            yield self.nodes
            return
        wanted = self.seconds if self.seconds is not None else seconds
        timer = Timer(
            wanted if self.max_seconds is None else min(wanted, self.max_seconds), self.stop
        )
        timer.daemon = True
        timer.start()
        try:
            yield nodes
        finally:
            timer.cancel()


Bot: TypeAlias = Callable[[Any, Sequence[Any], SearchContext], Any]
"""`choose(view, actions, think)`: one of the actions; PRESS_DIE may be among them."""
AnytimePolicy: TypeAlias = Callable[
    [Game[Any, Any, Any], Any, Seat, Sequence[Any], Random, str], Any
]
"""(game, view, seat, actions, rng, bot) -> one of the anytime actions; None to stay silent."""


@dataclass(frozen=True, slots=True)
class MeasurePlan:
    """The usual measurement of a game's bots (`kibitz arena levels`)."""

    budgets: Mapping[str, str]
    """The most that a decision may cost each bot, as it is typed after its name. The plain search
    gets a fifth of the time of the best."""
    level_games: int = 100
    """Of each level against the one below."""
    greedy_games: int = 100
    mcts_games: int = 100
    note: str = ""
    """Prose about them for the page of the measurement, in Markdown."""

    def bot_spec(self, name: str) -> str:
        return f"{name}@{self.budgets[name]}" if name in self.budgets else name
