"""A real server and a real browser. A page that complains fails its test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    Response,
    ViewportSize,
    expect,
    sync_playwright,
)

from support.browser.player import TIMEOUT_MS, Player
from support.server_process import Server

Seated: TypeAlias = Callable[..., Player]
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
REFUSED = 422
"""What the rules do not allow is answered like this, and no fault of the page."""
NO_SERVER = (
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_INTERNET_DISCONNECTED",
    "closed before",
)
NO_WORKER = "Service Worker registration blocked by Playwright"
"""What a browser says of a line that leads nowhere."""
PHONE: ViewportSize = {"width": 360, "height": 740}
SHELL = "chromium-headless-shell"
WHOLE = ("chromium", "google-chrome")
SET_PACE = """pace => {
  try { if (localStorage.getItem("pace") === null) localStorage.setItem("pace", pace); } catch {}
}"""


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Server(tmp_path_factory.mktemp("data")) as server:
        yield server.address


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that has the sample game too."""
    with Server(tmp_path_factory.mktemp("shelf"), "duel.serve") as server:
        yield server.address


def installed_program(*known: str) -> str | None:
    """The first of these programs that the system has; else playwright has its own."""
    return next(filter(None, map(shutil.which, known)), None)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        expect.set_options(timeout=TIMEOUT_MS)
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Without a window it has a quarter of the work."""
    with playwright.chromium.launch(executable_path=installed_program(SHELL, *WHOLE)) as browser:
        yield browser


@pytest.fixture(scope="session")
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """One with all that a browser has, notifications too."""
    found = installed_program(*WHOLE)
    channel = None if found else "chromium"
    with playwright.chromium.launch(executable_path=found, channel=channel) as browser:
        yield browser


@pytest.fixture
def seat_player(browser: Browser, address: str) -> Iterator[Seated]:
    """Brings another player: at a desk, or with `finger=True` at a phone; `at` another server.

    Nothing is kept for times without a network but with `keeps=True`.

    With `rough=True` the server is expected to be gone for a while. Nothing waits to be read but
    at another `pace`.
    """
    complaints: list[str] = []
    contexts = []

    def seat(
        *,
        finger: bool = False,
        moving: bool = False,
        rough: bool = False,
        pace: str = "instant",
        at: str = "",
        keeps: bool = False,
        **options: Any,
    ) -> Player:
        context = browser.new_context(
            viewport=PHONE if finger else DESKTOP,
            has_touch=finger,
            is_mobile=finger,
            reduced_motion="no-preference" if moving else "reduce",
            service_workers="allow" if keeps else "block",
            **options,
        )
        contexts.append(context)
        context.set_default_timeout(TIMEOUT_MS)
        context.add_init_script(f"({SET_PACE})('{pace}')")
        page = context.new_page()
        listen(page, complaints, NO_SERVER if rough else ())
        return Player(page, at or address, finger=finger)

    yield seat
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def player(seat_player: Seated) -> Player:
    return seat_player()


def listen(page: Page, complaints: list[str], expected: Sequence[str] = ()) -> None:
    fine = (f"status of {REFUSED}", NO_WORKER, *expected)

    def hear(message: ConsoleMessage) -> None:
        is_fine = any(each in message.text for each in fine)
        if message.type in ("error", "warning") and not is_fine:
            complaints.append(message.text)

    def judge(answer: Response) -> None:
        if answer.status >= 400 and answer.status != REFUSED:
            complaints.append(f"{answer.status}: {answer.url}")

    def miss(request: Request) -> None:
        failure = request.failure or ""
        is_left = failure == "net::ERR_ABORTED"  # which only says that the page was left
        if not is_left and not any(each in failure for each in expected):
            complaints.append(f"failed: {request.url}")

    page.on("console", hear)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", miss)
    page.on("response", judge)
