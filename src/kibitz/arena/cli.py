"""What `kibitz arena` does."""

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

from kibitz.arena.match import Written
from kibitz.arena.plan import Match, Plan, check, schedule
from kibitz.arena.ranking import Entry, entry_of, standing
from kibitz.arena.runner import played_here
from kibitz.arena.store import GAMES, Folder, opened
from kibitz.arena.tables import as_json, show
from kibitz.core.message import Say, message
from kibitz.i18n import say_in


class Stopped(Exception):
    """By Ctrl-C; everything that was finished is kept."""


def hold(
    plan: Plan,
    out: Path | None = None,
    workers: int = 0,
    ray: str | None = None,
    is_json: bool = False,
) -> None:
    """Play what is missing, and print how all of them stand. `ray` is where, if not here."""
    check(plan)
    say, console = say_in("en"), Console(stderr=True)
    path, workers = out or usual_folder(plan), workers or os.cpu_count() or 1
    with opened(path, plan) as folder:
        try:
            entries = all_played(plan, folder, workers, ray, say, console)
        except KeyboardInterrupt:
            console.print(say(message("arena.stopped", folder=str(path))), highlight=False)
            raise Stopped from None
    found = standing(plan, entries)
    if is_json:
        print(json.dumps(as_json(plan, found), ensure_ascii=False))
        return
    # Where nobody looks at a terminal, lines are as long as they have to be.
    output = Console() if Console().is_terminal else Console(width=200)
    show(plan, found, say, output)
    output.print(say(message("arena.kept", file=str(path / GAMES))), markup=False, highlight=False)


def usual_folder(plan: Plan) -> Path:
    """Always the same for the same plan, so that the same command goes on where it was cut."""
    known = {**plan.json, "games": 0}
    mark = sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:8]
    return Path(f"arena-{plan.game}-{mark}")


def all_played(
    plan: Plan, folder: Folder, workers: int, ray: str | None, say: Say, console: Console
) -> list[Entry]:
    """What was played before, and now what is missing."""
    matches = {match.number: match for match in schedule(plan)}
    finished = (entry_of(plan, record) for record in folder.finished())
    entries = {entry.number: entry for entry in finished if entry.number in matches}
    missing = [match for number, match in matches.items() if number not in entries]
    with _progress(console) as bar:
        task = bar.add_task(
            say(message("arena.playing", game=message(f"{plan.game}.title"))),
            total=len(matches),
            completed=len(entries),
        )
        with closing(_played(plan, missing, workers, ray)) as playing:
            for written in playing:
                entry = entry_of(plan, json.loads(written.record))
                if entry.number not in entries:
                    folder.add(written)
                    entries[entry.number] = entry
                bar.update(task, completed=len(entries))
    return list(entries.values())


def _played(plan: Plan, missing: list[Match], workers: int, ray: str | None) -> Generator[Written]:
    if missing and ray is None:
        yield from played_here(plan, missing, min(workers, len(missing)))
    elif missing and ray is not None:
        from kibitz.arena.ray_runner import played_over_ray

        yield from played_over_ray(plan, missing, ray)


def _progress(console: Console) -> Progress:
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
