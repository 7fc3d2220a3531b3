"""What is shown of each game, in the order of the page."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.report.run import ReportRun
from kibitz.report.section import Section
from kibitz.report.sections import as_kimble, kahmate, kalamala

SECTIONS: dict[str, Callable[[ReportRun], list[Section]]] = {
    "as-kimble": as_kimble.sections,
    "kahmate": kahmate.sections,
    "kalamala": kalamala.sections,
}
