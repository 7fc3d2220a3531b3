"""What is shown of Kahmaté: length, winners, ends, duels, tries, cards, what happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

from markupsafe import Markup

from kibitz.core.message import message
from kibitz.games.kahmate.state import ATTACK, CARDS
from kibitz.report.plots import Bar, bar_chart
from kibitz.report.run import ReportRun
from kibitz.report.section import ReportTable, Section
from kibitz.report.sections.every_game import (
    deeds_section,
    ends_section,
    length_section,
    winners_section,
)
from kibitz.report.statistics import mean_of, share_of
from kibitz.report.summaries.kahmate import Summary

CONTESTS = {"T": "tackle", "F": "force", "I": "interception"}


def sections(run: ReportRun) -> list[Section]:
    matches = cast(Sequence[Summary], run.summaries)
    lengths = {"turns": [m.turns for m in matches], "actions": [m.actions for m in matches]}
    done = {
        "tries": [len(match.tries) for match in matches],
        "passes": [match.passes for match in matches],
        "kicks": [match.kicks for match in matches],
        "stale": [match.stale_draws for match in matches],
    }
    parts = [
        length_section(run, lengths),
        winners_section(run),
        ends_section(run, [match.why for match in matches]),
    ]
    parts += [
        duels_section(run, matches),
        scorers_section(run, matches),
        cards_section(run, matches),
    ]
    return [*parts, deeds_section(run, done)]


def _share_bars(run: ReportRun, name: str, title: str, rows: Sequence[Bar]) -> Markup | None:
    """Shares, where there is anything to share."""
    axis = run.say(f"report.{name}-axis")
    return bar_chart(name, title, rows, axis, is_share=True) if rows else None


def duels_section(run: ReportRun, matches: Sequence[Summary]) -> Section:
    rows, lines, headlines = [], [], []
    for contest, name in CONTESTS.items():
        fought = [[d for d in match.duels if d.contest == contest] for match in matches]
        every = [duel for part in fought for duel in part]
        won = share_of(sum(duel.is_won for duel in every), len(every))
        often, label = mean_of([len(part) for part in fought]), run.say(f"report.duel-{name}")
        tied = share_of(sum(duel.rounds > 1 for duel in every), len(every))
        lines.append(
            (
                label,
                run.mean_text(often),
                str(len(every)),
                run.share_text(won),
                run.share_text(tied),
            )
        )
        headlines.append((label, run.mean_text(often)))
        if won:
            rows.append(Bar(label, won, run.share_text(won)))
    total = mean_of([len(match.duels) for match in matches])
    title = run.say("report.duels-title", mean=run.mean_text(total))
    return Section(
        name="duels",
        title=title,
        says=(run.say("report.duels-says"),),
        figure=_share_bars(run, "duels", title, rows),
        tables=(
            ReportTable(
                run.column_heads("duel", "a-game", "in-all", "attacker", "tied"), tuple(lines)
            ),
        ),
        headlines=tuple(headlines),
    )


def scorers_section(run: ReportRun, matches: Sequence[Summary]) -> Section:
    tries = [man for match in matches for _, man in match.tries]
    counts, rows, lines = Counter(tries), [], []
    for man in ATTACK:
        label, found = (
            run.say_message(message(f"kahmate.kind-{man}")),
            share_of(counts[man], len(tries)),
        )
        lines.append((label, str(counts[man]), run.share_text(found)))
        if found:
            rows.append(Bar(label, found, run.share_text(found)))
    title = run.say("report.scorers-none")
    if rows:
        best = max(rows, key=lambda row: row.estimate.value)
        share = f"{100 * best.estimate.value:.0f}"
        title = run.say("report.scorers-title", man=best.label, share=share)
    return Section(
        name="scorers",
        title=title,
        says=(run.say("report.scorers-says"),),
        figure=_share_bars(run, "scorers", title, rows),
        tables=(ReportTable(run.column_heads("man", "tries", "share"), tuple(lines)),),
    )


def cards_section(run: ReportRun, matches: Sequence[Summary]) -> Section:
    counts: Counter[tuple[str, int]] = Counter()
    for match in matches:
        counts.update(dict(match.cards))
    total, rows, lines = sum(counts.values()), [], []
    for card in CARDS:
        by_seat = [counts[seat, card] for seat in run.game.seats]
        found = share_of(sum(by_seat), total)
        label = run.say("report.card", card=card)
        lines.append((label, *map(str, by_seat), run.share_text(found)))
        if found:
            rows.append(Bar(label, found, run.share_text(found)))
    title = run.say(
        "report.cards-title", mean=run.mean_text(mean_of([_cards_played(m) for m in matches]))
    )
    names = tuple(run.names[seat] for seat in run.game.seats)
    head = (run.say("report.column-card"), *names, run.say("report.column-share"))
    return Section(
        name="cards",
        title=title,
        says=(run.say("report.cards-says"),),
        figure=_share_bars(run, "cards", title, rows),
        tables=(ReportTable(head, tuple(lines)),),
    )


def _cards_played(match: Summary) -> int:
    return sum(count for _, count in match.cards)
