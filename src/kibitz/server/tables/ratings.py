"""Ratings, by the matches that people agreed to have rated (docs/accounts.md).

A match is rated in the transaction that ends it, once. Those at a seat play as a team. What is kept
is what openskill works with; what is shown is on the scale that people know from chess.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import sqlalchemy as sql
from openskill.models import PlackettLuce

from kibitz.core.game import Outcome, Seat
from kibitz.core.message import Message, Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.db.schema import ACCOUNT, RATED, RATING, VISIT
from kibitz.server.db.store import Store, dialect_insert
from kibitz.server.tables.live_table import AnyGame, LiveTable
from kibitz.table.commands import command_word
from kibitz.table.seating import ROLES, Member
from kibitz.table.table import ASK, BACK, AnyTable

Team: TypeAlias = Sequence[Member]
MODEL = PlackettLuce()
NEWCOMER_POINTS, POINTS_PER_MU = 1500, 40
"""What a newcomer is shown, and how many points are one of openskill's."""
INTERVAL_DEVIATIONS = 2.0
"""Within so many standard deviations somebody's rating is, nineteen times out of twenty."""
PROVISIONAL_MATCHES = 10
"""With fewer matches than that it says little."""
LADDER_PAGE_SIZE = 50
"""On a page of the ladder."""


class Rating(NamedTuple):
    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    matches: int = 0

    @property
    def points(self) -> int:
        return round(NEWCOMER_POINTS + POINTS_PER_MU * (self.mu - MODEL.mu))

    @property
    def interval(self) -> tuple[int, int]:
        half = round(INTERVAL_DEVIATIONS * POINTS_PER_MU * self.sigma)
        return self.points - half, self.points + half

    @property
    def is_provisional(self) -> bool:
        return self.matches < PROVISIONAL_MATCHES


class RatingChange(NamedTuple):
    before: Rating
    after: Rating

    @property
    def points(self) -> int:
        return self.after.points - self.before.points


class LadderEntry(NamedTuple):
    """A line of the ladder."""

    place: int
    member: Member
    name: str
    rating: Rating
    at: float
    """When they last played a rated match."""


class LadderPage(NamedTuple):
    entries: list[LadderEntry]
    page: int
    pages: int
    people: int


# What may be rated


def why_unrated(
    game: AnyGame, start: str, members: Mapping[Seat, Collection[Member]], bots: Collection[Seat]
) -> Message | None:
    """What keeps a new table from being rated; nothing else does but people without an account."""
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


async def members_without_account(store: Store, members: Collection[Member]) -> set[Member]:
    query = sql.select(ACCOUNT.c.member).where(ACCOUNT.c.member.in_(members))
    return {*members} - {entry[0] for entry in await store.read(query)}


def refuse_at_rated_table(live: LiveTable, member: Member, text: str) -> None:
    """What is refused at a rated table only; raises Refused."""
    word, *rest = text.removeprefix(ASK).split(" ")
    if word == "bot":
        raise Refused(message("server.rated-bot"))
    if word == "sit" and {*live.people.seats_of(member)} - {*rest[:1]}:
        raise Refused(message("server.rated-one-seat"))
    if word == "stand" and not {*rest[:1]} <= {*ROLES} and live.table.has_begun:
        raise Refused(message("server.rated-stays"))
    if live.table.is_over and text.removeprefix(ASK).startswith(BACK):
        raise Refused(message("server.rated-over"))


def has_sit_command(texts: Sequence[str]) -> bool:
    return any(command_word(text) == "sit" for text in texts)


def is_ratable(outcome: Outcome) -> bool:
    """Not where it was voided or broken off: that is neither won nor lost nor a draw."""
    return len({*outcome.payoffs}) > 1 or outcome.result == "draw"


# Rating a match


def rating_writer(
    table_id: str, table: AnyTable, at: float
) -> Callable[[sql.Connection], None] | None:
    """What to write beside the row that ended a rated match; None where it does not count."""
    outcome, people = table.outcome, table.people
    if outcome is None or people is None or not is_ratable(outcome):
        return None
    teams = [people.members[seat] for seat in table.game.seats]
    if not all(teams):
        return None
    game, payoffs = table.game.name, outcome.payoffs

    def write(connection: sql.Connection) -> None:
        _write_ratings(connection, table_id, game, teams, payoffs, at)

    return write


def _write_ratings(
    connection: sql.Connection,
    table_id: str,
    game: str,
    teams: Sequence[Team],
    payoffs: Sequence[int],
    at: float,
) -> None:
    """In a fixed order, as other workers rate matches of the same people."""
    members = sorted({member for team in teams for member in team})
    have = sql.select(ACCOUNT.c.member).where(ACCOUNT.c.member.in_(members))
    if len(connection.execute(have).all()) < len(members):
        return
    once = dialect_insert(connection, RATED).values(table_id=table_id, at=at, changes={})
    made = once.on_conflict_do_nothing().returning(RATED.c.table_id)
    if connection.execute(made).first() is None:
        return
    before = _lock_ratings(connection, game, members, at)
    after = ratings_after(before, teams, payoffs)
    for member in members:
        mine = (RATING.c.member == member) & (RATING.c.game == game)
        connection.execute(RATING.update().where(mine).values(**after[member]._asdict(), at=at))
    changes = {member: [before[member], after[member]] for member in members}
    connection.execute(RATED.update().where(RATED.c.table_id == table_id).values(changes=changes))


def _lock_ratings(
    connection: sql.Connection, game: str, members: Sequence[Member], at: float
) -> dict[Member, Rating]:
    """What these are rated, which nobody else changes meanwhile."""
    for member in members:
        values = {"member": member, "game": game, "at": at, **Rating()._asdict()}
        connection.execute(
            dialect_insert(connection, RATING).values(values).on_conflict_do_nothing()
        )
    query = (
        sql.select(RATING.c.member, *(RATING.c[name] for name in Rating._fields))
        .where((RATING.c.game == game) & RATING.c.member.in_(members))
        .order_by(RATING.c.member)
        .with_for_update()
    )
    return {member: Rating(*rest) for member, *rest in connection.execute(query)}


def ratings_after(
    before: Mapping[Member, Rating], teams: Sequence[Team], payoffs: Sequence[int]
) -> dict[Member, Rating]:
    """After a match: whoever was paid more was better, and equal pay is a draw."""
    asked = [
        [MODEL.rating(mu=before[member].mu, sigma=before[member].sigma) for member in team]
        for team in teams
    ]
    answered = MODEL.rate(asked, scores=list(map(float, payoffs)))
    return {
        member: Rating(found.mu, found.sigma, before[member].matches + 1)
        for team, after in zip(teams, answered, strict=True)
        for member, found in zip(team, after, strict=True)
    }


def forget_changes(connection: sql.Connection, member: Member) -> None:
    """What matches changed for somebody, which stays for the others."""
    mine = sql.select(VISIT.c.table_id).where(VISIT.c.member == member)
    query = sql.select(RATED.c.table_id, RATED.c.changes).where(RATED.c.table_id.in_(mine))
    for table_id, changes in connection.execute(query).all():
        left = {other: change for other, change in changes.items() if other != member}
        changed = RATED.update().where(RATED.c.table_id == table_id)
        connection.execute(changed.values(changes=left))


# Reading


async def changes_at(store: Store, table_id: str) -> dict[Member, RatingChange]:
    """What a match changed; nothing where it was not rated."""
    found = await store.read(sql.select(RATED.c.changes).where(RATED.c.table_id == table_id))
    changes = found[0].changes if found else {}
    return {
        member: RatingChange(*(Rating(*each) for each in both)) for member, both in changes.items()
    }


async def ratings_of(store: Store, member: Member) -> dict[str, tuple[Rating, float]]:
    """By game, and when they last played."""
    columns = RATING.c.game, RATING.c.at, *(RATING.c[name] for name in Rating._fields)
    query = sql.select(*columns).where(RATING.c.member == member).order_by(RATING.c.game)
    return {game: (Rating(*rest), at) for game, at, *rest in await store.read(query)}


async def read_ladder(
    store: Store, game: str, page: int = 1, provisional: bool = False
) -> LadderPage:
    """A page of those who play a game, the best first; newcomers apart."""
    is_new = RATING.c.matches < PROVISIONAL_MATCHES
    wanted = (RATING.c.game == game) & (is_new if provisional else ~is_new)
    joined = RATING.join(ACCOUNT, ACCOUNT.c.member == RATING.c.member)
    counted = await store.read(sql.select(sql.func.count()).select_from(joined).where(wanted))
    people = int(counted[0][0])
    pages = max(1, -(-people // LADDER_PAGE_SIZE))
    page = min(max(1, page), pages)
    columns = RATING.c.member, ACCOUNT.c.shown, RATING.c.at
    query = (
        sql.select(*columns, *(RATING.c[name] for name in Rating._fields))
        .select_from(joined)
        .where(wanted)
        .order_by(RATING.c.mu.desc(), RATING.c.matches.desc(), ACCOUNT.c.name)
        .offset((page - 1) * LADDER_PAGE_SIZE)
        .limit(LADDER_PAGE_SIZE)
    )
    entries = [
        LadderEntry(place, member, name, Rating(*rest), at)
        for place, (member, name, at, *rest) in enumerate(
            await store.read(query), (page - 1) * LADDER_PAGE_SIZE + 1
        )
    ]
    return LadderPage(entries, page, pages, people)
