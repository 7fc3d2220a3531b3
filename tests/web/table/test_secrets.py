"""Two evenings with the same luck and other secrets: the other page is the same to the last byte.

What it is sent over the socket, what it fetches, and all that is written in it, seen or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from playwright.sync_api import expect

from support.browser.touch import Hand, Offer
from support.server_process import Server

if TYPE_CHECKING:
    from web.conftest import Seated

DUEL = "13/13/13/13/13/5OFs5/13/13 R play - g6 123456/123456 0-0 8 -"
"""Red can force his way through on g6."""
NO_LUCK = """window.luck = 0;
try { window.luck = 50 * (sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1); } catch {}
Crypto.prototype.getRandomValues = (bytes) => bytes.fill((window.luck += 1));"""
"""The luck of the page itself, taken away; a page that is loaded again repeats no key."""
FROM_HERE = "window.luck = 40 + 50 * sessionStorage.loads"
"""The same luck for all from here on: adding to the dice took some, more or less of it depending on
when the other one came."""
QUIET = 400
Seen: TypeAlias = tuple[str, list[str], list[tuple[str, str]]]
"""All of a page, what its socket was sent, and what it fetched."""


@dataclass(frozen=True)
class Story:
    """What both do, in two versions in which only one side's secrets differ."""

    name: str
    secretive: str
    one: tuple[str, ...]
    other: tuple[str, ...]
    start: str = "start"


STORIES = [
    Story("a ready-made line-up", "R", ("R line-up 0",), ("R line-up 2",)),
    Story("men placed ahead", "B", ("B S@k4", "B T@l1"), ("B S@l8", "B T@k2")),
    Story("a card in turn", "R", ("R g6>h6", "R card=1"), ("R g6>h6", "R card=6"), DUEL),
    Story("a card ahead", "B", ("R g6>h6", "B card=2"), ("R g6>h6", "B card=5"), DUEL),
    Story(
        "a second card",
        "R",
        ("R g6>h6", "R card=4", "B card=2", "R card=1"),
        ("R g6>h6", "R card=4", "B card=2", "R card=6"),
        DUEL,
    ),
]
SHORT = ("a second card",)


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    with (
        Server(tmp_path_factory.mktemp("one"), "support.servers.deterministic") as one,
        Server(tmp_path_factory.mktemp("other"), "support.servers.deterministic") as other,
    ):
        yield one, other


class Pair:
    """Red at a desk and Blue on a phone."""

    def __init__(self, seat_player: Seated, server: Server, start: str) -> None:
        self.address = server.address
        self.red = self._hand(seat_player, finger=False)
        self.blue = self._hand(seat_player, finger=True)
        seats = {"R": "me", "B": "free"}
        self.red.player.opens_by_api(game="kahmate", seats=seats, start=start, entropy="red")
        self.blue.player.comes_by(self.red.player.link("B"))
        self.red.page.reload()  # What it says in passing of the other one goes at some time.
        self.red.player.sees_the_board()
        for hand in (self.red, self.blue):
            expect(hand.player.seat("here")).to_have_count(1)
            hand.waits_until(hand_has_mixed(hand), "somebody adds nothing to the dice")
        self.red.page.wait_for_timeout(QUIET)  # Who came when may be told at once or one by one.
        for hand in (self.red, self.blue):
            hand.page.evaluate(FROM_HERE)
            hand.wire.forgets()

    def _hand(self, seat_player: Seated, finger: bool) -> Hand:
        hand = Hand(seat_player(finger=finger, at=self.address))
        hand.page.add_init_script(NO_LUCK)
        return hand

    def does(self, line: str) -> None:
        seat, what = line.split(" ", 1)
        hand, other = (self.red, self.blue) if seat == "R" else (self.blue, self.red)
        hand.chooses(find_offer(hand, what))
        other.waits_until(lambda: other.seq >= hand.seq, "nothing was told")
        other.looks_on()

    def seen_by(self, seat: str) -> Seen:
        hand = self.red if seat == "R" else self.blue
        wire = hand.wire
        hand.looks_on()  # Once more: a card that is turned over may have come since.
        expect(hand.page.locator("#reveal-card")).to_be_hidden()
        expect(hand.page.locator(".fresh")).to_have_count(0)  # buttons that have just come
        bodies = [
            (path, body.replace(self.address, ""))
            for path, body in wire.bodies()
            if "/qr/" not in path  # which has the address of the server in it
        ]
        return wire.page_text().replace(self.address, ""), wire.frames, bodies

    def comes_again(self, seat: str) -> None:
        """Asks for the whole page anew, and is sent all that it may know."""
        hand = self.red if seat == "R" else self.blue
        hand.wire.forgets()
        hand.page.reload()
        hand.player.sees_the_board()
        hand.looks_on()
        hand.page.wait_for_timeout(QUIET)


def hand_has_mixed(hand: Hand) -> Callable[[], bool]:
    """Tells whether all that both add to the dice is there, as the page knows."""
    return lambda: len(hand.view["table"]["mixing"]["contributors"]) == 2


def find_offer(hand: Hand, what: str) -> Offer:
    if not what.startswith("line-up"):
        return hand.offer(what)
    return [offer for offer in hand.choices if offer["kind"] == "lineup"][int(what[-1])]


def stories() -> list[Any]:
    """Each takes two servers and four browsers: most of them are long."""
    return [
        pytest.param(story, id=story.name, marks=() if story.name in SHORT else pytest.mark.long)
        for story in STORIES
    ]


@pytest.mark.parametrize("story", stories())
def test_nothing_in_a_page_depends_on_the_secret_of_another(
    seat_player: Seated, two_servers: tuple[Server, Server], story: Story
) -> None:
    one, other = (Pair(seat_player, server, story.start) for server in two_servers)
    prying = {"R": "B", "B": "R"}[story.secretive]
    for line, other_line in zip(story.one, story.other, strict=True):
        one.does(line)
        other.does(other_line)
        are_alike(one.seen_by(prying), other.seen_by(prying))
    for pair in (one, other):
        pair.comes_again(prying)
    are_alike(one.seen_by(prying), other.seen_by(prying))
    assert one.seen_by(story.secretive) != other.seen_by(story.secretive), "this compares something"


def are_alike(one: Seen, other: Seen) -> None:
    written, frames, bodies = one
    assert frames == other[1]
    assert bodies == other[2]
    assert written == other[0]
