"""The latest turn of the others, as one viewer is told and shown it: grown action by action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.core import caching
from kibitz.core.game import Event, Seat, Viewer, visible_to
from kibitz.core.message import Message
from kibitz.core.story import Moment
from kibitz.server.phrases import Phrases
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import AnyGame, AnyPlayed, LiveTable
from kibitz.server.tables.telling.events import (
    event_seat,
    join_message,
    mark_views,
    motion_view,
    told_events,
)
from kibitz.table.table import AnyTable

MAX_LAST_MOTION_ACTIONS = 8
"""So many actions may pass and what moved before them is still marked."""
MAX_TURN_ACTIONS = 60
"""So far back goes what is told and marked of the others' turn."""
MAX_RECAP_LINES = 6


class Turn:
    """The actions of others since a viewer last acted; for those who look on, the latest turn.

    What is committed in secret or only said cuts no turn in two.
    """

    def __init__(self, game: AnyGame, viewer: Viewer, is_reminded: bool) -> None:
        self._viewer, self._is_reminded = viewer, is_reminded
        self._scene_ends = _scene_ends(game.story.moments)
        self.start = self.end = 0
        """The actions of the history from the one to the other are the turn."""
        self._last_seat, self._last_index = "", -1
        """The seat that last did something in its turn, and which action that was."""
        self._motions: list[protocol.MotionView] = []
        self._marks: list[protocol.MarkView] = []
        self._messages: list[Message] = []
        self._latest: tuple[int, list[protocol.MotionView]] = 0, []
        """The latest action in this scene that moved anything, by its number, and its motions."""

    def go_on(self, table: AnyTable, length: int) -> None:
        """Take in the actions that it has not seen, up to so many in all."""
        if self.end == length:
            return
        history, start = table.history, max(self.start, length - MAX_TURN_ACTIONS)
        new = history[max(self.end, start) : length]
        start = self._next_start(table, new, length - len(new), start)
        if start != self.start:
            self._motions, self._marks, self._messages = [], [], []
            new = history[start:length]
        self.start, self.end = start, length
        for played in new:
            self._take_in(table, played)

    def _next_start(self, table: AnyTable, new: Sequence[AnyPlayed], index: int, start: int) -> int:
        looks_on = self._viewer not in table.game.seats
        for at, played in enumerate(new, index):
            self._note_motions(at, played)
            seat = _turn_seat(table, played)
            if not seat:
                continue
            if seat == self._viewer:
                start = at + 1
            elif looks_on and self._last_seat and seat != self._last_seat:
                start = max(start, self._last_index + 1)
            self._last_seat, self._last_index = seat, at
        return start

    def _note_motions(self, at: int, played: AnyPlayed) -> None:
        events = visible_to(played.step.events, self._viewer)
        if self._ends_scene(played):
            self._latest = at, []
        elif moved := _move_views(events):
            self._latest = at, moved

    def _ends_scene(self, played: AnyPlayed) -> bool:
        """True if what the board showed is gone with this action."""
        ends = self._scene_ends
        return bool(ends) and not ends.isdisjoint([e.message.id for e in played.step.events])

    def _take_in(self, table: AnyTable, played: AnyPlayed) -> None:
        game, events = table.game, visible_to(played.step.events, self._viewer)
        if self._ends_scene(played):
            self._motions = []
        elif moved := _move_views(events):
            self._motions = [*self._motions, *moved]
        if marks := [mark for event in events if event.marks for mark in mark_views(event.marks)]:
            self._marks = [*self._marks, *marks]
        for event in told_events(table, events, self._is_reminded):
            self._messages = join_message(game, self._messages, event)

    @property
    def last_motions(self) -> list[protocol.MotionView]:
        """The motions of the others' turn. Where nothing moved in it, or the viewer acted last:
        those of the latest action that moved anything, if that was shortly before."""
        at, moved = self._latest
        is_recent = self.end - at <= MAX_LAST_MOTION_ACTIONS
        return self._motions or (moved if is_recent else [])

    @property
    def last_marks(self) -> list[protocol.MarkView]:
        return self._marks

    def recap_texts(self, game: AnyGame, tell: Phrases) -> list[str]:
        if not self._messages:
            return []
        asides = game.story.asides
        worth = [each for each in self._messages if each.id not in asides]
        return [tell(each) for each in worth[-MAX_RECAP_LINES:]]


def turn_at(live: LiveTable, viewer: Viewer, is_reminded: bool) -> Turn:
    """The turn as of now; what was taken back is forgotten (live/view_caches.py)."""
    turns, key = live.caches.turns, (viewer, is_reminded)
    found = turns.get(key)
    if found is None:
        found = turns[key] = Turn(live.game, viewer, is_reminded)
    found.go_on(live.table, len(live.table.history))
    return found


def _turn_seat(table: AnyTable, played: AnyPlayed) -> Seat:
    """The seat whose turn an action was part of; none where it was only by the way."""
    game = table.game
    if table.was_secret(played) or game.policy.is_statement(played.step.action):
        return ""
    if played.actor in game.seats:
        return played.actor
    presser = game.rules.presser(played.before, played.step.action)
    return presser or next(
        (seat for e in played.step.events if (seat := event_seat(game, e, played.actor))), ""
    )


def _move_views(events: Sequence[Event]) -> list[protocol.MotionView]:
    """The motions from one place to another, less those on the spot."""
    return [
        motion_view(motion)
        for event in events
        for motion in event.motions
        if motion.origin != motion.target
    ]


@caching.cache_latest(16)
def _scene_ends(moments: Mapping[str, Moment]) -> frozenset[str]:
    """The events that end a scene, by the ids of their messages."""
    return frozenset(id for id, moment in moments.items() if moment.is_shown_before)
