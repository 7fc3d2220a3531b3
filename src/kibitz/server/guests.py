"""Playing needs no account: a guest is a signed cookie."""

from __future__ import annotations

import hashlib
import os
import secrets
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from itsdangerous import BadSignature, URLSafeSerializer
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

AnyConnection: TypeAlias = ASGIConnection[Any, Any, Any, Any]
FILE = "secret"
DAYS = 400
"""As long as browsers keep a cookie at most."""
KNOWN = 1 << 13
"""How many who came lately need not be checked again with every word they say."""
LONGEST = 100
"""Of what is remembered for that; ours are shorter."""


class Guests:
    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self._signer = URLSafeSerializer(secret, salt="guest")
        self._known = lru_cache(maxsize=KNOWN)(self._read)
        # Two servers on one machine share a browser's cookies, and neither may take the other's.
        self.cookie = "kibitz-" + hashlib.sha256(secret).hexdigest()[:8]

    def find(self, connection: AnyConnection) -> str | None:
        """Who this is, if we have met: by a cookie, or a program by the same as a token."""
        scheme, _, token = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            token = connection.cookies.get(self.cookie, "")
        return self._known(token) if len(token) < LONGEST else self._read(token)

    def _read(self, token: str) -> str | None:
        try:
            guest = self._signer.loads(token)
        except BadSignature:
            return None
        return guest if isinstance(guest, str) else None

    def token(self, guest: str) -> str:
        return str(self._signer.dumps(guest))

    def welcome(self, connection: AnyConnection) -> tuple[str, list[Cookie]]:
        """Who this is, and the cookie to give somebody new."""
        if guest := self.find(connection):
            return guest, []
        guest = secrets.token_urlsafe(12)
        cookie = Cookie(
            key=self.cookie,
            value=self.token(guest),
            max_age=DAYS * 24 * 60 * 60,
            httponly=True,
            samesite="lax",
            secure=connection.scope["scheme"] == "https",
        )
        return guest, [cookie]


def guests_in(data: Path) -> Guests:
    """The guests of the server whose data this is; its secret is made once."""
    path = data / FILE
    try:
        secret = path.read_bytes()
    except FileNotFoundError:
        secret = b""
    if len(secret) < 16:
        secret = secrets.token_bytes(32)
        # Written whole under another name first: a half-written secret would lock everybody out.
        partial = data / f"{FILE}.{os.getpid()}"
        with open(partial, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        secret = path.read_bytes()
    return Guests(secret)
