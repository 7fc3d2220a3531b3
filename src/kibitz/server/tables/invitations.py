"""Links to a table: each place at it has a secret of its own.

A secret follows from the server's own, so nothing is kept that could be read out of a database.
That of a free seat is good until somebody sits there; from then on the seat has another one, which
only those at it can pass on. When somebody is sent away from a seat, it has yet another one.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode

from kibitz.table.seating import ROLES, People

WATCH = "watch"
PARTY = "party"
"""A screen for the whole room, which shows links to the seats."""


class InvitationLinks:
    def __init__(self, secret: bytes) -> None:
        self._secret = hashlib.sha256(b"links:" + secret).digest()

    def token(self, table_id: str, place: str, people: People, sent_away: int = 0) -> str:
        """For a seat, a role, to watch, or for a party screen.

        Whenever somebody was `sent_away` there is another one to watch, and for a party screen.
        """
        if place in (WATCH, PARTY) and sent_away:
            return self._make_token(table_id, place, str(sent_away))
        first_member = next(iter(people.members.get(place, ())), "")
        turned = people.unseatings.get(place, 0)
        return self._make_token(
            table_id, place, f"{first_member}:{turned}" if turned else first_member
        )

    def place_of(self, table_id: str, token: str, people: People, sent_away: int = 0) -> str | None:
        """The place that a token is for; None where it is for none at this table, or no longer."""
        found = None
        for place in (*people.members, *ROLES, WATCH, PARTY):
            if hmac.compare_digest(
                self.token(table_id, place, people, sent_away).encode(), token.encode()
            ):
                found = place
        return found

    def former_seat_of(self, table_id: str, token: str, people: People) -> str | None:
        """The seat that a token was for while it was free."""
        for seat in people.members:
            if hmac.compare_digest(self._make_token(table_id, seat, "").encode(), token.encode()):
                return seat
        return None

    def _make_token(self, table_id: str, place: str, holder: str) -> str:
        text = f"{table_id}:{place}:{holder}".encode()
        return urlsafe_b64encode(hmac.digest(self._secret, text, "sha256")[:18]).decode()
