"""What is shown of Kahmaté: length, winners, ends, duels, tries, cards, what happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

from markupsafe import Markup

from kibitz.core.message import message
from kibitz.games.kahmate.state import ATTACK, CARDS
from kibitz.report.plots import Bar, bars
from kibitz.report.run import Run
from kibitz.report.section import Section, Table
from kibitz.report.sections.every_game import deeds, ends, length, winners
from kibitz.report.statistics import mean_of, share_of
from kibitz.report.summaries.kahmate import Summary

CONTESTS = {"T": "tackle", "F": "force", "I": "interception"}


def sections(run: Run) -> list[Section]:
    matches = cast(Sequence[Summary], run.summaries)
    lengths = {"turns": [m.turns for m in matches], "actions": [m.actions for m in matches]}
    done = {
        "tries": [len(match.tries) for match in matches],
        "passes": [match.passes for match in matches],
        "kicks": [match.kicks for match in matches],
        "stale": [match.stale for match in matches],
    }
    parts = [length(run, lengths), winners(run), ends(run, [match.why for match in matches])]
    parts += [duels(run, matches), scorers(run, matches), cards(run, matches)]
    return [*parts, deeds(run, done)]


def _bars(run: Run, name: str, title: str, rows: Sequence[Bar]) -> Markup | None:
    """Shares, where there is anything to share."""
    axis = run.say(f"report.{name}-axis")
    return bars(name, title, rows, axis, is_share=True) if rows else None


def duels(run: Run, matches: Sequence[Summary]) -> Section:
    rows, lines, headlines = [], [], []
    for contest, name in CONTESTS.items():
        fought = [[d for d in match.duels if d.contest == contest] for match in matches]
        every = [duel for part in fought for duel in part]
        won = share_of(sum(duel.is_won for duel in every), len(every))
        often, label = mean_of([len(part) for part in fought]), run.say(f"report.duel-{name}")
        tied = share_of(sum(duel.rounds > 1 for duel in every), len(every))
        lines.append((label, run.mean(often), str(len(every)), run.share(won), run.share(tied)))
        headlines.append((label, run.mean(often)))
        if won:
            rows.append(Bar(label, won, run.share(won)))
    total = mean_of([len(match.duels) for match in matches])
    title = run.say("report.duels-title", mean=run.mean(total))
    return Section(
        name="duels",
        title=title,
        says=(run.say("report.duels-says"),),
        figure=_bars(run, "duels", title, rows),
        tables=(Table(run.heads("duel", "a-game", "in-all", "attacker", "tied"), tuple(lines)),),
        headlines=tuple(headlines),
    )


def scorers(run: Run, matches: Sequence[Summary]) -> Section:
    tries = [man for match in matches for _, man in match.tries]
    counts, rows, lines = Counter(tries), [], []
    for man in ATTACK:
        label, found = run.speak(message(f"kahmate.kind-{man}")), share_of(counts[man], len(tries))
        lines.append((label, str(counts[man]), run.share(found)))
        if found:
            rows.append(Bar(label, found, run.share(found)))
    title = run.say("report.scorers-none")
    if rows:
        best = max(rows, key=lambda row: row.estimate.value)
        share = f"{100 * best.estimate.value:.0f}"
        title = run.say("report.scorers-title", man=best.label, share=share)
    return Section(
        name="scorers",
        title=title,
        says=(run.say("report.scorers-says"),),
        figure=_bars(run, "scorers", title, rows),
        tables=(Table(run.heads("man", "tries", "share"), tuple(lines)),),
    )


def cards(run: Run, matches: Sequence[Summary]) -> Section:
    counts: Counter[tuple[str, int]] = Counter()
    for match in matches:
        counts.update(dict(match.cards))
    total, rows, lines = sum(counts.values()), [], []
    for card in CARDS:
        by_seat = [counts[seat, card] for seat in run.game.seats]
        found = share_of(sum(by_seat), total)
        label = run.say("report.card", card=card)
        lines.append((label, *map(str, by_seat), run.share(found)))
        if found:
            rows.append(Bar(label, found, run.share(found)))
    title = run.say("report.cards-title", mean=run.mean(mean_of([_played(m) for m in matches])))
    names = tuple(run.names[seat] for seat in run.game.seats)
    head = (run.say("report.column-card"), *names, run.say("report.column-share"))
    return Section(
        name="cards",
        title=title,
        says=(run.say("report.cards-says"),),
        figure=_bars(run, "cards", title, rows),
        tables=(Table(head, tuple(lines)),),
    )


def _played(match: Summary) -> int:
    return sum(count for _, count in match.cards)
