"""Tokens for the programs of those with an account."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from litestar import Response, delete, get, post
from litestar.openapi.spec import Example
from litestar.params import Body, Parameter
from msgspec import Meta, Struct

from kibitz.core.message import message
from kibitz.server.accounts.dependencies import AccountServices
from kibitz.server.db.queries.accounts import AccessToken
from kibitz.server.http.errors import HttpError, error_specs
from kibitz.server.http.requests import NO_STORE_HEADERS, AnyRequest, Injected

TOKEN_EXAMPLES = [Example(value={"name": "my bot"})]
TokenId: TypeAlias = Annotated[str, Parameter(description="From the list of your tokens")]


class TokenRequest(Struct):
    """A token that is to be made."""

    name: Annotated[str, Meta(max_length=200)]
    """Its purpose, so that you know later which one to end."""


class TokenInfo(Struct):
    """A token of one of your programs; it is you until it is ended."""

    id: str
    name: str
    created: float
    """Seconds since 1970."""
    used: float | None
    """When it last was, to the hour; null for never."""


class NewToken(TokenInfo):
    """The only time that a token is shown."""

    token: str = ""
    """`Authorization: Bearer <token>`."""


@get(
    "/me/tokens",
    tags=["me"],
    summary="List your API tokens",
    responses=error_specs(403),
)
async def my_tokens(
    request: AnyRequest, services: Injected[AccountServices]
) -> Response[list[TokenInfo]]:
    """Newest first. Needs a login; a token cannot list or create tokens."""
    services.context.count(request, "pages")
    who, _ = await services.owner(request)
    found = await services.accounts.tokens(who.member, "bot")
    return Response([_token_info(each) for each in found], headers=NO_STORE_HEADERS)


@post(
    "/me/tokens",
    tags=["me"],
    summary="Create an API token",
    responses=error_specs(403, 409, 413),
)
async def new_token(
    request: AnyRequest,
    services: Injected[AccountServices],
    data: Annotated[TokenRequest, Body(examples=TOKEN_EXAMPLES)],
) -> Response[NewToken]:
    """A program with this token acts as you, except in rated matches. It is shown only once."""
    services.context.count(request, "rename")
    who, _ = await services.owner(request)
    made, token = await services.accounts.new_bot_token(who.member, data.name)
    told = NewToken(made.id, made.name, made.created_at, made.used_at, token)
    return Response(told, status_code=201, headers=NO_STORE_HEADERS)


@delete(
    "/me/tokens/{token_id:str}",
    tags=["me"],
    summary="Revoke an API token",
    responses=error_specs(403, 404),
)
async def end_token(
    request: AnyRequest, services: Injected[AccountServices], token_id: TokenId
) -> None:
    """Its open streams and sockets are closed within seconds, too."""
    services.context.count(request, "pages")
    who, _ = await services.owner(request)
    known = {each.id for each in await services.accounts.tokens(who.member, "bot")}
    if token_id not in known or not await services.accounts.revoke_token(who.member, token_id):
        raise HttpError(404, message("server.no-token"))


def _token_info(access: AccessToken) -> TokenInfo:
    return TokenInfo(access.id, access.name, access.created_at, access.used_at)
