"""Commands of people around a match: texts that a table knows beside those of its game.

    sit A 9f3c...     take a free seat, join those at it, or come back to one where a bot fills in;
                      the text after it goes into the dice (seal.py) and may be left out
    stand A           leave a seat; `stand referee` lays down a role
    unseat B          the host frees a seat before the first action
    unseat B 2        the host, or the first at a seat, sends the second one there away
    bot A greedy      the host puts a bot at a free seat, before the first action
    remove-bot A      and takes it away again
    host A            the host passes that on to whoever sat down last at a seat
    abort             before the first action, anybody at a seat
    rematch <table>   where it goes on, once all have asked for it
    entropy A #<SHA-256>, entropy A <text>
                      what a seat adds to the dice: chosen first, told later (sealed_dice.py)
    seal <SHA-256>    draws come from a new envelope from now on (sealed_dice.py)

around a real board, by those who keep the book (book.py):

    depth ledger      from now on without the board; `depth full` with it
    entry all         who enters what: `book`, `teams` or `all`
    team R {"name": "Foxes", "players": ["Aino", "Otso"]}
    size R 3          so many people play that team from now on

and, where the others must agree (`ask adjourn`):

    adjourn, continue       nobody acts and no time runs in between
    fill-in B greedy        a bot for somebody who is away; they come back by `sit B`
    referee, bookkeeper     asked by whoever offers to be one
    rematch                 when the match is over

A game may have joint actions of its own, as `draw`; `continue 2` is one, beside our `continue`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from msgspec.structs import replace

from kibitz.core.game import REFEREE, TABLE, Actor, Game, Seat
from kibitz.core.message import Message, Refused, message
from kibitz.table.companion import Book, Depth, Entry, read_team
from kibitz.table.sealed_dice import SEAL, Envelope
from kibitz.table.seating import BOOKKEEPER, ROLES, Member, People

if TYPE_CHECKING:
    from kibitz.table.table import Table

AnyTable: TypeAlias = "Table[Any, Any, Any]"
Result: TypeAlias = "tuple[Table[Any, Any, Any], Message | None]"
"""A table after a command, and what there is to say of it, if anything."""
HOST: Actor = "host"
GUEST: Actor = "guest"
"""Somebody who has no place at the table yet."""
ADJOURN, CONTINUE, FILL_IN, REMATCH = "adjourn", "continue", "fill-in", "rematch"
ENTROPY, HASH_MARK = "entropy", "#"
DEPTH, ENTRY, TEAM, SIZE = BOOK_COMMANDS = ("depth", "entry", "team", "size")


def command_word(text: str) -> str:
    return text.split(" ", 1)[0]


def refuse_if_not_ready(table: AnyTable, actor: Actor, action: Any) -> None:
    """The match waits until every seat is taken, and rests while it is adjourned.

    Nobody can be kept in it for ever: one may resign meanwhile, and a referee may rule.
    """
    if table.is_aborted:
        raise Refused(message("table.aborted"))
    may_end = actor == REFEREE or not table.is_adjourned
    if not may_end and action not in table.game.rules.role_actions(table.state, actor):
        raise Refused(message("table.adjourned"))
    if table.people and not table.people.is_full:
        raise Refused(message("table.waiting", seat=table.people.free_seats[0]))


def run(table: AnyTable, actor: Actor, text: str, member: Member) -> Result:
    """The table after this, and what there is to say of it; raises Refused."""
    word, *rest = text.split(" ")
    if table.is_aborted and word != REMATCH:
        raise Refused(message("table.aborted"))
    return COMMANDS[word](table, actor, rest, member)


def _sit(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    people, seat = _people(table), _seat(table, rest)
    comes_back = seat in people.fill_ins
    entropy = _entropy(rest[1:])
    after = people.sit(seat, member, "" if table.draws else entropy)
    said = message("table.came-back" if comes_back else "table.sat", seat=seat)
    return _with_people_at(table, seat, after), said


def _stand(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    people = _people(table)
    if len(rest) == 1 and rest[0] in ROLES:
        after = people.resign_role(rest[0], member)
        return replace(table, people=after), message(f"table.{rest[0]}-left")
    seat = _seat(table, rest)
    after = people.stand(seat, member)
    if table.has_begun and not after.members[seat] and not table.is_over:
        raise Refused(message("table.last-at-seat", seat=seat))
    if not after.members[seat]:
        latest = table.envelopes[-1].without_hash(seat)
        table = replace(table, envelopes=(*table.envelopes[:-1], latest))
    return _with_people_at(table, seat, after), message("table.stood", seat=seat)


def _unseat(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    people, seat = _people(table), _seat(table, rest)
    sitting, number = people.members[seat], "".join(rest[1:])
    if actor not in (HOST, seat) or (actor == seat and sitting[:1] != (member,)):
        raise Refused(message("table.host-only"))
    gone = sitting
    if len(rest) > 1:
        is_there = number.isascii() and number.isdecimal() and 1 <= int(number) <= len(sitting)
        gone = sitting[int(number) - 1 : int(number)] if is_there else ()
    if not gone or people.host in gone or (actor == seat and member in gone):
        raise Refused(message("table.nobody-to-unseat", seat=seat))
    if table.is_over or (table.has_begun and len(gone) == len(sitting)):
        raise Refused(message("table.has-begun"))
    after = people.unseat(seat, gone)
    if not after.members[seat]:
        latest = table.envelopes[-1].without_hash(seat)
        table = replace(table, envelopes=(*table.envelopes[:-1], latest))
    said = "table.unseated" if len(gone) == len(sitting) else "table.unseated-one"
    return _with_people_at(table, seat, after), message(said, seat=seat)


def _with_people_at(table: AnyTable, seat: Seat, people: People) -> AnyTable:
    """The table after somebody sat down at a seat or left it. Before the first action its team
    is as large as they are many; rows of tables older than this are read as they were."""
    game = table.game
    if table.follows_people and not table.has_begun:
        before, after = len(_people(table).members[seat]), len(people.members[seat])
        game = game.policy.resized_game(seat, before, after) or game
    return replace(table, game=game, people=people)


def _put_bot(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    people, seat = _people(table), _seat(table, rest)
    _refuse_other_than_host(table, actor)
    if people.members[seat]:
        raise Refused(message("table.taken", seat=seat))
    after = people.put_bot(seat, _bot_name(rest), _entropy(rest[2:]))
    return replace(table, people=after), message("table.bot-sat", seat=seat)


def _remove_bot(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    people, seat = _people(table), _seat(table, rest)
    _refuse_other_than_host(table, actor)
    return replace(table, people=people.take_bot_away(seat)), message(
        "table.bot-removed", seat=seat
    )


def _pass_host_on(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    people, seat = _people(table), _seat(table, rest)
    if actor != HOST:
        raise Refused(message("table.host-only"))
    return replace(table, people=people.with_host_from(seat)), message("table.host", seat=seat)


def _abort(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    if rest or actor not in (*table.game.seats, HOST):
        raise Refused(message("table.seats-only"))
    if table.has_begun:
        raise Refused(message("table.has-begun"))
    return replace(table, is_aborted=True, pending_request=None), message("table.was-aborted")


def _link_rematch(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    if actor != TABLE or len(rest) != 1 or table.rematch != "":
        raise Refused(message("table.others-must-agree"))
    return replace(table, rematch=rest[0]), message("table.rematch")


def _seal(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    if actor != TABLE or len(rest) != 1:
        raise Refused(message("table.others-must-agree"))
    envelopes = (*table.envelopes, Envelope(rest[0], table.draws))
    return replace(table, envelopes=envelopes), message("table.sealed")


def _add_entropy(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    seat, envelope = _seat(table, rest), table.envelopes[-1]
    if actor != seat or len(rest) != 2:
        raise Refused(message("table.entropy"))
    if table.draws != envelope.from_draw:
        raise Refused(message("table.entropy-late"))
    if rest[1].startswith(HASH_MARK):
        added = envelope.with_hash(seat, rest[1].removeprefix(HASH_MARK))
    else:
        added = envelope.with_text(seat, _entropy(rest[1:]))
    return replace(table, envelopes=(*table.envelopes[:-1], added)), None


def _set_depth(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    book, depth = _book(table, actor), _one_of(get_args(Depth), rest)
    if book.depth == depth:
        raise Refused(message("table.no-change"))
    return replace(table, book=replace(book, depth=depth)), message(f"table.depth-{depth}")


def _set_entry(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    book, entry = _book(table, actor), _one_of(get_args(Entry), rest)
    if book.entry == entry:
        raise Refused(message("table.no-change"))
    return replace(table, book=replace(book, entry=entry)), message(f"table.entry-{entry}")


def _set_team(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    book, seat = _book(table, actor), _seat(table, rest)
    team = replace(read_team(" ".join(rest[1:])), wins=book.team(seat).wins)
    if book.team(seat) == team:
        raise Refused(message("table.no-change"))
    after = replace(table, book=book.with_team(seat, team))
    players = ", ".join(team.players)
    if team.name and players:
        return after, message("table.team", seat=seat, name=team.name, players=players)
    if team.name or players:
        return after, message("table.team-is", seat=seat, name=team.name or players)
    return after, message("table.team-unnamed", seat=seat)


def _set_size(table: AnyTable, actor: Actor, rest: list[str], member: Member) -> Result:
    """A sentence that was said must stay as right or wrong as it was: the record is replayed with
    the sizes that it ends with."""
    _book(table, actor)
    seat, number = _seat(table, rest), "".join(rest[1:])
    if len(rest) != 2 or not (number.isascii() and number.isdecimal() and len(number) < 4):
        raise Refused(message("table.unknown", text=" ".join(rest)[:60]))
    game = table.game.policy.sized_game(seat, int(number))
    if game is None or game.options == table.game.options:
        raise Refused(message("table.no-change"))
    if not _replays_alike(table, game):
        raise Refused(message("table.size-said", seat=seat))
    return replace(table, game=game), message("table.size", seat=seat, n=int(number))


def _replays_alike(table: AnyTable, game: Game[Any, Any, Any]) -> bool:
    """True if all that was played leads to the same under another set of options."""
    try:
        return all(
            game.rules.resolve(each.before, each.actor, each.step.action).state == each.step.state
            for each in table.history
        )
    except Refused:
        return False


COMMANDS: dict[str, Callable[[AnyTable, Actor, list[str], Member], Result]] = {
    "sit": _sit,
    "stand": _stand,
    "unseat": _unseat,
    "bot": _put_bot,
    "remove-bot": _remove_bot,
    "host": _pass_host_on,
    "abort": _abort,
    REMATCH: _link_rematch,
    SEAL: _seal,
    ENTROPY: _add_entropy,
    DEPTH: _set_depth,
    ENTRY: _set_entry,
    TEAM: _set_team,
    SIZE: _set_size,
}


# What the others must agree to


def is_askable(text: str) -> bool:
    return text == CONTINUE or command_word(text) in (ADJOURN, FILL_IN, REMATCH, *ROLES)


def refuse_asking(table: AnyTable, text: str, member: Member) -> None:
    """Why nobody can be asked for this now, as Refused."""
    people = _people(table)
    word, *rest = text.split(" ")
    if word == FILL_IN:
        seat = _seat(table, rest)
        _bot_name(rest)
        if seat not in people.playing_seats:
            raise Refused(message("table.nobody-to-fill-in-for", seat=seat))
    elif rest:
        raise Refused(message("table.unknown", text=text[:60]))
    elif word in ROLES:
        people.refuse_partial(member)
        if people.free_seats:
            raise Refused(message("table.waiting", seat=people.free_seats[0]))
        if people.roles.get(word):
            raise Refused(message("table.role-taken"))
    is_late = table.is_over != (word == REMATCH)
    if is_late or (word == REMATCH and table.rematch is not None):
        raise Refused(message("table.over" if table.is_over else "table.not-over"))
    if word in (ADJOURN, CONTINUE) and table.is_adjourned == (word == ADJOURN):
        raise Refused(message("table.adjourned" if table.is_adjourned else "table.not-adjourned"))


def deciders(table: AnyTable, text: str) -> frozenset[Actor]:
    """Those who have to agree: all seats that are taken, less one that is spoken of; and the
    referee or host, where the game needs everybody."""
    seats: frozenset[Actor] = frozenset(table.game.seats)
    if table.people is None:
        return seats
    if table.needs_everybody(text):
        seats |= {REFEREE}
    word, *rest = text.split(" ")
    about = {rest[0]} if word == FILL_IN and rest else set()
    return seats - frozenset(table.people.free_seats) - about


def grant_request(table: AnyTable, text: str, member: Member) -> Result:
    """The result of a request to which all have agreed."""
    people = _people(table)
    word, *rest = text.split(" ")
    if word in ROLES:
        return replace(table, people=people.appoint(word, member)), message(f"table.{word}")
    if word == FILL_IN:
        after = people.put_bot(rest[0], rest[1])
        return replace(table, people=after), message("table.bot-fills-in", seat=rest[0])
    if word == REMATCH:
        return replace(table, rematch=""), message("table.rematch-agreed")
    said = "table.was-adjourned" if word == ADJOURN else "table.continued"
    return replace(table, is_adjourned=word == ADJOURN), message(said)


def _people(table: AnyTable) -> People:
    if table.people is None:
        raise Refused(message("table.nobody"))
    return table.people


def _seat(table: AnyTable, rest: list[str]) -> Seat:
    if not rest or rest[0] not in table.game.seats:
        raise Refused(message("table.no-such-seat", seat=rest[0][:60] if rest else ""))
    return rest[0]


def _book(table: AnyTable, actor: Actor) -> Book:
    if table.book is None:
        raise Refused(message("table.no-book"))
    if actor not in (HOST, BOOKKEEPER, REFEREE):
        raise Refused(message("table.book-only"))
    return table.book


def _one_of(words: tuple[Any, ...], rest: list[str]) -> Any:
    if len(rest) != 1 or rest[0] not in words:
        raise Refused(message("table.unknown", text=" ".join(rest)[:60]))
    return rest[0]


def _bot_name(rest: list[str]) -> str:
    """That there is such a bot is the shell's to know."""
    if len(rest) < 2 or not rest[1].isidentifier():
        raise Refused(message("table.no-such-bot"))
    return rest[1]


def _entropy(rest: list[str]) -> str:
    """Letters, digits and hyphens, 64 at most: what goes into the dice is typed back by people."""
    text = "".join(rest[:1])
    if len(rest) > 1 or not (text.replace("-", "a").isalnum() or not text):
        raise Refused(message("table.entropy"))
    if not text.isascii() or len(text) > 64:
        raise Refused(message("table.entropy"))
    return text


def _refuse_other_than_host(table: AnyTable, actor: Actor) -> None:
    if actor != HOST:
        raise Refused(message("table.host-only"))
    if table.has_begun:
        raise Refused(message("table.has-begun"))
