"""`kibitz analyse`: what it prints, and one clear sentence where it cannot."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kibitz.cli import main as cli
from kibitz.core.message import Refused
from kibitz.core.record import Record, write_record
from kibitz.i18n.shell import refusal_sentence, shell_phrases

SHORT = Record(
    game="kalamala",
    rules="1",
    options={},
    start="8/8/1AA2BB1/8/8/8/8/8 A 0,0 6,6 51 -",
    actions=("f6:W2", "d6:E1"),
    result="*",
)
"""Rings could have won by c6:E1."""
DUEL = Record(
    game="kahmate",
    rules="1",
    options={},
    start="13/8o4/13/13/5Soc5/3O9/13/13 R duel:T:f5>g5:1:- f5:0 g5 123456/123456 0-0 9 -",
    actions=("card=3", "card=3"),
    result="*",
)


def analyse(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["analyse", *arguments])


def write_file(path: Path, record: Record) -> str:
    path.write_text(write_record(record))
    return str(path)


def test_a_match_as_a_table_and_what_cost_most(tmp_path: Path) -> None:
    made = analyse(write_file(tmp_path / "a.json", SHORT), "--nodes", "20000")
    assert made.exit_code == 0, made.output
    head, *rows = [line.split() for line in made.output.splitlines() if line.strip()]
    columns = ["seat", "action", "Rings", "Blocks", "solved", "in", "loss", "better", "was"]
    assert head == columns
    first = next(row for row in rows if row[:3] == ["1", "A", "f6:W2"])
    assert "100.0%" in first
    assert "c6:E1" in first
    assert "Costliest moves" in made.output
    assert "Rings pulled f6 to d6. Cost 100.0%. Better: Push c6 one square to d6" in made.output


def test_as_json_for_programs(tmp_path: Path) -> None:
    made = analyse(
        write_file(tmp_path / "a.json", SHORT), "--json", "--nodes", "20000", "--top", "1"
    )
    found = json.loads(made.stdout)
    assert [each["action"] for each in found["entries"]] == list(SHORT.actions)
    assert found["swings"] == found["mistakes"] == [1]
    assert found["fortunes"] == []
    first = found["entries"][0]
    assert first["before"] == {"A": 1.0, "B": 0.0}
    assert first["best"][0]["action"] == "c6:E1"
    assert first["loss"] == pytest.approx(1 - first["chance"], abs=1e-4)


def test_a_proved_win_is_told_with_its_length(tmp_path: Path) -> None:
    file = write_file(tmp_path / "a.json", SHORT)
    first, _ = json.loads(analyse(file, "--json", "--nodes", "20000").stdout)["entries"]
    assert first["after"] == {"A": 0.0, "B": 1.0}
    assert first["solved"] % 2 == 1, "Blocks are to act, and make the last action"
    even = replace(SHORT, start="start", actions=("@a1",))
    file = write_file(tmp_path / "b.json", even)
    (entry,) = json.loads(analyse(file, "--json", "--nodes", "200").stdout)["entries"]
    assert "solved" not in entry


def test_seconds_instead_of_nodes(tmp_path: Path) -> None:
    made = analyse(write_file(tmp_path / "a.json", SHORT), "--json", "--seconds", "0.1")
    assert json.loads(made.stdout)["mistakes"][0] == 1


def test_duels_are_told_with_their_mix(tmp_path: Path) -> None:
    said = analyse(write_file(tmp_path / "a.json", DUEL)).output
    assert "Duels" in said
    assert "Red attacked with 3; the best mix plays it" in said
    assert "Blue defended with 3; the best mix plays it" in said
    assert len(re.findall(r"Average cost: \d+\.\d%", said)) == 2
    assert re.search(r"Gained (Red|Blue) \d", said)


def test_a_record_that_does_not_follow_is_said_to(tmp_path: Path) -> None:
    wrong = replace(SHORT, actions=("f6:W2", "a1:N1"))
    made = analyse(write_file(tmp_path / "a.json", wrong))
    assert made.exit_code == 1
    assert made.output.startswith("Action 2 (a1:N1) is not legal")
    assert made.output.count("\n") == 1


def test_a_match_that_goes_on_at_a_table_is_not_looked_at(tmp_path: Path) -> None:
    """Its envelope is still closed."""
    running = replace(SHORT, extras={"seal": {"commitment": "x", "draws": []}})
    made = analyse(write_file(tmp_path / "a.json", running))
    assert made.exit_code == 1
    assert "not over yet" in made.output


@pytest.mark.parametrize("arguments", [("--nodes", "500", "--seconds", "1"), ()])
def test_what_cannot_be_is_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    file = write_file(tmp_path / "a.json", SHORT) if arguments else str(tmp_path / "none.json")
    error = analyse(file, *arguments).exception
    assert isinstance(error, Refused)
    assert "\n" not in refusal_sentence(error.refusal, shell_phrases())
