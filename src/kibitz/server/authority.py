"""Who may say what at a table: from somebody and their words to the actor of a row."""

from __future__ import annotations

from contextlib import suppress

from kibitz.core.game import REFEREE, Actor, Seat
from kibitz.core.message import Refused, message
from kibitz.server.live import LiveTable
from kibitz.server.watching import acting_seat
from kibitz.table.manners import ADJOURN, CONTINUE, GUEST, HOST, WORDS, word_of
from kibitz.table.people import BOOKKEEPER, REFEREE_ROLE, ROLES, Member
from kibitz.table.table import AGREE, ASK, BECAUSE, DECLINE

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
    ruling = rules(live, member) and len(texts) == 1
    if ruling and (seat == REFEREE or BECAUSE in text or text in (ADJOURN, CONTINUE)):
        return _reasoned(live, member, text)
    whose = _whose(live, text) if len(texts) == 1 and (ruling or seat is None) else None
    if whose == REFEREE and ruling:
        return _reasoned(live, member, text)
    if whose and seat is None and (whose in held or keeps_the_book(live, member)):
        return whose
    return _seated(live, held, seat)


def rules(live: LiveTable, member: Member) -> bool:
    """Whether somebody is the referee: the one named; else, where the game says so, whoever
    keeps the book, or the host; and whoever plays alone."""
    people = live.people
    if named := people.roles.get(REFEREE_ROLE):
        return member == named
    if live.game.host_rules:
        return member == (people.roles.get(BOOKKEEPER) or people.host)
    return member == people.host and is_alone(live, member)


def keeps_the_book(live: LiveTable, member: Member) -> bool:
    """Around a real board one person enters what all of them do."""
    return live.game.is_reported and live.people.has_role(member, BOOKKEEPER)


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
    if word in ("bot", "open"):
        if member != people.host:
            raise Refused(message("table.host-only"))
        return HOST
    held = people.seats_of(member)
    if word == "abort":
        return held[0] if held else HOST if member == people.host else _watching()
    return seat if seat in (*held, *ROLES) else _watching()


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
    game = live.game
    with suppress(Refused):
        return game.actor(live.table.state, game.read_action(text))
    return None


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
