"""Requests: who asks, in which language, how often they may, and from which site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
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
    ADDRESS_SHARES,
    LASTING_BUCKETS,
    RATES,
    SITE_SHARE,
    Bucket,
    ConnectionCounter,
    ConnectionLimits,
    RateLimiter,
    RateLimitStatus,
    Sharers,
    site_of,
    subnet_of,
)
from kibitz.server.lan_access import LanAccess, is_loopback
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
        self.lan = LanAccess(settings)
        self._public_url = settings.url
        lasting = {each: RATES[each] for each in LASTING_BUCKETS}
        self.rate_limiter = RateLimiter(RATES if settings.has_rate_limits else lasting)
        self.connection_counter = ConnectionCounter(
            settings.max_connections_per_address, settings.max_connections
        )

    def share_limits(self, publish: Callable[[str, int], None]) -> Callable[[str, int], None]:
        """Tell other workers of the limits that matter most; returns what takes theirs."""
        self.rate_limiter.publish = publish
        return self.rate_limiter.take_remotely

    def member(self, connection: AnyConnection) -> Member:
        """The member who asks; empty for somebody we have never met."""
        return self.guests.member_of(connection) or ""

    def ensure_guest(self, connection: AnyConnection) -> tuple[Member, list[Cookie]]:
        return self.guests.ensure_guest(connection)

    def guest_token(self, connection: AnyConnection, member: Member) -> str:
        """The token of a guest who is new or has sent it, for programs; empty for others.

        No script is told what a browser's cookie hides from it, and an account has tokens of its
        own.
        """
        who = cast(dict[str, Any], connection.scope).get(PRINCIPAL_KEY)
        if who is None:
            return self.guests.sign_token(member)
        return (self.guests.bearer_token_in(connection) or "") if who.kind == "guest" else ""

    def refuse_program(self, connection: AnyConnection, is_rated: bool) -> None:
        """Raises HttpError where somebody's program would play a rated match for them."""
        who = cast(dict[str, Any], connection.scope).get(PRINCIPAL_KEY)
        if is_rated and who and who.kind == "bot":
            raise HttpError(403, message("server.rated-program"))

    def link_url(self, connection: AnyConnection, path: str) -> str:
        """An address for others: by the name that people know us by, or by the one we were asked
        for, unless only this machine knows that. `path` has the prefix already."""
        asked_for = connection.base_url
        is_local = is_loopback(asked_for.hostname or "")
        origin = self._public_url or (self.lan.origin if is_local else "")
        return (origin or str(asked_for).rstrip("/")) + path

    def count(self, connection: AnyConnection, bucket: Bucket, cost: float = 1.0) -> None:
        """Count this; raises HttpError where it is too often."""
        wait = self.count_or_wait(connection, bucket, cost)
        who = self._sharers(connection, bucket)[0][0]
        if left := self.rate_limiter.status_of(bucket, who):
            cast(dict[str, Any], connection.scope).setdefault(RATE_LIMIT_KEY, left)
        if wait:
            raise HttpError(429, message("server.too-fast", seconds=int(wait) + 1), wait, bucket)

    def check_connections(self, connection: AnyConnection) -> None:
        """Raises HttpError where too many connections are open already."""
        self.count(connection, "connect")
        if not self.connection_counter.has_room(address_of(connection)):
            raise HttpError(429, message("server.too-many"), CROWDED_RETRY_S, "connections")

    def count_or_wait(self, connection: AnyConnection, bucket: Bucket, cost: float = 1.0) -> float:
        """Count this, or say for how many seconds not to ask again."""
        return self.limits_of(connection).count_or_wait(bucket, cost)

    def limits_of(self, connection: AnyConnection) -> ConnectionLimits:
        """The limits of a connection, for as long as it is open."""
        return ConnectionLimits(self.rate_limiter, partial(self._sharers, connection))

    @contextmanager
    def counting_failures(
        self, connection: AnyConnection, name: str, known: str = ""
    ) -> Iterator[None]:
        """Count a try at a password, for whoever tries and for the name, unless it succeeds.

        `known` is a device that has logged in under the name before, or whoever is logged in: it
        has a count of its own, so strangers who try a name lock nobody out. Raises HttpError.
        """
        counted: list[tuple[Bucket, Sharers]] = [("login", ((f"{name} by {known}", 1.0),))]
        if not known:
            counted = [
                ("login", self._sharers(connection, "login")),
                ("login-name", ((name, 1.0),)),
            ]
        for bucket, sharers in counted:
            if wait := self.rate_limiter.take_all(bucket, sharers):
                metrics.RATE_LIMITED.count(bucket="login")
                sentence = message("server.too-fast", seconds=int(wait) + 1)
                raise HttpError(429, sentence, wait, "login")
        yield
        for bucket, sharers in counted:
            self.rate_limiter.give_back(bucket, sharers)

    def _sharers(self, connection: AnyConnection, bucket: Bucket) -> Sharers:
        """Those that something is counted for: guest, address and site, as far as they are known.

        All of them must have room.
        """
        address = address_of(connection)
        who = self.member(connection) if bucket in GUEST_BUCKETS else ""
        found = [(who, 1.0), (address, ADDRESS_SHARES[bucket])] if who else [(address, 1.0)]
        if site := site_of(connection.client.host) if connection.client else "":
            found.append((site, SITE_SHARE * found[-1][1]))
        return found


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


async def require_same_origin(connection: AnyConnection, handler: BaseRouteHandler) -> None:
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
    if origin is None:
        return
    scheme, host, *_ = urlsplit(origin)
    is_downgraded = scheme == "http" and connection.scope["scheme"] in ("https", "wss")
    if host != connection.headers.get("host") or is_downgraded:
        raise HttpError(403, message("server.other-site"))
