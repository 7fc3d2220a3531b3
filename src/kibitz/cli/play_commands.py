"""Commands that play: in the browser, for others, in the terminal."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli.arguments import (
    BOT_HELP,
    GameName,
    OptionTexts,
    find_rulebook,
    read_options,
)
from kibitz.core.game import SPECTATOR
from kibitz.core.message import Refused, message
from kibitz.core.record import START, write_record
from kibitz.games import game_of
from kibitz.i18n.shell import shell_language, shell_phrases
from kibitz.library.records import (
    read_record_file,
    write_file,
)
from kibitz.server.admin.cli import DATA_HELP
from kibitz.table import open_table
from kibitz.table import table_from_record as resume_table
from kibitz.table.reminders import EVERYBODY, NOBODY, Reminded

play_app = typer.Typer()


PORT_HELP = "Port to listen on; 0 picks a free one (KIBITZ_PORT, 8000)."


@play_app.command()
def play(
    port: Annotated[int | None, typer.Option(min=0, max=65535, help=PORT_HELP)] = None,
    data: Annotated[Path | None, typer.Option(metavar="FOLDER", help=DATA_HELP)] = None,
    browser: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the page in the browser.")
    ] = None,
) -> None:
    """Play in the browser: start a server on this machine and open the page.

    If the port is in use, another one is chosen.
    """
    from kibitz.server.run import run
    from kibitz.server.settings import settings_from

    chosen = {"port": port, "data": data, "open_browser": browser}
    run(replace(settings_from(), insists_on_port=False, **drop_none(chosen)))


@play_app.command()
def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on (127.0.0.1: this machine only).")
    ] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help=PORT_HELP)] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Allow others on your network, and print a QR code.")
    ] = False,
    data: Annotated[Path | None, typer.Option(metavar="FOLDER", help=DATA_HELP)] = None,
    browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in the browser.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Worker processes; more than one needs KIBITZ_REDIS_URL."),
    ] = None,
    log: Annotated[str | None, typer.Option(help="Log format: text or json.")] = None,
    log_requests: Annotated[
        bool | None, typer.Option("--log-requests", help="Log every request.")
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="NAME=BOT", help="Offer this bot to players (docs/bots.md)."),
    ] = None,
) -> None:
    """Host for others: start a server and log what it does.

    If the port you name is in use, it does not start. See docs/hosting.md.
    """
    from kibitz.bots.guest_bots import read_guest_bots
    from kibitz.server.run import run
    from kibitz.server.settings import checked_log, settings_from

    chosen = {
        "host": host,
        "port": port,
        "insists_on_port": None if port is None else True,
        "data": data,
        "workers": workers,
        "log": log and checked_log(log, "--log"),
        "log_requests": log_requests,
        "bots": read_guest_bots(bot) if bot else None,
    }
    settings = settings_from(lan=lan)
    run(replace(settings, open_browser=browser, is_verbose=True, **drop_none(chosen)))


@play_app.command()
def terminal(
    game: GameName,
    bot: Annotated[str, typer.Option(metavar="BOT", help=BOT_HELP)] = "",
    seat: Annotated[str, typer.Option(help="The seat you play against a bot.")] = "",
    start: Annotated[
        str, typer.Option(help="Start from this position; as-kimble also: R, B, Y, G, lots.")
    ] = START,
    resume: Annotated[Path | None, typer.Option(help="Resume the match in this record.")] = None,
    save: Annotated[Path | None, typer.Option(help="Write the record to this file.")] = None,
    auto: Annotated[
        bool, typer.Option(help="Play the only possible action automatically.")
    ] = False,
    reminders: Annotated[
        Reminded | None,
        typer.Option(
            help="Who sees what a player should remember, as the hembo call; nobody when people "
            "share the keyboard, everybody against a bot."
        ),
    ] = None,
    option: OptionTexts = None,
) -> None:
    """Play in the terminal, sharing one keyboard or against a bot."""
    rulebook = find_rulebook(game)
    if resume:
        if option or start != START:
            raise Refused(message("cli.resume-as-it-is"))
        record = read_record_file(resume)
        if record.game != game:
            raise Refused(message("cli.other-game", file=str(resume), game=record.game))
        table = resume_table(game_of(record), record)
    else:
        table = open_table(
            rulebook.game(rulebook.suggested_options(read_options(option, rulebook))),
            rulebook.start_position(start),
        )
    from kibitz.bots.guest_bots import register_guest_bots
    from kibitz.bots.registry import BOTS, bots_for_game

    seats, known = table.game.seats, bots_for_game(game)
    if bot in BOTS and bot not in known:
        raise Refused(message("cli.bot", bot=bot, bots=", ".join(known)))
    if bot and bot not in BOTS:
        register_guest_bots({bot: bot}, shell_phrases())
    seat = seat or seats[0]
    if seat not in seats:
        raise Refused(message("cli.seat", seat=seat, seats=", ".join(seats)))
    bots = {other: bot for other in seats if other != seat} if bot else {}
    if not has_terminal():
        raise Refused(message("cli.no-terminal"))
    if save:
        write_file(save, b"", add=True)
    from kibitz.bots.compilation import build_behind
    from kibitz.terminal import play as play_here

    reminders = reminders or (EVERYBODY if bots or table.game.companion else NOBODY)
    is_reminded = reminders != NOBODY
    with build_behind() if bots else nullcontext():
        played = play_here(table, bots, auto, shell_language(), is_reminded=is_reminded)
    print(table.game.notation.write_view(resume_table(table.game, played).view(SPECTATOR)))
    if save:
        write_file(save, (write_record(played) + "\n").encode())


def has_terminal() -> bool:
    return bool(sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty())


def drop_none(chosen: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in chosen.items() if value is not None}
