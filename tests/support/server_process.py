"""A real server in a process of its own, and people at it over real sockets."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any
from uuid import uuid4

import httpx
import sqlalchemy as sql
from websockets.sync.client import ClientConnection, connect

from kibitz.server.settings import DATABASE_FILE
from support.cluster.servers import settings_for
from support.cluster.socket_owners import are_up
from support.packaging.preloaded import ForkedProcess, fork_server
from support.view_patches import ViewPatches

ROOT = Path(__file__).parents[2]
IN_CLUSTER = os.environ.get("KIBITZ_TEST_CLUSTER") == "1"
"""Whether servers have PostgreSQL, Redis and two workers, and not one process and one file."""
TIMEOUT_S = 20.0


class Server:
    def __init__(
        self,
        data: Path,
        program: str = "kibitz.server.run",
        limits: str = "off",
        **settings: str,
    ) -> None:
        self.data = data
        if IN_CLUSTER:
            settings = {**settings_for(data), **settings}
        self.database = settings.get("KIBITZ_DATABASE_URL") or f"sqlite:///{data / DATABASE_FILE}"
        environment = {
            **os.environ,
            "KIBITZ_DATA": str(data),
            "KIBITZ_PORT": "0",
            "KIBITZ_OPEN_BROWSER": "0",
            "KIBITZ_PREPARE_BOTS": "off",
            "KIBITZ_RATE_LIMITS": limits,
            "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT / "tests"))),
            **settings,
        }
        # A file, as nobody reads while it runs: it never waits for us.
        self._complaints = TemporaryFile("w+")  # noqa: SIM115
        # Several workers count together only if each imports for itself (server/metrics).
        imports = IN_CLUSTER or not settings.keys().isdisjoint(("KIBITZ_WORKERS", "PYTHONPATH"))
        start = _start_program if imports else fork_server
        self.process: ForkedProcess | subprocess.Popen[str] = start(
            program, environment, self._complaints
        )
        self.guests: list[Guest] = []
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert "http://" in line, line + self._wait_for_end()
        self.address = "http" + line.split("http")[1].split("/ ")[0]
        workers = int(environment.get("KIBITZ_WORKERS", "1"))
        if workers > 1 and sys.platform == "linux":
            # Sockets are closed when the worker comes up that they belong to.
            at_last(lambda: are_up(self.process.pid, workers))

    def kill(self) -> str:
        """As a power cut would: with all that it started; what it complained of."""
        if self.process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        return self._wait_for_end()

    def stop(self) -> str:
        """Stop it in good order; what it complained of."""
        if self.process.returncode is not None:
            return ""
        self.process.send_signal(signal.SIGINT)
        return self._wait_for_end()

    def _wait_for_end(self) -> str:
        with self._complaints as complaints:
            self.process.communicate(timeout=TIMEOUT_S)
            complaints.seek(0)
            return complaints.read()

    def read_rows(self, query: str, **values: Any) -> list[dict[str, Any]]:
        """What is on the disk, whatever the server says."""
        engine = sql.create_engine(self.database.replace("postgresql:", "postgresql+psycopg:"))
        try:
            with engine.connect() as connection:
                return [dict(e) for e in connection.execute(sql.text(query), values).mappings()]
        finally:
            engine.dispose()

    def closing_time(self) -> None:
        """All guests go home."""
        while self.guests:
            self.guests.pop().leaves()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.closing_time()
        complaints = self.stop()
        assert kind or not complaints, complaints


def _start_program(
    program: str, environment: dict[str, str], stderr: IO[str]
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", program],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        start_new_session=True,
    )


class Guest:
    """Somebody with a browser, that is, with cookies."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.client = httpx.Client(
            base_url=server.address, headers={"Origin": server.address}, timeout=TIMEOUT_S
        )
        self.open = ExitStack()
        self.open.enter_context(self.client)
        server.guests.append(self)

    def opens(
        self, game: str = "kalamala", play: str = "device", seat: str = "", options: str = ""
    ) -> str:
        form = {"game": game, "play": play, "seat": seat, "options": options}
        answer = self.client.post("/tables", data=form)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def begins(self, game: str, seats: dict[str, str] | None = None, **more: Any) -> str:
        """Open a table as a program does; where it is."""
        asked = {"game": game, "seats": seats or {}, **more}
        answer = self.client.post("/api/v1/tables", json=asked)
        assert answer.status_code == 201, answer.text
        place: str = answer.json()["url"]
        return place

    def links(self, table: str) -> dict[str, str]:
        """The links that this one may pass on, by what they are for."""
        answer = self.client.get(api(table, "links"))
        assert answer.status_code == 200, answer.text
        found: dict[str, str] = answer.json()
        return found

    def joins(self, link: str, **more: str) -> str:
        """Come by a link; what it was for."""
        answer = self.follows(link, **more)
        assert answer.status_code == 200, answer.text
        place: str = answer.json()["place"]
        return place

    def follows(self, link: str, **more: str) -> httpx.Response:
        table, token = link.split("/")[-2:]
        return self.client.post(f"/api/v1/tables/{table}/join", json={"token": token, **more})

    def reads(self, table: str, what: str = "") -> Any:
        """What the server tells programs of a table."""
        answer = self.client.get(api(table, what))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def calls_himself(self, name: str) -> str:
        told: str = self.client.put("/api/v1/me", json={"name": name}).json()["name"]
        return told

    def sits_at(self, table: str, query: str = "is_tall=0") -> Page:
        return Page(self.socket(f"{table}/live?{query}&is_patched=1"))

    def comes_back(self, server: Server) -> Guest:
        """The same one at a server that has the same data."""
        again = Guest(server)
        again.client.cookies.update(self.client.cookies)
        return again

    def socket(self, path: str, origin: str = "") -> ClientConnection:
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        return self.open.enter_context(
            connect(
                self.server.address.replace("http", "ws") + path,
                additional_headers={"Cookie": cookies, "Origin": origin or self.server.address},
                open_timeout=TIMEOUT_S,
                close_timeout=1,
            )
        )

    def leaves(self) -> None:
        self.open.close()


class Page:
    """What the script of a page does, as far as a test needs it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self._patches = ViewPatches()
        self.frames: list[str] = []
        """All that was heard, as it came."""
        self.people_view: dict[str, Any] = {}
        """Who is there, as it was told last."""
        self.clock: dict[str, Any] = {}
        self.views: list[dict[str, Any]] = []
        self.log: list[dict[str, Any]] = []
        self._until("view")

    @property
    def view(self) -> dict[str, Any]:
        return self.views[-1]

    @property
    def codes(self) -> list[str]:
        return [entry["code"] for entry in self.log]

    def acts(self, *texts: str, **given: Any) -> dict[str, Any]:
        """Sends the texts and comes back with the answer, and the new view if it is done."""
        sent = {
            "type": "act",
            "key": uuid4().hex,
            "seq": self.view["seq"],
            "seat": self.view["acting"],
            "actions": texts,
        } | given
        answer = self.says(sent)
        if answer["type"] == "done":
            self.waits_for(answer["seq"])
        return answer

    def asks_why(self, seat: str, *path: str) -> dict[str, Any]:
        return self.says({"type": "explain", "key": uuid4().hex, "seat": seat, "path": path})

    def unveils(self, seat: str) -> dict[str, Any]:
        """The device is in the hands of this one."""
        self.socket.send(json.dumps({"type": "unveil", "seat": seat}))
        return self.sees_next()

    def says(self, message: dict[str, Any]) -> dict[str, Any]:
        self.socket.send(json.dumps(message))
        return self._until("done", "refused", "stale", "wait")

    def does(self, text: str, **given: Any) -> None:
        """What has to work, whoever's turn it is."""
        answer = self.acts(text, seq=None, seat=None, **given)
        assert answer["type"] == "done", answer

    def is_refused(self, text: str, **given: Any) -> str:
        """Why a text that must not work does not."""
        answer = self.acts(text, **{"seq": None, "seat": None, **given})
        assert answer["type"] == "refused", answer
        why: str = answer["message"]
        return why

    def hears(self, *kinds: str) -> dict[str, Any]:
        return self._until(*kinds)

    def waits_for(self, seq: int) -> dict[str, Any]:
        while self.view["seq"] < seq:
            self._until("view")
        return self.view

    def sees_next(self) -> dict[str, Any]:
        return self._until("view")

    def waits_until(self, is_so: Callable[[Page], bool]) -> dict[str, Any]:
        """Until what was heard makes it so; whatever comes."""
        deadline = time.monotonic() + TIMEOUT_S
        while not is_so(self):
            self._hear(deadline)
        return self.view

    @property
    def table(self) -> dict[str, Any]:
        """What was told last of the table beside the match."""
        told: dict[str, Any] = self.people_view["table"]
        return told

    def seat(self, letter: str) -> dict[str, Any]:
        return next(each for each in self.people_view["seats"] if each["seat"] == letter)

    def is_left_alone(self, seconds: float = 0.3) -> bool:
        """Whether nothing comes, but for what there is to say on coming."""
        try:
            while '"type":"chat"' in str(self.socket.recv(timeout=seconds)):
                pass
        except TimeoutError:
            return True
        return False

    def leaves(self) -> None:
        self.socket.close()

    def _until(self, *kinds: str) -> dict[str, Any]:
        deadline = time.monotonic() + TIMEOUT_S
        while (message := self._hear(deadline))["type"] not in kinds:
            pass
        return message

    def _hear(self, deadline: float) -> dict[str, Any]:
        frame = self.socket.recv(timeout=deadline - time.monotonic(), decode=True)
        self.frames.append(frame)
        message = self._patches.take(json.loads(frame))
        if message["type"] == "view":
            self.views.append(message)
            self.log[message["log_from"] :] = message["log"]
        if message["type"] in ("view", "people"):
            self.people_view = message
        elif message["type"] == "clock":
            self.clock = message
        return message


def unpack_json(stored: Any) -> Any:
    """A column of JSON: SQLite has it as text."""
    return json.loads(stored) if isinstance(stored, str) else stored


def at_last(is_so: Callable[[], bool], seconds: float = TIMEOUT_S) -> None:
    """Wait until it is so: how long that takes is a matter of how busy the machine is."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it never is"
        time.sleep(0.05)


def api(table: str, what: str = "") -> str:
    """Where programs ask about a table: `/t/...` is where people do."""
    return f"/api/v1/tables/{table.split('/')[-1]}" + (f"/{what}" if what else "")
