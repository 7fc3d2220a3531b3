"""A forgotten password, guests' data, and what is left on disk."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
import sqlalchemy as sql
from typer.testing import CliRunner

from kibitz.cli import main as cli
from kibitz.core.message import Refused
from kibitz.server.admin.tidy import read_age, tidy
from kibitz.server.db.connect import file_url, write_transaction
from kibitz.server.db.engine import engine_for
from kibitz.server.db.schema import GAME_TABLE, GUEST, LOG_ROW, MEMBERSHIP
from kibitz.server.settings import DATABASE_FILE, Settings
from support.server_process import Guest, Server, api
from support.stored_matches import contents, keep

PASSWORD, NEW_PASSWORD = "correct horse battery", "another staple entirely"


def register_owner(server: Server) -> tuple[Guest, str]:
    guest, name = Guest(server), f"Ann{uuid4().hex[:8]}"
    form = {"name": name, "password": PASSWORD}
    assert guest.client.post("/account/register", data=form).status_code == 303
    return guest, name


def logs_in(server: Server, name: str, password: str) -> int:
    form = {"name": name, "password": password}
    return Guest(server).client.post("/account/login", data=form).status_code


def test_each_recovery_code_sets_a_new_password_once(server: Server) -> None:
    owner, name = register_owner(server)
    refused = owner.client.post("/account/codes", data={"password": "wrong one"})
    assert refused.status_code == 403
    page = owner.client.post("/account/codes", data={"password": PASSWORD}).text
    codes = re.findall(r"<li>([a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4})</li>", page)
    assert len({*codes}) == 8
    for code in codes[:2]:
        as_bearer = {"Authorization": f"Bearer recovery {code.replace('-', '')}"}
        answer = httpx.get(f"{server.address}/api/v1/me", headers=as_bearer)
        assert answer.status_code == 401, "it opens nothing by itself"
    stranger = Guest(server)
    form = {"name": name.upper(), "code": codes[0].upper(), "password": NEW_PASSWORD}
    assert stranger.client.post("/account/recover", data={**form, "code": "x"}).status_code == 403
    assert stranger.client.post("/account/recover", data=form).status_code == 303
    assert stranger.client.post("/account/recover", data=form).status_code == 403, "it was used"
    assert (logs_in(server, name, NEW_PASSWORD), logs_in(server, name, PASSWORD)) == (303, 403)
    assert "/account/login" in owner.client.get("/account").text, "all devices are logged out"


def test_a_guest_takes_along_and_deletes_what_is_kept(server: Server) -> None:
    host, guest = Guest(server), Guest(server)
    name = f"Otso{uuid4().hex[:8]}"
    table = host.begins("kalamala", {"A": "me", "B": "free"})
    guest.joins(host.links(table)["B"])
    guest.calls_himself(name)
    assert guest.client.post(api(table, "chat"), json={"text": f"hello from {name}"}).is_success
    told = guest.client.get("/account/export").json()
    assert told["account"] == {"name": name}
    assert [line["text"] for line in told["chat"]] == [f"hello from {name}"]
    assert [each["id"] for each in told["tables"]] == [table.removeprefix("/t/")]
    before = dict(guest.client.cookies)
    assert guest.client.post("/account/forget").status_code == 303
    assert name not in host.client.get(api(table, "chat")).text
    assert server.read_rows("SELECT * FROM guest WHERE name = :name", name=name) == []
    again = Guest(server)
    again.client.cookies.update(before)
    assert again.client.get("/api/v1/me/tables").json() == []


def test_nothing_deleted_is_left_on_disk(tmp_path: Path) -> None:
    """Neither in the database nor in the log beside it."""
    with Server(tmp_path, KIBITZ_DATABASE_URL="", KIBITZ_WORKERS="1") as server:
        guest, name = Guest(server), f"Lempi{uuid4().hex}"[:20]
        guest.client.get("/api/v1/me")
        guest.calls_himself(name)
        assert guest.client.post("/account/forget").status_code == 303
        for file in tmp_path.glob(f"{DATABASE_FILE}*"):
            assert name.encode() not in file.read_bytes(), file


@pytest.mark.parametrize(("text", "days"), [("400d", 400), ("2y", 730)])
def test_an_age_is_read(text: str, days: int) -> None:
    assert read_age(text) == days * 86400


def test_an_age_that_is_none_is_refused() -> None:
    with pytest.raises(Refused):
        read_age("old")


def test_what_nobody_needs_is_tidied_up(tmp_path: Path) -> None:
    """Matches stay, and so does whoever played one."""
    data = keep(tmp_path / "data")
    engine, long_ago = engine_for(file_url(data / DATABASE_FILE)), time.time() - 500 * 86400
    with write_transaction(engine) as connection:
        connection.execute(GAME_TABLE.update().values(created_at=long_ago))
        connection.execute(GUEST.update().values(created_at=long_ago))
        row = connection.execute(sql.select(LOG_ROW).limit(1)).mappings().one()
        aborted = GAME_TABLE.update().where(GAME_TABLE.c.id == "t2")
        connection.execute(aborted.values(is_over=True))
        last = {**row, "table_id": "t2", "seq": 99, "text": "abort", "key": None}
        connection.execute(LOG_ROW.insert(), last)
        visit = {"table_id": "t0", "member": "looker", "role": "watch", "at": long_ago}
        connection.execute(MEMBERSHIP.insert(), visit)
        for id in ("looker", "nobody"):
            connection.execute(GUEST.insert(), {"id": id, "name": id, "created_at": long_ago})
    engine.dispose()
    would = tidy(Settings(data=data), read_age("400d"), dry_run=True)
    assert (would.tables, would.guests, would.visits) == (1, 2, 1)
    assert len(contents(file_url(data / DATABASE_FILE))["game_table"]) == 3
    asked = ["tidy", "--older", "400d", "--data", str(data)]
    counted = CliRunner().invoke(cli.app, [*asked, "--dry-run", "--json"])
    assert json.loads(counted.stdout) == {"tables": 1, "guests": 2, "visits": 1}
    said = CliRunner().invoke(cli.app, asked)
    assert "tables 1, guests 2, visits 1" in said.output
    left = contents(file_url(data / DATABASE_FILE))
    assert {row["id"] for row in left["game_table"]} == {"t0", "t1"}
    assert "t2" not in {row["table_id"] for row in left["log_row"]}
    assert {row["id"] for row in left["guest"]} == {"ann", "bob"}
