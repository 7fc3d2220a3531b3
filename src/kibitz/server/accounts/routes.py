"""The way in and out for those with an account, what they can do there, and the ladder."""

from __future__ import annotations

import re
import secrets
from typing import Annotated, Any, TypeAlias

from litestar import MediaType, Request, Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body, Parameter
from litestar.response import Redirect, Stream
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from kibitz.core.message import Message, message
from kibitz.games import GAMES
from kibitz.server.accounts.accounts import AccessToken, Account, Accounts, device_name, fold_name
from kibitz.server.accounts.personal_data import export_account
from kibitz.server.accounts.turn_mail import Mailer
from kibitz.server.http.auth import Principal, principal_of
from kibitz.server.http.errors import HttpError, error_specs
from kibitz.server.http.requests import RequestContext, request_language
from kibitz.server.pages.templates import Pages
from kibitz.server.tables import ratings
from kibitz.server.tables.service import TableService

AnyRequest: TypeAlias = Request[Any, Any, Any]
Form: TypeAlias = Annotated[dict[str, str], Body(media_type=RequestEncodingType.URL_ENCODED)]

NO_STORE_HEADERS = {"Cache-Control": "no-store"}


class LadderEntryInfo(Struct):
    """Somebody on the ladder."""

    place: int
    name: str
    rating: int
    low: int
    """With 95 % certainty the rating is between this and `high`."""
    high: int
    matches: int
    last_played: float
    """Seconds since 1970."""
    provisional: bool


class LadderPageInfo(Struct):
    """A page of it."""

    game: str
    page: int
    pages: int
    people: int
    entries: list[LadderEntryInfo]


def account_routes(
    desk: TableService, asking: RequestContext, accounts: Accounts, pages: Pages, mailer: Mailer
) -> list[ControllerRouterHandler]:
    """The pages; each form answers with the page it is on, and what is wrong, or leads on."""

    async def shown(
        request: AnyRequest,
        wrong: tuple[str, Message] | None = None,
        status: int = 200,
        typed: str = "",
        made: tuple[AccessToken, str] | None = None,
        done: str = "",
    ) -> Response[str]:
        member, cookies = asking.ensure_guest(request)
        account = await accounts.account_of(member)
        page = pages.account(
            request_language(request),
            account,
            devices=await accounts.tokens(member, "device") if account else [],
            bots=await accounts.tokens(member, "bot") if account else [],
            rated=await ratings.ratings_of(desk.store, member) if account else {},
            digest=_token_digest(request),
            name=await desk.tables.display_name(member),
            wrong=wrong,
            typed=typed,
            made=made,
            done=done,
            to=_return_path(request.query_params.get("to", "")),
            cookies=cookies,
            status=status,
        )
        page.headers.update(NO_STORE_HEADERS)
        return page

    async def own(request: AnyRequest) -> tuple[Principal, Account]:
        """Raises HttpError for whoever has not logged in: no program changes an account."""
        who = principal_of(request)
        account = await accounts.account_of(who.member) if who and who.kind == "device" else None
        if who is None or account is None:
            raise HttpError(403, message("server.no-account"))
        return who, account

    @get("/account", media_type=MediaType.HTML)
    async def account(request: AnyRequest) -> Response[str]:
        asking.count(request, "pages")
        done = request.query_params.get("done", "")
        return await shown(request, done=done if done in pages.DONE_NOTICES else "")

    @post("/account/register", media_type=MediaType.HTML)
    async def register(request: AnyRequest, data: Form) -> Response[Any]:
        name, password = data.get("name", ""), data.get("password", "")
        member, _ = asking.ensure_guest(request)
        try:
            asking.count(request, "login")
            token = await accounts.register(
                member, name, password, request_language(request), _device_name(request)
            )
        except HttpError as problem:
            return await shown(request, ("register", problem.sentence), problem.status, name[:40])
        return _led(request, token, "/account?done=registered")

    @post("/account/login", media_type=MediaType.HTML)
    async def log_in(request: AnyRequest, data: Form) -> Response[Any]:
        name, who = data.get("name", ""), principal_of(request)
        try:
            asking.count_login(request, fold_name(name)[:40])
            found = await accounts.log_in(name, data.get("password", ""), _device_name(request))
        except HttpError as problem:
            return await shown(request, ("login", problem.sentence), problem.status, name[:40])
        if who and who.kind == "guest" and who.member != found.member:
            await desk.transfer_guest_tables(who.member, found.member)
        elif who and who.kind == "device":
            await accounts.log_out(who.digest)
        return _led(request, found.token, "/")

    @post("/account/logout")
    async def log_out(request: AnyRequest) -> Redirect:
        asking.count(request, "pages")
        who, _ = await own(request)
        await accounts.log_out(who.digest)
        return _as_guest(request)

    @post("/account/password", media_type=MediaType.HTML)
    async def password(request: AnyRequest, data: Form) -> Response[Any]:
        who, mine = await own(request)
        try:
            asking.count_login(request, mine.name)
            old, new = data.get("old", ""), data.get("new", "")
            await accounts.change_password(who.member, old, new, who.digest)
        except HttpError as problem:
            return await shown(request, ("password", problem.sentence), problem.status)
        return Redirect("/account?done=password", status_code=303)

    @post("/account/email", media_type=MediaType.HTML)
    async def email(request: AnyRequest, data: Form) -> Response[Any]:
        """Where somebody wants to be told of their turns, and how often."""
        _, mine = await own(request)
        typed, every = data.get("email", ""), data.get("every", "")
        if not mailer.is_configured:
            raise HttpError(404, message("server.no-page"))
        try:
            asking.count(request, "rename")
            often = int(every) if every.isascii() and every.isdecimal() and len(every) < 7 else 0
            is_asked = await mailer.set_email(mine, typed, often)
        except HttpError as problem:
            return await shown(request, ("email", problem.sentence), problem.status, typed[:254])
        done = "email-sent" if is_asked else "email"
        return Redirect(f"/account?done={done}", status_code=303)

    @post("/account/bots", media_type=MediaType.HTML)
    async def bots(request: AnyRequest, data: Form) -> Response[Any]:
        asking.count(request, "rename")
        who, _ = await own(request)
        try:
            made = await accounts.new_bot_token(who.member, data.get("name", ""))
        except HttpError as problem:
            return await shown(request, ("bots", problem.sentence), problem.status)
        return await shown(request, made=made)

    @post("/account/revoke")
    async def revoke(request: AnyRequest, data: Form) -> Redirect:
        asking.count(request, "pages")
        who, _ = await own(request)
        if not await accounts.revoke_token(who.member, data.get("id", "")):
            raise HttpError(404, message("server.no-token"))
        return Redirect("/account?done=revoked", status_code=303)

    @get("/account/export")
    async def exported(request: AnyRequest) -> Stream:
        asking.count(request, "export")
        _, mine = await own(request)
        named = {"Content-Disposition": 'attachment; filename="kibitz.json"', **NO_STORE_HEADERS}
        return Stream(
            export_account(desk, accounts, mine), media_type=MediaType.JSON, headers=named
        )

    @post("/account/delete", media_type=MediaType.HTML)
    async def delete(request: AnyRequest, data: Form) -> Response[Any]:
        who, mine = await own(request)
        try:
            asking.count_login(request, mine.name)
            await accounts.check_password(who.member, data.get("password", ""))
        except HttpError as problem:
            return await shown(request, ("delete", problem.sentence), problem.status)
        await accounts.delete_account(who.member)
        return _as_guest(request)

    @get("/ladder/{game:str}", media_type=MediaType.HTML)
    async def ladder(request: AnyRequest, game: str) -> Response[str]:
        asking.count(request, "pages")
        if game not in GAMES:
            raise HttpError(404, message("server.no-page"))
        member, cookies = asking.ensure_guest(request)
        page, is_new = _page_number(request), request.query_params.get("new") == "1"
        found = await ratings.read_ladder(desk.store, game, page, is_new)
        apart = None if is_new else await ratings.read_ladder(desk.store, game, 1, provisional=True)
        return pages.ladder(request_language(request), game, member, found, apart, is_new, cookies)

    def _led(request: AnyRequest, token: str, to: str) -> Redirect:
        """On, with another card; by a link that asked for it, back to where that was."""
        back = _return_path(request.query_params.get("to", ""))
        card = asking.guests.session_cookie(request, token)
        return Redirect(back or to, status_code=303, cookies=[card])

    def _as_guest(request: AnyRequest) -> Redirect:
        return _led(request, asking.guests.sign_token(secrets.token_urlsafe(12)), "/")

    return [
        account,
        register,
        log_in,
        log_out,
        password,
        email,
        bots,
        revoke,
        exported,
        delete,
        ladder,
    ]


def ladder_api(desk: TableService, asking: RequestContext) -> list[ControllerRouterHandler]:
    @get(
        "/ladder/{game:str}",
        tags=["games"],
        summary="Who plays a game best, by rated matches",
        responses=error_specs(404),
    )
    async def ladder(
        request: AnyRequest,
        game: str,
        page: Annotated[int, Parameter(ge=1, le=10**6)] = 1,
        provisional: Annotated[
            bool, Parameter(description="Those with few matches, who are listed apart")
        ] = False,
    ) -> LadderPageInfo:
        """Fifty to a page, the best first."""
        asking.count(request, "pages")
        if game not in GAMES:
            raise HttpError(404, message("server.no-game", game=game[:60]))
        found = await ratings.read_ladder(desk.store, game, page, provisional)
        entries = [_ladder_entry_info(entry) for entry in found.entries]
        return LadderPageInfo(game, found.page, found.pages, found.people, entries)

    return [ladder]


def _ladder_entry_info(entry: ratings.LadderEntry) -> LadderEntryInfo:
    rating = entry.rating
    return LadderEntryInfo(
        place=entry.place,
        name=entry.name,
        rating=rating.points,
        low=rating.interval[0],
        high=rating.interval[1],
        matches=rating.matches,
        last_played=entry.at,
        provisional=rating.is_provisional,
    )


def _token_digest(request: AnyRequest) -> str:
    who = principal_of(request)
    return who.digest if who else ""


def _device_name(request: AnyRequest) -> str:
    return device_name(request.headers.get("user-agent", "")[:400])


def _page_number(request: AnyRequest) -> int:
    text = request.query_params.get("page", "1")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 1


def _return_path(path: str) -> str:
    """To a table or an invitation; nowhere else."""
    return path if re.fullmatch(r"/(t|join)/[\w/-]+", path) else ""
