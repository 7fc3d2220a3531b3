"""The pages that links in mail lead to. They work wherever they are opened, logged in or not.

Looking changes nothing: programs look at links in mail, too.
"""

from __future__ import annotations

from litestar import HttpMethod, MediaType, Response, route

from kibitz.server.accounts.dependencies import AccountServices, InjectedAccounts
from kibitz.server.http.requests import NO_STORE_HEADERS, AnyRequest, request_language
from kibitz.server.phrases import phrases_for

METHODS = [HttpMethod.GET, HttpMethod.POST]


@route("/mail/confirm/{token:str}", http_method=METHODS, media_type=MediaType.HTML, status_code=200)
async def confirm(request: AnyRequest, services: InjectedAccounts, token: str) -> Response[str]:
    services.context.count(request, "join")
    name, email = await services.mailer.read_confirm_token(token)
    if request.method == HttpMethod.POST:
        await services.mailer.confirm_email(token)
    kind = "confirmed" if request.method == HttpMethod.POST else "confirm"
    return _mail_page(request, services, kind, name, email)


@route("/mail/stop/{token:str}", http_method=METHODS, media_type=MediaType.HTML, status_code=200)
async def stop(request: AnyRequest, services: InjectedAccounts, token: str) -> Response[str]:
    """Stop mail by the page, or by a mail program's own button."""
    services.context.count(request, "join")
    name, email = services.mailer.read_unsubscribe_token(token)
    if request.method == HttpMethod.POST:
        await services.mailer.unsubscribe(token)
    kind = "stopped" if request.method == HttpMethod.POST else "stop"
    return _mail_page(request, services, kind, name, email)


def _mail_page(
    request: AnyRequest, services: AccountServices, kind: str, name: str, email: str
) -> Response[str]:
    """The page that a link in a mail leads to: to be sure, or that it is done."""
    say = phrases_for(request_language(request))
    page = services.templates.page(
        "mail.html", say, is_secret=True, kind=kind, name=name, email=email
    )
    page.headers.update(NO_STORE_HEADERS)
    return page
