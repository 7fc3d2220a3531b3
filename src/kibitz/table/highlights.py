"""The story of a match: its moments, its course and what each seat did.

It is made of what everybody could see and hear, so it is the same for all and tells no secret.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from kibitz.core.game import SPECTATOR, Game, Motion, Seat, moves_in, visible_to
from kibitz.core.message import Message
from kibitz.core.record import ReplayStep

AnyGame: TypeAlias = Game[Any, Any, Any]
Line: TypeAlias = Sequence[ReplayStep[Any, Any]]
NEW_LEADER_FACTOR = 1.5
"""So much bigger is a moment that puts somebody else ahead."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """An action that is worth telling."""

    n: int
    """Its number in the record, from one on."""
    messages: tuple[Message, ...]
    size: float
    new_leader: Seat
    """The seat that has come into the lead by it, if any."""
    state: Any
    """The position that shows it best."""
    motions: tuple[Motion, ...]


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """The score after so many actions, in the order of the seats."""

    n: int
    score: tuple[float, ...]


def match_highlights(game: AnyGame, played: Line) -> list[Highlight]:
    """All of them, as they came."""
    found = [_highlight(game, n, each) for n, each in enumerate(played, 1)]
    return [each for each in found if each]


def biggest_highlights(told: Sequence[Highlight], most: int) -> list[Highlight]:
    """The biggest few of these, as they came; the later one of two alike."""
    ranked = sorted(told, key=lambda scene: (scene.size, scene.n), reverse=True)
    return sorted(ranked[:most], key=lambda scene: scene.n)


def score_course(game: AnyGame, played: Line) -> list[ScorePoint]:
    """The score at the start, wherever it changed, and at the end; empty where there is none."""
    if not played or not game.story.score(played[0].before):
        return []
    found = [ScorePoint(0, game.story.score(played[0].before))]
    for n, each in enumerate(played, 1):
        score = game.story.score(each.step.state)
        if score != found[-1].score or n == len(played):
            found.append(ScorePoint(n, score))
    return found


def seat_tallies(game: AnyGame, played: Line) -> Mapping[str, Mapping[Seat, int]]:
    """The tallies of each seat, by their names."""
    told = [event.message for each in played for event in visible_to(each.step.events, SPECTATOR)]
    found: dict[str, Counter[Seat]] = {name: Counter() for name in game.story.tallies}
    for name, counts in game.story.tallies.items():
        for message in told:
            for count in counts:
                if counted := count.seat_and_amount(message):
                    seat, number = counted
                    found[name][_other_seat(game, seat) if count.is_for_other else seat] += number
    return found


def _other_seat(game: AnyGame, seat: Seat) -> Seat:
    return next(each for each in game.seats if each != seat)


def _highlight(game: AnyGame, n: int, played: ReplayStep[Any, Any]) -> Highlight | None:
    events = visible_to(played.step.events, SPECTATOR)
    told = {
        e.message: game.story.moments[e.message.id]
        for e in events
        if e.message.id in game.story.moments
    }
    size = sum(moment.size(message) for message, moment in told.items())
    if not size:
        return None
    leads = _new_leader(game, played)
    is_before = any(moment.is_shown_before for moment in told.values())
    return Highlight(
        n=n,
        messages=_messages_worth_telling(game, played, told, [event.message for event in events]),
        size=size * NEW_LEADER_FACTOR if leads else size,
        new_leader=leads,
        state=played.before if is_before else played.step.state,
        motions=moves_in(events),
    )


def _messages_worth_telling(
    game: AnyGame, played: ReplayStep[Any, Any], told: Iterable[Message], heard: Iterable[Message]
) -> tuple[Message, ...]:
    """The messages worth telling of an action: how a match ended is told anyhow."""
    over = game.rules.outcome(played.step.state)
    if not over:
        return tuple(told)
    for listed in (told, heard):
        if others := tuple(message for message in listed if message != over.why):
            return others
    return (over.why,)


def _new_leader(game: AnyGame, played: ReplayStep[Any, Any]) -> Seat:
    before = _leader(game, game.story.score(played.before))
    after = _leader(game, game.story.score(played.step.state))
    return after if after != before else ""


def _leader(game: AnyGame, score: tuple[float, ...]) -> Seat:
    """The seat that is ahead of all others."""
    ahead = [seat for seat, each in zip(game.seats, score, strict=False) if each == max(score)]
    return ahead[0] if len(ahead) == 1 else ""
