"""The pages that links in mail lead to. They work wherever they are opened, logged in or not.

Looking changes nothing: programs look at links in mail, too.
"""

from __future__ import annotations

from litestar import MediaType, Response, get, post

from kibitz.server.accounts.dependencies import AccountServices
from kibitz.server.http.requests import NO_STORE_HEADERS, AnyRequest, Injected, request_language
from kibitz.server.phrases import phrases_for


@get("/mail/confirm/{token:str}", media_type=MediaType.HTML)
async def question(
    request: AnyRequest, services: Injected[AccountServices], token: str
) -> Response[str]:
    services.context.count(request, "join")
    name, email = await services.mailer.read_confirm_token(token)
    return _mail_page(request, services, "confirm", name, email)


@post("/mail/confirm/{token:str}", media_type=MediaType.HTML, status_code=200)
async def confirm(
    request: AnyRequest, services: Injected[AccountServices], token: str
) -> Response[str]:
    services.context.count(request, "join")
    name, email = await services.mailer.read_confirm_token(token)
    await services.mailer.confirm_email(token)
    return _mail_page(request, services, "confirmed", name, email)


@get("/mail/stop/{token:str}", media_type=MediaType.HTML)
async def stopping(
    request: AnyRequest, services: Injected[AccountServices], token: str
) -> Response[str]:
    services.context.count(request, "join")
    name, email = services.mailer.read_unsubscribe_token(token)
    return _mail_page(request, services, "stop", name, email)


@post("/mail/stop/{token:str}", media_type=MediaType.HTML, status_code=200)
async def stop(
    request: AnyRequest, services: Injected[AccountServices], token: str
) -> Response[str]:
    """By the page, or by a mail program's own button."""
    services.context.count(request, "join")
    name, email = services.mailer.read_unsubscribe_token(token)
    await services.mailer.unsubscribe(token)
    return _mail_page(request, services, "stopped", name, email)


def _mail_page(
    request: AnyRequest, services: AccountServices, kind: str, name: str, email: str
) -> Response[str]:
    """The page that a link in a mail leads to: to be sure, or that it is done."""
    say = phrases_for(request_language(request))
    page = services.templates.page("mail.html", say, kind=kind, name=name, email=email)
    page.headers.update(NO_STORE_HEADERS)
    return page
