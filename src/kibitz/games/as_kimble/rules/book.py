"""The book (11), and who has won (13)."""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

from kibitz.core.game import Event, Outcome
from kibitz.core.message import Message, Refusal, message
from kibitz.games.as_kimble.actions import Completion
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.state import (
    Book,
    Die,
    GameOver,
    Returning,
    State,
    book_of,
    side_of,
    with_book,
)

Change: TypeAlias = tuple[State, list[Event]]
MAX_COUNT = 999_999
"""No number in the book grows beyond it (16)."""


# 11.1  Owed and completed


def owe(state: State, team: str, penalties: int) -> State:
    book = book_of(state, team)
    return with_book(state, team, replace(book, owed=min(MAX_COUNT, book.owed + penalties)))


def why_not_owe(state: State, team: str, penalties: int, paragraph: str) -> Refusal | None:
    if book_of(state, team).owed + penalties <= MAX_COUNT:
        return None
    return message("as-kimble.book-limits", paragraph, seat=team, most=MAX_COUNT)


def complete(state: State, team: str, penalties: int) -> State:
    book = book_of(state, team)
    done = min(MAX_COUNT, book.done + penalties)
    return with_book(state, team, Book(book.owed - penalties, done))


def why_not_done(options: Options, state: State, action: Completion) -> Refusal | None:
    owed = book_of(state, action.team).owed
    if options.pace != "free":
        return message("as-kimble.done-by-turns", "11.1")
    if state.is_break:
        return message("as-kimble.in-a-break", "12.3")
    if not 1 <= action.count <= owed:
        return message("as-kimble.done-too-many", "11.1", seat=action.team, n=owed)
    return None


def report_completion(state: State, action: Completion) -> Change:
    after = complete(state, action.team, action.count)
    told = message("as-kimble.did", "11.1", seat=action.team, n=action.count)
    return end_if_won(after, action.team, [Event(told)])


def tick(options: Options, state: State, team: str) -> Change:
    """One penalty is completed when a turn passes to a team, where that is agreed."""
    if options.pace != "turn" or not book_of(state, team).owed:
        return state, []
    left = book_of(state, team).owed - 1
    told = message("as-kimble.ticked", "11.1", seat=team, n=left)
    return end_if_won(complete(state, team, 1), team, [Event(told)])


# 11.2  Moral victory


def moral_victors(state: State) -> tuple[str, ...]:
    most = max(book.done for book in state.books)
    return tuple(team for team in TEAMS if book_of(state, team).done == most > 0)


# 13  End


def has_won(state: State, team: str) -> bool:
    """All four placed and nothing owed. Whoever must still give a piece back has one fewer."""
    pending = isinstance(state.phase, Returning) and team in state.phase.pending
    return side_of(state, team).is_placed and not book_of(state, team).owed and not pending


def end_if_won(state: State, team: str, events: list[Event]) -> Change:
    return (end_game(state, team), events) if has_won(state, team) else (state, events)


def end_game(state: State, winner: str | None, reason: str = "") -> State:
    """A break and a pending reset are over with the game."""
    phase, die = GameOver(winner, reason), Die(state.die.face)
    return replace(state, phase=phase, die=die, is_break=False)


def raises_of(state: State, team: str) -> int:
    """The number of times a team has raised."""
    return state.raises.round - 1 + (team in state.raises.teams)


def outcome(state: State) -> Outcome | None:
    if not isinstance(state.phase, GameOver):
        return None
    winner = state.phase.winner
    true_victory = winner is not None and raises_of(state, winner) > 0
    moral = "".join(moral_victors(state))
    result = {"winner": winner, "true_victory": true_victory, "moral": moral}
    payoffs = tuple(0 if winner is None else 3 if team == winner else -1 for team in TEAMS)
    return Outcome(result, payoffs, _why_over(state, winner, true_victory))


def _why_over(state: State, winner: str | None, true_victory: bool) -> Message:
    assert isinstance(state.phase, GameOver)
    if winner is None:
        why, moral = state.phase.reason, _moral_message(state)
        return message("as-kimble.over-ended", "12.1", why=why, moral=moral)
    # Without a board it is the book that says who has won (12.6).
    seen = "over" if has_won(state, winner) else "booked"
    moral = _moral_message(state)
    if true_victory:
        n = raises_of(state, winner)
        return message(f"as-kimble.{seen}-truly", "13", seat=winner, n=n, moral=moral)
    have_others = any(raises_of(state, team) for team in TEAMS)
    raises = message(f"as-kimble.won-{'others-raised' if have_others else 'unraised'}", "13")
    return message(f"as-kimble.{seen}-won", "13", seat=winner, raises=raises, moral=moral)


def _moral_message(state: State) -> Message:
    """A message that names the team that has completed most (11.2)."""
    victors = moral_victors(state)
    if not victors:
        return message("as-kimble.moral-nobody", "11.2")
    names = [message("as-kimble.moral-team", seat=team) for team in victors]
    listed = names[0]
    for each in names[1:]:
        listed = message("as-kimble.team-and", teams=listed, team=each)
    return message("as-kimble.moral", "11.2", teams=listed, n=book_of(state, victors[0]).done)
