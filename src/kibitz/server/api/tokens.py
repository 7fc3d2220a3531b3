"""Tokens for the programs of those with an account."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from litestar import Request, Response, delete, get, post
from litestar.openapi.spec import Example
from litestar.params import Body, Parameter
from litestar.types import ControllerRouterHandler
from msgspec import Meta, Struct

from kibitz.core.message import message
from kibitz.server.accounts.accounts import Access, Accounts
from kibitz.server.http.auth import who_asks
from kibitz.server.http.errors import may_fail
from kibitz.server.http.requests import Asking
from kibitz.server.tables.service import Problem
from kibitz.table.seating import Member

AnyRequest = Request[Any, Any, Any]
PRIVATE = {"Cache-Control": "no-store"}
NAMING = [Example(value={"name": "my bot"})]
TokenId: TypeAlias = Annotated[str, Parameter(description="From the list of your tokens")]


class TokenWish(Struct):
    """A token that is to be made."""

    name: Annotated[str, Meta(max_length=200)]
    """What it is for, so that you know later which one to end."""


class TokenSeen(Struct):
    """A token of one of your programs; it is you until it is ended."""

    id: str
    name: str
    created: float
    """Seconds since 1970."""
    used: float | None
    """When it last was, to the hour; null for never."""


class NewToken(TokenSeen):
    """The only time that a token is shown."""

    token: str = ""
    """`Authorization: Bearer <token>`."""


def tokens_api(asking: Asking, accounts: Accounts) -> list[ControllerRouterHandler]:
    async def owner(request: AnyRequest) -> Member:
        """Who has logged in; raises Problem. A program makes no tokens for others."""
        who = who_asks(request)
        if who is None or who.kind != "device" or await accounts.of(who.member) is None:
            raise Problem(403, message("server.no-account"))
        return who.member

    @get(
        "/me/tokens",
        tags=["me"],
        summary="The tokens of your programs",
        responses=may_fail(403),
    )
    async def my_tokens(request: AnyRequest) -> Response[list[TokenSeen]]:
        """The latest first. For those who have logged in, and not for their programs."""
        asking.toll(request, "pages")
        found = await accounts.tokens(await owner(request), "bot")
        return Response([_told(each) for each in found], headers=PRIVATE)

    @post(
        "/me/tokens",
        tags=["me"],
        summary="A token for a program of yours",
        responses=may_fail(403, 409, 413),
    )
    async def new_token(
        request: AnyRequest, data: Annotated[TokenWish, Body(examples=NAMING)]
    ) -> Response[NewToken]:
        """With it a program is you, at all your tables but rated ones. It is shown only now."""
        asking.toll(request, "rename")
        made, token = await accounts.new_bot_token(await owner(request), data.name)
        told = NewToken(made.id, made.name, made.created, made.used, token)
        return Response(told, status_code=201, headers=PRIVATE)

    @delete(
        "/me/tokens/{token_id:str}",
        tags=["me"],
        summary="End a token",
        responses=may_fail(403, 404),
    )
    async def end_token(request: AnyRequest, token_id: TokenId) -> None:
        """All that was opened with it ends within seconds, streams and sockets, too."""
        asking.toll(request, "pages")
        member = await owner(request)
        known = {each.id for each in await accounts.tokens(member, "bot")}
        if token_id not in known or not await accounts.revoke(member, token_id):
            raise Problem(404, message("server.no-token"))

    return [my_tokens, new_token, end_token]


def _told(access: Access) -> TokenSeen:
    return TokenSeen(access.id, access.name, access.created, access.used)
