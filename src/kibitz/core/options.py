"""The options of a game: a frozen dataclass whose fields say what they allow.

goal: int = option(6, Whole(3, 20))
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from kibitz.core.message import Message, Refused, message

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
Options = TypeVar("Options", bound="DataclassInstance")


class OptionKind(Protocol):
    """A kind of option: the values it may have. A game may bring its own kinds."""

    def allows(self, value: object) -> bool: ...

    @property
    def description(self) -> Message: ...


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def allows(self, value: object) -> bool:
        return type(value) is str and value in self.words

    @property
    def description(self) -> Message:
        return message("options.words", words=", ".join(self.words))


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number. Types count: neither `True` nor `1.0` is `1`."""

    minimum: int = 0
    maximum: int | None = None

    def allows(self, value: object) -> bool:
        if type(value) is not int:
            return False
        return self.minimum <= value and (self.maximum is None or value <= self.maximum)

    @property
    def description(self) -> Message:
        if self.maximum is None:
            return message("options.whole", least=self.minimum)
        return message("options.whole-between", least=self.minimum, most=self.maximum)


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    def allows(self, value: object) -> bool:
        return type(value) is bool

    @property
    def description(self) -> Message:
        return message("options.flag")


def option(default: T, allowed: OptionKind) -> T:
    return field(default=default, metadata={"allowed": allowed})


def check_options(options: DataclassInstance) -> None:
    for each in fields(options):
        value, allowed = getattr(options, each.name), each.metadata["allowed"]
        if not allowed.allows(value):
            shown = json.dumps(value, default=str)[:60]
            refusal = message(
                "options.value", name=each.name, value=shown, allowed=allowed.description
            )
            raise Refused(refusal)


def read_options(kind: type[Options], given: Mapping[str, Any]) -> Options:
    names = [each.name for each in fields(kind)]
    for name in given:
        if name not in names:
            raise Refused(message("options.name", name=name[:60], names=", ".join(names)))
    return kind(**given)


def option_descriptions(kind: type[DataclassInstance]) -> list[tuple[str, Any, Message]]:
    """Each option with its default and what it may be."""
    return [
        (each.name, each.default, each.metadata["allowed"].description) for each in fields(kind)
    ]
