"""Who may say what at a table: from somebody and their words to the actor of a row."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from kibitz.core.game import REFEREE, Actor, Seat
from kibitz.core.message import Refused, message
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.viewers import acting_seat
from kibitz.table.commands import ADJOURN, BOOK_WORDS, CONTINUE, GUEST, HOST, WORDS, word_of
from kibitz.table.companion import LEDGER
from kibitz.table.seating import BOOKKEEPER, REFEREE_ROLE, ROLES, Member
from kibitz.table.table import AGREE, ASK, BACK, BECAUSE, DECLINE, reasoned

ALONE = ("ask", "back", "flag", "agree", "decline")
"""What is never sent together with anything else: a run is made of actions."""


def actor_of(
    live: LiveTable, member: Member, seat: Seat | None, texts: tuple[str, ...], place: str = ""
) -> Actor:
    """Whose row this is; raises Refused where it is not theirs to say.

    `place` is what a link has let them in for: a seat or a role.
    """
    if len(texts) > 1 and any(word_of(each) in (*WORDS, *ALONE) for each in texts):
        raise Refused(message("server.one-at-a-time"))
    text = texts[0] if texts else ""
    word = word_of(text)
    if word in WORDS:
        return _around(live, member, text, place)
    if text.startswith(ASK) and text.removeprefix(ASK) in ROLES:
        return _candidate(text.removeprefix(ASK), place)
    held = live.seats_of(member)
    if text in (AGREE, DECLINE):
        return _answering(live, held, seat)
    if live.table.book:
        return _entering(live, member, seat, texts)
    ruling = rules(live, member) and len(texts) == 1
    if ruling and (seat == REFEREE or BECAUSE in text or text in (ADJOURN, CONTINUE)):
        return _reasoned(live, member, text)
    whose = _whose(live, text) if len(texts) == 1 and (ruling or seat is None) else None
    if whose == REFEREE and ruling:
        return _reasoned(live, member, text)
    if whose and seat is None and whose in held:
        return whose
    return _seated(live, held, seat)


def rules(live: LiveTable, member: Member) -> bool:
    """Whether somebody is the referee: the one named; else, where the game says so and nothing
    counts, whoever keeps the book, or the host; and whoever plays alone."""
    people = live.people
    if named := people.roles.get(REFEREE_ROLE):
        return member == named
    if live.game.host_rules and not live.terms.rated:
        return member == (people.roles.get(BOOKKEEPER) or people.host)
    return member == people.host and is_alone(live, member)


def keeps_the_book(live: LiveTable, member: Member) -> bool:
    """Around a real board some enter what all of them do."""
    people = live.people
    is_named = any(people.has_role(member, role) for role in ROLES)
    return live.game.is_reported and (member == people.host or is_named)


def rules_in_book(live: LiveTable, member: Member) -> bool:
    """Where there is no board, what something costs is entered as a ruling: by all who keep it."""
    book = live.table.book
    keeps = book is not None and book.depth == LEDGER and keeps_the_book(live, member)
    return keeps or rules(live, member)


def is_alone(live: LiveTable, member: Member) -> bool:
    """Whether nobody else plays here, nor can."""
    return live.people.is_gathered and live.people.everybody <= {member}


def _around(live: LiveTable, member: Member, text: str, place: str) -> Actor:
    """Sitting down needs a link, or a free seat that is open to all."""
    word, *rest = text.split(" ")
    people = live.people
    seat = rest[0] if rest else ""
    if word == "sit" and seat in people.members:
        invited = seat == place or member in people.members[seat]
        if not invited and not (live.stored.open and seat in people.free):
            raise Refused(message("server.not-invited"))
        return seat
    if word in BOOK_WORDS:
        return _keeping(live, member)
    if word in ("bot", "open", "host"):
        if member != people.host:
            raise Refused(message("table.host-only"))
        return HOST
    held = people.seats_of(member)
    if word == "abort":
        return held[0] if held else HOST if member == people.host else _watching()
    return seat if seat in (*held, *ROLES) else _watching()


def _keeping(live: LiveTable, member: Member) -> Actor:
    """As whom somebody keeps the book."""
    people = live.people
    if member == people.host:
        return HOST
    if people.has_role(member, BOOKKEEPER):
        return BOOKKEEPER
    if people.has_role(member, REFEREE_ROLE):
        return REFEREE
    raise Refused(message("table.book-only"))


def _entering(live: LiveTable, member: Member, seat: Seat | None, texts: tuple[str, ...]) -> Actor:
    """Around a real board some keep the book for all; the others enter what it lets them."""
    held, keeps = live.seats_of(member), keeps_the_book(live, member)
    if not held and not keeps:
        _watching()
    if keeps and _may_rule(live, member, seat, texts):
        for text in texts:
            _reasoned(live, member, text)
        return REFEREE
    actions = [_read(live, text) if held else live.game.read_action(text) for text in texts]
    if keeps and seat in (None, *live.game.seats) and actions and None not in actions:
        return seat or _for_whom(live, actions)
    if not keeps:
        _refuse_entering(live, actions)
    whose = _whose(live, texts[0]) if len(texts) == 1 and seat is None else None
    return whose if whose in held else _seated(live, held, seat)


def _may_rule(live: LiveTable, member: Member, seat: Seat | None, texts: tuple[str, ...]) -> bool:
    """Whether these are rulings, and theirs to make. To correct the book is for all who keep it."""
    if any(text.startswith(BACK) for text in texts):
        return True
    is_ruling = seat == REFEREE or any(_is_ruling(live, text) for text in texts)
    return is_ruling and rules_in_book(live, member)


def _is_ruling(live: LiveTable, text: str) -> bool:
    if reasoned(text) or text in (ADJOURN, CONTINUE):
        return True
    action = _read(live, text)
    return _owner(live, action) == REFEREE and not live.game.is_said(action)


def _for_whom(live: LiveTable, actions: list[Any]) -> Seat:
    """Whose these are, or any seat where they are nobody's: a break, a loosening pop."""
    owner, seats = _owner(live, actions[0]), live.game.seats
    return owner if owner in seats else acting_seat(live.table, seats) or seats[0]


def _refuse_entering(live: LiveTable, actions: list[Any]) -> None:
    """What is unreadable, or a ruling, the rules refuse in their own words."""
    book, game = live.table.book, live.game
    assert book
    for action in actions:
        is_said = action is not None and game.is_said(action)
        is_ruling = _owner(live, action) == REFEREE and not is_said
        if action is not None and not is_ruling and not book.lets_teams(is_said):
            raise Refused(message(f"server.entry-{book.entry}"))


def _read(live: LiveTable, text: str) -> Any:
    """The action; None where the game does not know such words."""
    with suppress(Refused):
        return live.game.read_action(text)
    return None


def _owner(live: LiveTable, action: Any) -> Actor | None:
    return None if action is None else live.game.actor(live.table.state, action)


def _candidate(role: str, place: str) -> Actor:
    """Not yet what they offer to be."""
    if role != place:
        raise Refused(message("server.not-invited"))
    return GUEST


def _answering(live: LiveTable, held: tuple[Seat, ...], seat: Seat | None) -> Seat:
    """The seat that has not answered yet."""
    asked = live.table.asked
    open_ = live.table.deciding - (asked.agreed if asked else frozenset())
    fitting = [each for each in held if each in open_ and seat in (None, each)]
    return fitting[0] if fitting else _seated(live, held, seat)


def _whose(live: LiveTable, text: str) -> Actor | None:
    """Whose words these are, where they can be only one's."""
    return _owner(live, _read(live, text))


def _reasoned(live: LiveTable, member: Member, text: str) -> Actor:
    """A ruling over others has a reason that they can read."""
    if not is_alone(live, member) and '"' not in text and not text.partition(BECAUSE)[2].strip():
        raise Refused(message("server.needs-reason"))
    return REFEREE


def _seated(live: LiveTable, held: tuple[Seat, ...], asked: Seat | None) -> Seat:
    """Whom somebody acts for: as they say, or as is plain."""
    if not held:
        _watching()
    seat = asked or acting_seat(live.table, held) or held[0]
    if seat not in held:
        raise Refused(message("server.not-your-seat"))
    return seat


def _watching() -> Actor:
    raise Refused(message("server.watching"))
