"""The operator learns how often players of rated matches chose what our best bot would."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from kibitz.cli import main as cli
from kibitz.server.db.connect import file_url
from kibitz.server.settings import DATABASE_FILE
from support.accounts import pair
from support.server_process import Server
from support.stored_matches import contents, keep

RATED: dict[str, Any] = {"settings": {"rated": True}}


def fair_play(data: Path, *more: str) -> str:
    done = CliRunner().invoke(cli.app, ["fair-play", "--data", str(data), *more])
    assert done.exit_code == 0, done.output
    return done.output


def test_each_player_of_a_rated_match_has_a_figure(tmp_path: Path) -> None:
    with Server(tmp_path, KIBITZ_DATABASE_URL="", KIBITZ_WORKERS="1") as server:
        ann, bob, table = pair(server, **RATED)
        pages = {"A": ann.sits_at(table), "B": bob.sits_at(table)}
        for seat, text in (("A", "@a1"), ("B", "@h8"), ("A", "@b1"), ("B", "resign B")):
            pages[seat].does(text)
        names = [each.client.get("/api/v1/me").json()["name"] for each in (ann, bob)]
    found = fair_play(tmp_path)
    figures = re.findall(r": (\S+) chose as our best bot would (\d+) times out of (\d+)\.", found)
    assert [(name, int(choices)) for name, _, choices in figures] == [(names[0], 2), (names[1], 1)]
    assert all(int(same) <= int(choices) for _, same, choices in figures)
    (stored,) = contents(file_url(tmp_path / DATABASE_FILE))["match_analysis"]
    assert stored["actions"] == 4, "the page of the match need not analyse it again"
    assert fair_play(tmp_path, "--latest", "1") == found
    told = json.loads(fair_play(tmp_path, "--json"))["players"]
    assert [(each["player"], str(each["same"]), str(each["choices"])) for each in told] == figures
    assert {each["game"] for each in told} == {"kalamala"}


def test_where_nothing_was_rated_it_says_so(tmp_path: Path) -> None:
    data = keep(tmp_path / "data", tables=1)
    assert "No rated match has been played yet." in fair_play(data)
    assert json.loads(fair_play(data, "--json")) == {"players": []}
