"""Chances on a board and over a match: what is told, and that nobody gets them while they play."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from kibitz.cli import main as cli
from kibitz.i18n import LANGUAGES
from support.server_process import Guest, Server

FORCED = "8/8/1AA2BB1/8/8/8/8/8 A 0,0 6,6 51 -"
DUEL = "13/8o4/13/13/5Soc5/3O9/13/13 R duel:T:f5>g5:1:- f5:0 g5 123456/123456 0-0 9 -"
BOTH = {"A": "me", "B": "me"}


def asks(guest: Guest, game: str = "kalamala", **line: Any) -> httpx.Response:
    return guest.client.post("/api/v1/analysis/evaluate", json={"game": game, **line})


def evaluate_line(guest: Guest, game: str = "kalamala", **line: Any) -> dict[str, Any]:
    answer = asks(guest, game, **line)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def looks(guest: Guest, table: str) -> dict[str, Any]:
    """What is found in a match, asked for until all of it is."""
    for _ in range(100):
        told = guest.reads(table, "analysis")
        assert 0 < told["done"] <= told["of"]
        if told["analysis"]:
            found: dict[str, Any] = told["analysis"]
            return found
    raise AssertionError


def guest_named(server: Server, name: str) -> Guest:
    guest = Guest(server)
    guest.calls_himself(name)
    return guest


def play_blunder(guest: Guest) -> str:
    """A match that is over, and that Rings could have won."""
    table = guest.begins("kalamala", BOTH, start=FORCED)
    page = guest.sits_at(table)
    for text in ("f6:W2", "d6:E1", "resign A"):
        page.does(text)
    return table


def test_a_position_is_evaluated(guest: Guest) -> None:
    found = evaluate_line(guest, start=FORCED)
    assert [each["seat"] for each in found["seats"]] == ["A", "B"]
    assert sum(each["chance"] for each in found["seats"]) == pytest.approx(1)
    assert found["seats"][0]["name"] == "Rings"
    assert found["acting"] == "A"
    assert found["say"] == "Rings in the lead"
    best = {each["text"]: each for each in found["best"]}
    assert best["c6:E1"]["label"] == "Push c6 one square to d6"
    assert best["c6:E1"]["actions"]
    assert found["best"][0]["chance"] == max(each["chance"] for each in found["best"])


def test_a_card_is_told_with_its_share(guest: Guest) -> None:
    found = evaluate_line(guest, "kahmate", start=DUEL)
    assert sum(each["share"] for each in found["best"]) == pytest.approx(1, abs=0.001)
    assert all(each["text"].startswith("card=") for each in found["best"])
    assert all(each["label"].startswith("Play the ") for each in found["best"])


def test_four_teams_have_a_chance_each(guest: Guest) -> None:
    found = evaluate_line(guest, "as-kimble", actions=["R pop 6"])
    assert [each["seat"] for each in found["seats"]] == list("RBYG")
    assert found["say"] == "Level"


def test_what_is_over_is_decided(guest: Guest) -> None:
    found = evaluate_line(guest, actions=["@a1", "resign B"])
    assert [each["chance"] for each in found["seats"]] == [1, 0]
    assert found["best"] == []


def test_what_cannot_be_played_is_not_evaluated(guest: Guest) -> None:
    answer = asks(guest, actions=["@a1", "@a1"])
    assert answer.status_code == 422
    assert answer.json()["number"] == 2


def test_the_same_question_has_the_same_answer_in_every_language(guest: Guest) -> None:
    """An engine that thought again would find other numbers in the time it has."""
    first = evaluate_line(guest, actions=["@a1", "@h8"])
    for language in LANGUAGES:
        guest.client.headers["Accept-Language"] = language
        assert (
            evaluate_line(guest, actions=["@a1", "@h8"])["seats"][0]["chance"]
            == (first["seats"][0]["chance"])
        )


def test_whoever_plays_with_others_is_refused_until_it_is_over(
    server: Server, guest: Guest
) -> None:
    """And told which match it is; nothing is refused before anything was done there."""
    other = guest_named(server, "Ben")
    table = guest.begins("kalamala", {"A": "me", "B": "free"})
    other.joins(guest.links(table)["B"])
    assert "best" in evaluate_line(guest), "not begun"
    guest.sits_at(table).does("@a1")
    for each in (guest, other):
        answer = asks(each)
        assert answer.status_code == 403
        assert answer.json()["values"]["table"] == table.removeprefix("/t/")
        assert "You are playing Kalamala against" in answer.json()["message"]
    assert "against Ben" in asks(guest).json()["message"]
    assert "best" in evaluate_line(guest, "kahmate", start=DUEL), "another game"
    assert "best" in evaluate_line(Guest(server)), "somebody else"
    guest.sits_at(table).does("resign A")
    for each in (guest, other):
        assert "best" in evaluate_line(each)


def test_bots_play_on_no_position_of_a_match_with_others(server: Server, guest: Guest) -> None:
    """Whoever plays one would only have to watch what they do."""
    other = guest_named(server, "Ben")
    table = guest.begins("kalamala", {"A": "me", "B": "free"})
    other.joins(guest.links(table)["B"])
    guest.sits_at(table).does("@a1")
    position = guest.reads(table, "position")["position"]
    asked = {"game": "kalamala", "seats": {"A": "greedy", "B": "greedy"}, "start": position}
    answer = guest.client.post("/api/v1/tables", json=asked)
    assert (answer.status_code, answer.json()["code"]) == (403, "bots-beside-match")
    free = guest.begins("kalamala", {"A": "free", "B": "free"}, start=position)
    later = {"key": "k", "actions": ["bot A greedy"]}
    answer = guest.client.post(free.replace("/t/", "/api/v1/tables/") + "/actions", json=later)
    assert (answer.status_code, answer.json()["code"]) == (422, "bots-beside-match"), "nor later"
    usual = {**asked, "start": "start"}
    assert guest.client.post("/api/v1/tables", json=usual).status_code == 201
    guest.sits_at(table).does("resign A")
    assert guest.client.post("/api/v1/tables", json=asked).status_code == 201


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_of_days_closes_its_own_line_alone(
    server: Server, guest: Guest, language: str
) -> None:
    other = guest_named(server, "Ben")
    settings = {"clock": {"kind": "days", "days": 7}}
    table = guest.begins("kalamala", {"A": "me", "B": "free"}, settings=settings)
    other.joins(guest.links(table)["B"])
    guest.sits_at(table).does("@a1")
    guest.client.headers["Accept-Language"] = language
    for line in (["@a1"], ["@a1", "@h8"]):
        answer = asks(guest, actions=line)
        assert answer.status_code == 403
        assert "Ben" in answer.json()["message"]
        assert answer.json()["code"] == "analysis.same-line"
    assert "best" in evaluate_line(guest, actions=["@b1"]), "another line"
    position = "8/8/3BA3/2B2A2/2A2B2/3AB3/8/A7 B 3,4 0,0 2 -"
    assert asks(guest, start=position).status_code == 403, "the same position, set up by hand"


def test_a_match_against_bots_closes_nothing(guest: Guest) -> None:
    """Nor does the line of it."""
    table = guest.begins("kalamala", {"A": "me", "B": "random"})
    guest.sits_at(table).does("@a1")
    assert "best" in evaluate_line(guest, start=FORCED)
    line = evaluate_line(guest, actions=["@a1"], table=table.removeprefix("/t/"))
    assert "best" in line


def test_a_table_that_is_not_over_is_looked_at_for_nobody(server: Server, guest: Guest) -> None:
    table = guest.begins("kalamala", BOTH, is_open=True)
    guest.sits_at(table).does("@a1")
    for each in (guest, Guest(server)):
        for path in (table.replace("/t/", "/api/v1/tables/") + "/analysis", f"{table}/chances"):
            answer = each.client.get(path)
            assert answer.status_code == 409
            assert "not over yet" in answer.text
    id = table.removeprefix("/t/")
    answer = asks(Guest(server), actions=["@a1"], table=id)
    assert answer.status_code == 409
    guest.sits_at(table).does("resign A")
    assert "best" in evaluate_line(Guest(server), actions=["@a1"], table=id)


def test_a_table_that_one_may_not_see_is_not_told_of(server: Server, guest: Guest) -> None:
    table = play_blunder(guest)
    stranger = Guest(server)
    for path in (table.replace("/t/", "/api/v1/tables/") + "/analysis", f"{table}/chances"):
        assert stranger.client.get(path).status_code == 404


def test_a_match_is_told_as_the_command_tells_it(guest: Guest, tmp_path: Path) -> None:
    table = play_blunder(guest)
    found = looks(guest, table)
    file = tmp_path / "match.json"
    file.write_text(guest.client.get(f"{table}/record").text)
    made = CliRunner().invoke(cli.app, ["analyse", str(file), "--json"])
    assert found == json.loads(made.stdout)
    assert found["mistakes"][0] == 1
    assert looks(guest, table) == found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_is_told_on_its_page(guest: Guest, language: str) -> None:
    table = play_blunder(guest)
    looks(guest, table)
    answer = guest.client.get(f"{table}/chances", headers={"Accept-Language": language})
    assert answer.status_code == 200
    assert 'class="plot"' in answer.text
    assert f'<a href="{table}#0:' in answer.text, "the move, with an arrow for the better one"
    shown = re.sub(r'href="[^"]*"', "", answer.text)
    assert "c6" in shown
    assert "c6:E1" not in shown, "no notation"
    assert f'href="/analysis/kalamala?table={table.removeprefix("/t/")}&amp;n=0&amp;' in answer.text
    assert "style=" not in answer.text


def test_a_match_is_looked_at_once(tmp_path: Path) -> None:
    """A finished analysis is stored, and read again by a server that has just started."""
    with Server(tmp_path / "data") as server:
        guest = Guest(server)
        table = play_blunder(guest)
        found, cookies = looks(guest, table), guest.client.cookies
        (kept,) = server.read_rows("SELECT actions FROM match_analysis")
        assert kept["actions"] == len(found["entries"])
    with Server(tmp_path / "data") as server:
        again = Guest(server)
        again.client.cookies.update(cookies)
        assert again.reads(table, "analysis")["analysis"] == found, "at the first question"


def test_duels_are_told_with_their_mix(guest: Guest) -> None:
    table = guest.begins("kahmate", {"R": "me", "B": "me"}, start=DUEL)
    page = guest.sits_at(table)
    for seat, card in (("R", "card=6"), ("B", "card=1")):
        assert page.acts(card, seq=None, seat=seat)["type"] == "done"
    page.does("resign R")
    found = looks(guest, table)
    assert [each["kind"] for each in found["entries"]] == ["duel", "duel", "event"]
    told = guest.client.get(f"{table}/chances").text
    assert told.count('class="card-of') == 12
    assert told.count('class="card-of played"') == 2
    assert "Red attacked with 6" in told


def test_nobody_asks_without_end(tmp_path: Path) -> None:
    with Server(tmp_path / "data", limits="on") as server:
        guest = Guest(server)
        answers = [asks(guest, actions=["@a1", "@a1"]).status_code for _ in range(40)]
        assert set(answers) == {422, 429}
        assert answers[0] == 422
