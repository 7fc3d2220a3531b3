"""What one viewer sees of a table, made for that viewer and encoded once for all who share it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.core.drawing import Look, svg
from kibitz.core.game import BUTTON, CHANCE, REFEREE, SPECTATOR, Event, Offer, Seat, Viewer, tell
from kibitz.core.message import Message, Refused
from kibitz.server import wire
from kibitz.server.live import AnyTable, LiveTable
from kibitz.server.speech import Speech, speech
from kibitz.table.table import BACK


@dataclass(frozen=True, slots=True)
class Watcher:
    """Those whose sights are the same."""

    held: tuple[Seat, ...]
    """The seats they act for."""
    language: str
    tall: bool = False
    hosts: bool = False
    """Whether they opened the table, and are its referee too."""
    unveiled: Seat | None = None
    """Who said to be looking, on a device that several share."""


def acting_seat(table: AnyTable, held: Sequence[Seat]) -> Seat | None:
    """The seat somebody acts for now: one whose turn it is, or else one that can do something."""
    to_act = table.game.to_act(table.state)
    in_turn = [seat for seat in held if seat in to_act]
    return next(iter(in_turn or [seat for seat in held if _may_act(table, seat)]), None)


def curtained(table: AnyTable, held: Sequence[Seat], unveiled: Seat | None = None) -> Seat | None:
    """Whom a shared device must be handed to before anything of theirs is shown on it.

    That is where the one who acts has something to commit in secret, or sees what others do not.
    """
    acting = acting_seat(table, held) if len(held) > 1 else None
    if acting is None or acting == unveiled:
        return None
    return acting if table.has_secrets(acting, held) else None


def still_unveiled(table: AnyTable, watcher: Watcher) -> Seat | None:
    """A curtain lifted for somebody falls again when there is nothing of theirs to hide."""
    seat = watcher.unveiled
    if seat is None or seat != acting_seat(table, watcher.held):
        return None
    return seat if table.has_secrets(seat, watcher.held) else None


def viewer_of(table: AnyTable, held: Sequence[Seat], unveiled: Seat | None = None) -> Viewer:
    """Through whose eyes: on a shared device those of the seat that acts, and of no other."""
    if len(held) == 1:
        return held[0]
    if curtained(table, held, unveiled):
        return SPECTATOR
    return acting_seat(table, held) or SPECTATOR


def speech_at(live: LiveTable, language: str) -> Speech:
    return speech(language, live.game.name, live.game.seats)


def sight(live: LiveTable, watcher: Watcher, seen: int | None, before: Viewer | None = None) -> str:
    """All there is to see; after a first sight only what may have changed since row `seen`.

    `before` is through whose eyes that was, if through others.
    """
    key = (watcher, seen, before)
    if key not in live.sights:
        live.sights[key] = wire.write(_sight(live, watcher, seen, before))
    return live.sights[key]


def _sight(
    live: LiveTable, watcher: Watcher, seen: int | None, before: Viewer | None
) -> wire.Sight:
    table, say = live.table, speech_at(live, watcher.language)
    hidden = curtained(table, watcher.held, watcher.unveiled)
    viewer = viewer_of(table, watcher.held, watcher.unveiled)
    acting = None if hidden else acting_seat(table, watcher.held)
    near = watcher.held[0] if len(watcher.held) == 1 else ""
    look = Look(say=say, tall=watcher.tall, labels=not watcher.tall, near=near)
    drawing = table.game.draw(table.view(viewer), look)
    moving = {name: made for name, made in drawing.layers.items() if name not in drawing.still}
    unseen = live.changes_since(seen)
    log_from = min((change.kept for change in unseen), default=len(table.played))
    if seen is None or live.seq - seen != len(unseen):
        log_from = 0
    elif before and before != viewer:
        log_from = min(log_from, _told_alike(table, before, viewer))
    offers = _offers(table, watcher.held, acting, say)
    title, hint = prompt(live, watcher, acting, say)
    return wire.Sight(
        seq=live.seq,
        svg=svg(drawing) if seen is None else None,
        layers={} if seen is None else moving,
        seats=_seats(live, watcher, say),
        acting=acting,
        title=title,
        hint=hint,
        offers=offers,
        only=_only(table, acting),
        buttons=_buttons(table.game.name, offers, say),
        told=[_event(e, say, change.loud) for change in unseen for e in change.told[viewer]],
        last=_last(table, viewer),
        log=_log(table, viewer, log_from, say),
        log_from=log_from,
        undo=None if hidden else _undo(table, watcher.held, acting, say),
        menu=_menu(table, acting or (viewer if viewer in watcher.held else None), say)
        + (_rulings(table, say) if watcher.hosts else []),
        outcome=_ending(table, say),
        status=[say(each) for each in table.game.status(table.view(viewer))],
        curtain=_curtain(table, hidden, say) if hidden else None,
    )


def refusal(live: LiveTable, watcher: Watcher, key: str, refused: Message) -> wire.NotDone:
    """A refusal with all that helps to understand it."""
    say, game = speech_at(live, watcher.language), live.game.name
    return wire.NotDone(
        key=key,
        why=say(refused),
        rule=refused.paragraph,
        rule_url=f"/rules/{game}#{refused.paragraph}" if refused.paragraph else "",
        at=str(refused.value("at") or ""),
        because=str(refused.value("because") or ""),
        picture=_picture(live, watcher, refused, say),
        picture_title=_picture_title(refused, say),
    )


def _picture(live: LiveTable, watcher: Watcher, refused: Message, say: Speech) -> str | None:
    """The position a refusal speaks of, small, with ids of its own."""
    position = refused.value("position")
    if not isinstance(position, str):
        return None
    try:
        state = live.game.read_state(position)
    except Refused:
        return None
    view = live.game.view(state, viewer_of(live.table, watcher.held, watcher.unveiled), ())
    look = Look(say=say, labels=False, prefix=f"p{secrets.token_hex(4)}-")
    return svg(live.game.draw(view, look))


def _picture_title(refused: Message, say: Speech) -> str:
    if refused.value("position") is None:
        return ""
    ids = f"{refused.id}-picture", "page.earlier-position"
    return say.first(*ids, **dict(refused.values))


def _may_act(table: AnyTable, seat: Seat) -> bool:
    return bool(table.actions(seat) or table.game.anytime_actions(table.state, seat))


def prompt(live: LiveTable, watcher: Watcher, acting: Seat | None, say: Speech) -> tuple[str, str]:
    """What the page says while nothing is chosen."""
    table, held = live.table, watcher.held
    if ending := _ending(table, say):
        return ending.title, ending.why
    to_act = table.game.to_act(table.state)
    viewer = viewer_of(table, held, watcher.unveiled)
    hint = say(table.game.hint(table.view(viewer), viewer)) if held else say.t("page.watching")
    if acting in to_act or (acting and table.actions(acting)):
        mine = len(held) == 1
        return say.t("page.your-turn") if mine else say.t("page.turn-of", seat=acting or ""), hint
    names = [seat for seat in table.game.seats if seat in to_act]
    if not names:
        return (say.t("page.chance") if CHANCE in to_act else ""), hint
    thinking = "page.thinking" if names[0] in live.bots else "page.turn-of"
    return say.t(thinking, seat=names[0]), hint


def _seats(live: LiveTable, watcher: Watcher, say: Speech) -> list[wire.SeatSeen]:
    game, to_act = live.game, live.game.to_act(live.table.state)
    shared = len(watcher.held) > 1
    seen = []
    for seat in game.seats:
        mine, bot = seat in watcher.held, live.bots.get(seat, "")
        kind = say.first(f"{game.name}.note-{seat}")
        who = say.t(f"page.bot-{bot}") if bot else say.t("page.you") if mine and not shared else ""
        notes = [kind if kind.lower() != say.names[seat].lower() else "", who]
        seen.append(
            wire.SeatSeen(
                seat=seat,
                name=say.names[seat],
                note=", ".join(note for note in notes if note),
                glyph=game.glyph(seat),
                bot=bot,
                mine=mine,
                to_act=seat in to_act,
            )
        )
    return seen


def _offers(
    table: AnyTable, held: Sequence[Seat], acting: Seat | None, say: Speech
) -> list[wire.OfferSeen]:
    """What the one who acts may do, and what others on the same device may say meanwhile.

    While somebody has secrets nobody else speaks on it: what they may say might tell of theirs.
    """
    if acting is None:
        return []
    found = [_offer(acting, offer, say(offer.label), say) for offer in table.offers(acting)]
    others = () if table.has_secrets(acting, held) else held
    for seat in others:
        if seat != acting:
            actions = table.game.anytime_actions(table.state, seat)
            for offer in table.game.offers(table.view(seat), actions) if actions else ():
                label = say.t("page.for-seat", seat=seat, label=say(offer.label))
                found.append(_offer(seat, offer, label, say))
    return found


def _only(table: AnyTable, acting: Seat | None) -> list[str]:
    """The turn action of whoever acts, where there is but one."""
    if acting is None or CHANCE in table.game.to_act(table.state):
        return []
    actions = table.game.turn_actions(table.state, acting)
    return [table.game.write_action(action) for action in actions] if len(actions) == 1 else []


def _offer(seat: Seat, offer: Offer, label: str, say: Speech) -> wire.OfferSeen:
    return wire.OfferSeen(
        seat=seat,
        texts=offer.texts,
        path=offer.path,
        kind=offer.kind,
        label=label,
        rule=offer.rule,
        says=[say(each) for each in offer.says],
        marks=[wire.MarkSeen(m.kind, m.places, m.text, m.after) for m in offer.marks],
        ask=offer.ask,
    )


def _buttons(game: str, offers: Iterable[wire.OfferSeen], say: Speech) -> dict[str, str]:
    """What is written on the buttons that these offers are touched by."""
    named: dict[str, str] = {}
    for offer in offers:
        for place in offer.path:
            if place.startswith(BUTTON) and place not in named:
                named[place] = say.first(f"{game}.{place}") or offer.label
    return named


def _curtain(table: AnyTable, seat: Seat, say: Speech) -> wire.Curtain:
    title, text, button = (
        say.t(f"page.curtain-{part}", seat=seat) for part in ("title", "text", "button")
    )
    return wire.Curtain(seat, title, text, button, table.game.glyph(seat))


def _event(event: Event, say: Speech, loud: bool) -> wire.EventSeen:
    return wire.EventSeen(say(event.message), event.message.paragraph, _motions(event), loud)


def _motions(event: Event) -> list[wire.MotionSeen]:
    return [wire.MotionSeen(m.origin, m.target, m.via) for m in event.motions]


def _last(table: AnyTable, viewer: Viewer) -> list[wire.MotionSeen]:
    """What moved in the latest action."""
    latest = table.played[-1].step.events if table.played else ()
    return [motion for event in tell(latest, viewer) for motion in _motions(event)]


def _log(table: AnyTable, viewer: Viewer, log_from: int, say: Speech) -> list[wire.Entry]:
    """The lines from there on. What others committed and have not shown has no code.

    Once it is open, what only they heard may be read by all.
    """
    entries, is_open = [], False
    for index in range(len(table.played) - 1, log_from - 1, -1):
        played = table.played[index]
        is_open = is_open or played.step.reveals
        hidden = not is_open and played.actor != viewer and table.was_secret(played)
        witnessed = tell(played.step.events, viewer)
        if is_open and not witnessed:
            witnessed = tell(played.step.events, played.actor)
        told = _sentence(witnessed, say)
        code = "" if hidden else table.game.write_action(played.step.action)
        entries.append(wire.Entry(index + 1, played.actor, told, code))
    return entries[::-1]


def _told_alike(table: AnyTable, one: Viewer, other: Viewer) -> int:
    """How many lines of the log are the same for both from the first on."""
    played, latest = table.played, len(table.played)
    while latest and not played[latest - 1].step.reveals:
        latest -= 1
    for index, each in enumerate(played):
        hidden = index >= latest and each.actor in (one, other) and table.was_secret(each)
        if hidden or tell(each.step.events, one) != tell(each.step.events, other):
            return index
    return len(played)


def _sentence(events: Iterable[Event], say: Speech) -> str:
    return "; ".join(say(event.message) for event in events)


def _undo(
    table: AnyTable, held: Sequence[Seat], acting: Seat | None, say: Speech
) -> wire.Undo | None:
    """Back to before the latest action of one's own, where that is possible at all.

    Who has something to commit takes back that, and nothing of the others on the same device.
    """
    seats = (acting,) if acting and table.is_committing(acting) else held
    kept = [keep for seat in seats if (keep := table.keeps_when_taken_back(seat)) is not None]
    return wire.Undo(f"{BACK}{max(kept)}", say.t("page.take-back")) if kept else None


def _menu(table: AnyTable, seat: Seat | None, say: Speech) -> list[wire.MenuItem]:
    """What a seat may do by its role, each with a question to be sure."""
    if seat is None:
        return []
    return _items(table, table.game.role_actions(table.state, seat), say)


def _rulings(table: AnyTable, say: Speech) -> list[wire.MenuItem]:
    """What a referee may do at any time."""
    return _items(table, table.game.anytime_actions(table.state, REFEREE), say)


def _items(table: AnyTable, actions: Iterable[Any], say: Speech) -> list[wire.MenuItem]:
    items = []
    for action in actions:
        text = table.game.write_action(action)
        word = text.split()[0]
        ids = f"{table.game.name}.menu-{word}", f"page.menu-{word}"
        label = say.first(*ids) or text
        sure = say.first(*(f"{id}-sure" for id in ids)) or label
        items.append(wire.MenuItem(text, label, sure))
    return items


def _ending(table: AnyTable, say: Speech) -> wire.Ending | None:
    outcome = table.outcome
    if outcome is None:
        return None
    best = max(outcome.payoffs)
    winners = [
        seat
        for seat, payoff in zip(table.game.seats, outcome.payoffs, strict=True)
        if payoff == best > min(outcome.payoffs)
    ]
    names = ", ".join(say.names[seat] for seat in winners)
    title = say.t("page.wins", seat=names) if winners else say.t("page.no-winner")
    return wire.Ending(title, say(outcome.why), outcome.why.paragraph, winners)
