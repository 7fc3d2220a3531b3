"""Ratings: which matches may be rated, and what a rated table refuses (docs/accounts.md).

A match is rated in the transaction that ends it, once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial

from kibitz.core.game import Outcome, Seat
from kibitz.core.message import Message, Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.db.queries.accounts import members_without_account
from kibitz.server.db.queries.ratings import RatedMatch, write_ratings
from kibitz.server.db.store import Store, Writer
from kibitz.server.tables.live_table import AnyGame, LiveTable
from kibitz.table.commands import CONTINUE
from kibitz.table.seating import ROLES, Member
from kibitz.table.table import ASK, BACK, AnyTable

# What may be rated


def why_unrated(
    game: AnyGame, start: str, members: Mapping[Seat, Collection[Member]], bots: Collection[Seat]
) -> Message | None:
    """The reason that a new table cannot be rated, accounts aside; None where it can."""
    rulebook = GAMES[game.name]
    everybody = [member for sitting in members.values() for member in sitting]
    if game.companion is not None:
        return message("server.unrated-board")
    if bots:
        return message("server.unrated-bots")
    if start != START:
        return message("server.unrated-start")
    if game.options != rulebook.game(rulebook.preset).options:
        return message("server.unrated-options")
    if len(everybody) != len({*everybody}):
        return message("server.unrated-alone")
    return None


async def refuse_without_account(store: Store, members: Collection[Member]) -> None:
    """Raises Refused where one of these has none."""
    if await members_without_account(store, members):
        raise Refused(message("server.rated-account"))


def refuse_at_rated_table(live: LiveTable, member: Member, text: str) -> None:
    """Raises Refused for texts that only a rated table refuses."""
    word, *rest = text.removeprefix(ASK).split(" ")
    if word == "bot":
        raise Refused(message("server.rated-bot"))
    if word == "sit" and {*live.people.seats_of(member)} - {*rest[:1]}:
        raise Refused(message("server.rated-one-seat"))
    if word == "stand" and not {*rest[:1]} <= {*ROLES} and live.table.has_begun:
        raise Refused(message("server.rated-cannot-leave"))
    if live.table.is_over and word in (BACK.strip(), CONTINUE):
        raise Refused(message("server.rated-over"))


def is_ratable(outcome: Outcome) -> bool:
    """Not where it was voided or broken off: that is neither won nor lost nor a draw."""
    return len({*outcome.payoffs}) > 1 or outcome.result == "draw"


# Rating a match


def rating_writer(table_id: str, table: AnyTable, at: float) -> Writer | None:
    """A writer of ratings beside the row that ended a match; None where it does not count."""
    outcome, people = table.outcome, table.people
    if outcome is None or people is None or not is_ratable(outcome):
        return None
    teams = [people.members[seat] for seat in table.game.seats]
    if not all(teams):
        return None
    match = RatedMatch(table_id, table.game.name, teams, outcome.payoffs, at)
    return partial(write_ratings, match)
