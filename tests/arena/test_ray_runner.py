"""On a real cluster of two nodes, one of them lost in the middle, no game is lost or doubled."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.match import play_match
from kibitz.arena.plan import ArenaPlan, schedule

KIBITZ = (sys.executable, "-c", "from kibitz.cli.main import main; main()")
SLOW = """
import os, time

def choose(view, actions, think):
    time.sleep(0.05)
    with open({file!r}, "a") as file:
        file.write(f"{{os.environ.get('RAY_NODE_ID') or os.getppid()}}\\n")
    return think.rng.choice(actions)
"""
GAMES = 40
TOKEN = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray"),
]


@contextmanager
def running(*command: str, **more: Any) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore", **more.pop("env", TOKEN)},
        **more,
    ) as process:
        try:
            yield process
        finally:
            assert process.stdin
            process.stdin.close()
            try:
                process.wait(60)  # A cluster takes its processes along, if it is let.
            except subprocess.TimeoutExpired:
                process.kill()


def line_from(process: subprocess.Popen[str], wanted: str) -> str:
    """The next line with this in it: Ray says more than it is asked for."""
    assert process.stdout
    for line in process.stdout:
        if wanted in line:
            return line.strip()
    raise AssertionError(f"ended without {wanted}")


def tell(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.write("go on\n")
    process.stdin.flush()


def lines_in(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def wait_for_games(process: subprocess.Popen[str], file: Path, count: int) -> None:
    while len(lines_in(file)) < count:
        assert process.poll() is None, "it ended"
        time.sleep(0.1)


def timeless(line: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(line)
    del record["times"]
    for thought in record["arena"]["thought"].values():
        del thought["seconds"], thought["slowest"]
    return record


def test_a_node_lost_in_the_middle_loses_and_doubles_nothing(tmp_path: Path) -> None:
    bot, out, where = tmp_path / "slow.py", tmp_path / "out", tmp_path / "where"
    bot.write_text(SLOW.format(file=str(where)))
    cluster_of_two = Path(__file__).parents[1] / "support" / "bots" / "ray_cluster.py"
    with running(sys.executable, str(cluster_of_two)) as cluster:
        address = line_from(cluster, ":")
        command = ["arena", "kalamala", f"{bot}:choose", "random", "-o", "turn_limit=20"]
        more = ["-n", str(GAMES), "--out", str(out), "--ray", address]
        with running(*KIBITZ, *command, *more) as arena:
            wait_for_games(arena, out / "games.jsonl", 4)
            tell(cluster)
            line_from(cluster, "gone")
            played = len(lines_in(out / "games.jsonl"))
            told = arena.stdout.read() if arena.stdout else ""
    assert played < GAMES
    assert arena.returncode == 0
    assert f"{GAMES} games" in told
    records = [timeless(line) for line in lines_in(out / "games.jsonl")]
    assert sorted(record["arena"]["number"] for record in records) == list(range(GAMES))
    assert len(set(lines_in(where))) >= 2
    told_plan = json.loads((out / "plan.json").read_text())
    plan = ArenaPlan(**{**told_plan, "bots": tuple(told_plan["bots"])})
    here = {match.number: timeless(play_match(plan, match).record) for match in schedule(plan)}
    assert {record["arena"]["number"]: record for record in records} == here


def test_without_the_token_nobody_joins(tmp_path: Path) -> None:
    cluster_of_two = Path(__file__).parents[1] / "support" / "bots" / "ray_cluster.py"
    with running(sys.executable, str(cluster_of_two)) as cluster:
        address = line_from(cluster, ":")
        other = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        command = ["arena", "kalamala", "greedy", "random", "--out", str(tmp_path)]
        asking = {"env": other, "stderr": subprocess.PIPE}
        with running(*KIBITZ, *command, "--ray", address, **asking) as arena:
            said = arena.stderr.read() if arena.stderr else ""
    assert arena.returncode == 2
    assert f"No Ray cluster responds at {address}" in said
