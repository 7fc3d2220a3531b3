"""A night as the sections of its summary: what each figure is called, and in which unit it is."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.core.message import message
from kibitz.core.summary import (
    Column,
    Course,
    CoursePoint,
    Highlight,
    Honour,
    SeatFigures,
    Summary,
    Tally,
)
from kibitz.games.as_kimble.companion.night import Night, PenaltyAccount

OWED, DONE = message("page.night-owed"), message("page.night-done")
SHARES = Column(message("page.night-shares"), is_shared=True)
LITRES = Column(
    message("page.night-in-litres"),
    unit="page.night-litres",
    is_shared=True,
    abstainers=message("page.book-something-else"),
)


def summary_of_night(night: Night) -> Summary:
    columns = (Column(OWED), Column(DONE), SHARES, LITRES)
    points = (CoursePoint(each.at, (each.owed, each.done)) for each in night.course)
    return Summary(
        winner=night.winner,
        is_over=night.is_over,
        verdict=night.verdict,
        honours=tuple(_honours(night)),
        unit=message("page.night-unit", unit=night.unit),
        columns=columns if night.has_litres else columns[:-1],
        seats=tuple(_seat_figures(each, night.has_litres) for each in night.accounts),
        course=Course((OWED, DONE), tuple(points)),
        highlights=tuple(
            Highlight(message(f"as-kimble.night-{each.kind}"), each.event)
            for each in night.highlights
        ),
        tallies=tuple(_tallies(night)),
        log=(*night.rulings, *night.notes, *night.ignored_pauses),
        pauses=night.pauses,
        die_statistics=night.die_statistics,
        is_replayable=night.is_replayable,
    )


def _honours(night: Night) -> Iterator[Honour]:
    """The kind of the victory (13), and the moral victors."""
    if night.winner and night.raises:
        yield Honour(message("page.night-truly", n=night.raises))
    elif night.winner:
        yield Honour(message("page.night-unraised"))
    if night.is_over and night.moral:
        yield Honour(message("page.night-moral"), night.moral)


def _seat_figures(account: PenaltyAccount, has_litres: bool) -> SeatFigures:
    figures = (account.owed, account.done, account.shares, account.litres)
    return SeatFigures(account.seat, account.players, figures if has_litres else figures[:-1])


def _tallies(night: Night) -> Iterator[Tally]:
    accounts = night.accounts
    received = tuple(each.total_penalties for each in accounts)
    yield Tally(message("as-kimble.tally-penalties"), received, is_always_shown=True)
    for name in accounts[0].tallies:
        counts = tuple(each.tallies[name] for each in accounts)
        yield Tally(message(f"as-kimble.tally-{name}"), counts)
