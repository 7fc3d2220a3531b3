"""Pages that come and go, at this worker and at others."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.server.tables.live.presence import Presence


@dataclass(eq=False)
class Page:
    member: str
    address: str = ""

    def notify_change(self) -> None: ...
    def notify_people(self) -> None: ...
    def notify_chat(self) -> None: ...


def test_somebody_comes_with_the_first_page_and_goes_with_the_last() -> None:
    presence, first, second = Presence(), Page("ann"), Page("ann")
    assert [presence.add(first), presence.add(second)] == [True, False]
    assert [presence.remove(first), presence.remove(second)] == [False, True]
    assert not presence.has_viewers


def test_whoever_has_a_page_elsewhere_is_still_there() -> None:
    presence, page = Presence(), Page("ann")
    presence.add(page)
    assert presence.set_remote_members(frozenset({"ann", "bob"})) == {"ann", "bob"}
    assert not presence.remove(page)
    assert (presence.local_members, presence.members) == (set(), {"ann", "bob"})
    assert presence.set_remote_members(frozenset({"bob"})) == {"ann"}
    assert not presence.is_present("ann")


def test_a_seat_is_absent_since_the_last_of_its_people_went() -> None:
    presence = Presence()
    presence.opened_at -= 100
    assert presence.seconds_absent(()) == 0, "nobody is waited for"
    assert presence.seconds_absent(("ann", "bob")) >= 100
    assert presence.seconds_absent(("ann",), presence.opened_at + 60) < 100
    presence.mark_active("bob")
    assert presence.seconds_absent(("ann", "bob")) < 100
    presence.add(Page("ann"))
    assert presence.seconds_absent(("ann", "bob")) == 0
