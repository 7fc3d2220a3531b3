"""Matches over a real socket (docs/protocol.md)."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from kibitz.core.record import read_record, verify
from kibitz.games import game_of
from support.server_process import Guest, Server


def test_a_short_match_on_one_device(guest: Guest) -> None:
    table = guest.opens()
    page = guest.sits_at(table)
    first = page.view
    assert first["svg"].startswith("<svg")
    assert first["layers"] == {}
    assert first["acting"] == "A"
    assert [seat["is_mine"] for seat in first["seats"]] == [True, True]
    assert (first["log"], first["events"], first["undo"]) == ([], [], None)

    for _ in range(3):
        offer = page.view["offers"][0]
        assert page.acts(*offer["actions"])["type"] == "done"
    later = page.view
    assert later["svg"] is None
    assert "pieces" in later["layers"]
    assert "ground" not in later["layers"]
    assert later["acting"] == "B"
    assert later["seq"] == 3
    assert later["log_from"] == 2
    assert later["events"][0]["motions"]
    assert [entry["n"] for entry in page.log] == [1, 2, 3]

    resign = later["menu"][0]
    assert resign["text"] == "resign B"
    page.acts(resign["text"])
    over = page.view
    assert over["outcome"]["why"] == "Blocks resigned"
    assert (over["acting"], over["offers"], over["menu"]) == (None, [], [])

    position = guest.client.get(f"{table}/position").text.strip()
    assert game_of(read_record(guest.client.get(f"{table}/record").text)).notation.read_state(
        position
    )
    record = read_record(guest.client.get(f"{table}/record").text)
    assert list(record.actions) == page.codes
    assert record.result == "A"
    assert verify(game_of(record), record) is None


def test_a_refusal_says_why_and_by_which_rule(guest: Guest) -> None:
    page = guest.sits_at(guest.opens())
    refused = page.acts("@c4")
    assert refused["type"] == "refused"
    assert refused["message"].startswith("c4 is taken")
    assert (refused["rule"], refused["rule_url"]) == ("3.1", "/rules/kalamala#3.1")
    assert (refused["at"], refused["picture"]) == ("sq-c4", None)
    assert page.is_left_alone()


def test_a_repeated_position_is_shown_small(guest: Guest) -> None:
    page = guest.sits_at(guest.opens())
    page.acts("f5:NE1")
    page.acts("e6:E1")
    refused = page.acts("f6:W1")
    assert refused["rule"] == "5"
    assert refused["picture"].startswith("<svg")
    assert 'viewBox="-4.5 -4.5 409 409"' in refused["picture"]
    assert refused["picture_title"]
    ids = set(re.findall(r' id="([^"]+)"', refused["picture"]))
    assert ids
    assert not ids & set(re.findall(r' id="([^"]+)"', page.views[0]["svg"]))


def test_why_is_answered_and_nothing_is_played(guest: Guest) -> None:
    page = guest.sits_at(guest.opens())
    answer = page.asks_why("A", "sq-c5")
    assert answer["type"] == "refused"
    assert answer["message"]
    assert answer["rule_url"].startswith("/rules/kalamala#")
    assert page.is_left_alone()


def test_an_act_from_an_earlier_position_is_stale(guest: Guest) -> None:
    page = guest.sits_at(guest.opens())
    page.acts("@a1")
    assert page.acts("@b1", seq=0)["type"] == "stale"
    assert page.sees_next()["seq"] == 1
    assert page.codes == ["@a1"]


def test_what_is_sent_twice_is_done_once(guest: Guest) -> None:
    table = guest.opens()
    page = guest.sits_at(table)
    assert page.acts("@a1", key="mine")["type"] == "done"
    assert page.acts("@a1", key="mine", seq=0)["type"] == "done"
    page.leaves()
    again = guest.sits_at(table)
    assert again.acts("@a1", key="mine", seq=0)["type"] == "done"
    assert again.codes == ["@a1"]
    assert again.view["seq"] == 1


def test_a_batch_is_done_as_a_whole_or_not_at_all(guest: Guest) -> None:
    page = guest.sits_at(guest.opens())
    assert page.acts("@a1", "@c4")["type"] == "refused"
    assert page.is_left_alone()
    assert page.acts("@b1")["type"] == "done"
    assert page.codes == ["@b1"]


def test_taking_back_on_one_device(guest: Guest) -> None:
    page = guest.sits_at(guest.opens())
    page.acts("@a1")
    page.acts("@b1")
    assert page.view["undo"]["text"] == "back 1"
    page.acts("back 1")
    assert page.codes == ["@a1"]
    assert page.view["acting"] == "B"
    assert [told["text"] for told in page.view["events"]] == ["Blocks took back a move"]
    page.acts("@h8")
    assert page.codes == ["@a1", "@h8"]
    assert [entry["n"] for entry in page.log] == [1, 2]


def test_a_bot_answers_and_agrees_to_takebacks(guest: Guest) -> None:
    page = guest.sits_at(guest.opens(play="bot", seat="B"))
    assert [seat["bot"] for seat in page.view["seats"]] == ["greedy", ""]
    page.waits_for(1)
    assert page.view["acting"] == "B"
    assert not page.view["undo"]
    page.acts("@a1" if page.codes != ["@a1"] else "@a2")
    page.waits_for(3)
    assert [entry["seat"] for entry in page.log] == ["A", "B", "A"]
    assert page.view["undo"]["text"] == "back 1"
    page.acts("back 1")
    assert len(page.log) == 1
    assert page.view["acting"] == "B"
    assert page.is_left_alone(0.9)


def test_only_who_opened_the_table_acts_and_others_watch(server: Server, guest: Guest) -> None:
    table, stranger = guest.opens(), Guest(server)
    stranger.joins(guest.links(table)["watch"])
    page, spectator = guest.sits_at(table), stranger.sits_at(table)
    seen = spectator.view
    assert (seen["acting"], seen["offers"], seen["undo"], seen["menu"]) == (None, [], None, [])
    assert not any(seat["is_mine"] for seat in seen["seats"])
    assert spectator.acts("@a1", seat="A")["type"] == "refused"
    page.acts("@a1", key="hers")
    assert spectator.waits_for(1)["events"][0]["text"] == "Rings placed a piece on a1"
    assert spectator.codes == ["@a1"]
    assert spectator.acts("@a1", seat="A", key="hers")["type"] == "refused"
    assert spectator.asks_why("A", "sq-a1")["type"] == "refused"
    assert page.is_left_alone()


def test_nobody_acts_for_a_bot(guest: Guest) -> None:
    page = guest.sits_at(guest.opens(play="bot", seat="A"))
    refused = page.acts("@a1", seat="B")
    assert (refused["type"], refused["message"]) == ("refused", "Someone else has that seat.")


def test_two_pages_of_one_guest_see_the_same(guest: Guest) -> None:
    table = guest.opens()
    one, other = guest.sits_at(table), guest.sits_at(table)
    one.acts("@a1")
    other.waits_for(1)
    assert one.view == other.view
    other.acts("@b1")
    assert one.waits_for(2) == other.view


def test_another_look_brings_the_whole_drawing(guest: Guest) -> None:
    page = guest.sits_at(guest.opens())
    page.acts("@a1")
    page.socket.send(json.dumps({"type": "look", "is_tall": True}))
    tall = page.sees_next()
    assert tall["svg"]
    assert tall["svg"] != page.views[0]["svg"]
    assert [entry["code"] for entry in tall["log"]] == ["@a1"]


@pytest.mark.parametrize("is_tall", ["0", "1"])
def test_who_asks_for_everything_anew_is_shown_it_in_the_same_shape(
    guest: Guest, is_tall: str
) -> None:
    page = guest.sits_at(guest.opens(), f"is_tall={is_tall}")
    page.socket.send('{"type": "look"}')
    assert page.sees_next() == page.views[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"type": "win", "key": "k"}',
        '{"type": "act", "key": "k", "seq": "0", "seat": "A", "actions": ["@a1"]}',
        '{"type": "act", "key": "k", "seq": 0, "seat": "A", "actions": []}',
        '{"type": "act", "key": "k", "seq": 0, "seat": "chance", "actions": ["@a1"]}',
        '{"type": "act", "key": "k", "seq": 0, "seat": "A", "actions": ["ask back 0", "\\u0000"]}',
        '{"type": "act", "key": "k", "seq": 0, "seat": "A", "actions": ["back 9999999999999999"]}',
        '{"type": "explain", "key": "k", "seat": "A", "path": ["sq-z9", "", "rs-A"]}',
        '{"type": "explain", "key": "k", "seat": "A", "path": []}',
    ],
)
def test_nonsense_is_refused_and_the_connection_lives(guest: Guest, text: str) -> None:
    page = guest.sits_at(guest.opens())
    page.socket.send(text)
    answer = json.loads(page.socket.recv(timeout=5))
    assert answer["type"] == "refused"
    assert answer["message"]
    assert answer["key"] in ("", "k")
    assert page.acts("@a1")["type"] == "done"


def test_a_message_too_long_ends_the_connection_only(guest: Guest) -> None:
    table = guest.opens()
    page = guest.sits_at(table)
    page.socket.send("x" * 100_000)
    with pytest.raises(ConnectionClosed):
        page.sees_next()
    assert guest.sits_at(table).acts("@a1")["type"] == "done"


def test_other_sites_open_no_sockets(guest: Guest) -> None:
    table = guest.opens()
    with pytest.raises(InvalidStatus) as refused:
        guest.socket(f"{table}/live", origin="http://elsewhere.example")
    assert refused.value.response.status_code == 403


def test_no_socket_without_a_table(guest: Guest) -> None:
    socket = guest.socket("/t/nowhere/live")
    with pytest.raises(ConnectionClosed) as closed:
        socket.recv(timeout=5)
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 4404


def test_nothing_acknowledged_is_lost_when_the_server_dies(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        guest = Guest(server)
        table, against_bot = guest.opens(), guest.opens(play="bot", seat="A")
        page = guest.sits_at(table)
        for text in ("@a1", "@b1", "back 1", "@h8"):
            assert page.acts(text)["type"] == "done"
        with_bot = guest.sits_at(against_bot)
        assert with_bot.acts("@a1")["type"] == "done"
        server.kill()

    with Server(tmp_path) as server:
        again = Guest(server)
        again.client.cookies.update(guest.client.cookies)
        page = again.sits_at(table)
        assert page.codes == ["@a1", "@h8"]
        assert page.view["acting"] == "A"
        assert page.acts("@c1")["type"] == "done"
        resumed = again.sits_at(against_bot)
        assert resumed.codes == ["@a1"]
        assert resumed.waits_for(2)["acting"] == "A"


def test_two_servers_on_one_log(server: Server, guest: Guest) -> None:
    with Server(server.data) as other:
        table = guest.opens()
        there = Guest(other)
        there.client.cookies.update(guest.client.cookies)
        page, elsewhere = guest.sits_at(table), there.sits_at(table)
        assert page.acts("@a1")["type"] == "done"
        assert elsewhere.acts("@b1")["type"] == "stale"
        assert elsewhere.sees_next()["seq"] == 1
        assert elsewhere.codes == ["@a1"]
        assert elsewhere.acts("@b1")["type"] == "done"
        page.leaves()
        assert guest.sits_at(table).codes == ["@a1", "@b1"]


def test_it_stops_at_once_with_sockets_open(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        guest = Guest(server)
        page = guest.sits_at(guest.opens(play="bot", seat="B"))
        page.waits_for(1)
        started = time.monotonic()
        assert server.stop() == ""
        assert time.monotonic() - started < 5
        with pytest.raises(ConnectionClosed):
            page.sees_next()


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_either_bot_can_be_played(guest: Guest, bot: str) -> None:
    form = {"game": "kahmate", "play": "bot", "seat": "B", "bot": bot}
    table = guest.client.post("/tables", data=form).headers["location"]
    page = guest.sits_at(table)
    assert [seat["bot"] for seat in page.view["seats"]] == [bot, ""]
    assert bot in page.view["seats"][0]["player"].casefold()


def test_an_unknown_bot_is_refused(guest: Guest) -> None:
    form = {"game": "kahmate", "play": "bot", "seat": "B", "bot": "oracle"}
    assert guest.client.post("/tables", data=form).status_code == 400
