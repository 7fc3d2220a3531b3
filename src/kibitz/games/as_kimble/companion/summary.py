"""An evening of AS-Kimble, told from its record: with a board, without one, or a bit of both.

Without a board the book is made of entries (12.6), which tell the same events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from kibitz.core.message import message
from kibitz.core.record import ReplayStep
from kibitz.core.summary import Pause, Summary, SummaryEvent
from kibitz.games.as_kimble.actions import Action, Pop, StickyPop
from kibitz.games.as_kimble.board import SIX, TEAMS
from kibitz.games.as_kimble.companion.fairness import die_statistics, pop_records
from kibitz.games.as_kimble.companion.night import (
    DebtPoint,
    Night,
    PenaltyAccount,
    RememberedEvent,
)
from kibitz.games.as_kimble.companion.sections import summary_of_night
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import moral_victors, outcome, raises_of
from kibitz.games.as_kimble.state import GameOver, State, book_of
from kibitz.games.as_kimble.ui.story import TALLIES

Replay: TypeAlias = Sequence[ReplayStep[State, Action]]
COUNTED_TALLIES = ("pops", "sixes", "ate", "eaten", "raises", "hembo")
"""The tallies of a team as after any match; the book itself counts the rest."""
MISSED_TALLY = "missed"
NOTE_ID = "as-kimble.noted"
MISSED_IDS = ("as-kimble.hembo-missed", "as-kimble.ledger-hembo-wrong")
RULING_IDS = (
    "as-kimble.ruled",
    "as-kimble.ref-pen-more",
    "as-kimble.ref-pen-fewer",
    "as-kimble.ref-done-more",
    "as-kimble.ref-done-fewer",
    "as-kimble.ref-set",
    "as-kimble.ref-end",
    "as-kimble.ledger-won-ruled",
)
IGNORED_IDS = ("as-kimble.ignored", "as-kimble.ignored-free")
MEAL_IDS = ("as-kimble.eaten", "as-kimble.into-mine")


def summary(options: Options, first: State, played: Replay, times: Sequence[float]) -> Summary:
    return summary_of_night(night_figures(options, first, played, times))


def night_figures(options: Options, first: State, played: Replay, times: Sequence[float]) -> Night:
    """`first` is where it began; `times` has one of each that was played."""
    last = played[-1].step.state if played else first
    told = list(_summary_events(played, times))
    tallies = _tallies(told)
    over = outcome(last)
    winner = over.result["winner"] if over else None
    return Night(
        winner=winner,
        raises=raises_of(last, winner) if winner else 0,
        moral=moral_victors(last),
        is_over=isinstance(last.phase, GameOver),
        verdict=over.why if over else message("as-kimble.night-going"),
        accounts=tuple(_account(options, last, team, tallies) for team in TEAMS),
        unit=message(f"as-kimble.unit-{options.unit}", "11.3", name=options.unit_name or ""),
        has_litres=options.litres(TEAMS[0], 1) > 0,
        course=_debt_course(first, played, times),
        highlights=tuple(_highlights(told)),
        rulings=tuple(each for each in told if each.message.id in RULING_IDS),
        notes=tuple(each for each in told if each.message.id == NOTE_ID),
        pauses=tuple(_pauses(told, isinstance(last.phase, GameOver))),
        ignored_pauses=tuple(each for each in told if each.message.id in IGNORED_IDS),
        die_statistics=die_statistics(pop_records(played)),
        is_replayable=any(isinstance(each.step.action, Pop | StickyPop) for each in played),
    )


def _summary_events(played: Replay, times: Sequence[float]) -> Iterator[SummaryEvent]:
    for n, (each, at) in enumerate(zip(played, times, strict=True), 1):
        for event in each.step.events:
            yield SummaryEvent(at, n, event.message)


# The book of each team


def _account(
    options: Options, last: State, team: str, tallies: Counter[tuple[str, str]]
) -> PenaltyAccount:
    book, players = book_of(last, team), options.size_of(team)
    return PenaltyAccount(
        seat=team,
        owed=book.owed,
        done=book.done,
        players=players,
        shares=book.done * players * options.unit_factor,
        litres=options.litres(team, book.done),
        tallies={name: tallies[name, team] for name in (*COUNTED_TALLIES, MISSED_TALLY)},
    )


def _tallies(told: Sequence[SummaryEvent]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for each in told:
        for name in COUNTED_TALLIES:
            for count in TALLIES[name]:
                if counted := count.seat_and_amount(each.message):
                    found[name, counted[0]] += counted[1]
        if each.message.id in MISSED_IDS:
            found[MISSED_TALLY, str(each.message.value("seat"))] += 1
    return found


def _debt_course(first: State, played: Replay, times: Sequence[float]) -> tuple[DebtPoint, ...]:
    found = [_debt_point(first, times[0] if times else 0.0)]
    for each, at in zip(played, times, strict=True):
        standing = _debt_point(each.step.state, at)
        if (standing.owed, standing.done) != (found[-1].owed, found[-1].done):
            found.append(standing)
    last = played[-1].step.state if played else first
    return (*found, _debt_point(last, times[-1] if times else 0.0))


def _debt_point(state: State, at: float) -> DebtPoint:
    books = state.books
    return DebtPoint(at, tuple(book.owed for book in books), tuple(book.done for book in books))


# What is remembered


def _highlights(told: Sequence[SummaryEvent]) -> Iterator[RememberedEvent]:
    meals = [each for each in told if each.message.id in MEAL_IDS]
    if meals:
        yield RememberedEvent("dearest", max(meals, key=_cost))
    if drought := _drought(told):
        yield RememberedEvent("drought", drought)


def _cost(told: SummaryEvent) -> int:
    cost = told.message.value("n")
    assert isinstance(cost, int)
    return cost


def _drought(told: Sequence[SummaryEvent]) -> SummaryEvent | None:
    """The most pops in a row that one team made without a six; told when it had lasted so long."""
    dry: Counter[str] = Counter()
    longest: tuple[int, str, SummaryEvent] | None = None
    for each in told:
        if each.message.id != "as-kimble.popped":
            continue
        team = str(each.message.value("seat"))
        dry[team] = 0 if each.message.value("number") == SIX else dry[team] + 1
        if dry[team] > (longest[0] if longest else 0):
            longest = dry[team], team, each
    if longest is None:
        return None
    pops, team, said = longest
    return SummaryEvent(said.at, said.n, message("as-kimble.night-without-six", seat=team, n=pops))


def _pauses(told: Sequence[SummaryEvent], is_over: bool) -> Iterator[Pause]:
    """A break lasts until it is said to be over, or the game is."""
    turns = [e for e in told if e.message.id in ("as-kimble.break", "as-kimble.resume")]
    begun: float | None = None
    for each in turns:
        if each.message.id == "as-kimble.break":
            begun = each.at
        elif begun is not None:
            yield Pause(begun, each.at)
            begun = None
    if begun is not None:
        yield Pause(begun, told[-1].at if is_over else None)
