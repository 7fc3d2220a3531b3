"""What is wrong with a set-up: everything a server rests on is looked at, and nothing is changed.

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

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from kibitz.core.message import Message, Refused, message
from kibitz.server.db.connect import shown, url_of
from kibitz.server.db.schema import HOUSE, TooNew, version_of, versions
from kibitz.server.db.store import CONNECTIONS, engine_at
from kibitz.server.http.guests import SHORTEST, Guests, secret_file
from kibitz.server.lan import EVERYWHERE
from kibitz.server.run import MOST_PAGES
from kibitz.server.settings import DATABASE, Settings, checked_workers
from kibitz.server.smtp import NotSent

How: TypeAlias = Literal["well", "warning", "broken"]
VERDICT: dict[How, int] = {"well": 0, "warning": 1, "broken": 2}
OLDEST_PYTHON = 3, 11
LITTLE, VERY_LITTLE = 1_000_000_000, 50_000_000
"""Bytes left on the disk."""
SKEW = 2.0
"""Clocks may differ by so many seconds."""
DAY = 24 * 60 * 60.0
BACKED_UP_WITHIN = 1.25 * DAY
"""A timer may be late."""
PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Finding:
    about: str
    how: How
    sentence: Message


def examined(settings: Settings) -> Iterator[Finding]:
    """What was found, as it is found."""
    for check in CHECKS:
        yield from check(settings)


def verdict(found: Iterable[Finding]) -> int:
    """0 where all is well, 1 where something should be seen to, 2 where it cannot work."""
    return max((VERDICT[each.how] for each in found), default=0)


def _python(settings: Settings) -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    oldest = ".".join(map(str, OLDEST_PYTHON))
    if sys.version_info >= OLDEST_PYTHON:
        yield Finding("python", "well", message("server.doctor-python", version=version))
    else:
        told = message("server.doctor-python-old", version=version, oldest=oldest)
        yield Finding("python", "broken", told)


def _data(settings: Settings) -> Iterator[Finding]:
    folder = settings.data
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        yield Finding("data", "broken", message("server.doctor-data-shut", folder=str(there)))
        return
    left = shutil.disk_usage(there).free
    told = {"folder": str(folder), "left": f"{left / 1e9:.2f} GB"}
    if left < VERY_LITTLE:
        yield Finding("data", "broken", message("server.doctor-data-full", **told))
    elif left < LITTLE:
        yield Finding("data", "warning", message("server.doctor-data-little", **told))
    elif there != folder:
        yield Finding("data", "well", message("server.doctor-data-new", **told))
    else:
        yield Finding("data", "well", message("server.doctor-data", **told))
    file = folder / DATABASE
    if file.is_file() and not os.access(file, os.W_OK):
        yield Finding("data", "broken", message("server.doctor-data-shut", folder=str(file)))


def _secret(settings: Settings) -> Iterator[Finding]:
    file = secret_file(settings.data, settings.secret)
    if not file.exists():
        yield Finding("secret", "well", message("server.doctor-secret-new", file=str(file)))
        return
    try:
        size = len(file.read_bytes())
    except OSError as error:
        why = error.strerror or str(error)
        told = message("server.secret-unreadable", file=str(file), why=why)
        yield Finding("secret", "broken", told)
        return
    if size < SHORTEST:
        told = message("server.secret-short", file=str(file), bytes=size, least=SHORTEST)
        yield Finding("secret", "broken", told)
    elif file.stat().st_mode & (stat.S_IROTH | stat.S_IWOTH):
        yield Finding("secret", "warning", message("server.doctor-secret-open", file=str(file)))
    else:
        yield Finding("secret", "well", message("server.doctor-secret", file=str(file)))


def _database(settings: Settings) -> Iterator[Finding]:
    url = url_of(settings)
    name = shown(url)
    if not settings.database and not (settings.data / DATABASE).is_file():
        yield Finding("database", "well", message("server.doctor-database-new", database=name))
        return
    engine = engine_at(url)
    try:
        with engine.connect() as connection:
            yield from _schema(connection, name)
            yield from _same_secret(connection, settings)
            if settings.database:
                yield from _postgres(connection, settings)
            else:
                yield from _sqlite(settings.data / DATABASE)
    except TooNew:
        told = message("server.database-too-new", database=name)
        yield Finding("database", "broken", told)
    except SQLAlchemyError as error:
        why = " ".join(str(getattr(error, "orig", None) or error).split())
        told = message("server.no-database", database=name, why=why)
        yield Finding("database", "broken", told)
    finally:
        engine.dispose()


def _schema(connection: sql.Connection, name: str) -> Iterator[Finding]:
    found = version_of(connection)
    if found == versions()[-1]:
        yield Finding("database", "well", message("server.doctor-database", database=name))
    else:
        told = message("server.doctor-database-old", database=name)
        yield Finding("database", "well", told)


def _same_secret(connection: sql.Connection, settings: Settings) -> Iterator[Finding]:
    """Whether guests' cookies are signed with what this database was begun with."""
    if version_of(connection) != versions()[-1]:
        return
    known = connection.execute(sql.select(HOUSE.c.value).where(HOUSE.c.name == "secret")).scalar()
    try:
        secret = secret_file(settings.data, settings.secret).read_bytes()
    except OSError:
        secret = b""
    if known is None:
        return
    if len(secret) < SHORTEST or Guests(secret).cookie != known:
        yield Finding("secret", "broken", message("server.other-secret"))
    else:
        yield Finding("secret", "well", message("server.doctor-secret-same"))


def _postgres(connection: sql.Connection, settings: Settings) -> Iterator[Finding]:
    def setting(name: str) -> str:
        return str(connection.exec_driver_sql(f"SHOW {name}").scalar())

    safe = ("fsync", "full_page_writes", "synchronous_commit")
    if off := [name for name in safe if setting(name) == "off"]:
        told = message("server.doctor-unsafe", names=", ".join(off))
        yield Finding("durability", "warning", told)
    else:
        yield Finding("durability", "well", message("server.doctor-safe"))
    most, wanted = int(setting("max_connections")), settings.workers * CONNECTIONS
    if wanted > most:
        told = message("server.doctor-connections", wanted=wanted, most=most)
        yield Finding("database", "warning", told)
    asked = time.time()
    theirs = connection.exec_driver_sql("SELECT extract(epoch FROM clock_timestamp())").scalar()
    ours = (asked + time.time()) / 2
    skew = float(theirs or 0) - ours
    told = message(
        "server.doctor-skew" if abs(skew) > SKEW else "server.doctor-clock",
        seconds=round(abs(skew), 1),
    )
    yield Finding("clock", "warning" if abs(skew) > SKEW else "well", told)


def _sqlite(file: Path) -> Iterator[Finding]:
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as reading:
        try:
            wrong = [text for (text,) in reading.execute("PRAGMA quick_check(3)") if text != "ok"]
        except sqlite3.Error as error:
            wrong = [str(error)]
    if wrong:
        told = message("server.doctor-damaged", file=str(file), why="; ".join(wrong))
        yield Finding("durability", "broken", told)
    else:
        yield Finding("durability", "well", message("server.doctor-safe"))


def _workers(settings: Settings) -> Iterator[Finding]:
    try:
        checked_workers(settings)
    except Refused as error:
        yield Finding("workers", "broken", error.refusal)
        return
    yield Finding("workers", "well", message("server.doctor-workers", n=settings.workers))


def _redis(settings: Settings) -> Iterator[Finding]:
    if not settings.redis:
        if settings.database:
            yield Finding("redis", "well", message("server.doctor-no-redis"))
        return
    from redis import Redis
    from redis.exceptions import RedisError

    try:
        with Redis.from_url(settings.redis, socket_timeout=PATIENCE) as redis:
            redis.ping()
    except (RedisError, OSError, ValueError) as error:
        yield Finding("redis", "warning", message("server.doctor-redis-away", why=str(error)))
    else:
        yield Finding("redis", "well", message("server.doctor-redis"))


def _smtp(settings: Settings) -> Iterator[Finding]:
    """Whether somebody takes mail from us; none is sent."""
    if settings.smtp is None:
        return
    told: dict[str, str | int] = {"host": settings.smtp.host, "port": settings.smtp.port}
    try:
        with settings.smtp.connected() as server:
            server.noop()
    except (NotSent, OSError, SMTPException) as error:
        yield Finding("mail", "warning", message("server.doctor-smtp-away", why=str(error), **told))
    else:
        yield Finding("mail", "well", message("server.doctor-smtp", **told))
    if settings.smtp.security == "none" and settings.smtp.user:
        yield Finding("mail", "warning", message("server.doctor-smtp-open"))


def _port(settings: Settings) -> Iterator[Finding]:
    host = "127.0.0.1" if settings.host in EVERYWHERE else settings.host
    told: dict[str, str | int] = {"host": settings.host, "port": settings.port}
    if settings.port == 0:
        return
    if _is_free(settings):
        yield Finding("port", "well", message("server.doctor-port-free", **told))
    elif _asked(host, settings.port, f"{settings.prefix}/health") == b'{"well":true}':
        yield Finding("port", "well", message("server.doctor-port-ours", **told))
        measured = _asked(host, settings.port, f"{settings.prefix}/metrics")
        yield from _forwarded(measured.decode(errors="replace"))
    else:
        yield Finding("port", "broken", message("server.doctor-port-taken", **told))


def _is_free(settings: Settings) -> bool:
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


def _asked(host: str, port: int, path: str) -> bytes:
    """What is answered there; nothing where nobody does."""
    try:
        with closing(HTTPConnection(host, port, timeout=PATIENCE)) as asking:
            asking.request("GET", path)
            answer = asking.getresponse()
            return answer.read(1 << 20) if answer.status == 200 else b""
    except (OSError, HTTPException):
        return b""


def _forwarded(measured: str) -> Iterator[Finding]:
    """Whether proxies are in front of the running server, and believed."""
    counts = dict(re.findall(r'^kibitz_forwarded_total{believed="(\w+)"} (\S+)', measured, re.M))
    if float(counts.get("no", 0)):
        yield Finding("proxies", "warning", message("server.doctor-proxies-strange"))
    elif float(counts.get("yes", 0)):
        yield Finding("proxies", "well", message("server.doctor-proxies"))


def _files(settings: Settings) -> Iterator[Finding]:
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wanted = settings.most_sockets + MOST_PAGES + 256
    told: dict[str, str | int] = {"most": most, "wanted": wanted}
    if most == resource.RLIM_INFINITY or most >= wanted:
        yield Finding("files", "well", message("server.doctor-files"))
    else:
        yield Finding("files", "warning", message("server.doctor-files-few", **told))


def _kernels(settings: Settings) -> Iterator[Finding]:
    from kibitz.core import jit

    if any(Path(jit.settings.CACHE_DIR).rglob("*.nbi")):
        yield Finding("kernels", "well", message("server.doctor-kernels"))
    else:
        yield Finding("kernels", "warning", message("server.doctor-no-kernels"))


def _backups(settings: Settings) -> Iterator[Finding]:
    if settings.backups is None:
        return
    folder = str(settings.backups)
    made = [path.stat().st_mtime for path in settings.backups.glob("*.zip")]
    if not made:
        yield Finding("backups", "warning", message("server.doctor-no-backup", folder=folder))
        return
    age = time.time() - max(made)
    told = message(
        "server.doctor-backup-old" if age > BACKED_UP_WITHIN else "server.doctor-backup",
        folder=folder,
        hours=round(age / 3600, 1),
    )
    yield Finding("backups", "warning" if age > BACKED_UP_WITHIN else "well", told)


CHECKS: Sequence[Callable[[Settings], Iterator[Finding]]] = (
    _python,
    _data,
    _secret,
    _database,
    _workers,
    _redis,
    _smtp,
    _port,
    _files,
    _kernels,
    _backups,
)
