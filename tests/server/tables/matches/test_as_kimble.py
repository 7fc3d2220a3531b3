"""What AS-Kimble asks of a server: words out of turn, a referee, a dome that waits for hembo."""

from __future__ import annotations

import json
import time

import pytest

from support.server_process import Guest, Page, Server

EATEN = "h2,t4x2/h3,t9/h4/h4 R:M5 d5 0+0/0+0/0+0/0+0 1:- ---- -"
"""Red can send Blue's last piece home."""


def rules(page: Page, text: str) -> dict[str, object]:
    """Typed, as whoever opened the table may."""
    return page.acts(text, seat=None)


def test_whoever_opened_the_table_is_its_referee_and_nobody_else(
    guest: Guest, server: Server
) -> None:
    table, stranger = guest.opens("as-kimble"), Guest(server)
    stranger.joins(guest.links(table)["watch"])
    page, other = guest.sits_at(table), stranger.sits_at(table)
    assert rules(page, 'ref pen B +2 "spilt"')["type"] == "done"
    other.waits_for(1)
    assert other.acts('ref pen B +2 "spilt"', seat=None)["type"] == "refused"
    assert page.codes == ['ref pen B +2 "spilt"']
    assert "ask break" in [item["text"] for item in page.table["menu"]]
    assert (other.view["menu"], other.table["menu"]) == ([], [])


def test_half_a_letter_harms_nobody(guest: Guest) -> None:
    page = guest.sits_at(guest.opens("as-kimble"))
    assert rules(page, r'note "\ud800"')["type"] == "done"
    assert page.codes == ['note "?"']


def test_others_on_the_device_may_speak_too(guest: Guest) -> None:
    page = guest.sits_at(guest.opens("as-kimble"))
    calls = {(o["seat"], o["actions"][0]) for o in page.view["offers"] if o["kind"] == "hembo"}
    assert calls == {(team, f"{team} hembo {form}") for team in "RBYG" for form in ("jag", "vi")}
    assert page.acts("Y hembo jag", seat="Y")["type"] == "done"


def test_the_only_choice_is_told(guest: Guest) -> None:
    page = guest.sits_at(guest.opens("as-kimble"))
    assert page.view["only"] == []
    rules(page, 'ref set "h4/h4/h4/h4 R:M6 d6 0+0/0+0/0+0/0+0 1:- ---- -" "a six"')
    assert page.view["only"] == ["R in"]


def test_what_moved_last_is_marked_while_others_pop(guest: Guest) -> None:
    page = guest.sits_at(guest.opens("as-kimble"))
    rules(page, f'ref set "{EATEN.replace("h3,t9", "h2,t9,t12")}" "on with it"')
    page.acts("R t4-t9")
    hop, home = page.view["last"]
    assert (hop["from"], hop["to"], hop["how"]) == ("t-4", "t-9", "hop")
    assert hop["through"] == ["t-5", "t-6", "t-7", "t-8"]
    assert (home["from"], home["to"], home["how"]) == ("t-9", "h-B2", "home")
    page.acts()
    (roll,) = page.view["events"][0]["motions"]
    assert (roll["from"], roll["to"], roll["how"]) == ("dome", "dome", "roll")
    assert page.view["last"] == [hop, home]


def test_a_bot_says_the_sentence_before_anybody_pops(guest: Guest) -> None:
    page = guest.sits_at(guest.opens("as-kimble", "bot", "R"))
    rules(page, f'ref set "{EATEN}" "on with it"')
    page.acts("R t4-t9")
    while len(page.codes) < 3:
        page.sees_next()
    assert page.codes[1:3] == ["R t4-t9", "B hembo jag"]


def test_bots_leave_somebody_who_owes_the_sentence_some_time(guest: Guest) -> None:
    page = guest.sits_at(guest.opens("as-kimble", "bot", "R"))
    owing = "h4/h2,t9x2/h4/h4 B:N1 d5 0+0/0+0/0+0/0+0 1:- !--- -"
    rules(page, f'ref set "{owing}" "on with it"')
    since = time.monotonic()
    while len(page.codes) < 2:
        page.sees_next()
    assert page.codes[1].startswith("B pop")
    assert time.monotonic() - since > 4


@pytest.mark.parametrize(
    "options", [{"unit_factor": 10**400}, {"team_size": [1, 1, 1, 10**400]}, {"pace": "never"}, []]
)
def test_options_that_cannot_be_are_refused(guest: Guest, options: object) -> None:
    form = {"game": "as-kimble", "play": "device", "options": json.dumps(options)}
    assert guest.client.post("/tables", data=form).status_code == 400


@pytest.mark.parametrize(
    ("options", "pace"),
    [
        ({}, "turn"),
        ({"unit": "cans"}, "free"),
        ({"unit": "soft"}, "turn"),
        ({"pace": "free"}, "free"),
    ],
)
def test_nothing_hurries_anybody_beside_alcohol(
    guest: Guest, options: dict[str, str], pace: str
) -> None:
    table = guest.opens("as-kimble", options=json.dumps(options))
    assert guest.client.get(f"{table}/record").json()["options"]["pace"] == pace
