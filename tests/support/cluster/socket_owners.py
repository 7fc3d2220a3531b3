"""The worker that holds the other end of a connection, as Linux tells it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

TCP_TABLES = "/proc/net/tcp", "/proc/net/tcp6"
HANDOVER_FOLDER = "/kibitz-workers-"


def owners_of(address: str, port: int, workers: Iterable[int]) -> list[int]:
    """The workers that hold the server's end of a connection from this port of ours."""
    wanted = f"socket:[{_inode(urlsplit(address).port or 0, port)}]"
    return [worker for worker in workers if wanted in _open_files(worker)]


def _inode(server_port: int, client_port: int) -> str:
    for table in TCP_TABLES:
        for line in Path(table).read_text().splitlines()[1:]:
            local, remote, inode = (line.split()[column] for column in (1, 2, 9))
            if (_port(local), _port(remote)) == (server_port, client_port):
                return inode
    raise LookupError(f"no connection from port {client_port}")


def _port(place: str) -> int:
    return int(place.rpartition(":")[2], 16)


def _open_files(pid: int) -> set[str]:
    found, folder = set(), f"/proc/{pid}/fd"
    with suppress(FileNotFoundError):
        for name in os.listdir(folder):
            with suppress(FileNotFoundError):
                found.add(os.readlink(f"{folder}/{name}"))
    return found


def are_up(parent: int, count: int) -> bool:
    """True if so many workers of a server take connections over from each other."""
    workers = children_of(parent)
    return len(workers) == count and all(map(_takes_over, workers))


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    asked = ["ps", "-o", "pid=", "--ppid", str(pid)]
    return [int(child) for child in subprocess.run(asked, capture_output=True).stdout.split()]


def _takes_over(worker: int) -> bool:
    files = _open_files(worker)
    lines = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    return any(
        f"socket:[{columns[6]}]" in files and HANDOVER_FOLDER in columns[-1] for columns in lines
    )
