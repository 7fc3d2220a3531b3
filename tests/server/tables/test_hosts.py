"""What strangers, partners and hosts may do to each other at a table."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from kibitz.server.tables.invitations import PARTY, WATCH, InvitationLinks
from kibitz.table.seating import People
from support.accounts import pair
from support.server_process import Guest, Server, api

BEGUN = "h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -"


@pytest.fixture
def host(server: Server) -> Guest:
    return Guest(server)


def acts(guest: Guest, table: str, text: str, **more: Any) -> dict[str, Any]:
    asked = {"key": uuid4().hex, "actions": [text], **more}
    answer = guest.client.post(api(table, "actions"), json=asked)
    told: dict[str, Any] = answer.json()
    return told


def test_a_stranger_who_calls_a_match_off_leaves_their_seat(server: Server, host: Guest) -> None:
    table = host.begins("kalamala", {"A": "me", "B": "free"}, is_open=True)
    stranger = Guest(server)
    stranger.client.get("/api/v1/me")
    assert acts(stranger, table, "sit B")["type"] == "done"
    assert acts(stranger, table, "abort")["type"] == "done"
    page = host.sits_at(table)
    assert (page.table["is_aborted"], page.seat("B")["is_free"]) == (False, True)
    assert acts(host, table, "abort")["type"] == "done"
    assert host.sits_at(table).table["is_aborted"]


def test_a_host_frees_a_seat_and_its_link_changes(server: Server, host: Guest) -> None:
    table = host.begins("kalamala", {"A": "me", "B": "free"})
    before = host.links(table)["B"]
    stranger = Guest(server)
    stranger.joins(before)
    assert acts(stranger, table, "unseat A")["type"] == "refused"
    assert acts(host, table, "unseat B")["type"] == "done"
    page = host.sits_at(table)
    assert page.seat("B")["is_free"]
    assert host.links(table)["B"] != before
    assert stranger.follows(before).status_code in (404, 409)
    Guest(server).joins(host.links(table)["B"])
    page.does("@a1")
    assert acts(host, table, "unseat B", seq=None)["type"] == "refused", "it has begun"


def test_the_first_at_a_seat_sends_a_partner_away(server: Server, host: Guest) -> None:
    table = host.begins("kalamala", {"A": "me", "B": "free"})
    first, second = Guest(server), Guest(server)
    first.joins(host.links(table)["B"])
    shared = first.links(table)["B"]
    second.joins(shared)
    assert acts(second, table, "unseat B 1")["type"] == "refused"
    host.sits_at(table).does("@a1")
    assert acts(first, table, "unseat B 2")["type"] == "done", "also while it is played"
    assert acts(second, table, "resign B")["type"] == "refused"
    assert first.links(table)["B"] != shared
    assert Guest(server).follows(shared).status_code in (404, 409)


def test_the_menu_sends_away_whom_one_may_and_nobody_else(server: Server) -> None:
    host, mate, first, second = (Guest(server) for _ in range(4))
    first.calls_himself("Aino")
    mate.calls_himself("Otso")
    table = host.begins("kalamala", {"A": "me", "B": "free"})
    mate.joins(host.links(table)["A"])
    first.joins(host.links(table)["B"])
    second.joins(first.links(table)["B"])
    everybody = (host, mate, first, second)
    offered = [unseatings(each, table) for each in everybody]
    assert offered == [
        {
            "unseat A 2": "Remove Otso from Rings",
            "unseat B": "Free the seat of Blocks",
            "unseat B 1": "Remove Aino from Blocks",
            "unseat B 2": "Remove player 2 from Blocks",
        },
        {},
        {"unseat B 2": "Remove player 2 from Blocks"},
        {},
    ]
    host.sits_at(table).does("@a1")
    del offered[0]["unseat B"]
    assert [unseatings(each, table) for each in everybody] == offered
    texts = [f"unseat {seat}{number}" for seat in "AB" for number in ("", " 1", " 2", " 3")]
    for each, allowed in zip(everybody, offered, strict=True):
        for text in texts:
            if text not in allowed:
                assert acts(each, table, text)["type"] == "refused", text
    assert acts(first, table, "unseat B 2")["type"] == "done"
    assert acts(host, table, "unseat A 2")["type"] == "done"
    assert [unseatings(each, table) for each in everybody] == [{}, {}, {}, {}]


def unseatings(guest: Guest, table: str) -> dict[str, str]:
    """What the menu has to send somebody away, by what it sends."""
    menu = guest.sits_at(table).table["menu"]
    return {each["text"]: each["label"] for each in menu if each["text"].startswith("unseat")}


def test_a_host_who_plays_asks_another_side_for_a_ruling(server: Server, host: Guest) -> None:
    table = host.begins(
        "as-kimble", {"R": "me", "B": "free", "Y": "greedy", "G": "greedy"}, start=BEGUN
    )
    other = Guest(server)
    other.joins(host.links(table)["B"])
    red, blue = host.sits_at(table), other.sits_at(table)
    fine = 'ref pen B +500 "because I am the host"'
    assert acts(host, table, fine, seat="referee")["type"] == "done"
    asked = blue.waits_until(lambda page: bool(page.table["request"]))
    assert blue.table["request"]["is_yours"], asked
    assert blue.codes == []
    blue.does("decline")
    red.waits_until(lambda page: page.table["request"] is None)
    assert red.codes == []
    small = 'ref pen R +1 "my own mistake"'
    assert acts(host, table, small, seat="referee")["type"] == "done"
    blue.waits_until(lambda page: bool(page.table["request"]))
    blue.does("agree")
    assert blue.codes == [small]
    assert acts(other, table, f"ask {fine}")["type"] == "refused", "the host alone asks for one"


def test_friends_in_one_team_ask_the_bots_for_a_ruling(server: Server, host: Guest) -> None:
    """Nobody else is there to agree; level 6 sees what would cost it the match."""
    bots = dict.fromkeys("BYG", "level-6")
    table = host.begins("as-kimble", {"R": "me", **bots}, start=BEGUN)
    Guest(server).joins(host.links(table)["R"])
    page = host.sits_at(table)
    small, large = 'ref pen B +1 "spilt"', 'ref pen G +500 "because I am the host"'
    assert acts(host, table, small, seat="referee")["type"] == "done"
    page.waits_until(lambda page: page.codes == [small])
    assert acts(host, table, large, seat="referee")["type"] == "done"
    page.waits_until(lambda page: page.table["request"] is None)
    assert page.codes == [small]


def test_a_host_alone_and_a_book_rule_as_before(host: Guest) -> None:
    seats = {"R": "me", "B": "greedy", "Y": "greedy", "G": "greedy"}
    alone = host.begins("as-kimble", seats, start=BEGUN)
    book = host.begins("as-kimble", options={"mode": "companion"})
    for table in (alone, book):
        page = host.sits_at(table)
        assert acts(host, table, 'ref rule "a note"', seat="referee")["type"] == "done"
        assert page.table["request"] is None


def test_accounts_alone_write_where_the_host_wants_it_so(server: Server, host: Guest) -> None:
    table = host.begins("kalamala", {"A": "me", "B": "free"}, is_open=True)
    Guest(server).joins(host.links(table)["B"])
    stranger = Guest(server)
    stranger.client.get("/api/v1/me")
    chat = api(table, "chat")
    assert stranger.client.post(chat, json={"text": "hello"}).is_success
    assert host.client.post(f"{chat}/moderation", json={"do": "accounts"}).is_success
    refused = stranger.client.post(chat, json={"text": "hello"})
    assert (refused.status_code, refused.json()["code"]) == (422, "chat-accounts")
    assert host.client.post(chat, json={"text": "mine"}).is_success, "players write"
    assert host.client.post(f"{chat}/moderation", json={"do": "everybody"}).is_success
    assert stranger.client.post(chat, json={"text": "hello"}).is_success


def test_whoever_was_sent_away_does_not_write_as_somebody_new(server: Server, host: Guest) -> None:
    table = host.begins("kalamala", {"A": "me", "B": "free"}, is_open=True)
    Guest(server).joins(host.links(table)["B"])
    stranger, again = Guest(server), Guest(server)
    for each in (stranger, again):
        each.client.get("/api/v1/me")
    chat = api(table, "chat")
    assert stranger.client.post(chat, json={"text": "rude"}).is_success
    (who,) = [
        each["who"] for each in host.reads(table, "chat")["people"] if each["room"] != "members"
    ]
    assert host.client.post(
        f"{chat}/moderation", json={"do": "remove-person", "who": who}
    ).is_success
    refused = again.client.post(chat, json={"text": "rude again"})
    assert (refused.status_code, refused.json()["code"]) == (422, "chat-sent-away")
    assert again.client.get(api(table, "view")).is_success, "looking is for everybody"


def test_whoever_looks_on_at_a_rated_match_writes_when_it_is_over(server: Server) -> None:
    """A player reads their room with another browser."""
    ann, _, table = pair(server, settings={"rated": True}, is_open=True)
    stranger = Guest(server)
    stranger.client.get("/api/v1/me")
    ann.sits_at(table).does("@a1")
    refused = stranger.client.post(api(table, "chat"), json={"text": "d6 wins"})
    assert (refused.status_code, refused.json()["code"]) == (422, "chat-rated")
    assert ann.client.post(api(table, "chat"), json={"text": "hello"}).is_success
    ann.sits_at(table).does("resign A")
    assert stranger.client.post(api(table, "chat"), json={"text": "d6 won"}).is_success


def test_links_to_look_change_when_somebody_was_sent_away() -> None:
    """Also that of a party screen, which shows the links of all seats."""
    links, people = InvitationLinks(b"s" * 32), People(host="ann", members={"R": ("ann",)})
    for place in (WATCH, PARTY):
        before, after = (links.token("t", place, people, turned) for turned in (0, 1))
        assert before != after
        assert links.place_of("t", before, people, 1) is None
        assert links.place_of("t", after, people, 1) == place
