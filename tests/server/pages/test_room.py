"""One link for a room: whoever comes by it picks a place; over a real server."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.friends import FREE, TEAMS
from support.server_process import Guest, Server, api
from support.words import sentence


def comes(guest: Guest, link: str, place: str, name: str = "") -> str:
    """By the form of the invitation; where it leads."""
    answer = guest.client.post(link, data={"place": place, "name": name})
    assert answer.status_code == 303, answer.text
    where: str = answer.headers["location"]
    return where


def seats(guest: Guest, table: str) -> dict[str, list[str]]:
    return {each["seat"]: each["members"] for each in guest.reads(table)["seats"]}


def test_four_teams_and_a_mate_fill_a_table_by_one_link_that_stays_the_same(
    server: Server,
) -> None:
    host = Guest(server)
    host.calls_himself("Aino")
    table = host.begins("as-kimble", FREE)
    link = host.links(table)["room"]
    guests = {seat: Guest(server) for seat in TEAMS[1:]}
    for seat, guest in guests.items():
        shown = guest.client.get(link).text
        assert f'value="{seat}" required' in shown
        assert comes(guest, link, seat, f"Team {seat}") == table
        assert host.links(table)["room"] == link
    mate, late = Guest(server), Guest(server)
    assert "Team B" in mate.client.get(link).text
    comes(mate, link, "B", "Mate")
    comes(late, link, "watch")
    assert seats(host, table) == {
        "R": ["Aino"],
        "B": ["Team B", "Mate"],
        "Y": ["Team Y"],
        "G": ["Team G"],
    }
    assert not late.reads(table)["is_over"], "who watches sees the table"
    for guest in (host, mate, *guests.values()):
        again = guest.client.get(link)
        assert (again.status_code, again.headers["location"]) == (303, table), "back at the seat"
    assert late.client.get(link).status_code == 200, "who watches may still pick a team"


def test_a_stranger_takes_no_seat_of_a_side_that_one_person_plays(server: Server) -> None:
    host, friend, nosy = Guest(server), Guest(server), Guest(server)
    table = host.begins("kalamala", {"A": "me", "B": "free"})
    link = host.links(table)["room"]
    comes(friend, link, "B", "Marc")
    shown = nosy.client.get(link).text
    assert sentence("page.room-full") in shown
    assert len(re.findall(r'value="[AB]" required disabled', shown)) == 2
    for seat in "AB":
        refused = nosy.client.post(link, data={"place": seat})
        assert refused.headers["location"] == f"{link}?gone"
        token = link.rsplit("/", 1)[1]
        told = nosy.client.post(api(table, "join"), json={"token": token, "place": seat})
        assert (told.status_code, told.json()["code"]) == (422, "place-gone")
    assert sentence("page.place-gone") in nosy.client.get(f"{link}?gone").text
    wrong = nosy.client.post(api(table, "join"), json={"token": token, "place": "Z"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "table.no-such-seat")
    spectator = nosy.client.post(api(table, "join"), json={"token": token})
    assert spectator.json() == {"place": "watch"}
    assert [*seats(nosy, table).values()] == [[""], ["Marc"]]


def test_of_two_who_want_the_last_seat_at_once_one_gets_it(server: Server) -> None:
    host, rivals = Guest(server), [Guest(server) for _ in range(6)]
    for rival in rivals:
        rival.client.get("/")
    table = host.begins("kalamala", {"A": "me", "B": "free"})
    link = host.links(table)["room"]
    with ThreadPoolExecutor(len(rivals)) as pool:
        places = [*pool.map(lambda rival: comes(rival, link, "B"), rivals)]
    assert sorted(places) == sorted([table, *[f"{link}?gone"] * 5])
    assert [len(sitting) for sitting in seats(host, table).values()] == [1, 1]


def test_the_link_changes_for_strangers_when_somebody_is_sent_away(server: Server) -> None:
    host, mate, rude, stranger = (Guest(server) for _ in range(4))
    table = host.begins("as-kimble", FREE)
    link = host.links(table)["room"]
    comes(mate, link, "B", "Mate")
    comes(rude, link, "Y", "Rude")
    sent = {"key": "k", "actions": ["unseat Y"]}
    assert host.client.post(api(table, "actions"), json=sent).status_code == 200
    fresh = host.links(table)["room"]
    assert fresh != link
    assert mate.client.get(link).headers["location"] == table, "a mate still comes home by it"
    assert stranger.client.get(link).status_code == 404
    assert stranger.client.get(fresh).status_code == 200


def test_a_book_is_joined_by_its_room_and_names_its_teams(server: Server) -> None:
    bookkeeper, player = Guest(server), Guest(server)
    bookkeeper.calls_himself("Kirja")
    teams = {"B": {"name": "Siniset", "players": ["Otso", "Ulla"]}}
    table = bookkeeper.begins("as-kimble", options={"mode": "companion"}, settings={"teams": teams})
    links = bookkeeper.links(table)
    shown = player.client.get(links["room"]).text
    assert all(name in shown for name in ("Siniset", "Otso", "Ulla"))
    told = shown.partition("</head>")[2]
    assert told.count("Kirja") == 1, "the bookkeeper plays in no team"
    where = comes(player, links["room"], "B", "Otso")
    assert where == table.replace("/t/", "/book/")
    assert {*player.links(table)} >= {"room", "B"}
    screen = Guest(server)
    screen.joins(links["party"])
    assert {*screen.links(table)} == {"room", "watch"}


@pytest.mark.parametrize("language", ["en", "fr", "fi", "sv"])
def test_an_invitation_says_what_the_game_is_in_every_language(
    server: Server, language: str
) -> None:
    host, guest = Guest(server), Guest(server)
    host.calls_himself("Aino")
    table = host.begins("kalamala", {"A": "me", "B": "free"})
    link = host.links(table)["room"]
    guest.client.post("/language", data={"language": language, "back": link})
    shown = guest.client.get(link).text
    assert f'<html lang="{language}">' in shown
    for id in ("kalamala.tagline", "page.choose-side", "page.only-watch", "page.come-in"):
        assert sentence(id, language) in shown, id
    assert shown.count('name="language"') == 4
