"""Facts about a language from Unicode's CLDR, read with Babel: all that `formats` needs.

A wheel has them in a file beside its compiled words (hatch_build.py); a checkout asks Babel. A
build runs this module by itself, so it imports nothing of Kibitz.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from babel import Locale
from babel.plural import to_gettext

UNITS = ("year", "month", "week", "day", "hour", "minute", "second")
PLURAL_FORMS = ("zero", "one", "two", "few", "many", "other")
"""In the order in which gettext counts those that a language has."""


def read_locale(language: str) -> dict[str, Any]:
    """The fields of `formats.LocaleData`, ready to be written as JSON."""
    locale = Locale(language)
    symbols = locale.number_symbols["latn"]
    lists = locale.list_patterns["standard"]
    return {
        "name": locale.display_name,
        "decimal_sign": symbols["decimal"],
        "group_sign": symbols["group"],
        "percent": locale.percent_formats[None].pattern.replace("#,##0", "{}"),
        "lists": {part: lists[part] for part in ("2", "start", "middle", "end")},
        "months": [*locale.months["format"]["abbreviated"].values()],
        "date": locale.date_formats["medium"].format,
        "time": locale.datetime_skeletons["Hm"].format,
        "plural": _plural_expression(locale),
        "units": {unit: _unit_forms(locale, unit) for unit in UNITS},
    }


def _plural_expression(locale: Locale) -> str:
    """The index of the form for `n`, as gettext writes it; `e` is for compact numbers: 1.2M."""
    found = re.search(r"plural=(.*);", to_gettext(locale.plural_form))
    assert found
    return re.sub(r"\be\b", "0", found[1])


def _unit_forms(locale: Locale, unit: str) -> list[str]:
    """A number of a unit, `{0} hours`, in each plural form of the language."""
    # Babel has no public way to these: its own `format_unit` reads them here.
    patterns: Mapping[str, str] = locale._data["unit_patterns"][f"duration-{unit}"]["long"]
    forms = {*locale.plural_form.tags, "other"}
    return [patterns.get(form, patterns["other"]) for form in PLURAL_FORMS if form in forms]
