"""The people of a table, as one viewer is told of them, and what they may do around the match."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

import msgspec

from kibitz.bots.registry import LEVELS, bots_for_game
from kibitz.core.game import REFEREE, Actor, Seat, visible_to
from kibitz.core.message import Message, Value, message
from kibitz.games import GAMES
from kibitz.i18n.grammar import join_team
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.phrases import Phrases, bot_name_id, event_text
from kibitz.server.tables import protocol
from kibitz.server.tables.live.dice import is_mixing, present_seed
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.records import may_go_on
from kibitz.server.tables.viewers import (
    YOU_ALONE,
    ViewerSettings,
    Viewpoint,
    controlled_seats,
    menu_items,
    seat_glyph,
    viewpoint_at,
)
from kibitz.table import sealed_dice
from kibitz.table.commands import ADJOURN, CONTINUE, FILL_IN, REMATCH
from kibitz.table.companion import LEDGER, Book
from kibitz.table.handover import viewer_of
from kibitz.table.requests import NAMED_AGREEMENTS, request_message
from kibitz.table.seating import BOOKKEEPER, REFEREE_ROLE, ROLES, Member
from kibitz.table.table import ASK, BACK, FILL_IN_BOT, AnyTable, Note, PendingRequest

SOLO_COMMANDS = ("resume", CONTINUE)
"""Commands that somebody who plays against bots finds in the menu; a host among people has more."""
MAX_NOTES = 60
"""So many of the latest are shown."""
NOTES_BY_NAME = ("table.sat", "table.stood", "table.moved")
"""Notes that have a sentence with the name of whoever came or went."""
NOTES_OF_SIDES = (
    *(*NOTES_BY_NAME, "table.bot-sat", "table.bot-removed"),
    *("table.unseated", "table.unseated-one"),
)
"""Notes that tell who plays which side."""
MAX_REQUEST_DETAILS = 6
"""So many of the moves that would be taken back are told."""


def render_people(live: LiveTable, settings: ViewerSettings) -> str:
    """The message about the people, encoded once for all who are told the same."""
    if settings not in live.caches.people:
        viewpoint = viewpoint_at(live, settings)
        made = protocol.PeopleView(
            seat_views(live, settings, viewpoint.say), table_info(live, viewpoint)
        )
        live.caches.people[settings] = protocol.write_message(made)
    return live.caches.people[settings]


def render_clock(live: LiveTable) -> str | None:
    """The message about the time left at this moment; None where nothing is hurried."""
    table, timer = live.table, live.timer
    die_delay, answer = timer.die_delay_left(), timer.seconds_to_answer()
    consent = timer.seconds_to_consent()
    if table.clock is None and not die_delay and answer is None and consent is None:
        return None
    left = {seat: round(timer.clock_left(seat), 3) for seat in live.game.seats if table.clock}
    is_per_turn = table.clock is not None and table.clock.control.is_per_turn
    running = sorted(table.seats_on_clock) if table.clock else []
    made = protocol.ClockView(left, running, is_per_turn, answer, consent, die_delay)
    return protocol.write_message(made)


def seat_views(live: LiveTable, settings: ViewerSettings, say: Phrases) -> list[protocol.SeatView]:
    """The seats in this position; how their people look does not change with it."""
    return _seat_views(live, settings, say, live.position.to_act)


def still_seat_views(live: LiveTable, viewpoint: Viewpoint) -> list[protocol.SeatView]:
    """The same but for whose turn it is: this does not change with every action."""
    away, found = _absent_seats(live), viewpoint.seats
    if found is None or found[0] != away:
        made = _seat_views(live, viewpoint.settings, viewpoint.say, frozenset())
        found = viewpoint.seats = away, made
    return found[1]


def _seat_views(
    live: LiveTable, settings: ViewerSettings, say: Phrases, to_act: frozenset[Actor]
) -> list[protocol.SeatView]:
    away, faces = _absent_seats(live), []
    for seat in live.game.seats:
        key = settings.seats, say, seat, seat in to_act, seat in away
        if key not in live.caches.seats:
            live.caches.seats[key] = protocol.encode_part(_seat_view(live, *key))
        faces.append(live.caches.seats[key])
    return faces


def _seat_view(
    live: LiveTable, held: tuple[Seat, ...], say: Phrases, seat: Seat, to_act: bool, away: bool
) -> protocol.SeatView:
    everybody, shared = live.people, len(held) > 1
    mine, bot = seat in held, everybody.bots.get(seat, "")
    members = everybody.members[seat]
    return protocol.SeatView(
        seat=seat,
        name=str(say.plain_names[seat]),
        player=_player_name(live, seat, mine and not shared, say),
        note=_seat_note(live, seat, bot, mine and not shared, say),
        glyph=seat_glyph(live, seat),
        bot=bot,
        is_mine=mine,
        is_to_act=to_act,
        members=[live.names.get(each, "") for each in members],
        has_account=[each in live.accounts for each in members],
        is_here=bool(bot) or any(map(live.presence.is_present, members)),
        is_free=seat in everybody.free_seats,
        bot_filling_in=seat in everybody.fill_ins,
        can_be_filled_in=away,
    )


def _player_name(live: LiveTable, seat: Seat, mine: bool, say: Phrases) -> str:
    """The people or the bot at a seat by name; you, where you never said yours."""
    members, bot = live.people.members[seat], live.people.bots.get(seat, "")
    if names := [name for each in members if (name := live.names.get(each))]:
        return join_team(names)
    if bot and not members:
        return say.first(bot_name_id(bot)) or bot
    return say.t(YOU_ALONE) if mine else ""


def _seat_note(live: LiveTable, seat: Seat, bot: str, mine: bool, say: Phrases) -> str:
    """The kind of side it is, and a word on who plays it beside their names."""
    letter = live.game.policy.seat_letter(live.table.state, seat)
    kind = say.first(f"{live.game.name}.note-{letter}")
    if bot:
        who = "" if say.first(bot_name_id(bot)) else say.first(f"page.bot-{bot}") or bot
    elif seat in live.people.free_seats:
        who = say.t("page.free")
    else:
        is_named = any(live.names.get(each) for each in live.people.members[seat])
        who = say.t("page.you") if mine and is_named else ""
    notes = [kind if kind.lower() != say.plain_names[seat].lower() else "", who]
    return ", ".join(note for note in notes if note)


def _absent_seats(live: LiveTable) -> tuple[Seat, ...]:
    """The seats for which a bot may be asked."""
    found = live.caches.absent_seats
    if found is None:
        away = [seat for seat in live.game.seats if live.can_be_filled_in(seat)]
        playing = live.people.playing_seats if away and not live.position.is_over else ()
        found = live.caches.absent_seats = tuple([seat for seat in away if seat in playing])
    return found


def table_info(live: LiveTable, viewpoint: Viewpoint) -> Any:
    """Encoded once for as long as nothing around the match changes: few actions do that."""
    around = live.caches.surroundings
    if around is None:
        around = live.caches.surroundings = _surroundings(live)
    key = (
        around,
        live.position.outcome is not None and may_go_on(live),
        _rulings(live.table) if viewpoint.settings.is_referee else (),
    )
    found = viewpoint.table_info
    if found is None or found[0] != key:
        made = protocol.encode_part(_build_table_info(live, viewpoint))
        found = viewpoint.table_info = key, made
    return found[1]


def _surroundings(live: LiveTable) -> tuple[Hashable, ...]:
    """All of a position that decides how the table looks, beside its viewer and its people.

    Notes are only ever added.
    """
    table, position = live.table, live.position
    return (
        *(position.is_over, table.is_adjourned, table.is_aborted, table.has_begun),
        *(table.pending_request, table.rematch, table.book, len(table.notes)),
        *(position.joint_actions, table.envelopes[-1], live.is_draw_due),
        table.draws == table.envelopes[-1].from_draw,
        len(live.presence.members) if table.book else 0,
        _spectator_count(live),
        _absent_seats(live),
    )


def _spectator_count(live: LiveTable) -> int:
    return len(live.presence.members - live.people.all_members)


def _joint_items(live: LiveTable, say: Phrases) -> list[protocol.MenuItemView]:
    """The requests that all may agree to."""
    table, joint = live.table, live.position.joint_actions
    return [_ask_item(table, item.text, say) for item in menu_items(table, joint, say)]


def _ask_item(table: AnyTable, text: str, say: Phrases) -> protocol.MenuItemView:
    word = text.replace(" ", "-")
    return _menu_item(ASK + text, f"ask-{word}", say, f"{table.game.name}.menu-ask-{word}")


def _build_table_info(live: LiveTable, viewpoint: Viewpoint) -> protocol.TableStatusView:
    settings, say, tell = viewpoint.settings, viewpoint.say, viewpoint.tell
    table, everybody = live.table, live.people
    seed = present_seed(live)
    return protocol.TableStatusView(
        is_waiting=not everybody.is_full,
        is_adjourned=table.is_adjourned,
        is_aborted=table.is_aborted,
        is_host=settings.is_host,
        referee=_name_of(live, everybody.roles.get(REFEREE_ROLE)),
        bookkeeper=_name_of(live, everybody.roles.get(BOOKKEEPER)),
        spectators=_spectator_count(live),
        request=_pending_request(live, settings, tell) if table.pending_request else None,
        menu=_table_menu(live, settings, say, tell),
        envelope=sealed_dice.commitment(seed) if seed else "",
        next=prefixed_path(url) if (url := rematch_url(live, settings)) else "",
        notes=[
            protocol.NoteView(note.after, _note_text(live, note, say, tell))
            for note in table.notes[-MAX_NOTES:]
        ],
        plays_forced_moves=table.game.policy.plays_forced_moves,
        book=_book_info(live, settings, table.book) if table.book else None,
        bots=_bot_choices(live, say) if is_solo(live, settings) else [],
        may_hint=is_coached(live, settings) and not table.is_over,
        is_seeking=is_seeking(live),
        rulings_url=_rulings_url(live, settings),
        mixing=_mixing(live, settings) if seed else None,
    )


def _mixing(live: LiveTable, settings: ViewerSettings) -> protocol.MixingView:
    """Texts are told once all who play have chosen theirs, or a draw waits for them."""
    envelope, mine = live.table.envelopes[-1], settings.seats if is_mixing(live) else ()
    chosen, told = dict(envelope.hashes), dict(envelope.texts)
    is_time = live.is_draw_due or {*live.people.playing_seats} <= chosen.keys()
    return protocol.MixingView(
        hashes=[seat for seat in mine if seat not in chosen and not told],
        texts=[
            seat
            for seat in mine
            if seat in chosen and seat not in told and is_time and live.people.is_full
        ],
        contributors=[seat for seat in live.game.seats if seat in told],
    )


def is_solo(live: LiveTable, settings: ViewerSettings) -> bool:
    """True for whoever plays against bots, with nobody else at the table."""
    people, seats = live.people, settings.seats
    alone = {member for seat in seats for member in people.members[seat]}
    return (
        bool(seats and people.bots.keys() - people.fill_ins)
        and len(alone) == 1
        and people.is_full
        and people.all_members == alone
    )


def is_coached(live: LiveTable, settings: ViewerSettings) -> bool:
    """True for whoever may have help: alone against bots, or with all seats on one device, and
    nothing counts."""
    people, seats = live.people, settings.seats
    holds_all = not people.bots and {*seats} == {*live.game.seats} and len(people.all_members) == 1
    is_alone = holds_all or is_solo(live, settings)
    return is_alone and not live.settings.rated and live.table.book is None


def is_seeking(live: LiveTable) -> bool:
    """True while an opponent is being looked for."""
    return bool(live.stored.seek_key) and not live.people.is_full and not live.table.is_over


def _bot_choices(live: LiveTable, say: Phrases) -> list[protocol.BotChoiceView]:
    seated = set(live.people.bots.values())
    known = [bot for bot in bots_for_game(live.game.name) if bot in LEVELS or bot in seated]
    return [
        protocol.BotChoiceView(bot, say.first(f"page.bot-{bot}") or bot, bot in seated)
        for bot in known
    ]


def _rulings_url(live: LiveTable, settings: ViewerSettings) -> str:
    """Only among people: whoever plays alone has nobody to rule over."""
    has_page = GAMES[live.game.name].companion is not None and live.table.book is None
    may_rule = settings.is_referee and not is_solo(live, settings) and live.people.is_full
    if not has_page or not may_rule or live.table.is_over:
        return ""
    return prefixed_path(f"/t/{live.id}/rulings")


def _note_text(live: LiveTable, note: Note, say: Phrases, tell: Phrases) -> str:
    """With the name of whoever it is about, where they said it."""
    said, name = note.message, live.names.get(note.member, "")
    if said.id in NOTES_OF_SIDES:
        is_named = name and said.id in NOTES_BY_NAME
        return say(
            message(f"{said.id}-by", **{**dict(said.values), "name": name}) if is_named else said
        )
    if said.value("seat") == REFEREE:
        sits = live.people.seats_of(note.member)
        who = sits[0] if len(sits) == 1 else name or REFEREE
        return tell(message(said.id, **{**dict(said.values), "seat": who}))
    return tell(said)


def _book_info(live: LiveTable, settings: ViewerSettings, book: Book) -> protocol.BookView:
    teams = {
        seat: protocol.TeamView(team.name, team.players, team.abstainers, team.wins)
        for seat, team in book.teams
    }
    return protocol.BookView(
        depth=book.depth,
        entry=book.entry,
        teams=teams,
        may_enter_all=settings.is_bookkeeper,
        may_rule=settings.is_referee or (settings.is_bookkeeper and book.depth == LEDGER),
        seats=controlled_seats(live, settings),
        phones=len(live.presence.members),
    )


def rematch_url(live: LiveTable, settings: ViewerSettings) -> str:
    """The next table, for those who may see it: it is open to the same people as this one."""
    may_see = live.stored.is_open or settings.seats or settings.fill_in_seats
    return f"/t/{live.table.rematch}" if live.table.rematch and may_see else ""


def idle_prompt(live: LiveTable, settings: ViewerSettings) -> tuple[Message, Message] | None:
    """A title and a hint while nobody can act; None where somebody can."""
    if live.table.is_adjourned:
        return message("table.adjourned"), message("page.adjourned")
    if is_seeking(live) and settings.seats:
        return message("page.seeking"), message("page.seeking-hint")
    if free := live.people.free_seats:
        hint = "page.send-link" if settings.is_host else "page.gathering"
        return message("table.waiting", seat=free[0]), message(hint)
    return None


def _name_of(live: LiveTable, member: Member | None) -> str | None:
    return live.names.get(member, "") if member else None


def _pending_request(
    live: LiveTable, settings: ViewerSettings, tell: Phrases
) -> protocol.RequestView | None:
    asked = live.table.pending_request
    if asked is None:
        return None
    missing = live.table.deciders - asked.agreed_actors
    mine = {*settings.seats, REFEREE} if settings.is_arbiter else {*settings.seats}
    names = [str(tell.names[seat]) for seat in live.game.seats if seat in missing]
    if REFEREE in missing:
        is_named = live.people.roles.get(REFEREE_ROLE)
        names.append(tell.t("table.the-referee" if is_named else "table.the-host"))
    return protocol.RequestView(
        title=tell(request_message(live.table, asked)),
        text=asked.text,
        is_yours=bool(missing & mine),
        missing=names,
        is_mine=settings.is_asking,
        details=_request_details(live, settings, asked, tell),
    )


def _request_details(
    live: LiveTable, settings: ViewerSettings, asked: PendingRequest, tell: Phrases
) -> list[str]:
    """The moves that would be taken back, in words."""
    if not asked.text.startswith(BACK):
        return []
    table, held = live.table, controlled_seats(live, settings)
    viewer = viewer_of(table, held, settings.unveiled_seat)
    gone = table.history[int(asked.text.removeprefix(BACK)) :]
    told = (event_text(visible_to(each.step.events, viewer), viewer, tell) for each in gone)
    return [text for text in told if text][-MAX_REQUEST_DETAILS:]


def _table_menu(
    live: LiveTable, settings: ViewerSettings, say: Phrases, tell: Phrases
) -> list[protocol.MenuItemView]:
    """The menu of what this viewer may do around the match."""
    found = _sit_items(live, settings, say)
    if settings.seats:
        found += _player_items(live, settings, say, tell)
    if settings.is_host and not live.table.has_begun and not live.table.is_over:
        found += _host_items(live, say)
    found += _partner_items(live, settings, say)
    if settings.is_referee:
        rulings = _referee_items(live, settings, tell)
        known = {ASK + ruling.text for ruling in rulings}
        found = [item for item in found if item.text not in known] + rulings
    people, over = live.people, live.table.is_over
    if is_solo(live, settings) and not over:
        found = [item for item in found if item.text.removeprefix(ASK) in SOLO_COMMANDS]
    if settings.place in ROLES and not over and not people.roles.get(settings.place):
        found.append(_menu_item(ASK + settings.place, settings.place, say))
    return found


def _sit_items(
    live: LiveTable, settings: ViewerSettings, say: Phrases
) -> list[protocol.MenuItemView]:
    """The seats to come back to, or that are open to all who have none."""
    if live.table.is_over:
        return []
    found = [
        _menu_item(f"sit {seat}", "come-back", say, seat=seat) for seat in settings.fill_in_seats
    ]
    if live.stored.is_open and not (settings.seats or settings.fill_in_seats or settings.place):
        found += [
            _menu_item(f"sit {seat}", "sit", say, seat=seat) for seat in live.people.free_seats
        ]
    return found


def _player_items(
    live: LiveTable, settings: ViewerSettings, say: Phrases, tell: Phrases
) -> list[protocol.MenuItemView]:
    table, found = live.table, []
    if table.pending_request:
        return []
    if table.is_over:
        found = [_menu_item(ASK + REMATCH, REMATCH, say)] if table.rematch is None else []
        return found + play_on_items(live, say)
    if live.people.is_full:
        word = CONTINUE if table.is_adjourned else ADJOURN
        found.append(_menu_item(ASK + word, word, say))
    if live.people.is_full and not table.is_adjourned:
        found += _joint_items(live, say)
    for seat in _absent_seats(live):
        found.append(_menu_item(f"{ASK}{FILL_IN} {seat} {FILL_IN_BOT}", FILL_IN, tell, seat=seat))
    if not table.has_begun:
        found.append(_menu_item("abort", "abort" if settings.is_host else "leave", say))
    return found


def play_on_items(live: LiveTable, say: Phrases) -> list[protocol.MenuItemView]:
    """The ways in which a finished match may go on, if all agree."""
    return _joint_items(live, say) if may_go_on(live) else []


def _host_items(live: LiveTable, say: Phrases) -> list[protocol.MenuItemView]:
    people = live.people
    if is_seeking(live):
        return []
    bots = [
        _menu_item(f"bot {seat} {FILL_IN_BOT}", "bot", say, seat=seat) for seat in people.free_seats
    ]
    alone = [seat for seat in people.bots if seat not in people.fill_ins]
    others = [seat for seat in people.playing_seats if people.host not in people.members[seat]]
    bots += [_menu_item(f"unseat {seat}", "unseat", say, seat=seat) for seat in others]
    return bots + [_menu_item(f"remove-bot {seat}", "remove-bot", say, seat=seat) for seat in alone]


def _partner_items(
    live: LiveTable, settings: ViewerSettings, say: Phrases
) -> list[protocol.MenuItemView]:
    """Those whom the host, or whoever sat down first at a seat, may send away from others there."""
    people, found = live.people, []
    if live.table.is_over:
        return []
    for seat in live.game.seats if settings.is_host else settings.led_seats:
        first = 1 if settings.is_host else 2
        for number, each in enumerate(people.members[seat][first - 1 :], first):
            if each != people.host and len(people.members[seat]) > 1:
                found.append(_unseat_item(seat, number, live.names.get(each, ""), say))
    return found


def _unseat_item(seat: Seat, number: int, name: str, say: Phrases) -> protocol.MenuItemView:
    id = "page.menu-unseat-named" if name else "page.menu-unseat-numbered"
    values: dict[str, Value] = {"seat": seat, "name": name, "number": number}
    label, sure = say.t(id, **values), say.t(f"{id}-sure", **values)
    return protocol.MenuItemView(f"unseat {seat} {number}", label, sure)


def _referee_items(
    live: LiveTable, settings: ViewerSettings, say: Phrases
) -> list[protocol.MenuItemView]:
    """The rulings of a referee, possible at any time; over others, with a reason.

    Whoever plays rules over the others: they themselves resign.
    """
    table = live.table
    game = table.game
    by_role, anytime = _rulings(table)
    found = menu_items(table, by_role, say)
    own = settings.seats if len(settings.seats) == 1 else ()
    found = [item for item in found if not set(item.text.split()[1:]) & set(own)]
    alone = [each for each in anytime if not game.policy.needs_everybody(each)]
    found += menu_items(table, alone, say)
    if live.people.is_full and not table.is_over and live.people.roles.get(REFEREE_ROLE):
        word = CONTINUE if table.is_adjourned else ADJOURN
        found.append(_menu_item(word, word, say))
    others = set(settings.seats) != set(live.people.playing_seats)
    rulings = [
        msgspec.structs.replace(item, needs_reason=others and item.text not in NAMED_AGREEMENTS)
        for item in found
    ]
    is_asking = not settings.seats and not table.pending_request and live.people.is_full
    together = [each for each in anytime if each not in alone] if is_asking else []
    return rulings + [_ask_item(table, item.text, say) for item in menu_items(table, together, say)]


def _rulings(table: AnyTable) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The rulings of a referee now: those by role, and those possible at any time."""
    rules, state = table.game.rules, table.state
    return rules.role_actions(state, REFEREE), rules.anytime_actions(state, REFEREE)


@lru_cache(maxsize=1 << 10)
def _menu_item(
    text: str, word: str, say: Phrases, own: str = "", seat: Seat = ""
) -> protocol.MenuItemView:
    ids = [id for id in (own, f"page.menu-{word}") if id]
    values = {"seat": seat} if seat else {}
    label = say.first(*ids, **values) or text
    sure = say.first(*(f"{id}-sure" for id in ids), **values) or label
    return protocol.MenuItemView(text, label, sure)
