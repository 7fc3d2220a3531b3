"""The folder of an arena: the plan, the matches as records, one a line, and what programs wrote.

A match is in the file once its line is whole. Whatever happens to whoever plays them, going on
means to play those that are not there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from kibitz.arena.match import FinishedMatch
from kibitz.arena.plan import ArenaPlan
from kibitz.core.file_lock import lock_file
from kibitz.core.message import Refused, message

PLAN_FILE = "plan.json"
GAMES_FILE = "games.jsonl"
BOT_LOG_FILE = "bots.log"


@dataclass(frozen=True, slots=True)
class ArenaFolder:
    path: Path
    _games: IO[bytes]

    def finished_records(self) -> Iterator[dict[str, Any]]:
        """The records that are there, each number once; a line that was cut off is dropped."""
        seen: set[int] = set()
        self._games.seek(0)
        while line := self._games.readline():
            if not line.endswith(b"\n"):
                self._games.truncate(self._games.tell() - len(line))
                return
            record = _read_record(line, self.path / GAMES_FILE)
            if (number := record["arena"]["number"]) not in seen:
                seen.add(number)
                yield record

    def append_match(self, written: FinishedMatch) -> None:
        self._games.seek(0, os.SEEK_END)
        self._games.write(written.record.encode() + b"\n")
        self._games.flush()
        if written.bot_output:
            with (self.path / BOT_LOG_FILE).open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in written.bot_output)


@contextmanager
def open_folder(path: Path, plan: ArenaPlan) -> Iterator[ArenaFolder]:
    """Open a folder for writing, alone; raise Refused if another plan was played there."""
    path.mkdir(parents=True, exist_ok=True)
    with (path / GAMES_FILE).open("a+b") as games:
        if not lock_file(games):
            raise Refused(message("arena.in-use", folder=str(path)))
        _check_plan(path, plan)
        yield ArenaFolder(path, games)


def _check_plan(path: Path, plan: ArenaPlan) -> None:
    """More games, or fewer, are no other plan."""
    file = path / PLAN_FILE
    if file.exists():
        try:
            before = json.loads(file.read_text("utf-8"))
        except ValueError:
            before = None
        if not isinstance(before, dict) or {**before, "games": plan.games} != plan.json:
            raise Refused(message("arena.other-plan", folder=str(path)))
    fresh = file.with_suffix(".new")
    fresh.write_text(json.dumps(plan.json, ensure_ascii=False) + "\n", "utf-8")
    fresh.replace(file)


def _read_record(line: bytes, file: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads(line)
        int(record["arena"]["number"])
    except (ValueError, KeyError, TypeError):
        raise Refused(message("arena.unreadable", file=str(file))) from None
    return record
