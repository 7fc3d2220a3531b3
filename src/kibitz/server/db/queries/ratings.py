"""Ratings of members, the changes of each match, and the ladder.

What is kept is what openskill works with; what is shown is on the scale that people know from
chess. Those at a seat play as a team.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import sqlalchemy as sql
from openskill.models import PlackettLuce

from kibitz.server.db.engine import dialect_insert
from kibitz.server.db.schema import ACCOUNT, MEMBERSHIP, RATED_MATCH, RATING
from kibitz.server.db.store import Store
from kibitz.table.seating import Member

Team: TypeAlias = Sequence[Member]
MODEL = PlackettLuce()
NEWCOMER_POINTS, POINTS_PER_MU = 1500, 40
"""A newcomer's rating, and the points that are one of openskill's."""
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


class RatedMatch(NamedTuple):
    """A match that ended, and is to be rated."""

    table_id: str
    game: str
    teams: Sequence[Team]
    payoffs: Sequence[int]
    at: float


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


def write_ratings(match: RatedMatch, connection: sql.Connection) -> None:
    """Rate a match once. In a fixed order, as other workers rate matches of the same people."""
    table_id, game, at = match.table_id, match.game, match.at
    members = sorted({member for team in match.teams for member in team})
    have = sql.select(ACCOUNT.c.member).where(ACCOUNT.c.member.in_(members))
    if len(connection.execute(have).all()) < len(members):
        return
    once = dialect_insert(connection, RATED_MATCH).values(table_id=table_id, at=at, changes={})
    made = once.on_conflict_do_nothing().returning(RATED_MATCH.c.table_id)
    if connection.execute(made).first() is None:
        return
    before = _lock_ratings(connection, game, members, at)
    after = ratings_after(before, match.teams, match.payoffs)
    for member in members:
        mine = (RATING.c.member == member) & (RATING.c.game == game)
        connection.execute(RATING.update().where(mine).values(**after[member]._asdict(), at=at))
    changes = {member: [before[member], after[member]] for member in members}
    connection.execute(
        RATED_MATCH.update().where(RATED_MATCH.c.table_id == table_id).values(changes=changes)
    )


def _lock_ratings(
    connection: sql.Connection, game: str, members: Sequence[Member], at: float
) -> dict[Member, Rating]:
    """The ratings of these members, which nobody else changes meanwhile."""
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
    """Delete the changes of matches for somebody; they stay for the others."""
    mine = sql.select(MEMBERSHIP.c.table_id).where(MEMBERSHIP.c.member == member)
    query = sql.select(RATED_MATCH.c.table_id, RATED_MATCH.c.changes).where(
        RATED_MATCH.c.table_id.in_(mine)
    )
    for table_id, changes in connection.execute(query).all():
        left = {other: change for other, change in changes.items() if other != member}
        changed = RATED_MATCH.update().where(RATED_MATCH.c.table_id == table_id)
        connection.execute(changed.values(changes=left))


async def changes_at(store: Store, table_id: str) -> dict[Member, RatingChange]:
    """The changes of a match, by member; none where it was not rated."""
    found = await store.read(
        sql.select(RATED_MATCH.c.changes).where(RATED_MATCH.c.table_id == table_id)
    )
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
    columns = RATING.c.member, ACCOUNT.c.display_name, RATING.c.at
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
