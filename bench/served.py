"""A real server in a process of its own, on data that is thrown away, and what it uses."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trees import Tree

MAX_SOCKETS = 6000
"""As many as any measurement here opens, all from one address."""
IDLE_S = 1.0
"""A connection that nothing was asked by for so long may be closed at any moment."""


PROGRAM = "-m", "kibitz.server.run"
START_TIMEOUT_S = 60.0
HOMES = "src/kibitz/server/table_homes.py"
"""The module by which tables have a home; trees from before have none."""


class Server:
    """`program` is what Python is told to run."""

    def __init__(self, tree: Tree, program: Sequence[str] = PROGRAM, **settings: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="kibitz-bench-")
        self._complaints = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed in __exit__)
        ours = {
            "KIBITZ_DATA": self._folder.name,
            "TMPDIR": self._folder.name,
            "KIBITZ_PORT": "0",
            "KIBITZ_OPEN_BROWSER": "off",
            "KIBITZ_RATE_LIMITS": "off",
            "KIBITZ_MAX_CONNECTIONS": str(MAX_SOCKETS),
            "KIBITZ_MAX_CONNECTIONS_PER_ADDRESS": str(MAX_SOCKETS),
            **settings,
        }
        self._worker_count = int(settings.get("KIBITZ_WORKERS", "1"))
        self._process = subprocess.Popen(
            [sys.executable, *program],
            env=tree.environment | ours,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            text=True,
        )
        assert self._process.stdout
        said = self._process.stdout.readline()
        self.host, port = said.split("http://")[1].split("/")[0].split(":")
        self.port = int(port)
        if self._worker_count > 1 and (tree.folder / HOMES).exists():
            self._wait_for_workers()
        self._connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        self._asked_at = time.monotonic()

    def _wait_for_workers(self) -> None:
        """Until all are up: those who sit at the place of another are sent to it when it comes."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while len([*Path(self._folder.name).glob("kibitz-workers-*/*")]) < self._worker_count:
            if time.monotonic() > deadline:
                raise TimeoutError("not all workers start")
            time.sleep(0.1)

    def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        """One request to the API, one after the other."""
        if time.monotonic() - self._asked_at > IDLE_S:
            self._connection.close()
        self._asked_at = time.monotonic()
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {text.decode()[:500]}")
        return json.loads(text)

    def new_guest_token(self) -> str:
        """The token of somebody new."""
        return str(self.ask("GET", "/api/v1/me")["token"])

    @property
    def cpu_seconds(self) -> float:
        """Seconds of CPU that all threads of its workers have used."""
        return sum(map(cpu_seconds_of, self.workers))

    @property
    def bots_cpu_seconds(self) -> float:
        """Likewise of the processes they have started: the bots'."""
        return sum(cpu_seconds_of(bots) for worker in self.workers for bots in _children(worker))

    @property
    def memory_mb(self) -> float:
        """In MB."""
        return sum(float(_ps_column("rss=", worker)) for worker in self.workers) * 1024 / 1e6

    @property
    def workers(self) -> list[int]:
        """Where there are several, the process we started only keeps them."""
        if self._worker_count == 1:
            return [self._process.pid]
        return _children(self._process.pid)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.close()
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()
        self._complaints.seek(0)
        if lines := self._complaints.readlines():
            print(f"  the server complained {len(lines)} times, first: {lines[0]}", end="")
        self._complaints.close()


def cpu_seconds_of(pid: int) -> float:
    """To the microsecond where the system tells, else as `ps` does, to hundredths of a second."""
    if sys.platform == "linux":
        # The clock of another process, as clock_getcpuclockid(3) spells it.
        return time.clock_gettime((~pid << 3) | 2)
    minutes, _, seconds = _ps_column("time=", pid).rpartition(":")
    hours, _, minutes = minutes.rpartition(":")
    return float(hours or 0) * 3600 + float(minutes or 0) * 60 + float(seconds)


def _ps_column(column: str, pid: int) -> str:
    asked = ["ps", "-o", column, "-p", str(pid)]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def _children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True)
    pairs = [line.split() for line in listed.stdout.splitlines()]
    return [int(child) for child, parent in pairs if int(parent) == pid]
