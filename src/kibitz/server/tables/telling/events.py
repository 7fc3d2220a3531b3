"""Events as one viewer is told them: sentences, motions, moments, and a turn in short."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kibitz.core import caching
from kibitz.core.game import (
    Actor,
    Event,
    Mark,
    Motion,
    Reveal,
    Seat,
    Viewer,
    moves_in,
    visible_to,
    without_reminders,
)
from kibitz.core.message import Message
from kibitz.core.story import Moment
from kibitz.server.phrases import Phrases
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import AnyGame, AnyPlayed
from kibitz.table.table import AnyTable

MAX_LAST_MOTION_ACTIONS = 8
"""So many actions may pass and what moved before them is still marked."""
MAX_TURN_ACTIONS = 60
"""So far back goes what is told and marked of the others' turn."""
MAX_RECAP_LINES = 6
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
            motions=_motions(event),
            is_loud=loud,
            sound=_event_sound(game, event, viewer),
            seat=_event_seat(game, event, actor),
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


def _event_seat(game: AnyGame, event: Event, actor: Actor) -> Seat:
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


def _motions(event: Event) -> list[protocol.MotionView]:
    return [_motion(motion) for motion in event.motions]


def _motion(motion: Motion) -> protocol.MotionView:
    return protocol.MotionView(motion.origin, motion.target, motion.via, motion.through, motion.how)


def latest_turn(table: AnyTable, viewer: Viewer) -> Sequence[AnyPlayed]:
    """The actions of others since this viewer last acted; for those who look on, the latest turn.

    What is committed in secret or only said cuts no turn in two.
    """
    game, start = table.game, len(table.history)
    last: Seat | None = None
    for played in reversed(table.history[-MAX_TURN_ACTIONS:]):
        seat = _played_seat(game, played)
        is_by_the_way = table.was_secret(played) or game.policy.is_statement(played.step.action)
        if seat and not is_by_the_way:
            last = last or seat
            if seat == viewer or (viewer not in game.seats and seat != last):
                break
        start -= 1
    return table.history[start:]


def _played_seat(game: AnyGame, played: AnyPlayed) -> Seat:
    """The seat whose action it was: where chance spoke, the one it spoke for."""
    if played.actor in game.seats:
        return played.actor
    presser = game.rules.presser(played.before, played.step.action)
    return presser or next(
        (seat for e in played.step.events if (seat := _event_seat(game, e, played.actor))), ""
    )


def last_motions(
    table: AnyTable, turn: Sequence[AnyPlayed], viewer: Viewer
) -> list[protocol.MotionView]:
    """The motions of the others' turn. Where nothing moved in it, or the viewer acted last: those
    of the latest action that moved anything, if that was shortly before."""
    found: list[Motion] = []
    for played in _scene(table.game, turn):
        found += moves_in(visible_to(played.step.events, viewer))
    for played in () if found else _scene(table.game, table.history[-MAX_LAST_MOTION_ACTIONS:]):
        found = list(moves_in(visible_to(played.step.events, viewer))) or found
    return [_motion(motion) for motion in found]


def _scene(game: AnyGame, history: Sequence[AnyPlayed]) -> Sequence[AnyPlayed]:
    """The latest of these that the board still shows: what ended a scene is gone with it."""
    ends, start = _scene_ends(game.story.moments), len(history)
    if not ends:
        return history
    while start and not any(e.message.id in ends for e in history[start - 1].step.events):
        start -= 1
    return history[start:]


@caching.cache_latest(16)
def _scene_ends(moments: Mapping[str, Moment]) -> frozenset[str]:
    """The events that end a scene, by the ids of their messages."""
    return frozenset(id for id, moment in moments.items() if moment.is_shown_before)


def last_marks(turn: Sequence[AnyPlayed], viewer: Viewer) -> list[protocol.MarkView]:
    return [
        mark
        for played in turn
        for event in visible_to(played.step.events, viewer)
        for mark in mark_views(event.marks)
    ]


def mark_views(marks: Iterable[Mark]) -> list[protocol.MarkView]:
    return [protocol.MarkView(mark.kind, mark.places, mark.text, mark.after) for mark in marks]


def recap_texts(
    table: AnyTable,
    turn: Sequence[AnyPlayed],
    viewer: Viewer,
    is_reminded: bool,
    tell: Phrases,
) -> list[str]:
    events = [e for played in turn for e in visible_to(played.step.events, viewer)]
    messages = _joined_messages(table.game, told_events(table, events, is_reminded))
    return [tell(each) for each in _worth_telling(table.game, messages)[-MAX_RECAP_LINES:]]


def short_texts(game: AnyGame, events: Iterable[Event], tell: Phrases) -> list[str]:
    """Events in short: without what goes without saying, unless that is all."""
    messages = _joined_messages(game, events)
    return [tell(each) for each in _worth_telling(game, messages) or messages[:1]]


def _worth_telling(game: AnyGame, messages: Iterable[Message]) -> list[Message]:
    return [each for each in messages if each.id not in game.story.asides]


def _joined_messages(game: AnyGame, events: Iterable[Event]) -> list[Message]:
    joined: list[Message] = []
    for event in (each for each in events if _is_of_game(game, each)):
        both = game.story.join(joined[-1], event.message) if joined else None
        joined[-1:] = [both] if both else [*joined[-1:], event.message]
    return joined


def told_events(table: AnyTable, events: Iterable[Event], is_reminded: bool) -> tuple[Event, ...]:
    return tuple(events) if is_reminded else without_reminders(table.game, events)
