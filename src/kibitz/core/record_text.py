"""A record as lines of text: a few header lines, then one action a line.

    # game: chess 1
    # options: {"clock": 5}
    # W: {"name": "The Hearts"}
    e2-e4
    e7-e5

What is empty or as usual is left out. Lines have no result: whoever reads them works it out.
"""

from __future__ import annotations

import json
from dataclasses import replace

from kibitz.core.message import Refused, message
from kibitz.core.record import START, UNFINISHED, Record, read_json

HEADER = "# "


def write_lines(record: Record) -> str:
    named = record.extras.get("teams") or record.extras.get("seats") or {}
    header = {
        "game": f"{record.game} {record.rules}",
        "options": json.dumps(record.options, ensure_ascii=False) if record.options else "",
        "start": "" if record.start == START else record.start,
        **{seat: json.dumps(who, ensure_ascii=False) for seat, who in named.items()},
        "times": json.dumps(record.extras["times"]) if record.extras.get("times") else "",
    }
    lines = [f"{HEADER}{key}: {value}" for key, value in header.items() if value]
    return "\n".join((*lines, *record.actions)) + "\n"


def is_lines(text: str) -> bool:
    return text.lstrip().startswith(HEADER.strip())


def read_lines(text: str) -> Record:
    """Empty lines and unknown header keys are skipped; raises Refused."""
    header: dict[str, str] = {}
    actions: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if not line.startswith(HEADER.strip()):
            actions.append(line)
        elif actions:
            raise Refused(message("record.late-header", text=line[:60]))
        else:
            key, _, value = line.removeprefix(HEADER.strip()).partition(":")
            header[key.strip()] = value.strip()
    game, _, rules = header.get("game", "").partition(" ")
    if not game or not rules:
        raise Refused(message("record.missing", name="game"))
    options = read_json(header.get("options", "{}"))
    if not isinstance(options, dict):
        raise Refused(message("record.type", name="options"))
    record = Record(
        game=game,
        rules=rules,
        options=options,
        start=header.get("start", START),
        actions=tuple(actions),
        result=UNFINISHED,
    )
    return replace(record, extras=_extras(header))


def _extras(header: dict[str, str]) -> dict[str, object]:
    """The people of a record, by teams in capitals or, before there are such, by seats in small
    letters; and its times."""
    found: dict[str, object] = {}
    letters = {key: read_json(value) for key, value in header.items() if len(key) == 1}
    for kind, is_kind in (("teams", str.isupper), ("seats", str.islower)):
        if named := {letter: who for letter, who in letters.items() if is_kind(letter)}:
            found[kind] = named
    if "times" in header:
        times = read_json(header["times"])
        if not isinstance(times, list):
            raise Refused(message("record.type", name="times"))
        found["times"] = times
    return found
