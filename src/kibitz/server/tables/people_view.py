"""The people of a table, as one viewer is told of them, and what they may do around the match."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

import msgspec

from kibitz.core.game import REFEREE, TABLE, Seat
from kibitz.core.message import Message, message
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.phrases import Phrases
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.viewers import ViewerSettings, controlled_seats, menu_items, phrases_at
from kibitz.table import sealed_dice
from kibitz.table.commands import ADJOURN, CONTINUE, REMATCH, STAND_IN, command_word
from kibitz.table.companion import LEDGER, Book
from kibitz.table.seating import BOOKKEEPER, REFEREE_ROLE, ROLES, Member
from kibitz.table.table import ASK, BACK, STAND_IN_BOT, AnyTable, Note, PendingRequest

MAX_NOTES = 60
"""So many of the latest are shown."""
AGREEMENTS = ("draw", "break", "resume")
"""What sides may agree on in a game, as far as there is a sentence for asking for it."""


def render_people(live: LiveTable, watcher: ViewerSettings) -> str:
    """Who is there, encoded once for all who are told the same."""
    if watcher not in live.caches.people:
        say = phrases_at(live, watcher.language)
        made = protocol.Company(seat_views(live, watcher, say), table_info(live, watcher, say))
        live.caches.people[watcher] = protocol.write_message(made)
    return live.caches.people[watcher]


def render_clock(live: LiveTable) -> str | None:
    """What is left to everybody at this moment; None where nothing has to be hurried."""
    around, courtesy, answer = (
        live.table,
        live.timer.die_delay_left(),
        live.timer.seconds_to_answer(),
    )
    if around.clock is None and not courtesy and answer is None:
        return None
    left = {seat: round(live.timer.clock_left(seat), 3) for seat in live.game.seats if around.clock}
    per_turn = around.clock is not None and around.clock.control.is_per_turn
    running = sorted(around.seats_on_clock) if around.clock else []
    return protocol.write_message(protocol.ClockSeen(left, running, per_turn, answer, courtesy))


def seat_views(live: LiveTable, watcher: ViewerSettings, say: Phrases) -> list[protocol.SeatSeen]:
    """The seats in this position; how their people look does not change with it."""
    to_act, away, faces = live.game.rules.to_act(live.table.state), _absent_seats(live), []
    for seat in live.game.seats:
        key = watcher.seats, say, seat, seat in to_act, seat in away
        if key not in live.caches.seats:
            live.caches.seats[key] = protocol.encode_part(_seat_view(live, *key))
        faces.append(live.caches.seats[key])
    return faces


def _seat_view(
    live: LiveTable, held: tuple[Seat, ...], say: Phrases, seat: Seat, to_act: bool, away: bool
) -> protocol.SeatSeen:
    everybody, shared = live.people, len(held) > 1
    mine, bot = seat in held, everybody.bots.get(seat, "")
    members = everybody.members[seat]
    return protocol.SeatSeen(
        seat=seat,
        name=str(say.plain_names[seat]),
        note=_seat_note(live, seat, bot, mine and not shared, say),
        glyph=live.game.ui.glyph(seat),
        bot=bot,
        mine=mine,
        to_act=to_act,
        members=[live.names.get(each, "") for each in members],
        accounts=[each in live.accounts for each in members],
        here=bool(bot) or any(map(live.presence.is_present, members)),
        free=seat in everybody.free_seats,
        kept=seat in everybody.stand_ins,
        may_be_kept=away,
    )


def _seat_note(live: LiveTable, seat: Seat, bot: str, mine: bool, say: Phrases) -> str:
    """What kind of side it is, and what is to be said of who plays it beside their names."""
    kind = say.first(f"{live.game.name}.note-{seat}")
    if bot:
        who = say.first(f"page.bot-{bot}") or bot
    elif seat in live.people.free_seats:
        who = say.t("page.free")
    else:
        who = say.t("page.you") if mine else ""
    notes = [kind if kind.lower() != say.plain_names[seat].lower() else "", who]
    return ", ".join(note for note in notes if note)


def _absent_seats(live: LiveTable) -> tuple[Seat, ...]:
    """The seats for which a bot may be asked."""
    away = [seat for seat in live.game.seats if live.may_have_stand_in(seat)]
    if not away or live.table.is_over:
        return ()
    return tuple(seat for seat in away if seat in live.people.playing_seats)


def table_info(live: LiveTable, watcher: ViewerSettings, say: Phrases) -> Any:
    """Encoded once for as long as nothing around the match changes: few actions do that."""
    if watcher.is_referee:
        return _build_table_info(live, watcher, say)
    key = watcher, say, *_table_info_key(live)
    made = live.caches.table_info.get(key)
    if made is None:
        live.caches.table_info[key] = made = protocol.encode_part(
            _build_table_info(live, watcher, say)
        )
    return made


def _table_info_key(live: LiveTable) -> tuple[Hashable, ...]:
    """What decides how the table looks, beside who looks and those at it (live.py).

    Notes are only ever added.
    """
    around = live.table
    return (
        *(
            around.is_adjourned,
            around.is_aborted,
            around.pending_request,
            around.rematch,
            around.book,
        ),
        *(len(around.notes), _present_count(live) if around.book else 0),
        *(
            around.is_over,
            around.has_begun,
            _joint_actions(around),
            _absent_seats(live),
            _spectator_count(live),
        ),
    )


def _spectator_count(live: LiveTable) -> int:
    return len(live.presence.members - live.people.all_members)


def _present_count(live: LiveTable) -> int:
    return len(live.presence.members)


def _joint_actions(around: AnyTable) -> tuple[Any, ...]:
    """What all seats may do if they agree."""
    game, state = around.game, around.state
    return *game.rules.role_actions(state, TABLE), *game.rules.anytime_actions(state, TABLE)


def _build_table_info(live: LiveTable, watcher: ViewerSettings, say: Phrases) -> protocol.TableSeen:
    around, everybody = live.table, live.people
    seed = live.stored.seed
    return protocol.TableSeen(
        waiting=not everybody.is_full,
        adjourned=around.is_adjourned,
        aborted=around.is_aborted,
        hosts=watcher.is_host,
        referee=_name_of(live, everybody.roles.get(REFEREE_ROLE)),
        bookkeeper=_name_of(live, everybody.roles.get(BOOKKEEPER)),
        watching=_spectator_count(live),
        asked=_pending_request(live, watcher, say) if around.pending_request else None,
        menu=_table_menu(live, watcher, say),
        envelope=sealed_dice.commitment(seed) if seed else "",
        next=prefixed_path(f"/t/{around.rematch}")
        if around.rematch and _may_follow(live, watcher)
        else "",
        notes=[
            protocol.NoteSeen(note.after, _note_text(live, note, say))
            for note in around.notes[-MAX_NOTES:]
        ],
        book=_book_info(live, watcher, around.book) if around.book else None,
    )


def _note_text(live: LiveTable, note: Note, say: Phrases) -> str:
    """With the name of whoever came or went, where they said it."""
    said, name = note.message, live.names.get(note.member, "")
    if not name or said.id not in ("table.sat", "table.stood"):
        return say(said)
    return say(message(f"{said.id}-by", name=name, **dict(said.values)))


def _book_info(live: LiveTable, watcher: ViewerSettings, book: Book) -> protocol.BookSeen:
    teams = {seat: protocol.TeamSeen(team.name, team.players) for seat, team in book.teams}
    return protocol.BookSeen(
        depth=book.depth,
        entry=book.entry,
        teams=teams,
        rules=watcher.is_bookkeeper,
        referees=watcher.is_referee or (watcher.is_bookkeeper and book.depth == LEDGER),
        seats=controlled_seats(live, watcher),
        phones=_present_count(live),
    )


def _may_follow(live: LiveTable, watcher: ViewerSettings) -> bool:
    """The next table is open to the same people as this one."""
    return live.stored.open or bool(watcher.seats or watcher.stand_in_seats)


def idle_prompt(live: LiveTable, watcher: ViewerSettings) -> tuple[Message, Message] | None:
    """What there is to say while nobody can act."""
    if live.table.is_adjourned:
        return message("table.adjourned"), message("page.adjourned")
    if free := live.people.free_seats:
        hint = "page.send-link" if watcher.is_host else "page.gathering"
        return message("table.waiting", seat=free[0]), message(hint)
    return None


def _name_of(live: LiveTable, member: Member | None) -> str | None:
    return live.names.get(member, "") if member else None


def _pending_request(
    live: LiveTable, watcher: ViewerSettings, say: Phrases
) -> protocol.AskedSeen | None:
    asked = live.table.pending_request
    if asked is None:
        return None
    missing = live.table.deciding_seats - asked.agreed_seats
    yours = bool(missing & set(watcher.seats))
    return protocol.AskedSeen(say(request_message(live, asked)), asked.text, yours)


def request_message(live: LiveTable, asked: PendingRequest) -> Message:
    """What is asked, as a sentence."""
    word, *rest = asked.text.split(" ")
    if word in ROLES:
        return message(f"table.asks-{word}")
    if asked.text.startswith(BACK):
        return message("table.asks-back", seat=asked.seat)
    if word == STAND_IN:
        other = message("table.seat", seat=rest[0])
        return message("table.asks-keep", seat=asked.seat, other=other)
    if word in (ADJOURN, CONTINUE, REMATCH, *AGREEMENTS):
        return message(f"table.asks-{word}", seat=asked.seat)
    return message("table.asks", seat=asked.seat, text=asked.text)


def _table_menu(live: LiveTable, watcher: ViewerSettings, say: Phrases) -> list[protocol.MenuItem]:
    """What this viewer may do around the match."""
    found = _sit_items(live, watcher, say)
    if watcher.seats:
        found += _player_items(live, say)
    if watcher.is_host and not live.table.has_begun and not live.table.is_over:
        found += _host_items(live, say)
    if watcher.is_referee:
        rulings = _referee_items(live, watcher, say)
        known = {ASK + ruling.text for ruling in rulings}
        found = [item for item in found if item.text not in known] + rulings
    people, over = live.people, live.table.is_over
    if watcher.place in ROLES and not over and not people.roles.get(watcher.place):
        found.append(_menu_item(ASK + watcher.place, watcher.place, say))
    return found


def _sit_items(live: LiveTable, watcher: ViewerSettings, say: Phrases) -> list[protocol.MenuItem]:
    """The seats to come back to, or that are open to all who have none."""
    if live.table.is_over:
        return []
    found = [
        _menu_item(f"sit {seat}", "come-back", say, seat=seat) for seat in watcher.stand_in_seats
    ]
    if live.stored.open and not (watcher.seats or watcher.stand_in_seats or watcher.place):
        found += [
            _menu_item(f"sit {seat}", "sit", say, seat=seat) for seat in live.people.free_seats
        ]
    return found


def _player_items(live: LiveTable, say: Phrases) -> list[protocol.MenuItem]:
    around, found = live.table, []
    if around.pending_request:
        return []
    if around.is_over:
        return [_menu_item(ASK + REMATCH, REMATCH, say)] if around.rematch is None else []
    if live.people.is_full:
        word = CONTINUE if around.is_adjourned else ADJOURN
        found.append(_menu_item(ASK + word, word, say))
    if live.people.is_full and not around.is_adjourned:
        for item in menu_items(around, _joint_actions(around), say):
            word = command_word(item.text)
            own = f"{around.game.name}.menu-ask-{word}"
            found.append(_menu_item(ASK + item.text, f"ask-{word}", say, own))
    for seat in _absent_seats(live):
        found.append(_menu_item(f"{ASK}{STAND_IN} {seat} {STAND_IN_BOT}", STAND_IN, say, seat=seat))
    if not around.has_begun:
        found.append(_menu_item("abort", "abort", say))
    return found


def _host_items(live: LiveTable, say: Phrases) -> list[protocol.MenuItem]:
    people = live.people
    bots = [
        _menu_item(f"bot {seat} {STAND_IN_BOT}", "bot", say, seat=seat)
        for seat in people.free_seats
    ]
    alone = [seat for seat in people.bots if seat not in people.stand_ins]
    return bots + [_menu_item(f"open {seat}", "open", say, seat=seat) for seat in alone]


def _referee_items(
    live: LiveTable, watcher: ViewerSettings, say: Phrases
) -> list[protocol.MenuItem]:
    """What a referee may do at any time; over others, with a reason."""
    around = live.table
    game, state = around.game, around.state
    actions = (
        *game.rules.role_actions(state, REFEREE),
        *game.rules.anytime_actions(state, REFEREE),
    )
    found = menu_items(around, actions, say)
    if live.people.is_full and not around.is_over and live.people.roles.get(REFEREE_ROLE):
        word = CONTINUE if around.is_adjourned else ADJOURN
        found.append(_menu_item(word, word, say))
    others = set(watcher.seats) != set(live.people.playing_seats)
    return [msgspec.structs.replace(item, reason=others) for item in found]


@lru_cache(maxsize=1 << 10)
def _menu_item(
    text: str, word: str, say: Phrases, own: str = "", seat: Seat = ""
) -> protocol.MenuItem:
    ids = [id for id in (own, f"page.menu-{word}") if id]
    values = {"seat": seat} if seat else {}
    label = say.first(*ids, **values) or text
    sure = say.first(*(f"{id}-sure" for id in ids), **values) or label
    return protocol.MenuItem(text, label, sure)
