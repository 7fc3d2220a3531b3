"""A book without a board: what is entered of what happened at the table (12.6)."""

from __future__ import annotations

from msgspec.structs import replace

from kibitz.core.game import Event
from kibitz.core.message import Message, Refusal, message
from kibitz.games.as_kimble.actions import (
    UNKNOWN,
    BookedHembo,
    BookedMeal,
    BookedMine,
    BookedRaise,
    BookedWin,
    BookEntry,
    BookPiece,
)
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import Change, end_game, owe, why_not_owe
from kibitz.games.as_kimble.rules.hembo import SENTENCES, form_of, why_not_hembo
from kibitz.games.as_kimble.rules.moves import size_message
from kibitz.games.as_kimble.rules.turn import choices
from kibitz.games.as_kimble.state import Choosing, State, book_of, in_team_order

CHAPTER = "12.6"


def entered_team(entry: BookEntry) -> str:
    """The team that did something, by the entry."""
    match entry:
        case BookedMeal(eater=piece) | BookedMine(mover=piece):
            return piece.team
    return entry.team


def cost(entry: BookEntry) -> tuple[str, int]:
    """The team that owes more by an entry, and how much more."""
    match entry:
        case BookedMeal(eater, eaten):
            return eaten.team, eater.size * eaten.size
        case BookedMine(mover, mine):
            return mover.team, mover.size * mine.size
        case BookedRaise(_, BookPiece() as eaten):
            return eaten.team, eaten.size
        case BookedHembo(team, how):
            return team, int(how != "said")
    return entered_team(entry), 0


def why_not_enter(options: Options, state: State, entry: BookEntry) -> Refusal | None:
    if options.mode != "companion":
        return message("as-kimble.real-board-only", CHAPTER)
    match entry:
        case BookedMeal(eater, eaten) if eater.team == eaten.team:
            return message("as-kimble.ledger-own", CHAPTER, seat=eater.team)
        case BookedMine(mover, mine) if mover.team == mine.team:
            return message("as-kimble.ledger-own-mine", CHAPTER, seat=mover.team)
        case BookedRaise():
            if refusal := _why_not_raise(options, state, entry):
                return refusal
        case BookedHembo():
            if refusal := why_not_hembo(options):
                return refusal
        case BookedWin(team, None) if book_of(state, team).owed:
            return message("as-kimble.ledger-owing", CHAPTER, seat=team)
    return why_not_owe(state, *cost(entry), CHAPTER)


def _why_not_raise(options: Options, state: State, entry: BookedRaise) -> Refusal | None:
    if not options.raising:
        return message("as-kimble.raising-off", "15")
    if entry.eaten and entry.eaten.team == entry.team:
        return message("as-kimble.ledger-own", CHAPTER, seat=entry.team)
    match state.phase:
        case Choosing(team, number, is_refused):
            if not choices(options, _with_raise(state, entry.team), team, number, is_refused):
                return message("as-kimble.ledger-stuck", CHAPTER, seat=team)
    return None


def _with_raise(state: State, team: str) -> State:
    raised = in_team_order((*state.raises.teams, team))
    return replace(state, raises=replace(state.raises, teams=raised))


def enter(options: Options, state: State, entry: BookEntry) -> Change:
    """Nothing but what it costs: no piece moves, no turn passes and nobody wins by it."""
    after = owe(state, *cost(entry))
    match entry:
        case BookedMeal(eater, eaten):
            return after, [_meal_event(eater, eaten)]
        case BookedMine():
            return after, [_mine_event(entry)]
        case BookedRaise(team, eaten):
            events = [Event(message("as-kimble.ledger-raised", "9.2", seat=team))]
            if eaten:
                events.append(_meal_event(BookPiece(team, 1), eaten))
            return _with_raise(after, team), events
        case BookedHembo():
            return after, [_hembo_event(options, entry)]
        case BookedWin(team, why):
            kind = "won" if why is None else "won-ruled"
            told = message(f"as-kimble.ledger-{kind}", "13", seat=team, why=why or "")
            return end_game(after, team), [Event(told)]


def _meal_event(eater: BookPiece, eaten: BookPiece) -> Event:
    told = message(
        "as-kimble.eaten",
        "7.2",
        seat=eaten.team,
        piece=size_message(eaten.size),
        eater=_piece_message(eater),
        n=eater.size * eaten.size,
    )
    return Event(told)


def _mine_event(entry: BookedMine) -> Event:
    told = message(
        "as-kimble.into-mine",
        "7.3",
        seat=entry.mover.team,
        piece=size_message(entry.mover.size),
        mine=_piece_message(entry.mine),
        n=entry.mover.size * entry.mine.size,
    )
    return Event(told)


def _piece_message(piece: BookPiece) -> Message:
    size = size_message(piece.size)
    if piece.team == UNKNOWN:
        return size
    return message("as-kimble.of-team", seat=piece.team, piece=size)


def _hembo_event(options: Options, entry: BookedHembo) -> Event:
    team, sentence = entry.team, SENTENCES[form_of(options, entry.team)]
    match entry.how:
        case "said":
            return Event(message("as-kimble.hembo-said", "10.2", seat=team, sentence=sentence))
        case "missed":
            return Event(message("as-kimble.hembo-missed", "10.3", seat=team))
        case "wrong":
            id = "as-kimble.ledger-hembo-wrong"
            return Event(message(id, "10.3", seat=team, sentence=sentence))
    return Event(message("as-kimble.ledger-hembo-uncalled", "10.2", seat=team))
