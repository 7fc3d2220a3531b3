"""Commands that make and check data sets."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.arguments import BOT_HELP, GameName, OptionTexts
from kibitz.cli.bot_commands import ArenaPlayCommand, arena_plan
from kibitz.core.message import message
from kibitz.i18n import FALLBACK, say_in
from kibitz.i18n.shell import shell_phrases

dataset_app = typer.Typer()
dataset = typer.Typer(no_args_is_help=True)
dataset_app.add_typer(
    dataset, name="dataset", help="Make and check data sets: matches of bots, and their positions."
)


@dataset.command("make", cls=ArenaPlayCommand)
def make(
    game: GameName,
    bots: Annotated[list[str], typer.Argument(metavar="BOT...", help=BOT_HELP)],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the data set.")],
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, help="Games per pairing; of one bot, games.")
    ] = 100,
    opening_plies: Annotated[
        int | None,
        typer.Option(min=0, max=100, help="Random plies per opening (4 for games without dice)."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same openings and dice.")] = 1,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 means one per core.")] = 0,
    ray: Annotated[
        str | None,
        typer.Option(metavar="[ADDRESS]", help="Use a Ray cluster (a local one without ADDRESS)."),
    ] = None,
    option: OptionTexts = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let bots play each other, or one bot itself, and keep every position as numbers.

    Run the same command again to resume. See docs/datasets.md.
    """
    plan = replace(arena_plan(game, bots, games, opening_plies, seed, option), evaluations=True)
    from kibitz.arena.cli import ArenaInterrupted
    from kibitz.dataset.make import make_dataset

    typed = ["kibitz", "dataset", "make", game, *bots, "-n", str(games), "--seed", str(seed)]
    typed += ["--opening-plies", str(plan.plies), "--out", str(out)]
    typed += [word for each in option or () for word in ("-o", each)]
    say = shell_phrases()
    try:
        made = make_dataset(plan, out, say, shlex.join(typed), workers, ray)
    except ArenaInterrupted:
        raise typer.Exit(130) from None
    if as_json:
        print(json.dumps({"folder": str(out), **made._asdict()}))
        return
    print(say(message("dataset.made", folder=str(out), **made._asdict())))


@dataset.command("verify")
def verify(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A data set.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check a data set: digests, every record, and every position against its record."""
    from kibitz.dataset.verify import DatasetFault, verify_dataset

    say = say_in(FALLBACK) if as_json else shell_phrases()
    try:
        found = verify_dataset(folder, say)
    except DatasetFault as wrong:
        fault = say(wrong.fault)
        print(json.dumps({"status": "error", "fault": fault}) if as_json else fault)
        raise typer.Exit(1) from None
    if as_json:
        print(json.dumps({"status": "ok", **found._asdict()}))
        return
    print(say(message("dataset.verified", **found._asdict())))
