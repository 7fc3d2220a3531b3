"""Requests as sentences: who asks, and all that would follow if everybody agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kibitz.core.game import REFEREE, Actor
from kibitz.core.message import Message, message
from kibitz.table.commands import ADJOURN, CONTINUE, FILL_IN, REMATCH
from kibitz.table.seating import ROLES

if TYPE_CHECKING:
    from kibitz.table.table import PendingRequest, Table

AGREEMENTS = ("draw", "break", "resume")
"""The joint actions of games that have a sentence here for being asked for."""
NAMED_AGREEMENTS = ("break", "resume")
"""Those of which it is told whose idea it was."""


def request_message(table: Table[Any, Any, Any], asked: PendingRequest) -> Message:
    """A request as a sentence."""
    word, *rest = asked.text.split(" ")
    if word == CONTINUE and rest:
        return message(f"{table.game.name}.asks-continue", seat=asked.seat, n=rest[0])
    if word == "back":
        return _takeback_message(table, asked.seat, int(rest[0]))
    if word == FILL_IN:
        other = message("table.seat", seat=rest[0])
        return message("table.asks-fill-in", seat=asked.seat, other=other)
    if asked.seat == REFEREE and word == "break":
        return message("table.referee-asks-break")
    if word in (ADJOURN, CONTINUE, REMATCH, *ROLES, *AGREEMENTS):
        return message(f"table.asks-{word}", seat=asked.seat)
    return message("table.asks", seat=asked.seat, text=asked.text)


def _takeback_message(table: Table[Any, Any, Any], seat: Actor, keep: int) -> Message:
    """Says whose moves go: one's own latest, the answers to it, or more."""
    actors = [played.actor for played in table.history[keep:]]
    others = [actor for actor in actors if actor != seat and actor in table.game.seats]
    if actors[:1] != [seat] or actors.count(seat) > 1:
        return message("table.asks-back-to", seat=seat, n=len(actors))
    if not others:
        return message("table.asks-back", seat=seat)
    answer = message("table.answer-of", seat=others[0])
    return message("table.asks-back-answer", seat=seat, answer=answer)


def agreement_message(asked: PendingRequest) -> Message | None:
    """A sentence about whose idea it was that all have agreed to, where that is told."""
    if asked.text not in NAMED_AGREEMENTS:
        return None
    return message(f"table.did-{asked.text}", seat=asked.seat)
