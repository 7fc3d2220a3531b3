"""Something of all that a language writes; run as a program, it prints that as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from kibitz.core.message import message
from kibitz.i18n import LANGUAGES, formats, say_in
from kibitz.i18n.grammar import list_names

NUMBERS = (-1234.5, 0.0, 0.0625, 2 / 3, 1e9)
DURATIONS_S = (1, 2, 90, 7_200, 200_000, 10**6, 10**7, 10**9)
MOMENTS = [datetime(2026, month, 3, 9, 5) for month in range(1, 13)]


def texts_of(language: str) -> Iterator[str]:
    yield formats.locale_data(language).name
    yield list_names(language, ["Anna", "Ben", "Cleo", "Dan"])
    yield from (formats.decimal_text(language, each) for each in NUMBERS)
    yield from (formats.percent_text(language, each, digits=1) for each in NUMBERS)
    yield from (formats.duration_text(language, each) for each in DURATIONS_S)
    yield from (formats.date_text(language, each) for each in MOMENTS)
    yield from (formats.time_text(language, each) for each in MOMENTS)
    yield from (say_in(language)(message("page.ladder-played", n=n)) for n in (0, 1, 2, 5))
    yield say_in(language)(message("page.welcome"))


def all_texts() -> dict[str, list[str]]:
    return {language: [*texts_of(language)] for language in LANGUAGES}


if __name__ == "__main__":
    print(json.dumps(all_texts()))
