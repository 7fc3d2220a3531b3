"""Commands for developers: the rules as a filter, kernels, duels, new games."""

from __future__ import annotations

import sys
from pathlib import Path
from time import sleep
from typing import Annotated

import typer

from kibitz.cli import kahmate_duel
from kibitz.cli.rules import answer_lines
from kibitz.core.message import Refused, message
from kibitz.i18n.shell import shell_phrases

developer_app = typer.Typer()
PROGRESS_DELAY_S = 0.2


@developer_app.command()
def rules() -> None:
    """Answer questions about the rules: one JSON object per line in, one per line out."""
    if sys.stdin is None:
        raise Refused(message("cli.no-input"))
    for line in answer_lines(sys.stdin.buffer):
        print(line, flush=True)


@developer_app.command("compile")
def compile_() -> None:
    """Compile the kernels and bots ahead of time, unless that is done."""
    from rich.progress import Progress

    from kibitz.bots import compilation
    from kibitz.core.targets import native_library

    if native_library():
        return
    compilation.require_compiler(wanted_by="kibitz compile")
    with compilation.building_process() as process, Progress(transient=True) as progress:
        task = progress.add_task(shell_phrases()(message("cli.compiling")), total=100)
        while process.poll() is None:
            progress.update(task, completed=compilation.built_percent())
            sleep(PROGRESS_DELAY_S)
    if process.returncode:
        raise typer.Exit(process.returncode)


@developer_app.command()
def solve_duel(
    attacker: Annotated[
        str, typer.Argument(metavar="MAN", help="The attacking man: S, T, F, C or O.")
    ],
    defender: Annotated[str, typer.Argument(metavar="MAN", help="The defending man.")],
    hand: Annotated[str, typer.Argument(metavar="HAND", help="The attacker's cards.")] = "123456",
    other_hand: Annotated[
        str, typer.Argument(metavar="HAND", help="The defender's cards.")
    ] = "123456",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Solve a Kahmaté duel: how often to play each card, and what that is worth.

    Both if only this duel counts and if every duel counts until the hands are refilled.
    """
    duel = attacker, defender, hand, other_hand
    print(kahmate_duel.as_json(*duel) if as_json else kahmate_duel.as_text(*duel, shell_phrases()))


@developer_app.command()
def new_game(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Lower-case letters, digits and dashes.")
    ],
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Output folder; ./NAME if omitted.")
    ] = None,
) -> None:
    """Write the folder of a new game: a small one you can install and replace by your own.

    See docs/adding-a-game.md.
    """
    from kibitz.cli.new_game import write_new_game

    written = write_new_game(name, folder or Path(name))
    print(shell_phrases()(message("cli.new-game-done", folder=str(written))))
