"""The pages that links in mail lead to. They work wherever they are opened, logged in or not.

Looking changes nothing: programs look at links in mail, too.
"""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response, get, post
from litestar.types import ControllerRouterHandler

from kibitz.server.accounts.turn_mail import Mailer
from kibitz.server.http.requests import RequestContext, request_language
from kibitz.server.pages.templates import Pages

AnyRequest = Request[Any, Any, Any]


def mail_routes(
    asking: RequestContext, pages: Pages, mailer: Mailer
) -> list[ControllerRouterHandler]:
    @get("/mail/confirm/{token:str}", media_type=MediaType.HTML)
    async def question(request: AnyRequest, token: str) -> Response[str]:
        asking.count(request, "join")
        name, email = await mailer.read_confirm_token(token)
        return pages.mail(request_language(request), "confirm", name=name, email=email)

    @post("/mail/confirm/{token:str}", media_type=MediaType.HTML, status_code=200)
    async def confirm(request: AnyRequest, token: str) -> Response[str]:
        asking.count(request, "join")
        name, email = await mailer.read_confirm_token(token)
        await mailer.confirm_email(token)
        return pages.mail(request_language(request), "confirmed", name=name, email=email)

    @get("/mail/stop/{token:str}", media_type=MediaType.HTML)
    async def stopping(request: AnyRequest, token: str) -> Response[str]:
        asking.count(request, "join")
        name, email = mailer.read_unsubscribe_token(token)
        return pages.mail(request_language(request), "stop", name=name, email=email)

    @post("/mail/stop/{token:str}", media_type=MediaType.HTML, status_code=200)
    async def stop(request: AnyRequest, token: str) -> Response[str]:
        """By the page, or by a mail program's own button."""
        asking.count(request, "join")
        name, email = mailer.read_unsubscribe_token(token)
        await mailer.unsubscribe(token)
        return pages.mail(request_language(request), "stopped", name=name, email=email)

    return [question, confirm, stopping, stop]
