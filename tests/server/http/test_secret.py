"""The secret of a server: made once, or given, and never guessed at."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Barrier, Thread

import pytest

from kibitz.core.message import Refused
from kibitz.server.http.guests import MIN_SECRET_BYTES, SECRET_FILE_NAME, load_guest_auth
from support.cli_server import Command


def refusal_of(data: Path, secret: Path | None = None) -> str:
    with pytest.raises(Refused) as caught:
        load_guest_auth(data, secret)
    return caught.value.refusal.id


def test_one_that_is_given_is_taken(tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.write_bytes(b"x" * MIN_SECRET_BYTES)
    assert load_guest_auth(tmp_path / "nowhere", given).secret == b"x" * MIN_SECRET_BYTES


def test_one_is_made_where_told(tmp_path: Path) -> None:
    made = load_guest_auth(tmp_path, tmp_path / "elsewhere").secret
    assert (tmp_path / "elsewhere").read_bytes() == made
    assert (tmp_path / "elsewhere").stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["elsewhere"]


@pytest.mark.parametrize("known", [b"", b"x" * (MIN_SECRET_BYTES - 1)])
def test_one_that_is_too_short_is_refused_and_stays(tmp_path: Path, known: bytes) -> None:
    (tmp_path / SECRET_FILE_NAME).write_bytes(known)
    assert refusal_of(tmp_path) == "server.secret-short"
    assert (tmp_path / SECRET_FILE_NAME).read_bytes() == known


def test_one_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert refusal_of(tmp_path, tmp_path / "folder") == "server.secret-unreadable"
    assert refusal_of(tmp_path, tmp_path / "no" / "folder") == "server.secret-unreadable"


def test_many_that_start_at_once_have_the_same(tmp_path: Path) -> None:
    found, together = set(), Barrier(8)

    def start() -> None:
        together.wait()
        found.add(load_guest_auth(tmp_path).secret)

    threads = [Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 1


def test_a_server_says_so_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "given").write_bytes(b"short")
    given = {"KIBITZ_SECRET_FILE": str(tmp_path / "given")}
    with Command(tmp_path, "serve", "--port", "0", **given) as server:
        assert server.process.wait(30) == 2
        assert server.log_text.splitlines()[-1].startswith("kibitz: The secret in ")
        assert "Traceback" not in server.log_text
