"""Authentication, before anything else: by a cookie, or of a program by a token.

A guest's token is signed, and nothing is kept of it. One of somebody with an account is random, and
ends when it is revoked; what was opened with it ends, too. A guest's token opens no account.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar, cast

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send

from kibitz.core.message import message
from kibitz.server.db.queries import accounts as queries
from kibitz.server.db.queries.accounts import TokenKind
from kibitz.server.db.store import Store, StoreError
from kibitz.server.http.errors import HttpError
from kibitz.server.http.guests import (
    COOKIE_DAYS,
    DAY_S,
    PRINCIPAL_KEY,
    AnyConnection,
    GuestAuth,
)
from kibitz.server.http.revocation import GUARD_KEY, TokenGuard
from kibitz.table.seating import Member

log = logging.getLogger(__name__)

V = TypeVar("V")

TOKEN_PREFIX = "kibitz_"
"""The beginning of new tokens of accounts, by which others tell what they have found."""
SIGNATURE_MARK = "."
"""In every signed token, and in no token of an account, whatever it begins with."""
MAX_TOKEN_LETTERS = 4096
TOKEN_CACHE_S = 7.0
"""For so many seconds a token is taken for what it was. An open socket asks every three."""
GUEST_CACHE_S = 60.0
"""And so is somebody for a guest."""
MAX_CACHED = 1 << 13
LAST_USED_PRECISION_S = 60 * 60.0
"""The precision of a token's time of last use, in seconds."""
ANONYMOUS_PATHS = ("/static/", "/assets/", "/worker.js", "/health", "/metrics")
"""Where it does not matter who asks."""


class Principal(NamedTuple):
    member: Member
    kind: TokenKind = "guest"
    token_hash: str = ""
    """Of the token, where it is one of an account."""


class Authenticator:
    def __init__(self, guests: GuestAuth, store: Store) -> None:
        self.guests, self._store = guests, store
        self._tokens: _ExpiringCache[Principal | None] = _ExpiringCache(TOKEN_CACHE_S)
        self._had_account: _ExpiringCache[bool] = _ExpiringCache(GUEST_CACHE_S)

    async def authenticate(self, token: str) -> Principal | None:
        """The owner of a token; None where it is, or has become, nobody's."""
        if len(token) > MAX_TOKEN_LETTERS:
            return None
        if SIGNATURE_MARK not in token:
            return await self._find_by_hash(token_hash(token))
        guest = self.guests.verify_token(token)
        return Principal(guest) if guest and not await self._has_had_account(guest) else None

    def forget_member(self, member: Member) -> None:
        """Something has changed about somebody's account or tokens."""
        self._had_account.forget(member)
        self._tokens.forget_where(lambda who: who is None or who.member == member)

    async def _find_by_hash(self, hashed: str) -> Principal | None:
        known = self._tokens.get(hashed)
        if known:
            return known[0]
        found = await queries.token_owner(self._store, hashed)
        is_ended = found and found[1] == "device" and found[2] < time.time() - COOKIE_DAYS * DAY_S
        who = Principal(*found[:2], hashed) if found and not is_ended else None
        self._tokens.put(hashed, who)
        if who and found and found[2] < time.time() - LAST_USED_PRECISION_S:
            await self._record_use(hashed)
        return who

    async def _record_use(self, hashed: str) -> None:
        try:
            await queries.record_use(self._store, hashed, time.time())
        except StoreError as error:
            log.warning("cannot write down that a token was used: %s", error)

    async def _has_had_account(self, guest: Member) -> bool:
        """True if a guest has, or had, an account: then a password opens it, or nothing does."""
        known = self._had_account.get(guest)
        if known:
            return known[0]
        closed = await queries.has_had_account(self._store, guest)
        self._had_account.put(guest, closed)
        return closed


class _ExpiringCache(Generic[V]):
    """Values by key that are forgotten after some seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._entries: OrderedDict[str, tuple[float, V]] = OrderedDict()

    def get(self, key: str) -> tuple[V] | None:
        found = self._entries.get(key)
        if found is None or found[0] < time.monotonic():
            return None
        return (found[1],)

    def put(self, key: str, value: V) -> None:
        self._entries.pop(key, None)
        self._entries[key] = time.monotonic() + self._seconds, value
        if len(self._entries) > MAX_CACHED:
            self._entries.popitem(last=False)

    def forget(self, key: str) -> None:
        self._entries.pop(key, None)

    def forget_where(self, is_wanted: Callable[[V], bool]) -> None:
        for key in [key for key, (_, value) in self._entries.items() if is_wanted(value)]:
            del self._entries[key]


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def principal_of(connection: AnyConnection) -> Principal | None:
    """None for somebody we have never met."""
    found: Principal | None = cast(dict[str, Any], connection.scope).get(PRINCIPAL_KEY)
    return found


class AuthMiddleware:
    """Puts who asks into the scope. What stays open is looked at again whenever it is used."""

    def __init__(self, app: ASGIApp, identity: Authenticator) -> None:
        self.app, self.identity = app, identity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or scope["path"].startswith(ANONYMOUS_PATHS):
            await self.app(scope, receive, send)
            return
        token = self.identity.guests.token_in(ASGIConnection(scope))
        who = await self.identity.authenticate(token) if token else None
        cast(dict[str, Any], scope)[PRINCIPAL_KEY] = who
        if who:
            guard = TokenGuard(partial(self._is_revoked, token, who), receive, send)
            cast(dict[str, Any], scope)[GUARD_KEY] = guard
            is_socket = scope["type"] == ScopeType.WEBSOCKET
            receive = guard.receive if is_socket else receive
            send = guard.send_frame if is_socket else guard.send_part
        await self.app(scope, receive, send)

    async def _is_revoked(self, token: str, who: Principal) -> bool:
        """Not because nobody could say: a database may be away for a while."""
        try:
            return await self.identity.authenticate(token) != who
        except StoreError:
            return False


async def require_known_token(connection: AnyConnection, handler: BaseRouteHandler) -> None:
    """Refuse a request with a token that is nobody's, or no longer anybody's."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    means_to_be = scheme.lower() == "bearer" and token and PRINCIPAL_KEY in connection.scope
    if means_to_be and principal_of(connection) is None:
        raise HttpError(401, message("server.no-token"))
