"""Views of a table, each made for one viewer and encoded once for all who share it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import msgspec

from kibitz.core import caching
from kibitz.core.drawing import (
    PIECE_LAYERS,
    Drawing,
    Look,
    changing_chunks,
    cropped_to_squares,
    svg,
)
from kibitz.core.game import (
    CHANCE,
    SPECTATOR,
    Event,
    Seat,
    Viewer,
    view_without_reminders,
    visible_to,
)
from kibitz.core.message import Message, Refused, message
from kibitz.core.offer_rows import OfferRow, take_apart
from kibitz.i18n.grammar import join_names, join_sentences
from kibitz.server.http.errors import error_code, error_values
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.phrases import Phrases
from kibitz.server.tables import people_view, protocol
from kibitz.server.tables.live_table import AnyGame, AnyPlayed, LiveTable
from kibitz.server.tables.telling.events import (
    event_messages,
    short_texts,
    told_events,
)
from kibitz.server.tables.telling.offers import SentOffer, button_labels, offer_reader
from kibitz.server.tables.telling.results import ending, personal_ending
from kibitz.server.tables.telling.turns import turn_at
from kibitz.server.tables.viewers import (
    ViewerSettings,
    Viewpoint,
    controlled_seats,
    may_enter,
    menu_items,
    phrases_at,
    telling_phrases_at,
    viewpoint_at,
)
from kibitz.table.handover import acting_seat, curtain_seat, viewer_of
from kibitz.table.table import ASK, BACK, AnyTable

MAX_LOG_LINES = 500
"""A view has so many of the latest lines of the log; the others are to be asked for."""
MAX_HASHED_ROWS = 2
"""For how many of the latest rows it is known what was drawn."""
YOUR_TURN = message("page.your-turn")


def render_view(
    live: LiveTable, settings: ViewerSettings, seen: int | None, before: Viewer | None = None
) -> str:
    """All there is to see; after a first view only what may have changed since row `seen`.

    `before` is through whose eyes that was, if through others.
    """
    key = (settings, seen, before)
    made = live.caches.views.get(key)
    if made is None:
        built = build_view(live, settings, seen, before)
        is_known = seen is not None and before == built.viewer
        whole = msgspec.structs.replace(
            built.view,
            seats=people_view.seat_views(live, settings, built.viewpoint.say),
            offers=[each.form.encode_whole(each.row) for each in built.offers],
            svg=svg(built.drawing) if seen is None else None,
            layers={}
            if seen is None
            else _changed_layers(live, settings, built, seen if is_known else None),
        )
        live.caches.views[key] = made = protocol.write_message(whole)
    return made


class BuiltView(NamedTuple):
    """A view with what it was made of, before it is decided what of the drawing is sent."""

    view: protocol.TableView
    """Without its drawing, its seats and its offers."""
    viewer: Viewer
    viewpoint: Viewpoint
    drawing: Drawing
    layers: Mapping[str, tuple[str, ...]]
    """Those of the drawing that may change, in chunks."""
    still_seats: Sequence[protocol.SeatView]
    """The seats, whosever turn it is."""
    offers: Sequence[SentOffer]


def build_view(
    live: LiveTable, settings: ViewerSettings, seen: int | None, before: Viewer | None
) -> BuiltView:
    """The view made once for all who are shown the same."""
    key = (settings, seen, before)
    made = live.caches.built_views.get(key)
    if made is None:
        made = live.caches.built_views[key] = _build_view(live, settings, seen, before)
    return cast(BuiltView, made)


def _build_view(
    live: LiveTable, settings: ViewerSettings, seen: int | None, before: Viewer | None
) -> BuiltView:
    viewpoint, table, position = viewpoint_at(live, settings), live.table, live.position
    game, say, tell, held = table.game, viewpoint.say, viewpoint.tell, viewpoint.held
    hidden = curtain_seat(table, held, settings.unveiled_seat) if len(held) > 1 else None
    viewer = viewer_of(table, held, settings.unveiled_seat)
    rests = people_view.idle_prompt(live, settings)
    acting = None if hidden or rests or table.is_aborted else acting_seat(table, held)
    shown = table.screen_view(viewer, settings.is_reminded)
    drawing = game.ui.draw(shown, viewpoint.look)
    seq, lines = live.seq, len(table.history)
    unseen = live.effects_since(seen)
    log_from = min([change.unchanged_lines for change in unseen], default=lines)
    if seen is None or seq - seen != len(unseen):
        log_from = 0
    elif before and before != viewer:
        log_from = min(log_from, _common_log_lines(live, before, viewer))
    log_from = max(log_from, lines - MAX_LOG_LINES)
    offers = _visible_offers(live, viewpoint, acting)
    title, hint = _prompt(live, viewpoint, acting, viewer, rests)
    turn = turn_at(live, viewer, settings.is_reminded)
    told = [
        (change, told_events(table, change.events[viewer], settings.is_reminded))
        for change in unseen
    ]
    view = protocol.TableView(
        seq=seq,
        svg=None,
        layers={},
        seats=[],
        to_act=position.seats_to_act,
        acting=acting,
        title=title,
        hint=hint,
        offers=[],
        only=_only_action(live, settings, acting),
        default_answer=_default_answer(live, acting, say) if position.default_answers else "",
        buttons=button_labels(offers),
        events=[
            event
            for change, events in told
            for event in event_messages(
                *(game, events, viewer, tell), actor=change.actor, loud=change.is_reveal
            )
        ],
        short_texts=short_texts(game, [event for _, each in told for event in each], tell),
        last=turn.last_motions,
        last_marks=turn.last_marks,
        recap=turn.recap_texts(game, tell),
        recap_from=turn.start,
        log=_log_entries(table, settings, viewer, log_from, tell),
        log_from=log_from,
        undo=None if hidden or rests or table.is_aborted else _undo(live, held, acting, say),
        menu=_role_menu(table, acting or (viewer if viewer in held else None), say),
        outcome=personal_ending(live, settings, tell) if position.is_over else None,
        status=[tell(each) for each in game.ui.status(shown)],
        figures=dict(game.ui.scoreboard(shown)),
        pieces=_pieces(drawing) if table.book is not None else {},
        curtain=_curtain(table, hidden, say) if hidden else None,
        table=people_view.table_info(live, viewpoint),
    )
    layers = changing_chunks(drawing)
    still_seats = people_view.still_seat_views(live, viewpoint)
    return BuiltView(view, viewer, viewpoint, drawing, layers, still_seats, offers)


def _changed_layers(
    live: LiveTable, settings: ViewerSettings, built: BuiltView, seen: int | None
) -> dict[str, str]:
    """The layers that a page has not had since row `seen`.

    Those where pieces stand are sent always: the page has moved them by what it was told.
    """
    look = built.viewpoint.look
    moving = {name: "".join(chunks) for name, chunks in built.layers.items()}
    looks = look.say, look.is_tall, look.near, look.names, look.tell
    key = built.viewer, *looks, settings.is_reminded
    drawn = live.caches.layer_hashes.setdefault(key, {})
    had = {} if seen is None else drawn.get(seen, {})
    still = {name: hash(made) for name, made in moving.items() if name not in PIECE_LAYERS}
    drawn[live.seq] = still
    while len(drawn) > MAX_HASHED_ROWS:
        del drawn[min(drawn)]
    return {n: made for n, made in moving.items() if n not in still or had.get(n) != still[n]}


def _pieces(drawing: Drawing) -> dict[str, protocol.PieceView]:
    return {
        piece.place: protocol.PieceView(piece.seat, piece.size)
        for piece in drawing.pieces
        if piece.seat
    }


def refusal(
    live: LiveTable, settings: ViewerSettings, key: str, refused: Message
) -> protocol.RefusalMessage:
    """A refusal with all that helps to understand it."""
    say, game = phrases_at(live, settings.language), live.game.name
    return protocol.RefusalMessage(
        key=key,
        message=say(refused),
        rule=refused.paragraph or None,
        rule_url=prefixed_path(f"/rules/{game}#{refused.paragraph}") if refused.paragraph else "",
        at=str(refused.value("at") or ""),
        because=str(refused.value("because") or ""),
        picture=_refusal_picture(live, settings, refused, say),
        picture_title=_refusal_picture_title(refused, say),
        code=error_code(refused),
        values=error_values(refused),
    )


def _refusal_picture(
    live: LiveTable, settings: ViewerSettings, refused: Message, say: Phrases
) -> str | None:
    """The position a refusal speaks of, small, with ids of its own."""
    position = refused.value("position")
    if not isinstance(position, str):
        return None
    try:
        state = live.game.notation.read_state(position)
    except Refused:
        return None
    held = controlled_seats(live, settings)
    view = live.game.rules.view(state, viewer_of(live.table, held, settings.unveiled_seat), ())
    look = Look(say=say, has_labels=False, prefix=f"p{secrets.token_hex(4)}-")
    if not settings.is_reminded:
        view = view_without_reminders(live.game, view)
    return svg(cropped_to_squares(live.game.ui.draw(view, look)))


def _refusal_picture_title(refused: Message, say: Phrases) -> str:
    if refused.value("position") is None:
        return ""
    ids = f"{refused.id}-picture", "page.earlier-position"
    return say.first(*ids, **dict(refused.values))


def prompt(live: LiveTable, settings: ViewerSettings, acting: Seat | None) -> tuple[str, str]:
    """The title and the hint of the page while nothing is chosen, as it is told."""
    viewpoint = viewpoint_at(live, settings)
    viewer = viewer_of(live.table, viewpoint.held, settings.unveiled_seat)
    return _prompt(live, viewpoint, acting, viewer, people_view.idle_prompt(live, settings))


def _prompt(
    live: LiveTable,
    viewpoint: Viewpoint,
    acting: Seat | None,
    viewer: Viewer,
    rests: tuple[Message, Message] | None,
) -> tuple[str, str]:
    table, held, settings = live.table, viewpoint.held, viewpoint.settings
    say = viewpoint.tell
    if live.position.is_over and (ended := ending(table, say)):
        return ended.title, ended.why
    if rests:
        return say(rests[0]), say(rests[1])
    to_act, game = live.position.to_act, table.game
    if held:
        hint = say(game.ui.hint(table.screen_view(viewer, settings.is_reminded), viewer))
    else:
        hint = say.t("page.refereeing" if settings.is_referee else "page.watching")
    if acting in to_act or (acting and table.actions(acting)):
        is_alone = len(held) == 1
        return say(YOUR_TURN) if is_alone else say.t("page.turn-of", seat=acting or ""), hint
    names = live.position.seats_to_act
    if not names:
        return (say.t("page.chance") if CHANCE in to_act else ""), hint
    if len(names) > 1:
        return say.t("page.waiting-for", names=join_names(say.names[seat] for seat in names)), hint
    thinking = "page.thinking" if names[0] in live.people.bots else "page.turn-of"
    title = say.t(thinking, seat=names[0])
    return title, "" if hint == f"{title}." else hint


def _visible_offers(live: LiveTable, viewpoint: Viewpoint, acting: Seat | None) -> list[SentOffer]:
    """The offers of the seat that acts, and what others on the same device may say meanwhile.

    Most offers name nobody, and are the same at every table.
    While somebody has secrets nobody else speaks on it: what they may say might tell of theirs.
    """
    if acting is None:
        return []
    table, held, settings = live.table, viewpoint.held, viewpoint.settings
    say, tell = viewpoint.say, viewpoint.tell
    listed = table.actions(acting) + table.game.rules.anytime_actions(table.state, acting)
    rows = _offer_rows(table, settings, acting, listed)
    found = offer_reader(acting, say).read_rows(rows)
    named = [
        at for at, each in enumerate(found) if not each.is_plain and each.form.speaks_of_others
    ]
    if named:
        by_name = offer_reader(acting, tell).read_rows([rows[at] for at in named])
        for at, sent in zip(named, by_name, strict=True):
            found[at] = sent
    is_alone = len(held) == 1 or curtain_seat(table, held, None)
    for seat in () if is_alone else [seat for seat in held if seat != acting]:
        actions = table.game.rules.anytime_actions(table.state, seat)
        if actions:
            theirs = _offer_rows(table, settings, seat, actions)
            found += offer_reader(seat, say, is_beside=True).read_rows(theirs)
    return found


def _offer_rows(
    table: AnyTable, settings: ViewerSettings, seat: Seat, actions: tuple[Any, ...]
) -> Sequence[OfferRow]:
    """The offers of these actions that a book lets this viewer enter; all where there is none."""
    ui, shown = table.game.ui, table.screen_view(seat, settings.is_reminded)
    if ui.offer_rows is not None:
        rows = ui.offer_rows(shown, actions)
    else:
        rows = [*map(take_apart, ui.offers(shown, actions))]
    if table.book is None or settings.is_bookkeeper:
        return rows
    return [
        row for row in rows if all(may_enter(table, settings, text) for text in row.offer.actions)
    ]


def _only_action(live: LiveTable, settings: ViewerSettings, acting: Seat | None) -> list[str]:
    """The turn action of whoever acts, where there is but one."""
    table = live.table
    if acting is None or CHANCE in live.position.to_act:
        return []
    actions = table.game.rules.turn_actions(table.state, acting)
    if len(actions) != 1:
        return []
    text = table.game.notation.write_action(actions[0])
    return [text] if may_enter(table, settings, text) else []


def _default_answer(live: LiveTable, acting: Seat | None, say: Phrases) -> str:
    """The answer that silence counts as: of whoever acts, else of all who are asked."""
    table, found = live.table, live.position.default_answers
    if not found:
        return ""
    asked = [acting] if acting is not None and acting in found else [*found]
    texts = {seat: table.game.notation.write_action(found[seat]) for seat in asked}
    labels = {
        say(offer.label)
        for seat, text in texts.items()
        for offer in table.offers(seat)
        if offer.actions == (text,)
    }
    return labels.pop() if len(labels) == 1 else ""


def _curtain(table: AnyTable, seat: Seat, say: Phrases) -> protocol.CurtainView:
    title, text, button = (
        say.t(f"page.curtain-{part}", seat=seat) for part in ("title", "text", "button")
    )
    return protocol.CurtainView(seat, title, text, button, table.game.ui.glyph(seat))


def log_lines(
    live: LiveTable, settings: ViewerSettings, log_from: int
) -> list[protocol.LogLineView]:
    """Some lines of the log from there on, as they are told to this viewer."""
    held = controlled_seats(live, settings)
    viewer, tell = viewer_of(live.table, held), telling_phrases_at(live, settings)
    until = log_from + MAX_LOG_LINES
    return _log_entries(live.table, settings, viewer, log_from, tell, until)


def _log_entries(
    table: AnyTable,
    settings: ViewerSettings,
    viewer: Viewer,
    log_from: int,
    say: Phrases,
    until: int | None = None,
) -> list[protocol.LogLineView]:
    """The lines from there on. What others committed and have not shown has no code."""
    end = len(table.history) if until is None else min(until, len(table.history))
    entries, is_open = [], any(played.step.is_reveal for played in table.history[end:])
    for index in range(end - 1, log_from - 1, -1):
        played = table.history[index]
        is_open = is_open or played.step.is_reveal
        hidden = not is_open and played.actor != viewer and table.was_secret(played)
        events = _visible_events(played, viewer, is_open)
        told = _sentence(told_events(table, events, settings.is_reminded), say)
        code = "" if hidden else table.game.notation.write_action(played.step.action)
        turn = _new_turn(table, index, say)
        entries.append(protocol.LogLineView(index + 1, played.actor, told, code, turn))
    return entries[::-1]


def _new_turn(table: AnyTable, index: int, say: Phrases) -> str:
    """The turn as its first line is headed; nothing for a line in the middle of one."""
    game = table.game
    if not game.ui.has_long_turns:
        return ""
    this = _turn_status(game, table.history[index].before)
    if index and this == _turn_status(game, table.history[index - 1].before):
        return ""
    return say(this[0])


@caching.cache_latest(1 << 9)
def _turn_status(game: AnyGame, state: Any) -> tuple[Message, ...]:
    """The turn of a position, as everybody sees it."""
    return game.ui.status(game.rules.view(state, SPECTATOR, ()))[:1]


def _common_log_lines(live: LiveTable, one: Viewer, other: Viewer) -> int:
    """The number of lines of the log that are the same for both from the first on.

    They stay so, and are not compared again: a match may be long.
    """
    played, index = live.table.history, live.caches.common_log_lines.get((one, other), 0)
    opened = len(played)
    while opened > index and not played[opened - 1].step.is_reveal:
        opened -= 1
    while index < len(played) and _is_same_line(live.table, index, opened, one, other):
        index += 1
    live.caches.common_log_lines[one, other] = index
    return index


def _is_same_line(table: AnyTable, index: int, opened: int, one: Viewer, other: Viewer) -> bool:
    each = table.history[index]
    if index >= opened and each.actor in (one, other) and table.was_secret(each):
        return False
    return _visible_events(each, one, index < opened) == _visible_events(
        each, other, index < opened
    )


def _visible_events(played: AnyPlayed, viewer: Viewer, is_open: bool) -> tuple[Event, ...]:
    """Once it is open, what only those who did it heard may be read by all."""
    events = played.step.events
    return visible_to(events, viewer) or (visible_to(events, played.actor) if is_open else ())


def _sentence(events: Iterable[Event], say: Phrases) -> str:
    return join_sentences([say(event.message) for event in events])


def _undo(
    live: LiveTable, held: Sequence[Seat], acting: Seat | None, say: Phrases
) -> protocol.UndoView | None:
    """Back to before the latest action of one's own, where that is possible at all, or to be
    asked for where others play.

    Who has something to commit takes back that, and nothing of the others on the same device.
    """
    table = live.table
    if not table.game.policy.takebacks:
        return None
    seats = (acting,) if acting and table.is_committing(acting) else held
    undo_points = [(k, seat) for seat in seats if (k := table.undo_point(seat)) is not None]
    if not undo_points:
        return None
    count, seat = max(undo_points)
    if set(live.people.playing_seats) <= set(held) or table.may_undo_freely(seat, count):
        return protocol.UndoView(f"{BACK}{count}", say.t("page.take-back"))
    if table.pending_request or table.is_over:
        return None
    return protocol.UndoView(f"{ASK}{BACK}{count}", say.t("page.ask-back"))


def _role_menu(table: AnyTable, seat: Seat | None, say: Phrases) -> list[protocol.MenuItemView]:
    """The menu of what a seat may do by its role, each with a question to be sure."""
    if seat is None:
        return []
    return menu_items(table, table.game.rules.role_actions(table.state, seat), say)
