"""Permissions at a table: from somebody and their words to the actor of a row."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from kibitz.core.game import REFEREE, Actor, Seat
from kibitz.core.message import Refused, message
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.commands import (
    ADJOURN,
    BOOK_COMMANDS,
    COMMANDS,
    CONTINUE,
    GUEST,
    HOST,
    command_word,
)
from kibitz.table.companion import LEDGER
from kibitz.table.handover import acting_seat
from kibitz.table.requests import NAMED_AGREEMENTS
from kibitz.table.seating import BOOKKEEPER, REFEREE_ROLE, ROLES, Member
from kibitz.table.table import AGREE, ASK, BACK, BECAUSE, CANCEL, DECLINE, split_reason

UNBATCHED_WORDS = ("ask", "back", "flag", "agree", "decline", "cancel")
"""Commands that are never sent together with anything else: a run is made of actions."""


def actor_of(
    live: LiveTable, member: Member, seat: Seat | None, texts: tuple[str, ...], place: str = ""
) -> Actor:
    """The actor of a row; raises Refused where it is not theirs to say.

    `place` is what a link has let them in for: a seat or a role.
    """
    if len(texts) > 1 and any(
        command_word(each) in (*COMMANDS, *UNBATCHED_WORDS) for each in texts
    ):
        raise Refused(message("server.send-separately"))
    text = texts[0] if texts else ""
    word = command_word(text)
    if word in COMMANDS:
        return _command_actor(live, member, text, place)
    if text.startswith(ASK) and text.removeprefix(ASK) in ROLES:
        return _role_candidate(text.removeprefix(ASK), place)
    held = live.seats_of(member)
    if text == CANCEL:
        return _asker(live, member)
    if text in (AGREE, DECLINE):
        return _answering_actor(live, member, seat)
    if live.table.book:
        return _entry_actor(live, member, seat, texts)
    if len(texts) == 1 and live.table.needs_everybody(_without_reason(text.removeprefix(ASK))):
        return _asking_actor(live, member, text, seat)
    ruling = is_referee(live, member) and len(texts) == 1
    if ruling and (seat == REFEREE or BECAUSE in text or text in (ADJOURN, CONTINUE)):
        return _require_reason(live, member, text)
    whose = _text_owner(live, text) if len(texts) == 1 and (ruling or seat is None) else None
    if whose == REFEREE and ruling:
        return _require_reason(live, member, text)
    if whose and seat is None and whose in held:
        return whose
    return _seat_to_act_for(live, held, seat)


def is_referee(live: LiveTable, member: Member) -> bool:
    """True for the referee who was named; else, where the game says so and nothing counts, for
    the host and for whoever keeps the book; and for whoever plays alone."""
    people = live.people
    if named := people.roles.get(REFEREE_ROLE):
        return member == named
    if live.game.policy.host_rules and not live.settings.rated:
        return member in (people.host, people.roles.get(BOOKKEEPER))
    return member == people.host and is_only_player(live, member)


def needs_consent(live: LiveTable, member: Member) -> bool:
    """True for a host who plays: their rulings over others take another side's consent.

    Around a real board people see what is ruled, and a named referee sits at no seat.
    """
    people = live.people
    is_named = people.has_role(member, REFEREE_ROLE)
    has_others = bool(people.all_members - {member})
    return live.table.book is None and not is_named and has_others and bool(people.seats_of(member))


def is_bookkeeper(live: LiveTable, member: Member) -> bool:
    """Around a real board some enter what all of them do."""
    people = live.people
    is_named = any(people.has_role(member, role) for role in ROLES)
    return live.game.companion is not None and (member == people.host or is_named)


def may_rule_in_book(live: LiveTable, member: Member) -> bool:
    """True for a referee; without a board also for bookkeepers, who enter costs as rulings."""
    book = live.table.book
    keeps_book = book is not None and book.depth == LEDGER and is_bookkeeper(live, member)
    return keeps_book or is_referee(live, member)


def is_only_player(live: LiveTable, member: Member) -> bool:
    """True if nobody else plays here, nor can."""
    return live.people.is_full and live.people.all_members <= {member}


def _command_actor(live: LiveTable, member: Member, text: str, place: str) -> Actor:
    """Sitting down needs a link, or a free seat that is open to all."""
    word, *rest = text.split(" ")
    people = live.people
    seat = rest[0] if rest else ""
    if word == "sit" and seat in people.members:
        invited = seat == place or member in people.members[seat]
        if not invited and not (live.stored.is_open and seat in people.free_seats):
            raise Refused(message("server.not-invited"))
        return seat
    if word in BOOK_COMMANDS:
        return _bookkeeper_actor(live, member)
    if word == "unseat" and seat in people.members and member != people.host:
        return seat if people.members[seat][:1] == (member,) else _refuse_spectator()
    if word in ("bot", "remove-bot", "host", "unseat"):
        if member != people.host:
            raise Refused(message("table.host-only"))
        return HOST
    held = people.seats_of(member)
    if word == "abort":
        return held[0] if held else HOST if member == people.host else _refuse_spectator()
    return seat if seat in (*held, *ROLES) else _refuse_spectator()


def _bookkeeper_actor(live: LiveTable, member: Member) -> Actor:
    """The actor as whom somebody keeps the book; raises Refused."""
    people = live.people
    if member == people.host:
        return HOST
    if people.has_role(member, BOOKKEEPER):
        return BOOKKEEPER
    if people.has_role(member, REFEREE_ROLE):
        return REFEREE
    raise Refused(message("table.book-only"))


def _entry_actor(
    live: LiveTable, member: Member, seat: Seat | None, texts: tuple[str, ...]
) -> Actor:
    """Around a real board some keep the book for all; the others enter what it lets them."""
    held, keeps_book = live.seats_of(member), is_bookkeeper(live, member)
    if not held and not keeps_book:
        _refuse_spectator()
    if keeps_book and _may_rule(live, member, seat, texts):
        for text in texts:
            _require_reason(live, member, text)
        return REFEREE
    actions = [
        _read_action(live, text) if held else live.game.notation.read_action(text) for text in texts
    ]
    if keeps_book and seat in (None, *live.game.seats) and actions and None not in actions:
        return seat or _entry_seat(live, actions)
    if not keeps_book:
        _refuse_entries(live, actions)
    whose = _text_owner(live, texts[0]) if len(texts) == 1 and seat is None else None
    return whose if whose in held else _seat_to_act_for(live, held, seat)


def _may_rule(live: LiveTable, member: Member, seat: Seat | None, texts: tuple[str, ...]) -> bool:
    """True for rulings that are theirs to make. All who keep a book may correct it."""
    if any(text.startswith(BACK) for text in texts):
        return True
    is_ruling = seat == REFEREE or any(_is_ruling(live, text) for text in texts)
    return is_ruling and may_rule_in_book(live, member)


def _is_ruling(live: LiveTable, text: str) -> bool:
    if split_reason(text) or text in (ADJOURN, CONTINUE):
        return True
    action = _read_action(live, text)
    return _action_owner(live, action) == REFEREE and not live.game.policy.is_statement(action)


def _entry_seat(live: LiveTable, actions: list[Any]) -> Seat:
    """The seat of these actions, or any where they are nobody's: a break, a loosening pop."""
    owner, seats = _action_owner(live, actions[0]), live.game.seats
    return owner if owner in seats else acting_seat(live.table, seats) or seats[0]


def _refuse_entries(live: LiveTable, actions: list[Any]) -> None:
    """Raises Refused for entries that a team may not make.

    Unreadable texts and rulings are left to the rules, which refuse them in their own words.
    """
    book, game = live.table.book, live.game
    assert book
    for action in actions:
        is_statement = action is not None and game.policy.is_statement(action)
        is_ruling = _action_owner(live, action) == REFEREE and not is_statement
        if action is not None and not is_ruling and not book.may_team_enter(is_statement):
            raise Refused(message(f"server.entry-{book.entry}"))


def _read_action(live: LiveTable, text: str) -> Any:
    """The action; None where the game does not know such words."""
    with suppress(Refused):
        return live.game.notation.read_action(text)
    return None


def _action_owner(live: LiveTable, action: Any) -> Actor | None:
    return None if action is None else live.game.rules.actor_of(live.table.state, action)


def _role_candidate(role: str, place: str) -> Actor:
    """Not yet what they offer to be."""
    if role != place:
        raise Refused(message("server.not-invited"))
    return GUEST


def _without_reason(text: str) -> str:
    ruled = split_reason(text)
    return ruled[0] if ruled else text


def _asking_actor(live: LiveTable, member: Member, text: str, seat: Seat | None) -> Actor:
    """Anybody at the table may ask for what needs everybody; nobody rules on it alone."""
    if split_reason(text):
        raise Refused(message("table.others-must-agree"))
    held = live.seats_of(member)
    if not held and member == live.people.arbiter:
        return REFEREE
    return _seat_to_act_for(live, held, None if seat == REFEREE else seat)


def _answering_actor(live: LiveTable, member: Member, seat: Seat | None) -> Actor:
    """The seat that has not answered yet, or the referee, where he has not."""
    asked, held = live.table.pending_request, live.seats_of(member)
    open_ = live.table.deciders - (asked.agreed_actors if asked else frozenset())
    fitting = [each for each in held if each in open_ and seat in (None, each)]
    if fitting:
        return fitting[0]
    is_arbiter = member == live.people.arbiter and REFEREE in live.table.deciders
    if is_arbiter and (REFEREE in open_ or not held):
        return REFEREE
    return _seat_to_act_for(live, held, seat)


def is_asking(live: LiveTable, member: Member) -> bool:
    """True for whoever made the request that is open."""
    asked = live.table.pending_request
    if asked is None:
        return False
    return member == asked.member if asked.member else asked.seat in live.seats_of(member)


def _asker(live: LiveTable, member: Member) -> Actor:
    asked = live.table.pending_request
    if asked is None or not is_asking(live, member):
        raise Refused(message("table.nothing-to-cancel"))
    return asked.seat


def _text_owner(live: LiveTable, text: str) -> Actor | None:
    """The actor of these words, where they can be only one's."""
    return _action_owner(live, _read_action(live, text))


def _require_reason(live: LiveTable, member: Member, text: str) -> Actor:
    """A ruling over others has a reason that they can read; a break needs none."""
    has_reason = '"' in text or text.partition(BECAUSE)[2].strip() or text in NAMED_AGREEMENTS
    if not has_reason and not is_only_player(live, member):
        raise Refused(message("server.needs-reason"))
    return REFEREE


def _seat_to_act_for(live: LiveTable, held: tuple[Seat, ...], asked: Seat | None) -> Seat:
    """The seat that somebody acts for: as they say, or as is plain; raises Refused."""
    if not held:
        _refuse_spectator()
    seat = asked or acting_seat(live.table, held) or held[0]
    if seat not in held:
        raise Refused(message("server.not-your-seat"))
    return seat


def _refuse_spectator() -> Actor:
    raise Refused(message("server.watching"))
