"""The events that one seat witnesses of a match, for a program that plays there."""

from __future__ import annotations

from typing import Any

from kibitz.bots.player import WitnessedAction
from kibitz.core.game import Event, Seat
from kibitz.core.message import Message
from kibitz.table import Table
from kibitz.table.table import EventsByViewer


class Witness:
    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._events: list[WitnessedAction] = []
        self._hidden_events: list[WitnessedAction] = []
        """The commitments of others that are still face down."""

    def observe_action(self, table: Table[Any, Any, Any], told: EventsByViewer) -> None:
        """The latest action of a table. What lies face down has no text until it is shown."""
        played = table.history[-1]
        text, events = (
            table.game.notation.write_action(played.step.action),
            told.get(self._seat, ()),
        )
        if played.step.is_reveal:
            self._events += self._hidden_events
            self._hidden_events = []
        elif played.actor != self._seat and table.was_secret(played):
            self._hidden_events.append(_event_dict(played.actor, text, ()))
            self._events.append(_event_dict(played.actor, None, events))
            return
        self._events.append(_event_dict(played.actor, text, events))

    def take_events(self) -> list[WitnessedAction]:
        """All of it since it was taken last."""
        heard, self._events = self._events, []
        return heard


def _event_dict(actor: str, text: str | None, events: tuple[Event, ...]) -> WitnessedAction:
    return {
        "by": actor,
        "action": text,
        "events": [_message_dict(event.message) for event in events],
    }


def _message_dict(said: Message) -> dict[str, Any]:
    values = {
        name: _message_dict(value) if isinstance(value, Message) else value
        for name, value in said.values
    }
    return {"id": said.id, "values": values, "rule": said.paragraph}
