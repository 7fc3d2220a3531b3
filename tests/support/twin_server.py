"""The application with one table, asked at every address of a table."""

from __future__ import annotations

import asyncio
import re
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import httpx

from kibitz.server.app import create_app
from kibitz.server.db.store import TableLease
from kibitz.server.http.guests import load_guest_auth
from kibitz.server.settings import Settings
from kibitz.server.tables.invitations import WATCH, InvitationLinks
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.registry import LiveTables
from support.masked_links import without_masks

URL = "http://kibitz.example"
ASKED_ELSEWHERE = ("/events", "/preview.png")
"""Streams say what sockets say, and pictures are compared before they are drawn."""
PARAMETERS = {"place": "watch", "seat": "R", "game": "kahmate", "name": "kahmate"}
BESIDE_TABLES = ("/analysis/kahmate?table={table}",)
"""Addresses that name a table elsewhere than in their path."""
EXPLAINED = (["sq-g6"], ["sq-g6", "sq-h6"], ["btn-end"])
"""Places that are chosen to hear why that is not possible."""
STRANGER = "stranger"
CHANGING_HEADERS = {"date", "server-timing", "set-cookie"}


class TwinServer:
    """Its tables are whatever is asked about: nothing of them is on disk but the chat."""

    def __init__(self, data: Path) -> None:
        settings = Settings(data=data, has_rate_limits=False, url=URL, prepares_bots=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Of the framework's own.
            self._app = create_app(settings)
        self._guests = load_guest_auth(data, settings.secret)
        self._links = InvitationLinks(self._guests.secret)
        self._has_chat = self._is_stored = False
        self._runner = asyncio.Runner()
        self._paths = sorted(_table_paths(self._app.routes))

    def __enter__(self) -> TwinServer:
        self._runner.run(self._start())
        return self

    def __exit__(self, *error: object) -> None:
        self._runner.run(self._stop())
        self._runner.close()

    async def _start(self) -> None:
        self._is_up, self._is_over = asyncio.Event(), asyncio.Event()
        self._life = asyncio.create_task(self._live())
        await asyncio.wait(
            {self._life, up := asyncio.create_task(self._is_up.wait())},
            return_when=asyncio.FIRST_COMPLETED,
        )
        up.cancel()

    async def _live(self) -> None:
        """The application is up for as long as this task lives, which enters and leaves it."""
        transport = httpx.ASGITransport(cast(Any, self._app))
        async with (
            self._app.lifespan(),
            httpx.AsyncClient(transport=transport, base_url=URL) as self._client,
        ):
            self._is_up.set()
            await self._is_over.wait()

    async def _stop(self) -> None:
        self._is_over.set()
        await self._life

    def answers(self, live: LiveTable, member: str) -> list[tuple[str, str]]:
        """What somebody is answered at each address of a table, by its name."""

        async def find_table(tables: LiveTables, table_id: str) -> LiveTable:
            if not self._is_stored:
                self._is_stored = True
                await tables.store.open_table(live.stored, TableLease())
            return live

        with patch.object(LiveTables, "find_table", find_table):
            return self._runner.run(self._ask_everything(live, member))

    async def _ask_everything(self, live: LiveTable, member: str) -> list[tuple[str, str]]:
        headers, found = self._headers(member), []
        if not self._has_chat:
            self._has_chat = True
            for each in (live.owner, STRANGER):
                where, said = f"/api/v1/tables/{live.id}/chat", {"text": f"I am {each}."}
                told = await self._client.post(where, headers=self._headers(each), json=said)
                assert told.status_code < 300, told.text
        for path in self._paths:
            where = self._address(path, live)
            answer = await self._client.get(where, headers=headers)
            found.append((path, _text(answer)))
        for chosen in EXPLAINED:
            where = f"/api/v1/tables/{live.id}/explain"
            asked = {"key": "k", "seat": member, "path": chosen}
            answer = await self._client.post(where, headers=headers, json=asked)
            found.append((f"explain {chosen[-1]}", _text(answer)))
        return found

    def _headers(self, member: str) -> dict[str, str]:
        token = self._guests.sign_token(member)
        return {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}

    def _address(self, path: str, live: LiveTable) -> str:
        """The path with the latest position, a link that leads somewhere, and a place or a game."""
        is_result = "/result/" in path or "/night/" in path
        token = (
            self._links.result_token(live.id)
            if is_result
            else self._links.token(live.id, WATCH, live.people_at_first_seats)
        )
        known = {**PARAMETERS, "token": token, "n": str(len(live.table.history))}
        known |= {"table": live.id, "table_id": live.id}
        return re.sub(r"\{(\w+)[^}]*\}", lambda found: known.get(found[1], "x"), path)


def _table_paths(routes: Sequence[Any]) -> Iterator[str]:
    """The paths of all addresses that tell of a table, as the application names them."""
    yield from BESIDE_TABLES
    for route in routes:
        path = str(route.path_format)
        is_read = "GET" in (getattr(route, "methods", None) or ())
        if is_read and "{table_id" in path and not path.endswith(ASKED_ELSEWHERE):
            yield path


def _text(answer: httpx.Response) -> str:
    assert answer.status_code < 500, answer.text
    headers = {name: text for name, text in answer.headers.items() if name not in CHANGING_HEADERS}
    return f"{answer.status_code} {headers} {without_masks(answer.text)}"
