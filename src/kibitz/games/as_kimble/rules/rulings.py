"""Breaks, mishaps on a real board, and the referee (12)."""

from __future__ import annotations

from dataclasses import replace

from kibitz.core.game import Event
from kibitz.core.message import Message, Refusal, message
from kibitz.games.as_kimble.actions import (
    Church,
    PhysicalEvent,
    RefDone,
    RefEnd,
    RefPen,
    RefRule,
    RefSet,
    Ruling,
    SilentPop,
    StickyPop,
    StrayPop,
)
from kibitz.games.as_kimble.companion.ledger_tags import read_tag
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import MAX_COUNT, Change, end_game, end_if_won
from kibitz.games.as_kimble.state import (
    Book,
    Die,
    GameOver,
    Popping,
    State,
    book_of,
    with_book,
)

# 12.1  The referee


def why_not_ruling(state: State, action: Ruling) -> Refusal | None:
    if isinstance(state.phase, GameOver) and not isinstance(action, RefSet):
        return message("as-kimble.over", "12.1")
    match action:
        case RefPen(team, change):
            return _why_not_count(book_of(state, team).owed + change, team)
        case RefDone(team, change):
            return _why_not_count(book_of(state, team).done + change, team)
    return None


def _why_not_count(number: int, team: str) -> Refusal | None:
    if 0 <= number <= MAX_COUNT:
        return None
    return message("as-kimble.book-limits", "12.1", seat=team, most=MAX_COUNT)


def apply_ruling(state: State, action: Ruling) -> Change:
    match action:
        case RefPen(team, change, why):
            book = book_of(state, team)
            after = with_book(state, team, Book(book.owed + change, book.done))
            return end_if_won(after, team, [Event(_penalty_message(team, change, why))])
        case RefDone(team, change, why):
            book = book_of(state, team)
            after = with_book(state, team, Book(book.owed, book.done + change))
            return end_if_won(after, team, [Event(_count_message("done", team, change, why))])
        case RefRule(text):
            return state, [Event(message("as-kimble.ruled", "12.1", text=text))]
        case RefSet(position, why):
            return position, [Event(message("as-kimble.ref-set", "12.1", why=why))]
        case RefEnd(why):
            return end_game(state, None, why), [Event(_end_message(why))]


def _penalty_message(team: str, change: int, why: str) -> Message:
    """A message about a change of penalties: the book's own counting is no ruling."""
    told = read_tag(why)
    if told is None or change < 0:
        return _count_message("pen", team, change, why)
    id = "as-kimble.booked-penalty"
    return message(id, told.paragraph, seat=team, n=change, why=told.text, mark=why)


def _end_message(why: str) -> Message:
    if told := read_tag(why):
        return message("as-kimble.booked-end", told.paragraph, why=told.text)
    return message("as-kimble.ref-end", "12.1", why=why)


def write_note(state: State, text: str) -> Change:
    """12.4"""
    if told := read_tag(text):
        noted = message("as-kimble.booked", told.paragraph, text=told.text, mark=text)
    else:
        noted = message("as-kimble.noted", "12.4", text=text)
    return state, [Event(noted)]


def _count_message(kind: str, team: str, change: int, why: str) -> Message:
    id = f"as-kimble.ref-{kind}-{'more' if change > 0 else 'fewer'}"
    return message(id, "12.1", seat=team, n=abs(change), why=why)


# 12.2  On a real board


def is_pop_due(state: State, team: str | None = None) -> bool:
    """True if a pop is due, and it is this team's."""
    if not isinstance(state.phase, Popping) or state.is_break or state.die.wanted_face:
        return False
    return team in (None, state.phase.team)


def why_not_physical(options: Options, state: State, action: PhysicalEvent) -> Refusal | None:
    if options.mode != "companion":
        return message("as-kimble.real-board-only", "12.2")
    match action:
        case Church():
            return None if is_pop_due(state) else message("as-kimble.no-pop-due", "12.2")
        case SilentPop(team) | StickyPop(team):
            if not is_pop_due(state, team):
                return message("as-kimble.no-pop-due", "12.2")
            if isinstance(action, StickyPop) and state.die.face is None:
                return message("as-kimble.face-unknown", "12.2")
            return None
        case StrayPop(team):
            return (
                message("as-kimble.stray-due", "12.2", seat=team)
                if is_pop_due(state, team)
                else None
            )
    if not state.die.wanted_face:
        return message("as-kimble.nothing-to-fix", "12.2")
    return message("as-kimble.in-a-break", "12.3") if state.is_break else None


def note_church(state: State) -> Change:
    return state, [Event(message("as-kimble.church", "12.2"))]


def note_silent_pop(state: State, action: SilentPop) -> Change:
    told = message("as-kimble.silent", "12.2", seat=action.team, number=action.face)
    return replace(state, die=Die(action.face)), [Event(told)]


def note_stray_pop(state: State, action: StrayPop) -> Change:
    """The die must show again what it showed before; if nobody knows, nothing is pending."""
    wanted = state.die.wanted_face or state.die.face
    die = Die(action.face, wanted if wanted != action.face else None)
    told = message("as-kimble.stray", "12.2", seat=action.team, number=action.face)
    events = [Event(told)]
    if die.wanted_face:
        events.append(Event(message("as-kimble.reset-due", "12.2", number=die.wanted_face)))
    return replace(state, die=die), events


def reset_die(state: State, face: int) -> Change:
    wanted = state.die.wanted_face
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
