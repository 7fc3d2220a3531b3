"""A match of an arena is a match like any other, and the same one whenever it is played."""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.match import FinishedMatch, play_match
from kibitz.arena.plan import ArenaPlan, schedule
from kibitz.core.game import CHANCE
from kibitz.core.record import Record, read_record, replay, verify
from kibitz.games import GAMES, game_of

OPTIONS: dict[str, dict[str, Any]] = {
    "kalamala": {"turn_limit": 20},
    "kahmate": {"turn_limit": 10},
    "as-kimble": {"pace": "turn"},
}


def plan_of(name: str, *bots: str, plies: int = 0, seed: int = 1) -> ArenaPlan:
    game = GAMES[name].game(OPTIONS[name])
    bots = bots or ("greedy", "random")
    return ArenaPlan(game=name, options=dict(game.options), bots=bots, plies=plies, seed=seed)


@lru_cache
def record_of(name: str, number: int, plies: int = 0) -> Record:
    plan = plan_of(name, plies=plies)
    return read_record(play_match(plan, list(schedule(plan))[number]).record)


def play_forfeit(plan: ArenaPlan, number: int = 0) -> tuple[FinishedMatch, Record]:
    written = play_match(plan, list(schedule(plan))[number])
    return written, read_record(written.record)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_played_is_a_record_that_holds(name: str) -> None:
    record = record_of(name, 0)
    assert verify(game_of(record), record) is None
    assert record.result != "*"
    arena = record.extras["arena"]
    assert sum(arena["scores"].values()) == pytest.approx(1)
    assert set(arena["bots"].values()) == {"greedy", "random"}
    assert all(thought["decisions"] > 0 for thought in arena["thought"].values())


@pytest.mark.parametrize("name", GAMES)
def test_the_same_plan_gives_the_same_match(name: str) -> None:
    plan = plan_of(name)
    again = read_record(play_match(plan, next(schedule(plan))).record)
    assert again.actions == record_of(name, 0).actions
    other = plan_of(name, seed=2)
    assert read_record(play_match(other, next(schedule(other))).record).actions != again.actions


@pytest.mark.parametrize("name", ["kalamala", "kahmate"])
def test_all_orders_of_an_opening_begin_alike(name: str) -> None:
    first, second, other = (record_of(name, number, 5) for number in (0, 1, 2))
    assert first.extras["arena"]["bots"] != second.extras["arena"]["bots"]
    assert first.actions[:5] == second.actions[:5]
    assert first.actions[5:] != second.actions[5:]
    assert first.actions[:5] != other.actions[:5]


def pops(record: Record) -> dict[str, list[str]]:
    """What each team popped, in order."""
    found = defaultdict(list)
    for played in replay(game_of(record), record):
        if played.actor == CHANCE:
            team, _, face = game_of(record).notation.write_action(played.step.action).split()
            found[team].append(face)
    return found


def test_a_seat_pops_the_same_whoever_plays_there() -> None:
    first, second, other = (pops(record_of("as-kimble", number)) for number in (0, 1, 4))
    for seat in "RBYG":
        count = min(len(first[seat]), len(second[seat]))
        assert count > 20
        assert first[seat][:count] == second[seat][:count]
        assert first[seat][:20] != other[seat][:20]


def test_all_faces_are_alike_likely() -> None:
    faces = [
        face for n in range(4) for team in pops(record_of("as-kimble", n)).values() for face in team
    ]
    share = [faces.count(face) / len(faces) for face in "123456"]
    assert len(faces) > 500
    assert all(abs(each - 1 / 6) < 0.06 for each in share)


def test_a_bot_can_tell_matches_apart(tmp_path: Path) -> None:
    file, heard = tmp_path / "listens.py", tmp_path / "heard"
    file.write_text(
        f"def choose(view, actions, think):\n"
        f"    with open({str(heard)!r}, 'a') as file:\n"
        f"        print(think.match, file=file)\n"
        f"    return actions[0]\n"
    )
    plan = plan_of("kalamala", f"{file}:choose", "random")
    for match in list(schedule(plan))[:2]:
        play_match(plan, match)
    names = heard.read_text().splitlines()
    assert len(names) > len(set(names)) == 2
    assert all(names)


@pytest.mark.parametrize("name", ["kalamala", "kahmate"])
def test_a_bot_that_fails_loses_the_match(name: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text("def choose(view, actions, think):\n    return None\n")
    _, record = play_forfeit(plan_of(name, f"{file}:choose", "greedy"), 1)
    game = game_of(record)
    assert record.actions[-1] == f"forfeit {game.seats[1]}"
    assert verify(game, record) is None
    arena = record.extras["arena"]
    assert arena["scores"] == dict(zip(game.seats, (1.0, 0.0), strict=True))
    assert arena["forfeit"] == {
        "seat": game.seats[1],
        "why": "None is not one of the actions the bot was given.",
    }


def test_where_a_game_has_no_word_for_it_the_others_share_the_point(tmp_path: Path) -> None:
    program = tmp_path / "bad.py"
    program.write_text("import sys\nsys.exit('I give up')\n")
    bots = (f"run:{sys.executable} -S {program}", "random")
    plan = plan_of("as-kimble", *bots)
    plan = ArenaPlan(**{**plan.json, "bots": bots, "gauntlet": True})
    written, record = play_forfeit(plan)
    assert record.result == "*"
    assert verify(game_of(record), record) is None
    assert record.extras["arena"]["scores"] == {"R": 0.0, "B": 1 / 3, "Y": 1 / 3, "G": 1 / 3}
    why = record.extras["arena"]["forfeit"]["why"]
    assert why == "The bot exited (code 1): I give up"
    assert written.bot_output == (f"0 {bots[0]} R: I give up",)


def test_bots_forget_what_to_say_only_where_that_is_asked_for() -> None:
    """Beginners forget one sentence in four; every duty is settled by the pop after it."""
    plan = replace(plan_of("as-kimble", "level-1@1n"), options={"pace": "free"}, games=3)
    sentences = {
        forgets: [
            event.message.id.rpartition("-")[2]
            for match in schedule(plan)
            for step in replay_of(play_match(replace(plan, forgets=forgets), match))
            for event in step.step.events
            if event.message.id in ("as-kimble.hembo-said", "as-kimble.hembo-missed")
        ]
        for forgets in (False, True)
    }
    assert len(sentences[False]) > 5
    assert {*sentences[False]} == {"said"}
    assert 0 < sentences[True].count("missed") < sentences[True].count("said")
    assert "forgets" not in plan.json
    assert replace(plan, forgets=True).json["forgets"] is True


def replay_of(written: FinishedMatch) -> list[Any]:
    record = read_record(written.record)
    return list(replay(game_of(record), record))
