"""What one seat sees and hears of a match, for a program that plays there."""

from __future__ import annotations

from typing import Any

from kibitz.bots.player import Heard
from kibitz.core.game import Event, Seat
from kibitz.core.message import Message
from kibitz.table import Table
from kibitz.table.table import Told


class Witness:
    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._heard: list[Heard] = []
        self._covered: list[Heard] = []
        """What others committed face down and have not shown yet."""

    def see(self, table: Table[Any, Any, Any], told: Told) -> None:
        """The latest action of a table. What lies face down has no text until it is shown."""
        played = table.played[-1]
        text, events = table.game.write_action(played.step.action), told.get(self._seat, ())
        if played.step.reveals:
            self._heard += self._covered
            self._covered = []
        elif played.actor != self._seat and table.was_secret(played):
            self._covered.append(_heard(played.actor, text, ()))
            self._heard.append(_heard(played.actor, None, events))
            return
        self._heard.append(_heard(played.actor, text, events))

    def take(self) -> list[Heard]:
        """All of it since it was taken last."""
        heard, self._heard = self._heard, []
        return heard


def _heard(actor: str, text: str | None, events: tuple[Event, ...]) -> Heard:
    return {"by": actor, "action": text, "events": [_said(event.message) for event in events]}


def _said(said: Message) -> dict[str, Any]:
    values = {
        name: _said(value) if isinstance(value, Message) else value for name, value in said.values
    }
    return {"id": said.id, "values": values, "rule": said.paragraph}
