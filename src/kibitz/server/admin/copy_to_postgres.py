"""From a data folder to PostgreSQL, with everything."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sql

from kibitz.core.message import Refused, message
from kibitz.server.admin.dump import Database, add_all, tallies
from kibitz.server.db.connect import file_url, of_today, refuse_served, shown, writing
from kibitz.server.db.schema import METADATA, ROW, TABLE
from kibitz.server.settings import DATABASE


class Moved(NamedTuple):
    tables: int
    rows: int


def move(data: Path, url: str) -> Moved:
    """Copy all rows and see that they arrived, in one transaction. Raises Refused.

    The folder stays as it is. Meanwhile nobody else can write there.
    """
    if not (data / DATABASE).is_file():
        raise Refused(message("server.backup-nothing", folder=str(data)))
    here = file_url(data / DATABASE)
    refuse_served(here)
    with (
        of_today(here) as old,
        of_today(url) as new,
        writing(old) as source,
        writing(new) as target,
    ):
        _refuse_filled(target, url)
        sent = add_all(target, Database(source))
        if tallies(Database(target)) != sent:
            raise Refused(message("server.move-differs", database=shown(url)))
        return Moved(sent[TABLE.name].rows, sent[ROW.name].rows)


def _refuse_filled(target: sql.Connection, url: str) -> None:
    for table in METADATA.sorted_tables:
        if target.execute(sql.select(sql.func.count()).select_from(table)).scalar():
            raise Refused(message("server.move-not-empty", database=shown(url)))
