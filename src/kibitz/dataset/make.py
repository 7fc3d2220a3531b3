"""Plays the matches of a data set, as an arena does, and writes it."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from kibitz.arena.cli import ArenaInterrupted, play_missing
from kibitz.arena.plan import ArenaPlan, check_plan, schedule
from kibitz.arena.store import BOT_LOG_FILE, GAMES_FILE, open_folder
from kibitz.core.message import Refused, Say, message
from kibitz.core.record import read_record
from kibitz.dataset.folder import (
    MANIFEST_FILE,
    MATCHES_FILE,
    WORK_FOLDER,
    matches_of,
    shard_length,
    shard_name,
    write_manifest,
    write_shard,
)
from kibitz.dataset.positions import Position, positions_of, shard_arrays
from kibitz.games import extra_of
from kibitz.learn.setup import Setup, setup_of


class DatasetCounts(NamedTuple):
    matches: int
    positions: int


def make_dataset(
    plan: ArenaPlan,
    out: Path,
    say: Say,
    command: str = "",
    workers: int = 0,
    ray: str | None = None,
) -> DatasetCounts:
    """Play what is missing, then write the data set. A run that was stopped goes on when it is
    asked for again; a folder with a data set, or with something else, is refused."""
    check_plan(plan, least_bots=1)
    if extra_of(plan.game, "kernel") is None:
        raise Refused(message("dataset.no-kernel", game=message(f"{plan.game}.title")))
    _check_folder(out)
    setup, console = setup_of(plan.game, plan.options), Console(stderr=True)
    work = out / WORK_FOLDER
    with open_folder(work, plan) as folder:
        try:
            play_missing(plan, folder, workers or os.cpu_count() or 1, ray, say, console)
        except KeyboardInterrupt:
            console.print(say(message("arena.stopped", folder=str(out))), highlight=False)
            raise ArenaInterrupted from None
        counts = {MATCHES_FILE: _write_matches(plan, work / GAMES_FILE, out / MATCHES_FILE)}
        counts |= _write_positions(setup, out)
        if (work / BOT_LOG_FILE).exists():
            shutil.copyfile(work / BOT_LOG_FILE, out / BOT_LOG_FILE)
        write_manifest(out, plan, setup, command, counts)
    shutil.rmtree(work)
    matches = counts.pop(MATCHES_FILE)
    return DatasetCounts(matches, sum(counts.values()))


def _check_folder(out: Path) -> None:
    if (out / MANIFEST_FILE).exists():
        raise Refused(message("dataset.exists", folder=str(out)))
    if out.is_file() or (out.is_dir() and any(out.iterdir()) and not (out / WORK_FOLDER).is_dir()):
        raise Refused(message("dataset.not-empty", folder=str(out)))


def _write_matches(plan: ArenaPlan, games: Path, target: Path) -> int:
    """The matches of the plan in its order, however they were finished; how many they are."""
    places: dict[int, int] = {}
    with games.open("rb") as source, target.open("wb") as file:
        at = 0
        for line in source:
            places.setdefault(json.loads(line)["arena"]["number"], at)
            at += len(line)
        # No name and no time in it: the same matches are the same file.
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            numbers = [match.number for match in schedule(plan)]
            for number in numbers:
                source.seek(places[number])
                packed.write(source.readline())
    return len(numbers)


def _write_positions(setup: Setup, out: Path) -> dict[str, int]:
    """Shards of as many positions as fit; how many there are in each."""
    for old in out.glob("positions-*.npz"):
        old.unlink()  # Of a run that was stopped while it wrote them.
    counts: dict[str, int] = {}
    positions = _all_positions(setup, out)
    while shard := list(islice(positions, shard_length(setup))):
        name = shard_name(len(counts))
        write_shard(out / name, shard_arrays(setup, shard))
        counts[name] = len(shard)
    return counts


def _all_positions(setup: Setup, out: Path) -> Iterator[Position]:
    for line in matches_of(out):
        yield from positions_of(setup, read_record(line))
