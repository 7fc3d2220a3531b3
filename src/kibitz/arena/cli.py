"""The command `kibitz arena`."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from kibitz.arena.match import FinishedMatch
from kibitz.arena.plan import ArenaPlan, Match, check_plan, schedule
from kibitz.arena.ranking import MatchEntry, compute_ranking, match_entry
from kibitz.arena.runner import play_locally
from kibitz.arena.store import GAMES_FILE, ArenaFolder, open_folder
from kibitz.arena.tables import print_ranking, ranking_json
from kibitz.core.message import Say, message


class ArenaInterrupted(Exception):
    """By Ctrl-C; everything that was finished is kept."""


def run_arena(
    plan: ArenaPlan,
    say: Say,
    out: Path | None = None,
    workers: int = 0,
    ray: str | None = None,
    is_json: bool = False,
) -> None:
    """Play what is missing, and print how all of them stand. `ray` is where, if not here."""
    check_plan(plan)
    console = Console(stderr=True)
    path, workers = out or default_folder(plan), workers or os.cpu_count() or 1
    with open_folder(path, plan) as folder:
        try:
            entries = play_missing(plan, folder, workers, ray, say, console)
        except KeyboardInterrupt:
            console.print(say(message("arena.stopped", folder=str(path))), highlight=False)
            raise ArenaInterrupted from None
    found = compute_ranking(plan, entries)
    if is_json:
        print(json.dumps(ranking_json(plan, found), ensure_ascii=False))
        return
    # Where nobody looks at a terminal, lines are as long as they have to be.
    output = Console() if Console().is_terminal else Console(width=200)
    print_ranking(plan, found, say, output)
    output.print(
        say(message("arena.kept", file=str(path / GAMES_FILE))), markup=False, highlight=False
    )


def default_folder(plan: ArenaPlan) -> Path:
    """Always the same for the same plan, so that the same command goes on where it was cut."""
    known = {**plan.json, "games": 0}
    mark = sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:8]
    return Path(f"arena-{plan.game}-{mark}")


def play_missing(
    plan: ArenaPlan, folder: ArenaFolder, workers: int, ray: str | None, say: Say, console: Console
) -> list[MatchEntry]:
    """The matches played before, and those that are missing, played now."""
    matches = {match.number: match for match in schedule(plan)}
    finished = (match_entry(plan, record) for record in folder.finished_records())
    entries = {entry.number: entry for entry in finished if entry.number in matches}
    missing = [match for number, match in matches.items() if number not in entries]
    with _progress_bar(console) as bar:
        task = bar.add_task(
            say(message("arena.playing", game=message(f"{plan.game}.title"))),
            total=len(matches),
            completed=len(entries),
        )
        with closing(_play_matches(plan, missing, workers, ray)) as playing:
            for written in playing:
                entry = match_entry(plan, json.loads(written.record))
                if entry.number not in entries:
                    folder.append_match(written)
                    entries[entry.number] = entry
                bar.update(task, completed=len(entries))
    return list(entries.values())


def _play_matches(
    plan: ArenaPlan, missing: list[Match], workers: int, ray: str | None
) -> Generator[FinishedMatch]:
    if missing and ray is None:
        yield from play_locally(plan, missing, min(workers, len(missing)))
    elif missing and ray is not None:
        from kibitz.arena.ray_runner import play_over_ray

        yield from play_over_ray(plan, missing, ray)


def _progress_bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
