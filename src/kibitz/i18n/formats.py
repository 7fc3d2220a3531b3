"""Numbers, lists, dates and durations as a language writes them, by the data of Unicode's CLDR."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from gettext import c2py
from pathlib import Path

import msgspec

from kibitz.core.extras import import_extra

MAX_DIGITS = 3
"""After the point of a number, where nobody asks for a certain number of them."""
UNIT_SECONDS = {
    "year": 365 * 86_400,
    "month": 30 * 86_400,
    "week": 7 * 86_400,
    "day": 86_400,
    "hour": 3_600,
    "minute": 60,
    "second": 1,
}
MIN_UNITS = 2
"""A duration is told in the largest unit of which it has as many: 90 minutes, 2 hours."""


class ListPatterns(msgspec.Struct, frozen=True):
    """Patterns for two parts each: `{0} and {1}`."""

    pair: str = msgspec.field(name="2")
    start: str
    middle: str
    end: str


class LocaleData(msgspec.Struct, frozen=True):
    """Facts about a language (see `cldr`)."""

    name: str
    """The language, as those who speak it call it."""
    decimal_sign: str
    group_sign: str
    percent: str
    lists: ListPatterns
    months: tuple[str, ...]
    date: str
    time: str
    """These two name parts of a moment: `%(d)s.%(M)s.%(y)s`."""
    plural: str
    """The expression by which gettext chooses one of the forms of a unit for a number `n`."""
    units: dict[str, tuple[str, ...]]


@lru_cache
def locale_data(language: str) -> LocaleData:
    """Raises Refused if this is a checkout without Babel."""
    path = Path(__file__).with_name(f"{language}.json")
    if path.exists():
        return msgspec.json.decode(path.read_bytes(), type=LocaleData)
    import_extra("babel", "build", "src/kibitz/i18n")
    from kibitz.i18n.cldr import read_locale

    return msgspec.convert(read_locale(language), LocaleData)


def decimal_text(language: str, value: float | Decimal, digits: int | None = None) -> str:
    """A number with so many digits after the point, or as many as it has, but at most three."""
    data, number = locale_data(language), Decimal(str(value))
    if digits is not None:
        return _with_signs(data, f"{number:,.{digits}f}")
    return _with_signs(data, f"{number:,.{MAX_DIGITS}f}".rstrip("0").rstrip("."))


def percent_text(language: str, share: float, digits: int) -> str:
    data, number = locale_data(language), Decimal(str(share)).scaleb(2)
    return data.percent.format(_with_signs(data, f"{number:,.{digits}f}"))


def _with_signs(data: LocaleData, number: str) -> str:
    """A number as Python writes it, with the signs of a language: 1,234.5 is 1 234,5."""
    return number.translate({ord(","): data.group_sign, ord("."): data.decimal_sign})


def list_text(language: str, parts: Sequence[str]) -> str:
    patterns = locale_data(language).lists
    if len(parts) < 2:
        return "".join(parts)
    if len(parts) == 2:
        return patterns.pair.format(*parts)
    text = patterns.start.format(*parts[:2])
    for part in parts[2:-1]:
        text = patterns.middle.format(text, part)
    return patterns.end.format(text, parts[-1])


def date_text(language: str, moment: datetime) -> str:
    data = locale_data(language)
    return data.date % _moment_parts(data, moment)


def time_text(language: str, moment: datetime) -> str:
    """Hours, from 0 to 23, and minutes."""
    data = locale_data(language)
    return data.time % _moment_parts(data, moment)


def _moment_parts(data: LocaleData, moment: datetime) -> dict[str, str]:
    """The parts of a moment, by the letters of CLDR."""
    return {
        "y": f"{moment.year}",
        "M": f"{moment.month}",
        "MM": f"{moment.month:02}",
        "MMM": data.months[moment.month - 1],
        "d": f"{moment.day}",
        "dd": f"{moment.day:02}",
        "H": f"{moment.hour}",
        "HH": f"{moment.hour:02}",
        "mm": f"{moment.minute:02}",
    }


def duration_text(language: str, seconds: int) -> str:
    """A duration in the largest unit that tells it well: 90 minutes."""
    data = locale_data(language)
    fits = (unit for unit, length in UNIT_SECONDS.items() if seconds >= MIN_UNITS * length)
    unit = next(fits, "second")
    number = round(seconds / UNIT_SECONDS[unit])
    return data.units[unit][_plural_index(data.plural)(number)].format(number)


_plural_index = lru_cache(c2py)
