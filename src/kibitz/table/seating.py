"""Seating: seats with any number of members, bots, a referee, a bookkeeper."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from msgspec import field
from msgspec.structs import replace

from kibitz.core.game import Seat
from kibitz.core.message import Refused, message
from kibitz.core.values import FrozenValue

Member: TypeAlias = str
"""Somebody, by a name that only the server knows them by."""
REFEREE_ROLE = "referee"
BOOKKEEPER = "bookkeeper"
ROLES = (REFEREE_ROLE, BOOKKEEPER)
"""Neutral: whoever has one sits at no seat."""
MAX_NAME_CHARS = 24


class People(FrozenValue, frozen=True, kw_only=True):
    """A seat is free, or has members, or a bot; a bot may fill in while its members are away."""

    host: Member
    members: Mapping[Seat, tuple[Member, ...]]
    """For every seat of the game, in its order."""
    bots: Mapping[Seat, str] = field(default_factory=dict)
    roles: Mapping[str, Member] = field(default_factory=dict)
    unseatings: Mapping[Seat, int] = field(default_factory=dict)
    """The number of times somebody was sent away from a seat: its link is another one since."""
    entropies: tuple[tuple[Seat, str], ...] = ()
    """Each seat's addition to the dice when it was first taken (sealed_dice.py), in that order."""

    @property
    def free_seats(self) -> tuple[Seat, ...]:
        return tuple([s for s, sit in self.members.items() if not sit and s not in self.bots])

    @property
    def is_full(self) -> bool:
        return all(self.members.values()) or not self.free_seats

    @property
    def has_members(self) -> bool:
        """True if anybody has a seat or a role."""
        return any(self.members.values()) or bool(self.roles)

    @property
    def fill_ins(self) -> frozenset[Seat]:
        """The seats where a bot fills in for somebody."""
        return frozenset(seat for seat in self.bots if self.members[seat])

    @property
    def playing_seats(self) -> tuple[Seat, ...]:
        """The seats that people act for, now."""
        return tuple([s for s, sit in self.members.items() if sit and s not in self.bots])

    @property
    def all_members(self) -> frozenset[Member]:
        """All members with a seat or a role."""
        return frozenset(each for sit in self.members.values() for each in sit) | frozenset(
            self.roles.values()
        )

    @property
    def arbiter(self) -> Member:
        """The one who speaks for the table: its referee, else its bookkeeper, else its host."""
        return self.roles.get(REFEREE_ROLE) or self.roles.get(BOOKKEEPER) or self.host

    def seats_of(self, member: Member) -> tuple[Seat, ...]:
        return tuple([seat for seat, sit in self.members.items() if member in sit])

    def seats_led_by(self, member: Member) -> tuple[Seat, ...]:
        """The seats with others where somebody sat down first."""
        return tuple(
            [seat for seat, sit in self.members.items() if len(sit) > 1 and sit[0] == member]
        )

    def has_role(self, member: Member, role: str) -> bool:
        return bool(member) and self.roles.get(role) == member

    def sit(self, seat: Seat, member: Member, entropy: str) -> People:
        """Take a free seat, join those at it, or come back to one where a bot fills in."""
        if member in self.roles.values():
            raise Refused(message("table.neutral"))
        sitting = self.members[seat]
        if member in sitting:
            if seat not in self.bots:
                raise Refused(message("table.sits-there", seat=seat))
            return replace(self, bots=_without_key(self.bots, seat))
        if seat in self.bots and not sitting:
            raise Refused(message("table.bot-sits-there", seat=seat))
        if sitting and not self._has_common_member(self.seats_of(member), seat):
            raise Refused(message("table.opposing-seat", seat=self.seats_of(member)[0]))
        taken = replace(self, members={**self.members, seat: (*sitting, member)})
        return taken._with_entropy(seat, entropy)

    def _has_common_member(self, mine: tuple[Seat, ...], seat: Seat) -> bool:
        """True if somebody at a seat is at all of these, too: then it hides nothing from them."""
        everywhere = [{*self.members[each]} for each in (seat, *mine)]
        return bool(set.intersection(*everywhere))

    def stand(self, seat: Seat, member: Member) -> People:
        left = tuple(each for each in self.members[seat] if each != member)
        if left == self.members[seat]:
            raise Refused(message("table.not-your-seat", seat=seat))
        return replace(self, members={**self.members, seat: left})

    def unseat(self, seat: Seat, members: Iterable[Member]) -> People:
        """These leave a seat, because somebody else wants it."""
        gone = {*members}
        left = tuple(each for each in self.members[seat] if each not in gone)
        turned = {**self.unseatings, seat: self.unseatings.get(seat, 0) + 1}
        return replace(self, members={**self.members, seat: left}, unseatings=turned)

    def with_host_from(self, seat: Seat) -> People:
        """The people with a new host: the one who sat down last at a seat."""
        if not self.members[seat]:
            raise Refused(message("table.waiting", seat=seat))
        return replace(self, host=self.members[seat][-1])

    def put_bot(self, seat: Seat, bot: str, entropy: str = "") -> People:
        if seat in self.bots:
            raise Refused(message("table.bot-sits-there", seat=seat))
        return replace(self, bots={**self.bots, seat: bot})._with_entropy(seat, entropy)

    def take_bot_away(self, seat: Seat) -> People:
        if seat not in self.bots:
            raise Refused(message("table.no-bot", seat=seat))
        return replace(self, bots=_without_key(self.bots, seat))

    def appoint(self, role: str, member: Member) -> People:
        self.refuse_partial(member)
        return replace(self, roles={**self.roles, role: member})

    def resign_role(self, role: str, member: Member) -> People:
        if not self.has_role(member, role):
            raise Refused(message("table.not-in-role"))
        return replace(self, roles=_without_key(self.roles, role))

    def refuse_partial(self, member: Member) -> None:
        """Refuse a seat to referee and bookkeeper: they take no side."""
        if self.seats_of(member):
            raise Refused(message("table.takes-side"))

    def with_seats_moved(self, moved: Mapping[Seat, Seat]) -> People:
        """Everybody at the seat that theirs has become."""
        if not moved:
            return self
        members = {moved.get(seat, seat): sitting for seat, sitting in self.members.items()}
        bots = {moved.get(seat, seat): bot for seat, bot in self.bots.items()}
        turned = {moved.get(seat, seat): n for seat, n in self.unseatings.items()}
        return replace(
            self,
            members={seat: members[seat] for seat in self.members},
            bots=bots,
            unseatings=turned,
        )

    def _with_entropy(self, seat: Seat, entropy: str) -> People:
        if not entropy or any(seat == each for each, _ in self.entropies):
            return self
        return replace(self, entropies=(*self.entropies, (seat, entropy)))


def people_at_opening(
    host: Member, seats: Iterable[Seat], taken: Mapping[Seat, Mapping[str, Any]]
) -> People:
    """The people of a table that has just opened: some seats taken, by members or bots."""
    people = People(host=host, members=dict.fromkeys(seats, ()))
    for seat in people.members:
        sits = taken.get(seat, {})
        entropy = sits.get("entropy", "")
        if "bot" in sits:
            people = people.put_bot(seat, sits["bot"], entropy)
        for member in sits.get("members", ()):
            people = replace(
                people, members={**people.members, seat: (*people.members[seat], member)}
            )._with_entropy(seat, entropy)
    return people


def tidy_name(name: str, most: int = MAX_NAME_CHARS) -> str:
    """A name as it can be shown: on one line, and not longer than that."""
    kept = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " for c in name)
    return " ".join(kept.split())[:most].strip()


def _without_key(mapping: Mapping[str, str], gone: str) -> dict[str, str]:
    return {name: value for name, value in mapping.items() if name != gone}
