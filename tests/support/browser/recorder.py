"""All that a page was sent, as it came: what is on the wire is what somebody may know."""

from __future__ import annotations

import json
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, Request, Response, WebSocket

from support.view_patches import ViewPatches

TEXT = ("text/", "application/json", "image/svg+xml")
UNCHANGING = ("/static/", "/assets/")
"""May be fetched or come from the cache."""
ANSWERS = ("done", "refused", "stale")


class Wire:
    """Has to listen before the page goes anywhere."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[str] = []
        self.answers: list[Response] = []
        self.hosts: set[str] = set()
        self.view: dict[str, Any] = {}
        """The latest one."""
        self.answered: list[dict[str, Any]] = []
        """What the page was told of its own actions and questions."""
        page.on("websocket", self._connect)
        page.on("response", self._keep)
        page.on("request", self._note)

    def _connect(self, socket: WebSocket) -> None:
        self.hosts.add(urlsplit(socket.url).netloc)
        socket.on("framereceived", partial(self._hear, ViewPatches()))

    def _keep(self, answer: Response) -> None:
        self.answers.append(answer)

    def _note(self, request: Request) -> None:
        self.hosts.add(urlsplit(request.url).netloc)

    def _hear(self, patches: ViewPatches, frame: str | bytes) -> None:
        assert isinstance(frame, str)
        self.frames.append(frame)
        message = patches.take(json.loads(frame))
        if message["type"] == "view":
            self.view = message
        elif message["type"] in ANSWERS:
            self.answered.append(message)

    @property
    def here(self) -> int:
        """How many frames have come."""
        return len(self.frames)

    def forgets(self) -> None:
        """Everything before."""
        self.frames.clear()
        self.answers.clear()

    def bodies(self, since: int = 0) -> list[tuple[str, str]]:
        """Of what was fetched and can be read, less what never changes, by address."""
        read = [
            (urlsplit(answer.url).path, answer.text())
            for answer in self.answers[since:]
            if answer.ok and not urlsplit(answer.url).path.startswith(UNCHANGING)
            if answer.headers.get("content-type", "").startswith(TEXT)
        ]
        return sorted(read)

    def page_text(self) -> str:
        """All of the page, seen or not."""
        return str(self.page.evaluate("document.documentElement.outerHTML"))
