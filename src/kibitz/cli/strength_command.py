"""The command `kibitz strength`."""

from __future__ import annotations

import json
import os
from typing import Annotated

import typer

from kibitz.cli.arguments import find_rulebook
from kibitz.games import GAMES
from kibitz.i18n.shell import shell_phrases

strength_app = typer.Typer()


@strength_app.command()
def strength(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Any of: {games}; default all."),
    ] = None,
    count: Annotated[
        int, typer.Option("--games", "-n", min=1, help="Number of games of each.")
    ] = 400,
    seconds: Annotated[
        float, typer.Option(min=0.001, help="Seconds per decision, the same for both.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same openings and dice.")] = 1,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 means one per core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play level 6 against level 5 at equal time, and print by how much it is stronger.

    Run the same command again to resume. See docs/arena.md.
    """
    names = [find_rulebook(name).name for name in games or GAMES]
    from rich.console import Console

    from kibitz.arena.cli import ArenaInterrupted
    from kibitz.arena.comparison import comparison_plan, play_comparison, print_comparisons

    say, found = shell_phrases(), []
    try:
        for name in dict.fromkeys(names):
            plan = comparison_plan(name, seconds, count, seed)
            found.append(play_comparison(plan, workers or os.cpu_count() or 1, say))
    except ArenaInterrupted:
        raise typer.Exit(130) from None
    if as_json:
        print(json.dumps([each.json for each in found]))
        return
    # Where nobody looks at a terminal, lines are as long as they have to be.
    print_comparisons(found, say, Console() if Console().is_terminal else Console(width=200))
