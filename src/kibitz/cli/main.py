"""The command `kibitz`.

Bad files, positions and options get one clear sentence on standard error and exit code 2.
"""

from __future__ import annotations

import io
import json
import os
import shlex
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from kibitz import __version__
from kibitz.cli import kahmate_duel
from kibitz.cli.records import (
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
from kibitz.cli.rules import answer_lines, refusal_sentence
from kibitz.core.colours import THEMES
from kibitz.core.drawing import Look, svg, with_theme_colours
from kibitz.core.game import SPECTATOR, Game, Rulebook, moves_in, visible_to
from kibitz.core.marks import with_last_move, with_marks
from kibitz.core.message import Message, Refused, message
from kibitz.core.record import START, first_state, read_record, verify, write_record
from kibitz.core.record_text import is_lines, write_lines
from kibitz.games import GAMES, game_of
from kibitz.i18n import say_in
from kibitz.server.admin import cli as admin_cli
from kibitz.server.admin.cli import DATA_HELP
from kibitz.table import Table, open_table
from kibitz.table import table_from_record as resume_table
from kibitz.table.reminders import EVERYBODY, NOBODY, Reminded

app = typer.Typer(
    name="kibitz",
    help="Play and study three board games: Kahmaté, Kalamala and AS-Kimble.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of: {', '.join(GAMES)}.")]
OptionTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="Set a rule option of the game, or a preset (french); repeatable.",
    ),
]
LineNumber = Annotated[
    int | None, typer.Option(min=1, help="Which record, in a file with one record per line.")
]
RecordFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A record file, or - for standard input.")
]
BOT_HELP = "NAME, FILE.py:FUNCTION or run:COMMAND, optionally with a budget: @0.5s or @2000n."
PORT_HELP = "Port to listen on; 0 picks a free one (KIBITZ_PORT, 8000)."


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            app()
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except Refused as refused:
        fail(refused.refusal)
    except BrokenPipeError:
        _discard_output()
        sys.exit(1)
    except OSError as error:
        _discard_output()
        fail(message("cli.cannot-go-on", why=error.strerror or str(error)))


def _discard_output() -> None:
    """Send what is still to be written nowhere, so that Python does not try again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def fail(why: Message) -> None:
    print(f"kibitz: {refusal_sentence(why)}", file=sys.stderr)
    sys.exit(2)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if show:
        print(f"kibitz {__version__}")
        raise typer.Exit


@app.command()
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


@app.command()
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


admin_cli.add_commands(app)


@app.command()
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
        register_guest_bots({bot: bot}, say_in("en"))
    seat = seat or seats[0]
    if seat not in seats:
        raise Refused(message("cli.seat", seat=seat, seats=", ".join(seats)))
    bots = {other: bot for other in seats if other != seat} if bot else {}
    if not has_terminal():
        raise Refused(message("cli.no-terminal"))
    if save:
        write_file(save, b"", add=True)
    from kibitz.terminal import play as play_here

    reminders = reminders or (EVERYBODY if bots or table.game.companion else NOBODY)
    played = play_here(table, bots, auto, is_reminded=reminders != NOBODY)
    print(table.game.notation.write_view(resume_table(table.game, played).view(SPECTATOR)))
    if save:
        write_file(save, (write_record(played) + "\n").encode())


@app.command()
def rules() -> None:
    """Answer questions about the rules: one JSON object per line in, one per line out."""
    if sys.stdin is None:
        raise Refused(message("cli.no-input"))
    for line in answer_lines(sys.stdin.buffer):
        print(line, flush=True)


@app.command("compile")
def compile_() -> None:
    """Compile the fast kernels ahead of time; anything up to date is skipped."""
    from rich.progress import Progress

    from kibitz.cli.compile import compile_all

    with Progress(transient=True) as progress:
        task = progress.add_task(say_in("en")(message("cli.compiling")), total=None)
        for _, count in compile_all():
            progress.update(task, total=count, advance=1)


@app.command()
def bench(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="Measure only this game.")] = "",
    seconds: Annotated[float, typer.Option(help="Seconds per game.")] = 5.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure random play, next to OpenSpiel if it is installed."""
    from kibitz.cli.bench import measure_speed

    say, names = say_in("en"), [find_rulebook(game).name] if game else list(GAMES)
    measured = [measure_speed(name, seconds) for name in names]
    if as_json:
        print(json.dumps({each.game: each.as_json() for each in measured}))
        return
    for each in measured:
        title = message(f"{each.game}.title")
        print(say(message("cli.bench-game", game=title, **each.ours.as_texts())))
        if each.tries_per_s:
            print(say(message("cli.bench-tries", tries=f"{each.tries_per_s:,.0f}")))
        if each.theirs:
            told = {**each.theirs.as_texts(), "ratio": f"{each.ratio:.2f}"}
            print(say(message("cli.bench-peer", peer=each.peer, **told)))
    if not any(each.theirs for each in measured):
        print(say(message("cli.bench-alone")))


@app.command()
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
    look = Look(say_in("en", seat_names(table.game)), is_tall=portrait, has_labels=labels)
    picture = render_position(table, kind, look, tuple(select or ()), theme, width)
    if out:
        write_file(out, picture)
    else:
        sys.stdout.buffer.write(picture)


@app.command()
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
    told = kahmate_duel.as_json if as_json else kahmate_duel.as_text
    print(told(attacker, defender, hand, other_hand))


@app.command()
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
    print(say_in("en")(message("cli.new-game-done", folder=str(written))))


@app.command()
def report(
    game: GameName,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Number of games.")] = 200,
    bots: Annotated[
        str, typer.Option(help="One bot for all seats, or one per seat: random,greedy.")
    ] = "random",
    seed: Annotated[int, typer.Option(help="The same seed plays the same games.")] = 1,
    out: Annotated[Path, typer.Option(help="Output file.")] = Path("report.html"),
    processes: Annotated[int, typer.Option(min=0, help="Processes; 0 means one per core.")] = 0,
    rate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=CHANCE", help="Chance of an optional action (docs/report.md); repeatable."
        ),
    ] = None,
    option: OptionTexts = None,
) -> None:
    """Let bots play many games and write a page of plots and numbers.

    Rates are chances from 0 to 1; without one, the bot decides. See docs/report.md.
    """
    rulebook = find_rulebook(game)
    if find_spec("matplotlib") is None:
        raise Refused(message("report.no-matplotlib"))
    from rich.console import Console
    from rich.progress import track

    from kibitz.report.page import build_report as report_on
    from kibitz.report.playout import ReportPlan, bots_for, read_rates, summaries

    options = {**rulebook.bots_preset, **read_options(option, rulebook)}
    rules = rulebook.game(options)
    rates = read_rates(rules, rate or ())
    seated = bots_for(rules, bots)
    plan = ReportPlan(game=game, options=options, bots=seated, games=games, seed=seed, rates=rates)
    write_file(out, b"", add=True)
    say, errors = say_in("en"), Console(stderr=True)
    name = message(f"{game}.title")
    playing = track(
        summaries(plan, processes or os.cpu_count() or 1),
        say(message("report.playing", game=name)),
        total=games,
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )
    found = report_on(plan, list(playing))
    write_file(out, found.html.encode())
    print(say(message("report.written", file=str(out), n=games, game=name)))
    for what, number in found.headlines:
        print(f"  {what:<32} {number}")


class ArenaGroup(TyperGroup):
    """`kibitz arena` with a game and bots plays them; with the name of a command it runs that."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        is_command = bool(args) and args[0] in self.commands
        return super().parse_args(ctx, args if is_command else ["play", *args])


class ArenaPlayCommand(TyperCommand):
    """`--ray` may stand alone: a cluster of this machine."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        after = [*args[1:], "-"]
        alone = [i for i, each in enumerate(args) if each == "--ray" and after[i].startswith("-")]
        for index in reversed(alone):
            args.insert(index + 1, "local")
        return super().parse_args(ctx, args)


arena = typer.Typer()
app.add_typer(
    arena,
    name="arena",
    cls=ArenaGroup,
    help="Play bots against each other and rate them; `arena levels` rates our own.",
)


@arena.command("play", cls=ArenaPlayCommand)
def play_arena(
    game: GameName,
    bots: Annotated[list[str], typer.Argument(metavar="BOT...", help=BOT_HELP)],
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Games per pairing.")] = 100,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Only the first bot against each of the others.")
    ] = False,
    opening_plies: Annotated[
        int | None,
        typer.Option(min=0, max=100, help="Random plies per opening (4 for games without dice)."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same openings and dice.")] = 1,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 means one per core.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for the games.")
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(metavar="[ADDRESS]", help="Use a Ray cluster (a local one without ADDRESS)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    option: OptionTexts = None,
) -> None:
    """Play bots against each other in paired games and rate them.

    Run the same command again to resume. `kibitz arena levels` measures the levels of our own
    bots. See docs/arena.md.
    """
    rulebook = find_rulebook(game)
    from kibitz.arena.cli import ArenaInterrupted, run_arena
    from kibitz.arena.plan import ArenaPlan, default_plies

    options = {**rulebook.bots_preset, **read_options(option, rulebook)}
    rules = rulebook.game(options)
    plies = default_plies(rules) if opening_plies is None else opening_plies
    plan = ArenaPlan(
        game=game,
        options=dict(rules.options),
        bots=tuple(bots),
        games=games,
        seed=seed,
        gauntlet=gauntlet,
        plies=plies,
    )
    try:
        run_arena(plan, out, workers, ray, as_json)
    except ArenaInterrupted:
        raise typer.Exit(130) from None


@arena.command("levels")
def measure_levels(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help=f"Any of: {', '.join(GAMES)}; default all."),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option("--games", "-n", min=1, help="Games per pairing, instead of the default."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Output file.")] = Path("strength.md"),
    records: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the games.")] = Path(
        "strength"
    ),
    seed: Annotated[int, typer.Option(help="The same seed gives the same openings and dice.")] = 1,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 means one per core.")] = 0,
) -> None:
    """Measure how strong the levels of bots are, and write a page about it.

    Run the same command again to resume; sections about other games stay. See docs/arena.md.
    """
    chosen = games or list(GAMES)
    for name in chosen:
        find_rulebook(name)
    from kibitz.arena.cli import ArenaInterrupted
    from kibitz.arena.levels import StrengthRequest, measure_strength

    write_file(out, b"", add=True)
    typed = ["kibitz", "arena", "levels", *(games or ())]
    typed += ["--out", str(out), "--records", str(records)]
    typed += ["--games", str(count)] if count else []
    typed += ["--seed", str(seed)] if seed != 1 else []
    try:
        asked = StrengthRequest(chosen, records, count, seed, workers)
        page = measure_strength(asked, shlex.join(typed), read_file_text(out))
    except ArenaInterrupted:
        raise typer.Exit(130) from None
    write_file(out, page.encode())
    print(say_in("en")(message("arena.levels-written", file=str(out))))


@app.command(name="replay")
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
    say = say_in("en", seat_names(game))
    state = first_state(game, record)
    if at is not None and at > len(record.actions):
        raise Refused(message("cli.no-such-action", index=at, n=len(record.actions)))
    for number, played in enumerate(replay_steps(game, record), 1):
        if at is not None and number > at:
            break
        state = played.step.state
        if at is None:
            code = game.notation.write_action(played.step.action)
            told = "; ".join(say(event.message) for event in played.step.events)
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
            say(message("cli.does-not-follow", why=refusal_sentence(fault.refusal))),
            file=sys.stderr,
        )
        raise typer.Exit(1)


@app.command(name="verify")
def check_match(file: RecordFile, line: LineNumber = None) -> None:
    """Check a record: replay it and report the first action that is not legal."""
    text, say = read_file_text(file), say_in("en")
    lines = record_lines(text)
    if line is None and len(lines) > 1:
        for number, each in enumerate(lines, 1):
            record = read_record(each)
            if fault := find_fault(record):
                why = say(fault_message(record, fault))
                print(say(message("cli.line-does-not-follow", number=number, why=why)))
                raise typer.Exit(1)
        print(say(message("cli.lines-verified", n=len(lines))))
        return
    record = record_from_text(record_line(file, text, line))
    if fault := find_fault(record):
        print(say(fault_message(record, fault)))
        raise typer.Exit(1)
    result, n = json_text(record.result), len(record.actions)
    print(say(message("cli.verified", game=record.game, n=n, result=result)))
    if draws := seal_message(record):
        print(say(draws))


@app.command()
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
    record, say = read_record_file(file, line), say_in("en")
    if is_sealed(record):
        print(say(message("analysis.not-over")))
        raise typer.Exit(1)
    if fault := find_fault(record):
        print(say(fault_message(record, fault)))
        raise typer.Exit(1)
    from kibitz.analysis.cli import print_analysis as look_at
    from kibitz.analysis.evaluation import Budget

    budget = Budget(nodes, seconds) if nodes or seconds else None
    look_at(game_of(record), record, budget, top, as_json)


@app.command()
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


def has_terminal() -> bool:
    return bool(sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty())


def drop_none(chosen: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in chosen.items() if value is not None}


def find_rulebook(name: str) -> Rulebook:
    if name not in GAMES:
        raise Refused(message("record.game", game=name[:60], games=", ".join(GAMES)))
    return GAMES[name]


def read_options(given: list[str] | None, rulebook: Rulebook) -> dict[str, Any]:
    """`name=value`, the value as JSON where it is JSON, else as it stands; or the name of a preset
    of the game."""
    settings: dict[str, Any] = {}
    for each in given or []:
        name, equals, value = each.partition("=")
        if each in rulebook.named_presets:
            settings |= rulebook.named_presets[each]
            continue
        if not equals:
            raise Refused(message("cli.option", text=each[:60]))
        try:
            settings[name] = json.loads(value)
        except (ValueError, RecursionError):
            settings[name] = value
    return settings


def render_position(
    table: Table[Any, Any, Any],
    kind: str,
    look: Look,
    touched: tuple[str, ...],
    theme: str,
    width: int,
) -> bytes:
    view = table.view(SPECTATOR)
    offers = [offer for seat in table.game.seats for offer in table.offers(seat)] if touched else []
    left = [offer for offer in offers if offer.path[: len(touched)] == touched]
    if touched and not left:
        raise Refused(message("cli.nothing-to-choose", path=" ".join(touched)[:60]))
    if kind == "text":
        listed = (f"{' '.join(offer.actions)}  {look.say(offer.label)}" for offer in left)
        return "\n".join((table.game.ui.draw_text(view, look.say), *listed, "")).encode()
    drawing = table.game.ui.draw(view, look)
    if table.history:
        events = visible_to(table.history[-1].step.events, SPECTATOR)
        drawing = with_last_move(drawing, moves_in(events))
    if touched:
        drawing = with_marks(drawing, offers, touched)
    markup = with_theme_colours(svg(drawing, paper=True), theme)
    if kind == "svg":
        return (markup + "\n").encode()
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=markup, width=width))


def seat_names(game: Game[Any, Any, Any]) -> dict[str, str]:
    say = say_in("en")
    return {seat: say(message(f"{game.name}.seat-{seat}")) for seat in game.seats}


def json_text(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result)
