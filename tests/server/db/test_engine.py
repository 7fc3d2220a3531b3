"""Connections to a database, where somebody else is in the way."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Timer

import pytest
import sqlalchemy as sql

from kibitz.server.db import engine
from kibitz.server.db.connect import file_url


@pytest.fixture
def worker(tmp_path: Path) -> sqlite3.Connection:
    """One that is about to write to a new file, as it looks whether it has to be migrated."""
    connection = sqlite3.connect(
        tmp_path / "new.sqlite3", isolation_level=None, check_same_thread=False
    )
    connection.execute("CREATE TABLE here (n INTEGER)")
    connection.execute("BEGIN IMMEDIATE")
    return connection


def journal_mode(folder: Path) -> str:
    opened = engine.engine_for(file_url(folder / "new.sqlite3"))
    try:
        with opened.connect() as connection:
            return str(connection.exec_driver_sql("PRAGMA journal_mode").scalar())
    finally:
        opened.dispose()


def test_a_new_file_gets_its_log_while_another_worker_has_it(
    tmp_path: Path, worker: sqlite3.Connection
) -> None:
    timer = Timer(0.3, worker.close)
    timer.start()
    assert journal_mode(tmp_path) == "wal"
    timer.join()


def test_a_file_that_stays_locked_is_an_error(
    tmp_path: Path, worker: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_S", 0.1)
    with pytest.raises(sql.exc.OperationalError, match="database is locked"):
        journal_mode(tmp_path)
    worker.close()
    assert journal_mode(tmp_path) == "wal"
