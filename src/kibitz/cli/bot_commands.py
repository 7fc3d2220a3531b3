"""Commands that let bots play: arena, levels, report, and how fast random play is."""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from kibitz.cli.arguments import (
    BOT_HELP,
    GameName,
    OptionTexts,
    find_rulebook,
    read_options,
)
from kibitz.core.message import Refused, fixed_decimal, message
from kibitz.games import GAMES
from kibitz.i18n import FALLBACK
from kibitz.i18n.shell import shell_language, shell_phrases
from kibitz.library.records import (
    read_file_text,
    write_file,
)

if TYPE_CHECKING:
    from kibitz.arena.plan import ArenaPlan

bot_app = typer.Typer()
arena = typer.Typer()


@bot_app.command()
def bench(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="Measure only this game.")] = "",
    seconds: Annotated[
        float, typer.Option(min=0.001, help="Seconds per game; with --learn, per figure.")
    ] = 5.0,
    learn: Annotated[
        bool, typer.Option("--learn", help="Measure the batches of kibitz.learn instead.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure random play, next to OpenSpiel if it is installed.

    With --learn, measure environments for learners next to OpenSpiel's, PettingZoo's and
    Gymnasium's (docs/learning.md).
    """
    say, names = shell_phrases(), [find_rulebook(game).name] if game else list(GAMES)
    if learn:
        _print_learning(names, seconds, as_json)
        return
    from kibitz.cli.bench import measure_speed

    measured = [measure_speed(name, seconds) for name in names]
    if as_json:
        print(json.dumps({each.game: each.as_json() for each in measured}))
        return
    for each in measured:
        title = message(f"{each.game}.title")
        print(say(message("cli.bench-game", game=title, **each.ours.as_values())))
        if each.tries_per_s:
            print(say(message("cli.bench-tries", tries=fixed_decimal(each.tries_per_s))))
        for rate in each.targets:
            print(say(message("cli.bench-target", **rate.as_values(each.targets))))
        if each.theirs:
            told = {**each.theirs.as_values(), "ratio": fixed_decimal(each.ratio or 0, 2)}
            print(say(message("cli.bench-peer", peer=each.peer, **told)))
    if not any(each.theirs for each in measured):
        print(say(message("cli.bench-alone")))
    wasm, cuda = "bench/webassembly.py", "tools/cuda_matches.py"
    print(say(message("cli.bench-elsewhere", wasm=wasm, cuda=cuda)))


def _print_learning(names: list[str], seconds: float, as_json: bool) -> None:
    from kibitz.cli.bench_learn import as_values, measure_learning

    found, say = measure_learning(names, seconds), shell_phrases()
    if as_json:
        print(json.dumps(found.as_json()))
        return
    print(say(message("cli.bench-learn-head", target=found.target)))
    for name, rates in found.games.items():
        title = message(f"{name}.title")
        print(say(message("cli.bench-learn-game", game=title, **as_values(rates))))
    for peer, steps in found.peers.items():
        print(say(message("cli.bench-learn-peer", peer=peer, steps=fixed_decimal(steps))))
    for peer, package in found.absent.items():
        print(say(message("cli.bench-learn-absent", peer=peer, package=package)))


@bot_app.command()
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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
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
    say, errors = shell_phrases(), Console(stderr=True)
    name = message(f"{game}.title")
    playing = track(
        summaries(plan, processes or os.cpu_count() or 1),
        say(message("report.playing", game=name)),
        total=games,
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )
    played = list(playing)
    found = report_on(plan, played, shell_language())
    write_file(out, found.html.encode())
    if as_json:
        english = report_on(plan, played, FALLBACK) if shell_language() != FALLBACK else found
        numbers = dict(english.headlines)
        print(json.dumps({"file": str(out), "game": game, "games": games, "headlines": numbers}))
        return
    print(say(message("report.written", file=str(out), n=games, game=name)))
    width = max(len(what) for what, _ in found.headlines)
    for what, number in found.headlines:
        print(f"  {what:<{width}} {number}")


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


bot_app.add_typer(
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
    forgetful: Annotated[
        bool, typer.Option("--forgetful", help="Bots forget what to say, as they do at a table.")
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
    plan = arena_plan(game, bots, games, opening_plies, seed, option)
    plan = replace(plan, gauntlet=gauntlet, forgets=forgetful)
    from kibitz.arena.cli import ArenaInterrupted, run_arena

    try:
        run_arena(plan, shell_phrases(), out, workers, ray, as_json)
    except ArenaInterrupted:
        raise typer.Exit(130) from None


def arena_plan(
    game: str,
    bots: list[str],
    games: int,
    opening_plies: int | None,
    seed: int,
    option: list[str] | None,
) -> ArenaPlan:
    """The plan for these bots, under the options that bots play with where none is given."""
    rulebook = find_rulebook(game)
    from kibitz.arena.plan import ArenaPlan, default_plies

    rules = rulebook.game({**rulebook.bots_preset, **read_options(option, rulebook)})
    plies = default_plies(rules) if opening_plies is None else opening_plies
    options = dict(rules.options)
    return ArenaPlan(
        game=game, options=options, bots=tuple(bots), games=games, seed=seed, plies=plies
    )


@arena.command("levels")
def measure_levels(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Any of: {games}; default all."),
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
        page = measure_strength(asked, shell_phrases(), shlex.join(typed), read_file_text(out))
    except ArenaInterrupted:
        raise typer.Exit(130) from None
    write_file(out, page.encode())
    print(shell_phrases()(message("arena.levels-written", file=str(out))))
