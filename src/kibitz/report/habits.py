"""What teams of AS-Kimble do beside playing their turn, and how fond they are of some choices.

Bots choose among turn actions. Completing penalties and saying the sentence come at any time, and
how often a team raises or multiplies changes the game more than anything else: these are chances.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from kibitz.core.game import Game, Seat, Step
from kibitz.games.as_kimble.actions import Completion, Double, Hembo, Propose, Raise, Vote
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.state import State, book_of


@dataclass(frozen=True, slots=True)
class Habits:
    """Chances; None leaves it to the bot."""

    done: float | None = None
    """That a team in debt completes a penalty, at each action of the game (pace=free)."""
    hembo: float | None = None
    """That a team says the sentence when it is due; always if nothing is said."""
    raising: float | None = None
    """That a raise, a proposal or a yes to one is taken when there is one."""
    doubling: float | None = None
    """That a double is made when it may be."""


def preferred_actions(habits: Habits, actions: Sequence[Any], rng: Random) -> Sequence[Any]:
    """The part of its actions among which a bot is left to choose."""
    for chance, fond in ((habits.raising, _is_raise), (habits.doubling, _is_double)):
        taken = [action for action in actions if fond(action)]
        others = [action for action in actions if not fond(action)]
        if chance is not None and taken and others:
            actions = taken if rng.random() < chance else others
    return actions


def _is_raise(action: object) -> bool:
    match action:
        case Raise() | Propose() | Vote(is_yes=True):
            return True
    return False


def _is_double(action: object) -> bool:
    return isinstance(action, Double)


def side_actions(
    habits: Habits, game: Game[Any, Any, Any], step: Step[State, Any], rng: Random
) -> Iterator[tuple[Seat, Any]]:
    """What the teams may do at once after an action, each if it still can when its time comes."""
    due = [e.message for e in step.events if e.message.id == "as-kimble.hembo-due"]
    for seat in (str(told.value("seat")) for told in due):
        if habits.hembo is None or rng.random() < habits.hembo:
            form = "jag" if game.options["team_size"][TEAMS.index(seat)] == 1 else "vi"
            yield seat, Hembo(seat, form)
    if habits.done:
        for seat in TEAMS:
            if book_of(step.state, seat).owed and rng.random() < habits.done:
                yield seat, Completion(seat, 1)
