"""A board to try things out on: it says what the rules say, and keeps nothing."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from kibitz.core.colours import DARK, LIGHT
from kibitz.core.game import CHANCE
from kibitz.core.record import UNFINISHED, Record, replay
from kibitz.games import GAMES
from support.server_process import Guest, Server

KALAMALA = "8/8/3BA3/2B2A2/2A2B2/3AB3/8/8 A 4,4 0,0 1 -"


def analyses(guest: Guest, game: str, *actions: str, **more: Any) -> dict[str, Any]:
    answer = guest.client.post("/api/v1/analysis", json={"game": game, "actions": actions, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def is_refused(guest: Guest, what: str = "", **line: Any) -> dict[str, Any]:
    answer = guest.client.post(f"/api/v1/analysis{what}", json=line)
    assert answer.status_code == 422, answer.text
    found: dict[str, Any] = answer.json()
    return found


def some_match(name: str, most: int) -> Record:
    """What comes of acting at random, under what is suggested."""
    rulebook, chosen = GAMES[name], random.Random(f"{name} {most}")
    game = rulebook.game(rulebook.preset)
    state, actions = game.rules.start(), list[str]()
    while len(actions) < most and game.rules.outcome(state) is None:
        actor = CHANCE if CHANCE in (able := game.rules.to_act(state)) else min(able)
        drawn = game.rules.odds(state) if actor == CHANCE else game.rules.turn_actions(state, actor)
        step = game.rules.resolve(state, actor, chosen.choice(list(drawn)))
        actions.append(game.notation.write_action(step.action))
        state = step.state
    return Record(
        game=name,
        rules=rulebook.version,
        options=rulebook.preset,
        actions=tuple(actions),
        result=UNFINISHED,
    )


@pytest.mark.parametrize("name", list(GAMES))
def test_a_line_leads_where_the_rules_lead(guest: Guest, name: str) -> None:
    record = some_match(name, 60)
    game = GAMES[name].game(record.options)
    states = [game.rules.start(), *(played.step.state for played in replay(game, record))]
    for n in (len(record.actions), 33, 34, 7, 0):
        seen = analyses(guest, name, *record.actions[:n], options=dict(record.options))
        assert seen["position"] == game.notation.write_state(states[n])
        assert seen["actions"] == list(record.actions[:n])
        assert len(seen["words"]) == n
        assert all(seen["words"])
        able = game.rules.to_act(states[n])
        assert seen["view"]["acting"] in able or able == {CHANCE}
        odds = {each["text"]: each["odds"] for each in seen["chance"]}
        assert odds == {
            game.notation.write_action(action): pytest.approx(float(part))
            for action, part in (game.rules.odds(states[n]) if CHANCE in able else {}).items()
        }


def test_a_line_may_begin_anywhere(guest: Guest) -> None:
    seen = analyses(guest, "kalamala", "@a1", start=KALAMALA.replace(" A ", " B "))
    assert seen["position"] == "8/8/3BA3/2B2A2/2A2B2/3AB3/8/B7 A 4,3 0,0 2 -"
    assert seen["words"] == ["Blocks placed a piece on a1"]


def test_what_is_known_is_not_told_again(guest: Guest) -> None:
    first = analyses(guest, "kalamala", "@a1")
    assert first["view"]["svg"]
    seen = analyses(guest, "kalamala", "@a1", "@h8", since=first["view"]["seq"], known_actions=1)
    assert seen["words"] == ["Blocks placed a piece on h8"]
    assert seen["view"]["svg"] is None
    assert [each["text"] for each in seen["view"]["events"]] == seen["words"]


def test_the_action_at_fault_has_its_number_and_its_rule(guest: Guest) -> None:
    told = is_refused(guest, game="kalamala", actions=["@a1", "@h8", "@h8", "@b1"])
    assert told["number"] == 3
    assert "h8" in told["message"]
    assert told["rule"] == "3.1"
    assert is_refused(guest, game="kalamala", actions=["@a1", "nonsense"])["number"] == 2


@pytest.mark.parametrize(
    "line",
    [
        {"game": "kalamala", "start": "8/8/8 rubbish"},
        {"game": "kalamala", "options": {"turn_limit": "many"}},
        {"game": "kalamala", "options": {"height": 3}},
        {"game": "chess"},
    ],
)
def test_what_cannot_begin_is_no_actions_fault(guest: Guest, line: dict[str, Any]) -> None:
    told = is_refused(guest, **line)
    assert told["message"]
    assert told["number"] == 0


def test_a_touch_is_answered_with_the_reason(guest: Guest) -> None:
    line = {"game": "kalamala", "actions": ["@a1"], "path": ["rs-B", "sq-a1"]}
    answer = guest.client.post("/api/v1/analysis/explain", json=line)
    assert answer.status_code == 200
    assert "a1" in answer.json()["message"]
    assert answer.json()["rule"] == "3.1"


def test_a_place_can_be_changed_by_hand(guest: Guest) -> None:
    def edits(*path: str) -> dict[str, str]:
        line = {"game": "kalamala", "path": path}
        found = guest.client.post("/api/v1/analysis/edits", json=line).json()
        return {each["label"]: each["position"] for each in found}

    assert edits("sq-a1")["Ring"].startswith("8/8/3BA3/2B2A2/2A2B2/3AB3/8/A7 ")
    assert edits()["Blocks to play"].split()[1] == "B"
    assert edits("nowhere") == {}
    for position in (*edits("sq-a1").values(), *edits().values()):
        assert analyses(guest, "kalamala", start=position)["position"] == position


@pytest.mark.parametrize(
    "line",
    [
        {"game": "kalamala", "actions": ["@a1"] * 4001},
        {"game": "kalamala", "start": "8" * 20_001},
        {"game": "k" * 61},
        {"game": "kalamala", "since": -1},
        {"game": "kalamala", "moves": ["@a1"]},
    ],
)
def test_what_is_too_much_is_not_tried(guest: Guest, line: dict[str, Any]) -> None:
    assert guest.client.post("/api/v1/analysis", json=line).status_code == 400


def test_a_body_without_end_is_not_read(guest: Guest) -> None:
    line = {"game": "kalamala", "actions": ["x" * 10_000] * 8}
    assert guest.client.post("/api/v1/analysis", json=line).status_code == 413


def test_too_many_questions_have_to_wait(tmp_path: Path) -> None:
    with Server(tmp_path, limits="on") as server:
        guest = Guest(server)
        asked = (
            guest.client.post("/api/v1/analysis", json={"game": "kalamala"}) for _ in range(900)
        )
        answers = [answer.status_code for answer in islice(asked, 60)]
        assert answers == [200] * 60
        late = next(answer for answer in asked if answer.status_code == 429)
        assert late.json()["wait_seconds"] > 0


def test_nothing_is_written_down(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        guest = Guest(server)
        guest.client.get("/analysis/kalamala")
        kept = files(tmp_path)
        analyses(guest, "kalamala", "@a1", "@h8")
        is_refused(guest, game="kalamala", actions=["@a1", "@a1"])
        guest.client.get("/picture.svg", params={"game": "kalamala"})
        assert files(tmp_path) == kept


def files(folder: Path) -> dict[str, bytes]:
    """All but what SQLite notes of those who read."""
    found = [file for file in folder.iterdir() if not file.name.endswith("-shm")]
    return {file.name: file.read_bytes() for file in found}


def draws(guest: Guest, **asked: str) -> str:
    answer = guest.client.get("/picture.svg", params=asked)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    return answer.text


@pytest.mark.parametrize("name", list(GAMES))
def test_a_picture_stands_for_itself(guest: Guest, name: str) -> None:
    made = draws(guest, game=name)
    ElementTree.fromstring(made)
    assert "var(" not in made
    assert "data-el" not in made
    assert f'fill="{LIGHT["paper"]}"' in made
    assert f'fill="{DARK["paper"]}"' in draws(guest, game=name, theme="dark")


def test_a_picture_is_of_the_position_that_is_asked_for(guest: Guest) -> None:
    one = draws(guest, game="kalamala", position=KALAMALA)
    other = draws(guest, game="kalamala", position=KALAMALA.replace("/8 A 4,4", "/A7 A 3,4"))
    assert one == draws(guest, game="kalamala")
    assert 'id="pc-sq-a1"' in other
    assert 'id="pc-sq-a1"' not in one


def test_cards_that_lie_face_down_stay_so(guest: Guest) -> None:
    """Whatever the card: a picture is for everybody."""
    duel = "13/3C9/5S4f2/6Fo1s3/13/13/13/13 R duel:F:g4>h4:1:{} g4:3 g4 134/156 0-0 22 -"
    chosen = {draws(guest, game="kahmate", position=duel.format(card)) for card in "134"}
    assert len(chosen) == 1
    assert chosen != {draws(guest, game="kahmate", position=duel.format("-"))}


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({}, 400),
        ({"game": "chess"}, 422),
        ({"game": "kalamala", "position": "<script>alert(1)</script>"}, 422),
        ({"game": "kalamala", "position": "8" * 20_001}, 400),
        ({"game": "kalamala", "options": "[1]"}, 400),
        ({"game": "kalamala", "options": '{"<b>": 1}'}, 422),
        ({"game": "kalamala", "options": "[" * 9000}, 400),
        ({"game": "kalamala", "theme": "red"}, 400),
    ],
)
def test_no_picture_of_anything_else(guest: Guest, asked: dict[str, str], status: int) -> None:
    answer = guest.client.get("/picture.svg", params=asked)
    assert answer.status_code == status
    assert "<script>alert" not in answer.text
    assert "<b>:" not in answer.text
    assert "<svg xmlns" not in answer.text.split("<body")[0]
