"""Four people at a table of AS-Kimble, over real sockets."""

from __future__ import annotations

from typing import Any

from support.server_process import Guest, Page, Server

TEAMS = "RBYG"
FREE = {"R": "me", "B": "free", "Y": "free", "G": "free"}
NAMES = {"R": "Aino", "B": "Otso", "Y": "Maija", "G": "Ville"}


class Friends:
    """Four people at a table, each with a page of their own."""

    def __init__(self, server: Server, **more: Any) -> None:
        self.guests = {seat: Guest(server) for seat in TEAMS}
        self.host = self.guests["R"]
        self.table = self.host.begins("as-kimble", FREE, **more)
        self.links = self.host.links(self.table)
        for seat, guest in self.guests.items():
            guest.calls_himself(NAMES[seat])
            if guest is not self.host:
                guest.joins(self.links[seat])
        self.pages = {seat: guest.sits_at(self.table) for seat, guest in self.guests.items()}
        for page in self.pages.values():
            page.waits_until(lambda page: all(page.seat(seat)["is_here"] for seat in TEAMS))

    @property
    def latest(self) -> int:
        seq: int = self.host.reads(self.table)["seq"]
        return seq

    def sees(self, seat: str) -> Page:
        """The page of whoever took this seat at first, up to date."""
        self.pages[seat].waits_for(self.latest)
        return self.pages[seat]

    def draw(self) -> None:
        """Everybody presses for themselves until the lots have decided."""
        while due := [s for s in TEAMS if self.sees(s).view["title"] and self.may_press(s)]:
            for seat in due:
                assert self.sees(seat).acts(seat=None)["type"] == "done"

    def may_press(self, seat: str) -> bool:
        return any(offer["kind"] == "pop" for offer in self.pages[seat].view["offers"])

    def chooser(self) -> str:
        return next(s for s in TEAMS if self.offers(s, "colour"))

    def offers(self, seat: str, kind: str) -> list[list[str]]:
        return [o["actions"] for o in self.sees(seat).view["offers"] if o["kind"] == kind]
