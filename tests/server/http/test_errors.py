"""Errors as programs are told them."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import httpx
from msgspec import to_builtins

from kibitz.core.message import message
from kibitz.i18n import FALLBACK, say_in
from kibitz.server.http.errors import (
    ERROR_EXAMPLES,
    STATUS_REASONS,
    error_body,
    error_code,
    error_specs,
    error_values,
)
from support.server_process import Server

say = say_in(FALLBACK)


def test_a_key_is_an_id_that_says_whose_it_is_unless_it_is_the_servers() -> None:
    assert error_code(message("server.no-table")) == "no-table"
    assert error_code(message("table.over")) == "table.over"
    assert error_code(message("kalamala.square-taken")) == "kalamala.square-taken"


def test_what_a_sentence_speaks_of_is_told_but_no_position() -> None:
    """It may show more than whoever asks may know."""
    inner = message("server.no-game", game="chess")
    said = message("x", "3.1", at="sq-a1", n=2, position="secret", why=inner)
    assert error_values(said) == {"at": "sq-a1", "n": 2, "why": "no-game"}


def test_an_error_has_a_rule_or_none() -> None:
    with_rule = error_body(422, message("table.over", "4"), say)
    assert to_builtins(with_rule) == {
        "code": "table.over",
        "status": 422,
        "message": "The match is over.",
        "rule": "4",
        "values": {},
    }
    assert error_body(422, message("table.over"), say).rule is None


def test_a_limit_is_told_with_its_wait() -> None:
    told = to_builtins(error_body(429, message("server.too-fast", seconds=2), say, "act", 1.23456))
    assert (told["limit"], told["wait_seconds"], told["code"]) == ("act", 1.235, "too-fast")
    soon = to_builtins(error_body(429, message("server.too-fast", seconds=1), say, "act", 0.0001))
    assert soon["wait_seconds"] == 0.001, "who waits for so long has waited long enough"


def test_all_that_may_fail_says_why_in_the_schema() -> None:
    specs = error_specs(*STATUS_REASONS)
    assert specs.keys() == STATUS_REASONS.keys()
    assert ERROR_EXAMPLES.keys() == {status for status, spec in specs.items() if spec.examples}


def test_who_goes_in_the_middle_of_a_question_is_no_error(tmp_path: Path) -> None:
    """A page that is closed meanwhile: the server has nothing to complain of when it stops."""
    with Server(tmp_path) as server:
        host, port = server.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as line:
            line.sendall(
                b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\n"
                b'Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"game"'
            )
            time.sleep(0.3)
        assert httpx.get(f"{server.address}/health", timeout=30).is_success
