"""Hints and new matches for somebody who plays against bots."""

from __future__ import annotations

from typing import Any

from support.server_process import Guest, Server, api

BUSY, MOST_TRIES = 429, 30
SOLO = {"A": "me", "B": "greedy"}


def asks_for_hint(guest: Guest, table: str) -> tuple[int, dict[str, Any]]:
    """Again while its bot has still to be loaded."""
    for _ in range(MOST_TRIES):
        answer = guest.client.get(api(table, "hint"))
        if answer.status_code != BUSY:
            break
    return answer.status_code, answer.json()


def test_a_hint_is_something_that_may_be_done_and_plays_nothing(guest: Guest) -> None:
    table = guest.begins("kalamala", SOLO)
    status, hint = asks_for_hint(guest, table)
    assert status == 200, hint
    (action,) = hint["actions"]
    assert action in guest.reads(table, "position")["actions"]
    assert hint["path"]
    assert hint["text"].startswith("Level 5 would choose: ")
    assert guest.reads(table)["seq"] == hint["seq"] == 0


def test_nobody_gets_a_hint_among_people_or_out_of_turn(server: Server, guest: Guest) -> None:
    friend = Guest(server)
    table = guest.begins("kalamala", {"A": "me", "B": "free"})
    assert asks_for_hint(guest, table)[0] == 403, "nobody is there yet"
    friend.joins(guest.links(table)["B"])
    for each in (guest, friend):
        assert asks_for_hint(each, table)[0] == 403
    alone = guest.begins("kalamala", SOLO)
    assert asks_for_hint(friend, alone)[0] in (403, 404)
    guest.sits_at(alone).does("resign A")
    assert asks_for_hint(guest, alone)[0] == 409


def test_a_new_match_has_the_same_settings_and_another_level(guest: Guest) -> None:
    clock = {"kind": "fischer", "minutes": 9.0, "seconds": 2.0}
    table = guest.begins("kalamala", SOLO, settings={"clock": clock})
    answer = guest.client.post(f"{table}/again", data={"bot": "level-3"}, follow_redirects=False)
    assert answer.status_code == 303
    another = answer.headers["location"]
    assert another != table
    page = guest.sits_at(another)
    assert [seat["bot"] for seat in page.people_view["seats"]] == ["", "level-3"]
    assert guest.reads(another)["settings"]["clock"] == clock
    assert guest.client.post(f"{table}/again", data={"bot": "nobody"}).status_code == 400
