"""People around a table: who may come, sit, see, ask and rule; over a real server."""

from __future__ import annotations

import time
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from support.accounts import soon
from support.server_process import Guest, Page, Server, api

ROUND = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1 R:M6 d6 0+1/2+0/0+0/1+0 1:RBYG ---- -"
"""Red has a six; all have raised, so that Red may propose a new round."""
RAISE = ROUND.replace("1:RBYG", "1:-")
THREE = "t0x2,g3,g4/h1,g1w1,g4/t8,g2,g3,g4/h2,g3,g4 R:CBYG d6 0+0/0+0/0+0/0+0 1:- ---- -"
"""Red has raised, and the three others owe a return."""


class Pair:
    """Ann has opened a table, and Bob has come by the link to its other seat."""

    def __init__(self, server: Server, game: str = "kalamala", **more: Any) -> None:
        self.server = server
        self.ann, self.bob = Guest(server), Guest(server)
        first, second = ("R", "B") if game == "kahmate" else ("A", "B")
        self.table = self.ann.begins(game, {first: "me", second: "free"}, **more)
        self.links = self.ann.links(self.table)
        assert self.bob.joins(self.links[second]) == second
        self.one, self.other = (guest.sits_at(self.table) for guest in (self.ann, self.bob))

    def comes(self, place: str) -> tuple[Guest, Page]:
        """A third one, by another link."""
        guest = Guest(self.server)
        links = {**self.links, **self.bob.links(self.table)}
        assert guest.joins(links[place]) == place
        return guest, guest.sits_at(self.table)

    def has_referee(self) -> Page:
        _, page = self.comes("referee")
        for side in (self.one, self.other):
            side.waits_until(lambda page: bool(page.table["request"]))
            side.does("agree")
        page.waits_until(lambda page: page.table["referee"] is not None)
        return page

    def agree_to(self, text: str) -> None:
        """Ann asks, Bob agrees."""
        self.one.does(f"ask {text}")
        self.other.waits_until(lambda page: bool(page.table["request"]))
        self.other.does("agree")
        self.one.waits_for(self.other.view["seq"])


@pytest.fixture
def pair(server: Server) -> Pair:
    return Pair(server)


# Coming


def test_two_people_play_by_a_link(pair: Pair) -> None:
    assert [pair.one.seat(seat)["is_mine"] for seat in "AB"] == [True, False]
    assert pair.one.acts("@a1")["type"] == "done"
    assert pair.other.waits_for(pair.one.view["seq"])["acting"] == "B"
    assert pair.other.acts("@b1")["type"] == "done"
    assert pair.one.waits_for(pair.other.view["seq"])["acting"] == "A"
    assert pair.one.codes == pair.other.codes == ["@a1", "@b1"]


def test_a_match_waits_until_every_seat_is_taken(server: Server, guest: Guest) -> None:
    table = guest.begins("kalamala", {"A": "me", "B": "free"})
    page = guest.sits_at(table)
    assert page.table["is_waiting"]
    assert (page.seat("B")["is_free"], page.seat("B")["members"]) == (True, [])
    assert "B" in page.is_refused("@a1") or "Blocks" in page.is_refused("@a1")
    assert guest.reads(table, "position")["actions"] == []
    Guest(server).joins(guest.links(table)["B"])
    page.waits_until(lambda page: not page.table["is_waiting"])
    page.does("@a1")


def test_every_place_has_a_link_of_its_own(pair: Pair) -> None:
    assert set(pair.links) == {"A", "B", "room", "watch", "referee", "bookkeeper"}
    assert len(set(pair.links.values())) == 6
    assert set(pair.bob.links(pair.table)) == {"B", "room", "watch", "referee", "bookkeeper"}
    cleo, _ = pair.comes("watch")
    assert set(cleo.links(pair.table)) <= {"watch"}


def test_a_wrong_link_opens_nothing(pair: Pair) -> None:
    stranger, link = Guest(pair.server), pair.links["B"]
    elsewhere = Pair(pair.server).links["B"]
    own, foreign = link.split("/")[-2], elsewhere.split("/")[-1]
    for wrong in (link[:-1], link[:-1] + ("A" if link[-1] != "A" else "B"), f"/{own}/{foreign}"):
        answer = stranger.follows(wrong)
        assert (answer.status_code, answer.json()["status"]) == (404, 404)
        assert stranger.client.get(f"/join/{own}/{wrong.split('/')[-1]}").status_code == 404
    assert stranger.follows("/nowhere/" + link.split("/")[-1]).status_code == 404
    assert stranger.client.get(pair.table).status_code == 404


def test_looking_at_a_link_takes_no_seat(server: Server, guest: Guest) -> None:
    table = guest.begins("kalamala", {"A": "me", "B": "free"})
    link, other = guest.links(table)["B"], Guest(server)
    assert other.client.get(link).status_code == 200
    assert guest.reads(table)["seats"][1]["is_free"]
    answer = other.client.post(link, data={"name": "Bo"})
    assert (answer.status_code, answer.headers["location"]) == (303, table)
    assert guest.reads(table)["seats"][1]["members"] == ["Bo"]


@pytest.mark.parametrize("what", ["", "view", "position", "record", "seal", "links"])
def test_a_private_table_is_as_good_as_none_to_strangers(pair: Pair, what: str) -> None:
    stranger = Guest(pair.server)
    real, none = (stranger.client.get(api(table, what)) for table in (pair.table, "/t/nowhere"))
    assert (real.status_code, real.text) == (none.status_code, none.text)
    assert real.status_code == 404
    assert pair.table not in stranger.client.get("/").text
    assert pair.table not in [each["url"] for each in stranger.client.get("/api/v1/tables").json()]


def test_strangers_act_at_no_private_table(pair: Pair) -> None:
    stranger = Guest(pair.server)
    asked = {"type": "act", "key": "k", "actions": ["@a1"]}
    assert stranger.client.post(api(pair.table, "actions"), json=asked).status_code == 404
    assert stranger.client.post(api(pair.table, "explain"), json={**asked, "path": []}).is_error
    with pytest.raises(ConnectionClosed):
        stranger.sits_at(pair.table)


def test_an_open_table_is_found_watched_and_joined_by_anybody(server: Server, guest: Guest) -> None:
    table = guest.begins("kalamala", {"A": "me", "B": "free"}, is_open=True)
    assert table not in [each["url"] for each in Guest(server).client.get("/api/v1/tables").json()]
    page = guest.sits_at(table)
    stranger = Guest(server)
    stranger.client.get("/")
    # Another worker hears a moment later that somebody sits there.
    assert soon(lambda: table in [t["url"] for t in stranger.client.get("/api/v1/tables").json()])
    assert soon(lambda: table in stranger.client.get("/").text)
    spectator = stranger.sits_at(table)
    assert spectator.view["acting"] is None
    assert "sit B" in [item["text"] for item in spectator.table["menu"]]
    spectator.does("sit B")
    page.does("@a1")
    assert spectator.waits_for(page.view["seq"])["acting"] == "B"
    third = Guest(server)
    third.client.get("/")
    assert third.sits_at(table).is_refused("sit B"), "it is taken"


def test_nobody_sits_down_without_a_link_at_a_table_that_is_not_open(pair: Pair) -> None:
    _, cleo = pair.comes("watch")
    for text in ("sit B", "sit A", "sit C", "stand A", "abort", "bot B greedy", "ask referee"):
        assert cleo.is_refused(text)


def test_those_who_watch_see_everything_and_do_nothing(pair: Pair) -> None:
    _, cleo = pair.comes("watch")
    pair.one.does("@a1")
    seen = cleo.waits_for(pair.one.view["seq"])
    assert cleo.codes == ["@a1"]
    assert (seen["acting"], seen["offers"], seen["undo"], seen["menu"]) == (None, [], None, [])
    for text in ("@b1", "back 0", "ask back 0", "resign B", "ask adjourn", "agree", "void"):
        assert cleo.is_refused(text)
        assert cleo.is_refused(text, seat="B")
    assert cleo.asks_why("B", "sq-a1")["type"] == "refused"


def test_a_seat_may_have_several_members_and_any_of_them_acts(pair: Pair) -> None:
    _, cleo = pair.comes("B")
    pair.other.waits_until(lambda page: len(page.seat("B")["members"]) == 2)
    pair.one.does("@a1")
    cleo.waits_for(pair.one.view["seq"])
    assert cleo.view["acting"] == "B"
    cleo.does("@b1")
    pair.one.waits_for(cleo.view["seq"])
    pair.one.does("@c1")
    pair.other.waits_for(pair.one.view["seq"])
    pair.other.does("@d1")
    assert pair.other.codes == ["@a1", "@b1", "@c1", "@d1"]


def test_nobody_sits_on_both_sides_of_a_match(pair: Pair) -> None:
    answer = pair.bob.follows(pair.links["A"])
    assert (answer.status_code, answer.json()["status"]) == (422, 422)
    assert answer.json()["message"]


def test_one_device_with_two_seats_beside_another(server: Server, guest: Guest) -> None:
    seats = {"R": "me", "B": "free", "Y": "me", "G": "free"}
    table = guest.begins("as-kimble", seats, start=RAISE)
    other = Guest(server)
    for seat in ("B", "G"):
        other.joins(guest.links(table)[seat])
    mine, theirs = guest.sits_at(table), other.sits_at(table)
    assert [mine.seat(seat)["is_mine"] for seat in "RBYG"] == [True, False, True, False]
    assert (mine.view["acting"], theirs.view["acting"]) == ("R", "B")
    assert {offer["seat"] for offer in theirs.view["offers"]} <= {"B", "G"}
    assert theirs.acts("R raise g1", seat="R")["type"] == "refused"
    assert mine.acts("R raise g1", seat="R")["type"] == "done"


def test_an_invitation_has_the_name_of_whoever_looks_at_it(server: Server, pair: Pair) -> None:
    pair.bob.calls_himself("Bob")
    nosy = Guest(server)
    nosy.calls_himself("Nosy")
    page = nosy.client.get(pair.bob.links(pair.table)["B"]).text
    assert "Already playing this side: Bob" in page
    assert 'name="name" value="Nosy"' in page


@pytest.mark.parametrize(
    ("game", "text", "said"),
    [
        ("kahmate", "draw", "Red offered a draw."),
        ("as-kimble", "break", "Red asked for a break."),
    ],
)
def test_what_is_asked_is_a_sentence(server: Server, game: str, text: str, said: str) -> None:
    host, friend = Guest(server), Guest(server)
    seats = dict.fromkeys({"kahmate": "RB", "as-kimble": "RBYG"}[game], "me")
    table = host.begins(game, {**seats, "B": "free"})
    friend.joins(host.links(table)["B"])
    page = friend.sits_at(table)
    host.sits_at(table).does(f"ask {text}")
    page.waits_until(lambda page: bool(page.table["request"]))
    assert page.table["request"]["title"] == said


def test_presence_is_shown(pair: Pair) -> None:
    pair.one.waits_until(lambda page: page.seat("B")["is_here"])
    pair.other.leaves()
    pair.one.waits_until(lambda page: not page.seat("B")["is_here"])
    pair.bob.sits_at(pair.table)
    pair.one.waits_until(lambda page: page.seat("B")["is_here"])


def test_names_are_told_to_everybody(pair: Pair) -> None:
    assert pair.bob.calls_himself("  Bob\n the  Builder ") == "Bob the Builder"
    pair.one.waits_until(lambda page: page.seat("B")["members"] == ["Bob the Builder"])


# Looking for somebody


def seeks(guest: Guest, game: str = "kalamala", **more: Any) -> str:
    answer = guest.client.post("/api/v1/seeks", json={"game": game, **more})
    assert answer.status_code == 201, answer.text
    url: str = answer.json()["url"]
    return url


def test_two_who_want_the_same_find_each_other(server: Server) -> None:
    clock = {"kind": "fischer", "minutes": 7, "seconds": 3}
    one, two, other = Guest(server), Guest(server), Guest(server)
    table = seeks(one, clock=clock)
    page = one.sits_at(table)
    assert page.table["is_waiting"]
    assert seeks(one, clock=clock) == table, "whoever waits goes on waiting there"
    assert seeks(other, clock={**clock, "seconds": 2}) != table
    assert seeks(other, "kahmate", clock=clock) != table
    assert seeks(two, clock=clock) == table
    page.waits_until(lambda page: not page.table["is_waiting"])
    assert seeks(Guest(server), clock=clock) != table, "it is full"
    assert two.sits_at(table).hears("clock")["seconds_left"] == {"A": 420.0, "B": 420.0}


def test_a_bot_is_offered_while_somebody_waits(server: Server) -> None:
    guest = Guest(server)
    page = guest.sits_at(guest.begins("kalamala", {"A": "me", "B": "free"}))
    (offered,) = bots_offered(page)
    page.does(offered)
    assert not page.table["is_waiting"]


def test_whoever_looks_for_an_opponent_is_offered_no_bot(server: Server) -> None:
    guest = Guest(server)
    page = guest.sits_at(seeks(guest, clock={"kind": "days", "days": 1}))
    assert page.table["is_seeking"]
    assert bots_offered(page) == []


def bots_offered(page: Page) -> list[str]:
    return [item["text"] for item in page.table["menu"] if item["text"].startswith("bot ")]


# Bots


def test_the_host_puts_bots_at_seats_and_takes_them_away(server: Server, guest: Guest) -> None:
    table = guest.begins("kalamala", {"A": "me", "B": "greedy"})
    page = guest.sits_at(table)
    page.does("remove-bot B")
    assert page.seat("B")["is_free"]
    page.does("bot B random")
    assert page.seat("B")["bot"] == "random"
    assert page.is_refused("bot B greedy")
    assert page.is_refused("bot A greedy"), "somebody sits there"
    page.does("remove-bot B")
    for wrong in ("bot B oracle", "bot B", "bot C greedy", "remove-bot B", "bot B greedy x x"):
        assert page.is_refused(wrong)
    page.does("bot B greedy")
    page.does("@a1")
    page.waits_until(lambda page: len(page.codes) == 2)
    assert page.is_refused("remove-bot B"), "the match has begun"


def test_nobody_but_the_host_puts_bots(pair: Pair) -> None:
    assert pair.other.is_refused("bot A greedy")
    assert pair.other.is_refused("remove-bot A")


@pytest.mark.parametrize("game", ["kalamala", "kahmate", "as-kimble"])
def test_bots_play_each_other(server: Server, guest: Guest, game: str) -> None:
    seats = {"kalamala": "AB", "kahmate": "RB", "as-kimble": "RBYG"}[game]
    table = guest.begins(game, dict.fromkeys(seats, "random"))
    page = guest.sits_at(table)
    page.waits_until(lambda page: len(page.codes) >= 2)
    assert not any(seat["is_mine"] for seat in page.people_view["seats"])
    if game == "kalamala":
        assert guest.reads(table)["options"]["turn_limit"] == 500


# Before the first action, and after the last


def test_a_match_is_called_off_before_the_first_action_only(pair: Pair) -> None:
    pair.one.does("abort")
    pair.one.waits_until(lambda page: page.table["is_aborted"])
    assert pair.one.view["outcome"]
    assert pair.one.is_refused("@a1")
    assert pair.one.is_refused("sit A")
    begun = Pair(pair.server)
    begun.one.does("@a1")
    assert begun.other.is_refused("abort")


def test_a_rematch_swaps_the_seats(pair: Pair) -> None:
    assert pair.one.is_refused("ask rematch"), "the match is not over"
    pair.one.does("resign A")
    pair.agree_to("rematch")
    pair.one.waits_until(lambda page: bool(page.table["next"]))
    following = pair.one.table["next"]
    assert following != pair.table
    assert pair.ann.sits_at(following).seat("B")["is_mine"]
    assert pair.bob.sits_at(following).seat("A")["is_mine"]
    assert pair.bob.reads(following)["options"] == pair.bob.reads(pair.table)["options"]
    assert Guest(pair.server).client.get(following).status_code == 404
    assert pair.one.is_refused("ask rematch"), "there is one"


NEARLY_SCORED = "13/13/11T1/13/8c4/13/13/13 R play - l3 12345/12356 0-0 30 -"
PLAYED_ON = "13/13/13/13/13/13/13/13 B place:R - - 12345/12356 1-0/2 31 -"


def test_captains_who_agree_play_on_after_the_try(server: Server) -> None:
    """E138, E144, F125: score and cards stay, and the captain scored against begins."""
    pair = Pair(server, "kahmate", start=NEARLY_SCORED)
    assert pair.one.is_refused("ask continue 2"), "the match is not over"
    pair.one.does("l3-m3")
    assert pair.one.is_refused("continue 2"), "both must agree"
    items = {item["text"]: item["label"] for item in pair.one.table["menu"]}
    assert items["ask continue 2"] == "Play on (two tries)"
    assert items["ask continue 3"] == "Play on (three tries)"
    pair.one.does("ask continue 2")
    pair.other.waits_until(lambda page: bool(page.table["request"]))
    assert pair.other.table["request"]["title"] == "Request from Red: play on to 2 tries."
    pair.other.does("agree")
    pair.one.waits_until(lambda page: page.view["outcome"] is None)
    assert pair.ann.client.get(f"{pair.table}/position").text.strip() == PLAYED_ON
    pair.one.does("resign R")
    assert pair.one.view["outcome"]
    assert pair.one.is_refused("ask continue 3"), "it was not won by a try"


def test_a_bot_plays_on_and_the_dice_stay_sealed_as_long_as_it_may(guest: Guest) -> None:
    table = guest.begins("kahmate", {"R": "me", "B": "random"}, start=NEARLY_SCORED)
    page = guest.sits_at(table)
    page.does("l3-m3")
    assert "seed" not in guest.client.get(f"{table}/record").json()["seal"]
    page.does("ask continue 3")
    page.waits_until(lambda page: page.view["outcome"] is None)
    page.does("resign R")
    assert "seed" in guest.client.get(f"{table}/record").json()["seal"]


def test_after_a_rematch_nobody_plays_on(server: Server) -> None:
    pair = Pair(server, "kahmate", start=NEARLY_SCORED)
    pair.one.does("l3-m3")
    pair.agree_to("rematch")
    pair.one.waits_until(lambda page: bool(page.table["next"]))
    assert pair.one.is_refused("ask continue 2")


def test_a_bot_is_always_ready_for_a_rematch(guest: Guest) -> None:
    page = guest.sits_at(guest.begins("kalamala", {"A": "me", "B": "greedy"}))
    page.does("resign A")
    page.does("ask rematch")
    page.waits_until(lambda page: bool(page.table["next"]))
    again = guest.sits_at(page.table["next"])
    assert (again.seat("A")["bot"], again.seat("B")["is_mine"]) == ("greedy", True)


def test_nobody_acts_while_a_match_is_adjourned(pair: Pair) -> None:
    pair.agree_to("adjourn")
    assert pair.one.table["is_adjourned"]
    assert pair.one.is_refused("@a1")
    assert pair.ann.reads(pair.table, "position")["actions"] == []
    assert pair.one.is_refused("ask adjourn")
    pair.agree_to("continue")
    assert pair.one.is_refused("ask continue")
    pair.one.does("@a1")


def test_one_side_alone_adjourns_nothing(pair: Pair) -> None:
    pair.one.does("ask adjourn")
    pair.other.waits_until(lambda page: bool(page.table["request"]))
    assert (pair.one.table["request"]["is_yours"], pair.other.table["request"]["is_yours"]) == (
        False,
        True,
    )
    assert not pair.one.table["is_adjourned"]
    pair.other.does("decline")
    pair.one.waits_until(lambda page: page.table["request"] is None)
    pair.one.does("@a1")


# Agreeing


def test_what_is_done_is_taken_back_if_the_other_agrees(pair: Pair) -> None:
    pair.one.does("@a1")
    assert pair.one.is_refused("back 0")
    pair.one.does("ask back 0")
    pair.other.waits_until(lambda page: bool(page.table["request"]))
    pair.other.does("decline")
    pair.one.waits_for(pair.other.view["seq"])
    assert pair.one.codes == ["@a1"]
    pair.agree_to("back 0")
    assert pair.one.codes == []
    pair.one.does("@b1")


def test_captains_agree_on_a_draw(server: Server) -> None:
    pair = Pair(server, "kahmate")
    assert pair.one.is_refused("draw")
    assert "ask draw" in [item["text"] for item in pair.one.table["menu"]]
    pair.agree_to("draw")
    assert pair.one.view["outcome"]["winners"] == []
    assert pair.ann.reads(pair.table, "record")["result"] == "draw"


def test_kalamala_knows_no_draw(pair: Pair) -> None:
    assert pair.one.is_refused("ask draw")
    assert "ask draw" not in [item["text"] for item in pair.one.table["menu"]]


def test_bots_agree_to_no_draw(guest: Guest) -> None:
    page = guest.sits_at(guest.begins("kahmate", {"R": "me", "B": "greedy"}))
    before = page.view["seq"]
    page.acts("ask draw", seq=None, seat=None)
    assert not page.view["outcome"]
    assert guest.reads(page_table(page, guest), "record")["result"] == "*"
    assert page.view["seq"] >= before


def page_table(page: Page, guest: Guest) -> str:
    mine: str = guest.client.get("/api/v1/me/tables").json()[0]["url"]
    return mine


# Referees


def test_a_referee_is_agreed_on_by_both(pair: Pair) -> None:
    _, dora = pair.comes("referee")
    assert dora.table["referee"] is None
    pair.one.waits_until(lambda page: bool(page.table["request"]))
    pair.one.does("agree")
    dora.waits_for(pair.one.view["seq"])
    assert dora.table["referee"] is None
    assert dora.is_refused("void because they quarrel", seat="referee")
    pair.other.does("agree")
    dora.waits_for(pair.other.view["seq"])
    assert dora.table["referee"] == ""


def test_who_is_declined_rules_nothing(pair: Pair) -> None:
    _, dora = pair.comes("referee")
    pair.other.waits_until(lambda page: bool(page.table["request"]))
    pair.other.does("decline")
    dora.waits_for(pair.other.view["seq"])
    assert dora.table["referee"] is None
    assert "ask referee" in [item["text"] for item in dora.table["menu"]]
    assert dora.is_refused("void because they quarrel", seat="referee")


def test_a_ruling_has_a_reason_that_everybody_reads(pair: Pair) -> None:
    dora = pair.has_referee()
    assert "void" in [item["text"] for item in dora.table["menu"] if item["needs_reason"]]
    assert dora.is_refused("forfeit A")
    assert dora.is_refused("forfeit A because  ")
    dora.does("forfeit A because A left for the night")
    for page in (pair.one, pair.other):
        page.waits_for(dora.view["seq"])
        assert page.view["outcome"]["winners"] == ["B"]
        assert any("A left for the night" in note["text"] for note in page.table["notes"])
        assert any("A left for the night" in told["text"] for told in page.view["events"])
    log = pair.ann.reads(pair.table, "record")["log"]
    assert log[-1]["by"] == "referee"
    assert log[-1]["text"] == "forfeit A because A left for the night"


def test_a_referee_takes_back_what_is_done(pair: Pair) -> None:
    dora = pair.has_referee()
    pair.one.does("@a1")
    dora.waits_for(pair.one.view["seq"])
    assert dora.is_refused("back 0")
    dora.does("back 0 because it slipped")
    pair.one.waits_for(dora.view["seq"])
    assert pair.one.codes == []


def test_a_referee_neither_plays_nor_sits_nor_comments(pair: Pair) -> None:
    dora = pair.has_referee()
    for text in ("@a1", "resign A", "ask back 0", "ask adjourn", "agree", "sit A", "hello"):
        assert dora.is_refused(text)
        assert dora.is_refused(text, seat="A")
    assert dora.is_refused("@a1 because it is best", seat="referee")
    assert pair.one.is_refused("void because I say so", seat="referee")


def test_a_neutral_takes_no_seat_even_by_a_link(server: Server) -> None:
    pair = Pair(server)
    dora, page = pair.comes("referee")
    for side in (pair.one, pair.other):
        side.waits_until(lambda page: bool(page.table["request"]))
        side.does("agree")
    page.waits_until(lambda page: page.table["referee"] is not None)
    link = pair.bob.links(pair.table)["B"]
    assert dora.follows(link).status_code == 422
    page.does("stand referee")
    assert page.table["referee"] is None
    assert dora.joins(link) == "B"


def test_whoever_plays_is_no_referee(pair: Pair) -> None:
    assert pair.bob.follows(pair.links["referee"]).status_code == 422
    assert pair.ann.follows(pair.links["bookkeeper"]).status_code == 422


def test_a_referee_sees_what_a_neutral_may(server: Server) -> None:
    pair = Pair(server, "kahmate")
    dora = pair.has_referee()
    pair.one.does("S@b1")
    dora.waits_for(pair.one.view["seq"])
    _, cleo = pair.comes("watch")
    assert dora.codes == cleo.codes == [""]
    assert pair.one.codes == ["S@b1"]
    assert "S@b1" not in "".join(dora.frames)


def test_a_bookkeeper_enters_what_happens_on_a_real_board(server: Server) -> None:
    ann, bob, eve = Guest(server), Guest(server), Guest(server)
    seats = {"R": "me", "B": "free", "Y": "me", "G": "free"}
    table = ann.begins("as-kimble", seats, options={"mode": "companion"}, start=RAISE)
    links = ann.links(table)
    for seat in ("B", "G"):
        bob.joins(links[seat])
    eve.joins(links["bookkeeper"])
    pages = [guest.sits_at(table) for guest in (ann, bob)]
    for page in pages:
        assert page.table["bookkeeper"] is None
        page.does("agree")  # for both seats at once
    book = eve.sits_at(table)
    assert (book.table["bookkeeper"], book.table["envelope"]) == ("", "")
    book.does("R raise g1")
    assert pages[0].waits_for(book.view["seq"])
    assert pages[0].codes == ["R raise g1"]
    assert eve.reads(table, "seal") == {}, "people report the real die"


# Being away


def test_a_bot_keeps_the_seat_of_somebody_who_is_away(server: Server) -> None:
    pair = Pair(server, settings={"absence_seconds": 1})
    assert pair.one.is_refused("ask fill-in B greedy"), "B is here"
    pair.one.does("@a1")
    pair.other.leaves()
    pair.one.waits_until(lambda page: not page.seat("B")["is_here"])
    assert pair.one.is_refused("ask fill-in B greedy"), "B has only just left"
    time.sleep(1.1)
    assert pair.one.is_refused("ask fill-in B oracle")
    pair.one.does("ask fill-in B greedy")
    pair.one.waits_until(lambda page: len(page.codes) == 2)
    kept = pair.one.seat("B")
    assert (kept["bot_filling_in"], kept["bot"]) == (True, "greedy")

    back = pair.bob.sits_at(pair.table)
    assert back.view["acting"] is None
    assert back.is_refused("@h8", seat="B")
    assert "sit B" in [item["text"] for item in back.table["menu"]]
    back.does("sit B")
    assert not back.seat("B")["bot_filling_in"]
    pair.one.waits_for(back.view["seq"])
    pair.one.does("@h1" if "@h1" not in pair.one.codes else "@h2")
    back.waits_until(lambda page: page.view["acting"] == "B")


def test_others_than_the_one_who_is_away_have_to_agree_to_a_bot(server: Server) -> None:
    ann, bob, cleo = Guest(server), Guest(server), Guest(server)
    seats = {"R": "me", "B": "free", "Y": "free", "G": "random"}
    table = ann.begins("as-kimble", seats, start=ROUND, settings={"absence_seconds": 1})
    links = ann.links(table)
    bob.joins(links["B"])
    cleo.joins(links["Y"])
    one, two = ann.sits_at(table), bob.sits_at(table)
    time.sleep(1.1)
    one.does("ask fill-in Y greedy")
    two.waits_until(lambda page: bool(page.table["request"]))
    assert not two.seat("Y")["bot_filling_in"]
    two.does("agree")
    assert two.seat("Y")["bot_filling_in"]


# AS-Kimble's own


def test_people_move_to_their_colours(server: Server) -> None:
    ann, bob = Guest(server), Guest(server)
    lots = "h4/h4/h4/h4 K:ab d- 0+0/0+0/0+0/0+0 1:- ---- -"
    seats = {"R": "me", "B": "free", "Y": "me", "G": "free"}
    table = ann.begins("as-kimble", seats, start=lots)
    links = ann.links(table)
    for seat in ("B", "G"):
        bob.joins(links[seat])
    one, other = ann.sits_at(table), bob.sits_at(table)
    assert [seat["is_mine"] for seat in one.people_view["seats"]] == [True, False, True, False]
    one.does("a colour B")
    other.waits_for(one.view["seq"])
    assert [seat["is_mine"] for seat in one.people_view["seats"]] == [False, True, False, True]
    assert [seat["is_mine"] for seat in other.people_view["seats"]] == [True, False, True, False]
    assert one.view["svg"], "seen from another side"


def four_people(server: Server, start: str, answer: int) -> Page:
    """Four people at AS-Kimble, of whom only Red is there to be seen."""
    host = Guest(server)
    seats = {"R": "me", "B": "free", "Y": "free", "G": "free"}
    table = host.begins("as-kimble", seats, start=start, settings={"answer_seconds": answer})
    links = host.links(table)
    for seat in "BYG":
        Guest(server).joins(links[seat])
    return host.sits_at(table)


def test_an_answer_that_does_not_come_counts_as_no(server: Server) -> None:
    page = four_people(server, ROUND, 1)
    page.does("R propose")
    assert 0 < page.hears("clock")["answer_seconds"] <= 1
    page.waits_until(lambda page: len(page.codes) > 1)
    assert page.codes[:2] == ["R propose", "B no"]
    page.waits_until(lambda page: page.view["acting"] == "R")


def test_a_return_that_does_not_come_is_of_the_rearmost(server: Server) -> None:
    page = four_people(server, THREE, 1)
    page.waits_until(lambda page: len(page.codes) == 3)
    assert page.codes == ["B return g1", "Y return g2", "G return g3"]


def test_nobody_is_hurried_where_answers_have_no_limit(server: Server) -> None:
    page = four_people(server, THREE, 0)
    assert not page.clock
    assert page.is_left_alone(1.3)
