"""From a data folder to PostgreSQL, with everything."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sql

from kibitz.core.message import Refused, message
from kibitz.server.admin.dump import DatabaseSource, insert_all, row_checksums
from kibitz.server.db.connect import (
    file_url,
    open_migrated_engine,
    refuse_while_serving,
    url_without_password,
    write_transaction,
)
from kibitz.server.db.schema import GAME_TABLE, LOG_ROW, METADATA
from kibitz.server.settings import DATABASE_FILE


class CopyResult(NamedTuple):
    tables: int
    rows: int


def copy_database(data: Path, url: str) -> CopyResult:
    """Copy all rows and see that they arrived, in one transaction. Raises Refused.

    The folder stays as it is. Meanwhile nobody else can write there.
    """
    if not (data / DATABASE_FILE).is_file():
        raise Refused(message("server.backup-nothing", folder=str(data)))
    here = file_url(data / DATABASE_FILE)
    refuse_while_serving(here)
    with (
        open_migrated_engine(here) as old,
        open_migrated_engine(url) as new,
        write_transaction(old) as source,
        write_transaction(new) as target,
    ):
        _check_empty(target, url)
        sent = insert_all(target, DatabaseSource(source))
        if row_checksums(DatabaseSource(target)) != sent:
            raise Refused(message("server.migrate-differs", database=url_without_password(url)))
        return CopyResult(sent[GAME_TABLE.name].rows, sent[LOG_ROW.name].rows)


def _check_empty(target: sql.Connection, url: str) -> None:
    for table in METADATA.sorted_tables:
        if target.execute(sql.select(sql.func.count()).select_from(table)).scalar():
            raise Refused(message("server.migrate-not-empty", database=url_without_password(url)))
