"""Sentences by the ids of their messages, for tests that are not about the words."""

from __future__ import annotations

from kibitz.core.message import Value, message
from kibitz.i18n import say_in


def sentence(id: str, language: str = "en", **values: Value) -> str:
    """The words of a message, as a page has them."""
    return say_in(language)(message(id, **values))
