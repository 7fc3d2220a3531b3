"""Events as one viewer is told them: sentences, motions, moments."""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.core.game import (
    Actor,
    Event,
    Mark,
    Motion,
    Reveal,
    Seat,
    Viewer,
    without_reminders,
)
from kibitz.core.message import Message
from kibitz.server.phrases import Phrases
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import AnyGame
from kibitz.table.table import AnyTable

SEAT_CHANGES = {"table.moved", "table.stood", "table.bot-removed", "table.bot-fills-in"}
"""Messages that tell who plays a seat, so they call it by its side."""
OPPOSITE_SOUNDS = {"won": "lost", "lost": "won", "try": "lost"}
"""Sounds of a duel or a try, as the one and the other hear it."""


def event_messages(
    game: AnyGame,
    events: Iterable[Event],
    viewer: Viewer,
    tell: Phrases,
    *,
    actor: Actor,
    loud: bool = False,
) -> list[protocol.EventView]:
    """The events that a viewer witnessed, put into words."""
    return [
        protocol.EventView(
            text=_told_text(event.message, tell),
            rule=event.message.paragraph,
            motions=[motion_view(motion) for motion in event.motions],
            is_loud=loud,
            sound=_event_sound(game, event, viewer),
            seat=event_seat(game, event, actor),
            reveal=_reveal_message(event.reveal, tell) if event.reveal else None,
            moment=_moment_message(game, event, tell),
        )
        for event in events
    ]


def _told_text(told: Message, tell: Phrases) -> str:
    return (tell.without_players if told.id in SEAT_CHANGES else tell)(told)


def _is_of_game(game: AnyGame, event: Event) -> bool:
    """False for what people did around the match."""
    return event.message.id.startswith(f"{game.name}.")


def event_seat(game: AnyGame, event: Event, actor: Actor) -> Seat:
    """The seat that did it: where chance spoke, the one that the event names."""
    named = str(event.message.value("seat") or "")
    seat = actor if actor in game.seats else named
    return seat if seat in game.seats else ""


def _moment_message(game: AnyGame, event: Event, tell: Phrases) -> protocol.MomentView | None:
    told = event.message
    moment = game.story.moments.get(told.id)
    if moment is None or not moment.effect:
        return None
    ends = [motion.via or motion.origin for motion in event.motions]
    return protocol.MomentView(
        effect=moment.effect,
        title=tell(Message(f"{told.id}-moment", told.values)),
        place=event.place or (ends[-1] if ends else ""),
        seat=str(told.value("seat") or ""),
        amount=int(moment.size(told) / moment.weight) if moment.value_name else moment.cost,
        is_shown_before=moment.is_shown_before,
    )


def _reveal_message(reveal: Reveal, say: Phrases) -> protocol.RevealView:
    sides = [
        protocol.RevealedCardView(
            seat=side.seat,
            place=side.place,
            name=say(side.name),
            card=side.card,
            sum=say(side.sum),
            total=side.total,
            has_won=side.has_won,
        )
        for side in reveal.sides
    ]
    return protocol.RevealView(say(reveal.title), sides, say(reveal.verdict), say(reveal.margin))


def _event_sound(game: AnyGame, event: Event, viewer: Viewer) -> str:
    """The sound of an event: what one seat won is lost to the others."""
    sound = game.ui.sounds.get(event.message.id, "")
    is_other = viewer in game.seats and viewer != event.message.value("seat")
    return OPPOSITE_SOUNDS.get(sound, sound) if is_other else sound


def motion_view(motion: Motion) -> protocol.MotionView:
    return protocol.MotionView(motion.origin, motion.target, motion.via, motion.through, motion.how)


def mark_views(marks: Iterable[Mark]) -> list[protocol.MarkView]:
    return [protocol.MarkView(mark.kind, mark.places, mark.text, mark.after) for mark in marks]


def short_texts(game: AnyGame, events: Iterable[Event], tell: Phrases) -> list[str]:
    """Events in short: without what goes without saying, unless that is all."""
    messages = list[Message]()
    for event in events:
        messages = join_message(game, messages, event)
    worth = [each for each in messages if each.id not in game.story.asides]
    return [tell(each) for each in worth or messages[:1]]


def join_message(game: AnyGame, before: list[Message], event: Event) -> list[Message]:
    """Messages with that of one more event of the game, joined to the latest where both say the
    same in short."""
    if not _is_of_game(game, event):
        return before
    both = game.story.join(before[-1], event.message) if before else None
    return [*before[:-1], both] if both else [*before, event.message]


def told_events(table: AnyTable, events: Iterable[Event], is_reminded: bool) -> tuple[Event, ...]:
    return tuple(events) if is_reminded else without_reminders(table.game, events)
