"""The services that handlers of analysis are given."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.server.analysis.board import LineCache
from kibitz.server.analysis.coach import Coach
from kibitz.server.analysis.evaluation import Analyst
from kibitz.server.tables.dependencies import TableServices


@dataclass(frozen=True, kw_only=True)
class AnalysisServices(TableServices):
    analyst: Analyst
    coach: Coach
    lines: LineCache
