"""Requests: who asks, in which language, how often they may, and from which site."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias, TypeVar, cast
from urllib.parse import urlsplit

from litestar import Request, WebSocket
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.enums import RequestEncodingType
from litestar.handlers import BaseRouteHandler
from litestar.params import Body, SkipValidation
from litestar.types import Scope

from kibitz.core.message import message
from kibitz.i18n import LANGUAGES
from kibitz.server import metrics
from kibitz.server.http.errors import HttpError
from kibitz.server.http.guests import PRINCIPAL_KEY, GuestAuth
from kibitz.server.http.rate_limits import (
    RATES,
    Bucket,
    ConnectionCounter,
    RateLimiter,
    RateLimitStatus,
    subnet_of,
)
from kibitz.server.phrases import language_of
from kibitz.server.settings import Settings
from kibitz.table.seating import Member

AnyConnection: TypeAlias = ASGIConnection[Any, Any, Any, Any]
AnyRequest: TypeAlias = Request[Any, Any, Any]
AnySocket: TypeAlias = WebSocket[Any, Any, Any]
Form: TypeAlias = Annotated[dict[str, str], Body(media_type=RequestEncodingType.URL_ENCODED)]
T = TypeVar("T")
Injected: TypeAlias = NamedDependency[SkipValidation[T]]
"""A parameter of a handler that the application fills in by its name."""
NO_STORE_HEADERS = {"Cache-Control": "no-store"}
GUEST_BUCKETS: tuple[Bucket, ...] = ("act", "ask", "chat", "rename")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
LANGUAGE_COOKIE = "kibitz-language"
RATE_LIMIT_KEY = "kibitz.left"
"""Where a scope says what is left of the limit it was counted for."""
CROWDED_RETRY_S = 5.0
"""When to look for room again, in seconds."""
YEAR_S = 365 * 24 * 60 * 60


class RequestContext:
    def __init__(self, guests: GuestAuth, settings: Settings) -> None:
        self.guests = guests
        self._rate_limiter = RateLimiter(RATES if settings.has_rate_limits else {})
        self.connection_counter = ConnectionCounter(
            settings.max_connections_per_address, settings.max_connections
        )

    def member(self, connection: AnyConnection) -> Member:
        """The member who asks; empty for somebody we have never met."""
        return self.guests.member_of(connection) or ""

    def ensure_guest(self, connection: AnyConnection) -> tuple[Member, list[Cookie]]:
        return self.guests.ensure_guest(connection)

    def guest_token(self, connection: AnyConnection, member: Member) -> str:
        """The token of a guest, for other devices; an account has tokens of its own for that."""
        who = cast(dict[str, Any], connection.scope).get(PRINCIPAL_KEY)
        return self.guests.sign_token(member) if who is None or who.kind == "guest" else ""

    def refuse_program(self, connection: AnyConnection, is_rated: bool) -> None:
        """Raises HttpError where somebody's program would play a rated match for them."""
        who = cast(dict[str, Any], connection.scope).get(PRINCIPAL_KEY)
        if is_rated and who and who.kind == "bot":
            raise HttpError(403, message("server.rated-program"))

    def count(self, connection: AnyConnection, bucket: Bucket) -> None:
        """Count this; raises HttpError where it is too often."""
        wait, who = self.count_or_wait(connection, bucket), self._limit_key(connection, bucket)
        if left := self._rate_limiter.status_of(bucket, who):
            cast(dict[str, Any], connection.scope).setdefault(RATE_LIMIT_KEY, left)
        if wait:
            raise HttpError(429, message("server.too-fast", seconds=int(wait) + 1), wait, bucket)

    def count_login(self, connection: AnyConnection, name: str) -> None:
        """Count a try to log in, for who tries and for the name; raises HttpError as well."""
        self.count(connection, "login")
        if wait := self._rate_limiter.take("login", f"name {name}"):
            raise HttpError(429, message("server.too-fast", seconds=int(wait) + 1), wait, "login")

    def check_connections(self, connection: AnyConnection) -> None:
        """Raises HttpError where too many connections are open already."""
        self.count(connection, "connect")
        if not self.connection_counter.has_room(address_of(connection)):
            raise HttpError(429, message("server.too-many"), CROWDED_RETRY_S, "connections")

    def count_or_wait(self, connection: AnyConnection, bucket: Bucket) -> float:
        """Count this, or say for how many seconds not to ask again."""
        wait = self._rate_limiter.take(bucket, self._limit_key(connection, bucket))
        if wait:
            metrics.RATE_LIMITED.count(bucket=bucket)
        return wait

    def _limit_key(self, connection: AnyConnection, bucket: Bucket) -> str:
        who = self.member(connection) if bucket in GUEST_BUCKETS else ""
        return who or address_of(connection)


def rate_limit_headers(scope: Scope) -> dict[str, str]:
    """The headers that tell what is left of the limit that was counted for an answer."""
    left: RateLimitStatus | None = cast(dict[str, Any], scope).get(RATE_LIMIT_KEY)
    return left.headers if left else {}


def address_of(connection: AnyConnection) -> str:
    return subnet_of(connection.client.host) if connection.client else ""


def request_language(connection: AnyConnection) -> str:
    """The one somebody chose, else what their browser likes best."""
    chosen = connection.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return language_of(connection.headers.get("accept-language", ""))


def language_cookie(chosen: str, is_secure: bool) -> Cookie:
    """The cookie that keeps the choice of a language; none of ours means the browser's."""
    known = chosen in LANGUAGES
    return Cookie(
        key=LANGUAGE_COOKIE,
        value=chosen if known else "",
        max_age=YEAR_S if known else 0,
        samesite="lax",
        secure=is_secure,
        httponly=True,
    )


def require_same_origin(connection: AnyConnection, handler: BaseRouteHandler) -> None:
    """Other sites' pages may not act with our guests' cookies.

    Browsers say which site a request comes from, in one header or the other; programs say
    nothing. What only reads is harmless, but not a socket: that can act.
    """
    if isinstance(connection, Request) and connection.method in SAFE_METHODS:
        return
    site = connection.headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        raise HttpError(403, message("server.other-site"))
    origin = connection.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != connection.headers.get("host"):
        raise HttpError(403, message("server.other-site"))
