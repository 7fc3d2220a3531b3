"""The services that handlers of accounts are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kibitz.core.message import message
from kibitz.server.accounts.accounts import Accounts
from kibitz.server.accounts.turn_mail import Mailer
from kibitz.server.db.queries.accounts import Account
from kibitz.server.http.auth import Principal, principal_of
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, Injected
from kibitz.server.tables.dependencies import TableServices


@dataclass(frozen=True, kw_only=True)
class AccountServices(TableServices):
    accounts: Accounts
    mailer: Mailer

    async def owner(self, request: AnyRequest) -> tuple[Principal, Account]:
        """The one who has logged in, and their account; raises HttpError, for programs too."""
        who = principal_of(request)
        is_device = who is not None and who.kind == "device"
        account = await self.accounts.account_of(who.member) if who and is_device else None
        if who is None or account is None:
            raise HttpError(403, message("server.no-account"))
        return who, account


InjectedAccounts: TypeAlias = Injected[AccountServices]
