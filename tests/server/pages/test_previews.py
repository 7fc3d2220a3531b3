"""Links as messengers show them: the head of a page, without cookies or scripts, and a picture."""

from __future__ import annotations

import re
import struct
from html.parser import HTMLParser
from typing import NamedTuple

import httpx
import pytest

from kibitz.server.http.link_preview import PICTURE_HEIGHT, PICTURE_WIDTH
from kibitz.server.pages.link_picture import table_svg
from support.masked_links import without_masks
from support.server_process import Guest, Server, api
from support.twins import twins
from support.words import sentence

MESSENGER = {"User-Agent": "WhatsApp/2.23.20.0", "Accept": "text/html"}
NEAR = "13/13/13/11T1/13/9o3/13/13 R play - l4 123456/123456 0-0 9 -"
"""Red is one step from a try."""
LINE_UPS = (
    ["S@b1", "T@b2", "F@b3", "C@b4", "O@b5", "O@b6"],
    ["S@c8", "T@c7", "F@c6", "C@b5", "O@b4", "O@b3"],
)


class Head(HTMLParser):
    """The properties in the head of a page, as messengers read them, and nothing behind it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(page.partition("</head>")[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        name = said.get("property") or said.get("name") or ""
        if tag == "meta" and name.startswith(("og:", "twitter:")):
            assert name not in self.found, f"{name} twice"
            self.found[name] = said["content"] or ""


class Preview(NamedTuple):
    said: dict[str, str]
    picture: bytes


def preview_of(server: Server, path: str) -> Preview:
    """By somebody who never was here."""
    with httpx.Client(base_url=server.address, headers=MESSENGER, follow_redirects=True) as bot:
        answer = bot.get(path)
        assert answer.status_code == 200, (path, answer.text)
        said = Head(answer.text).found
        shown = bot.get(said["og:image"])
        assert (shown.status_code, shown.headers["content-type"]) == (200, "image/png"), path
        return Preview(said, shown.content)


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def play_red_win(guest: Guest, **more: object) -> str:
    seats = {"R": "me", "B": "me"}
    table = guest.begins("kahmate", seats, start=NEAR, options={"tries": 1}, **more)
    guest.sits_at(table).does("l4-m4")
    return table


def shared_address(guest: Guest, table: str, page: str = "result") -> str:
    """The address that the share button of a page gives."""
    shown = guest.client.get(f"{table}/{page}").text
    found = re.search(r'data-(?:share|link)="([^"]+)"', shown)
    assert found, shown
    return found[1].removeprefix(guest.server.address)


def test_every_link_has_a_title_a_text_and_a_picture(server: Server) -> None:
    host = Guest(server)
    host.calls_himself("Aino")
    open_table = host.begins("kalamala", {"A": "me", "B": "free"}, is_open=True)
    private = host.begins("kahmate", {"R": "me", "B": "free"})
    book = host.begins("as-kimble", options={"mode": "companion"})
    sent = {"key": "k", "actions": ['ref end "late"'], "seat": "referee"}
    assert host.client.post(api(book, "actions"), json=sent).status_code == 200
    line = "/analysis/kalamala?moves=@a1,@h8"
    expected = {
        "/": "Kibitz",
        "/rules/kahmate": "Kahmaté",
        "/learn/kalamala": sentence("page.learn", title="Kalamala"),
        line: "Kalamala",
        open_table: "Kalamala",
        host.links(private)["room"]: sentence("page.invited-by", host="Aino", game="Kahmaté"),
        host.links(private)["referee"]: sentence("page.invited-by", host="Aino", game="Kahmaté"),
        shared_address(host, play_red_win(host)): "Red won",
        shared_address(host, book, "night"): sentence("page.no-winner"),
    }
    pictures = {}
    for path, title in expected.items():
        said, picture = preview_of(server, path)
        assert title in said["og:title"], path
        assert said["og:site_name"] == "Kibitz"
        assert said["og:type"] in ("website", "article")
        assert said["twitter:card"] == "summary_large_image"
        assert said["og:url"] == server.address + path
        assert said["og:image"].startswith(f"{server.address}/"), "whole, as nobody completes it"
        assert 0 < len(said["og:description"]) <= 200
        assert said["og:image:alt"]
        told = int(said["og:image:width"]), int(said["og:image:height"])
        assert size_of(picture) == told == (PICTURE_WIDTH, PICTURE_HEIGHT)
        pictures[path] = picture
    assert pictures[line] != preview_of(server, "/analysis/kalamala").picture
    assert pictures[line] == preview_of(server, "/analysis/kalamala?moves=@a1,@h8").picture


def test_a_link_speaks_the_language_of_whoever_opened_the_table(server: Server) -> None:
    host = Guest(server)
    host.client.post("/language", data={"language": "fi", "back": "/"})
    table = host.begins("kalamala", {"A": "me", "B": "free"})
    said = preview_of(server, host.links(table)["room"]).said
    assert said["og:title"] == sentence("page.invited", "fi", game="Kalamala")
    assert said["og:description"] == sentence("kalamala.tagline", "fi")


def test_a_shared_result_is_a_page_for_everybody(server: Server) -> None:
    host, late = Guest(server), Guest(server)
    host.calls_himself("Aino")
    table = play_red_win(host)
    address, stranger = shared_address(host, table), Guest(server)
    answer = stranger.client.get(address)
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    page = answer.text
    assert "Red won" in page
    assert "Aino" in page
    assert 'name="name"' not in page
    assert "/join/" not in page
    assert 'id="rematch"' not in page
    for link in re.findall(r'href="(/[^"#]*)', page):
        path = link.replace("&amp;", "&")
        assert stranger.client.get(path).status_code == 200, path
    record = stranger.client.get(f"{address}/record").json()
    assert record["actions"] == ["l4-m4"]
    assert stranger.client.get(table).status_code == 404, "the table itself stays closed"
    key = address.rsplit("/", 1)[1]
    assert late.client.post(f"/join/{table[3:]}/{key}").status_code == 404, "nor is it a way in"
    for wrong in (f"{address}x", address.replace(table[3:], "nowhere")):
        assert stranger.client.get(wrong).status_code == 404


def test_the_address_of_a_result_opens_nothing_while_the_match_goes_on(server: Server) -> None:
    host, stranger = Guest(server), Guest(server)
    table = host.begins("as-kimble", dict.fromkeys("RBYG", "me"))
    board = host.sits_at(table)
    board.acts()
    assert not re.search(r'data-share="[^"]', host.client.get(f"{table}/result").text)
    position = host.client.get(f"{table}/position").text.strip()
    board.does('ref end "oops"')
    address = shared_address(host, table)
    tails = ("", "/record", "/preview.png")
    assert {stranger.client.get(address + tail).status_code for tail in tails} == {200}
    board.does(f'ref set "{position}" "it was not over"')
    assert {stranger.client.get(address + tail).status_code for tail in tails} == {404}


def test_the_link_of_a_room_leads_to_the_result_once_it_is_over(server: Server) -> None:
    host, friend = Guest(server), Guest(server)
    table = host.begins("kalamala", {"A": "me", "B": "free"})
    links = host.links(table)
    friend.joins(links["B"])
    host.sits_at(table).acts("@a1")
    friend.sits_at(table).does("resign B")
    late = Guest(server)
    for place in ("room", "watch"):
        answer = late.client.get(links[place], follow_redirects=True)
        assert answer.status_code == 200
        assert 'name="name"' not in answer.text
        assert str(answer.url).endswith(shared_address(host, table))


def test_pictures_of_twins_are_the_same() -> None:
    for pair in twins(12, seed=3):
        assert table_svg(pair.one) == table_svg(pair.other), pair.kind


@pytest.mark.parametrize("is_open", [False, True])
def test_two_tables_that_differ_in_something_hidden_have_the_same_previews_and_pages(
    server: Server, is_open: bool
) -> None:
    """An open table by its own page, a private one by the link of its room."""
    seen = []
    for men in LINE_UPS:
        host, stranger = Guest(server), Guest(server)
        host.calls_himself("Aino")
        table = host.begins("kahmate", {"R": "me", "B": "free"}, is_open=is_open)
        link = host.links(table)["room"]
        friend = Guest(server)
        friend.joins(link)
        sent = {"key": "k", "actions": men, "seat": "R"}
        assert host.client.post(api(table, "actions"), json=sent).status_code == 200
        path = table if is_open else link
        said, picture = preview_of(server, path)
        page = without_masks(stranger.client.get(path).text)
        names = re.compile(rf"/join/[^\"&]+|{table[3:]}")
        seen.append((names.sub("...", f"{said}"), picture, names.sub("...", page)))
    one, other = seen
    assert one == other
