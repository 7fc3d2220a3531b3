"""Commands that make puzzles and prove them again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.arguments import GameName, find_rulebook
from kibitz.core.message import Refused, message
from kibitz.i18n.shell import shell_phrases

puzzle_app = typer.Typer()
puzzles = typer.Typer(no_args_is_help=True)
puzzle_app.add_typer(puzzles, name="puzzles", help="Make puzzles, and prove them again.")


@puzzles.command("make")
def make(
    game: GameName,
    count: Annotated[
        int, typer.Option("--count", "-n", min=1, help="Puzzles that the file is to have.")
    ] = 100,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File to write; without it, the one Kibitz comes with."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed that a new file begins with.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Make puzzles from games of a bot with itself, and prove each of them.

    Run the same command again to go on where it stopped. See docs/puzzles.md.
    """
    from kibitz.puzzles.make import make_puzzles
    from kibitz.puzzles.puzzle import Collection, collection_file

    find_rulebook(game)
    file, say = out or collection_file(game), shell_phrases()

    def show_progress(made: Collection) -> None:
        told = message("puzzles.progress", n=len(made.puzzles), of=count, seed=made.next_seed)
        print(say(told), file=sys.stderr, flush=True)

    made = make_puzzles(game, count, file, seed, show_progress)
    n = len(made.puzzles)
    if as_json:
        print(json.dumps({"file": str(file), "n": n, "next_seed": made.next_seed}))
        return
    print(say(message("puzzles.made", file=str(file), n=n)))


@puzzles.command("verify")
def verify(
    game: GameName,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A file of puzzles; without it, Kibitz's own."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Prove every puzzle of a file again: one best action, and no other."""
    from kibitz.puzzles.make import unproved_puzzles
    from kibitz.puzzles.puzzle import collection_file, read_collection

    find_rulebook(game)
    path, say = file or collection_file(game), shell_phrases()
    if not path.exists():
        raise Refused(message("puzzles.no-file", file=str(path)))
    collection = read_collection(game, path.read_text("utf-8"))
    faults = []
    for number, (puzzle, is_wrong) in enumerate(unproved_puzzles(collection), 1):
        if is_wrong:
            faults.append(puzzle.id)
        elif number % 50 == 0:
            told = message("puzzles.proved", n=number, of=len(collection.puzzles))
            print(say(told), file=sys.stderr, flush=True)
    if as_json:
        print(json.dumps({"n": len(collection.puzzles), "unproved": faults}))
    elif faults:
        print(say(message("puzzles.unproved", ids=", ".join(faults))))
    else:
        print(say(message("puzzles.verified", n=len(collection.puzzles))))
    if faults:
        raise typer.Exit(1)
