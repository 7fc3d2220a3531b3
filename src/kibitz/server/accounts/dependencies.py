"""The services that handlers of accounts are given."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.server.accounts.accounts import Accounts
from kibitz.server.accounts.turn_mail import Mailer
from kibitz.server.tables.dependencies import TableServices


@dataclass(frozen=True, kw_only=True)
class AccountServices(TableServices):
    accounts: Accounts
    mailer: Mailer
