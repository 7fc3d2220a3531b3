"""The tutorials as pages get them, and a board that is looked at from one seat."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES
from kibitz.server.pages.lessons import has_lessons, tutorial_data
from support.server_process import Guest, Server

DUEL = "13/8o4/13/13/5Soc5/3O9/13/13 R play - g5 256/123 0-0 9 -"


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    with Server(tmp_path_factory.mktemp("data")) as server:
        yield Guest(server)


def analyse_line(guest: Guest, **line: Any) -> Any:
    answer = guest.client.post("/api/v1/analysis", json=line)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_page_has_all_steps_in_the_readers_language(
    guest: Guest, game: str, language: str
) -> None:
    answer = guest.client.get(f"/learn/{game}", headers={"Accept-Language": language})
    assert answer.status_code == 200
    found = re.search(r'id="course">(.*?)</script>', answer.text, re.DOTALL)
    assert found
    told = json.loads(found[1])
    assert told == json.loads(json.dumps(tutorial_data(game, language)))
    others = {step["title"] for each in LANGUAGES for step in tutorial_data(game, each)["steps"]}
    assert {step["title"] for step in told["steps"]} < others


@pytest.mark.parametrize("game", GAMES)
def test_every_step_can_be_come_to(guest: Guest, game: str) -> None:
    told = tutorial_data(game, "en")
    for step in told["steps"]:
        line = {"game": game, "options": told["options"], "start": step["start"]}
        seen = analyse_line(guest, **line, actions=step["before"], seat=step["seat"])
        assert seen["actions"] == list(step["before"])
        assert {offer["seat"] for offer in seen["view"]["offers"]} == {step["seat"]}
        assert bool(step["before"]) == step["goes_on"]


def test_there_is_no_tutorial_of_what_is_no_game(guest: Guest) -> None:
    assert not has_lessons("chess")
    assert guest.client.get("/learn/chess").status_code == 404


def test_from_a_seat_the_other_ones_card_is_not_seen(guest: Guest) -> None:
    """Whoever sits there sees the same whatever was put down."""
    line: dict[str, Any] = {"game": "kahmate", "start": DUEL, "seat": "B"}
    one, other = (
        analyse_line(guest, **line, actions=["f5xg5", card])["view"]
        for card in ("card=5", "card=6")
    )
    assert one == other
    assert one["acting"] == "B"
    assert one["seats"][1]["is_mine"]
    assert not one["seats"][0]["is_mine"]


def test_what_came_since_a_view_is_told(guest: Guest) -> None:
    line: dict[str, Any] = {
        "game": "kalamala",
        "start": "8/8/8/2B5/8/2A5/8/8 A 0,0 7,7 51 -",
        "seat": "A",
    }
    before = analyse_line(guest, **line)["view"]
    assert before["svg"]
    assert not before["events"]
    after = analyse_line(guest, **line, actions=["c5:N1"], since=before["seq"])["view"]
    assert after["svg"] is None
    assert after["layers"]
    assert [motion["to"] for event in after["events"] for motion in event["motions"]] == ["sq-c6"]
    unknown = analyse_line(guest, **line, actions=["c5:N1"], since=77)["view"]
    assert unknown["svg"]


def test_somebody_at_a_seat_asks_for_that_seat(guest: Guest) -> None:
    line = {"game": "kahmate", "start": DUEL, "path": ["sq-g5"]}
    asked = [
        guest.client.post("/api/v1/analysis/explain", json={**line, "seat": seat}).json()["message"]
        for seat in ("R", "B")
    ]
    assert asked[0] != asked[1]
