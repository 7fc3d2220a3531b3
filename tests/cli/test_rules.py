"""`kibitz rules` as other programs meet it: a process, lines in, lines out."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from duel import DUEL
from games.kalamala.play import legal
from kibitz.cli.rules import answer_line
from kibitz.games import GAMES

COMMAND = [sys.executable, "-c", "from kibitz.cli.main import main; main()", "rules"]


def ask(*lines: str | bytes) -> list[dict[str, Any]]:
    sent = b"".join((x.encode() if isinstance(x, str) else x) + b"\n" for x in lines)
    found = subprocess.run(COMMAND, input=sent, capture_output=True, check=True, timeout=120)
    return [json.loads(line) for line in found.stdout.splitlines()]


def test_an_answer_describes_the_state_after_all_actions() -> None:
    (found,) = ask('{"game": "kalamala", "options": {"repetition": "ko"}, "actions": ["@a1"]}')
    assert found.pop("legal") == legal("start", "@a1", repetition="ko")
    assert found == {
        "position": "8/8/3BA3/2B2A2/2A2B2/3AB3/8/A7 B 3,4 0,0 2 -",
        "to_act": "B",
        "terminal": False,
        "result": None,
        "reason": None,
        "played": ["@a1"],
    }


def test_a_finished_game_lists_nothing() -> None:
    (found,) = ask('{"game": "kalamala", "actions": ["@a1", "resign B"]}')
    assert found == {
        "position": "8/8/3BA3/2B2A2/2A2B2/3AB3/8/A7 B 3,4 0,0 2 -",
        "legal": [],
        "to_act": None,
        "terminal": True,
        "result": "A",
        "reason": "resign",
        "played": ["@a1", "resign B"],
    }


def test_a_view_lists_only_what_its_viewer_may_do() -> None:
    mine, theirs, nobodys = ask(
        *(f'{{"game": "kalamala", "view": "{view}"}}' for view in ("A", "B", "spectator"))
    )
    assert len(mine["legal"]) == 80
    assert theirs["legal"] == nobodys["legal"] == []
    assert mine["position"] == theirs["position"] == nobodys["position"]


def test_a_bad_line_gets_an_error_and_the_next_one_an_answer() -> None:
    found = ask(
        "tea",
        "",
        b'{"game": "kalamala", "position": "\xff"}',
        '{"game": "kalamala", "options": {"komi": 7}}',
        '{"game": "kalamala", "position": "8/8 A"}',
        '{"game": "kalamala", "actions": ["@a1", "@a1"]}',
        '{"game": "kalamala"}',
    )
    errors = [(x.get("error"), x.get("index")) for x in found]
    assert errors == [
        ("input", None),
        ("input", None),
        ("input", None),
        ("options", None),
        ("position", None),
        ("action", 1),
        (None, None),
    ]
    assert "(rule 3.1)" in found[5]["why"]


def test_an_answer_comes_as_soon_as_its_line_is_in() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(b'{"game": "kalamala"}\n')
            process.stdin.flush()
            assert len(json.loads(process.stdout.readline())["legal"]) == 80
        process.stdin.close()
        assert process.wait(timeout=20) == 0


def test_in_the_starting_pops_a_team_is_no_chair_yet() -> None:
    lots = "h4/h4/h4/h4 S:3/-/-/- d3 0+0/0+0/0+0/0+0 1:- ---- -"
    line = {"game": "as-kimble", "position": lots}
    whole, seen = (
        json.loads(answer_line(json.dumps({**line, **view}))) for view in ({}, {"view": "Y"})
    )
    assert "c lot 6" in whole["legal"]
    assert seen["legal"] == []
    assert seen["to_act"] == whole["to_act"] == "bcd"


def test_a_new_game_is_answered_for_and_a_view_hides_what_it_must(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(GAMES, "duel", DUEL)
    line = {"game": "duel", "actions": ["c3"]}
    whole, mine, theirs = (
        json.loads(answer_line(json.dumps({**line, **view})))
        for view in ({}, {"view": "A"}, {"view": "B"})
    )
    assert whole["position"] == mine["position"] == "0:0/123:123/3/-/AB"
    assert theirs["position"] == "0:0/123:123/?/-/AB"
    assert whole["legal"] == theirs["legal"] == ["c1", "c2", "c3"]
    assert mine["legal"] == []
    rolling = json.loads(answer_line('{"game": "duel", "actions": ["c3", "c1"]}'))
    assert (rolling["to_act"], rolling["legal"]) == ("chance", ["r1", "r2", "r3"])
