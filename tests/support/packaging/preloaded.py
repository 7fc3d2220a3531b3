"""Server processes that start at once: forks of one that has imported all they need.

Each is a process and a session of its own, with its own environment; only its imports were made
before it began. Importing is most of what a start costs, and the tests start hundreds of servers.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NoReturn

ROOT = Path(__file__).parents[3]
MAX_REQUEST_BYTES = 1 << 20
PRELOADED = (
    "alembic.command",
    "kibitz.server.app",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite",
    "uvicorn",
)


class ForkedProcess:
    """The part of subprocess.Popen that tests of servers use."""

    def __init__(self, pid: int, stdout: IO[str], ending: int) -> None:
        self.pid, self.stdout, self._ending = pid, stdout, ending
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._read_ending(0)

    def wait(self, timeout: float | None = None) -> int:
        if (code := self._read_ending(timeout)) is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return code

    def _read_ending(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._ending], [], [], timeout)[0]:
            self.returncode = int(os.read(self._ending, 16))
            os.close(self._ending)
        return self.returncode

    def communicate(self, timeout: float | None = None) -> None:
        """Wait until it has ended, and read what it still said."""
        ends = None if timeout is None else time.monotonic() + timeout
        while not self.stdout.closed:
            left = None if ends is None else max(ends - time.monotonic(), 0)
            if not select.select([self.stdout], [], [], left)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            if not os.read(self.stdout.fileno(), 65536):
                self.stdout.close()
        self.wait(None if ends is None else max(ends - time.monotonic(), 0))

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def fork_server(program: str, environment: dict[str, str], stderr: IO[str]) -> ForkedProcess:
    """A process that runs this module, as `python -m` would."""
    out, told_out = os.pipe()
    ending, told_ending = os.pipe()
    asked = {"program": program, "environment": environment, "folder": os.getcwd()}
    control = _start_parent()
    socket.send_fds(control, [json.dumps(asked).encode()], [told_out, stderr.fileno(), told_ending])
    os.close(told_out)
    os.close(told_ending)
    pid = int(control.recv(16))
    return ForkedProcess(pid, os.fdopen(out, encoding="utf-8"), ending)


@cache
def _start_parent() -> socket.socket:
    """The socket of the process that forks; it ends with us."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        path = os.pathsep.join((str(ROOT / "src"), str(ROOT / "tests")))
        parent = subprocess.Popen(
            [sys.executable, "-m", "support.packaging.preloaded", str(theirs.fileno())],
            env={**os.environ, "PYTHONPATH": path},
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
    atexit.register(_stop_parent, parent, ours)
    return ours


def _stop_parent(parent: subprocess.Popen[bytes], control: socket.socket) -> None:
    control.close()
    parent.wait()


# The process that forks


def serve_forks(control: socket.socket) -> None:
    """Fork whenever it is asked for, and tell how each fork ends, until nobody asks any more."""
    endings: dict[int, int] = {}
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    watched: list[Any] = [control, woken]
    while True:
        ready = select.select(watched, [], [])[0]
        if woken in ready:
            os.read(woken, 4096)
            _tell_endings(endings)
        if control in ready:
            request, fds, _, _ = socket.recv_fds(control, MAX_REQUEST_BYTES, 3)
            if not request:
                return
            out, err, ending = fds
            if not (pid := os.fork()):
                control.detach()
                _run_program(json.loads(request), out, err)
            os.close(out)
            os.close(err)
            endings[pid] = ending
            control.send(str(pid).encode())


def _tell_endings(endings: dict[int, int]) -> None:
    while endings:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        ending = endings.pop(pid)
        with os.fdopen(ending, "w") as told, suppress(BrokenPipeError):
            told.write(str(os.waitstatus_to_exitcode(status)))


def _run_program(request: dict[str, Any], out: int, err: int) -> NoReturn:
    """Become the program that was asked for."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.dup2(out, 1)
    os.dup2(err, 2)
    os.closerange(3, 1024)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.argv = [request["program"]]
    runpy.run_module(request["program"], run_name="__main__", alter_sys=True)
    sys.exit()


if __name__ == "__main__":
    for module in PRELOADED:
        import_module(module)
    serve_forks(socket.socket(fileno=int(sys.argv[1])))
