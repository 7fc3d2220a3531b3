"""The options of a game: a frozen dataclass whose fields say what they allow.

goal: int = option(6, Whole(3, 20))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from kibitz.core.message import Refused, Value, message

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
Options = TypeVar("Options", bound="DataclassInstance")


class Allowed(Protocol):
    """What an option may be; a game may bring its own kinds."""

    def allows(self, value: object) -> bool: ...

    def __str__(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def allows(self, value: object) -> bool:
        return type(value) is str and value in self.words

    def __str__(self) -> str:
        return ", ".join(self.words)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number. Types count: neither `True` nor `1.0` is `1`."""

    least: int = 0
    most: int | None = None

    def allows(self, value: object) -> bool:
        if type(value) is not int:
            return False
        return self.least <= value and (self.most is None or value <= self.most)

    def __str__(self) -> str:
        return f">= {self.least}" if self.most is None else f"{self.least}..{self.most}"


def option(default: T, allowed: Allowed) -> T:
    return field(default=default, metadata={"allowed": allowed})


def check_options(options: DataclassInstance) -> None:
    for each in fields(options):
        value, allowed = getattr(options, each.name), each.metadata["allowed"]
        if not allowed.allows(value):
            shown: Value = repr(value)[:60]
            refusal = message("options.value", name=each.name, value=shown, allowed=str(allowed))
            raise Refused(refusal)


def read_options(kind: type[Options], given: Mapping[str, Any]) -> Options:
    names = [each.name for each in fields(kind)]
    for name in given:
        if name not in names:
            raise Refused(message("options.name", name=name[:60], names=", ".join(names)))
    return kind(**given)
