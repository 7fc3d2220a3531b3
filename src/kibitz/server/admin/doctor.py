"""The doctor: a check of everything a server rests on. It changes nothing.

Each check says one thing, well or not; none of them needs another to have gone well.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import sqlite3
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from smtplib import SMTPException
from typing import Literal, TypeAlias
from urllib.request import urlopen

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from kibitz.bots import compilation
from kibitz.core.extras import import_extra
from kibitz.core.message import Message, Refused, Value, fixed_decimal, message
from kibitz.core.os_errors import os_error_reason
from kibitz.server.db.connect import database_url, url_without_password
from kibitz.server.db.engine import POOL_SIZE, engine_for, error_text
from kibitz.server.db.schema import SERVER_SETTING, DatabaseTooNew, version_of, versions
from kibitz.server.http.guests import MIN_SECRET_BYTES, GuestAuth, secret_file
from kibitz.server.lan import WILDCARD_HOSTS
from kibitz.server.settings import (
    DATABASE_FILE,
    MAX_PAGE_CONNECTIONS,
    Settings,
    checked_workers,
    unknown_variables,
)
from kibitz.server.smtp import MailUnavailable

Status: TypeAlias = Literal["ok", "warning", "error"]
EXIT_CODES: dict[Status, int] = {"ok": 0, "warning": 1, "error": 2}
MIN_PYTHON = 3, 11
LOW_DISK_BYTES, MIN_DISK_BYTES = 1_000_000_000, 50_000_000
"""Bytes left on the disk."""
MAX_CLOCK_SKEW_S = 2.0
"""Clocks may differ by so many seconds."""
DAY_S = 24 * 60 * 60.0
MAX_BACKUP_AGE_S = 1.25 * DAY_S
"""A timer may be late."""
TIMEOUT_S = 5.0
HEALTHY = b'{"status":"ok"}'
"""The answer of a server that is well."""


@dataclass(frozen=True, slots=True)
class Finding:
    about: str
    status: Status
    sentence: Message


def run_checks(settings: Settings) -> Iterator[Finding]:
    """The findings, as they come."""
    for check in CHECKS:
        yield from check(settings)


def exit_code(found: Iterable[Finding]) -> int:
    """0 where all is well, 1 where something should be seen to, 2 where it cannot work."""
    return max((EXIT_CODES[each.status] for each in found), default=0)


def _check_python(settings: Settings) -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    oldest = ".".join(map(str, MIN_PYTHON))
    if sys.version_info >= MIN_PYTHON:
        yield Finding("python", "ok", message("server.doctor-python", version=version))
    else:
        told = message("server.doctor-python-old", version=version, oldest=oldest)
        yield Finding("python", "error", told)


def _check_variables(settings: Settings) -> Iterator[Finding]:
    """Check that every KIBITZ_ variable is one of ours: a misspelt one would change nothing."""
    if names := unknown_variables():
        told = message("server.doctor-unknown-variables", names=", ".join(names))
        yield Finding("settings", "warning", told)


def _check_data(settings: Settings) -> Iterator[Finding]:
    folder = settings.data
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        yield Finding("data", "error", message("server.doctor-data-shut", folder=str(there)))
        return
    left = shutil.disk_usage(there).free
    told: dict[str, Value] = {
        "folder": str(folder),
        "left": message("server.gigabytes", value=fixed_decimal(left / 1e9, 2)),
    }
    if left < MIN_DISK_BYTES:
        yield Finding("data", "error", message("server.doctor-data-full", **told))
    elif left < LOW_DISK_BYTES:
        yield Finding("data", "warning", message("server.doctor-data-little", **told))
    elif there != folder:
        yield Finding("data", "ok", message("server.doctor-data-new", **told))
    else:
        yield Finding("data", "ok", message("server.doctor-data", **told))
    file = folder / DATABASE_FILE
    if file.is_file() and not os.access(file, os.W_OK):
        yield Finding("data", "error", message("server.doctor-data-shut", folder=str(file)))


def _check_secret(settings: Settings) -> Iterator[Finding]:
    file = secret_file(settings.data, settings.secret)
    if not file.exists():
        yield Finding("secret", "ok", message("server.doctor-secret-new", file=str(file)))
        return
    try:
        size = len(file.read_bytes())
    except OSError as error:
        why = os_error_reason(error)
        told = message("server.secret-unreadable", file=str(file), why=why)
        yield Finding("secret", "error", told)
        return
    if size < MIN_SECRET_BYTES:
        told = message("server.secret-short", file=str(file), bytes=size, least=MIN_SECRET_BYTES)
        yield Finding("secret", "error", told)
    elif os.name == "posix" and file.stat().st_mode & (stat.S_IROTH | stat.S_IWOTH):
        yield Finding("secret", "warning", message("server.doctor-secret-open", file=str(file)))
    else:
        yield Finding("secret", "ok", message("server.doctor-secret", file=str(file)))


def _check_database(settings: Settings) -> Iterator[Finding]:
    url = database_url(settings)
    name = url_without_password(url)
    if not settings.database and not (settings.data / DATABASE_FILE).is_file():
        yield Finding("database", "ok", message("server.doctor-database-new", database=name))
        return
    file = settings.data / DATABASE_FILE
    if not settings.database and file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        told = message("server.doctor-database-open", file=str(file))
        yield Finding("database", "warning", told)
    try:
        engine = engine_for(url)
    except Refused as error:
        yield Finding("database", "error", error.refusal)
        return
    try:
        with engine.connect() as connection:
            yield from _check_schema(connection, name)
            yield from _check_same_secret(connection, settings)
            if settings.database:
                yield from _check_postgres(connection, settings)
            else:
                yield from _check_sqlite(settings.data / DATABASE_FILE)
    except DatabaseTooNew:
        told = message("server.database-too-new", database=name)
        yield Finding("database", "error", told)
    except SQLAlchemyError as error:
        told = message("server.no-database", database=name, why=error_text(error))
        yield Finding("database", "error", told)
    finally:
        engine.dispose()


def _check_schema(connection: sql.Connection, name: str) -> Iterator[Finding]:
    found = version_of(connection)
    if found == versions()[-1]:
        yield Finding("database", "ok", message("server.doctor-database", database=name))
    else:
        told = message("server.doctor-database-old", database=name)
        yield Finding("database", "ok", told)


def _check_same_secret(connection: sql.Connection, settings: Settings) -> Iterator[Finding]:
    """Check that guests' cookies are signed with the secret this database began with."""
    if version_of(connection) != versions()[-1]:
        return
    known = connection.execute(
        sql.select(SERVER_SETTING.c.value).where(SERVER_SETTING.c.name == "secret")
    ).scalar()
    try:
        secret = secret_file(settings.data, settings.secret).read_bytes()
    except OSError:
        secret = b""
    if known is None:
        return
    if len(secret) < MIN_SECRET_BYTES or GuestAuth(secret).cookie_name != known:
        yield Finding("secret", "error", message("server.other-secret"))
    else:
        yield Finding("secret", "ok", message("server.doctor-secret-same"))


def _check_postgres(connection: sql.Connection, settings: Settings) -> Iterator[Finding]:
    def setting(name: str) -> str:
        return str(connection.exec_driver_sql(f"SHOW {name}").scalar())

    safe = ("fsync", "full_page_writes", "synchronous_commit")
    if off := [name for name in safe if setting(name) == "off"]:
        told = message("server.doctor-unsafe", names=", ".join(off))
        yield Finding("durability", "warning", told)
    else:
        yield Finding("durability", "ok", message("server.doctor-safe"))
    most, wanted = int(setting("max_connections")), settings.workers * POOL_SIZE
    if wanted > most:
        told = message("server.doctor-connections", wanted=wanted, most=most)
        yield Finding("database", "warning", told)
    asked = time.time()
    theirs = connection.exec_driver_sql("SELECT extract(epoch FROM clock_timestamp())").scalar()
    ours = (asked + time.time()) / 2
    skew = float(theirs or 0) - ours
    told = message(
        "server.doctor-skew" if abs(skew) > MAX_CLOCK_SKEW_S else "server.doctor-clock",
        seconds=round(abs(skew), 1),
    )
    yield Finding("clock", "warning" if abs(skew) > MAX_CLOCK_SKEW_S else "ok", told)


def _check_sqlite(file: Path) -> Iterator[Finding]:
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as reading:
        try:
            wrong = [text for (text,) in reading.execute("PRAGMA quick_check(3)") if text != "ok"]
        except sqlite3.Error as error:
            wrong = [str(error)]
    if wrong:
        told = message("server.doctor-damaged", file=str(file), why="; ".join(wrong))
        yield Finding("durability", "error", told)
    else:
        yield Finding("durability", "ok", message("server.doctor-safe"))


def _check_workers(settings: Settings) -> Iterator[Finding]:
    try:
        checked_workers(settings)
    except Refused as error:
        yield Finding("workers", "error", error.refusal)
        return
    yield Finding("workers", "ok", message("server.doctor-workers", n=settings.workers))


def _check_redis(settings: Settings) -> Iterator[Finding]:
    if not settings.redis:
        if settings.database:
            yield Finding("redis", "ok", message("server.doctor-no-redis"))
        return
    try:
        import_extra("redis", "host", wanted_by="KIBITZ_REDIS_URL")
    except Refused as error:
        yield Finding("redis", "error", error.refusal)
        return
    from redis import Redis
    from redis.exceptions import RedisError

    try:
        with Redis.from_url(settings.redis, socket_timeout=TIMEOUT_S) as redis:
            redis.ping()
    except (RedisError, OSError, ValueError) as error:
        yield Finding("redis", "warning", message("server.doctor-redis-away", why=str(error)))
    else:
        yield Finding("redis", "ok", message("server.doctor-redis"))


def _check_smtp(settings: Settings) -> Iterator[Finding]:
    """Check that the mail server talks to us; no mail is sent."""
    if settings.smtp is None:
        return
    told: dict[str, str | int] = {"host": settings.smtp.host, "port": settings.smtp.port}
    try:
        with settings.smtp.open_connection() as server:
            server.noop()
    except (MailUnavailable, OSError, SMTPException) as error:
        yield Finding("mail", "warning", message("server.doctor-smtp-away", why=str(error), **told))
    else:
        yield Finding("mail", "ok", message("server.doctor-smtp", **told))
    if settings.smtp.security == "none" and settings.smtp.user:
        yield Finding("mail", "warning", message("server.doctor-smtp-open"))


def _check_port(settings: Settings) -> Iterator[Finding]:
    host = "127.0.0.1" if settings.host in WILDCARD_HOSTS else settings.host
    told: dict[str, str | int] = {"host": settings.host, "port": settings.port}
    if settings.port == 0:
        return
    if _is_port_free(settings):
        yield Finding("port", "ok", message("server.doctor-port-free", **told))
    elif _http_get(host, settings.port, f"{settings.prefix}/health") == HEALTHY:
        yield Finding("port", "ok", message("server.doctor-port-ours", **told))
        measured = _http_get(host, settings.port, f"{settings.prefix}/metrics")
        yield from _check_proxies(measured.decode(errors="replace"))
    else:
        yield Finding("port", "error", message("server.doctor-port-taken", **told))


def _check_public_url(settings: Settings) -> Iterator[Finding]:
    """Ask the running server by its public address, as others do: through its proxy, if any."""
    host = "127.0.0.1" if settings.host in WILDCARD_HOSTS else settings.host
    here = f"http://{host}:{settings.port}{settings.prefix}"
    if not settings.url or _fetch(f"{here}/health") != HEALTHY:
        return
    told: dict[str, str] = {"url": settings.url}
    public = settings.url + settings.prefix
    before = _forwarded_count(_fetch(f"{here}/metrics"))
    if _fetch(f"{public}/health") != HEALTHY:
        yield Finding("proxies", "warning", message("server.doctor-url-away", **told))
        return
    if _fetch(f"{public}/metrics"):
        yield Finding("proxies", "error", message("server.doctor-metrics-open", **told))
    after = _forwarded_count(_fetch(f"{here}/metrics"))
    if settings.url.startswith("https:") and settings.workers == 1 and after == before:
        yield Finding("proxies", "warning", message("server.doctor-url-unforwarded", **told))
    else:
        yield Finding("proxies", "ok", message("server.doctor-url", **told))


def _forwarded_count(measured: bytes) -> float:
    counts = re.findall(rb"^kibitz_forwarded_total{\S+} (\S+)", measured, re.M)
    return sum(map(float, counts))


def _fetch(url: str) -> bytes:
    """The answer there; empty where nobody answers or it is refused."""
    try:
        with urlopen(url, timeout=TIMEOUT_S) as answer:
            found: bytes = answer.read(1 << 20)
            return found
    except (OSError, HTTPException, ValueError):
        return b""


def _is_port_free(settings: Settings) -> bool:
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError:
        return False
    return True


def _http_get(host: str, port: int, path: str) -> bytes:
    """The answer there; empty where nobody answers."""
    try:
        with closing(HTTPConnection(host, port, timeout=TIMEOUT_S)) as connection:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.read(1 << 20) if answer.status == 200 else b""
    except (OSError, HTTPException):
        return b""


def _check_proxies(measured: str) -> Iterator[Finding]:
    """Check that proxies in front of the running server are trusted."""
    counts = dict(re.findall(r'^kibitz_forwarded_total{trusted="(\w+)"} (\S+)', measured, re.M))
    if float(counts.get("no", 0)):
        yield Finding("proxies", "warning", message("server.doctor-proxies-strange"))
    elif float(counts.get("yes", 0)):
        yield Finding("proxies", "ok", message("server.doctor-proxies"))


def _check_open_files(settings: Settings) -> Iterator[Finding]:
    """Only where the system has such a limit."""
    try:
        import resource
    except ImportError:
        return
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wanted = settings.max_connections + MAX_PAGE_CONNECTIONS + 256
    told: dict[str, str | int] = {"most": most, "wanted": wanted}
    if most == resource.RLIM_INFINITY or most >= wanted:
        yield Finding("files", "ok", message("server.doctor-files"))
    else:
        yield Finding("files", "warning", message("server.doctor-files-few", **told))


def _check_kernels(settings: Settings) -> Iterator[Finding]:
    """Check that bots have compiled engines."""
    if not compilation.runs_compiled():
        yield Finding("kernels", "warning", message("server.doctor-no-jit", extra="jit"))
    elif compilation.is_library_missing():
        yield Finding("kernels", "warning", message("server.doctor-no-kernels"))
    else:
        yield Finding("kernels", "ok", message("server.doctor-kernels"))


def _check_backups(settings: Settings) -> Iterator[Finding]:
    if settings.backups is None:
        return
    folder = str(settings.backups)
    made = [path.stat().st_mtime for path in settings.backups.glob("*.zip")]
    if not made:
        yield Finding("backups", "warning", message("server.doctor-no-backup", folder=folder))
        return
    age = time.time() - max(made)
    told = message(
        "server.doctor-backup-old" if age > MAX_BACKUP_AGE_S else "server.doctor-backup",
        folder=folder,
        hours=round(age / 3600, 1),
    )
    yield Finding("backups", "warning" if age > MAX_BACKUP_AGE_S else "ok", told)


CHECKS: Sequence[Callable[[Settings], Iterator[Finding]]] = (
    _check_python,
    _check_variables,
    _check_data,
    _check_secret,
    _check_database,
    _check_workers,
    _check_redis,
    _check_smtp,
    _check_port,
    _check_public_url,
    _check_open_files,
    _check_kernels,
    _check_backups,
)
