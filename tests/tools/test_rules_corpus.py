"""The corpus with which the rules of two checkouts are compared."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

from kibitz.games import GAMES

TOOL = Path(__file__).parents[2] / "tools" / "rules_corpus.py"


def run_tool(*arguments: str | Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, TOOL, *arguments], capture_output=True, text=True, check=False
    )
    assert not done.stderr
    return done.returncode, done.stdout


def test_a_corpus_is_the_same_each_time_and_has_every_game_and_option(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for file in (one, two):
        run_tool("make", file, "--lines-per-game", "1000")
    assert one.read_bytes() == two.read_bytes()
    requests = [json.loads(line) for line in one.read_text().splitlines()]
    for name, rulebook in GAMES.items():
        own = [each for each in requests if each["game"] == name]
        assert len(own) == 1000
        named = {option for each in own for option in each.get("options", {})}
        assert named >= {each.name for each in fields(rulebook.options)}


def test_answers_that_differ_are_found_and_sentences_do_not_count(tmp_path: Path) -> None:
    corpus, old, new = (tmp_path / name for name in ("corpus", "old", "new"))
    run_tool("make", corpus, "--lines-per-game", "20")
    _, digest = run_tool("answer", corpus, old)
    assert digest.startswith("60 answers, ")
    answers = [json.loads(line) for line in old.read_text().splitlines()]
    for each in answers:
        if "error" in each:
            each["why"] = "in other words"
    new.write_text("\n".join(map(json.dumps, answers)) + "\n")
    assert run_tool("diff", corpus, old, new) == (0, "0 lines differ\n")
    legal = next(each for each in answers if each.get("legal"))
    legal["legal"].pop()
    new.write_text("\n".join(map(json.dumps, answers)) + "\n")
    status, told = run_tool("diff", corpus, old, new)
    assert status == 1
    assert "answers -> answers" in told
    assert told.endswith("1 lines differ\n")
