"""Options of a game, as a form asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import msgspec

from kibitz.core.game import Rulebook
from kibitz.core.options import Choice, WholeNumber
from kibitz.server.phrases import Phrases


def option_fields(rulebook: Rulebook, say: Phrases) -> Iterator[Mapping[str, Any]]:
    """The choices about the rules: each as the book has it, and as we suggest it.

    A value is written as JSON. One with a number for each seat is chosen seat by seat.
    """
    for each in fields(rulebook.options):
        allowed, book = each.metadata["allowed"], each.default
        named = f"{rulebook.name}.option-{each.name}"
        values: tuple[object, ...] = allowed.words if isinstance(allowed, Choice) else ()
        if isinstance(book, bool):
            values = (True, False)
        suggested = rulebook.preset.get(each.name, book)
        yield {
            "name": each.name,
            "label": say.first(named) or each.name,
            "book": json_text(book),
            "preset": json_text(suggested),
            "values": [
                {"json": json_text(value), "label": _value_label(named, value, say)}
                for value in values
            ],
            "least": allowed.minimum if isinstance(allowed, WholeNumber) else None,
            "most": allowed.maximum if isinstance(allowed, WholeNumber) else None,
            "allowed": say(allowed.description),
            "seats": [
                {"name": name, "number": number}
                for name, number in zip(say.plain_names.values(), suggested, strict=True)
            ]
            if isinstance(book, tuple)
            else [],
            "zero": say.first(f"{named}-0"),
        }


def preset_fields(rulebook: Rulebook, say: Phrases) -> Iterator[Mapping[str, Any]]:
    """The options that go together, by name."""
    for name, options in rulebook.named_presets.items():
        label = say.t(f"{rulebook.name}.preset-{name}")
        yield {"label": label, "options": {each: json_text(options[each]) for each in options}}


def _value_label(named: str, value: object, say: Phrases) -> str:
    word = value if isinstance(value, str) else json_text(value)
    return say.first(f"{named}-{word}") or word


def json_text(value: object) -> str:
    return msgspec.json.encode(value).decode()
