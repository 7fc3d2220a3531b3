"""Accounts: logging in and out, and what somebody with an account can do there.

Each form answers with the page it is on, and what is wrong, or leads on.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.datastructures import Cookie
from litestar.response import Redirect, Stream

from kibitz.core.message import message
from kibitz.server.accounts.accounts import device_name, fold_name
from kibitz.server.accounts.dependencies import AccountServices, InjectedAccounts
from kibitz.server.accounts.ladder import rating_data
from kibitz.server.accounts.personal_data import export_account
from kibitz.server.accounts.turn_mail import DEFAULT_INTERVAL_S, INTERVAL_KEY, INTERVALS_S
from kibitz.server.db.queries.accounts import AccessToken, Account
from kibitz.server.db.queries.ratings import ratings_of
from kibitz.server.http.auth import principal_of
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import (
    NO_STORE_HEADERS,
    AnyRequest,
    Form,
    request_language,
)
from kibitz.server.phrases import Phrases, date_time_text, phrases_for

DONE_NOTICES = (
    *("registered", "password", "revoked", "email", "email-sent", "recovered", "reset-sent"),
)
"""The things that the page can say were done."""
FORGET_COOKIE, FORGET_S = "kibitz-forget", 24 * 60 * 60
"""The cookie that tells our pages to forget what they kept (web/static/lib/forget.js); it is for
scripts, and says nothing of anybody."""


@get("/account", media_type=MediaType.HTML)
async def account(request: AnyRequest, services: InjectedAccounts) -> Response[str]:
    services.context.count(request, "pages")
    done = request.query_params.get("done", "")
    return await _account_page(request, services, done=done if done in DONE_NOTICES else "")


@post("/account/register", media_type=MediaType.HTML)
async def register(request: AnyRequest, services: InjectedAccounts, data: Form) -> Response[Any]:
    name, password = data.get("name", ""), data.get("password", "")
    member, _ = services.context.ensure_guest(request)
    try:
        services.context.count(request, "login")
        token = await services.accounts.register(
            member, name, password, request_language(request), _device_name(request)
        )
    except HttpError as problem:
        return await _account_page(request, services, ("register", problem), name[:40])
    device = services.context.guests.device_cookie(request, fold_name(name))
    return _redirect_with_token(request, services, token, "/account?done=registered", device)


@post("/account/login", media_type=MediaType.HTML)
async def log_in(request: AnyRequest, services: InjectedAccounts, data: Form) -> Response[Any]:
    name, who = data.get("name", ""), principal_of(request)
    try:
        folded = fold_name(name)[:40]
        known = services.context.guests.device_known_as(request, folded)
        services.context.count(request, "act")
        with services.context.counting_failures(request, folded, known):
            found = await services.accounts.log_in(
                name, data.get("password", ""), _device_name(request)
            )
    except HttpError as problem:
        return await _account_page(request, services, ("login", problem), name[:40])
    if who and who.kind == "guest" and who.member != found.member:
        await services.tables.transfer_guest_tables(who.member, found.member)
    elif who and who.kind == "device":
        await services.accounts.log_out(who.token_hash)
    device = services.context.guests.device_cookie(request, folded)
    return _redirect_with_token(request, services, found.token, "/", device)


@post("/account/logout")
async def log_out(request: AnyRequest, services: InjectedAccounts) -> Redirect:
    services.context.count(request, "pages")
    who, _ = await services.owner(request)
    await services.accounts.log_out(who.token_hash)
    return _redirect_as_guest(request, services)


@post("/account/password", media_type=MediaType.HTML)
async def password(request: AnyRequest, services: InjectedAccounts, data: Form) -> Response[Any]:
    who, mine = await services.owner(request)
    try:
        old, new = data.get("old", ""), data.get("new", "")
        services.context.count(request, "act")
        with services.context.counting_failures(request, mine.name, who.member):
            await services.accounts.change_password(who.member, old, new, who.token_hash)
    except HttpError as problem:
        return await _account_page(request, services, ("password", problem))
    return Redirect("/account?done=password", status_code=303)


@post("/account/codes", media_type=MediaType.HTML)
async def codes(request: AnyRequest, services: InjectedAccounts, data: Form) -> Response[Any]:
    """New recovery codes, shown this once."""
    who, mine = await services.owner(request)
    try:
        services.context.count(request, "act")
        with services.context.counting_failures(request, mine.name, who.member):
            made = await services.accounts.new_recovery_codes(who.member, data.get("password", ""))
    except HttpError as problem:
        return await _account_page(request, services, ("codes", problem))
    return await _account_page(request, services, codes=made)


@post("/account/recover", media_type=MediaType.HTML)
async def recover(request: AnyRequest, services: InjectedAccounts, data: Form) -> Response[Any]:
    """A new password by a recovery code."""
    name, code, new = (data.get(field, "") for field in ("name", "code", "password"))
    try:
        services.context.count(request, "act")
        with services.context.counting_failures(request, fold_name(name)[:40]):
            await services.accounts.recover(name, code, new)
    except HttpError as problem:
        return await _account_page(request, services, ("recover", problem), name[:40])
    return Redirect("/account?done=recovered", status_code=303)


@post("/account/forgot", media_type=MediaType.HTML)
async def forgot(request: AnyRequest, services: InjectedAccounts, data: Form) -> Response[Any]:
    """A link to a new password, to the confirmed address. Whether there is one, nobody is told."""
    if not services.mailer.is_configured:
        raise HttpError(404, message("server.no-page"))
    try:
        services.context.count(request, "login")
    except HttpError as problem:
        return await _account_page(request, services, ("forgot", problem))
    await services.mailer.send_reset_link(fold_name(data.get("name", ""))[:40])
    return Redirect("/account?done=reset-sent", status_code=303)


@post("/account/forget")
async def forget(request: AnyRequest, services: InjectedAccounts) -> Redirect:
    """All that is kept of a guest goes, but what others played with them."""
    services.context.count(request, "rename")
    who = principal_of(request)
    if who is None or who.kind != "guest":
        raise HttpError(403, message("server.no-account"))
    await services.accounts.delete_account(who.member)
    return _redirect_as_guest(request, services)


@post("/account/email", media_type=MediaType.HTML)
async def email(request: AnyRequest, services: InjectedAccounts, data: Form) -> Response[Any]:
    """Set the address that mail about turns goes to, and how often."""
    _, mine = await services.owner(request)
    typed, every = data.get("email", ""), data.get("every", "")
    if not services.mailer.is_configured:
        raise HttpError(404, message("server.no-page"))
    try:
        services.context.count(request, "rename")
        often = int(every) if every.isascii() and every.isdecimal() and len(every) < 7 else 0
        is_asked = await services.mailer.set_email(mine, typed, often)
    except HttpError as problem:
        return await _account_page(request, services, ("email", problem), typed[:254])
    done = "email-sent" if is_asked else "email"
    return Redirect(f"/account?done={done}", status_code=303)


@post("/account/bots", media_type=MediaType.HTML)
async def bots(request: AnyRequest, services: InjectedAccounts, data: Form) -> Response[Any]:
    services.context.count(request, "rename")
    who, _ = await services.owner(request)
    try:
        made = await services.accounts.new_bot_token(who.member, data.get("name", ""))
    except HttpError as problem:
        return await _account_page(request, services, ("bots", problem))
    return await _account_page(request, services, made=made)


@post("/account/revoke")
async def revoke(request: AnyRequest, services: InjectedAccounts, data: Form) -> Redirect:
    services.context.count(request, "pages")
    who, _ = await services.owner(request)
    if not await services.accounts.revoke_token(who.member, data.get("id", "")):
        raise HttpError(404, message("server.no-token"))
    return Redirect("/account?done=revoked", status_code=303)


@get("/account/export")
async def export(request: AnyRequest, services: InjectedAccounts) -> Stream:
    services.context.count(request, "export")
    who = principal_of(request)
    is_guest = who is not None and who.kind == "guest"
    mine = None if is_guest else (await services.owner(request))[1]
    member = mine.member if mine else services.context.member(request)
    named = {"Content-Disposition": 'attachment; filename="kibitz.json"', **NO_STORE_HEADERS}
    return Stream(
        export_account(services.tables, services.accounts, member, mine),
        media_type=MediaType.JSON,
        headers=named,
    )


@post("/account/delete", media_type=MediaType.HTML)
async def delete(request: AnyRequest, services: InjectedAccounts, data: Form) -> Response[Any]:
    who, mine = await services.owner(request)
    try:
        with services.context.counting_failures(request, mine.name, who.member):
            await services.accounts.check_password(who.member, data.get("password", ""))
    except HttpError as problem:
        return await _account_page(request, services, ("delete", problem))
    await services.accounts.delete_account(who.member)
    return _redirect_as_guest(request, services)


async def _account_page(
    request: AnyRequest,
    services: AccountServices,
    wrong: tuple[str, HttpError] | None = None,
    typed: str = "",
    made: tuple[AccessToken, str] | None = None,
    done: str = "",
    codes: Sequence[str] = (),
) -> Response[str]:
    """`wrong` is which form was refused, and why; `made` a token that is shown this once."""
    member, cookies = services.context.ensure_guest(request)
    account = await services.accounts.account_of(member)
    say, who = phrases_for(request_language(request)), principal_of(request)
    hashed = who.token_hash if who else ""
    devices = await services.accounts.tokens(member, "device") if account else []
    bots = await services.accounts.tokens(member, "bot") if account else []
    rated = await ratings_of(services.tables.store, member) if account else {}
    return services.templates.page(
        "account.html",
        say,
        cookies,
        wrong[1].status if wrong else 200,
        is_secret=True,
        account=_account_context(account, services.mailer.is_configured) if account else None,
        devices=[_token_entry(each, hashed, say) for each in devices],
        bots=[_token_entry(each, hashed, say) for each in bots],
        rated=[
            {**rating_data(rating), "game": game, "title": say.t(f"{game}.title")}
            for game, (rating, _) in rated.items()
        ],
        name=await services.live_tables.display_name(member),
        wrong={"form": wrong[0], "text": say(wrong[1].sentence)} if wrong else None,
        typed=typed,
        made={"name": made[0].name, "token": made[1]} if made else None,
        codes=codes,
        has_mail=services.mailer.is_configured,
        done=done,
        to=_return_path(request.query_params.get("to", "")),
        back="/account",
    )


def _account_context(account: Account, has_mail: bool) -> dict[str, Any]:
    state = "none"
    if account.email:
        state = "waiting" if not account.confirmed_at else "on" if account.mail_digest else "off"
    mail = {
        "state": state,
        "choices": INTERVALS_S,
        "every": account.mail_state.get(INTERVAL_KEY, DEFAULT_INTERVAL_S),
    }
    return {
        "name": account.display_name,
        "email": account.email,
        "mail": mail if has_mail else None,
    }


def _token_entry(access: AccessToken, hashed: str, say: Phrases) -> Mapping[str, Any]:
    """A device or a program that may act for somebody."""
    made = say.t("page.made-at", moment=date_time_text(access.created_at, say))
    used = (
        say.t("page.used-at", moment=date_time_text(access.used_at, say)) if access.used_at else ""
    )
    unused = say.t("page.used-never") if access.kind == "bot" else ""
    return {
        "id": access.id,
        "name": access.name,
        "is_this": hashed.startswith(access.id),
        "when": f"{made} · {used or unused}" if used or unused else made,
    }


def _redirect_with_token(
    request: AnyRequest, services: AccountServices, token: str, to: str, *more: Cookie
) -> Redirect:
    """On, with another card; by a link that asked for it, back to where that was."""
    back = _return_path(request.query_params.get("to", ""))
    card = services.context.guests.session_cookie(request, token)
    return Redirect(back or to, status_code=303, cookies=[card, *more])


def _redirect_as_guest(request: AnyRequest, services: AccountServices) -> Redirect:
    """On as somebody new; the next page forgets what the browser has kept of them."""
    token = services.context.guests.sign_token(secrets.token_urlsafe(12))
    forgets = Cookie(key=FORGET_COOKIE, value="1", max_age=FORGET_S, samesite="strict")
    return _redirect_with_token(request, services, token, "/", forgets)


def _device_name(request: AnyRequest) -> str:
    return device_name(request.headers.get("user-agent", "")[:400])


def _return_path(path: str) -> str:
    """To a table or an invitation; nowhere else."""
    return path if re.fullmatch(r"/(t|join)/[\w/-]+", path) else ""
