"""The page of an account: its mail, its devices and programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.server.accounts.accounts import AccessToken, Account
from kibitz.server.accounts.turn_mail import DEFAULT_INTERVAL_S, INTERVAL_KEY, INTERVALS_S
from kibitz.server.phrases import Phrases, date_time_text

DONE_NOTICES = ("registered", "password", "revoked", "email", "email-sent")
"""The things that the page can say were done."""


def account_context(account: Account, has_mail: bool) -> dict[str, Any]:
    state = "none"
    if account.email:
        state = "waiting" if not account.confirmed else "on" if account.digest else "off"
    mail = {
        "state": state,
        "choices": INTERVALS_S,
        "every": account.told.get(INTERVAL_KEY, DEFAULT_INTERVAL_S),
    }
    return {"name": account.shown, "email": account.email, "mail": mail if has_mail else None}


def token_entry(access: AccessToken, digest: str, say: Phrases) -> Mapping[str, Any]:
    """A device or a program that may act for somebody."""
    made = say.t("page.made-at", moment=date_time_text(access.created, say))
    used = say.t("page.used-at", moment=date_time_text(access.used, say)) if access.used else ""
    unused = say.t("page.used-never") if access.kind == "bot" else ""
    return {
        "id": access.id,
        "name": access.name,
        "is_this": digest.startswith(access.id),
        "when": f"{made} · {used or unused}" if used or unused else made,
    }
