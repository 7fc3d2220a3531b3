"""Two servers with the same luck and other secrets: nobody else can tell them apart by a byte.

Everybody listens on a socket of their own, and asks for all there is by HTTP after each step.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest

from kibitz.games.kahmate.line_ups import LINE_UPS
from kibitz.games.kahmate.notation import write_action
from support.masked_links import without_masks
from support.server_process import Guest, Page, Server, api

DUEL = "13/13/13/13/13/5OFs5/13/13 R play - g6 123456/123456 0-0 8 -"
"""Red can force his way through on g6."""
AT_LAST = ("", "view", "view?is_tall=1&since=4", "position", "seal", "links")
MEN = "STFCOO"


def men(*squares: str) -> list[str]:
    return [f"{man}@{square}" for man, square in zip(MEN, squares, strict=False)]


def ready(number: int, side: str) -> str:
    """A line-up sent as one."""
    return " ".join(write_action(place) for place in LINE_UPS[number].placements(side))


RED = men("b1", "b2", "b3", "b4", "b5", "b6")
OTHER_RED = men("c8", "c7", "c6", "b5", "b4", "b3")
BLUE = men("l1", "l2", "l3", "l4", "l5", "l6")
OTHER_BLUE = men("k8", "k7", "l3", "k4", "l8", "k1")


@dataclass(frozen=True)
class Story:
    """What everybody does, in two versions of which only one side's secrets differ."""

    name: str
    secretive: str
    one: list[str]
    other: list[str]
    start: str = "start"

    @property
    def versions(self) -> tuple[list[str], list[str]]:
        return self.one, self.other


def lines(seat: str, *texts: str) -> list[str]:
    return [f"{seat}: {text}" for text in texts]


STORIES = [
    Story("placed in turn", "R", lines("R", *RED), lines("R", *OTHER_RED)),
    Story("placed ahead of turn", "B", lines("B", *BLUE), lines("B", *OTHER_BLUE)),
    Story(
        "both at once, and only one differs",
        "B",
        [
            line
            for pair in zip(lines("R", *RED), lines("B", *BLUE[:5]), strict=False)
            for line in pair
        ],
        [
            line
            for pair in zip(lines("R", *RED), lines("B", *OTHER_BLUE[:5]), strict=False)
            for line in pair
        ],
    ),
    Story(
        "second thoughts in turn",
        "R",
        lines("R", *RED[:4], "back 1", *RED[1:5], "back 4", RED[4]),
        lines("R", *OTHER_RED[:4], "back 1", *OTHER_RED[1:5], "back 4", OTHER_RED[4]),
    ),
    Story(
        "second thoughts ahead of turn",
        "B",
        [*lines("R", *RED[:2]), *lines("B", *BLUE[:3], "back 2", "back 2", *BLUE[1:])],
        [*lines("R", *RED[:2]), *lines("B", *OTHER_BLUE[:3], "back 2", "back 2", *OTHER_BLUE[1:])],
    ),
    Story("a ready-made line-up", "R", lines("R", ready(0, "R")), lines("R", ready(1, "R"))),
    Story("a ready-made line-up, ahead", "B", lines("B", ready(2, "B")), lines("B", ready(3, "B"))),
    Story(
        "a card in turn",
        "R",
        lines("R", "g6>h6", "card=1"),
        lines("R", "g6>h6", "card=6"),
        start=DUEL,
    ),
    Story(
        "a card ahead of turn",
        "B",
        [*lines("R", "g6>h6"), *lines("B", "card=2")],
        [*lines("R", "g6>h6"), *lines("B", "card=5")],
        start=DUEL,
    ),
    Story(
        "a second card after a tie",
        "R",
        [*lines("R", "g6>h6", "card=4"), *lines("B", "card=2"), *lines("R", "card=1")],
        [*lines("R", "g6>h6", "card=4"), *lines("B", "card=2"), *lines("R", "card=6")],
        start=DUEL,
    ),
    Story(
        "a second card after a tie, ahead",
        "B",
        [*lines("R", "g6>h6", "card=4"), *lines("B", "card=2", "card=1")],
        [*lines("R", "g6>h6", "card=4"), *lines("B", "card=2", "card=6")],
        start=DUEL,
    ),
]


@dataclass
class Messages:
    """All that somebody was told, as it came."""

    frames: list[str] = field(default_factory=list)
    bodies: list[tuple[str, str]] = field(default_factory=list)
    on_coming: str = ""


class Evening:
    """Ann and Bob play Kahmaté, Cleo watches, and Dora is their referee."""

    def __init__(self, server: Server, start: str) -> None:
        self.server = server
        self.people = {who: Guest(server) for who in ("R", "B", "watch", "referee")}
        ann = self.people["R"]
        self.table = ann.begins("kahmate", {"R": "me", "B": "free"}, start=start, entropy="ann")
        links = ann.links(self.table)
        for who in ("B", "watch", "referee"):
            assert self.people[who].joins(links[who], entropy=who) == who
        self.pages = {who: guest.sits_at(self.table) for who, guest in self.people.items()}
        for captain in ("R", "B"):
            self.pages[captain].does("agree")
        self.heard = {who: Messages() for who in self.people}
        self._let_all_settle()

    def _let_all_settle(self) -> None:
        """Who came when is no secret, and may be told at once or one by one."""
        seq = max(page.view["seq"] for page in self.pages.values())
        for page in self.pages.values():
            page.waits_for(seq)
        time.sleep(0.2)
        for page in self.pages.values():
            while not page.is_left_alone(0.02):
                pass
            page.frames.clear()

    def goes_on(self, number: int, line: str) -> None:
        seat, texts = line.split(": ")
        acting = self.pages[seat]
        said = {"type": "act", "key": f"key {number}", "seat": seat, "actions": texts.split(" ")}
        if texts.startswith("back"):
            said["actions"] = [texts]
        answer = acting.says(said)
        assert answer["type"] == "done", answer
        for page in self.pages.values():
            page.waits_for(answer["seq"])
        for who, page in self.pages.items():
            self._pries(who, page)

    def _pries(self, who: str, page: Page) -> None:
        """Whoever is curious asks, tries, and reads what is to be had."""
        if who in ("R", "B"):
            for place in ("sq-b1", "sq-l8", "card-1"):
                page.says({"type": "explain", "key": "why", "seat": who, "path": [place]})
        refused = page.says({"type": "act", "key": "no", "actions": ["resign X"]})
        assert refused["type"] == "refused"
        self._reads(who, api(self.table, "record"))

    def _without_server(self, text: str) -> str:
        """The part that is the same on every server: no mask, and no address of its own."""
        return without_masks(text).replace(self.server.address, "")

    def _reads(self, who: str, *paths: str) -> None:
        for path in paths:
            answer = self.people[who].client.get(path)
            assert answer.status_code == 200
            self.heard[who].bodies.append((path, self._without_server(answer.text)))

    def closes(self) -> dict[str, Messages]:
        for who, page in self.pages.items():
            self._reads(who, *(api(self.table, what) for what in AT_LAST))
            self._reads(who, f"{self.table}/position", f"{self.table}/record", self.table)
            self.heard[who].frames = page.frames
            self.heard[who].on_coming = self.people[who].sits_at(self.table).frames[0]
        for guest in self.people.values():
            guest.leaves()
        return self.heard


def messages_by_viewer(server: Server, story: Story, version: list[str]) -> dict[str, Messages]:
    evening = Evening(server, story.start)
    for number, line in enumerate(version):
        evening.goes_on(number, line)
    return evening.closes()


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """One worker each: two would share their luck in any order."""
    luck = {"program": "support.servers.deterministic", "KIBITZ_WORKERS": "1"}
    with (
        Server(tmp_path_factory.mktemp("one"), **luck) as one,
        Server(tmp_path_factory.mktemp("other"), **luck) as other,
    ):
        yield one, other


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_nobody_else_is_sent_a_byte_that_depends_on_a_secret(
    two_servers: tuple[Server, Server], story: Story
) -> None:
    with ThreadPoolExecutor() as at_once:
        one, other = at_once.map(messages_by_viewer, two_servers, (story, story), story.versions)
    assert len(one) == 4
    for viewer in one:
        if viewer == story.secretive:
            assert one[viewer].frames != other[viewer].frames, "else this compares nothing"
            assert one[viewer].bodies != other[viewer].bodies
            assert one[viewer].on_coming != other[viewer].on_coming
        else:
            assert len(one[viewer].frames) >= 2 * len(story.one)
            assert one[viewer].frames == other[viewer].frames
            assert one[viewer].bodies == other[viewer].bodies
            assert one[viewer].on_coming == other[viewer].on_coming


def test_both_servers_have_the_same_luck(two_servers: tuple[Server, Server]) -> None:
    """The envelope, the ids and the dice: the stories above differ by nothing else."""
    seen: list[Any] = []
    for server in two_servers:
        guest = Guest(server)
        table = guest.begins("duel", {"A": "me", "B": "me"})
        page = guest.sits_at(table)
        for seat, text in (("A", "c3"), ("B", "c1")):
            page.unveils(seat)
            page.acts(text)
        page.acts()
        seen.append((table, guest.reads(table), guest.reads(table, "seal"), page.codes[-1]))
        guest.leaves()
    assert seen[0] == seen[1]


def test_cards_are_turned_over_for_everybody_once_both_are_down(
    two_servers: tuple[Server, Server],
) -> None:
    """A tie, so that it happens twice; nobody has any of it a frame earlier."""
    evening = Evening(two_servers[0], DUEL)
    story = ["R: g6>h6", "R: card=4", "B: card=2", "B: card=1", "R: card=6"]
    heard = []
    for number, line in enumerate(story):
        evening.goes_on(number, line)
        heard.append({who: _turned_over(page) for who, page in evening.pages.items()})
    evening.closes()
    first, second = ("4", "2"), ("6", "1")
    cards = [[], [], [first], [first], [first, second]]
    assert heard == [dict.fromkeys(evening.pages, shown) for shown in cards]


def _turned_over(page: Page) -> list[tuple[str, ...]]:
    events = (event for view in page.views for event in view["events"])
    return [
        tuple(side["card"] for side in event["reveal"]["sides"])
        for event in events
        if event["reveal"]
    ]
