"""Phrases about a piece, a place or a team, for all other sentences."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from kibitz.core.game import Seat
from kibitz.core.message import Message, Value, message
from kibitz.games.as_kimble.board import SEAT_LETTERS, TEAMS, grid_at
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.hembo import SENTENCES, form_of
from kibitz.games.as_kimble.rules.moves import LAST_PROGRESS, size_message
from kibitz.games.as_kimble.state import Colours, Lots, Side, State, piece_at


def team_message(team: str) -> Message:
    """The name of a team, where a sentence speaks of more than one."""
    return message("as-kimble.team", seat=team)


def seat_letter(state: State, seat: Seat) -> str:
    """Before colours are known nobody is red or blue: a seat is the chair it will be (4)."""
    is_known = not isinstance(state.phase, Lots | Colours)
    return seat if is_known else SEAT_LETTERS[TEAMS.index(seat)]


def piece_of_team(team: str, size: int) -> Message:
    return message("as-kimble.of-team", seat=team, piece=size_message(size))


def piece_message(side: Side, progress: int) -> Message:
    """Single to quadruple; in the goal every piece is just a piece."""
    piece = piece_at(side, progress)
    return size_message(piece.size) if piece else message("as-kimble.piece")


def place_message(team: str, progress: int) -> Message:
    if progress > LAST_PROGRESS:
        return message("as-kimble.at-goal", goal=progress - LAST_PROGRESS)
    return message("as-kimble.at-grid", grid=grid_at(team, progress))


def sentence_of(options: Options, team: str) -> str:
    return SENTENCES[form_of(options, team)]


def in_sequence(first: Message, *more: Message | None) -> Message:
    """One sentence after another; they rest on the first one's paragraph."""
    return reduce(_join_sentences, (each for each in more if each), first)


def _join_sentences(said: Message, next: Message) -> Message:
    return message("as-kimble.then", said.paragraph, said=said, next=next)


def or_list(choices: Sequence[Value]) -> Value:
    """This, that or the other."""
    return _message_list(choices, "as-kimble.list-or")


def and_list(choices: Sequence[Value]) -> Value:
    """This, that and the other."""
    return _message_list(choices, "as-kimble.list-and")


def _message_list(choices: Sequence[Value], id: str) -> Value:
    *more, last = choices
    if not more:
        return last
    listed = reduce(_join_comma, more)
    return message(id, listed=listed, last=last)


def _join_comma(listed: Value, next: Value) -> Value:
    return message("as-kimble.list", listed=listed, next=next)
