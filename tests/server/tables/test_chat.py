"""What people say to each other at a table: who reads it, who may write, and what a host can do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from websockets.exceptions import ConnectionClosed

from kibitz.server.tables.chat import MAX_LINES_PER_ROOM, MAX_MESSAGE_CHARS, clean_text
from kibitz.server.tables.connection import CLOSE_BANNED
from support.server_process import Guest, Page, Server, api, at_last

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>"


class Evening:
    """Aino and Marc play, Aino is the host; Seb and Sue look on."""

    def __init__(self, server: Server, **more: Any) -> None:
        self.aino, self.marc, self.seb, self.sue = (Guest(server) for _ in range(4))
        self.table = self.aino.begins("kalamala", {"A": "me", "B": "free"}, **more)
        links = self.aino.links(self.table)
        self.marc.joins(links["B"])
        self.seb.joins(links["watch"])
        self.sue.joins(links["watch"])
        for guest, name in ((self.aino, "Aino"), (self.marc, "Marc"), (self.seb, "Seb")):
            guest.calls_himself(name)

    def ends(self) -> None:
        self.marc.sits_at(self.table).does("resign B")


@pytest.fixture
def evening(server: Server) -> Evening:
    return Evening(server)


def writes(guest: Guest, table: str, text: str, **more: Any) -> int:
    answer = guest.client.post(api(table, "chat"), json={"text": text, **more})
    assert answer.status_code == 200, answer.text
    n: int = answer.json()["n"]
    return n


def is_refused(guest: Guest, table: str, text: str, **more: Any) -> str:
    answer = guest.client.post(api(table, "chat"), json={"text": text, **more})
    assert answer.status_code == 422, answer.text
    error: str = answer.json()["code"]
    return error


def moderates(guest: Guest, table: str, do: str, status: int = 200, **more: str) -> dict[str, Any]:
    answer = guest.client.post(api(table, "chat/moderation"), json={"do": do, **more})
    assert answer.status_code == status, answer.text
    told: dict[str, Any] = answer.json()
    return told


def removes(guest: Guest, table: str, n: int, status: int = 200) -> dict[str, Any]:
    answer = guest.client.delete(api(table, f"chat/{n}"))
    assert answer.status_code == status, answer.text
    told: dict[str, Any] = answer.json()
    return told


def reads(guest: Guest, table: str) -> list[str]:
    return [line["text"] for line in guest.reads(table, "chat")["chat"]["lines"]]


def who(host: Guest, table: str, name: str) -> str:
    people = host.reads(table, "chat")["people"]
    found: str = next(each["who"] for each in people if each["name"] == name)
    return found


def says(page: Page, text: str, **more: Any) -> dict[str, Any]:
    return page.says({"type": "say", "key": uuid4().hex, "text": text, **more})


def hears(page: Page, text: str) -> dict[str, Any]:
    """Wait for a line over the socket."""
    while True:
        for line in page.hears("chat")["lines"]:
            if line["text"] == text:
                found: dict[str, Any] = line
                return found


def test_players_and_spectators_talk_apart(evening: Evening) -> None:
    aino, marc, seb, table = evening.aino, evening.marc, evening.seb, evening.table
    writes(aino, table, "Hello Marc")
    writes(seb, table, "She should push")
    writes(marc, table, "Hello Aino")
    assert reads(marc, table) == reads(aino, table) == ["Hello Marc", "Hello Aino"]
    assert reads(seb, table) == ["Hello Marc", "She should push", "Hello Aino"]
    assert reads(evening.sue, table) == reads(seb, table)
    evening.ends()
    assert reads(marc, table) == ["Hello Marc", "She should push", "Hello Aino"]
    writes(marc, table, "Ah, that")
    assert reads(seb, table)[-1] == "Ah, that"


def test_a_line_says_whose_it_is(evening: Evening) -> None:
    aino, marc, seb, table = evening.aino, evening.marc, evening.seb, evening.table
    writes(aino, table, "a")
    writes(marc, table, "b")
    writes(seb, table, "c")
    lines = seb.reads(table, "chat")["chat"]["lines"]
    assert [(e["name"], e["seat"], e["role"], e["room"], e["is_mine"]) for e in lines] == [
        ("Aino", "A", "host", "members", False),
        ("Marc", "B", "", "members", False),
        ("Seb", "", "", "spectators", True),
    ]
    assert {line["who"] for line in lines} == {""}, "only a host is told whom to mute"
    assert all(line["who"] for line in aino.reads(table, "chat")["chat"]["lines"])


def test_it_comes_over_the_socket_and_only_to_those_who_may_read_it(evening: Evening) -> None:
    table = evening.table
    aino, marc, seb = (guest.sits_at(table) for guest in (evening.aino, evening.marc, evening.seb))
    assert says(marc, "Hi", room="members")["type"] == "done"
    assert hears(aino, "Hi")["name"] == "Marc"
    assert says(seb, "Psst")["type"] == "done"
    assert hears(seb, "Psst")["is_mine"]
    assert says(aino, "Your turn?")["type"] == "done"
    hears(marc, "Your turn?")
    for page in (aino, marc):
        assert "Psst" not in "".join(page.frames)


def test_an_open_page_is_told_what_its_people_may_read_now(evening: Evening) -> None:
    """A room closes for whoever sits down and opens with the end of the match, without a line."""
    aino, sue, table = evening.aino, evening.sue, evening.table
    page = sue.sits_at(table)
    writes(evening.seb, table, "Psst")
    hears(page, "Psst")
    evening.marc.sits_at(table).does("stand B")
    sue.joins(aino.links(table)["B"])
    while page.hears("chat")["rooms"] != ["members"]:
        pass
    aino.sits_at(table).does("resign A")
    hears(page, "Psst")


def test_what_was_meant_for_the_other_room_is_not_said(evening: Evening) -> None:
    """Somebody may have sat down since they began to type."""
    page = evening.marc.sits_at(evening.table)
    answer = says(page, "He has to push", room="spectators")
    assert (answer["type"], answer["code"]) == ("refused", "chat-room")
    assert is_refused(evening.seb, evening.table, "x", room="members") == "chat-room"


def test_who_comes_back_catches_up(evening: Evening) -> None:
    table = evening.table
    page = evening.marc.sits_at(table)
    writes(evening.aino, table, "one")
    hears(page, "one")
    first = writes(evening.aino, table, "two")
    heard = page.hears("chat")
    assert heard["n"] == first
    page.leaves()
    writes(evening.aino, table, "three")
    writes(evening.seb, table, "not for you")
    removes(evening.aino, table, first)
    again = evening.marc.sits_at(table, f"is_tall=0&chat_since={first}&rooms=members")
    told = again.hears("chat")
    if not told["is_whole"]:  # Another worker may not have been there.
        assert [line["text"] for line in told["lines"]] == ["three"]
        assert told["removed"] == [first]
    else:
        assert [line["text"] for line in told["lines"]] == ["one", "", "three"]
    anew = evening.marc.sits_at(table, "is_tall=0&chat_since=9999&rooms=members").hears("chat")
    assert anew["is_whole"]
    assert [line["text"] for line in anew["lines"]] == ["one", "", "three"]


def test_what_is_removed_is_gone_from_the_disk(evening: Evening) -> None:
    aino, marc, table = evening.aino, evening.marc, evening.table
    page = aino.sits_at(table)
    mine = writes(marc, table, "my address is 12 Some Street")
    hers = writes(aino, table, "hers")
    hears(page, "hers")
    assert removes(marc, table, hers, 422)["code"] == "table.host-only"
    removes(marc, table, mine)
    assert page.hears("chat")["removed"] == [mine]
    assert reads(aino, table) == ["", "hers"]
    rows = evening.aino.server.read_rows(
        "SELECT text FROM chat WHERE table_id = :id ORDER BY n", id=table.split("/")[-1]
    )
    assert [row["text"] for row in rows] == ["", "hers", str(mine)]
    removes(aino, table, hers)
    assert removes(aino, table, hers, 422)["code"] == "table.host-only"
    assert removes(aino, table, 12345, 422)["code"] == "chat-no-line"


def test_a_host_cannot_remove_what_they_may_not_read(evening: Evening) -> None:
    n = writes(evening.seb, evening.table, "advice")
    refused = removes(evening.aino, evening.table, n, 422)
    assert refused["code"] == "chat-no-line"


def test_a_host_turns_it_off_and_on(evening: Evening) -> None:
    aino, marc, seb, table = evening.aino, evening.marc, evening.seb, evening.table
    page = marc.sits_at(table)
    writes(aino, table, "before")
    hears(page, "before")
    assert moderates(marc, table, "close", 422)["code"] == "table.host-only"
    moderates(aino, table, "close")
    told = page.hears("chat")
    assert not told["is_open"]
    assert "turned off the chat" in told["why_not"]
    for guest in (aino, marc, seb):
        assert is_refused(guest, table, "x") == "chat-off"
    assert reads(marc, table) == ["before"]
    moderates(aino, table, "open")
    assert page.hears("chat")["why_not"] == ""
    writes(marc, table, "after")


def test_a_table_may_open_without(server: Server) -> None:
    evening = Evening(server, settings={"chat": False})
    assert is_refused(evening.marc, evening.table, "x") == "chat-off"
    assert not evening.marc.reads(evening.table, "chat")["chat"]["is_open"]
    moderates(evening.aino, evening.table, "open")
    writes(evening.marc, evening.table, "x")


def test_a_rematch_keeps_the_switch(evening: Evening) -> None:
    moderates(evening.aino, evening.table, "close")
    aino, marc = evening.aino.sits_at(evening.table), evening.marc.sits_at(evening.table)
    marc.does("resign B")
    marc.does("ask rematch")
    aino.waits_until(lambda page: bool(page.table["request"]))
    aino.does("agree")
    aino.waits_until(lambda page: bool(page.table["next"]))
    assert is_refused(evening.marc, aino.table["next"], "x") == "chat-off"


def test_a_host_mutes_somebody(evening: Evening) -> None:
    aino, marc, seb, table = evening.aino, evening.marc, evening.seb, evening.table
    marcs = who(aino, table, "Marc")
    assert moderates(marc, table, "mute", 422, who=marcs)["code"] == "table.host-only"
    assert moderates(aino, table, "mute", 422, who="nobody")["code"] == "chat-nobody"
    page = marc.sits_at(table)
    moderates(aino, table, "mute", who=marcs)
    page.waits_until(lambda page: "muted you" in page.frames[-1])
    assert is_refused(marc, table, "x") == "chat-muted"
    writes(aino, table, "still here")
    writes(seb, table, "so am I")
    people = {each["name"]: each for each in aino.reads(table, "chat")["people"]}
    assert people["Marc"]["is_muted"]
    assert not people["Seb"]["is_muted"]
    moderates(aino, table, "unmute", who=marcs)
    writes(marc, table, "thanks")


def test_only_a_host_is_told_who_is_there(evening: Evening) -> None:
    people = {
        each["name"]: each["room"] for each in evening.aino.reads(evening.table, "chat")["people"]
    }
    assert people == {"Marc": "members", "Seb": "spectators", "": "spectators"}
    for guest in (evening.marc, evening.seb):
        assert guest.reads(evening.table, "chat")["people"] == []


def test_who_is_sent_away_stays_away(evening: Evening) -> None:
    aino, marc, seb, table = evening.aino, evening.marc, evening.seb, evening.table
    link = aino.links(table)["watch"]
    page, other = seb.sits_at(table), evening.sue.sits_at(table)
    assert (
        moderates(aino, table, "remove-person", 422, who=who(aino, table, "Marc"))["code"]
        == "chat-has-role"
    )
    moderates(aino, table, "remove-person", who=who(aino, table, "Seb"))
    with pytest.raises(ConnectionClosed) as closed:
        page.waits_until(lambda page: False)
    assert closed.value.rcvd
    assert closed.value.rcvd.code == CLOSE_BANNED
    assert seb.client.get(api(table)).status_code == 404
    assert seb.client.get(table).status_code == 404
    assert seb.follows(link).status_code == 404, "the link is another one now"
    fresh = aino.links(table)["watch"]
    assert fresh != link
    assert seb.follows(fresh).json()["code"] == "sent-away"
    stranger = Guest(seb.server)
    assert stranger.follows(link).status_code == 404
    assert stranger.joins(fresh) == "watch"
    assert says(other, "still here")["type"] == "done"
    marc.reads(table)

    moderates(aino, table, "readmit", who=who(aino, table, "Seb"))
    assert seb.joins(aino.links(table)["watch"]) == "watch"


def test_who_is_sent_away_from_an_open_table_does_not_see_it(server: Server) -> None:
    evening = Evening(server, is_open=True)
    aino, seb, table = evening.aino, evening.seb, evening.table
    moderates(aino, table, "remove-person", who=who(aino, table, "Seb"))
    assert seb.client.get(api(table)).status_code == 404
    assert evening.sue.client.get(api(table)).status_code == 200


@pytest.mark.parametrize("seats", [{"A": "me", "B": "me"}, {"A": "me", "B": "greedy"}])
def test_who_plays_alone_has_nobody_to_write_to(guest: Guest, seats: dict[str, str]) -> None:
    table = guest.begins("kalamala", seats)
    assert is_refused(guest, table, "x") == "chat-alone"
    assert guest.client.get(api(table, "chat")).json()["code"] == "chat-alone"
    page = guest.sits_at(table)
    page.does("ask adjourn")
    assert '"type":"chat"' not in "".join(page.frames)


def test_around_a_real_board_people_talk(guest: Guest) -> None:
    table = guest.begins("as-kimble", options={"mode": "companion"})
    Guest(guest.server).joins(guest.links(table)["R"])
    assert is_refused(guest, table, "x") == "chat-alone"


def test_strangers_may_not_write(server: Server) -> None:
    evening = Evening(server, is_open=True)
    nobody = Guest(server)
    assert is_refused(nobody, evening.table, "x") == "chat-not-present"


def test_words_are_kept_as_words(evening: Evening) -> None:
    for text in (
        EVIL,
        "👩‍👩‍👧 👍🏽 ❤️",
        "שלום",
        "1 < 2 & 3 > 2",
        "https://example.org/",
        ":nothing:",
    ):
        writes(evening.aino, evening.table, text)
        assert reads(evening.marc, evening.table)[-1] == text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("  a \n\n b\t c ", "a b c"),
        ("a\u202eb\u2066c\u200fd", "abcd"),
        ("a\x00b\x1b[31mc\u2028d", "a b [31mc d"),
        ("a\ufeff\u200bb", "ab"),
        ("a" + "\u0336" * 40, "a" + "\u0336" * 4),
        ("e\u0301", "é"),
        ("\ue000x", "x"),
        ("\u200d \u0301\u200c", ""),
        ("\u202e", ""),
        ("!", "!"),
        ("👨\u200d👧", "👨\u200d👧"),
    ],
)
def test_what_cannot_be_seen_is_left_out(typed: str, said: str) -> None:
    assert clean_text(typed) == said


def test_nothing_and_too_much_is_refused(evening: Evening) -> None:
    assert is_refused(evening.aino, evening.table, " \u202e ") == "chat-empty"
    assert is_refused(evening.aino, evening.table, "x" * (MAX_MESSAGE_CHARS + 1)) == "chat-long"
    writes(evening.aino, evening.table, "x" * MAX_MESSAGE_CHARS)


def test_a_phrase_is_read_in_the_readers_language(evening: Evening) -> None:
    writes(evening.aino, evening.table, ":good-game:")
    assert reads(evening.marc, evening.table) == ["Good game!"]
    evening.marc.client.headers["Accept-Language"] = "fi"
    assert reads(evening.marc, evening.table) == ["Hyvä peli!"]


def test_it_is_in_the_stream_of_events(evening: Evening) -> None:
    writes(evening.aino, evening.table, "as it happens")
    with evening.marc.client.stream("GET", api(evening.table, "events")) as answer:
        for line in answer.iter_lines():
            if "as it happens" in line:
                break
        else:
            raise AssertionError("it never came")


def test_only_the_latest_are_shown(evening: Evening) -> None:
    page = evening.aino.sits_at(evening.table)
    for number in range(MAX_LINES_PER_ROOM + 3):
        assert says(page, f"line {number}")["type"] == "done"
    lines = reads(evening.marc, evening.table)
    assert (len(lines), lines[0], lines[-1]) == (
        MAX_LINES_PER_ROOM,
        "line 3",
        f"line {MAX_LINES_PER_ROOM + 2}",
    )


def test_all_that_is_said_at_once_is_in_one_order(evening: Evening) -> None:
    """Several workers write; the key decides, and nothing is lost."""
    guests = (evening.aino, evening.marc, evening.seb, evening.sue)
    pages = [guest.sits_at(evening.table) for guest in guests]
    for number in range(10):
        for i, page in enumerate(pages):
            page.socket.send(f'{{"type": "say", "key": "k{number}", "text": "{i}-{number}"}}')
    said = {f"{i}-{number}" for i in range(4) for number in range(10)}
    at_last(lambda: {*reads(evening.seb, evening.table)} == said)
    lines = evening.seb.reads(evening.table, "chat")["chat"]["lines"]
    assert [line["n"] for line in lines] == list(range(1, 41))


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("strict"), limits="on") as server:
        yield server


def test_a_flood_is_told_to_wait(strict: Server) -> None:
    evening = Evening(strict)
    page = evening.marc.sits_at(evening.table)
    answers = [says(page, f"spam {number}") for number in range(20)]
    refused = [answer for answer in answers if answer["type"] == "wait"]
    assert len(refused) >= 8
    assert refused[0]["limit"] == "chat"
    assert 0 < refused[0]["seconds"] <= 3
    assert says(evening.aino.sits_at(evening.table), "I may")["type"] == "done"
    where = api(evening.table, "chat")
    for _ in range(20):  # Each worker counts for itself.
        answer = evening.marc.client.post(where, json={"text": "x"})
    assert answer.status_code == 429
    told = answer.json()
    assert told["limit"] == "chat"
    assert told["wait_seconds"] > 0
    assert "again" in told["message"]
    strict.closing_time()


def test_what_was_said_outlives_the_server(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        evening = Evening(server)
        writes(evening.aino, evening.table, "before")
        moderates(evening.aino, evening.table, "mute", who=who(evening.aino, evening.table, "Marc"))
        server.kill()
    with Server(tmp_path) as server:
        aino, marc = evening.aino.comes_back(server), evening.marc.comes_back(server)
        assert reads(marc, evening.table) == ["before"]
        assert is_refused(marc, evening.table, "x") == "chat-muted"
        writes(aino, evening.table, "after")


def test_what_somebody_said_is_gone_with_their_account(evening: Evening) -> None:
    marc, table = evening.marc, evening.table
    writes(marc, table, "remember me")
    page = evening.aino.sits_at(table)
    form = {"name": f"marc{uuid4().hex[:8]}", "password": "a long secret"}
    marc.client.post("/account/register", data=form)
    answer = marc.client.post("/account/delete", data={"password": "a long secret"})
    assert answer.status_code == 303
    heard = page.hears("chat")
    while not heard["lines"] or heard["lines"][0]["text"]:
        heard = page.hears("chat")
    assert reads(evening.aino, table) == [""]
