"""What is said of a piece, a place or a team, wherever it is said."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from kibitz.core.game import Seat
from kibitz.core.message import Message, Value, message
from kibitz.games.as_kimble.board import CHAIRS, TEAMS, grid_at
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.hembo import SENTENCES, form_of
from kibitz.games.as_kimble.rules.moves import LAST, named
from kibitz.games.as_kimble.state import Colours, Lots, Side, State, piece_at


def called(team: str) -> Message:
    """Whoever plays it, where a sentence speaks of more than one team."""
    return message("as-kimble.team", seat=team)


def chair_of(state: State, seat: Seat) -> str:
    """Before colours are known nobody is red or blue: a seat is the chair it will be (4)."""
    is_known = not isinstance(state.phase, Lots | Colours)
    return seat if is_known else CHAIRS[TEAMS.index(seat)]


def of_team(team: str, size: int) -> Message:
    return message("as-kimble.of-team", seat=team, piece=named(size))


def piece_word(side: Side, progress: int) -> Message:
    """Single to quadruple; in the goal every piece is just a piece."""
    piece = piece_at(side, progress)
    return named(piece.size) if piece else message("as-kimble.piece")


def where(team: str, progress: int) -> Message:
    if progress > LAST:
        return message("as-kimble.at-goal", goal=progress - LAST)
    return message("as-kimble.at-grid", grid=grid_at(team, progress))


def sentence_of(options: Options, team: str) -> str:
    return SENTENCES[form_of(options, team)]


def in_turn(first: Message, *more: Message | None) -> Message:
    """One sentence after another; they rest on the first one's paragraph."""
    return reduce(_then, (each for each in more if each), first)


def _then(said: Message, next: Message) -> Message:
    return message("as-kimble.then", said.paragraph, said=said, next=next)


def one_of(choices: Sequence[Value]) -> Value:
    """This, that or the other."""
    return _listed(choices, "as-kimble.list-or")


def all_of(choices: Sequence[Value]) -> Value:
    """This, that and the other."""
    return _listed(choices, "as-kimble.list-and")


def _listed(choices: Sequence[Value], id: str) -> Value:
    *more, last = choices
    if not more:
        return last
    listed = reduce(_comma, more)
    return message(id, listed=listed, last=last)


def _comma(listed: Value, next: Value) -> Value:
    return message("as-kimble.list", listed=listed, next=next)
