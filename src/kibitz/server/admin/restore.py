"""A backup comes back, or the data as they were at some time.

The log only ever grows, so what was there at a time is what was written until then. What was
replaced is kept in a folder beside the data.
"""

from __future__ import annotations

import os
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sql
from msgspec import structs

from kibitz.core.game import TABLE
from kibitz.core.message import Refused, message
from kibitz.core.os_errors import os_error_reason
from kibitz.server.admin.archive import sync_folder
from kibitz.server.admin.backup import back_up
from kibitz.server.admin.dump import (
    DatabaseSource,
    Row,
    RowSource,
    insert_all,
    open_dump,
    open_zip,
    upgraded_connection,
)
from kibitz.server.admin.export import stored_row, stored_table
from kibitz.server.db.connect import (
    database_url,
    file_url,
    open_engine,
    open_migrated_engine,
    prepare_database_url,
    refuse_while_serving,
    snapshot_connection,
    write_transaction,
)
from kibitz.server.db.schema import (
    GAME_TABLE,
    LOG_ROW,
    METADATA,
    RATED_MATCH,
    RATING,
    UPTIME,
    version_of,
)
from kibitz.server.db.store import StoredRow
from kibitz.server.settings import DATABASE_FILE, SECRET_FILE, Settings
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.sealed_dice import SEAL, commitment

TIME_COLUMNS = "at", "created_at", "started_at"
"""The columns that say when a row was written; the first that a table has counts."""
SIDECAR_SUFFIXES = "-wal", "-shm"
"""Files that belong to a database file."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A table that has fewer rows afterwards than it has in the backup, or has now."""

    table: str
    game: str
    before: int
    after: int
    """None at all where the table itself is gone."""
    last_row_at: float
    """When its latest row was written; wall time."""


@dataclass(frozen=True, slots=True)
class RestoreResult:
    tables: int
    rows: int
    losses: tuple[Loss, ...]
    old_data_folder: Path | None = None
    """Where what was there before is; None where nothing was, or nothing was done."""


def restore_data(
    settings: Settings, file: Path | None, until: float | None = None, dry_run: bool = False
) -> RestoreResult:
    """Bring a backup back, without a file the data that are here, without what was written
    after `until`. Raises Refused, and then everything is as it was."""
    if not dry_run and _is_readable(settings):
        refuse_while_serving(database_url(settings))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(_work_folder(settings, dry_run)))
        chosen = file or _back_up_present(settings, folder)
        packed = stack.enter_context(open_zip(chosen))
        names = packed.namelist()
        secret = packed.read(SECRET_FILE) if SECRET_FILE in names else b""
        source: RowSource
        if DATABASE_FILE in names:
            packed.extract(DATABASE_FILE, folder)
            engine = stack.enter_context(open_migrated_engine(file_url(folder / DATABASE_FILE)))
            source = DatabaseSource(stack.enter_context(snapshot_connection(engine)))
        else:
            source = stack.enter_context(open_dump(packed, str(chosen)))
        after = TruncatedSource(source, until)
        found = _compare_sources(settings, source, after)
        if dry_run:
            return found
        backup_folder = _replace_data(settings, ResealedSource(after), secret, folder)
        return RestoreResult(found.tables, found.rows, found.losses, backup_folder)


class TruncatedSource:
    """A source as it was at a time: each table's rows up to the first that came later."""

    def __init__(self, source: RowSource, until: float | None) -> None:
        self._source, self._until = source, until
        self._first_dropped: dict[str, int] = {}
        """By table, the first row that goes."""
        self._dropped_keys: dict[str, set[object]] = {}
        """By kind, the keys of what goes and may be referred to."""
        if until is not None:
            for row in source.rows(LOG_ROW):
                if row["at"] > until:
                    table_id, seq = row["table_id"], row["seq"]
                    self._first_dropped[table_id] = min(seq, self._first_dropped.get(table_id, seq))

    def rows(self, table: sql.Table) -> Iterator[Row]:
        leases = self._table_states() if table is GAME_TABLE and self._first_dropped else {}
        ratings = self._earlier_ratings() if table is RATING else {}
        for row in self._source.rows(table):
            if self._is_dropped(table, row):
                if len(table.primary_key) == 1:
                    key = next(iter(table.primary_key)).name
                    self._dropped_keys.setdefault(table.name, set()).add(row[key])
                continue
            if table is GAME_TABLE:
                row |= leases.get(row["id"], {})
            if table is RATING:
                row |= ratings.get((row["member"], row["game"]), {})
                if not row["matches"]:
                    continue
            if table is UPTIME and self._until is not None:
                # No clock runs on for what is not there any more.
                row["seen_at"] = min(row["seen_at"], self._until)
            yield row

    def _is_dropped(self, table: sql.Table, row: Row) -> bool:
        if self._until is None:
            return False
        if table is LOG_ROW and row["seq"] >= self._first_dropped.get(
            row["table_id"], row["seq"] + 1
        ):
            return True
        for column in table.c:
            for key in column.foreign_keys:
                if row.get(column.name) in self._dropped_keys.get(key.column.table.name, ()):
                    return True
        written = next((name for name in TIME_COLUMNS if name in table.c), None)
        # A rating changes: it goes back with the matches it came from.
        return written is not None and table is not RATING and row[written] > self._until

    def _earlier_ratings(self) -> dict[tuple[str, str], Row]:
        """The ratings before the first of the matches that go."""
        if self._until is None:
            return {}
        games = {row["id"]: row["game"] for row in self._source.rows(GAME_TABLE)}
        found: dict[tuple[str, str], Row] = {}
        latest: dict[tuple[str, str], float] = {}
        for row in sorted(self._source.rows(RATED_MATCH), key=lambda row: float(row["at"])):
            for member, (before, _) in row["changes"].items():
                key = member, games[row["table_id"]]
                if row["at"] <= self._until:
                    latest[key] = row["at"]
                elif key not in found:
                    mu, sigma, matches = before
                    at = latest.get(key, self._until)
                    found[key] = {"mu": mu, "sigma": sigma, "matches": matches, "at": at}
        return found

    def _table_states(self) -> dict[str, Row]:
        """The state of the tables that lose rows."""
        rows: dict[str, list[StoredRow]] = {table_id: [] for table_id in self._first_dropped}
        for row in self._source.rows(LOG_ROW):
            if row["seq"] < self._first_dropped.get(row["table_id"], 0):
                rows[row["table_id"]].append(stored_row(row))
        return {
            row["id"]: _table_state(row, rows[row["id"]])
            for row in self._source.rows(GAME_TABLE)
            if row["id"] in rows
        }


class ResealedSource:
    """A source whose running matches have new envelopes: of what is gone, somebody may have seen
    the draws, and they would be made again."""

    def __init__(self, source: RowSource) -> None:
        self._source = source
        running = [row for row in source.rows(GAME_TABLE) if row["seed"] and not row["is_over"]]
        self._opened_at: dict[str, float] = {row["id"]: row["created_at"] for row in running}
        self._seeds: dict[str, str] = {row["id"]: secrets.token_hex(32) for row in running}

    def rows(self, table: sql.Table) -> Iterator[Row]:
        if table is LOG_ROW:
            yield from self._log_rows()
            return
        for row in self._source.rows(table):
            if table is GAME_TABLE and (seed := self._seeds.get(row["id"])):
                row["later_seeds"] = [*row.get("later_seeds", ()), seed]
            yield row

    def _log_rows(self) -> Iterator[Row]:
        last = {table_id: (-1, at) for table_id, at in self._opened_at.items()}
        for row in self._source.rows(LOG_ROW):
            if row["table_id"] in last:
                last[row["table_id"]] = max(last[row["table_id"]], (row["seq"], row["at"]))
            yield row
        for table_id, (seq, at) in last.items():
            text = f"{SEAL} {commitment(self._seeds[table_id])}"
            sealed = StoredRow(actor=TABLE, member="", text=text, at=at)
            yield {"table_id": table_id, "seq": seq + 1, **structs.asdict(sealed)}


def _table_state(row: Row, rows: list[StoredRow]) -> Row:
    free: Row = {"claimed_by": None, "claimed_until": None, "board_hash": None}
    try:
        live = LiveTable(stored_table(row), rows)
    except Refused:
        return free | {"is_over": False, "due_at": None}
    due = live.timer.seconds_until_due()
    is_waited_for = due is not None and live.people.all_members
    wanted = time.time() + (due or 0.0) if is_waited_for else None
    return free | {"is_over": live.table.is_over, "due_at": wanted}


def _is_readable(settings: Settings) -> bool:
    """A file that is spoilt may be why it is replaced; a database that is away cannot be."""
    if not settings.database and not (settings.data / DATABASE_FILE).is_file():
        return False
    try:
        with open_engine(database_url(settings)) as engine, engine.connect() as connection:
            version_of(connection)
    except Refused:
        if settings.database:
            raise
        return False
    return True


@contextmanager
def _work_folder(settings: Settings, dry_run: bool) -> Iterator[str]:
    """For what is needed meanwhile; on the disk where it will stay, so that it only gets a name."""
    try:
        if not dry_run:
            prepare_database_url(settings)
        where = None if dry_run else settings.data
        made = TemporaryDirectory(prefix=".restore-", dir=where)
    except OSError as error:
        why = os_error_reason(error)
        raise Refused(message("server.no-data", folder=str(settings.data), why=why)) from None
    with made as folder:
        yield folder


def _back_up_present(settings: Settings, folder: Path) -> Path:
    """A backup of what is here now."""
    file = folder / "present.zip"
    back_up(settings, file)
    return file


def _compare_sources(
    settings: Settings, source: RowSource, after: TruncatedSource
) -> RestoreResult:
    """The result of a restore: what there will be, and what is lost here or from the backup."""
    told: dict[str, tuple[str, float]] = {}
    left = _row_counts(after, told)
    counts = [_row_counts(source, told), _current_row_counts(settings, told)]
    before = {id: max(each.get(id, -1) for each in counts) for id in told}
    losses = [
        Loss(id, told[id][0], before[id], max(left.get(id, 0), 0), told[id][1])
        for id in told
        if before[id] > left.get(id, -1)
    ]
    losses.sort(key=lambda loss: loss.last_row_at)
    return RestoreResult(len(left), sum(left.values()), tuple(losses))


def _row_counts(source: RowSource, told: dict[str, tuple[str, float]]) -> Counter[str]:
    """The number of rows of each table; `told` learns of its game and its latest row."""
    found = Counter[str]()
    for row in source.rows(GAME_TABLE):
        found[row["id"]] = 0
        told.setdefault(row["id"], (row["game"], row["created_at"]))
    for row in source.rows(LOG_ROW):
        found[row["table_id"]] += 1
        game, last = told[row["table_id"]]
        told[row["table_id"]] = game, max(last, row["at"])
    return found


def _current_row_counts(
    settings: Settings, told: dict[str, tuple[str, float]]
) -> Mapping[str, int]:
    if not _is_readable(settings):
        return {}
    try:
        with (
            open_engine(database_url(settings)) as engine,
            snapshot_connection(engine) as reading,
            upgraded_connection(reading) as connection,
        ):
            return _row_counts(DatabaseSource(connection), told)
    except Refused:
        if settings.database:
            raise
        return {}


def _replace_data(settings: Settings, after: RowSource, secret: bytes, folder: Path) -> Path | None:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    backup_folder = settings.data / f"before-{stamp}"
    try:
        backup_folder.mkdir(mode=0o700)
        if settings.database:
            _replace_rows(settings, after, backup_folder)
        else:
            _replace_file(settings.data / DATABASE_FILE, after, folder, backup_folder)
        if secret:
            _replace_secret(settings.secret or settings.data / SECRET_FILE, secret, backup_folder)
        if any(backup_folder.iterdir()):
            return backup_folder
        backup_folder.rmdir()
    except OSError as error:
        why = os_error_reason(error)
        raise Refused(message("server.no-data", folder=str(settings.data), why=why)) from None
    return None


def _replace_rows(settings: Settings, after: RowSource, backup_folder: Path) -> None:
    """In one transaction, that nobody looks into."""
    with open_migrated_engine(settings.database) as engine:
        back_up(settings, backup_folder / "tables.zip")
        with write_transaction(engine) as connection:
            connection.exec_driver_sql(f"LOCK TABLE {GAME_TABLE.name} IN ACCESS EXCLUSIVE MODE")
            for table in reversed(METADATA.sorted_tables):
                connection.execute(table.delete())
            insert_all(connection, after)


def _replace_file(file: Path, after: RowSource, folder: Path, backup_folder: Path) -> None:
    """The new one is complete and on the disk before it takes the old one's place."""
    made = folder / "made.db"
    with open_migrated_engine(file_url(made)) as engine, write_transaction(engine) as connection:
        insert_all(connection, after)
    made.chmod(0o600)
    # The database file first: without it, nothing takes what belongs to it for something else's.
    for name in (file.name, *(file.name + more for more in SIDECAR_SUFFIXES)):
        if (file.parent / name).exists():
            (file.parent / name).rename(backup_folder / name)
    made.rename(file)
    sync_folder(file.parent)


def _replace_secret(file: Path, secret: bytes, backup_folder: Path) -> None:
    present = file.read_bytes() if file.exists() else b""
    if present == secret:
        return
    if present:
        _write_secret(backup_folder / file.name, present)
    partial = file.with_name(f"{file.name}.{os.getpid()}")
    _write_secret(partial, secret)
    partial.replace(file)
    sync_folder(file.parent)


def _write_secret(file: Path, secret: bytes) -> None:
    with open(file, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as out:
        out.write(secret)
        out.flush()
        os.fsync(out.fileno())


def read_time(text: str) -> float:
    """Wall time as people write it (2026-05-01 20:15, without a zone this machine's)."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise Refused(message("server.restore-time", text=text[:60])) from None
    return found.timestamp()
