"""Accounts, their tokens, and the names of all members."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any, Literal, NamedTuple, TypeAlias

import sqlalchemy as sql

from kibitz.server import wall_clock
from kibitz.server.db.engine import dialect_insert
from kibitz.server.db.queries.ratings import forget_changes
from kibitz.server.db.schema import (
    ACCOUNT,
    CHAT,
    DELETED_ACCOUNT,
    GUEST,
    MEMBERSHIP,
    PUZZLE_ATTEMPT,
    PUZZLE_RATING,
    RATING,
    TOKEN,
)
from kibitz.server.db.store import Store
from kibitz.table.seating import Member

TokenKind: TypeAlias = Literal["guest", "device", "bot", "recovery"]
"""A `recovery` token sets a new password once, and opens nothing by itself."""
TOKEN_ID_LETTERS = 16
"""So much of a token's hash tells it from others."""


class DisplayName(NamedTuple):
    name: str
    has_account: bool


class Account(NamedTuple):
    name: str
    display_name: str
    member: Member
    created_at: float
    language: str
    email: str | None
    confirmed_at: float | None
    mail_digest: bool
    mail_state: Mapping[str, Any]


class AccessToken(NamedTuple):
    """A token, as its owner is shown it."""

    id: str
    kind: TokenKind
    name: str
    created_at: float
    used_at: float | None


# Names


async def display_names(store: Store, members: Collection[str]) -> dict[str, DisplayName]:
    """The names of these members, as far as they chose one; with an account, its name."""
    if not members:
        return {}
    guests = sql.select(GUEST.c.id, GUEST.c.name, sql.false())
    accounts = sql.select(ACCOUNT.c.member, ACCOUNT.c.display_name, sql.true())
    query = sql.union_all(
        guests.where(GUEST.c.id.in_(members)), accounts.where(ACCOUNT.c.member.in_(members))
    )
    found = await store.read(query)
    return {id: DisplayName(name, bool(has)) for id, name, has in sorted(found, key=itemgetter(2))}


async def set_display_name(store: Store, member: str, name: str) -> None:
    def write(connection: sql.Connection) -> None:
        values = {"id": member, "name": name, "created_at": wall_clock.now()}
        adding = dialect_insert(connection, GUEST).values(values)
        renaming = adding.on_conflict_do_update(index_elements=["id"], set_={"name": name})
        connection.execute(renaming)

    await store.write(write)


# Accounts


async def is_name_taken(store: Store, skeleton: str) -> bool:
    """True if an account has a name that looks like this."""
    query = sql.select(ACCOUNT.c.member).where(ACCOUNT.c.skeleton == skeleton).limit(1)
    return bool(await store.read(query))


async def account_of(store: Store, member: Member) -> Account | None:
    if not member:
        return None
    query = sql.select(*(ACCOUNT.c[name] for name in Account._fields))
    found = await store.read(query.where(ACCOUNT.c.member == member))
    return Account(*found[0]) if found else None


async def members_without_account(store: Store, members: Collection[Member]) -> set[Member]:
    query = sql.select(ACCOUNT.c.member).where(ACCOUNT.c.member.in_(members))
    return {*members} - {entry[0] for entry in await store.read(query)}


async def has_had_account(store: Store, member: Member) -> bool:
    """True for whoever has an account, or had one that they deleted."""
    has = sql.select(ACCOUNT.c.member).where(ACCOUNT.c.member == member)
    had = sql.select(DELETED_ACCOUNT.c.member).where(DELETED_ACCOUNT.c.member == member)
    return bool(await store.read(sql.union_all(has, had)))


async def add_account(store: Store, account: Mapping[str, Any], token: Mapping[str, Any]) -> None:
    """Raises WriteConflict where the name is taken, or the member has an account."""

    def write(connection: sql.Connection) -> None:
        connection.execute(ACCOUNT.insert(), account)
        connection.execute(TOKEN.insert(), token)

    await store.write(write)


async def set_language(store: Store, member: Member, language: str) -> None:
    """Set the language in which somebody with an account is written to."""
    mine = (ACCOUNT.c.member == member) & (ACCOUNT.c.language != language)
    await store.execute(ACCOUNT.update().where(mine).values(language=language))


async def password_hash(
    store: Store, name: str = "", member: Member = ""
) -> tuple[Member, str] | None:
    """The owner and the hashed password of the account with this name, or of this member."""
    whose = ACCOUNT.c.member == member if member else ACCOUNT.c.name == name
    query = sql.select(ACCOUNT.c.member, ACCOUNT.c.password_hash).where(whose)
    found = await store.read(query)
    return (found[0].member, found[0].password_hash) if found else None


async def replace_hash(store: Store, member: Member, old: str, new: str) -> None:
    """Hash a password anew that stays the same."""
    mine = (ACCOUNT.c.member == member) & (ACCOUNT.c.password_hash == old)
    await store.execute(ACCOUNT.update().where(mine).values(password_hash=new))


async def change_password(store: Store, member: Member, hashed: str, keep: str) -> None:
    """Set a password and end the tokens of all devices but the one with hashed `keep`."""
    others = (TOKEN.c.member == member) & (TOKEN.c.token_hash != keep)

    def write(connection: sql.Connection) -> None:
        mine = ACCOUNT.update().where(ACCOUNT.c.member == member)
        connection.execute(mine.values(password_hash=hashed))
        connection.execute(TOKEN.delete().where(others & (TOKEN.c.kind == "device")))

    await store.write(write)


async def delete_account(store: Store, member: Member) -> None:
    """Delete all that is kept of somebody but what others played with them."""

    def write(connection: sql.Connection) -> None:
        for gone, whose in (
            (TOKEN, TOKEN.c.member),
            (RATING, RATING.c.member),
            (PUZZLE_RATING, PUZZLE_RATING.c.member),
            (PUZZLE_ATTEMPT, PUZZLE_ATTEMPT.c.member),
            (ACCOUNT, ACCOUNT.c.member),
            (GUEST, GUEST.c.id),
        ):
            connection.execute(gone.delete().where(whose == member))
        forget_changes(connection, member)
        mine = (CHAT.c.member == member) & (CHAT.c.kind == "say")
        connection.execute(CHAT.update().where(mine).values(text=""))
        connection.execute(MEMBERSHIP.delete().where(MEMBERSHIP.c.member == member))
        connection.execute(DELETED_ACCOUNT.insert(), {"member": member})

    await store.write(write)


async def account_named(store: Store, name: str) -> Account | None:
    """The account with this name, in small letters."""
    query = sql.select(*(ACCOUNT.c[each] for each in Account._fields))
    found = await store.read(query.where(ACCOUNT.c.name == name))
    return Account(*found[0]) if found else None


# Tokens


async def replace_recovery_tokens(
    store: Store, member: Member, tokens: Sequence[Mapping[str, Any]]
) -> None:
    """Give somebody recovery tokens; those they had are gone."""
    old = (TOKEN.c.member == member) & (TOKEN.c.kind == "recovery")

    def write(connection: sql.Connection) -> None:
        connection.execute(TOKEN.delete().where(old))
        connection.execute(TOKEN.insert(), list(tokens))

    await store.write(write)


async def spend_recovery_token(store: Store, member: Member, hashed: str) -> bool:
    """Use up a recovery token of somebody; False where they have no such one."""
    this = (TOKEN.c.token_hash == hashed) & (TOKEN.c.member == member)
    return bool(await store.execute(TOKEN.delete().where(this & (TOKEN.c.kind == "recovery"))))


async def token_owner(store: Store, hashed: str) -> tuple[Member, TokenKind, float] | None:
    """The owner and the kind of a token, and when it was last used."""
    columns = TOKEN.c.member, TOKEN.c.kind, TOKEN.c.used_at
    this = (TOKEN.c.token_hash == hashed) & (TOKEN.c.kind != "recovery")
    found = await store.read(sql.select(*columns).where(this))
    return (found[0].member, found[0].kind, found[0].used_at or 0.0) if found else None


async def record_use(store: Store, hashed: str, at: float) -> None:
    await store.execute(TOKEN.update().where(TOKEN.c.token_hash == hashed).values(used_at=at))


async def tokens_of(store: Store, member: Member, kind: TokenKind) -> list[AccessToken]:
    """The tokens of one kind, the latest first."""
    columns = (TOKEN.c.token_hash, *(TOKEN.c[name] for name in AccessToken._fields[1:]))
    mine = (TOKEN.c.member == member) & (TOKEN.c.kind == kind)
    query = sql.select(*columns).where(mine).order_by(TOKEN.c.created_at.desc(), TOKEN.c.token_hash)
    return [
        AccessToken(hashed[:TOKEN_ID_LETTERS], *rest) for hashed, *rest in await store.read(query)
    ]


async def add_token(store: Store, access: Mapping[str, Any], most: int) -> None:
    """Add a token; the oldest of its kind goes where there are too many."""
    alike = (TOKEN.c.member == access["member"]) & (TOKEN.c.kind == access["kind"])
    newest = sql.select(TOKEN.c.token_hash).where(alike).order_by(TOKEN.c.created_at.desc())
    newest = newest.limit(most - 1)

    def write(connection: sql.Connection) -> None:
        staying = connection.execute(newest).scalars().all()
        connection.execute(TOKEN.delete().where(alike & TOKEN.c.token_hash.not_in(staying)))
        connection.execute(TOKEN.insert(), access)

    await store.write(write)


async def delete_token(store: Store, hashed: str) -> Member | None:
    """End a token; its owner, if there was one."""
    ended = TOKEN.delete().where(TOKEN.c.token_hash == hashed).returning(TOKEN.c.member)

    def write(connection: sql.Connection) -> Member | None:
        return connection.execute(ended).scalar()

    return await store.write(write)


async def delete_token_by_id(store: Store, member: Member, id: str) -> bool:
    """End a token of somebody's; True if there was such a one."""
    mine = (TOKEN.c.member == member) & TOKEN.c.token_hash.startswith(id, autoescape=True)
    return bool(await store.execute(TOKEN.delete().where(mine)))
