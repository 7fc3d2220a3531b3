"""`kibitz strength`: the best level against the one below it, with intervals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kibitz.arena.comparison import compare_levels, comparison_plan, elo_difference
from kibitz.arena.match import FinishedMatch, play_match
from kibitz.arena.plan import ArenaPlan, Match
from kibitz.arena.ranking import MatchEntry
from kibitz.cli import main as cli
from kibitz.core.message import Refused

QUICK = ("--games", "2", "--seconds", "0.001", "--workers", "1")


@pytest.fixture
def match_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """In an empty folder and one process; the numbers of the matches as played."""
    numbers: list[int] = []

    def at_once(plan: ArenaPlan, matches: Iterable[Match], workers: int) -> Iterator[FinishedMatch]:
        for match in matches:
            numbers.append(match.number)
            yield play_match(plan, match)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("kibitz.arena.cli.play_locally", at_once)
    return numbers


def strength(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["strength", *arguments])


def test_level_6_plays_level_5_at_equal_time(match_numbers: list[int]) -> None:
    said = strength("kalamala", *QUICK)
    assert said.exit_code == 0, said.output
    assert match_numbers == [0, 1]
    (row,) = [line for line in said.output.splitlines() if "level-6@0.001s" in line]
    assert row.split()[:4] == ["Kalamala", "level-6@0.001s", "level-5@0.001s", "2"]
    assert "Wilson" in said.output


def test_it_goes_on_where_it_was(match_numbers: list[int]) -> None:
    strength("kalamala", *QUICK)
    (found,) = json.loads(strength("kalamala", "--json", *QUICK).output)
    assert match_numbers == [0, 1]
    assert found["game"] == "kalamala"
    assert found["games"] == found["wins"] + found["draws"] + found["losses"] == 2
    assert found["score"]["low"] < found["score"]["value"] + 1e-9
    assert len(found["seconds"]) == 2


def test_a_game_that_is_none_is_refused() -> None:
    assert isinstance(strength("chess").exception, Refused)


def entry(number: int, wins: bool) -> MatchEntry:
    """A match of two; the first bot sits first in every second one."""
    lineup = (0, 1) if number % 2 == 0 else (1, 0)
    scores = (1.0, 0.0) if wins == (lineup[0] == 0) else (0.0, 1.0)
    return MatchEntry(number, number // 2, lineup, scores, 40, (20, 20), (2.0, 4.0), (0.1, 0.2))


def test_the_interval_holds_the_score() -> None:
    plan = comparison_plan("kalamala", 1.0, 400, 1)
    found = compare_levels(plan, [entry(n, n % 4 != 0) for n in range(400)])
    assert (found.wins, found.draws, found.losses) == (300, 0, 100)
    assert found.score.value == 0.75
    assert found.elo.low < 191 < found.elo.high
    assert round(found.elo.value) == 191
    assert 0.70 < found.score.low < 0.75 < found.score.high < 0.80


def test_an_equal_share_is_no_difference() -> None:
    assert elo_difference(0.5) == 0
    assert elo_difference(0.25, 4) == 0
    assert elo_difference(0.76) == pytest.approx(200, abs=1)
    assert elo_difference(1.0) > 1000, "all won is a number, too"
