"""The rows of corrected words that are neither in place nor overtaken by a later change.

    .venv/bin/python tools/check/words.py FOLDER

FOLDER has tables of corrections, `*.tsv`: file, message id, current, corrected, reason; those of
pages have no id. A row is in place where its file says the corrected words, perhaps under another
name (`RENAMED_...`), in the words of a later table, or with other forms of a name (`{seat:gen}`).
Kinds of spaces and apostrophes are left to tests/i18n. Rows that a later change says otherwise are
in `words_overtaken.tsv`, each with its reason: what they correct is `gone`, or it has `changed`.
The exit code is 1 where a row is unexplained, or where a reason is untrue: its row is in place,
what is gone is there, or what has changed is not. tests/tools checks reasons without the tables.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence, Set
from functools import cache
from pathlib import Path
from typing import NamedTuple

from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
OVERTAKEN = Path(__file__).with_name("words_overtaken.tsv")
RENAMED_FOLDER = "src/kibitz/words/", "src/kibitz/i18n/"
CODE_FOLDERS = {"src/kibitz/cli.py": "src/kibitz/cli", "src/kibitz/server/": "src/kibitz/server"}
"""Folders over which the code of a file was spread."""
RENAMED_IDS = {
    "page.by-the-book": "page.official-rules",
    "page.kept": "page.bot-fills-in",
    "page.menu-keep": "page.menu-fill-in",
    "page.menu-keep-sure": "page.menu-fill-in-sure",
    "page.menu-open": "page.menu-remove-bot",
    "page.menu-open-sure": "page.menu-remove-bot-sure",
    "page.study-hint": "page.analysis-hint",
    "server.bots-play-on": "server.bots-cannot-agree",
    "server.chat-stays": "server.chat-has-role",
    "server.chat-stranger": "server.chat-not-present",
    "server.doctor-broken": "server.doctor-error",
    "server.doctor-well": "server.doctor-ok",
    "server.email-again": "server.email-recently-sent",
    "server.email-late": "server.link-expired",
    "server.move-differs": "server.migrate-differs",
    "server.move-done": "server.migrate-done",
    "server.move-not-empty": "server.migrate-not-empty",
    "server.move-then": "server.migrate-then",
    "server.move-where": "server.migrate-where",
    "server.moved-on": "server.stale",
    "server.nothing-sent": "server.empty-request",
    "server.one-at-a-time": "server.send-separately",
    "server.rated-stays": "server.rated-cannot-leave",
    "server.still-waited-for": "server.too-soon",
    "server.who-are-you": "server.token-required",
    "strength.written": "arena.levels-written",
    "table.asks-keep": "table.asks-fill-in",
    "table.kept": "table.bot-fills-in",
    "table.may": "table.allowed",
    "table.nobody-to-keep-for": "table.nobody-to-fill-in-for",
    "table.opened": "table.bot-removed",
    "table.other-side": "table.opposing-seat",
    "table.sits-not-there": "table.not-your-seat",
    "table.so-already": "table.no-change",
}
RENAMED_WORDS = {
    r"KIBITZ_(REDIS|SMTP|DATABASE)\b": r"KIBITZ_\1_URL",
    r"KIBITZ_URL\b": "KIBITZ_PUBLIC_URL",
    r"KIBITZ_PROXIES\b": "KIBITZ_TRUSTED_PROXIES",
    r"KIBITZ_SOCKETS\b": "KIBITZ_MAX_CONNECTIONS",
    r"kibitz move-to\b": "kibitz migrate",
    r"--to\b": "--at",
    r"--done-rate\b": "--rate done=…",
    r"--raise-rate 0\b": "--rate raise=0",
    r'"is": "ready"': '"type": "ready"',
    r"`sight`": "`view`",
    r"\bsight\b": "view",
    r"`said`": "`chat`",
    r"`seen`": "`since`",
    r"\{', '\.join\(GAMES\)\}": "{games}",
}

FORM = re.compile(r"\[\d\]$")
"""Which form of a plural is meant."""
ID = re.compile(r"\b(?:page|server|report|table|as-kimble|kahmate|kalamala)\.[a-z-]+")
LATER_TABLES = ("men", "apostrophes", "forms")
"""The ends of the names of tables that correct what others corrected, in this order."""


class Row(NamedTuple):
    table: str
    file: str
    id: str
    """Empty, where a page is corrected."""
    new: str


def rows(folder: Path) -> Iterator[Row]:
    for table in sorted(folder.glob("*.tsv"), key=_turn):
        for line in table.read_text("utf-8").splitlines()[1:]:
            file, *cells = line.split("\t")
            id, new = (cells[0], cells[2]) if len(cells) == 4 else ("", cells[1])
            yield Row(table.name, file, id, _plain(new))


class Overtaken(NamedTuple):
    table: str
    file: str
    row: str
    state: str
    reason: str


def unexplained_rows(folder: Path, overtaken: Set[tuple[str, str, str]]) -> list[str]:
    """A line for each row that is not in place, or that has a reason not to be and is."""
    later: dict[tuple[str, str], set[str]] = {}
    faults = []
    for row in reversed(list(rows(folder))):
        wanted = later.setdefault((row.file, row.id or row.new), set())
        wanted.add(_alike(row.new))
        is_there, is_explained = is_in_place(row, wanted), _key(row) in overtaken
        if not is_there and not is_explained:
            faults.append("\t".join(("not in place", *_key(row), row.new.replace("\n", " "))))
        elif is_there and is_explained:
            faults.append("\t".join(("in place after all", *_key(row))))
    return faults


def is_in_place(row: Row, wanted: set[str]) -> bool:
    path = _path(row.file)
    if path.suffix == ".po":
        said = _sentences(path).get(RENAMED_IDS.get(row.id, row.id))
        return said is not None and _alike(said) in wanted
    if path.suffix == ".md":
        return _alike(row.new) in _alike(path.read_text("utf-8"))
    return _alike(row.new) in _code(path)


def read_overtaken() -> list[Overtaken]:
    return [Overtaken(*line.split("\t")) for line in OVERTAKEN.read_text("utf-8").splitlines()[1:]]


def untrue_reasons(listed: Sequence[Overtaken]) -> list[str]:
    """A line for each reason that what is said now belies: the ids it names, what is gone."""
    faults = []
    for each in listed:
        path = _path(each.file)
        if not path.exists():
            faults.append("\t".join(("no such file", each.table, each.file, each.row)))
        elif path.suffix == ".po":
            ids = {FORM.sub("", id) for id in _sentences(path)}
            is_gone = FORM.sub("", RENAMED_IDS.get(each.row, each.row)) not in ids
            if each.state != ("gone" if is_gone else "changed"):
                faults.append("\t".join((f"not {each.state}", each.table, each.file, each.row)))
            faults += [f"no such id\t{id}" for id in ID.findall(each.reason) if id not in ids]
    return faults


def _path(file: str) -> Path:
    """The path of a catalogue, page or folder of code."""
    folders = (now for before, now in CODE_FOLDERS.items() if file.startswith(before))
    return ROOT / next(folders, file.replace(*RENAMED_FOLDER))


def _turn(table: Path) -> tuple[int, str]:
    ends = [i for i, end in enumerate(LATER_TABLES, 1) if table.stem.endswith(end)]
    return sum(ends), table.name


def _key(row: Row) -> tuple[str, str, str]:
    return row.table, row.file, row.id or row.new.splitlines()[0][:60]


@cache
def _sentences(path: Path) -> dict[str, str]:
    """By id; those of a plural by id[0] and id[1]."""
    found: dict[str, str] = {}
    with path.open("rb") as file:
        for entry in read_po(file):
            if isinstance(entry.id, tuple):
                found |= {f"{entry.id[0]}[{i}]": text for i, text in enumerate(entry.string or ())}
            elif entry.id:
                found[str(entry.id)] = str(entry.string)
    return found


@cache
def _code(folder: Path) -> str:
    return _alike("\n".join(file.read_text("utf-8") for file in sorted(folder.rglob("*.py"))))


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)


def _alike(text: str) -> str:
    """Without what does not make other words of it: line breaks, apostrophes, forms of names."""
    for before, now in RENAMED_WORDS.items():
        text = re.sub(before, now, text)
    text = re.sub(r'"\s*\n\s*f?"', "", text)
    text = re.sub(r"\{(\w+):\w+\}", r"{\1}", text)
    return " ".join(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())


if __name__ == "__main__":
    listed = read_overtaken()
    found = unexplained_rows(Path(sys.argv[1]), {each[:3] for each in listed})
    found += untrue_reasons(listed)
    print("\n".join(found) or "Every row is in place or overtaken.")
    sys.exit(bool(found))
