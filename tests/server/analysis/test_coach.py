"""The coach of whoever plays alone, and everybody who gets no help from it."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest

from kibitz.analysis.coach import imagined_position
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.db.store import StoredTable
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.people_view import is_coached
from kibitz.server.tables.viewers import ViewerSettings, settings_at
from support.server_process import Guest, Server, api
from support.twins import twins

BUSY, MOST_TRIES = 429, 30
SOLO = {"A": "me", "B": "greedy"}
CARD_DOWN = "13/13/13/13/13/5OFs5/13/13 R duel:F:g6>h6:1:{card} g6:4 g6 123456/123456 0-0 8 -"
"""Red has put down a card."""
MEN_DOWN = "{first}/2S10/1F11/2C10/1O11/13/2T10/13 R place:B - - 123456/123456 0-0 0 -"
FORCED = "8/8/1AA2BB1/8/8/8/8/8 A 0,0 6,6 51 -"
"""Rings win at once by pushing, and hardly otherwise."""


def asks(guest: Guest, table: str, what: str = "hint", **asked: Any) -> tuple[int, dict[str, Any]]:
    """Again while what is asked has still to be loaded."""
    for _ in range(MOST_TRIES):
        answer = guest.client.get(api(table, what), params=asked)
        if answer.status_code != BUSY:
            break
    return answer.status_code, answer.json()


def test_a_hint_is_something_that_may_be_done_and_plays_nothing(guest: Guest) -> None:
    table = guest.begins("kalamala", SOLO)
    status, hint = asks(guest, table)
    assert status == 200, hint
    (action,) = hint["actions"]
    assert action in guest.reads(table, "position")["actions"]
    assert hint["path"]
    assert hint["text"].startswith("Level 5 would choose: ")
    assert hint["why"][0].startswith("You placed a piece on ")
    assert len(hint["why"]) > 1, "what is answered is told, too"
    assert hint["worth"].startswith("Your chance of winning is then ")
    assert guest.reads(table)["seq"] == hint["seq"] == 0


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_hints_with_reasons(guest: Guest, game: str) -> None:
    first, *others = GAMES[game].game({}).seats
    table = guest.begins(game, {first: "me", **dict.fromkeys(others, "greedy")}, start=STARTS[game])
    status, hint = asks(guest, table)
    assert status == 200, hint
    assert hint["text"]
    assert hint["why"]
    assert all(hint["why"])
    assert "%" in hint["worth"]


STARTS = {
    "kalamala": START,
    "kahmate": "13/8o4/13/13/5Soc5/3O9/13/13 R play - g5 123456/123456 0-0 9 -",
    "as-kimble": "h2,t0,t9/h4/h4/h4 R:M6 d6 0+0/0+0/0+0/0+0 1:- ---- -",
}


def test_a_card_comes_with_its_mix(guest: Guest) -> None:
    start = CARD_DOWN.format(card="-")
    table = guest.begins("kahmate", {"R": "me", "B": "greedy"}, start=start)
    status, hint = asks(guest, table)
    assert status == 200, hint
    assert hint["why"][0].startswith("Cards are drawn from a mix, so that nobody can guess them: ")


def test_nobody_gets_help_among_people_or_out_of_turn(server: Server, guest: Guest) -> None:
    friend = Guest(server)
    table = guest.begins("kalamala", {"A": "me", "B": "free"})
    assert asks(guest, table)[0] == 403, "nobody is there yet"
    friend.joins(guest.links(table)["B"])
    for each in (guest, friend, Guest(server)):
        for what, asked in ASKED:
            assert asks(each, table, what, **asked)[0] in (403, 404), what
    alone = guest.begins("kahmate", {"R": "me", "B": "greedy"})
    spectator = Guest(server)
    spectator.joins(guest.links(alone)["watch"])
    for each in (friend, spectator):
        for what, asked in ASKED:
            assert asks(each, alone, what, **asked)[0] in (403, 404), what
    guest.sits_at(alone).does("resign R")
    assert asks(guest, alone)[0] == 409


ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("hint", {}),
    ("plan", {}),
    ("loss", {"actions": ["@a1"]}),
    ("hint", {"seat": "B"}),
)


def test_whoever_plays_with_others_is_not_coached_beside_it(server: Server, guest: Guest) -> None:
    """Else they could come to the same position against a bot."""
    alone = guest.begins("kalamala", SOLO)
    table = guest.begins("kalamala", {"A": "me", "B": "free"})
    Guest(server).joins(guest.links(table)["B"])
    guest.sits_at(table).does("@a1")
    for what, asked in ASKED[:3]:
        status, answer = asks(guest, alone, what, **asked)
        assert (status, answer["code"]) == (403, "analysis.playing"), what
    guest.sits_at(table).does("resign A")
    assert asks(guest, alone)[0] == 200


def test_on_a_shared_device_whoever_holds_it_is_coached(guest: Guest) -> None:
    table = guest.begins("kahmate", {"R": "me", "B": "me"})
    assert asks(guest, table)[1]["code"] == "curtain"
    assert asks(guest, table, seat="B")[1]["code"] == "curtain"
    assert asks(guest, table, seat="R")[0] == 200
    open_table = guest.begins("kalamala", {"A": "me", "B": "me"})
    assert asks(guest, open_table)[0] == 200


def test_a_bot_tells_what_it_wanted(guest: Guest) -> None:
    table = guest.begins("kalamala", {"A": "me", "B": "level-3"})
    assert asks(guest, table, "plan")[1]["code"] == "plan-none"
    page = guest.sits_at(table)
    page.does("@a1")
    page.waits_until(lambda page: page.view["acting"] == "A" and page.view["log"] != [])
    status, plan = asks(guest, table, "plan")
    assert status == 200, plan
    assert plan["seat"] == "B"
    assert plan["text"] == "Level 3 expected this:"
    assert plan["line"][0].startswith("Level 3 ")
    assert any(each.startswith("You ") for each in plan["line"])
    assert "%" in plan["worth"]


def test_a_large_mistake_is_told_before_it_is_made(guest: Guest) -> None:
    table = guest.begins("kalamala", SOLO, start=FORCED)
    status, told = asks(guest, table, "loss", actions=["f6:W2"])
    assert status == 200, told
    assert told["is_large"]
    assert told["loss"] > 0.15
    assert told["text"].startswith("This move takes ")
    assert asks(guest, table, "loss", actions=["c6:E1"])[1]["loss"] == 0
    assert asks(guest, table, "loss", actions=["nonsense"])[1]["loss"] is None
    assert guest.reads(table)["seq"] == 0


def test_mistakes_become_puzzles_for_whoever_made_them(server: Server, guest: Guest) -> None:
    """Once the match is over and evaluated; nobody else has them."""
    table = guest.begins("kalamala", SOLO, start=FORCED)
    page = guest.sits_at(table)
    page.does("f6:W2")
    assert "/result" in lesson_of(guest, table).headers["location"], "it is not over"
    page.waits_until(lambda page: page.view["acting"] == "A")
    page.does("resign A")
    for _ in range(MOST_TRIES):
        if guest.client.get(f"{table}/chances").status_code == 200:
            break
    assert f"{table}/lesson" in guest.client.get(f"{table}/chances").text
    answer = lesson_of(guest, table)
    assert answer.status_code == 200, answer.text
    found = re.search(r'<script type="application/json" id="course">(.*?)</script>', answer.text)
    assert found
    first, *_ = json.loads(found[1])["steps"]
    assert (first["start"], first["before"], first["seat"]) == (FORCED, [], "A")
    assert ["c6:E1"] in first["answers"]
    assert first["task"].endswith("Find something better.")
    assert "Push c6 one square to d6" in first["praise"]
    stranger = Guest(server)
    assert lesson_of(stranger, table).status_code in (303, 403, 404)


def lesson_of(guest: Guest, table: str) -> httpx.Response:
    return guest.client.get(f"{table}/lesson", follow_redirects=False)


@pytest.mark.parametrize("starts", [
    [CARD_DOWN.format(card=card) for card in "46"],
    [MEN_DOWN.format(first=first) for first in ("2O10", "1O11")],
])  # fmt: skip
def test_what_a_bot_hides_makes_no_difference(guest: Guest, starts: list[str]) -> None:
    """Two tables that differ in one hidden card, or man, get the same hint and the same plan."""
    tables = [guest.begins("kahmate", {"R": "greedy", "B": "me"}, start=each) for each in starts]
    for what, asked in ASKED[:3]:
        one, other = (asks(guest, each, what, **asked) for each in tables)
        assert one == other, what
        assert what != "hint" or one[0] == 200


def test_all_positions_that_look_alike_are_imagined_alike() -> None:
    for pair in twins(20, seed=4):
        for seat in {*pair.one.game.seats} - {pair.secretive}:
            one, other = (
                imagined_position(
                    each.game, each.table.state, seat, each.table.commitments_of(seat)
                )
                for each in pair.tables
            )
            assert one == other


def _solo_table(**settings: Any) -> LiveTable:
    stored = StoredTable(
        id="t",
        game="kalamala",
        rules_version=GAMES["kalamala"].version,
        options={},
        start=START,
        seats={"A": {"members": ["me"]}, "B": {"bot": "greedy"}},
        created_at=1.0,
        owner="me",
        settings=settings,
    )
    return LiveTable(stored, ())


def test_a_rated_match_has_no_coach_whoever_plays_it() -> None:
    for is_rated in (False, True):
        live = _solo_table(rated=is_rated)
        told = settings_at(live, "me", ViewerSettings((), "en"))
        assert is_coached(live, told) is not is_rated
        assert not is_coached(live, settings_at(live, "other", ViewerSettings((), "en")))
