"""Earlier positions of a match, for those who look back."""

from __future__ import annotations

from kibitz.core.drawing import Look, svg
from kibitz.core.game import (
    SPECTATOR,
    Viewer,
    view_without_reminders,
    visible_to,
    without_reminders,
)
from kibitz.core.message import Refused, message
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.telling.events import event_messages, mark_views
from kibitz.server.tables.viewers import (
    ViewerSettings,
    phrases_at,
    plate_names,
    telling_phrases_at,
)
from kibitz.table.table import AnyTable


def position_after(
    live: LiveTable, settings: ViewerSettings, n: int, full: bool
) -> protocol.PositionView:
    """The position after `n` actions, as this viewer saw it.

    After the end nothing is hidden any more: in full, it is seen as whoever had just acted saw
    it. Raises Refused where there were not so many actions.
    """
    table, say = live.table, phrases_at(live, settings.language)
    if not 0 <= n <= len(table.history):
        raise Refused(message("server.no-such-move", n=len(table.history)))
    viewer = _replay_viewer(table, settings, n, full and table.is_over)
    played = table.history[n - 1] if n else None
    state = played.step.state if played else table.first
    view = shown = table.game.rules.view(state, viewer, ())
    told = visible_to(played.step.events, viewer) if played else ()
    if not settings.is_reminded and not table.is_over:
        shown, told = view_without_reminders(table.game, view), without_reminders(table.game, told)
    near = settings.seats[0] if len(settings.seats) == 1 else ""
    tell, actor = telling_phrases_at(live, settings), played.actor if played else ""
    names = plate_names(live, settings, say)
    look = Look(say=say, is_tall=settings.is_tall, near=near, names=names, tell=tell)
    events = event_messages(table.game, told, viewer, tell, actor=actor)
    return protocol.PositionView(
        n=n,
        svg=svg(table.game.ui.draw(shown, look)),
        events=events,
        last=[m for event in events for m in event.motions if m.origin != m.target],
        last_marks=[m for event in told for m in mark_views(event.marks)],
        status=[say(each) for each in table.game.ui.status(shown)],
        position=table.game.notation.write_view(view),
    )


def _replay_viewer(table: AnyTable, settings: ViewerSettings, n: int, full: bool) -> Viewer:
    """On a device that several share nobody's own view is shown, unless all is open."""
    if not full:
        return settings.seats[0] if len(settings.seats) == 1 else SPECTATOR
    actor = table.history[n - 1].actor if n else SPECTATOR
    return actor if actor in table.game.seats else SPECTATOR
