"""Real servers from Debian's packages, started here and gone with whoever started them."""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from uuid import uuid4

TIMEOUT_S = 30.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def postgres_program(name: str) -> str | None:
    """PostgreSQL's programs are not on everybody's path in Debian."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name)


def missing() -> str:
    """What is not installed here; empty where nothing is."""
    wanted = {
        "postgresql": postgres_program("postgres"),
        "redis-server": shutil.which("redis-server"),
    }
    return ", ".join(package for package, program in wanted.items() if program is None)


_databases: dict[Path, str] = {}


def settings_for(data: Path) -> dict[str, str]:
    """What makes a server with this data folder one of two workers on PostgreSQL and Redis.

    Both are started once for all tests of a process; each folder has its own database.
    """
    return {
        "KIBITZ_DATABASE_URL": database_for(data),
        "KIBITZ_REDIS_URL": _redis().url,
        "KIBITZ_WORKERS": "2",
    }


def database_for(data: Path) -> str:
    if data not in _databases:
        _databases[data] = _postgres().new_database()
    return _databases[data]


@cache
def _postgres() -> Postgres:
    started = Postgres()
    atexit.register(started.close)
    return started


@cache
def _redis() -> Redis:
    started = Redis()
    atexit.register(started.close)
    return started


class Daemon:
    """A server that can be stopped, killed and started again, on the same port and data."""

    def __init__(self) -> None:
        self.folder, self.port = Path(mkdtemp(prefix="kibitz-")), free_port()
        self.process: subprocess.Popen[Any] | None = None

    def command(self) -> Sequence[str]:
        raise NotImplementedError

    def starting(self) -> dict[str, Any]:
        return {}

    def is_up(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def start(self) -> None:
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                self.command(), cwd=self.folder, stdout=log, stderr=log, **self.starting()
            )
        deadline = time.monotonic() + TIMEOUT_S
        while not self.is_up():
            assert self.process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < deadline, (self.folder / "log").read_text()
            time.sleep(0.05)

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(TIMEOUT_S)

    @property
    def pids(self) -> list[int]:
        """Its processes."""
        assert self.process
        asked = ["ps", "-o", "pid=", "--ppid", str(self.process.pid)]
        started = subprocess.run(asked, capture_output=True).stdout.split()
        return [self.process.pid, *map(int, started)]

    def close(self) -> None:
        self.stop(signal.SIGINT)
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Daemon):
    def __init__(self) -> None:
        super().__init__()
        # It does not run as root.
        self.user = "postgres" if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user)
        initdb = postgres_program("initdb")
        assert initdb
        made = [initdb, "-D", str(self.folder / "data"), "-U", "kibitz", "-A", "trust", "-N"]
        subprocess.run(made, check=True, capture_output=True, cwd=self.folder, **self.starting())
        self.start()

    def command(self) -> Sequence[str]:
        program = postgres_program("postgres")
        assert program
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            "shared_buffers": "64MB",
            "max_connections": 200,
        }
        given = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [program, "-D", str(self.folder / "data"), *given]

    def starting(self) -> dict[str, Any]:
        if not self.user:
            return {}
        return {"user": self.user, "group": pwd.getpwnam(self.user).pw_gid, "extra_groups": []}

    def is_up(self) -> bool:
        """It listens before it lets anybody in."""
        import psycopg

        try:
            with psycopg.connect(self.url(), connect_timeout=2):
                return True
        except psycopg.OperationalError:
            return False

    def freeze(self) -> None:
        """Nothing is answered, though all is there."""
        self._signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, how: int) -> None:
        for pid in self.pids:
            with suppress(ProcessLookupError):
                os.kill(pid, how)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://kibitz@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """An empty one; its address."""
        import psycopg

        name = f"k{uuid4().hex[:12]}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)


class Redis(Daemon):
    def __init__(self) -> None:
        super().__init__()
        self.start()

    def command(self) -> Sequence[str]:
        program = shutil.which("redis-server")
        assert program
        return [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"
