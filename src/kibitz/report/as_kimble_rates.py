"""Chances of what teams of AS-Kimble do beside playing their turn, and of some choices.

Bots choose among turn actions. Completing penalties and saying the sentence come at any time, and
how often a team raises or multiplies changes the game more than anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from kibitz.core.game import Game, Seat, Step
from kibitz.core.message import Refused, message
from kibitz.games.as_kimble.actions import Completion, Double, Hembo, Propose, Raise, Vote
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.state import State, book_of

RATES = ("done", "hembo", "raising", "doubling")
"""That a team in debt completes a penalty, at each action of the game (pace=free); that the
sentence is said when it is due (else always); that a raise, a proposal or a yes to one is taken;
that a double is made (else both are up to the bot)."""


def check_rates(game: Game[Any, Any, Any], rates: Mapping[str, float]) -> None:
    """Raise Refused where a buffer that nobody empties would never let a game end."""
    if game.options["mode"] != "digital":
        raise Refused(message("report.digital"))
    is_free = game.options["pace"] == "free"
    if is_free and not rates.get("done"):
        raise Refused(message("report.done-rate-needed"))
    if "done" in rates and not is_free:
        raise Refused(message("report.done-rate-unneeded"))


def preferred_actions(
    rates: Mapping[str, float], actions: Sequence[Any], rng: Random
) -> Sequence[Any]:
    """The part of its actions among which a bot is left to choose."""
    for rate, is_fond in (("raising", _is_raise), ("doubling", _is_double)):
        fond = [action for action in actions if is_fond(action)]
        others = [action for action in actions if not is_fond(action)]
        if rate in rates and fond and others:
            actions = fond if rng.random() < rates[rate] else others
    return actions


def _is_raise(action: object) -> bool:
    match action:
        case Raise() | Propose() | Vote(is_yes=True):
            return True
    return False


def _is_double(action: object) -> bool:
    return isinstance(action, Double)


def side_actions(
    rates: Mapping[str, float], game: Game[Any, Any, Any], step: Step[State, Any], rng: Random
) -> Iterator[tuple[Seat, Any]]:
    """Actions that teams may do at once after another, each if it still can when its time comes."""
    due = [e.message for e in step.events if e.message.id == "as-kimble.hembo-due"]
    for seat in (str(each.value("seat")) for each in due):
        if "hembo" not in rates or rng.random() < rates["hembo"]:
            form = "jag" if game.options["team_size"][TEAMS.index(seat)] == 1 else "vi"
            yield seat, Hembo(seat, form)
    if rates.get("done"):
        for seat in TEAMS:
            if book_of(step.state, seat).owed and rng.random() < rates["done"]:
                yield seat, Completion(seat, 1)
