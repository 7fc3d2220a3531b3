"""Refusals in the words of whoever runs the program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kibitz.core.message import Refused, Say
from kibitz.i18n.shell import refusal_sentence, shell_phrases


@contextmanager
def refusals_in_words(say: Say | None = None) -> Iterator[None]:
    """Meanwhile a refusal that is raised reads as a sentence; `refusal` is its message."""
    try:
        yield
    except Refused as refused:
        refused.args = (refusal_sentence(refused.refusal, say or shell_phrases()),)
        raise
