"""Puzzles over HTTP: nothing of a solution before its time, and one rating for one first answer."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from typing import Any

import httpx
import pytest

from kibitz.games import GAMES
from kibitz.puzzles.puzzle import Puzzle, collection_of, find_puzzle, puzzle_of_day
from kibitz.server.puzzles.days import streak_length
from support.accounts import member
from support.server_process import Guest, Server

API = "/api/v1/puzzles"
each_game = pytest.mark.parametrize("game", GAMES)


def first_puzzle(game: str, n: int = 0) -> Puzzle:
    collection = collection_of(game)
    assert collection
    return collection.puzzles[n]


def wrong_action(game: str, puzzle: Puzzle) -> str:
    """Something else that the rules allow there."""
    collection = collection_of(game)
    assert collection
    rules = collection.rules()
    state = rules.notation.read_state(puzzle.start)
    texts = map(rules.notation.write_action, rules.rules.turn_actions(state, puzzle.seat))
    return next(text for text in texts if text != puzzle.solution)


def answers(guest: Guest, game: str, puzzle: Puzzle, *actions: str, **more: Any) -> Any:
    asked = {"actions": actions, **more}
    sent = guest.client.post(f"{API}/{game}/{puzzle.id}/answers", json=asked)
    assert sent.status_code == 200, sent.text
    return sent.json()


def my_puzzles(guest: Guest) -> Any:
    return guest.client.get("/api/v1/me/puzzles").json()


@each_game
def test_a_page_does_not_tell_the_solution(guest: Guest, game: str) -> None:
    puzzle = first_puzzle(game)
    page = guest.client.get(f"/puzzles/{game}/{puzzle.id}").text
    found = re.search(r'id="course">(.*?)</script>', page, re.DOTALL)
    assert found
    [step] = json.loads(found[1])["steps"]
    assert step["start"] == puzzle.start
    assert not {"solves", "then", "praise", "solution"} & step.keys()
    told = guest.client.get(f"{API}/{game}/{puzzle.id}").json()
    without_start = json.dumps({**told, "start": "", "task": ""})
    assert f'"{puzzle.solution}"' not in without_start


@each_game
def test_the_right_answer_is_told_why(guest: Guest, game: str) -> None:
    puzzle = first_puzzle(game)
    missed = answers(guest, game, puzzle, wrong_action(game, puzzle))
    assert missed == {"is_right": False, "explanation": None, "rating": None, "streak": None}
    found = answers(guest, game, puzzle, puzzle.solution)
    assert found["is_right"]
    told = found["explanation"]
    assert (told["solution"], told["then"]) == (puzzle.solution, list(puzzle.then))
    assert len(told["told"]) == 1 + len(puzzle.then)
    assert told["why"]


@each_game
def test_whoever_gives_up_is_told_the_solution(guest: Guest, game: str) -> None:
    puzzle = first_puzzle(game)
    told = answers(guest, game, puzzle)
    assert not told["is_right"]
    assert told["explanation"]["solution"] == puzzle.solution


def test_another_spelling_of_the_same_move_is_right(guest: Guest) -> None:
    """What counts is the position it leads to."""
    collection = collection_of("kalamala")
    assert collection
    rules = collection.rules()
    for puzzle in collection.puzzles:
        state = rules.notation.read_state(puzzle.start)
        for direction in ("N", "NE", "E", "SE", "S", "SW", "W", "NW"):
            text = re.sub(r":[A-Z]+", f":{direction}", puzzle.solution)
            action = rules.notation.read_action(text)
            if text == puzzle.solution or rules.rules.why_not(state, puzzle.seat, action):
                continue
            played = rules.rules.resolve(state, puzzle.seat, action).action
            if rules.notation.write_action(played) == puzzle.solution:
                assert answers(guest, "kalamala", puzzle, text)["is_right"]
                return
    pytest.skip("no solution has two spellings")


@pytest.mark.parametrize("text", ["nonsense", "a1:N9", "resign A"])
def test_what_is_no_move_is_refused(guest: Guest, text: str) -> None:
    puzzle = first_puzzle("kalamala")
    sent = guest.client.post(f"{API}/kalamala/{puzzle.id}/answers", json={"actions": [text]})
    assert sent.status_code == 422 or not sent.json()["is_right"]


@each_game
def test_a_hint_names_the_piece_and_then_the_place(guest: Guest, game: str) -> None:
    puzzle = first_puzzle(game)
    paths = [
        guest.client.post(f"{API}/{game}/{puzzle.id}/hints", json={"step": step}).json()["path"]
        for step in (1, 2)
    ]
    assert len(paths[0]) == 1
    assert paths[1][:1] == paths[0]


def test_what_is_no_puzzle_is_not_found(guest: Guest) -> None:
    for path in ("/puzzles/kalamala/00000000", "/puzzles/chess", "/puzzles/chess/next"):
        assert guest.client.get(path).status_code == 404, path
    for path in (f"{API}/kalamala/00000000", f"{API}/chess"):
        assert guest.client.get(path).json()["code"] == "no-puzzle"


# Ratings


def test_a_first_answer_is_rated_once(server: Server) -> None:
    ann, puzzle = member(server), first_puzzle("kalamala")
    lost = answers(ann, "kalamala", puzzle, wrong_action("kalamala", puzzle))["rating"]
    assert lost["change"] < 0
    assert lost["points"] == my_puzzles(ann)["ratings"]["kalamala"]
    assert answers(ann, "kalamala", puzzle, puzzle.solution)["rating"] is None
    assert my_puzzles(ann)["attempts"] == {"kalamala": {puzzle.id: True}}
    second = first_puzzle("kalamala", 1)
    won = answers(ann, "kalamala", second, second.solution)["rating"]
    assert won["change"] > 0
    assert won["matches"] == 2


def test_a_hint_counts_as_a_wrong_answer(server: Server) -> None:
    ann, puzzle = member(server), first_puzzle("kahmate")
    hint = ann.client.post(f"{API}/kahmate/{puzzle.id}/hints", json={}).json()
    assert hint["verdict"]["rating"]["change"] < 0
    assert answers(ann, "kahmate", puzzle, puzzle.solution)["rating"] is None


def test_a_guest_keeps_a_rating_themselves(guest: Guest) -> None:
    puzzle = first_puzzle("as-kimble")
    new = answers(guest, "as-kimble", puzzle, puzzle.solution, rating={})["rating"]
    assert new["matches"] == 1
    assert new["change"] > 0
    kept = {name: new[name] for name in ("mu", "sigma", "matches")}
    other = first_puzzle("as-kimble", 1)
    newer = answers(guest, "as-kimble", other, wrong_action("as-kimble", other), rating=kept)
    assert newer["rating"]["matches"] == 2
    assert newer["rating"]["points"] == new["points"] + newer["rating"]["change"]
    assert my_puzzles(guest) == {"ratings": {}, "streak": 0, "attempts": {}}


def test_whoever_has_an_account_cannot_send_a_rating(server: Server) -> None:
    ann, puzzle = member(server), first_puzzle("as-kimble")
    boast = {"mu": 90.0, "sigma": 1.0, "matches": 500}
    new = answers(ann, "as-kimble", puzzle, puzzle.solution, rating=boast)["rating"]
    assert new["matches"] == 1
    assert answers(ann, "as-kimble", puzzle, puzzle.solution, rating=boast)["rating"] is None


@pytest.mark.parametrize("bad", [{"mu": 1e9}, {"sigma": 0}, {"matches": -1}, {"mu": "high"}])
def test_a_rating_that_is_none_is_refused(guest: Guest, bad: dict[str, Any]) -> None:
    puzzle = first_puzzle("kalamala")
    asked = {"actions": [puzzle.solution], "rating": bad}
    sent = guest.client.post(f"{API}/kalamala/{puzzle.id}/answers", json=asked)
    assert sent.status_code == 400


def test_what_is_kept_goes_with_the_account(server: Server) -> None:
    ann, puzzle = member(server), first_puzzle("kalamala")
    answers(ann, "kalamala", puzzle, puzzle.solution)
    told = ann.client.get("/account/export").json()["puzzles"]
    assert [each["puzzle"] for each in told["attempts"]] == [puzzle.id]
    assert told["ratings"]["kalamala"]["matches"] == 1


# Days


def test_the_puzzle_of_today_makes_a_streak(server: Server) -> None:
    ann = member(server)
    told = ann.client.get(f"{API}/today").json()
    page = ann.client.get("/puzzles/today").text
    assert f'"id": "{told["id"]}"' in page
    puzzle = find_puzzle(told["game"], told["id"])
    assert puzzle
    assert answers(ann, told["game"], puzzle, puzzle.solution)["streak"] == 1
    assert my_puzzles(ann)["streak"] == 1


def test_a_streak_ends_with_a_day_left_out() -> None:
    now = date(2026, 3, 10)
    days = {(now - timedelta(days=n)).isoformat() for n in (1, 2, 4)}
    assert streak_length(days, now) == 2
    assert streak_length({*days, now.isoformat()}, now) == 3
    assert streak_length(days, now + timedelta(days=1)) == 0


def test_an_app_keeps_the_puzzles_of_the_days_to_come(server: Server) -> None:
    kept = httpx.get(f"{server.address}/puzzles/today/steps").json()
    days = [date.fromisoformat(each) for each in kept]
    assert days == [days[0] + timedelta(days=n) for n in range(31)]
    for day, told in zip(days, kept.values(), strict=True):
        game, puzzle = puzzle_of_day(day, [*GAMES])
        assert (told["game"], told["steps"][0]["id"]) == (game, puzzle.id)
        assert told["explanation"]["solution"] == puzzle.solution
        line = [puzzle.solution, *puzzle.then]
        ways = ["\n".join(line[:n]) for n in range(len(line) + 1)]
        assert [*told["views"]] == ways
        assert told["views"][""]["view"]["svg"]


@each_game
def test_lists_lead_to_puzzles(guest: Guest, game: str) -> None:
    for path in ("/puzzles", f"/puzzles/{game}"):
        assert guest.client.get(path).status_code == 200
    listed = guest.client.get(f"{API}/{game}").json()
    collection = collection_of(game)
    assert collection
    assert [each["id"] for each in listed["puzzles"]] == [
        each.id for each in collection.puzzles[:100]
    ]
    theme = listed["puzzles"][0]["theme"]
    themed = guest.client.get(f"{API}/{game}?theme={theme}").json()["puzzles"]
    assert {each["theme"] for each in themed} == {theme}
    sent = guest.client.get(f"/puzzles/{game}/next?theme={theme}")
    assert sent.headers["location"].endswith(f"{themed[0]['id']}?theme={theme}")
    sets = {each["game"]: each["count"] for each in guest.client.get(API).json()}
    assert sets[game] == len(collection.puzzles)
