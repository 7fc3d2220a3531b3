"""Those who ask: who they are, what they speak, how often they may, and from which site."""

from __future__ import annotations

from typing import Any, TypeAlias
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.handlers import BaseRouteHandler

from kibitz.core.message import message
from kibitz.server.desk import Problem
from kibitz.server.guests import Guests
from kibitz.server.limits import RATES, Bucket, Crowd, Limits, household
from kibitz.server.settings import Settings
from kibitz.server.speech import language_of
from kibitz.table.people import Member
from kibitz.words import LANGUAGES

AnyConnection: TypeAlias = ASGIConnection[Any, Any, Any, Any]
BY_GUEST: tuple[Bucket, ...] = ("act", "ask", "rename")
SAFE = ("GET", "HEAD", "OPTIONS")
LANGUAGE = "kibitz-language"
YEAR = 365 * 24 * 60 * 60


class Asking:
    def __init__(self, guests: Guests, settings: Settings) -> None:
        self.guests = guests
        self._limits = Limits(RATES if settings.limits else {})
        self.crowd = Crowd(settings.most_sockets_each, settings.most_sockets)

    def member(self, connection: AnyConnection) -> Member:
        """Who asks; empty for somebody we have never met."""
        return self.guests.find(connection) or ""

    def welcome(self, connection: AnyConnection) -> tuple[Member, list[Cookie]]:
        return self.guests.welcome(connection)

    def toll(self, connection: AnyConnection, bucket: Bucket) -> None:
        """Count this; raises Problem where it is too often."""
        if wait := self.wait(connection, bucket):
            raise Problem(429, message("server.too-fast", seconds=int(wait) + 1), wait)

    def wait(self, connection: AnyConnection, bucket: Bucket) -> float:
        """Count this, or say for how many seconds not to ask again."""
        who = self.member(connection) if bucket in BY_GUEST else ""
        return self._limits.take(bucket, who or address_of(connection))


def address_of(connection: AnyConnection) -> str:
    return household(connection.client.host) if connection.client else ""


def language(connection: AnyConnection) -> str:
    """The one somebody chose, else what their browser likes best."""
    chosen = connection.cookies.get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return chosen
    return language_of(connection.headers.get("accept-language", ""))


def speaking(chosen: str, is_secure: bool) -> Cookie:
    """What keeps the choice of a language; none of ours means the browser's."""
    known = chosen in LANGUAGES
    return Cookie(
        key=LANGUAGE,
        value=chosen if known else "",
        max_age=YEAR if known else 0,
        samesite="lax",
        secure=is_secure,
        httponly=True,
    )


def same_origin(connection: AnyConnection, handler: BaseRouteHandler) -> None:
    """Other sites' pages may not act with our guests' cookies.

    Browsers say which site a request comes from, in one header or the other; programs say
    nothing. What only reads is harmless, but not a socket: that can act.
    """
    if isinstance(connection, Request) and connection.method in SAFE:
        return
    site = connection.headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        raise Problem(403, message("server.other-site"))
    origin = connection.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != connection.headers.get("host"):
        raise Problem(403, message("server.other-site"))
