"""Those who ask: who they are, what they speak, how often they may, and from which site."""

from __future__ import annotations

from typing import Any, TypeAlias, cast
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.handlers import BaseRouteHandler
from litestar.types import Scope

from kibitz.core.message import message
from kibitz.i18n import LANGUAGES
from kibitz.server import metrics
from kibitz.server.http.guests import WHO, Guests
from kibitz.server.http.rate_limits import RATES, Bucket, Crowd, Left, Limits, household
from kibitz.server.phrases import language_of
from kibitz.server.settings import Settings
from kibitz.server.tables.service import Problem
from kibitz.table.seating import Member

AnyConnection: TypeAlias = ASGIConnection[Any, Any, Any, Any]
BY_GUEST: tuple[Bucket, ...] = ("act", "ask", "chat", "rename")
SAFE = ("GET", "HEAD", "OPTIONS")
LANGUAGE = "kibitz-language"
LEFT = "kibitz.left"
"""Where a scope says what is left of the limit it was counted for."""
CROWDED = 5.0
"""When to look for room again, in seconds."""
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

    def token(self, connection: AnyConnection, member: Member) -> str:
        """What a guest may show elsewhere; who has an account makes tokens for that."""
        who = cast(dict[str, Any], connection.scope).get(WHO)
        return self.guests.token(member) if who is None or who.kind == "guest" else ""

    def refuse_program(self, connection: AnyConnection, is_rated: bool) -> None:
        """Raises Problem where somebody's program would play a rated match for them."""
        who = cast(dict[str, Any], connection.scope).get(WHO)
        if is_rated and who and who.kind == "bot":
            raise Problem(403, message("server.rated-program"))

    def toll(self, connection: AnyConnection, bucket: Bucket) -> None:
        """Count this; raises Problem where it is too often."""
        wait, who = self.wait(connection, bucket), self._payer(connection, bucket)
        if left := self._limits.left(bucket, who):
            cast(dict[str, Any], connection.scope).setdefault(LEFT, left)
        if wait:
            raise Problem(429, message("server.too-fast", seconds=int(wait) + 1), wait, bucket)

    def toll_name(self, connection: AnyConnection, name: str) -> None:
        """Count a try to log in, for who tries and for the name; raises Problem likewise."""
        self.toll(connection, "login")
        if wait := self._limits.take("login", f"name {name}"):
            raise Problem(429, message("server.too-fast", seconds=int(wait) + 1), wait, "login")

    def room(self, connection: AnyConnection) -> None:
        """Raises Problem where too many connections are open already."""
        self.toll(connection, "connect")
        if not self.crowd.has_room(address_of(connection)):
            raise Problem(429, message("server.too-many"), CROWDED, "connections")

    def wait(self, connection: AnyConnection, bucket: Bucket) -> float:
        """Count this, or say for how many seconds not to ask again."""
        wait = self._limits.take(bucket, self._payer(connection, bucket))
        if wait:
            metrics.LIMITED.count(bucket=bucket)
        return wait

    def _payer(self, connection: AnyConnection, bucket: Bucket) -> str:
        who = self.member(connection) if bucket in BY_GUEST else ""
        return who or address_of(connection)


def left_in(scope: Scope) -> dict[str, str]:
    """The headers that tell what is left of the limit that was counted for an answer."""
    left: Left | None = cast(dict[str, Any], scope).get(LEFT)
    return left.headers if left else {}


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
