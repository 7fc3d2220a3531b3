"""The profile of hypothesis, and a signal by which whatever a test starts can be interrupted.

Commands speak English, whatever the language of whoever runs the tests.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings


def pytest_configure(config: pytest.Config) -> None:
    """The ordinary run tries the same examples every time; the long one looks for new ones.

    How long one takes says something of the machine, and nothing of what is tested.
    """
    is_ordinary = config.getoption("markexpr") == "not long"
    settings.register_profile("kibitz", deadline=None, derandomize=is_ordinary)
    settings.load_profile("kibitz")
    # A run in the background of a shell ignores Ctrl-C, and whatever it starts would, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _english_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_LANGUAGE", "en")


@pytest.fixture(autouse=True)
def _own_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Playwright leaves its loop running between tests, and `asyncio.run` refuses to start beside
    one: a test without a browser does not see it."""
    if "playwright" in request.fixturenames:
        yield
        return
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)
