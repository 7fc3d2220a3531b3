"""The command `kibitz`: what it prints, and one clear sentence where it cannot."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from kibitz.cli import main as cli
from kibitz.core.message import Refused
from kibitz.core.record import Record, read_record, write_record
from kibitz.i18n.shell import refusal_sentence, shell_phrases
from kibitz.table import Table

FINISHED = Record(
    game="kalamala",
    rules="1",
    options={},
    start="8/8/1AA2B2/8/8/8/8/8 A 0,0 6,7 51 -",
    actions=("f6:W2",),
    result="A",
)


def kibitz(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, list(arguments))


def refusal_of(*arguments: str) -> str:
    """The sentence that `main` prints before it exits with 2."""
    error = kibitz(*arguments).exception
    assert isinstance(error, Refused), error
    said = refusal_sentence(error.refusal, shell_phrases())
    assert "\n" not in said
    return said


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "match.json"
    path.write_text(write_record(FINISHED))
    return path


def test_help_names_every_command() -> None:
    said = kibitz("--help").output
    for command in ("play", "terminal", "rules", "draw", "solve-duel", "replay", "verify"):
        assert command in said


def test_a_position_is_drawn_as_text() -> None:
    drawn = kibitz("draw", "kalamala").output
    assert "6  . . . B A . . ." in drawn


def test_a_position_is_drawn_as_svg_and_png(tmp_path: Path) -> None:
    for theme in ("light", "dark"):
        picture, markup = tmp_path / "board.png", tmp_path / "board.svg"
        for out in (picture, markup):
            assert kibitz("draw", "kalamala", "--theme", theme, "--out", str(out)).exit_code == 0
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert markup.read_text().startswith("<svg")
        assert "var(" not in markup.read_text()


def test_a_match_is_told(record: Path) -> None:
    said = kibitz("replay", str(record)).output
    assert "f6:W2" in said
    assert "8/8/1AAB4/8/8/8/8/8 B 0,0 6,7 52 8/8/1AA2B2/8/8/8/8/8" in said


def test_one_position_of_a_match(record: Path) -> None:
    assert FINISHED.start in kibitz("replay", str(record), "--at", "0").output
    assert "1 action" in refusal_of("replay", str(record), "--at", "2")


def test_a_good_record_verifies(record: Path) -> None:
    found = kibitz("verify", str(record))
    assert found.exit_code == 0
    assert "1 action, result A" in found.output


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("actions", ["f6:W2", "@a1"], "Action 2 (@a1) is not legal:"),
        ("actions", ["f6:W3"], "Action 1 (f6:W3) is not legal:"),
        ("result", "B", "a different result: A."),
    ],
)
def test_a_record_that_does_not_hold_is_named(
    record: Path, name: str, value: object, said: str
) -> None:
    found = json.loads(record.read_text())
    record.write_text(json.dumps({**found, name: value}))
    result = kibitz("verify", str(record))
    assert result.exit_code == 1
    assert said in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verify", "nowhere.json"], "Cannot read nowhere.json"),
        (["replay", "."], "Cannot read ."),
        (["draw", "go"], "no game called go"),
        (["draw", "kalamala", "8/8 A"], "(rule 7.1)"),
        (["draw", "kalamala", "-o", "komi=7"], "no option komi"),
        (["draw", "kalamala", "-o", "turn_limit=1.5"], "turn_limit can't be 1.5:"),
        (["draw", "kalamala", "-o", "turn_limit"], "NAME=VALUE"),
        (["draw", "kalamala", "--format", "gif"], "svg, png or text"),
        (["draw", "kalamala", "--out", "board.gif"], "svg, png or text"),
        (["draw", "kalamala", "--theme", "pink"], "no theme pink"),
        (["draw", "kalamala", "--format", "svg", "--select", "sq-z9"], "Nothing can be chosen"),
        (
            ["draw", "kalamala", "-o", "turn_limit=true"],
            "turn_limit can't be true: it must be a whole",
        ),
        (["terminal", "kalamala"], "needs an interactive terminal."),
        (["draw", "kalamala", "--out", "no/such/folder.svg"], "Cannot write"),
        (["terminal", "go"], "no game"),
        (["terminal", "kalamala", "--bot", "deep"], "no bot called deep."),
        (["terminal", "kalamala", "--bot", "greedy", "--seat", "C"], "no seat C"),
        (["terminal", "kalamala", "--start", "x"], "(rule 7.1)"),
        (["terminal", "kalamala", "--resume", "nowhere.json"], "Cannot read nowhere.json"),
        (["terminal", "kalamala", "--resume", "x.json", "--start", "y"], "--resume can't be"),
        (["solve-duel", "X", "C"], "no man X. The men are: S, T, F, C, O."),
        (["solve-duel", "S", "c"], "no man c."),
        (["solve-duel", "S", "C", "", "1"], 'not "".'),
        (["solve-duel", "S", "C", "11", "12"], 'not "11".'),
        (["solve-duel", "S", "C", "12", "17"], 'not "17".'),
        (["solve-duel", "S", "C", "12", "1,2"], 'not "1,2".'),
        (["solve-duel", "S", "C", "12"], "same number of cards. (rule 8)"),
    ],
)
def test_bad_input_gets_one_clear_sentence(arguments: list[str], said: str) -> None:
    assert said in refusal_of(*arguments)


def test_a_duel_is_weighed() -> None:
    said = kibitz("solve-duel", "S", "C", "641", "235").output
    assert said.splitlines() == [
        "The Strong man (+2) attacks the Clever man (+1).",
        "",
        "If only this duel counts, the attacker wins 100.0% of the time,",
        "by two or more 100.0% of the time.",
        "                           attacker plays                   defender plays",
        "               1    2    3    4    5    6       1    2    3    4    5    6",
        "first card     -           100%         -         100%    -         -",
        "after 1-2                     -      100%              100%         -",
        "after 4-5      -                     100%         100%    -",
        "",
        (
            "If every duel counts until the hands are refilled, the attacker wins 1.62 of "
            "2.75 duels:"
        ),
        "this one 100.0% of the time, by two or more 100.0% of the time.",
        "                           attacker plays                   defender plays",
        "               1    2    3    4    5    6       1    2    3    4    5    6",
        "first card     -            50%       50%            -  50%       50%",
        "after 1-2                   50%       50%               50%       50%",
        "after 4-5      -                     100%         100%    -",
    ]


def test_a_duel_is_weighed_for_programs() -> None:
    found = json.loads(kibitz("solve-duel", "O", "O", "21", "12", "--json").output)
    numbers = {"lead": -0.5, "win": 0.25, "win_by_two": 0.0, "duels": 1.5, "won": 0.5}
    mixes = {"attacker": {"1": 0.5, "2": 0.5}, "defender": {"1": 0.5, "2": 0.5}}
    ties = found["hand"].pop("ties")
    assert found["hand"] == numbers | mixes
    assert ties["1-1"]["attacker"] == {"2": 1.0}
    assert found["single"]["attacker"] == {"1": 0.0, "2": 1.0}


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"{}", b"[1]", b"[" * 100_000])
def test_a_file_that_is_no_record_gets_one_clear_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    for command in ("verify", "replay"):
        assert refusal_of(command, str(path))


def test_an_adjourned_match_is_taken_up_and_put_down_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    adjourned, later = tmp_path / "adjourned.json", tmp_path / "later.json"
    half = replace(FINISHED, start="start", actions=("@a1", "@h8"), result="*")
    adjourned.write_text(write_record(half))

    def play(
        table: Table[Any, Any, Any],
        bots: dict[str, str],
        auto: bool,
        language: str,
        is_reminded: bool,
    ) -> Record:
        assert bots == {"B": "greedy"}
        return table.act("A", "@a2")[0].record

    monkeypatch.setattr("kibitz.terminal.play", play)
    monkeypatch.setattr("kibitz.cli.play_commands.has_terminal", lambda: True)
    arguments = ["--resume", str(adjourned), "--save", str(later), "--bot", "greedy"]
    assert kibitz("terminal", "kalamala", *arguments).exit_code == 0
    assert read_record(later.read_text()).actions == ("@a1", "@h8", "@a2")
    assert kibitz("verify", str(later)).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "is_reminded"),
    [
        ([], False),
        (["--bot", "greedy"], True),
        (["--reminders", "everybody"], True),
        (["--bot", "greedy", "--reminders", "nobody"], False),
        (["-o", "mode=companion"], True),
    ],
)
def test_people_who_share_a_keyboard_are_not_reminded_unless_they_say_so(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], is_reminded: bool
) -> None:
    asked = list[bool]()

    def play(table: Table[Any, Any, Any], *_: Any, is_reminded: bool) -> Record:
        asked.append(is_reminded)
        return table.record

    monkeypatch.setattr("kibitz.terminal.play", play)
    monkeypatch.setattr("kibitz.cli.play_commands.has_terminal", lambda: True)
    assert kibitz("terminal", "as-kimble", *arguments).exit_code == 0
    assert asked == [is_reminded]


def test_a_record_file_that_cannot_be_written_is_refused_before_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kibitz.cli.play_commands.has_terminal", lambda: True)
    assert "Cannot write" in refusal_of("terminal", "kalamala", "--save", "no/such/folder.json")


def test_a_start_that_cannot_be_is_a_bad_file_and_a_wrong_result_is_told(record: Path) -> None:
    found = json.loads(record.read_text())
    record.write_text(json.dumps({**found, "start": "8/8 A"}))
    assert "(rule 7.1)" in refusal_of("verify", str(record))
    record.write_text(json.dumps({**found, "result": "B"}))
    assert kibitz("replay", str(record)).exit_code == 1


@pytest.mark.parametrize("command", [["verify", "{file}"], ["draw", "kalamala"], ["rules"]])
def test_output_that_cannot_be_written_gets_one_sentence(command: list[str], record: Path) -> None:
    arguments = [part.format(file=record) for part in command]
    start = [sys.executable, "-c", "from kibitz.cli.main import main; main()", *arguments]
    with Path("/dev/full").open("wb") as full:
        found = subprocess.run(
            start, input=b"{}\n", stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert found.returncode == 2
    assert found.stderr.startswith(b"kibitz: Cannot continue")
    assert len(found.stderr.splitlines()) == 1


def test_odd_letters_in_a_record_are_told_too(tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text(write_record(replace(FINISHED, actions=())).replace("[]", '["\\ud800"]'))
    start = [sys.executable, "-c", "from kibitz.cli.main import main; main()", "verify", str(path)]
    found = subprocess.run(start, capture_output=True, timeout=60, check=False)
    assert found.returncode == 1
    assert b"Traceback" not in found.stderr


def test_a_refusal_exits_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["kibitz", "verify", "nowhere.json"])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith("kibitz: Cannot read nowhere.json")


def test_a_record_becomes_lines_and_lines_a_record(tmp_path: Path) -> None:
    record, lines = tmp_path / "match.json", tmp_path / "match.txt"
    record.write_text(write_record(FINISHED))
    assert kibitz("convert", str(record), "--out", str(lines)).exit_code == 0
    assert lines.read_text().startswith("# game: kalamala 1\n")
    assert kibitz("verify", str(lines)).exit_code == 0
    back = kibitz("convert", str(lines))
    assert read_record(back.stdout) == FINISHED


def test_text_lists_what_may_be_chosen() -> None:
    drawn = kibitz("draw", "kalamala", "--select", "sq-d3").stdout
    assert "d6:N1  Push to d7" in drawn.splitlines()


def test_a_preset_of_a_game_is_an_option_by_its_name() -> None:
    position = "13/13/13/5Ocs5/13/13/13/13 R play - f4 123456/123456 0-0 10 -"
    assert kibitz("draw", "kahmate", position, "-a", "f4>g4", "-o", "french").exit_code == 0
    assert "opponent" in refusal_of("draw", "kahmate", position, "-a", "f4>g4")


# For shells and programs


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("kibitz ter", ["terminal"]), ("kibitz terminal ka", ["kahmate", "kalamala"])],
)
def test_a_shell_completes_commands_and_games(typed: str, offered: list[str]) -> None:
    asked = {"_KIBITZ_COMPLETE": "complete_bash", "COMP_WORDS": typed}
    ran = subprocess.run(
        [sys.executable, "-c", "from kibitz.cli.main import main; main()"],
        env={**os.environ, **asked, "COMP_CWORD": str(len(typed.split()) - 1)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.split() == offered


def test_a_verdict_on_records_is_json_for_programs(record: Path, tmp_path: Path) -> None:
    good = kibitz("verify", str(record), "--json")
    assert (good.exit_code, json.loads(good.output)) == (0, {"is_valid": True, "records": 1})
    wrong = write_record(replace(FINISHED, actions=("f6:W1",)))
    (tmp_path / "many.jsonl").write_text(f"{write_record(FINISHED)}\n{wrong}\n")
    bad = kibitz("verify", str(tmp_path / "many.jsonl"), "--json")
    told = json.loads(bad.output)
    assert (bad.exit_code, told["is_valid"], told["line"], told["records"]) == (1, False, 2, 2)
