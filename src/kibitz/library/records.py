"""Files with records, as programs and the command read, check and write them.

What is wrong with one is a sentence; a record that does not follow is told by its first fault.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from kibitz.core import record as records
from kibitz.core.game import Game
from kibitz.core.message import Message, Refused, Say, message
from kibitz.core.os_errors import os_error_reason
from kibitz.core.record import (
    UNFINISHED,
    Fault,
    Record,
    ReplayStep,
    first_state,
    read_record,
    replay,
)
from kibitz.core.record_text import is_lines, read_lines
from kibitz.games import game_of
from kibitz.i18n.shell import refusal_sentence, shell_phrases
from kibitz.library.words import refusals_in_words
from kibitz.table import table_from_record as resume_table
from kibitz.table.sealed_dice import verify_seal

MAX_FILE_BYTES = 50_000_000


def read(path: str | Path, line: int | None = None) -> Record:
    """The record in a file, in either form; of a file with several, that on a line.

    >>> import kibitz, tempfile, os.path
    >>> match = kibitz.Match(name)
    >>> file = os.path.join(tempfile.mkdtemp(), "match.json")
    >>> match.save(file)
    >>> kibitz.read(file) == match.record()
    True
    """
    with refusals_in_words():
        return read_record_file(Path(path), line)


def verify(record: Record) -> str | None:
    """A sentence about the first thing in a record that does not follow; None if all is right.

    >>> import kibitz, dataclasses
    >>> record = kibitz.Match(name).record()
    >>> kibitz.verify(record) is None
    True
    >>> kibitz.verify(dataclasses.replace(record, result="?")) is None
    False
    """
    say = shell_phrases()
    try:
        fault = find_fault(record)
    except Refused as refused:
        return refusal_sentence(refused.refusal, say)
    return say(fault_message(record, fault, say)) if fault else None


def read_record_file(path: Path, line: int | None = None) -> Record:
    return record_from_text(record_line(path, read_file_text(path), line))


def record_from_text(text: str) -> Record:
    """A record in either form."""
    return with_result(read_lines(text)) if is_lines(text) else read_record(text)


def record_line(path: Path, text: str, line: int | None) -> str:
    """One of the records of a file with this text; where it has but one, that one."""
    lines = record_lines(text)
    if line is None and len(lines) < 2:
        return text
    if line is None or line > len(lines):
        raise Refused(message("cli.which-line", file=str(path), n=len(lines)))
    return lines[line - 1]


def record_lines(text: str) -> list[str]:
    """The records of a file that has one a line, as an arena writes them."""
    lines = text.splitlines()
    return lines if all(line.startswith("{") and line.endswith("}") for line in lines) else []


def read_file_text(path: Path) -> str:
    try:
        if str(path) == "-":
            found = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        else:
            with path.open("rb") as file:
                found = file.read(MAX_FILE_BYTES + 1)
        if len(found) > MAX_FILE_BYTES:
            raise Refused(message("cli.too-large", file=str(path)))
        return found.decode()
    except OSError as error:
        raise Refused(
            message("cli.cannot-read", file=str(path), why=os_error_reason(error))
        ) from None
    except UnicodeDecodeError:
        raise Refused(message("record.json")) from None


def with_result(record: Record) -> Record:
    """Lines have no result; where they can be replayed, it is what they lead to."""
    try:
        return replace(record, result=resume_table(game_of(record), record).record.result)
    except Refused:
        return record


def write_file(path: Path, content: bytes, add: bool = False) -> None:
    """Adding nothing shows whether it can be written, and changes nothing."""
    try:
        with path.open("ab" if add else "wb") as file:
            file.write(content)
    except OSError as error:
        raise Refused(
            message("cli.cannot-write", file=str(path), why=os_error_reason(error))
        ) from None


def replay_steps(
    game: Game[Any, Any, Any], record: Record, say: Say
) -> Iterator[ReplayStep[Any, Any]]:
    """The lines of a record; where one does not follow, a sentence that says which."""
    number = 0
    try:
        for played in replay(game, record):
            number += 1
            yield played
    except Refused as refused:
        why = refusal_sentence(refused.refusal, say)
        text = record.actions[number][:60]
        refusal = message("cli.action-does-not-follow", index=number + 1, text=text, why=why)
        raise Refused(refusal) from None


def find_fault(record: Record) -> Fault | None:
    game = game_of(record)
    first_state(game, record)
    return records.verify(game, record) or seal_fault(game, record)


def fault_message(record: Record, fault: Fault, say: Say) -> Message:
    why = refusal_sentence(fault.refusal, say)
    if fault.index is None:
        return message("cli.does-not-follow", why=why)
    text = record.actions[fault.index][:60]
    return message("cli.action-does-not-follow", index=fault.index + 1, text=text, why=why)


def seal_fault(game: Game[Any, Any, Any], record: Record) -> Fault | None:
    """The fault of its sealed dice, if any; while a match goes on they stay sealed."""
    return None if is_sealed(record) else verify_seal(game, record)


def is_sealed(record: Record) -> bool:
    sealed = record.extras.get("seal")
    return record.result == UNFINISHED and isinstance(sealed, dict) and "seed" not in sealed


def seal_message(record: Record) -> Message | None:
    """A sentence about dice that are in order; nothing where none were thrown."""
    if is_sealed(record):
        return message("seal.closed")
    draws = record.extras.get("seal", {}).get("draws", ())
    return message("cli.draws-agree", n=len(draws)) if draws else None
