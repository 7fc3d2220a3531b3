"""Several hosts of one server on this machine: processes with folders and ports of their own.

They share PostgreSQL, Redis and a secret, and nothing else.
"""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from pathlib import Path

from support.cluster.socket_owners import children_of
from support.server_process import Server


class Hosts:
    def __init__(
        self, folder: Path, database: str, redis: str = "", workers: int = 1, count: int = 2
    ) -> None:
        self.folder, self.settings = (
            folder,
            {"KIBITZ_DATABASE_URL": database, "KIBITZ_REDIS_URL": redis},
        )
        self.settings |= {
            "KIBITZ_WORKERS": str(workers),
            "KIBITZ_MAX_CONNECTIONS_PER_ADDRESS": "4000",
        }
        self.servers = [self.start(str(number)) for number in range(count)]

    def start(self, name: str, secret: str = "secret") -> Server:
        shared = {**self.settings, "KIBITZ_SECRET_FILE": str(self.folder / secret)}
        (self.folder / name).mkdir(exist_ok=True)
        return Server(self.folder / name, **shared)

    @property
    def addresses(self) -> list[str]:
        return [server.address for server in self.servers]

    def workers(self) -> list[int]:
        return [worker for server in self.servers for worker in workers_of(server)]

    def closing_time(self) -> None:
        for server in self.servers:
            server.closing_time()

    def stop(self) -> str:
        """What all of them complained of."""
        self.closing_time()
        return "".join([server.stop() for server in self.servers])

    def __enter__(self) -> Hosts:
        return self

    def __exit__(self, *error: object) -> None:
        self.closing_time()
        with ExitStack() as stopping:
            for server in self.servers:
                if server.process.poll() is None:
                    stopping.callback(server.kill)


def workers_of(server: Server) -> list[int]:
    """The processes that its keeper keeps."""
    return children_of(server.process.pid)


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
