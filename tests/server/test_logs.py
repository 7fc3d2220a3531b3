"""What the log says, and what it must never say."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import httpx
import pytest

from kibitz.server.logs import REDACTION, LogFormatter, without_secrets
from support.cli_server import Command

FAILING = "import runpy; runpy.run_module('support.servers.failing_page', run_name='__main__')"


def line(form: str, text: str, *arguments: object, name: str = "kibitz.x", **extra: object) -> str:
    record = logging.LogRecord(name, logging.WARNING, "", 1, text, arguments, None)
    record.__dict__.update(extra)
    return LogFormatter(form).format(record)


@pytest.mark.parametrize(
    "text",
    [
        "GET /join/S3cret-_x",
        "GET /t/abc/join/S3cret?next=/",
        "GET /t/abc/result/S3cret/record",
        "GET /analysis/kahmate?table=abc&key=S3cret&n=1",
        "https://x/JOIN/S3cret",
        "next=%2Fjoin%2FS3cret",
        "Cookie: kibitz-0a1b2c3d=S3cret",
        "cookie: a=b; S3cret=c; d=S3cret",
        "[(b'cookie', b'x=S3cret; y=S3cret'), (b'host', b'x')]",
        "{'Set-Cookie': 'x=S3cret; HttpOnly'}",
        '{"authorization": "Basic S3cret"}',
        "sent Bearer S3cret along",
        "cookies {'kibitz-0a1b2c3d': 1} kibitz-0a1b2c3d=S3cret.S3cret-_",
    ],
)
def test_secrets_are_taken_out(text: str) -> None:
    assert "S3cret" not in without_secrets(text)
    assert REDACTION in without_secrets(text)
    for form in ("text", "json"):
        assert "S3cret" not in line(form, "%s", text)
        assert "S3cret" not in line(form, "it", about=text)
    assert "S3cret" not in json.loads(line("json", "%s", text))["event"]


@pytest.mark.parametrize(
    "text", ["request route=/join/{token} status=200", "/t/abc joined", "2 cookies baked"]
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert without_secrets(text) == text


def test_a_thing_is_a_line() -> None:
    said = line("text", "two\nlines \x1b[2J%s", "\r", status=200)
    assert len(said.splitlines()) == 1
    assert said.isprintable()
    assert "status=200" in said
    assert json.loads(line("json", "it", status=200))["status"] == 200


def test_of_others_only_the_sentence_is_written() -> None:
    for form in ("text", "json"):
        said = line(form, "hello", name="uvicorn.error", websocket="a whole connection")
        assert "hello" in said
        assert "connection" not in said


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_real_server_keeps_its_secrets(tmp_path: Path, form: str) -> None:
    arguments = ("serve", "--port", "0", "--log", form, "--log-requests")
    with Command(tmp_path, *arguments, program=FAILING) as server:
        with httpx.Client(base_url=server.address) as client:
            client.get("/join/s3cret", headers={"Cookie": "a=s3cret", "Authorization": "s3cret"})
            client.get("/join/s3cret/s3cret?token=s3cret", headers={"Referer": "/join/s3cret"})
            assert client.get("/", headers={"Cookie": "kibitz-0=s3cret"}).status_code == 500
            client.get("/rules/kalamala")
            assert client.get("/health").status_code == 200
        server.stop()
        logged = server.log_text
    assert "s3cret" not in logged
    assert REDACTION in logged
    assert "127.0.0.1:" not in logged.replace(server.address, "")
    assert logged.count("Traceback") == 1
    assert logged.count("RuntimeError: no page for") == 1
    if form == "json":
        lines = [json.loads(each) for each in logged.splitlines()]
        requests = [each for each in lines if each["event"] == "request"]
        assert [each["status"] for each in requests[-3:]] == [500, 200, 200]
        assert [each["route"] for each in requests[-3:]] == ["/", "/rules/{game}", "/health"]
        assert all(each["ms"] >= 0 for each in requests)
        assert lines[-1]["event"] == "stopped"
    else:
        assert "route=/health status=200 ms=" in logged


def test_requests_are_not_logged_unless_asked_for(tmp_path: Path) -> None:
    with Command(tmp_path, "serve", "--port", "0") as server:
        assert httpx.get(f"{server.address}/health").status_code == 200
        server.stop()
        assert "health" not in server.log_text


def test_a_thread_that_fails_is_logged(tmp_path: Path) -> None:
    program = """
from threading import Thread
from kibitz.server import logs
logs.configure_logging("json", False)
def fail(): raise RuntimeError("on /join/s3cret")
Thread(target=fail).start()
"""
    with Command(tmp_path, program=program) as failing:
        failing.process.wait(30)
        said = json.loads(failing.log_text)
    assert said["event"] == "a thread failed"
    assert f"RuntimeError: on /join/{REDACTION}" in said["exception"]
