"""The people of a table, as one viewer is told of them, and what they may do around the match."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

import msgspec

from kibitz.core.game import REFEREE, TABLE, Seat
from kibitz.core.message import Message, message
from kibitz.server.http.url_prefix import at
from kibitz.server.phrases import Speech
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import AnyTable, LiveTable
from kibitz.server.tables.viewers import Watcher, items, speech_at, spoken_for
from kibitz.table import sealed_dice
from kibitz.table.commands import ADJOURN, CONTINUE, KEEP, REMATCH, word_of
from kibitz.table.companion import LEDGER, Book
from kibitz.table.seating import BOOKKEEPER, REFEREE_ROLE, ROLES, Member
from kibitz.table.table import ASK, BACK, KEEPER, Asked, Note

NOTES = 60
"""So many of the latest are shown."""
AGREED = ("draw", "break", "resume")
"""What sides may agree on in a game, as far as there is a sentence for asking for it."""


def people(live: LiveTable, watcher: Watcher) -> str:
    """Who is there, encoded once for all who are told the same."""
    if watcher not in live.company:
        say = speech_at(live, watcher.language)
        made = protocol.Company(seats(live, watcher, say), table(live, watcher, say))
        live.company[watcher] = protocol.write(made)
    return live.company[watcher]


def clock(live: LiveTable) -> str | None:
    """What is left to everybody at this moment; None where nothing has to be hurried."""
    around, courtesy, answer = live.table, live.courtesy_left(), live.answer_in()
    if around.clock is None and not courtesy and answer is None:
        return None
    left = {seat: round(live.clock_left(seat), 3) for seat in live.game.seats if around.clock}
    per_turn = around.clock is not None and around.clock.control.is_per_turn
    running = sorted(around.running) if around.clock else []
    return protocol.write(protocol.ClockSeen(left, running, per_turn, answer, courtesy))


def seats(live: LiveTable, watcher: Watcher, say: Speech) -> list[protocol.SeatSeen]:
    """The seats in this position; how their people look does not change with it."""
    to_act, away, faces = live.game.to_act(live.table.state), _away(live), []
    for seat in live.game.seats:
        key = watcher.held, say, seat, seat in to_act, seat in away
        if key not in live.faces:
            live.faces[key] = protocol.encoded(_face(live, *key))
        faces.append(live.faces[key])
    return faces


def _face(
    live: LiveTable, held: tuple[Seat, ...], say: Speech, seat: Seat, to_act: bool, away: bool
) -> protocol.SeatSeen:
    everybody, shared = live.people, len(held) > 1
    mine, bot = seat in held, everybody.bots.get(seat, "")
    members = everybody.members[seat]
    return protocol.SeatSeen(
        seat=seat,
        name=str(say.plain[seat]),
        note=_note(live, seat, bot, mine and not shared, say),
        glyph=live.game.glyph(seat),
        bot=bot,
        mine=mine,
        to_act=to_act,
        members=[live.names.get(each, "") for each in members],
        accounts=[each in live.accounts for each in members],
        here=bool(bot) or any(map(live.is_here, members)),
        free=seat in everybody.free,
        kept=seat in everybody.kept,
        may_be_kept=away,
    )


def _note(live: LiveTable, seat: Seat, bot: str, mine: bool, say: Speech) -> str:
    """What kind of side it is, and what is to be said of who plays it beside their names."""
    kind = say.first(f"{live.game.name}.note-{seat}")
    if bot:
        who = say.first(f"page.bot-{bot}") or bot
    elif seat in live.people.free:
        who = say.t("page.free")
    else:
        who = say.t("page.you") if mine else ""
    notes = [kind if kind.lower() != say.plain[seat].lower() else "", who]
    return ", ".join(note for note in notes if note)


def _away(live: LiveTable) -> tuple[Seat, ...]:
    """The seats for which a bot may be asked."""
    away = [seat for seat in live.game.seats if live.may_be_kept(seat)]
    if not away or live.table.is_over:
        return ()
    return tuple(seat for seat in away if seat in live.people.playing)


def table(live: LiveTable, watcher: Watcher, say: Speech) -> Any:
    """Encoded once for as long as nothing around the match changes: few actions do that."""
    if watcher.rules:
        return _table(live, watcher, say)
    key = watcher, say, *_circumstances(live)
    made = live.surroundings.get(key)
    if made is None:
        live.surroundings[key] = made = protocol.encoded(_table(live, watcher, say))
    return made


def _circumstances(live: LiveTable) -> tuple[Hashable, ...]:
    """What decides how the table looks, beside who looks and those at it (live.py).

    Notes are only ever added.
    """
    around = live.table
    return (
        *(around.adjourned, around.aborted, around.asked, around.rematch, around.book),
        *(len(around.notes), _present(live) if around.book else 0),
        *(around.is_over, around.has_begun, _together(around), _away(live), _watching(live)),
    )


def _watching(live: LiveTable) -> int:
    return len(live.present - live.people.everybody)


def _present(live: LiveTable) -> int:
    return len(live.present)


def _together(around: AnyTable) -> tuple[Any, ...]:
    """What all seats may do if they agree."""
    game, state = around.game, around.state
    return *game.role_actions(state, TABLE), *game.anytime_actions(state, TABLE)


def _table(live: LiveTable, watcher: Watcher, say: Speech) -> protocol.TableSeen:
    around, everybody = live.table, live.people
    seed = live.stored.seed
    return protocol.TableSeen(
        waiting=not everybody.is_gathered,
        adjourned=around.adjourned,
        aborted=around.aborted,
        hosts=watcher.hosts,
        referee=_called(live, everybody.roles.get(REFEREE_ROLE)),
        bookkeeper=_called(live, everybody.roles.get(BOOKKEEPER)),
        watching=_watching(live),
        asked=_asked(live, watcher, say) if around.asked else None,
        menu=_menu(live, watcher, say),
        envelope=sealed_dice.commitment(seed) if seed else "",
        next=at(f"/t/{around.rematch}") if around.rematch and _may_follow(live, watcher) else "",
        notes=[
            protocol.NoteSeen(note.after, _in_passing(live, note, say))
            for note in around.notes[-NOTES:]
        ],
        book=_book(live, watcher, around.book) if around.book else None,
    )


def _in_passing(live: LiveTable, note: Note, say: Speech) -> str:
    """With the name of whoever came or went, where they said it."""
    said, name = note.message, live.names.get(note.member, "")
    if not name or said.id not in ("table.sat", "table.stood"):
        return say(said)
    return say(message(f"{said.id}-by", name=name, **dict(said.values)))


def _book(live: LiveTable, watcher: Watcher, book: Book) -> protocol.BookSeen:
    teams = {seat: protocol.TeamSeen(team.name, team.players) for seat, team in book.teams}
    return protocol.BookSeen(
        depth=book.depth,
        entry=book.entry,
        teams=teams,
        rules=watcher.keeps,
        referees=watcher.rules or (watcher.keeps and book.depth == LEDGER),
        seats=spoken_for(live, watcher),
        phones=_present(live),
    )


def _may_follow(live: LiveTable, watcher: Watcher) -> bool:
    """The next table is open to the same people as this one."""
    return live.stored.open or bool(watcher.held or watcher.kept)


def resting(live: LiveTable, watcher: Watcher) -> tuple[Message, Message] | None:
    """What there is to say while nobody can act."""
    if live.table.adjourned:
        return message("table.adjourned"), message("page.adjourned")
    if free := live.people.free:
        hint = "page.send-link" if watcher.hosts else "page.gathering"
        return message("table.waiting", seat=free[0]), message(hint)
    return None


def _called(live: LiveTable, member: Member | None) -> str | None:
    return live.names.get(member, "") if member else None


def _asked(live: LiveTable, watcher: Watcher, say: Speech) -> protocol.AskedSeen | None:
    asked = live.table.asked
    if asked is None:
        return None
    missing = live.table.deciding - asked.agreed
    yours = bool(missing & set(watcher.held))
    return protocol.AskedSeen(say(asking(live, asked)), asked.text, yours)


def asking(live: LiveTable, asked: Asked) -> Message:
    """What is asked, as a sentence."""
    word, *rest = asked.text.split(" ")
    if word in ROLES:
        return message(f"table.asks-{word}")
    if asked.text.startswith(BACK):
        return message("table.asks-back", seat=asked.seat)
    if word == KEEP:
        other = message("table.seat", seat=rest[0])
        return message("table.asks-keep", seat=asked.seat, other=other)
    if word in (ADJOURN, CONTINUE, REMATCH, *AGREED):
        return message(f"table.asks-{word}", seat=asked.seat)
    return message("table.asks", seat=asked.seat, text=asked.text)


def _menu(live: LiveTable, watcher: Watcher, say: Speech) -> list[protocol.MenuItem]:
    """What this viewer may do around the match."""
    found = _sitting(live, watcher, say)
    if watcher.held:
        found += _of_seats(live, say)
    if watcher.hosts and not live.table.has_begun and not live.table.is_over:
        found += _of_host(live, say)
    if watcher.rules:
        rulings = _rulings(live, watcher, say)
        known = {ASK + ruling.text for ruling in rulings}
        found = [item for item in found if item.text not in known] + rulings
    people, over = live.people, live.table.is_over
    if watcher.place in ROLES and not over and not people.roles.get(watcher.place):
        found.append(_item(ASK + watcher.place, watcher.place, say))
    return found


def _sitting(live: LiveTable, watcher: Watcher, say: Speech) -> list[protocol.MenuItem]:
    """The seats to come back to, or that are open to all who have none."""
    if live.table.is_over:
        return []
    found = [_item(f"sit {seat}", "come-back", say, seat=seat) for seat in watcher.kept]
    if live.stored.open and not (watcher.held or watcher.kept or watcher.place):
        found += [_item(f"sit {seat}", "sit", say, seat=seat) for seat in live.people.free]
    return found


def _of_seats(live: LiveTable, say: Speech) -> list[protocol.MenuItem]:
    around, found = live.table, []
    if around.asked:
        return []
    if around.is_over:
        return [_item(ASK + REMATCH, REMATCH, say)] if around.rematch is None else []
    if live.people.is_gathered:
        word = CONTINUE if around.adjourned else ADJOURN
        found.append(_item(ASK + word, word, say))
    if live.people.is_gathered and not around.adjourned:
        for item in items(around, _together(around), say):
            word = word_of(item.text)
            own = f"{around.game.name}.menu-ask-{word}"
            found.append(_item(ASK + item.text, f"ask-{word}", say, own))
    for seat in _away(live):
        found.append(_item(f"{ASK}{KEEP} {seat} {KEEPER}", KEEP, say, seat=seat))
    if not around.has_begun:
        found.append(_item("abort", "abort", say))
    return found


def _of_host(live: LiveTable, say: Speech) -> list[protocol.MenuItem]:
    people = live.people
    bots = [_item(f"bot {seat} {KEEPER}", "bot", say, seat=seat) for seat in people.free]
    alone = [seat for seat in people.bots if seat not in people.kept]
    return bots + [_item(f"open {seat}", "open", say, seat=seat) for seat in alone]


def _rulings(live: LiveTable, watcher: Watcher, say: Speech) -> list[protocol.MenuItem]:
    """What a referee may do at any time; over others, with a reason."""
    around = live.table
    game, state = around.game, around.state
    actions = (*game.role_actions(state, REFEREE), *game.anytime_actions(state, REFEREE))
    found = items(around, actions, say)
    if live.people.is_gathered and not around.is_over and live.people.roles.get(REFEREE_ROLE):
        word = CONTINUE if around.adjourned else ADJOURN
        found.append(_item(word, word, say))
    others = set(watcher.held) != set(live.people.playing)
    return [msgspec.structs.replace(item, reason=others) for item in found]


@lru_cache(maxsize=1 << 10)
def _item(text: str, word: str, say: Speech, own: str = "", seat: Seat = "") -> protocol.MenuItem:
    ids = [id for id in (own, f"page.menu-{word}") if id]
    values = {"seat": seat} if seat else {}
    label = say.first(*ids, **values) or text
    sure = say.first(*(f"{id}-sure" for id in ids), **values) or label
    return protocol.MenuItem(text, label, sure)
