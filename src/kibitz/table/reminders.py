"""A house rule of a table: whose screens remind of what a player should remember."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Reminded: TypeAlias = Literal["nobody", "bookkeeper", "everybody"]
NOBODY: Final = "nobody"
BOOKKEEPERS: Final = "bookkeeper"
EVERYBODY: Final = "everybody"


def is_reminded(rule: Reminded | None, is_bookkeeper: bool) -> bool:
    """True for a screen that may show what is due. Tables older than the rule show it."""
    return rule in (None, EVERYBODY) or (rule == BOOKKEEPERS and is_bookkeeper)
