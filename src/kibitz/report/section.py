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
    """The finding, as a sentence."""
    says: tuple[str, ...]
    """The plot in words, and what to keep in mind."""
    figure: Markup | None
    tables: tuple[ReportTable, ...]
    headlines: tuple[tuple[str, str], ...] = ()
    """Numbers to quote, each with what it is of."""
