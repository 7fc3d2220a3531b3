"""Links to a table: the room has one for everybody, and each place at it a secret of its own.

A secret follows from the server's own, so nothing is kept that could be read out of a database.
That of a free seat is good until somebody sits there; from then on the seat has another one, which
only those at it can pass on. When somebody is sent away from a seat, it has yet another one. The
link of the room stays the same while seats fill, and changes when somebody is sent away.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode

from kibitz.table.seating import ROLES, People

ROOM = "room"
"""For everybody: who comes by it chooses a place."""
WATCH = "watch"
PARTY = "party"
"""A screen for the whole room, which shows the link of the room."""
RESULT = "result"
"""No place: whoever has this secret may read how a match ended."""


class InvitationLinks:
    def __init__(self, secret: bytes) -> None:
        self._secret = hashlib.sha256(b"links:" + secret).digest()

    def token(self, table_id: str, place: str, people: People, sent_away: int = 0) -> str:
        """For the room, a seat, a role, to watch, or for a party screen.

        Whenever somebody was `sent_away` there is another one for the room, to watch, and for a
        party screen.
        """
        if place == ROOM:
            return self._room_token(table_id, sent_away + sum(people.unseatings.values()))
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
        for place in (ROOM, *people.members, *ROLES, WATCH, PARTY):
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

    def was_for_room(self, table_id: str, token: str, people: People, sent_away: int = 0) -> bool:
        """True for a token that the room had before somebody was sent away."""
        changes = sent_away + sum(people.unseatings.values())
        former = (self._room_token(table_id, n) for n in range(changes))
        return any(hmac.compare_digest(each.encode(), token.encode()) for each in former)

    def result_token(self, table_id: str) -> str:
        """For the result of a match, once it is over; it opens nothing else."""
        return self._make_token(table_id, RESULT, "")

    def is_result_token(self, table_id: str, token: str) -> bool:
        return hmac.compare_digest(self.result_token(table_id).encode(), token.encode())

    def _room_token(self, table_id: str, changes: int) -> str:
        return self._make_token(table_id, ROOM, str(changes) if changes else "")

    def _make_token(self, table_id: str, place: str, holder: str) -> str:
        text = f"{table_id}:{place}:{holder}".encode()
        return urlsafe_b64encode(hmac.digest(self._secret, text, "sha256")[:18]).decode()
