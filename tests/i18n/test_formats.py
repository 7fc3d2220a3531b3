"""Numbers, lists and dates of each language, beside what Babel makes of the same data."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from babel import Locale, negotiate_locale
from babel.dates import format_date, format_skeleton, format_timedelta
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from hypothesis import given
from hypothesis import strategies as st

from kibitz.i18n import LANGUAGES, find_language
from kibitz.i18n.formats import (
    UNIT_SECONDS,
    date_text,
    decimal_text,
    duration_text,
    list_text,
    locale_data,
    percent_text,
    time_text,
)

each_language = pytest.mark.parametrize("language", LANGUAGES)
HALVES = [sign * n / 2000 for sign in (1, -1) for n in range(12)]
LARGE = [999, 1000, 1234.5678, 12345.6, -98765.4, 1e6, 123456789.125, 1e15]
NUMBERS = [*HALVES, *LARGE, -0.0, 7, 1e-9]


@each_language
@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_have_the_signs_of_their_language(language: str, number: float) -> None:
    assert decimal_text(language, number) == format_decimal(number, locale=language)
    for digits in range(5):
        pattern = f"#,##0.{'0' * digits}".rstrip(".")
        exact = Decimal(str(number))
        expected = format_decimal(exact, pattern, locale=language)
        assert decimal_text(language, exact, digits) == expected


@each_language
@given(st.floats(-1e12, 1e12) | st.integers(-(10**15), 10**15))
def test_any_number_is_written_as_babel_does(language: str, number: float) -> None:
    assert decimal_text(language, number) == format_decimal(number, locale=language)


@each_language
@given(st.decimals(-(10**9), 10**9, allow_nan=False, places=4), st.integers(0, 6))
def test_any_number_of_digits_is_written_as_babel_does(
    language: str, number: Decimal, digits: int
) -> None:
    pattern = f"#,##0.{'0' * digits}".rstrip(".")
    assert decimal_text(language, number, digits) == format_decimal(
        number, pattern, locale=language
    )


@each_language
@given(st.floats(-2, 2) | st.floats(0, 1000) | st.sampled_from(HALVES), st.integers(0, 2))
def test_shares_have_the_percent_sign_of_their_language(
    language: str, share: float, digits: int
) -> None:
    usual = Locale(language).percent_formats[None].pattern
    pattern = usual.replace("0", f"0.{'0' * digits}".rstrip("."))
    assert percent_text(language, share, digits) == format_percent(share, pattern, language)


@each_language
@pytest.mark.parametrize("length", range(7))
def test_lists_end_as_in_their_language(language: str, length: int) -> None:
    parts = ["Anna", "Ben", "{0}", "100 %", "Åsa", "François"][:length]
    assert list_text(language, parts) == format_list(parts, locale=language)


ZONES = [UTC, timezone(timedelta(hours=-9, minutes=-30)), timezone(timedelta(hours=14))]


@each_language
@pytest.mark.parametrize("month", range(1, 13))
def test_dates_and_times_are_in_the_order_of_their_language(language: str, month: int) -> None:
    for day, hour, minute, year in ((1, 0, 0, 2026), (28, 23, 59, 1999), (9, 9, 5, 987)):
        for zone in ZONES:
            moment = datetime(year, month, day, hour, minute, tzinfo=zone)
            assert date_text(language, moment) == format_date(moment, "medium", locale=language)
            assert time_text(language, moment) == format_skeleton("Hm", moment, locale=language)


@each_language
@given(st.datetimes(timezones=st.sampled_from(ZONES)))
def test_any_moment_is_written_as_babel_does(language: str, moment: datetime) -> None:
    assert date_text(language, moment) == format_date(moment, "medium", locale=language)
    assert time_text(language, moment) == format_skeleton("Hm", moment, locale=language)


def babel_duration(language: str, seconds: int) -> str:
    return format_timedelta(timedelta(seconds=seconds), threshold=2, locale=language)


@each_language
@pytest.mark.parametrize("unit", UNIT_SECONDS)
def test_durations_are_told_in_the_unit_that_suits_them(language: str, unit: str) -> None:
    length = UNIT_SECONDS[unit]
    for number in (0, 1, 1.49, 1.5, 2, 2.5, 3, 3.5, 5, 11, 21, 22, 59, 100, 10**6):
        for more in (-1, 0, 1):
            seconds = max(0, round(number * length) + more)
            assert duration_text(language, seconds) == babel_duration(language, seconds)


@each_language
@given(st.integers(0, 10**5) | st.integers(0, 10**9) | st.integers(0, 8 * 10**13))
def test_any_duration_is_told_as_babel_does(language: str, seconds: int) -> None:
    assert duration_text(language, seconds) == babel_duration(language, seconds)


@each_language
def test_languages_are_called_what_their_speakers_call_them(language: str) -> None:
    assert locale_data(language).name == Locale(language).display_name


TAGS = ["", "*", "de", "en", "EN", "fr-CA", "FR-ca", "fi", "fi-FI", "sv-SE", "no", "frr", "zh-Hant"]


@given(st.lists(st.sampled_from(TAGS) | st.text("efinrsv-*_", max_size=6), max_size=6))
def test_the_language_is_the_first_that_somebody_reads_and_we_have(tags: list[str]) -> None:
    """In small letters, as catalogues are called; with either line between its parts."""
    plain = [tag.replace("_", "-").lower() for tag in tags]
    assert find_language(tags) == negotiate_locale(plain, LANGUAGES, sep="-")
