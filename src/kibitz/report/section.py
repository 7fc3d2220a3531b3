"""A part of the page: what is seen, the plot, and the numbers behind it."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class ReportTable:
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """The first of each row says what it is."""
    fold: str = ""
    """A long table is folded away under these words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    name: str
    title: str
    """What is seen, as a sentence."""
    says: tuple[str, ...]
    """What the plot shows, and what to keep in mind."""
    figure: Markup | None
    tables: tuple[ReportTable, ...]
    headlines: tuple[tuple[str, str], ...] = ()
    """What can be quoted: a number and what it is of."""
