"""The command that draws a position."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.arguments import (
    GameName,
    OptionTexts,
    find_rulebook,
    read_options,
)
from kibitz.core.colours import THEMES
from kibitz.core.drawing import Look
from kibitz.core.message import Refused, message
from kibitz.core.record import START
from kibitz.i18n.shell import phrases_for_seats
from kibitz.library.drawings import render_position
from kibitz.library.records import (
    write_file,
)
from kibitz.table import open_table

draw_app = typer.Typer()


@draw_app.command()
def draw(
    game: GameName,
    position: Annotated[
        str, typer.Argument(help="A position; the starting position if omitted.")
    ] = START,
    out: Annotated[Path | None, typer.Option(help="Output file: .svg, .png or .txt.")] = None,
    kind: Annotated[str, typer.Option("--format", help="Output format: svg, png or text.")] = "",
    theme: Annotated[str, typer.Option(help="Colours: light or dark.")] = "light",
    width: Annotated[int, typer.Option(min=16, max=8000, help="Width of a PNG in pixels.")] = 900,
    portrait: Annotated[
        bool, typer.Option("--portrait", help="Use the portrait layout for phones.")
    ] = False,
    labels: Annotated[bool, typer.Option(help="Label files and ranks.")] = True,
    action: Annotated[
        list[str] | None,
        typer.Option("--action", "-a", help="Play this action first; the last one is marked."),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", "-s", help="Show what can be chosen after this element (sq-e4)."),
    ] = None,
    option: OptionTexts = None,
) -> None:
    """Draw a position as SVG, PNG or text."""
    rulebook = find_rulebook(game)
    table = open_table(rulebook.game(read_options(option, rulebook)), position)
    for text in action or []:
        table, _ = table.act(
            table.game.rules.actor_of(table.state, table.game.notation.read_action(text)), text
        )
    suffixes = {".svg": "svg", ".png": "png", ".txt": "text"}
    kind = kind or (suffixes.get(out.suffix.lower(), out.suffix) if out else "text")
    if kind not in suffixes.values():
        raise Refused(message("cli.picture", kind=kind))
    if theme not in THEMES:
        raise Refused(message("cli.theme", theme=theme, themes=", ".join(THEMES)))
    if kind == "png" and out is None and sys.stdout.isatty():
        raise Refused(message("cli.png-to-terminal"))
    look = Look(phrases_for_seats(table.game), is_tall=portrait, has_labels=labels)
    picture = render_position(table, kind, look, tuple(select or ()), theme, width)
    if out:
        write_file(out, picture)
    else:
        sys.stdout.buffer.write(picture)
