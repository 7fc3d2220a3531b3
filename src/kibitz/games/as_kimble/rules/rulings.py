"""Breaks, mishaps on a real board, and the referee (12)."""

from __future__ import annotations

from dataclasses import replace

from kibitz.core.game import Event
from kibitz.core.message import Message, Refusal, message
from kibitz.games.as_kimble.actions import (
    Church,
    Physical,
    RefDone,
    RefEnd,
    RefPen,
    RefRule,
    RefSet,
    Ruling,
    Silent,
    Sticky,
    Stray,
)
from kibitz.games.as_kimble.companion.ledger_tags import marked
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import MOST, Change, end, end_if_won
from kibitz.games.as_kimble.state import (
    Book,
    Die,
    Ended,
    Popping,
    State,
    book_of,
    with_book,
)

# 12.1  The referee


def why_not_ruling(state: State, action: Ruling) -> Refusal | None:
    if isinstance(state.phase, Ended) and not isinstance(action, RefSet):
        return message("as-kimble.over", "12.1")
    match action:
        case RefPen(team, change):
            return _why_not_count(book_of(state, team).owed + change, team)
        case RefDone(team, change):
            return _why_not_count(book_of(state, team).done + change, team)
    return None


def _why_not_count(number: int, team: str) -> Refusal | None:
    if 0 <= number <= MOST:
        return None
    return message("as-kimble.book-limits", "12.1", seat=team, most=MOST)


def rule(state: State, action: Ruling) -> Change:
    match action:
        case RefPen(team, change, why):
            book = book_of(state, team)
            after = with_book(state, team, Book(book.owed + change, book.done))
            return end_if_won(after, team, [Event(_owed(team, change, why))])
        case RefDone(team, change, why):
            book = book_of(state, team)
            after = with_book(state, team, Book(book.owed, book.done + change))
            return end_if_won(after, team, [Event(_counted("done", team, change, why))])
        case RefRule(text):
            return state, [Event(message("as-kimble.ruled", "12.1", text=text))]
        case RefSet(position, why):
            return position, [Event(message("as-kimble.ref-set", "12.1", why=why))]
        case RefEnd(why):
            return end(state, None, why), [Event(_ended(why))]


def _owed(team: str, change: int, why: str) -> Message:
    """What the book counted itself is no referee's idea."""
    told = marked(why)
    if told is None or change < 0:
        return _counted("pen", team, change, why)
    id = "as-kimble.booked-penalty"
    return message(id, told.paragraph, seat=team, n=change, why=told.text, mark=why)


def _ended(why: str) -> Message:
    if told := marked(why):
        return message("as-kimble.booked-end", told.paragraph, why=told.text)
    return message("as-kimble.ref-end", "12.1", why=why)


def note(state: State, text: str) -> Change:
    """12.4"""
    if told := marked(text):
        noted = message("as-kimble.booked", told.paragraph, text=told.text, mark=text)
    else:
        noted = message("as-kimble.noted", "12.4", text=text)
    return state, [Event(noted)]


def _counted(kind: str, team: str, change: int, why: str) -> Message:
    id = f"as-kimble.ref-{kind}-{'more' if change > 0 else 'fewer'}"
    return message(id, "12.1", seat=team, n=abs(change), why=why)


# 12.2  On a real board


def is_due(state: State, team: str | None = None) -> bool:
    """Whether a pop is due, and this team's."""
    if not isinstance(state.phase, Popping) or state.is_break or state.die.wanted:
        return False
    return team in (None, state.phase.team)


def why_not_physical(options: Options, state: State, action: Physical) -> Refusal | None:
    if options.mode != "companion":
        return message("as-kimble.real-board-only", "12.2")
    match action:
        case Church():
            return None if is_due(state) else message("as-kimble.no-pop-due", "12.2")
        case Silent(team) | Sticky(team):
            if not is_due(state, team):
                return message("as-kimble.no-pop-due", "12.2")
            if isinstance(action, Sticky) and state.die.face is None:
                return message("as-kimble.face-unknown", "12.2")
            return None
        case Stray(team):
            return (
                message("as-kimble.stray-due", "12.2", seat=team) if is_due(state, team) else None
            )
    if not state.die.wanted:
        return message("as-kimble.nothing-to-fix", "12.2")
    return message("as-kimble.in-a-break", "12.3") if state.is_break else None


def church(state: State) -> Change:
    return state, [Event(message("as-kimble.church", "12.2"))]


def silent(state: State, action: Silent) -> Change:
    told = message("as-kimble.silent", "12.2", seat=action.team, number=action.face)
    return replace(state, die=Die(action.face)), [Event(told)]


def stray(state: State, action: Stray) -> Change:
    """The die must show again what it showed before; if nobody knows, nothing is pending."""
    wanted = state.die.wanted or state.die.face
    die = Die(action.face, wanted if wanted != action.face else None)
    told = message("as-kimble.stray", "12.2", seat=action.team, number=action.face)
    events = [Event(told)]
    if die.wanted:
        events.append(Event(message("as-kimble.reset-due", "12.2", number=die.wanted)))
    return replace(state, die=die), events


def fix(state: State, face: int) -> Change:
    wanted = state.die.wanted
    if face == wanted:
        return replace(state, die=Die(face)), [
            Event(message("as-kimble.reset", "12.2", number=face))
        ]
    told = message("as-kimble.not-reset", "12.2", number=face, wanted=wanted or 0)
    return replace(state, die=Die(face, wanted)), [Event(told)]


# 12.3  Break


def take_break(state: State) -> Change:
    return replace(state, is_break=True), [Event(message("as-kimble.break", "12.3"))]


def resume(state: State) -> Change:
    return replace(state, is_break=False), [Event(message("as-kimble.resume", "12.3"))]
