"""The figures of nights, from the records of an arena."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from kibitz.core.record import Record, write_record

TOOL = Path(__file__).parents[2] / "tools" / "nights.py"


def night() -> Record:
    """Blue is eaten, forgets the sentence and completes all but one of its penalties."""
    bots = {"R": "level-6@100n", **dict.fromkeys("BYG", "level-5@100n")}
    return Record(
        game="as-kimble",
        rules="1",
        options={"pace": "free"},
        start="h3,t4/h3,t9/h4/h4 R:M5 d5 1+0/0+0/0+0/0+0 1:- ---- -",
        actions=("R t4-t9", "R done 1", "B pop 2", "B done 1"),
        result="*",
        extras={"arena": {"bots": bots, "scores": {"R": 1.0, "B": 0.0, "Y": 0.0, "G": 0.0}}},
    )


def test_what_happened_at_a_seat_is_its_bots(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text(f"{write_record(night())}\n" * 2, "utf-8")
    done = subprocess.run([sys.executable, TOOL, tmp_path], capture_output=True, text=True)
    assert done.stderr == ""
    rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")]
        for line in done.stdout.splitlines()
    ]
    assert rows[0][:4] == ["bot", "games", "won", "sentences missed"]
    assert rows[2:] == [
        ["level-6@100n", "2", "100.0% ± 0.0", "0 of 0", *figures(1, 1, 0)],
        ["level-5@100n", "6", "0.0% ± 0.0", "2 of 2", *figures(4 / 6, 2 / 6, 2 / 6)],
    ]


def figures(received: float, completed: float, owed: float) -> list[str]:
    return [f"{each:.3f}" for each in (received, completed, owed, 0, 0)]


def test_it_says_what_it_wants() -> None:
    done = subprocess.run([sys.executable, TOOL], capture_output=True, text=True)
    assert done.returncode == 1
    assert "tools/nights.py nights" in done.stderr
