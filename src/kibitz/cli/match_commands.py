"""Commands about a recorded match."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli.arguments import (
    LineNumber,
    RecordFile,
)
from kibitz.core.game import SPECTATOR
from kibitz.core.message import Refused, message
from kibitz.core.record import Record, first_state, read_record, verify, write_record
from kibitz.core.record_text import is_lines, write_lines
from kibitz.games import game_of
from kibitz.i18n import FALLBACK, say_in
from kibitz.i18n.grammar import join_sentences
from kibitz.i18n.shell import phrases_for_seats, refusal_sentence, shell_phrases
from kibitz.library.records import (
    fault_message,
    find_fault,
    is_sealed,
    read_file_text,
    read_record_file,
    record_from_text,
    record_line,
    record_lines,
    replay_steps,
    seal_message,
    write_file,
)

match_app = typer.Typer()


@match_app.command(name="replay")
def tell_match(
    file: RecordFile,
    at: Annotated[
        int | None, typer.Option(min=0, help="Show only the position after this many actions.")
    ] = None,
    boards: Annotated[bool, typer.Option("--boards", help="Draw every position.")] = False,
    line: LineNumber = None,
) -> None:
    """Replay a recorded match: every action as a sentence, and the final position."""
    record = read_record_file(file, line)
    game = game_of(record)
    say = phrases_for_seats(game)
    state = first_state(game, record)
    if at is not None and at > len(record.actions):
        raise Refused(message("cli.no-such-action", index=at, n=len(record.actions)))
    for number, played in enumerate(replay_steps(game, record, say), 1):
        if at is not None and number > at:
            break
        state = played.step.state
        if at is None:
            code = game.notation.write_action(played.step.action)
            told = join_sentences([say(event.message) for event in played.step.events])
            print(f"{number:>4}  {code:<12} {told}")
        if boards and at is None:
            print("\n" + game.ui.draw_text(game.rules.view(state, SPECTATOR, ()), say) + "\n")
    if not boards or at is not None:
        print(
            ("\n" if at is None else "")
            + game.ui.draw_text(game.rules.view(state, SPECTATOR, ()), say)
        )
    print(game.notation.write_state(state))
    if at is None and (fault := verify(game, record)):
        print(
            say(message("cli.does-not-follow", why=refusal_sentence(fault.refusal, say))),
            file=sys.stderr,
        )
        raise typer.Exit(1)


@match_app.command(name="verify")
def check_match(
    file: RecordFile,
    line: LineNumber = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check a record: replay it and report the first action that is not legal."""
    text, say = read_file_text(file), shell_phrases()
    lines = record_lines(text)
    if as_json:
        is_whole_file = line is None and len(lines) > 1
        texts = lines if is_whole_file else [record_line(file, text, line)]
        print_verdict([record_from_text(each) for each in texts])
        return
    if line is None and len(lines) > 1:
        for number, each in enumerate(lines, 1):
            record = read_record(each)
            if fault := find_fault(record):
                why = say(fault_message(record, fault, say))
                print(say(message("cli.line-does-not-follow", number=number, why=why)))
                raise typer.Exit(1)
        print(say(message("cli.lines-verified", n=len(lines))))
        return
    record = record_from_text(record_line(file, text, line))
    if fault := find_fault(record):
        print(say(fault_message(record, fault, say)))
        raise typer.Exit(1)
    result, n = json_text(record.result), len(record.actions)
    print(say(message("cli.verified", game=record.game, n=n, result=result)))
    if draws := seal_message(record):
        print(say(draws))


def print_verdict(records: Sequence[Record]) -> None:
    """Print as JSON whether records follow the rules, and the first fault. Exit code 1 if not."""
    say = say_in(FALLBACK)
    for number, record in enumerate(records, 1):
        if fault := find_fault(record):
            why = say(fault_message(record, fault, say))
            print(
                json.dumps({"is_valid": False, "records": len(records), "line": number, "why": why})
            )
            raise typer.Exit(1)
    print(json.dumps({"is_valid": True, "records": len(records)}))


@match_app.command()
def analyse(
    file: RecordFile,
    nodes: Annotated[
        int | None, typer.Option(min=100, help="Positions to search per decision.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.01, help="Or seconds per decision.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many of the largest swings to list.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    line: LineNumber = None,
) -> None:
    """Analyse a finished match: winning chances, better actions, the largest swings.

    With a number of nodes the same is found again on any machine. See docs/analysis.md.
    """
    if nodes is not None and seconds is not None:
        raise Refused(message("cli.nodes-or-seconds"))
    record, say = read_record_file(file, line), shell_phrases()
    if is_sealed(record):
        print(say(message("analysis.not-over")))
        raise typer.Exit(1)
    if fault := find_fault(record):
        print(say(fault_message(record, fault, say)))
        raise typer.Exit(1)
    from kibitz.analysis.cli import print_analysis as look_at
    from kibitz.analysis.evaluation import Budget

    budget = Budget(nodes, seconds) if nodes or seconds else None
    game = game_of(record)
    look_at(game, record, phrases_for_seats(game), budget, top, as_json)


@match_app.command()
def convert(
    file: RecordFile,
    out: Annotated[Path | None, typer.Option(help="Output file.")] = None,
) -> None:
    """Convert a record file to lines of text, or back."""
    text = read_file_text(file)
    record = record_from_text(text)
    made = write_record(record) + "\n" if is_lines(text) else write_lines(record)
    if out:
        write_file(out, made.encode())
    else:
        print(made, end="")


def json_text(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result)
