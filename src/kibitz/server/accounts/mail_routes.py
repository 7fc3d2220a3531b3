"""The pages that links in mail lead to. They work wherever they are opened, logged in or not.

Looking changes nothing: programs look at links in mail, too.
"""

from __future__ import annotations

from litestar import HttpMethod, MediaType, Response, get, post, route

from kibitz.server.accounts.accounts import check_new_password
from kibitz.server.accounts.dependencies import AccountServices, InjectedAccounts
from kibitz.server.http.requests import AnyRequest, Form, request_language
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
    name, email = await services.mailer.read_unsubscribe_token(token)
    if request.method == HttpMethod.POST:
        await services.mailer.unsubscribe(token)
    kind = "stopped" if request.method == HttpMethod.POST else "stop"
    return _mail_page(request, services, kind, name, email)


@get("/mail/reset/{token:str}", media_type=MediaType.HTML)
async def reset_page(request: AnyRequest, services: InjectedAccounts, token: str) -> Response[str]:
    services.context.count(request, "join")
    await services.mailer.read_reset_token(token)
    return _mail_page(request, services, "reset", "", "")


@post("/mail/reset/{token:str}", media_type=MediaType.HTML, status_code=200)
async def reset_password(
    request: AnyRequest, services: InjectedAccounts, token: str, data: Form
) -> Response[str]:
    """Set the new password; the link does not work again."""
    services.context.count(request, "login")
    member, new = await services.mailer.read_reset_token(token), data.get("password", "")
    account = await services.accounts.account_of(member)
    check_new_password(new, account.display_name if account else "")
    await services.accounts.set_password(member, new)
    return _mail_page(request, services, "reset-done", "", "")


def _mail_page(
    request: AnyRequest, services: AccountServices, kind: str, name: str, email: str
) -> Response[str]:
    """The page that a link in a mail leads to: to be sure, or that it is done."""
    say = phrases_for(request_language(request))
    return services.templates.page(
        "mail.html", say, is_secret=True, kind=kind, name=name, email=email
    )
