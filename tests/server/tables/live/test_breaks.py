"""A break on a screen: the referee, or the host, and every team agree to it (12.5, R30)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.friends import FREE, TEAMS, Friends
from support.server_process import Guest, Page, Server, api, at_last

LONG = {"consent_seconds": 600}
SHORT = {"consent_seconds": 3}


def is_break(guest: Guest, table: str) -> bool:
    return bool(guest.reads(table, "position")["position"].endswith(" b"))


def still_to_agree(page: Page) -> list[str]:
    found: list[str] = page.table["request"]["missing"]
    return found


@pytest.fixture
def friends(server: Server) -> Friends:
    return Friends(server, settings=LONG)


def test_the_referee_and_the_players_agree_on_a_break(friends: Friends) -> None:
    """K101: neither is enough alone; the host speaks for both, where none is named."""
    friends.pages["B"].does("ask break")
    assert still_to_agree(friends.sees("B")) == ["Aino", "Maija", "Ville", "the host"]
    assert not friends.sees("B").table["request"]["is_yours"]
    friends.pages["Y"].does("agree")
    friends.pages["G"].does("agree")
    assert still_to_agree(friends.sees("B")) == ["Aino", "the host"]
    assert not is_break(friends.host, friends.table)
    friends.pages["R"].does("agree")
    assert is_break(friends.host, friends.table)
    assert friends.sees("B").table["request"] is None


def test_a_named_referee_has_to_agree_too(server: Server) -> None:
    """K101: and so does every team; the host is then one of the teams."""
    friends, referee = Friends(server, settings=LONG), Guest(server)
    referee.joins(friends.links["referee"])
    page = referee.sits_at(friends.table)
    for seat in TEAMS:
        friends.sees(seat).does("agree")
    friends.pages["R"].does("ask break")
    for seat in "BYG":
        friends.sees(seat).does("agree")
    assert still_to_agree(friends.sees("R")) == ["the referee"]
    page.waits_for(friends.latest)
    assert page.table["request"]["is_yours"]
    assert not is_break(friends.host, friends.table)
    page.does("agree")
    assert is_break(friends.host, friends.table)


def test_a_referee_asks_and_does_not_decree(server: Server) -> None:
    """K101: a referee's word alone is a proposal, however it is put."""
    friends, referee = Friends(server, settings=LONG), Guest(server)
    referee.joins(friends.links["referee"])
    page = referee.sits_at(friends.table)
    for seat in TEAMS:
        friends.sees(seat).does("agree")
    page.waits_until(lambda page: "ask break" in [i["text"] for i in page.table["menu"]])
    assert "break" not in [item["text"] for item in page.table["menu"]]
    assert "agree" in page.is_refused("break because it rains")
    page.does("break")
    assert friends.sees("B").table["request"]["title"] == "The referee asked for a break."
    assert still_to_agree(friends.sees("B")) == ["Aino", "you", "Maija", "Ville"]
    assert not is_break(friends.host, friends.table)
    page.does("decline")
    assert friends.sees("B").table["request"] is None


def test_one_no_ends_the_proposal(friends: Friends) -> None:
    """K101: whoever says it."""
    friends.pages["B"].does("ask break")
    friends.sees("Y").does("decline")
    assert friends.sees("B").table["request"] is None
    friends.pages["B"].does("ask break")
    friends.sees("R").does("decline")
    assert friends.sees("B").table["request"] is None
    assert not is_break(friends.host, friends.table)


def test_playing_on_does_not_end_the_proposal(friends: Friends) -> None:
    """K101: else whoever is in turn could always prevent a break."""
    friends.pages["B"].does("ask break")
    assert friends.sees("R").acts(seat="R")["type"] == "done"
    assert still_to_agree(friends.sees("B")) == ["Aino", "Maija", "Ville", "the host"]


def test_whoever_looks_on_neither_asks_nor_answers(friends: Friends, server: Server) -> None:
    """K101: a break is for those at the table."""
    stranger = Guest(server)
    stranger.joins(friends.links["watch"])
    page = stranger.sits_at(friends.table)
    assert page.is_refused("ask break")
    friends.pages["B"].does("ask break")
    assert page.is_refused("decline")
    assert page.is_refused("agree")


def test_bots_and_teams_with_nobody_present_agree_at_once(server: Server) -> None:
    """K101: only those who are there are waited for."""
    host, friend = Guest(server), Guest(server)
    seats = {**FREE, "Y": "random", "G": "free"}
    table = host.begins("as-kimble", seats, settings=LONG, start="R")
    links = host.links(table)
    friend.joins(links["B"])
    Guest(server).joins(links["G"])
    mine, theirs = host.sits_at(table), friend.sits_at(table)
    mine.waits_until(lambda page: page.seat("B")["is_here"])
    mine.does("ask break")
    assert still_to_agree(mine) == ["Blue"]
    theirs.waits_until(lambda page: bool(page.table["request"]))
    theirs.does("agree")
    assert is_break(host, table)


def test_a_program_that_only_polls_is_asked_too(server: Server) -> None:
    """K101: it has no page, and is there all the same."""
    host, program = Guest(server), Guest(server)
    seats = {**FREE, "Y": "random", "G": "random"}
    table = host.begins("as-kimble", seats, settings=LONG, start="R")
    program.joins(host.links(table)["B"])
    mine = host.sits_at(table)
    program.reads(table, "position")
    mine.does("ask break")
    assert still_to_agree(mine) == ["Blue"]
    program.client.post(api(table, "actions"), json={"key": "no", "actions": ["decline"]})
    mine.waits_until(lambda page: page.table["request"] is None)
    assert not is_break(host, table)


def test_whoever_plays_alone_has_a_break_at_once(server: Server) -> None:
    """K101: there is nobody else to agree."""
    guest = Guest(server)
    for seats in (dict.fromkeys(TEAMS, "me"), {**dict.fromkeys(TEAMS, "random"), "R": "me"}):
        table = guest.begins("as-kimble", seats)
        page = guest.sits_at(table)
        page.does("ask break")
        assert is_break(guest, table)
        page.does("resume")
        page.waits_for(guest.reads(table)["seq"])
        assert not is_break(guest, table)


def test_whoever_does_not_answer_agrees_when_the_time_runs_out(server: Server) -> None:
    """K101 and R30: silence is consent, and everybody sees how long that takes."""
    friends = Friends(server, settings=SHORT)
    friends.pages["B"].does("ask break")
    friends.pages["G"].waits_until(lambda page: bool(page.clock.get("consent_seconds")))
    assert 0 < friends.pages["G"].clock["consent_seconds"] <= SHORT["consent_seconds"]
    at_last(lambda: is_break(friends.host, friends.table))


def test_the_time_for_answers_runs_on_over_a_restart(tmp_path: Path) -> None:
    """K101: nobody has to ask again because the server was away."""
    with Server(tmp_path) as server:
        friends = Friends(server, settings={"consent_seconds": 4})
        friends.pages["B"].does("ask break")
        friends.sees("Y").does("agree")
        server.kill()
    with Server(tmp_path) as server:
        back = friends.host.comes_back(server)
        at_last(lambda: is_break(back, friends.table))


def test_the_host_ends_a_break_without_a_reason_and_everybody_reads_whose_idea_it_was(
    friends: Friends,
) -> None:
    """One tap, and the others are told by name."""
    friends.pages["R"].does("ask break")
    for seat in "BYG":
        friends.sees(seat).does("agree")
    menu = {item["text"]: item for item in friends.sees("R").table["menu"]}
    assert not menu["resume"]["needs_reason"]
    friends.pages["R"].does("resume")
    assert not is_break(friends.host, friends.table)
    told = [note["text"] for note in friends.sees("B").table["notes"]]
    assert told[-2:] == ["Aino took a break", "Aino ended the break"]
    told = [note["text"] for note in friends.sees("R").table["notes"]]
    assert told[-2:] == ["You took a break", "You ended the break"]
    assert friends.pages["R"].is_refused("adjourn"), "other rulings need a reason"


def test_whoever_asked_can_cancel_it_and_nobody_else(friends: Friends) -> None:
    friends.pages["B"].does("ask break")
    assert friends.sees("B").table["request"]["is_mine"]
    assert not friends.sees("Y").table["request"]["is_mine"]
    assert friends.sees("Y").is_refused("cancel")
    friends.pages["B"].does("cancel")
    assert friends.sees("Y").table["request"] is None
    assert friends.sees("Y").view["events"][-1]["text"] == "Otso withdrew the request"
    assert friends.pages["B"].is_refused("cancel"), "there is nothing left to cancel"


def test_a_proposal_is_forgotten_when_the_match_is_over(server: Server) -> None:
    """K101: there is nothing left to halt. A referee whom all have named ends it alone."""
    friends, referee = Friends(server, settings=LONG), Guest(server)
    referee.joins(friends.links["referee"])
    page = referee.sits_at(friends.table)
    for seat in TEAMS:
        friends.sees(seat).does("agree")
    friends.pages["B"].does("ask break")
    page.waits_for(friends.latest)
    page.does('ref end "it is late"')
    friends.pages["B"].waits_until(lambda page: page.table["request"] is None)


def test_around_a_real_board_the_bookkeepers_word_is_enough(guest: Guest) -> None:
    """K101: there it is agreed aloud."""
    options: dict[str, Any] = {"mode": "companion"}
    table = guest.begins("as-kimble", options=options)
    guest.sits_at(table).does("break")
    assert is_break(guest, table)
