"""What is kept of a match of Kahmaté."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kibitz.core.game import Game
from kibitz.core.message import Message
from kibitz.core.record import ReplayStep
from kibitz.games.kahmate.actions import Card, Kick, Pass
from kibitz.games.kahmate.state import SEATS, Duelling, State

WON_EVENTS = ("kahmate.tackled", "kahmate.perfect", "kahmate.broke-through", "kahmate.got-through")
"""What is told of a duel that its attacker won."""


class Duel(NamedTuple):
    """One that was decided: tackle, force or interception."""

    contest: str
    is_won: bool
    """By the attacker: in an interception he is the one who passed."""
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Pairs are in the order of seats."""

    result: str
    """R, B or draw; empty for a match that was broken off."""
    why: str
    """The id of the sentence that says how it ended."""
    turns: int
    actions: int
    tries: tuple[tuple[str, str], ...]
    """Who scored, and with which man."""
    duels: tuple[Duel, ...]
    cards: tuple[tuple[tuple[str, int], int], ...]
    """How often each captain played each card."""
    passes: int
    kicks: int
    stale_draws: int
    """How often the ball was drawn anew because a possession gained no ground."""


def summary(game: Game[Any, Any, Any], played: Sequence[ReplayStep[Any, Any]]) -> Summary:
    state = played[-1].step.state
    over = game.rules.outcome(state)
    told = [event.message for each in played for event in each.step.events]
    actions = [each.step.action for each in played]
    cards = [(p.actor, p.step.action.card) for p in played if isinstance(p.step.action, Card)]
    return Summary(
        result=over.result if over else "",
        why=over.why.id if over else "",
        turns=state.turns,
        actions=len(played),
        tries=tuple(_find_tries(told)),
        duels=tuple(_find_duels(played)),
        cards=tuple(sorted(Counter(cards).items())),
        passes=sum(isinstance(action, Pass) for action in actions),
        kicks=sum(isinstance(action, Kick) for action in actions),
        stale_draws=sum(each.id == "kahmate.stale" for each in told),
    )


def _find_tries(told: Sequence[Message]) -> Iterator[tuple[str, str]]:
    for each in told:
        if each.id == "kahmate.try":
            man = each.value("man")
            assert isinstance(man, Message)
            yield str(each.value("seat")), man.id.rpartition("-")[2]


def _find_duels(played: Sequence[ReplayStep[State, Any]]) -> Iterator[Duel]:
    for each in played:
        duel = each.before.phase
        if isinstance(duel, Duelling) and not isinstance(each.step.state.phase, Duelling):
            ids = {event.message.id for event in each.step.events}
            if isinstance(each.step.action, Card):
                yield Duel(duel.contest, bool(ids & set(WON_EVENTS)), duel.round)


def tries_of(match: Summary) -> tuple[int, int]:
    """The score over all."""
    counts = Counter(seat for seat, _ in match.tries)
    return counts[SEATS[0]], counts[SEATS[1]]
