"""Changing a position by hand: which of the changes a game has in mind are positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from kibitz.core.game import Edit
from kibitz.core.message import Message, Refused

State = TypeVar("State")
Changes: TypeAlias = Iterable[tuple[Message, State]]
"""The possible changes of a position, by their names."""


def valid_edits(
    write: Callable[[State], str],
    read: Callable[[str], State],
    state: State,
    changes: Changes[State],
) -> tuple[Edit, ...]:
    """The changes that the reader accepts and that change something, each position once."""
    known, found = {write(state)}, []
    for label, changed in changes:
        text = write(changed)
        if text not in known and _is_readable(read, text):
            known.add(text)
            found.append(Edit(label, text))
    return tuple(found)


def _is_readable(read: Callable[[str], State], text: str) -> bool:
    try:
        read(text)
    except Refused:
        return False
    return True
