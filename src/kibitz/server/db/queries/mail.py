"""Mail about turns: the addresses of accounts, and who is to be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sql

from kibitz.server import wall_clock
from kibitz.server.db.queries.accounts import Account
from kibitz.server.db.schema import ACCOUNT, GAME_TABLE, LOG_ROW, MEMBERSHIP
from kibitz.server.db.store import Store
from kibitz.table.seating import Member


async def update_account(store: Store, account: Account, **values: Any) -> None:
    this = ACCOUNT.c.member == account.member
    await store.execute(ACCOUNT.update().where(this).values(values))


async def confirm_email(store: Store, name: str, email: str) -> bool:
    """Confirm the address of an account; False where it has another by now."""
    this = (ACCOUNT.c.name == name) & (ACCOUNT.c.email == email)
    right = ACCOUNT.update().where(this).values(confirmed_at=wall_clock.now())
    return bool(await store.execute(right))


async def unconfirm_email(store: Store, email: str) -> None:
    await store.execute(ACCOUNT.update().where(ACCOUNT.c.email == email).values(confirmed_at=None))


async def unsubscribe(store: Store, name: str, email: str) -> None:
    this = (ACCOUNT.c.name == name) & (ACCOUNT.c.email == email)
    await store.execute(ACCOUNT.update().where(this).values(mail_digest=False))


async def accounts_to_mail(store: Store, moment: float) -> list[tuple[Account, float | None]]:
    """The accounts that want mail and had none since, and when they had the last."""
    columns = [ACCOUNT.c[name] for name in Account._fields]
    is_due = ACCOUNT.c.mailed_at.is_(None) | (ACCOUNT.c.mailed_at <= moment)
    wanted = ACCOUNT.c.mail_digest & ACCOUNT.c.confirmed_at.is_not(None) & is_due
    found = await store.read(sql.select(*columns, ACCOUNT.c.mailed_at).where(wanted))
    return [(Account(*each[:-1]), each[-1]) for each in found]


async def quiet_tables(store: Store, member: Member, moment: float) -> Sequence[tuple[str, int]]:
    """Tables of somebody's that go on, where nothing happened since; and their seqs."""
    latest = sql.func.max(LOG_ROW.c.at)
    query = (
        sql.select(GAME_TABLE.c.id, sql.func.count(LOG_ROW.c.seq))
        .select_from(
            GAME_TABLE.join(MEMBERSHIP).outerjoin(LOG_ROW, LOG_ROW.c.table_id == GAME_TABLE.c.id)
        )
        .where(
            (MEMBERSHIP.c.member == member) & (MEMBERSHIP.c.role == "seat") & ~GAME_TABLE.c.is_over
        )
        .group_by(GAME_TABLE.c.id)
        .having(sql.func.coalesce(latest, GAME_TABLE.c.created_at) <= moment)
        .order_by(GAME_TABLE.c.id)
    )
    return [(each[0], each[1]) for each in await store.read(query)]


async def claim_mail(
    store: Store, account: Account, mailed: float | None, now: float, state: Mapping[str, Any]
) -> bool:
    """Write a mail down as sent; False where another worker did, or it is not wanted any more."""
    same = ACCOUNT.c.mailed_at.is_(None) if mailed is None else ACCOUNT.c.mailed_at == mailed
    wanted = ACCOUNT.c.mail_digest & ACCOUNT.c.confirmed_at.is_not(None)
    this = (ACCOUNT.c.member == account.member) & (ACCOUNT.c.email == account.email)
    claimed = ACCOUNT.update().where(this & wanted & same)
    return bool(await store.execute(claimed.values(mailed_at=now, mail_state=state)))


async def release_mail(
    store: Store, account: Account, claimed: float, mailed: float | None
) -> None:
    """Undo a claim: the account is as it was before."""
    this = (ACCOUNT.c.member == account.member) & (ACCOUNT.c.mailed_at == claimed)
    values = {"mailed_at": mailed, "mail_state": account.mail_state}
    await store.execute(ACCOUNT.update().where(this).values(values))
