"""`kibitz arena`: stopped in any way, the same command goes on and ends with the same games."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from kibitz.arena.match import FinishedMatch, play_match
from kibitz.arena.plan import ArenaPlan, schedule
from kibitz.arena.store import BOT_LOG_FILE, GAMES_FILE, open_folder
from kibitz.arena.store import PLAN_FILE as PLAN_FILE
from kibitz.cli import main as cli
from kibitz.core.message import Refused
from kibitz.i18n.shell import refusal_sentence, shell_phrases

KIBITZ = (sys.executable, "-c", "from kibitz.cli.main import main; main()")
SLOW = """
import time

def choose(view, actions, think):
    time.sleep(0.02)
    return think.rng.choice(actions)
"""
COMMAND = ("arena", "kalamala", "slow.py:choose", "random", "-n", "12", "-o", "turn_limit=20")
PLAN = ArenaPlan(game="kalamala", options={"turn_limit": 4}, bots=("greedy", "random"), games=4)


def kibitz(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, list(arguments))


def refusal_of(*arguments: str) -> str:
    error = kibitz(*arguments).exception
    assert isinstance(error, Refused), error
    return refusal_sentence(error.refusal, shell_phrases())


def start_arena(folder: Path, *more: str) -> subprocess.Popen[str]:
    """Plays with a bot that takes its time, so that it can be disturbed."""
    folder.mkdir(exist_ok=True)
    (folder.parent / "slow.py").write_text(SLOW)
    command = [*KIBITZ, *COMMAND, "--out", str(folder), *more]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder.parent
    )


def games_in(folder: Path) -> dict[int, dict[str, Any]]:
    found = list(map(timeless, (folder / GAMES_FILE).read_text().splitlines()))
    assert len({record["arena"]["number"] for record in found}) == len(found)
    return {record["arena"]["number"]: record for record in found}


def timeless(line: str) -> dict[str, Any]:
    """What was played, less what depends on a clock."""
    record: dict[str, Any] = json.loads(line)
    del record["times"]
    for thought in record["arena"]["thought"].values():
        del thought["seconds"], thought["slowest"]
    return record


def wait_for_games(folder: Path, count: int) -> None:
    for _ in range(600):
        if (folder / GAMES_FILE).exists() and (folder / GAMES_FILE).read_bytes().count(
            b"\n"
        ) >= count:
            return
        time.sleep(0.05)
    raise AssertionError("no games")


def children_of(process: int) -> list[int]:
    task = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in task.read_text().split()] if task.exists() else []


def is_running(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:1]
    except OSError:
        return False


def test_killed_in_the_middle_it_goes_on_to_the_same_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = tmp_path / "cut"
    killed = start_arena(cut)
    wait_for_games(cut, 2)
    workers = children_of(killed.pid)
    killed.kill()
    killed.communicate()
    assert len((cut / GAMES_FILE).read_bytes().splitlines()) < 12
    with (cut / GAMES_FILE).open("ab") as file:
        file.write(b'{"kibitz": 1, "game": "kala')
    again = start_arena(cut)
    out, _ = again.communicate(timeout=60)
    assert again.returncode == 0
    assert "slow.py:choose" in out
    assert not any(map(is_running, workers))
    monkeypatch.chdir(tmp_path)
    told = json.loads((cut / PLAN_FILE).read_text())
    plan = ArenaPlan(**{**told, "bots": tuple(told["bots"])})
    uninterrupted = [timeless(play_match(plan, match).record) for match in schedule(plan)]
    assert games_in(cut) == dict(enumerate(uninterrupted))
    assert len(uninterrupted) == 12


def test_ctrl_c_stops_it_and_says_how_to_go_on(tmp_path: Path) -> None:
    stopped = start_arena(tmp_path / "x", "--workers", "1", "-n", "400")
    wait_for_games(tmp_path / "x", 1)
    workers = children_of(stopped.pid)
    stopped.send_signal(signal.SIGINT)
    out, said = stopped.communicate(timeout=20)
    assert stopped.returncode == 130
    assert "run the same command again to continue" in " ".join(said.split())
    assert "Traceback" not in said
    assert out == ""
    time.sleep(0.2)
    assert not any(map(is_running, workers))


def test_a_lost_process_loses_no_game(tmp_path: Path) -> None:
    running = start_arena(tmp_path / "x", "--workers", "1")
    wait_for_games(tmp_path / "x", 1)
    workers = [pid for pid in children_of(running.pid) if b"spawn_main" in _command_line(pid)]
    os.kill(workers[-1], signal.SIGKILL)
    running.communicate(timeout=60)
    assert running.returncode == 0
    assert sorted(games_in(tmp_path / "x")) == list(range(12))


def _command_line(process: int) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()


def test_it_prints_tables_and_json(tmp_path: Path) -> None:
    """And the stronger bot stands higher."""
    folder = ["-n", "4", "--out", str(tmp_path / "x")]
    command = [*KIBITZ, "arena", "kalamala", "random", "greedy", *folder]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "greedy" in told
    assert "2 openings, 4 games" in told
    again = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    found = json.loads(again.stdout)
    assert found["plan"]["bots"] == ["random", "greedy"]
    best, worst = found["bots"]
    assert (best["bot"], worst["bot"]) == ("greedy", "random")
    assert best["mu"] > worst["mu"]
    (pairing,) = found["pairings"]
    assert (pairing["wins"], pairing["draws"], pairing["losses"]) == (0, 0, 4)
    file = str(tmp_path / "x" / GAMES_FILE)
    assert kibitz("verify", file).output == "4 games verified.\n"
    assert "The record is valid" in kibitz("verify", file, "--line", "4").output
    assert "placed a piece" in kibitz("replay", file, "--line", "2").output
    assert "has 4 records: choose one with --line" in refusal_of("replay", file)
    assert "(1 to 4)" in refusal_of("verify", file, "--line", "5")
    lines = Path(file).read_text().splitlines()
    spoilt = json.loads(lines[2])
    spoilt["actions"][0] = "@a9"
    Path(file).write_text("\n".join([*lines[:2], json.dumps(spoilt), lines[3]]))
    assert kibitz("verify", file).output.startswith("Line 3: Action 1 (@a9) is not legal")


# The folder


def finished_match(number: int) -> FinishedMatch:
    match = list(schedule(PLAN))[number]
    return play_match(PLAN, match)


def test_another_plan_needs_another_folder(tmp_path: Path) -> None:
    with open_folder(tmp_path, PLAN):
        pass
    with open_folder(tmp_path, ArenaPlan(**{**PLAN.json, "bots": PLAN.bots, "games": 40})):
        pass
    other = ArenaPlan(**{**PLAN.json, "bots": PLAN.bots, "seed": 2})
    with pytest.raises(Refused) as error, open_folder(tmp_path, other):
        pass
    assert error.value.refusal.id == "arena.other-plan"


def test_two_do_not_play_in_one_folder(tmp_path: Path) -> None:
    with open_folder(tmp_path, PLAN), pytest.raises(Refused) as error, open_folder(tmp_path, PLAN):
        pass
    assert error.value.refusal.id == "arena.in-use"


def test_half_a_line_is_dropped_and_nothing_counts_twice(tmp_path: Path) -> None:
    with open_folder(tmp_path, PLAN) as folder:
        for number in (1, 0, 1):
            folder.append_match(finished_match(number))
    whole = (tmp_path / GAMES_FILE).read_bytes()
    (tmp_path / GAMES_FILE).write_bytes(whole + b'{"kibitz": 1')
    with open_folder(tmp_path, PLAN) as folder:
        assert [record["arena"]["number"] for record in folder.finished_records()] == [1, 0]
        third = FinishedMatch(2, finished_match(2).record, ("2 me: hello",))
        folder.append_match(third)
    assert (tmp_path / GAMES_FILE).read_bytes() == whole + third.record.encode() + b"\n"
    assert (tmp_path / BOT_LOG_FILE).read_text() == "2 me: hello\n"


def test_a_file_that_is_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / GAMES_FILE).write_text("1,2,3\n")
    with open_folder(tmp_path, PLAN) as folder, pytest.raises(Refused) as error:
        list(folder.finished_records())
    assert error.value.refusal.id == "arena.unreadable"


def test_ray_is_asked_for_only_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("kibitz.arena.ray_runner.find_spec", lambda name: None)
    said = refusal_of("arena", "kalamala", "greedy", "random", "--out", str(tmp_path), "--ray")
    assert said == '--ray needs Ray: pip install "kibitz[ray]"'
