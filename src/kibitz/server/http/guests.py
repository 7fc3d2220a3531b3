"""Playing needs no account: a guest is a signed cookie."""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias, cast

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from kibitz.core.message import Refused, message
from kibitz.core.os_errors import os_error_reason
from kibitz.server.http.url_prefix import prefixed_path

AnyConnection: TypeAlias = ASGIConnection[Any, Any, Any, Any]
PRINCIPAL_KEY = "kibitz.who"
"""Where a scope says who asks (auth.py)."""
SECRET_FILE_NAME = "secret"
MIN_SECRET_BYTES = 16
"""Of a secret, in bytes."""
HOST_PREFIX = "__Host-"
"""Browsers take a cookie with such a name only from the site itself, over https."""
COOKIE_DAYS, DAY_S = 400, 24 * 60 * 60
"""As long as browsers keep a cookie at most; nor does a token open anything after that."""
MAX_DEVICE_NAMES = 5
"""So many names a device is known to have logged in under."""
MAX_CACHED_TOKENS = 1 << 13
"""The number of recent guests who need not be checked again with every word they say."""
MAX_CACHED_TOKEN_LETTERS = 100
"""Of what is remembered for that; ours are shorter."""


class GuestAuth:
    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self._signer = URLSafeTimedSerializer(secret, salt="guest with a date")
        self._undated_signer = URLSafeSerializer(secret, salt="guest")
        self._cached_verify = lru_cache(maxsize=MAX_CACHED_TOKENS)(self._verify_signature)
        # Two servers on one machine share a browser's cookies, and neither may take the other's.
        self.cookie_name = "kibitz-" + hashlib.sha256(secret).hexdigest()[:8]
        self._device_signer = URLSafeSerializer(secret, salt="device")
        self._device_cookie_name = f"{self.cookie_name}-device"

    def member_of(self, connection: AnyConnection) -> str | None:
        """The member who asks, as auth.py found out before; None for somebody new."""
        who = cast(dict[str, Any], connection.scope).get(PRINCIPAL_KEY)
        return who.member if who else None

    def token_in(self, connection: AnyConnection) -> str:
        """The token of a request, from its header or its cookie; empty where it has none."""
        if (token := self.bearer_token_in(connection)) is not None:
            return token
        cookies = connection.cookies
        return cookies.get(HOST_PREFIX + self.cookie_name) or cookies.get(self.cookie_name, "")

    def bearer_token_in(self, connection: AnyConnection) -> str | None:
        """The token in the header of a request; None for a browser's."""
        scheme, _, token = connection.headers.get("authorization", "").partition(" ")
        return token if scheme.lower() == "bearer" else None

    def verify_token(self, token: str) -> str | None:
        """The guest whom we signed a token for; they may have got an account since."""
        is_short = len(token) < MAX_CACHED_TOKEN_LETTERS
        return self._cached_verify(token) if is_short else self._verify_signature(token)

    def _verify_signature(self, token: str) -> str | None:
        guest = None
        with suppress(BadSignature):
            guest, signed_at = self._signer.loads(token, return_timestamp=True)
            # A clock that was set back makes no token invalid: it was signed in the future then.
            if time.time() - signed_at.timestamp() > COOKIE_DAYS * DAY_S:
                return None
        if guest is None:
            # Tokens of guests from before have no date.
            with suppress(BadSignature):
                guest = self._undated_signer.loads(token)
        return guest if isinstance(guest, str) else None

    def sign_token(self, guest: str) -> str:
        return str(self._signer.dumps(guest))

    def ensure_guest(self, connection: AnyConnection) -> tuple[str, list[Cookie]]:
        """The member who asks; somebody new becomes a guest, with a cookie to set."""
        if guest := self.member_of(connection):
            return guest, []
        guest = secrets.token_urlsafe(12)
        return guest, [self.session_cookie(connection, self.sign_token(guest))]

    def session_cookie(self, connection: AnyConnection, token: str) -> Cookie:
        """The cookie by which somebody is known from now on.

        Over https, at the root of a site, it has a name that no sister site can set.
        """
        is_secure = connection.scope["scheme"] in ("https", "wss")
        is_at_root = not prefixed_path("")
        return Cookie(
            key=(HOST_PREFIX if is_secure and is_at_root else "") + self.cookie_name,
            value=token,
            max_age=COOKIE_DAYS * DAY_S,
            httponly=True,
            samesite="lax",
            secure=is_secure,
        )

    def device_known_as(self, connection: AnyConnection, name: str) -> str:
        """The id of a device that has logged in under a name before; empty for another."""
        device, names = self._read_device(connection)
        return device if _name_mark(name) in names else ""

    def device_cookie(self, connection: AnyConnection, name: str) -> Cookie:
        """The cookie by which a device is known to have logged in under a name; it opens
        nothing."""
        device, names = self._read_device(connection)
        kept = [each for each in names if each != _name_mark(name)][1 - MAX_DEVICE_NAMES :]
        mark = self._device_signer.dumps([device, [*kept, _name_mark(name)]])
        cookie = self.session_cookie(connection, str(mark))
        cookie.key = self._device_cookie_name
        return cookie

    def _read_device(self, connection: AnyConnection) -> tuple[str, list[str]]:
        try:
            found = self._device_signer.loads(connection.cookies.get(self._device_cookie_name, ""))
            device, names = found
        except (BadSignature, ValueError, TypeError):
            return secrets.token_urlsafe(9), []
        return str(device), [str(name) for name in names]


def _name_mark(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def secret_file(data: Path, secret: Path | None = None) -> Path:
    return secret or data / SECRET_FILE_NAME


def load_guest_auth(data: Path, secret: Path | None = None) -> GuestAuth:
    """The guests of the server whose data this is; its secret is made once, here or where told.

    Raises Refused where it cannot be read, or is too short to be one: whoever put it there
    may have meant another, and with a new one nobody would be known any more.
    """
    path = secret_file(data, secret)
    try:
        known = path.read_bytes() if path.exists() else _create_secret(path)
    except OSError as error:
        why = os_error_reason(error)
        raise Refused(message("server.secret-unreadable", file=str(path), why=why)) from None
    if len(known) < MIN_SECRET_BYTES:
        raise Refused(
            message("server.secret-short", file=str(path), bytes=len(known), least=MIN_SECRET_BYTES)
        )
    return GuestAuth(known)


def _create_secret(path: Path) -> bytes:
    """Written whole under another name first: a half-written secret would lock everybody out.

    Of several workers that start at once all take the first one's.
    """
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with open(partial, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(secrets.token_bytes(32))
        file.flush()
        os.fsync(file.fileno())
    try:
        path.hardlink_to(partial)
    except OSError:  # It is there already; or this disk knows no links.
        if not path.exists():
            partial.replace(path)
    partial.unlink(missing_ok=True)
    return path.read_bytes()
