"""Breaks, mishaps on a real board, and the referee (12)."""

from __future__ import annotations

from msgspec.structs import replace

from kibitz.core.game import Event
from kibitz.core.message import Message, Refusal, message
from kibitz.games.as_kimble.actions import (
    Church,
    IgnoredBreak,
    PhysicalEvent,
    RefDone,
    RefEnd,
    RefPen,
    RefRule,
    RefSet,
    Ruling,
    SilentLot,
    SilentPop,
    StickyLot,
    StickyPop,
    StrayPop,
)
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import (
    MAX_COUNT,
    Change,
    end_game,
    end_if_won,
    owe,
    why_not_owe,
)
from kibitz.games.as_kimble.rules.preparation import seats_due
from kibitz.games.as_kimble.state import (
    Book,
    Die,
    GameOver,
    Lots,
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
            return end_if_won(after, team, [Event(_count_message("pen", team, change, why))])
        case RefDone(team, change, why):
            book = book_of(state, team)
            after = with_book(state, team, Book(book.owed, book.done + change))
            return end_if_won(after, team, [Event(_count_message("done", team, change, why))])
        case RefRule(text):
            return state, [Event(message("as-kimble.ruled", "12.1", text=text))]
        case RefSet(position, why):
            return position, [Event(message("as-kimble.ref-set", "12.1", why=why))]
        case RefEnd(why):
            told = message("as-kimble.ref-end", "12.1", why=why)
            return end_game(state, None, why), [Event(told)]


def write_note(state: State, text: str) -> Change:
    """12.4"""
    return state, [Event(message("as-kimble.noted", "12.4", text=text))]


def _count_message(kind: str, team: str, change: int, why: str) -> Message:
    id = f"as-kimble.ref-{kind}-{'more' if change > 0 else 'fewer'}"
    return message(id, "12.1", seat=team, n=abs(change), why=why)


# 12.2  On a real board


def is_pop_due(state: State, letter: str | None = None) -> bool:
    """True if a pop is due, and it is this team's, or this chair's before colours are known."""
    if isinstance(state.phase, Lots):
        return letter is None or letter in seats_due(state.phase)
    if not isinstance(state.phase, Popping) or state.is_break or state.die.wanted_face:
        return False
    return letter in (None, state.phase.team)


def why_not_physical(options: Options, state: State, action: PhysicalEvent) -> Refusal | None:
    if options.mode != "companion":
        return message("as-kimble.real-board-only", "12.2")
    match action:
        case Church():
            return None if is_pop_due(state) else message("as-kimble.no-pop-due", "12.2")
        case SilentPop(letter) | SilentLot(letter) | StickyPop(letter) | StickyLot(letter):
            if not is_pop_due(state, letter):
                return message("as-kimble.no-pop-due", "12.2")
            if isinstance(action, StickyPop | StickyLot) and state.die.face is None:
                return message("as-kimble.face-unknown", "12.2")
            return None
        case StrayPop(team):
            if is_pop_due(state, team):
                return message("as-kimble.stray-due", "12.2", seat=team)
            return _why_not_ignore(options, state, team) if state.is_break else None
        case IgnoredBreak(team):
            if not state.is_break:
                return message("as-kimble.nothing-ignored", "12.3")
            return _why_not_ignore(options, state, team)
    if not state.die.wanted_face:
        return message("as-kimble.nothing-to-fix", "12.2")
    return message("as-kimble.in-a-break", "12.3") if state.is_break else None


def _why_not_ignore(options: Options, state: State, team: str) -> Refusal | None:
    return why_not_owe(state, team, options.break_penalty, "12.3")


def note_church(state: State) -> Change:
    return state, [Event(message("as-kimble.church", "12.2"))]


def note_silent_pop(state: State, action: SilentPop | SilentLot) -> Change:
    number = action.face
    if isinstance(action, SilentLot):
        told = message("as-kimble.silent-lot", "12.2", chair=action.seat_letter, number=number)
    else:
        told = message("as-kimble.silent", "12.2", seat=action.team, number=number)
    return replace(state, die=Die(number)), [Event(told)]


def note_stray_pop(options: Options, state: State, action: StrayPop) -> Change:
    """The die must show again what it showed before; if nobody knows, nothing is pending."""
    wanted = state.die.wanted_face or state.die.face
    die = Die(action.face, wanted if wanted != action.face else None)
    kind = "stray-in-break" if state.is_break else "stray"
    told = message(f"as-kimble.{kind}", "12.2", seat=action.team, number=action.face)
    events = [Event(told)]
    if state.is_break:
        state, more = punish_ignored_break(options, state, action.team)
        events += more
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


def take_break(options: Options, state: State) -> Change:
    events = [Event(message("as-kimble.break", "12.3"))]
    if options.mode == "companion":
        events.append(Event(break_cost_message(options, "as-kimble.break-costs")))
    return replace(state, is_break=True), events


def break_cost_message(options: Options, id: str) -> Message:
    """The price of ignoring a break around a real board: a number, or the referee's word."""
    if not options.break_penalty:
        return message(f"{id}-free", "12.3")
    return message(id, "12.3", n=options.break_penalty)


def resume(state: State) -> Change:
    return replace(state, is_break=False), [Event(message("as-kimble.resume", "12.3"))]


def punish_ignored_break(options: Options, state: State, team: str) -> Change:
    """The penalties agreed for it; where there are none, the referee decides."""
    penalties = options.break_penalty
    kind = "ignored" if penalties else "ignored-free"
    told = message(f"as-kimble.{kind}", "12.3", seat=team, n=penalties)
    return owe(state, team, penalties), [Event(told)]
