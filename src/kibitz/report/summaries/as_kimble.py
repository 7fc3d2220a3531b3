"""What is kept of a game of AS-Kimble."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kibitz.core.game import Game
from kibitz.core.message import Message
from kibitz.core.record import Played
from kibitz.games.as_kimble.actions import Done, Double, Hembo, Pop, Raise
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.state import State, book_of, piece_at, side_of

BITES = {"as-kimble.eaten": "eater", "as-kimble.into-mine": "mine"}
"""The events of a piece being eaten, and the value that says by whom."""


class Bite(NamedTuple):
    """A piece was eaten: by whom, whose, how many pieces each contained, and whether by a mine."""

    eater: str
    eater_size: int
    eaten: str
    eaten_size: int
    is_mine: bool

    @property
    def penalties(self) -> int:
        return self.eater_size * self.eaten_size


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Tuples of four are in the order of teams."""

    result: str
    """The winner; empty where there is none."""
    is_true: bool
    moral: str
    pops: int
    actions: int
    """All but completing penalties and the sentence."""
    received: tuple[int, ...]
    completed: tuple[int, ...]
    raises: tuple[int, ...]
    made: tuple[tuple[str, int], ...]
    """Each multiplied piece as it was made: the team, and how many pieces it contained then."""
    bites: tuple[tuple[Bite, int], ...]
    """With how often each happened."""
    hembo_due: tuple[int, ...]
    hembo_missed: tuple[int, ...]


def summary(game: Game[Any, Any, Any], played: Sequence[Played[Any, Any]]) -> Summary:
    state = played[-1].step.state
    over = game.outcome(state)
    result: dict[str, Any] = over.result if over else {}
    told = [event.message for each in played for event in each.step.events]
    actions = [each.step.action for each in played]
    books = [book_of(state, team) for team in TEAMS]
    return Summary(
        result=result.get("winner") or "",
        is_true=result.get("true_victory", False),
        moral=result.get("moral", ""),
        pops=sum(isinstance(action, Pop) for action in actions),
        actions=sum(not isinstance(action, Done | Hembo) for action in actions),
        received=tuple(book.owed + book.done for book in books),
        completed=tuple(book.done for book in books),
        raises=_by_team(action.team for action in actions if isinstance(action, Raise)),
        made=tuple(_made(played)),
        bites=tuple(sorted(Counter(_bites(told)).items())),
        hembo_due=_by_team(_seats(told, "as-kimble.hembo-due")),
        hembo_missed=_by_team(_seats(told, "as-kimble.hembo-missed")),
    )


def _by_team(teams: Iterator[str]) -> tuple[int, ...]:
    counts = Counter(teams)
    return tuple(counts[team] for team in TEAMS)


def _seats(told: Sequence[Message], id: str) -> Iterator[str]:
    return (str(each.value("seat")) for each in told if each.id == id)


def _made(played: Sequence[Played[State, Any]]) -> Iterator[tuple[str, int]]:
    """A double, or a raise onto an own piece."""
    for each in played:
        action = each.step.action
        if isinstance(action, Double | Raise):
            piece = piece_at(side_of(each.step.state, action.team), 0)
            if piece and piece.size > 1:
                yield action.team, piece.size


def _bites(told: Sequence[Message]) -> Iterator[Bite]:
    for each in told:
        if each.id in BITES:
            eater = each.value(BITES[each.id])
            assert isinstance(eater, Message)
            yield Bite(
                str(eater.value("seat")),
                _size(eater),
                str(each.value("seat")),
                _size(each),
                each.id == "as-kimble.into-mine",
            )


def _size(told: Message) -> int:
    """Pieces are told by their size: as-kimble.size-2."""
    piece = told.value("piece")
    assert isinstance(piece, Message)
    return int(piece.id.rpartition("-")[2])
