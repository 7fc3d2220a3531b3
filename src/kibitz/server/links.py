"""Links to a table: each place at it has a secret of its own.

A secret follows from the server's own, so nothing is kept that could be read out of a database.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Iterable

from kibitz.table.people import ROLES

WATCH = "watch"


class Links:
    def __init__(self, secret: bytes) -> None:
        self._secret = hashlib.sha256(b"links:" + secret).digest()

    def token(self, table_id: str, place: str) -> str:
        """For a seat, a role, or to watch."""
        text = f"{table_id}:{place}".encode()
        return urlsafe_b64encode(hmac.digest(self._secret, text, "sha256")[:18]).decode()

    def place(self, table_id: str, token: str, seats: Iterable[str]) -> str | None:
        """What a token is for; None where it is for nothing at this table."""
        found = None
        for place in (*seats, *ROLES, WATCH):
            if hmac.compare_digest(self.token(table_id, place).encode(), token.encode()):
                found = place
        return found
