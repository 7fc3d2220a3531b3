"""The command `kibitz analyse`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from kibitz.analysis import findings
from kibitz.analysis.evaluation import AnyGame, Budget, default_budget
from kibitz.analysis.match import (
    Entry,
    Match,
    exact_from,
    lucky_swings,
    match_from_record,
    match_json,
    mistakes,
)
from kibitz.core.game import CHANCE, SPECTATOR, visible_to
from kibitz.core.message import Message, Say, fixed_decimal, message
from kibitz.core.record import Record


def print_analysis(
    game: AnyGame, record: Record, say: Say, budget: Budget | None, top: int, is_json: bool = False
) -> None:
    """Look at every action of a record that follows, and print what was found."""
    errors = Console(stderr=True)
    match = match_from_record(game, record, budget or default_budget(game.name))
    numbers = track(
        range(len(match), 0, -1),
        say(message("analysis.thinking", game=message(f"{game.name}.title"))),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )
    entries = [match.entry(n) for n in numbers][::-1]
    if is_json:
        print(json.dumps(match_json(game, entries, top), ensure_ascii=False))
        return
    # Where nobody looks at a terminal, lines are as long as they have to be.
    output = Console() if Console().is_terminal else Console(width=200)
    output.print(_action_table(game, entries, say))
    if first := exact_from(entries):
        output.print(say(message("analysis.exact", n=first)), highlight=False)
    _print_summary(match, entries, top, say, output)


def _action_table(game: AnyGame, entries: Sequence[Entry], say: Say) -> Table:
    table, percent = Table(box=SIMPLE_HEAD), partial(percent_text, say)
    table.add_column("", justify="right")
    for name in ("actor", "action"):
        table.add_column(say(message(f"analysis.column-{name}")), overflow="fold")
    for seat in game.seats:
        table.add_column(say(message(f"{game.name}.seat-{seat}")), justify="right")
    table.add_column(say(message("analysis.column-loss")), justify="right")
    table.add_column(say(message("analysis.column-best")), overflow="fold")
    for each in entries:
        best = findings.better_alternative(each)
        table.add_row(
            str(each.n),
            "" if each.actor == CHANCE else escape(each.actor),
            escape(each.action),
            *map(percent, each.after),
            percent(each.loss) if each.loss else "",
            escape(f"{percent(best.chance)} {findings.line_text(best)}") if best else "",
        )
    return table


def _print_summary(
    match: Match, entries: Sequence[Entry], top: int, say: Say, output: Console
) -> None:
    game, percent = match.game, partial(percent_text, say)

    def line_of(entry: Entry, why: Message) -> tuple[int, str]:
        """An action as it was told at the table, and what it did to the chances."""
        events = visible_to(match.history[entry.n - 1].step.events, SPECTATOR)
        happened = [say(event.message).rstrip(".") for event in events]
        return entry.n, ". ".join([*(happened or [entry.action]), say(why)])

    met = [each for pair in findings.card_pairs(entries) for each in pair]
    parts: dict[str, list[tuple[int, str]]] = {
        "mistakes": [
            line_of(e, findings.mistake_message(game, match.states[e.n - 1], e, percent))
            for e in mistakes(entries, top)
        ],
        "fortunes": [
            line_of(e, findings.luck_message(e, game.seats, percent))
            for e in lucky_swings(entries, top)
        ],
        "duels": [
            (
                e.n,
                f"{say(findings.card_message(e, percent))}  ({findings.mix_text(e.duel, percent)})",
            )
            for e in met
            if e.duel
        ],
    }
    for part, lines in parts.items():
        if lines:
            output.print(say(message(f"analysis.{part}")), style="bold")
        for n, line in lines:
            output.print(f"{n:>5}  {line}", markup=False, highlight=False)


def percent_text(say: Say, share: float) -> str:
    return say(message("report.chance", value=fixed_decimal(100 * share, 1)))
