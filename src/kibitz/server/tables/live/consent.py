"""Consents that the server gives at once, for bots and for whoever holds several seats."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.core.game import REFEREE, Actor
from kibitz.core.message import Refused, message
from kibitz.table import Row
from kibitz.table.commands import command_word
from kibitz.table.seating import Member, People
from kibitz.table.table import AGREE, ASK, BACK, AnyTable, is_ruling

BOT_CONSENTS = (
    *("back", "adjourn", "continue", "fill-in", "referee", "bookkeeper", "rematch"),
    *("break", "resume"),
)
"""Bots agree to whatever makes the evening pleasant, but not to how the match ends."""


def rows_for(
    table: AnyTable,
    actor: Actor,
    text: str,
    sender: Member,
    absent_actors: Callable[[], frozenset[Actor]] = frozenset,
) -> list[Row]:
    """The rows to write for a text: where others must agree and would, they do.

    Bots always agree, but not to a draw, and so does whoever plays all the seats. Where a game
    needs everybody nobody does it alone: it is asked for, and those who are absent agree.
    """
    people, seats = table.people, table.game.seats
    assert people
    if table.needs_everybody(text):
        text = ASK + text
    member = _row_member(people, actor, sender)
    plain = [Row(actor, text, member)]
    if text == AGREE and table.pending_request:
        missing = table.deciders - table.pending_request.agreed_actors
        mine = missing & {*people.seats_of(sender)}
        return [Row(seat, AGREE, member) for seat in seats if seat in mine] or plain
    asked = text.removeprefix(ASK)
    if asked != text and is_ruling(table, asked):
        return plain  # It takes another side, and bots only where no other has a person.
    if asked == text and actor in seats:
        count = _undo_number(text)
        if count is None or count >= len(table.history) or table.may_undo_freely(actor, count):
            return plain
        taken_back = table.history[count].actor
        actor = taken_back if taken_back in people.seats_of(sender) else actor
    elif asked == text:
        return plain
    if people.bots and command_word(asked) not in BOT_CONSENTS:
        raise Refused(message("server.bots-cannot-agree"))
    about = asked.split(" ")[1:2]
    agreeing = {*people.seats_of(sender), *people.bots} - {actor, *about}
    if asked == text and {*people.playing_seats, *people.bots} - {actor} - agreeing:
        return plain
    if table.needs_everybody(asked):
        agreeing |= absent_actors() - {actor}
    willing = [each for each in (*seats, REFEREE) if each in agreeing]
    request = Row(actor, text if asked != text else ASK + text, member)
    return [request, *(Row(seat, AGREE, _row_member(people, seat, sender)) for seat in willing)]


def _undo_number(text: str) -> int | None:
    number = text.removeprefix(BACK)
    is_number = number.isascii() and number.isdecimal() and len(number) <= 9
    return int(number) if number != text and is_number else None


def _row_member(people: People, actor: Actor, sender: Member) -> Member:
    """The one behind a row: the sender, unless a bot sits there."""
    bots = people.bots
    return f"bot:{bots[actor]}" if actor in bots and not sender else sender
