"""Games that were played, and the words in which they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.core.colours import LIGHT
from kibitz.core.game import Game, Seat
from kibitz.core.message import Say, Value, fixed_decimal, message
from kibitz.i18n import FALLBACK, name_in, say_in
from kibitz.report.playout import ReportPlan
from kibitz.report.plots import NOBODY, Tint
from kibitz.report.statistics import Estimate

NO_VALUE = "\N{EN DASH}"
MIN_SHOWN_CHANCE = 0.0005
"""A chance below it is told as being less."""


@dataclass(frozen=True, slots=True)
class ReportRun:
    plan: ReportPlan
    game: Game[Any, Any, Any]
    summaries: Sequence[Any]
    names: Mapping[Seat, str]
    say_message: Say
    language: str

    def say(self, id: str, **values: Value) -> str:
        return self.say_message(message(id, **values))

    def column_heads(self, *columns: str) -> tuple[str, ...]:
        return tuple(self.say(f"report.column-{each}") for each in columns)

    def mean_text(self, found: Estimate | None) -> str:
        """The value and how far off it may be."""
        if found is None:
            return NO_VALUE
        digits = 1 if found.error >= 1 else 2
        if found.sample == 1:
            return self.number_text(found.value, digits)
        value, error = fixed_decimal(found.value, digits), fixed_decimal(found.error, digits)
        return self.say("report.mean", value=value, error=error)

    def number_text(self, value: float, digits: int = 0) -> str:
        return self.say("report.number", value=fixed_decimal(value, digits))

    def share_text(self, found: Estimate | None) -> str:
        if found is None:
            return NO_VALUE
        parts = {"value": found.value, "low": found.low, "high": found.high}
        return self.say(
            "report.share", **{k: fixed_decimal(100 * part, 1) for k, part in parts.items()}
        )

    def chance_text(self, p: float) -> str:
        """In how many of a hundred."""
        if p < MIN_SHOWN_CHANCE:
            return self.say("report.chance-less", value=fixed_decimal(100 * MIN_SHOWN_CHANCE, 2))
        return self.say("report.chance", value=fixed_decimal(100 * p, 1))


def build_run(plan: ReportPlan, summaries: Sequence[Any], language: str = FALLBACK) -> ReportRun:
    game = plan.build_game()
    names = {seat: name_in(language, f"{game.name}.seat-{seat}") for seat in game.seats}
    return ReportRun(plan, game, summaries, names, say_in(language, names), language)


def seat_tint(game: Game[Any, Any, Any], seat: Seat, soft: bool = False) -> Tint:
    """A seat has the colours of its pieces, in every plot; the soft one goes with the other."""
    colour = game.ui.colours.get(seat)
    if colour is None:
        return NOBODY
    softer, deeper = (f"{colour}-soft", f"{colour}-2"), (f"{colour}-deep", f"{colour}-3")
    return Tint(LIGHT[_first_known(softer) if soft else colour], LIGHT[_first_known(deeper)])


def _first_known(names: tuple[str, ...]) -> str:
    return next(name for name in names if name in LIGHT)
