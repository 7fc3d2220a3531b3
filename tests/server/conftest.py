from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.server_process import Guest, Server


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as server:
        yield server


@pytest.fixture
def server(running: Server) -> Iterator[Server]:
    yield running
    running.closing_time()


@pytest.fixture
def guest(server: Server) -> Guest:
    return Guest(server)
