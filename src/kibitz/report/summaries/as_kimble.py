"""What is kept of a game of AS-Kimble."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kibitz.core.game import Game
from kibitz.core.message import Message
from kibitz.core.record import ReplayStep
from kibitz.games.as_kimble.actions import Completion, Double, Hembo, Pop, Raise
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.state import State, book_of, piece_at, side_of

BITE_EVENTS = {"as-kimble.eaten": "eater", "as-kimble.into-mine": "mine"}
"""The events of a piece being eaten, and the value that says by whom."""


class Bite(NamedTuple):
    """A piece was eaten: by whom, whose, how many pieces each contained, and whether by a mine."""

    eater: str
    eater_size: int
    victim: str
    victim_size: int
    is_mine: bool

    @property
    def penalties(self) -> int:
        return self.eater_size * self.victim_size


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Tuples of four are in the order of teams."""

    result: str
    """The winner; empty where there is none."""
    is_true_victory: bool
    moral_winners: str
    pops: int
    actions: int
    """All but completing penalties and the sentence."""
    penalties_received: tuple[int, ...]
    penalties_completed: tuple[int, ...]
    raises: tuple[int, ...]
    pieces_made: tuple[tuple[str, int], ...]
    """Each multiplied piece as it was made: the team, and how many pieces it contained then."""
    bites: tuple[tuple[Bite, int], ...]
    """With how often each happened."""
    hembo_due: tuple[int, ...]
    hembo_missed: tuple[int, ...]


def summary(game: Game[Any, Any, Any], played: Sequence[ReplayStep[Any, Any]]) -> Summary:
    state = played[-1].step.state
    over = game.rules.outcome(state)
    result: dict[str, Any] = over.result if over else {}
    told = [event.message for each in played for event in each.step.events]
    actions = [each.step.action for each in played]
    books = [book_of(state, team) for team in TEAMS]
    return Summary(
        result=result.get("winner") or "",
        is_true_victory=result.get("true_victory", False),
        moral_winners=result.get("moral", ""),
        pops=sum(isinstance(action, Pop) for action in actions),
        actions=sum(not isinstance(action, Completion | Hembo) for action in actions),
        penalties_received=tuple(book.owed + book.done for book in books),
        penalties_completed=tuple(book.done for book in books),
        raises=_counts_by_team(action.team for action in actions if isinstance(action, Raise)),
        pieces_made=tuple(_multiplied_pieces(played)),
        bites=tuple(sorted(Counter(_find_bites(told)).items())),
        hembo_due=_counts_by_team(_seats_in(told, "as-kimble.hembo-due")),
        hembo_missed=_counts_by_team(_seats_in(told, "as-kimble.hembo-missed")),
    )


def _counts_by_team(teams: Iterator[str]) -> tuple[int, ...]:
    counts = Counter(teams)
    return tuple(counts[team] for team in TEAMS)


def _seats_in(told: Sequence[Message], id: str) -> Iterator[str]:
    return (str(each.value("seat")) for each in told if each.id == id)


def _multiplied_pieces(played: Sequence[ReplayStep[State, Any]]) -> Iterator[tuple[str, int]]:
    """A double, or a raise onto an own piece."""
    for each in played:
        action = each.step.action
        if isinstance(action, Double | Raise):
            piece = piece_at(side_of(each.step.state, action.team), 0)
            if piece and piece.size > 1:
                yield action.team, piece.size


def _find_bites(told: Sequence[Message]) -> Iterator[Bite]:
    for each in told:
        if each.id in BITE_EVENTS:
            eater = each.value(BITE_EVENTS[each.id])
            assert isinstance(eater, Message)
            yield Bite(
                str(eater.value("seat")),
                _piece_size(eater),
                str(each.value("seat")),
                _piece_size(each),
                each.id == "as-kimble.into-mine",
            )


def _piece_size(told: Message) -> int:
    """Pieces are told by their size: as-kimble.size-2."""
    piece = told.value("piece")
    assert isinstance(piece, Message)
    return int(piece.id.rpartition("-")[2])
