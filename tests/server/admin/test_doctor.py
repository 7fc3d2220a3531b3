"""What is wrong with a set-up is found, and told in sentences."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import httpx
import pytest
from typer.testing import CliRunner, Result

from kibitz.bots import compilation
from kibitz.cli import main as cli
from kibitz.i18n import LANGUAGES, say_in
from kibitz.server.admin import doctor
from kibitz.server.admin.doctor import Finding, Status, exit_code, run_checks
from kibitz.server.db.connect import file_url, write_transaction
from kibitz.server.db.engine import engine_for
from kibitz.server.db.schema import SERVER_SETTING
from kibitz.server.http.guests import GuestAuth
from kibitz.server.networks import Networks
from kibitz.server.settings import DATABASE_FILE, SECRET_FILE, Settings, unknown_variables
from support.cluster.servers import Postgres, Redis, free_port, missing
from support.server_process import Server
from support.stored_matches import keep


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=keep(tmp_path / "data", tables=1), port=free_port())


def findings(settings: Settings, about: str) -> list[Finding]:
    return [each for each in run_checks(settings) if each.about == about]


def findings_about(settings: Settings, about: str) -> list[tuple[Status, str]]:
    return [(each.status, each.sentence.id) for each in findings(settings, about)]


def settle_secret(url: str, cookie: str) -> None:
    engine = engine_for(url)
    with write_transaction(engine) as connection:
        connection.execute(SERVER_SETTING.insert().values(name="secret", value=cookie))
    engine.dispose()


def kibitz(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["doctor", *arguments])


def test_everything_it_can_say_has_words_in_a_sentence(settings: Settings) -> None:
    for each in run_checks(replace(settings, backups=settings.data)):
        for language in LANGUAGES:
            said = say_in(language)(each.sentence)
            assert said.endswith((".", "?")), said


def test_a_plain_set_up_is_well(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_check_kernels", lambda settings: iter(()))
    wrong = [each for each in run_checks(settings) if each.status == "error"]
    assert wrong == []
    assert {each.about for each in run_checks(settings)} >= {
        "python",
        "data",
        "secret",
        "database",
        "durability",
        "workers",
        "port",
        "files",
    }


def test_a_variable_that_no_setting_has_is_named(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [each for each in os.environ if each.startswith("KIBITZ_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("KIBITZ_LOG", "json")
    assert findings_about(settings, "settings") == []
    monkeypatch.setenv("KIBITZ_LOGS", "json")
    assert findings_about(settings, "settings") == [("warning", "server.doctor-unknown-variables")]
    assert unknown_variables() == ("KIBITZ_LOGS",)


def test_before_the_first_start_it_says_what_will_be_made(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "new" / "data", port=0)
    assert findings_about(settings, "data") == [("ok", "server.doctor-data-new")]
    assert findings_about(settings, "secret") == [("ok", "server.doctor-secret-new")]
    assert findings_about(settings, "database") == [("ok", "server.doctor-database-new")]
    assert not (tmp_path / "new").exists()


class Usage(NamedTuple):
    free: int


@pytest.mark.parametrize(
    ("free", "expected"),
    [
        (10**6, ("error", "server.doctor-data-full")),
        (10**8, ("warning", "server.doctor-data-little")),
        (10**10, ("ok", "server.doctor-data")),
    ],
)
def test_space_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, free: int, expected: tuple[Status, str]
) -> None:
    monkeypatch.setattr("kibitz.server.admin.doctor.shutil.disk_usage", lambda path: Usage(free))
    assert findings_about(settings, "data") == [expected]


def test_a_folder_that_is_shut_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.admin.doctor.os.access", lambda path, how: False)
    assert findings_about(settings, "data") == [("error", "server.doctor-data-shut")]
    monkeypatch.undo()
    (settings.data.parent / "file").write_text("")
    inside = replace(settings, data=settings.data.parent / "file" / "data")
    assert findings_about(inside, "data") == [("error", "server.doctor-data-shut")]


def test_an_old_python_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "MIN_PYTHON", (sys.version_info[0] + 1, 0))
    assert findings_about(settings, "python") == [("error", "server.doctor-python-old")]


def test_secrets_are_looked_at(settings: Settings, tmp_path: Path) -> None:
    file = settings.data / SECRET_FILE
    assert findings_about(settings, "secret") == [("ok", "server.doctor-secret")]
    file.chmod(0o644)
    assert findings_about(settings, "secret") == [("warning", "server.doctor-secret-open")]
    file.chmod(0o640)
    assert findings_about(settings, "secret") == [("ok", "server.doctor-secret")]
    file.write_bytes(b"short")
    assert findings_about(settings, "secret") == [("error", "server.secret-short")]
    elsewhere = replace(settings, secret=tmp_path)
    assert findings_about(elsewhere, "secret") == [("error", "server.secret-unreadable")]


def test_another_secret_than_the_database_knows_is_told(settings: Settings) -> None:
    settle_secret(file_url(settings.data / DATABASE_FILE), GuestAuth(b"s" * 32).cookie_name)
    assert findings_about(settings, "secret")[-1] == ("ok", "server.doctor-secret-same")
    (settings.data / SECRET_FILE).write_bytes(b"t" * 32)
    assert findings_about(settings, "secret")[-1] == ("error", "server.other-secret")


def test_a_damaged_file_is_told(settings: Settings) -> None:
    file = settings.data / DATABASE_FILE
    whole = file.read_bytes()
    file.write_bytes(b"x" * len(whole))
    assert findings_about(settings, "database") == [("error", "server.no-database")]
    file.write_bytes(whole)
    with closing(sqlite3.connect(file)) as reading:
        (page,) = reading.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'log_row'"
        ).fetchone()
        (size,) = reading.execute("PRAGMA page_size").fetchone()
    spoilt = bytearray(file.read_bytes())
    spoilt[(page - 1) * size : page * size] = b"\xff" * size
    file.write_bytes(bytes(spoilt))
    assert findings_about(settings, "durability") == [("error", "server.doctor-damaged")]


def test_a_newer_database_is_told(settings: Settings) -> None:
    engine = engine_for(file_url(settings.data / DATABASE_FILE))
    with write_transaction(engine) as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    assert findings_about(settings, "database") == [("error", "server.database-too-new")]


def test_workers_without_redis_are_told(settings: Settings) -> None:
    several = replace(settings, workers=2)
    assert findings_about(several, "workers") == [("error", "server.workers-need-redis")]


def test_whoever_has_the_port_is_told(settings: Settings) -> None:
    assert findings_about(settings, "port") == [("ok", "server.doctor-port-free")]
    with Other() as port:
        taken = replace(settings, port=port)
        assert findings_about(taken, "port") == [("error", "server.doctor-port-taken")]


class Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"It works!")

    def log_message(self, *args: Any) -> None:
        pass


class Other:
    """Something that listens and says something else."""

    def __init__(self) -> None:
        self._server = HTTPServer(("127.0.0.1", 0), Answer)
        self._thread = Thread(target=self._server.serve_forever)

    def __enter__(self) -> int:
        self._thread.start()
        return self._server.server_port

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def test_few_open_files_are_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    unlimited = (256, resource.RLIM_INFINITY)
    monkeypatch.setattr("resource.getrlimit", lambda kind: unlimited)
    assert findings_about(settings, "files") == [("ok", "server.doctor-files")]
    monkeypatch.setattr("resource.getrlimit", lambda kind: (256, 1024))
    assert findings_about(settings, "files") == [("warning", "server.doctor-files-few")]


def test_what_is_not_compiled_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    for has_compiler, is_missing, found in (
        (True, True, ("warning", "server.doctor-no-kernels")),
        (True, False, ("ok", "server.doctor-kernels")),
        (False, False, ("warning", "server.doctor-no-jit")),
    ):
        monkeypatch.setattr(compilation, "runs_compiled", lambda has=has_compiler: has)
        monkeypatch.setattr(compilation, "is_library_missing", lambda missing=is_missing: missing)
        assert findings_about(settings, "kernels") == [found]


def test_old_backups_are_told(settings: Settings, tmp_path: Path) -> None:
    assert findings_about(settings, "backups") == []
    asked = replace(settings, backups=tmp_path)
    assert findings_about(asked, "backups") == [("warning", "server.doctor-no-backup")]
    (tmp_path / "a.zip").touch()
    assert findings_about(asked, "backups") == [("ok", "server.doctor-backup")]
    os.utime(tmp_path / "a.zip", (0, time.time() - 2 * doctor.DAY_S))
    assert findings_about(asked, "backups") == [("warning", "server.doctor-backup-old")]


def test_the_worst_decides_how_it_ends(settings: Settings, tmp_path: Path) -> None:
    sentence = findings(settings, "python")[0].sentence
    statuses: tuple[Status, ...] = ("ok", "warning", "error")
    found = [Finding("x", how, sentence) for how in statuses]
    assert [exit_code(found[:n]) for n in range(4)] == [0, 0, 1, 2]
    (settings.data / SECRET_FILE).write_bytes(b"")
    done = kibitz("--data", str(settings.data), "--json", "--backups", str(tmp_path))
    assert done.exit_code == 2
    told = json.loads(done.output)
    assert told["verdict"] == 2
    assert {"about", "status", "sentence"} == told["findings"][0].keys()
    said = kibitz("--data", str(settings.data))
    assert said.exit_code == 2
    assert [line for line in said.output.splitlines() if line.startswith("error")]


def test_a_running_server_is_recognised_and_its_proxies_too(tmp_path: Path) -> None:
    server_settings = {"KIBITZ_DATABASE_URL": "", "KIBITZ_REDIS_URL": "", "KIBITZ_WORKERS": "1"}
    with Server(tmp_path / "data", KIBITZ_TRUSTED_PROXIES="10.0.0.1", **server_settings) as server:
        port = int(server.address.rsplit(":", 1)[1])
        settings = Settings(data=tmp_path / "data", port=port, proxies=Networks("10.0.0.1"))
        assert findings_about(settings, "port") == [("ok", "server.doctor-port-ours")]
        assert findings_about(settings, "proxies") == []
        httpx.get(f"{server.address}/health", headers={"X-Forwarded-For": "192.0.2.1"})
        assert findings_about(settings, "proxies") == [("warning", "server.doctor-proxies-strange")]
        assert "KIBITZ_TRUSTED_PROXIES" in server.stop()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    if missing():
        pytest.skip(f"not installed: {missing()}")
    server = Postgres()
    yield server
    server.close()


def test_postgres_is_looked_at(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.new_database()
    settings = Settings(data=keep(tmp_path, tables=1, database=database), database=database, port=0)
    assert findings_about(settings, "database") == [("ok", "server.doctor-database")]
    assert findings_about(settings, "durability") == [("ok", "server.doctor-safe")]
    assert findings_about(settings, "clock") == [("ok", "server.doctor-clock")]
    assert findings_about(settings, "redis") == [("ok", "server.doctor-no-redis")]
    real = time.time
    monkeypatch.setattr("kibitz.server.admin.doctor.time.time", lambda: real() + 60)
    (skew,) = findings(settings, "clock")
    monkeypatch.undo()
    assert (skew.status, skew.sentence.id) == ("warning", "server.doctor-skew")
    assert 59 < float(str(skew.sentence.value("seconds"))) < 62
    many = replace(settings, workers=64)
    assert ("warning", "server.doctor-connections") in findings_about(many, "database")
    empty = replace(settings, database=postgres.new_database())
    assert findings_about(empty, "database") == [("ok", "server.doctor-database-old")]


def test_a_postgres_that_does_not_wait_for_the_disk_is_told(
    postgres: Postgres, tmp_path: Path
) -> None:
    import psycopg

    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    time.sleep(1)
    settings = Settings(data=tmp_path, database=postgres.new_database(), port=0)
    assert findings_about(settings, "durability") == [("warning", "server.doctor-unsafe")]


def test_servers_that_are_away_are_told_without_their_passwords(tmp_path: Path) -> None:
    nowhere = f"127.0.0.1:{free_port()}"
    settings = Settings(
        data=tmp_path,
        database=f"postgresql://kibitz:hush@{nowhere}/kibitz",
        redis=f"redis://:hush@{nowhere}/0",
        workers=2,
        port=0,
    )
    assert findings_about(settings, "database") == [("error", "server.no-database")]
    assert findings_about(settings, "redis") == [("warning", "server.doctor-redis-away")]
    assert not any("hush" in str(each.sentence) for each in run_checks(settings))


def test_a_redis_that_answers_is_told(tmp_path: Path) -> None:
    if missing():
        pytest.skip(f"not installed: {missing()}")
    redis = Redis()
    try:
        settings = Settings(data=tmp_path, redis=redis.url, workers=2, port=0)
        assert findings_about(settings, "redis") == [("ok", "server.doctor-redis")]
        assert findings_about(settings, "workers") == [("ok", "server.doctor-workers")]
    finally:
        redis.close()


def test_the_public_address_is_asked_as_others_ask_it(tmp_path: Path) -> None:
    """Through a proxy on this machine that says nothing of who asks, all are this machine."""
    with Server(tmp_path, KIBITZ_DATABASE_URL="", KIBITZ_WORKERS="1") as server:
        port = int(server.address.rsplit(":", 1)[1])
        settings = Settings(data=tmp_path, port=port)
        for url, found in (
            (
                server.address,
                [("error", "server.doctor-metrics-open"), ("ok", "server.doctor-url")],
            ),
            (f"http://127.0.0.1:{free_port()}", [("warning", "server.doctor-url-away")]),
            ("", []),
        ):
            told = findings_about(replace(settings, url=url), "proxies")
            assert [each for each in told if each[1] != "server.doctor-proxies"] == found
