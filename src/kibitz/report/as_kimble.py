"""The report on AS-Kimble: the numbers kept of a game, and the sections made of many.

Sections: length, winners, penalties, raising, multiplying, hembo.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, cast

from kibitz.core.game import Game
from kibitz.core.message import Message, fixed_decimal
from kibitz.core.record import ReplayStep
from kibitz.games.as_kimble.actions import Completion, Double, Hembo, Pop, Raise
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.state import State, book_of, piece_at, side_of
from kibitz.report.as_kimble_rates import RATES, check_rates, preferred_actions, side_actions
from kibitz.report.every_game import length_section, winners_section
from kibitz.report.plots import Bar, Point, bar_chart, point_chart
from kibitz.report.run import ReportRun, seat_tint
from kibitz.report.section import ReportTable, Section
from kibitz.report.statistics import Estimate, mean_of, share_of

__all__ = [
    "RATES",
    "Bite",
    "Summary",
    "check_rates",
    "preferred_actions",
    "sections",
    "side_actions",
    "summary",
]

BITE_EVENTS = {"as-kimble.eaten": "eater", "as-kimble.into-mine": "mine"}
"""The events of a piece being eaten, and the value that says by whom."""


class Bite(NamedTuple):
    """A piece was eaten: by whom, whose, how many pieces each contained, and whether by a mine."""

    eater: str
    eater_size: int
    victim: str
    victim_size: int
    is_mine: bool

    @property
    def penalties(self) -> int:
        return self.eater_size * self.victim_size


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Tuples of four are in the order of teams."""

    result: str
    """The winner; empty where there is none."""
    is_true_victory: bool
    moral_winners: str
    pops: int
    actions: int
    """All but completing penalties and the sentence."""
    penalties_received: tuple[int, ...]
    penalties_completed: tuple[int, ...]
    raises: tuple[int, ...]
    pieces_made: tuple[tuple[str, int], ...]
    """Each multiplied piece as it was made: the team, and how many pieces it contained then."""
    bites: tuple[tuple[Bite, int], ...]
    """With how often each happened."""
    hembo_due: tuple[int, ...]
    hembo_missed: tuple[int, ...]


def summary(game: Game[Any, Any, Any], played: Sequence[ReplayStep[Any, Any]]) -> Summary:
    state = played[-1].step.state
    over = game.rules.outcome(state)
    result: dict[str, Any] = over.result if over else {}
    told = [event.message for each in played for event in each.step.events]
    actions = [each.step.action for each in played]
    books = [book_of(state, team) for team in TEAMS]
    return Summary(
        result=result.get("winner") or "",
        is_true_victory=result.get("true_victory", False),
        moral_winners=result.get("moral", ""),
        pops=sum(isinstance(action, Pop) for action in actions),
        actions=sum(not isinstance(action, Completion | Hembo) for action in actions),
        penalties_received=tuple(book.owed + book.done for book in books),
        penalties_completed=tuple(book.done for book in books),
        raises=_counts_by_team(action.team for action in actions if isinstance(action, Raise)),
        pieces_made=tuple(_multiplied_pieces(played)),
        bites=tuple(sorted(Counter(_find_bites(told)).items())),
        hembo_due=_counts_by_team(_seats_in(told, "as-kimble.hembo-due")),
        hembo_missed=_counts_by_team(_seats_in(told, "as-kimble.hembo-missed")),
    )


def _counts_by_team(teams: Iterator[str]) -> tuple[int, ...]:
    counts = Counter(teams)
    return tuple(counts[team] for team in TEAMS)


def _seats_in(told: Sequence[Message], id: str) -> Iterator[str]:
    return (str(each.value("seat")) for each in told if each.id == id)


def _multiplied_pieces(played: Sequence[ReplayStep[State, Any]]) -> Iterator[tuple[str, int]]:
    """A double, or a raise onto an own piece."""
    for each in played:
        action = each.step.action
        if isinstance(action, Double | Raise):
            piece = piece_at(side_of(each.step.state, action.team), 0)
            if piece and piece.size > 1:
                yield action.team, piece.size


def _find_bites(told: Sequence[Message]) -> Iterator[Bite]:
    for each in told:
        if each.id in BITE_EVENTS:
            eater = each.value(BITE_EVENTS[each.id])
            assert isinstance(eater, Message)
            yield Bite(
                str(eater.value("seat")),
                _piece_size(eater),
                str(each.value("seat")),
                _piece_size(each),
                each.id == "as-kimble.into-mine",
            )


def _piece_size(told: Message) -> int:
    """Pieces are told by their size: as-kimble.size-2."""
    piece = told.value("piece")
    assert isinstance(piece, Message)
    return int(piece.id.rpartition("-")[2])


# Sections

SIZES = {2: "double", 3: "triple", 4: "quadruple"}
PAIRS = {
    "single-single": (False, False),
    "single-multiplied": (False, True),
    "multiplied-single": (True, False),
    "multiplied-multiplied": (True, True),
}
"""True if the eater and the eaten contain several pieces."""
MIN_PLOTTED_GAMES = 3
"""A mean of fewer games is in the table only."""
T = TypeVar("T")


def sections(run: ReportRun) -> list[Section]:
    games = cast(Sequence[Summary], run.summaries)
    lengths = {"pops": [g.pops for g in games], "actions": [g.actions for g in games]}
    parts = [
        length_section(run, lengths),
        winners_section(run),
        victories_section(run, games),
        penalties_section(run, games),
    ]
    return [
        *parts,
        raising_section(run, games),
        multiplying_section(run, games),
        hembo_section(run, games),
    ]


def require_estimate(found: Estimate | None) -> Estimate:
    assert found is not None
    return found


# Victories, penalties and the sentence: two bars a team


def paired_bars(
    run: ReportRun,
    first: tuple[str, Sequence[Estimate]],
    second: tuple[str, Sequence[Estimate]],
    text: Callable[[Estimate], str],
) -> list[Bar]:
    rows = []
    for index, team in enumerate(TEAMS):
        for soft, (what, found) in enumerate((first, second)):
            label = run.say(f"report.{what}", seat=team)
            tint = seat_tint(run.game, team, bool(soft))
            rows.append(Bar(label, found[index], text(found[index]), tint))
    return rows


def victories_section(run: ReportRun, games: Sequence[Summary]) -> Section:
    total = len(games)
    truly = [
        require_estimate(share_of(sum(g.is_true_victory and g.result == t for g in games), total))
        for t in TEAMS
    ]
    morally = [
        require_estimate(share_of(sum(t in g.moral_winners for g in games), total)) for t in TEAMS
    ]
    all_true = require_estimate(share_of(sum(g.is_true_victory for g in games), total))
    both = require_estimate(
        share_of(sum(bool(g.result) and g.result in g.moral_winners for g in games), total)
    )
    title = run.say("report.victories-title", share=fixed_decimal(100 * all_true.value))
    lines = [
        (run.names[team], run.share_text(truly[index]), run.share_text(morally[index]))
        for index, team in enumerate(TEAMS)
    ]
    rows = paired_bars(run, ("true-of", truly), ("moral-of", morally), run.share_text)
    return Section(
        name="victories",
        title=title,
        says=(
            run.say("report.victories-says"),
            run.say("report.both-says", both=run.share_text(both)),
        ),
        figure=bar_chart("victories", title, rows, run.say("report.share-axis"), is_share=True),
        tables=(ReportTable(run.column_heads("side", "true", "moral"), tuple(lines)),),
        headlines=((run.say("report.true-victories"), run.share_text(all_true)),),
    )


def penalties_section(run: ReportRun, games: Sequence[Summary]) -> Section:
    received = [
        require_estimate(mean_of([g.penalties_received[i] for g in games]))
        for i in range(len(TEAMS))
    ]
    completed = [
        require_estimate(mean_of([g.penalties_completed[i] for g in games]))
        for i in range(len(TEAMS))
    ]
    owed = [
        mean_of([g.penalties_received[i] - g.penalties_completed[i] for g in games])
        for i in range(len(TEAMS))
    ]
    each = require_estimate(mean_of([sum(g.penalties_received) / len(TEAMS) for g in games]))
    done = require_estimate(mean_of([sum(g.penalties_completed) / len(TEAMS) for g in games]))
    values = {"received": fixed_decimal(each.value, 1), "completed": fixed_decimal(done.value, 1)}
    title = run.say("report.penalties-title", **values)
    lines = [
        (run.names[team], *(run.mean_text(found[i]) for found in (received, completed, owed)))
        for i, team in enumerate(TEAMS)
    ]
    rows = paired_bars(run, ("received-by", received), ("completed-by", completed), run.mean_text)
    return Section(
        name="penalties",
        title=title,
        says=(run.say("report.penalties-says"),),
        figure=bar_chart("penalties", title, rows, run.say("report.penalties-axis")),
        tables=(
            ReportTable(run.column_heads("side", "received", "completed", "owed"), tuple(lines)),
        ),
        headlines=(
            (run.say("report.penalties-received"), run.mean_text(each)),
            (run.say("report.penalties-completed"), run.mean_text(done)),
        ),
    )


def hembo_section(run: ReportRun, games: Sequence[Summary]) -> Section:
    due = [require_estimate(mean_of([g.hembo_due[i] for g in games])) for i in range(len(TEAMS))]
    missed = [
        require_estimate(mean_of([g.hembo_missed[i] for g in games])) for i in range(len(TEAMS))
    ]
    all_due = require_estimate(mean_of([sum(g.hembo_due) for g in games]))
    all_missed = require_estimate(mean_of([sum(g.hembo_missed) for g in games]))
    values = {"due": fixed_decimal(all_due.value, 1), "missed": fixed_decimal(all_missed.value, 1)}
    title = run.say("report.hembo-title", **values)
    lines = [
        (run.names[team], run.mean_text(due[i]), run.mean_text(missed[i]))
        for i, team in enumerate(TEAMS)
    ]
    rows = paired_bars(run, ("due-for", due), ("missed-by", missed), run.mean_text)
    return Section(
        name="hembo",
        title=title,
        says=(run.say("report.hembo-says"),),
        figure=bar_chart("hembo", title, rows, run.say("report.a-game-axis")),
        tables=(ReportTable(run.column_heads("side", "due", "missed"), tuple(lines)),),
        headlines=((run.say("report.hembo-missed"), run.mean_text(all_missed)),),
    )


# The effect of raising


def raising_section(run: ReportRun, games: Sequence[Summary]) -> Section:
    total, by_raises = len(games), group_by(games, lambda g: sum(g.raises))
    raised = [g for g in games if any(g.raises)]
    share = require_estimate(share_of(len(raised), total))
    with_raise, without = (
        mean_of([g.pops for g in part]) for part in (raised, by_raises.get(0, []))
    )
    shown = [
        Point(
            count,
            mean,
            run.say("report.raises-point", pops=fixed_decimal(mean.value), n=mean.sample),
        )
        for count, part in by_raises.items()
        if len(part) >= MIN_PLOTTED_GAMES and (mean := mean_of([g.pops for g in part]))
    ]
    shares = fixed_decimal(100 * share.value)
    told = {"raised": run.mean_text(with_raise), "without": run.mean_text(without)}
    title = run.say("report.raising-title", share=shares, **told)
    if not raised:
        title = run.say("report.raising-never")
    axes = run.say("report.raises-axis"), run.say("report.length-pops")
    each = mean_of([sum(g.raises) for g in games])
    lines = [
        (str(count), str(len(part)), *_games_cells(run, part, total))
        for count, part in by_raises.items()
    ]
    parts = {"without": by_raises.get(0, []), "with": raised}
    compared = [
        (run.say(f"report.games-{name}"), str(len(part)), *_games_cells(run, part, total))
        for name, part in parts.items()
    ]
    columns = ("games", "share", "pops", "penalties")
    return Section(
        name="raising",
        title=title,
        says=(run.say("report.raising-says"), run.say("report.raising-mind")),
        figure=point_chart("raising", title, shown, *axes) if shown else None,
        tables=(
            ReportTable(run.column_heads("kind", *columns), tuple(compared)),
            ReportTable(run.column_heads("raises", *columns), tuple(lines)),
        ),
        headlines=(
            (run.say("report.raises-a-game"), run.mean_text(each)),
            (run.say("report.games-with"), run.share_text(share)),
        ),
    )


def _games_cells(run: ReportRun, part: Sequence[Summary], total: int) -> tuple[str, ...]:
    share = run.share_text(share_of(len(part), total))
    pops = run.mean_text(mean_of([g.pops for g in part]))
    return share, pops, run.mean_text(mean_of([sum(g.penalties_received) for g in part]))


def group_by(games: Sequence[T], key: Callable[[T], int]) -> dict[int, list[T]]:
    found: dict[int, list[T]] = {}
    for game in sorted(games, key=key):
        found.setdefault(key(game), []).append(game)
    return found


# The effect of multiplying


def multiplying_section(run: ReportRun, games: Sequence[Summary]) -> Section:
    rows, lines = [], []
    sums = dict.fromkeys(PAIRS, 0)
    for pair, kinds in PAIRS.items():
        per_game = [[b for b in bites_of(g) if _is_multiplied_pair(b) == kinds] for g in games]
        bites = [bite for part in per_game for bite in part]
        sums[pair] = sum(bite.penalties for bite in bites)
        cost = require_estimate(
            mean_of([sum(bite.penalties for bite in part) for part in per_game])
        )
        label = run.say(f"report.bites-{pair}")
        rows.append(Bar(label, cost, run.mean_text(cost)))
        often = run.mean_text(mean_of([len(part) for part in per_game]))
        mines = run.mean_text(mean_of([sum(bite.is_mine for bite in part) for part in per_game]))
        a_bite = run.mean_text(mean_of([bite.penalties for bite in bites]))
        lines.append((label, often, mines, run.mean_text(cost), a_bite))
    total = sum(sums.values()) or 1
    dealt = sums["multiplied-single"] + sums["multiplied-multiplied"]
    suffered = sums["single-multiplied"] + sums["multiplied-multiplied"]
    parts = {
        "dealt": fixed_decimal(100 * dealt / total),
        "suffered": fixed_decimal(100 * suffered / total),
    }
    title = run.say("report.multiplying-title", **parts)
    made = [
        (run.say(f"report.size-{name}"), str(sum(counts)), run.mean_text(mean_of(counts)))
        for size, name in SIZES.items()
        if (counts := [sum(each == size for _, each in g.pieces_made) for g in games])
    ]
    return Section(
        name="multiplying",
        title=title,
        says=(run.say("report.multiplying-says"), run.say("report.multiplying-mind")),
        figure=bar_chart("multiplying", title, rows, run.say("report.penalties-axis")),
        tables=(
            ReportTable(
                run.column_heads("eating", "bites", "mines", "penalties", "a-bite"), tuple(lines)
            ),
            ReportTable(run.column_heads("made", "in-all", "a-game"), tuple(made)),
            ReportTable(
                run.column_heads("teams", "cases", "received", "dealt", "wins-share"),
                tuple(_maker_rows(run, games)),
            ),
        ),
        headlines=tuple((label, mean) for label, _, mean in made),
    )


def bites_of(game: Summary) -> Iterator[Bite]:
    for bite, count in game.bites:
        yield from (bite for _ in range(count))


def _is_multiplied_pair(bite: Bite) -> tuple[bool, bool]:
    return bite.eater_size > 1, bite.victim_size > 1


def _maker_rows(run: ReportRun, games: Sequence[Summary]) -> Iterator[tuple[str, ...]]:
    """Teams that made a multiplied piece in a game beside those that made none."""
    for name, has_made in (("made-none", False), ("made-some", True)):
        cases = [
            (game, i, team)
            for game in games
            for i, team in enumerate(TEAMS)
            if any(maker == team for maker, _ in game.pieces_made) == has_made
        ]
        received = mean_of([game.penalties_received[i] for game, i, _ in cases])
        dealt = mean_of([_penalties_dealt(game, team) for game, _, team in cases])
        won = share_of(sum(game.result == team for game, _, team in cases), len(cases))
        cells = (run.mean_text(received), run.mean_text(dealt), run.share_text(won))
        yield (run.say(f"report.{name}"), str(len(cases)), *cells)


def _penalties_dealt(game: Summary, team: str) -> int:
    return sum(bite.penalties for bite in bites_of(game) if bite.eater == team)
