"""Who is reminded of the sentence: a house rule of the table, and what screens show by it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec import structs

from kibitz.core.game import CHANCE
from kibitz.games.as_kimble.game import AS_KIMBLE
from kibitz.games.as_kimble.state import NO_MARKS, State
from kibitz.server.db.store import StoredTable
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.people_view import render_clock
from kibitz.server.tables.replay import position_after
from kibitz.server.tables.view import render_view
from kibitz.server.tables.viewers import ViewerSettings, settings_at
from support.friends import FREE, TEAMS, Friends
from support.server_process import Guest, Page, Server, api

EATING = "h2,t4x2/h3,t9/h4/h4 R:M5 d5 0+0/0+0/0+0/0+0 1:- ---- -"
"""Red can send Blue's last piece home."""
LIGHT_MEAL = EATING.replace("h3,t9", "h2,t9,t12")
"""Blue has another one out."""
WON = "t26,g2,g3,g4/h4/h4/h4 R:M2 d2 0+0/0+0/0+0/0+0 1:- ---- -"
COMPANION = {"mode": "companion"}
HORN = "horn"
SAMPLE = 40
"""So many states are looked at."""


def live_at(start: str, reminders: str, **options: Any) -> LiveTable:
    game = AS_KIMBLE.game(options)
    people = {seat: {"members": [f"p{seat}"], "entropy": "x"} for seat in game.seats}
    stored = StoredTable(
        id="memory",
        game=game.name,
        rules_version=AS_KIMBLE.version,
        options=dict(game.options),
        start=start,
        seats=people,
        created_at=0.0,
        owner="pR",
        settings={"reminders": reminders},
    )
    return LiveTable(stored, ())


def owing_states(matches: int) -> list[tuple[dict[str, Any], State]]:
    """States in which somebody owes the sentence, out of random matches."""
    found = list[tuple[dict[str, Any], State]]()
    for number in range(matches):
        rng = Random(number)
        options: dict[str, Any] = {"mode": "companion" if number % 2 else "digital"}
        rules = AS_KIMBLE.game(options).rules
        state = rules.start()
        for _ in range(300):
            actors = sorted(rules.to_act(state))
            if not actors:
                break
            actor = CHANCE if CHANCE in actors else rng.choice(actors)
            state = rules.resolve(state, actor, rng.choice(rules.turn_actions(state, actor))).state
            if "!" in state.hembo:
                found.append((options, state))
    return Random(1).sample(found, SAMPLE)


def view_text(live: LiveTable, member: str) -> str:
    return render_view(live, settings_at(live, member, ViewerSettings((), "en")), None)


def test_who_is_not_reminded_is_sent_the_same_whether_or_not_the_sentence_is_owed() -> None:
    states = owing_states(12)
    for (options, owing), member in product(states, ("pR", "pB", "pY", "pG", "stranger")):
        write = AS_KIMBLE.game(options).notation.write_state
        calm = structs.replace(owing, hembo=NO_MARKS)
        said = structs.replace(owing, hembo=tuple(mark.replace("!", "+") for mark in owing.hembo))
        sent = {
            view_text(live_at(write(state), "nobody", **options), member)
            for state in (owing, calm, said)
        }
        assert len(sent) == 1, write(owing)
        told = {
            view_text(live_at(write(state), "everybody", **options), member)
            for state in (owing, calm)
        }
        assert len(told) == 2, "whoever is reminded can tell"


@pytest.mark.parametrize(
    ("reminders", "host", "team", "room"),
    [
        ("nobody", False, False, False),
        ("bookkeeper", True, False, False),
        ("everybody", True, True, True),
    ],
)
def test_in_a_book_the_rule_says_whose_screen_shows_who_owes_it(
    reminders: str, host: bool, team: bool, room: bool
) -> None:
    live = live_at("h2,t9x2/h4/h4/h4 B:N3 d5 0+0/2+0/0+0/0+0 1:- -!-- -", reminders, **COMPANION)
    assert ('"marks":{"R":"-"' in view_text(live, "pR")) == host
    assert ('"marks":{"R":"-"' in view_text(live, "pB")) == team
    party = settings_at(live, "pR", ViewerSettings((), "en", is_for_room=True))
    assert ('"marks":{"R":"-"' in render_view(live, party, None)) == room, "also on the host's own"


def event_text(page: Page) -> str:
    return " ".join(event["text"] for event in page.view["events"])


def sounds(page: Page) -> set[str]:
    return {event["sound"] for event in page.view["events"]}


@pytest.mark.parametrize("reminders", ["nobody", "everybody"])
def test_a_duty_is_told_by_the_rule_and_a_miss_to_everybody(server: Server, reminders: str) -> None:
    friends = Friends(server, start=EATING, settings={"reminders": reminders})
    assert friends.sees("R").acts("R t4-t9")["type"] == "done"
    for seat in TEAMS:
        page = friends.sees(seat)
        is_told = reminders == "everybody"
        assert ("hembo" in event_text(page)) == (HORN in sounds(page)) == is_told, seat
        assert ("hembo" in page.view["log"][-1]["text"]) == is_told
        calls = [offer for offer in page.view["offers"] if offer["kind"] == "hembo"]
        assert calls, "the button is there for every team, all the time"
        tells = "Nothing is due" in calls[0]["prompts"][-1]
        assert tells == (is_told and seat != "B"), "nor does it say that it would be needless"
        assert calls[0]["is_urgent"] == (is_told and seat == "B")
    assert friends.sees("B").acts()["type"] == "done"
    for seat in TEAMS:
        page = friends.sees(seat)
        assert "forgot hembo: +1" in event_text(page)
        assert HORN in sounds(page), "a miss is heard by everybody"


def test_a_needless_call_is_heard_by_everybody(server: Server) -> None:
    friends = Friends(server, settings={"reminders": "nobody"})
    assert friends.sees("Y").acts("Y hembo jag", seat="Y")["type"] == "done"
    assert [HORN in sounds(friends.sees(seat)) for seat in TEAMS] == [True] * 4


def test_looking_back_reminds_nobody_either() -> None:
    live = live_at(EATING, "nobody")
    after, effects, _ = live.dry_run("R", ["R t4-t9"], "pR")
    live.advance_to(after, effects)
    blue = settings_at(live, "pB", ViewerSettings((), "en"))
    seen = position_after(live, blue, 1, full=False)
    assert "hembo" not in " ".join(event.text for event in seen.events)
    assert seen.position.split()[-2] == "-!--", "positions stay true"


@pytest.mark.parametrize("start", [EATING, LIGHT_MEAL])
def test_the_dome_waits_after_any_meal_where_nobody_is_reminded(start: str) -> None:
    live = live_at(start, "nobody")
    assert render_clock(live) is None
    after, effects, _ = live.dry_run("R", ["R t4-t9"], "pR")
    live.advance_to(after, effects)
    assert 4 < live.timer.die_delay_left() <= 5
    since = live.timer.die_delay_since
    after, effects, _ = live.dry_run("G", ["G hembo jag"], "pG")
    live.advance_to(after, effects)
    assert live.timer.die_delay_since == since, "talk does not keep the dome for longer"


# The custom of a table


def rule_of(guest: Guest, table: str) -> object:
    return guest.client.get(api(table)).json()["settings"]["reminders"]


def test_first_games_remind_everybody_and_later_ones_nobody(server: Server) -> None:
    guest = Guest(server)
    assert rule_of(guest, guest.begins("as-kimble", FREE)) == "everybody"
    for _ in range(3):
        page = guest.sits_at(guest.begins("as-kimble", dict.fromkeys(TEAMS, "me"), start=WON))
        assert page.acts("R t26-g1")["type"] == "done"
        assert page.view["outcome"]
        page.leaves()
    assert rule_of(guest, guest.begins("as-kimble", FREE)) == "nobody"
    asked = {"reminders": "everybody"}
    assert rule_of(guest, guest.begins("as-kimble", FREE, settings=asked)) == "everybody"
    bots = {"R": "me", **dict.fromkeys("BYG", "greedy")}
    assert rule_of(guest, guest.begins("as-kimble", bots)) == "everybody", "alone"
    assert rule_of(guest, guest.begins("as-kimble", options=COMPANION)) == "bookkeeper"


def test_the_form_of_the_first_page_has_the_rule(guest: Guest) -> None:
    page = guest.client.get("/").text
    assert page.count('name="reminders"') == 1, "one game has something to remember"
    form = {"game": "as-kimble", "play": "friend", "reminders": "nobody"}
    table = guest.client.post("/tables", data=form).headers["location"]
    assert rule_of(guest, table) == "nobody"
    form["reminders"] = "the cat"
    assert guest.client.post("/tables", data=form).status_code == 400


# One says jag, more say vi


def form_offered(page: Page) -> str:
    offers = [o["actions"][0] for o in page.view["offers"] if o["kind"] == "hembo"]
    return str(offers[0]).split()[-1]


def test_the_form_follows_the_people_who_sit_down_before_the_first_pop(server: Server) -> None:
    host, friend, late = Guest(server), Guest(server), Guest(server)
    seats = {"R": "me", **dict.fromkeys("BYG", "greedy")}
    table = host.begins("as-kimble", seats)
    page = host.sits_at(table)
    assert form_offered(page) == "jag"
    friend.joins(host.links(table)["R"])
    theirs = friend.sits_at(table)
    page.waits_until(lambda page: form_offered(page) == "vi")
    theirs.does("stand R")
    page.waits_until(lambda page: form_offered(page) == "jag")
    friend.joins(host.links(table)["R"])
    page.waits_until(lambda page: form_offered(page) == "vi")
    assert page.acts(seat="R")["type"] == "done"
    late.joins(host.links(table)["R"])
    page.waits_until(lambda page: len(page.seat("R")["members"]) == 3)
    record = host.client.get(f"{table}/record").json()
    assert record["options"]["team_size"] == [2, 1, 1, 1], "as they were when it began"


def test_the_sizes_of_tables_older_than_the_rule_stay_as_they_were() -> None:
    live = live_at("start", "nobody")
    old = LiveTable(replace(live.stored, settings={}), ())
    for table, sizes in ((live, [2, 1, 1, 1]), (old, [1, 1, 1, 1])):
        after, _, rows = table.dry_run("guest", ["sit R"], "friend")
        assert after.game.options["team_size"] == sizes
        assert len(rows) == 1
