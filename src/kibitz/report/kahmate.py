"""The report on Kahmaté: the numbers kept of a match, and the sections made of many.

Sections: length, winners, ends, duels, tries, cards, what happens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from markupsafe import Markup

from kibitz.core.game import Game
from kibitz.core.message import Message, fixed_decimal, message
from kibitz.core.record import ReplayStep
from kibitz.games.kahmate.actions import Card, Kick, Pass
from kibitz.games.kahmate.state import ATTACK, CARDS, Duelling, State
from kibitz.report.every_game import (
    deeds_section,
    ends_section,
    length_section,
    winners_section,
)
from kibitz.report.plots import Bar, bar_chart
from kibitz.report.run import ReportRun
from kibitz.report.section import ReportTable, Section
from kibitz.report.statistics import mean_of, share_of

WON_EVENTS = ("kahmate.tackled", "kahmate.perfect", "kahmate.broke-through", "kahmate.got-through")
"""The events that say that the attacker won a duel."""


class Duel(NamedTuple):
    """One that was decided: tackle, force or interception."""

    contest: str
    is_won: bool
    """By the attacker: in an interception he is the one who passed."""
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Pairs are in the order of seats."""

    result: str
    """R, B or draw; empty for a match that was broken off."""
    why: str
    """The id of the sentence that says how it ended."""
    turns: int
    actions: int
    tries: tuple[tuple[str, str], ...]
    """The scorer and his man."""
    duels: tuple[Duel, ...]
    cards: tuple[tuple[tuple[str, int], int], ...]
    """The number of times that each captain played each card."""
    passes: int
    kicks: int
    stale_draws: int
    """The number of times that the ball was drawn anew because a possession gained no ground."""


def summary(game: Game[Any, Any, Any], played: Sequence[ReplayStep[Any, Any]]) -> Summary:
    state = played[-1].step.state
    over = game.rules.outcome(state)
    told = [event.message for each in played for event in each.step.events]
    actions = [each.step.action for each in played]
    cards = [(p.actor, p.step.action.card) for p in played if isinstance(p.step.action, Card)]
    return Summary(
        result=over.result if over else "",
        why=over.why.id if over else "",
        turns=state.turns,
        actions=len(played),
        tries=tuple(_find_tries(told)),
        duels=tuple(_find_duels(played)),
        cards=tuple(sorted(Counter(cards).items())),
        passes=sum(isinstance(action, Pass) for action in actions),
        kicks=sum(isinstance(action, Kick) for action in actions),
        stale_draws=sum(each.id == "kahmate.stale" for each in told),
    )


def _find_tries(told: Sequence[Message]) -> Iterator[tuple[str, str]]:
    for each in told:
        if each.id == "kahmate.try":
            man = each.value("man")
            assert isinstance(man, Message)
            yield str(each.value("seat")), man.id.rpartition("-")[2]


def _find_duels(played: Sequence[ReplayStep[State, Any]]) -> Iterator[Duel]:
    for each in played:
        duel = each.before.phase
        if isinstance(duel, Duelling) and not isinstance(each.step.state.phase, Duelling):
            ids = {event.message.id for event in each.step.events}
            if isinstance(each.step.action, Card):
                yield Duel(duel.contest, bool(ids & set(WON_EVENTS)), duel.round)


# Sections

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
        share = fixed_decimal(100 * best.estimate.value)
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
