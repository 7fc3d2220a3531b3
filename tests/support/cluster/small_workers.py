"""Several workers around a small application, which tells at which of them a request was answered.

python -m support.cluster.small_workers '{"workers": 2, "loop": "asyncio", ...}'
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import uvicorn

from kibitz.server import run, socket_handover
from kibitz.server.networks import Networks
from kibitz.server.settings import Settings
from kibitz.server.socket_handover import SocketHandover
from kibitz.server.table_homes import TableHomes
from kibitz.server.workers import run_workers

KEY = b"the same for all"
REPLACEMENT_DELAY_S = 3.0
BIG_BYTES = 1 << 24
"""The length of an answer that no socket holds at once."""
ROOT = Path(__file__).parents[3]


class SmallWorkers:
    """Processes on a port; `homes` is where their tables are."""

    def __init__(self, complaints: IO[str], **wanted: Any) -> None:
        self._complaints = complaints
        self.homes = TableHomes(wanted["workers"], Path(), KEY)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "support.cluster.small_workers", json.dumps(wanted)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join((f"{ROOT}/src", f"{ROOT}/tests"))},
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
        )
        assert self.process.stdout
        self.port = int(self.process.stdout.readline())
        self.pids: dict[int, int] = {}
        """The latest process of each number."""
        while len(self.pids) < self.homes.workers:
            self.hear_start()

    def hear_start(self) -> None:
        """Until another one is up."""
        assert self.process.stdout
        number, pid = map(int, self.process.stdout.readline().split())
        self.pids[number] = pid

    def table_at(self, *ranking: int) -> str:
        """A table with a ranking that begins like this."""
        tables = (f"table{number}" for number in range(1000))
        return next(t for t in tables if tuple(self.homes.ranking(t)[: len(ranking)]) == ranking)

    def kill(self, number: int) -> None:
        os.kill(self.pids[number], signal.SIGKILL)

    def stop(self) -> str:
        """What they complained of."""
        self.process.terminate()
        try:
            self.process.communicate(timeout=30)
        finally:
            self.process.kill()
        self._complaints.seek(0)
        return self._complaints.read()


async def answer(number: int, scope: Any, receive: Any, send: Any) -> None:
    """The number of the worker, what was asked, and how long the body was."""
    said = f"{number} {scope.get('path')}?{scope.get('query_string', b'').decode()}"
    if scope["type"] == "http":
        size, more = 0, True
        while more:
            part = await receive()
            size, more = size + len(part.get("body", b"")), part.get("more_body", False)
        text = b"x" * BIG_BYTES if scope["path"] == "/big" else f"{said} {size}".encode()
        headers = [(b"content-length", str(len(text)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": text})
    if scope["type"] == "websocket":
        await receive()
        # Whoever sends garbage may be gone before they are let in.
        with suppress(RuntimeError, OSError):
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.send", "text": said})
            while (heard := await receive())["type"] != "websocket.disconnect":
                await send({"type": "websocket.send", "text": heard.get("text") or ""})


def serve(
    settings: Settings, listening: Any, homes: TableHomes, loop: str, number: int, introduces: bool
) -> None:
    """One that replaces another takes a while to start."""
    handover = SocketHandover(homes, number, settings.prefix)
    started = homes.folder / f"{number} was started"
    if started.exists():
        time.sleep(REPLACEMENT_DELAY_S)
    started.touch()

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            handover.start(partial(run._create_protocol, self), self.server_state)
            print(f"{number} {os.getpid()}\n", end="", flush=True)

        async def shutdown(self, sockets: Any = None) -> None:
            handover.close()
            await super().shutdown(sockets)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await answer(number, scope, receive, send)

    config = run.uvicorn_config(app, settings, handover)
    config.loop, config.lifespan = loop, "off"
    Server(config).run([listening])


def main() -> None:
    wanted = {"loop": "auto", "stall_s": 6.0, "prefix": "", "per_address": 100} | json.loads(
        sys.argv[1]
    )
    socket_handover.STALL_S = wanted["stall_s"]
    socket_handover.HEARTBEAT_S = wanted["stall_s"] / 6
    socket_handover.RETURN_WITHIN_S = 0.1
    settings = Settings(
        data=Path(),
        port=0,
        prefix=wanted["prefix"],
        workers=wanted["workers"],
        max_connections_per_address=wanted["per_address"],
        proxies=Networks(""),
    )
    listening = run.listen(settings)
    print(listening.getsockname()[1], flush=True)
    with TemporaryDirectory() as folder:
        homes = TableHomes(settings.workers, Path(folder), KEY)
        run_workers(settings.workers, partial(serve, settings, listening, homes, wanted["loop"]))


if __name__ == "__main__":
    main()
