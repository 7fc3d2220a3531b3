"""Whatever the schema of the API allows, and more, is asked: nothing makes the server fail."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from schemathesis import Case, GenerationMode
from schemathesis.checks import CheckFunction, not_a_server_error
from schemathesis.core.result import Err
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from support.accounts import bearing
from support.server_process import TIMEOUT_S, Guest, Server

ORDINARY, LONG = 20, 400
"""Examples for each address."""
CHECKS: list[CheckFunction] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
AnyCase: TypeAlias = Case[Any]
GAMES = {"kalamala": ["A", "B"], "kahmate": ["R", "B"], "as-kimble": ["R", "B", "Y", "G"]}


@pytest.fixture(scope="module")
def probed_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of its own: it is left in a state that no other test should have to expect."""
    with Server(tmp_path_factory.mktemp("asked")) as server:
        yield server


class Prober:
    """Asks what it is told to, as somebody with a few tables of their own."""

    def __init__(self, server: Server) -> None:
        guest = Guest(server)
        self.address = server.address
        self.answers: Counter[int] = Counter()
        self.token = guest.client.get("/api/v1/me").json()["token"]
        guest.client.headers.update(bearing(self.token))
        mine = [guest.begins(game, dict.fromkeys(seats, "me")) for game, seats in GAMES.items()]
        book = {"mode": "companion"}
        mine.append(guest.begins("as-kimble", options=book, settings={"depth": "ledger"}))
        self.tables = [table.split("/")[-1] for table in mine]
        told = httpx.get(f"{server.address}/api/v1/openapi.json", timeout=TIMEOUT_S).json()
        self.schema = schemathesis.openapi.from_dict(told)
        self.schema.config.generation.update(
            modes=[GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
        )

    def operations(self) -> Iterator[Any]:
        for found in self.schema.get_all_operations():
            if isinstance(found, Err):
                raise found.err()
            yield found.ok()

    def asks(self, case: AnyCase, table: str | None, is_known: bool) -> None:
        if table and "table_id" in case.path_parameters:
            case.path_parameters["table_id"] = table
        if case.operation.label.endswith("/me/turns"):
            case.query = {**case.query, "wait_seconds": 0}
        headers = bearing(self.token) if is_known else {}
        answer = case.call_and_validate(
            base_url=self.address, headers=headers, timeout=TIMEOUT_S, checks=CHECKS
        )
        self.answers[answer.status_code] += 1


@pytest.fixture(scope="module")
def prober(probed_server: Server) -> Prober:
    return Prober(probed_server)


def probe_all(prober: Prober, examples: int) -> list[str]:
    """The addresses that were asked, all of them in many ways; raises what was wrong."""
    labels = []
    for operation in prober.operations():
        if operation.label.endswith("/events"):  # It does not end; test_events has it.
            continue
        labels.append(operation.label)

        @settings(
            max_examples=examples,
            deadline=None,
            derandomize="KIBITZ_SEED" not in os.environ,
            suppress_health_check=list(HealthCheck),
            database=None,
        )
        @given(
            case=operation.as_strategy(),
            table=some.sampled_from([*prober.tables, None]),
            is_known=some.sampled_from([True, True, True, False]),
        )
        def ask(case: AnyCase, table: str | None, is_known: bool) -> None:
            prober.asks(case, table, is_known)

        ask()
    return labels


def test_whatever_is_asked_is_answered_as_the_schema_says(prober: Prober) -> None:
    assert len(probe_all(prober, ORDINARY)) > 20
    assert {200, 201, 400, 401, 403, 404, 422} <= prober.answers.keys(), prober.answers


@pytest.mark.long
def test_whatever_is_asked_many_times_is_answered_as_the_schema_says(prober: Prober) -> None:
    assert probe_all(prober, LONG)
