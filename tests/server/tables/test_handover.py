"""One device for both sides of a game with secrets: what is shown, and to whom."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from support.server_process import Guest, Page, Server

CARDS = ("c1", "c2", "c3")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the sample game, where both put down a card in secret."""
    with Server(tmp_path_factory.mktemp("data"), "duel.serve") as server:
        yield server


@pytest.fixture
def guest(shelf: Server) -> Guest:
    return Guest(shelf)


@pytest.fixture
def page(guest: Guest) -> Page:
    return guest.sits_at(guest.opens("duel"))


def visible_parts(view: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(view[name] for name in ("acting", "offers", "buttons", "undo", "menu"))


def test_a_curtain_is_down_before_anything_is_committed(page: Page) -> None:
    curtain = page.view["curtain"]
    assert (curtain["seat"], curtain["title"]) == ("A", "Pass the device to Amber")
    assert (curtain["text"], curtain["button"]) == ("Only Amber should look now.", "I am Amber")
    assert curtain["glyph"].startswith("<svg")
    assert visible_parts(page.view) == (None, [], {}, None, [])
    assert "card-1" not in page.frames[0]


def test_whoever_it_is_handed_to_lifts_it(page: Page) -> None:
    lifted: dict[str, Any] = page.unveils("A")
    assert not lifted["curtain"]
    assert lifted["acting"] == "A"
    assert "card-1" in lifted["svg"]
    assert lifted["buttons"] == {"btn-wind": "Wind"}
    assert [o["needs_confirmation"] for o in lifted["offers"] if o["kind"] == "card"] == [True] * 3


@pytest.mark.parametrize("seat", ["B", "", "spectator"])
def test_nobody_else_lifts_it(page: Page, seat: str) -> None:
    assert page.unveils(seat)["curtain"]["seat"] == "A"
    assert "card-1" not in "".join(page.frames)


def test_it_falls_for_the_other_side_and_again_for_the_next_cards(page: Page) -> None:
    page.unveils("A")
    page.acts("A wind")
    assert not page.view["curtain"], "still the same one, with the same card to choose"
    page.acts("c2")
    assert page.view["curtain"]["seat"] == "B"
    page.unveils("B")
    page.acts("c2")
    tied = page.view
    assert tied["curtain"]["seat"] == "A", "equal cards: the next ones are as secret"
    assert [(told["text"], told["is_loud"]) for told in tied["events"]] == [
        ("Cards: 2 against 2.", True)
    ]


def test_it_stays_up_while_there_is_nothing_to_hide(page: Page) -> None:
    for seat, card in (("A", "c3"), ("B", "c1")):
        page.unveils(seat)
        page.acts(card)
    assert (page.view["acting"], page.view["curtain"]) == ("A", None)
    page.acts()
    assert page.view["curtain"]["seat"] == "A"


def test_behind_it_nothing_is_explained_and_the_downloads_are_those_of_a_spectator(
    guest: Guest,
) -> None:
    table = guest.opens("duel")
    page = guest.sits_at(table)
    page.unveils("A")
    page.acts("c3")
    assert (
        page.asks_why("A", "card-3")["message"] == "First say which player is holding the device."
    )
    assert guest.client.get(f"{table}/position").text == "0:0/123:123/?/-/AB\n"
    assert json.loads(guest.client.get(f"{table}/record").text)["actions"] == []
    page.unveils("B")
    assert page.asks_why("A", "card-3")["message"] == "You can do that."
    assert guest.client.get(f"{table}/position").text == "0:0/123:123/?/-/AB\n"


@pytest.fixture(scope="module")
def three_alike(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Servers that differ by nothing but what they are asked to do."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                Server(
                    tmp_path_factory.mktemp(card),
                    "support.servers.deterministic",
                    KIBITZ_WORKERS="1",
                )
            )
            for card in CARDS
        ]


@pytest.mark.parametrize("before", [(), ("A wind",)])
def test_no_frame_depends_on_a_hidden_card_before_its_owner_looks(
    three_alike: list[Server], before: tuple[str, ...]
) -> None:
    """Frame by frame, also those with the log, which the owner saw with the card in it."""

    def frames_of(server: Server, card: str) -> list[str]:
        guest = Guest(server)
        page = guest.sits_at(guest.opens("duel"))
        page.unveils("A")
        for text in before:
            page.acts(text)
        seen = len(page.frames)
        page.acts(card, key="same")
        page.says({"type": "explain", "key": "same", "seat": "A", "path": ["sq-A0"]})
        page.unveils("A")
        page.unveils("B")
        guest.leaves()
        return page.frames[seen:]

    first, second, third = map(frames_of, three_alike, CARDS)
    assert first == second == third


def test_what_the_owner_saw_in_the_log_is_taken_from_the_page(page: Page) -> None:
    page.unveils("A")
    page.acts("A wind")
    page.acts("c3")
    assert page.codes == ["A wind", ""]
    assert "3" not in page.log[1]["text"]
    page.unveils("B")
    page.acts("B wind")
    assert page.codes == ["A wind", "", "B wind"]
    page.acts("c3")
    assert page.codes == ["A wind", "c3", "B wind", "c3"]
    page.unveils("A")
    assert page.log[1]["text"] == "Amber is ready. You put down 3."
    page.acts("c1")
    assert page.log[1]["text"] == "Amber is ready.", "also what is known by now"


def test_a_page_for_one_seat_has_no_curtain(guest: Guest) -> None:
    page = guest.sits_at(guest.opens("duel", play="bot", seat="B"))
    while page.view["seq"] < 1:
        page.sees_next()
    assert all(view["curtain"] is None for view in page.views)
    assert (page.view["acting"], page.view["title"]) == ("B", "Your turn")


def test_another_page_of_the_same_device_lifts_its_own(guest: Guest) -> None:
    table = guest.opens("duel")
    one, other = guest.sits_at(table), guest.sits_at(table)
    one.unveils("A")
    one.acts("A wind")
    assert one.view["curtain"] is None
    assert other.waits_for(1)["curtain"]["seat"] == "A"


def test_what_is_told_without_a_reveal_is_not_loud(page: Page) -> None:
    page.unveils("A")
    page.acts("A wind")
    assert [told["is_loud"] for told in page.view["events"]] == [False]


def test_nothing_can_be_taken_back_behind_the_curtain(page: Page) -> None:
    page.unveils("A")
    page.acts("A wind")
    assert page.view["undo"] == {"text": "back 0", "label": "Take back"}
    page.acts("c2")
    assert page.view["curtain"]
    assert page.view["undo"] is None
