"""Verification of a data set: every file, every record and every position."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.jit import Numbers
from kibitz.core.message import Message, Refused, Say, message
from kibitz.core.record import Record, read_record
from kibitz.dataset.folder import (
    MANIFEST_FILE,
    MATCHES_FILE,
    digest_of,
    matches_of,
    read_manifest,
)
from kibitz.dataset.make import DatasetCounts
from kibitz.dataset.positions import Position, positions_of, shard_arrays
from kibitz.games import GAMES, extra_of
from kibitz.i18n.shell import refusal_sentence
from kibitz.learn.setup import Setup, setup_of
from kibitz.library.records import fault_message, find_fault


class DatasetFault(Exception):
    """The first thing that is wrong with a data set."""

    def __init__(self, fault: Message) -> None:
        super().__init__(fault.id)
        self.fault = fault


def verify_dataset(path: Path, say: Say) -> DatasetCounts:
    """Replay everything; raises DatasetFault with a sentence about the first fault, and Refused
    where there is no data set at all."""
    manifest = read_manifest(path)
    setup = _setup(manifest)
    _check_files(path, manifest)
    shards = sorted(name for name in manifest["files"] if name != MATCHES_FILE)
    verified = _Matches(path, manifest, setup, say)
    positions, found = verified.positions(), 0
    for name in shards:
        wanted = list(islice(positions, int(manifest["files"][name]["count"])))
        _compare_shard(path / name, shard_arrays(setup, wanted))
        found += len(wanted)
    found += sum(1 for _ in positions)
    _compare_counts("matches", int(manifest["matches"]), verified.count)
    _compare_counts("positions", int(manifest["positions"]), found)
    return DatasetCounts(verified.count, found)


def _setup(manifest: dict[str, Any]) -> Setup:
    """The game that the manifest names, as it is played here."""
    name = str(manifest["game"])
    if name not in GAMES:
        raise Refused(message("record.game", game=name[:60], games=", ".join(GAMES)))
    if extra_of(name, "kernel") is None:
        raise Refused(message("dataset.no-kernel", game=message(f"{name}.title")))
    try:
        setup = setup_of(name, manifest["options"])
    except Refused:
        raise
    except (ValueError, TypeError, KeyError):  # Options that no kernel plays under.
        raise Refused(message("dataset.bad-manifest", file=MANIFEST_FILE)) from None
    if setup.kernel.name != manifest["kernel"] or setup.game.version != manifest["rules"]:
        raise DatasetFault(message("dataset.other-kernel", kernel=str(manifest["kernel"])[:60]))
    return setup


def _check_files(path: Path, manifest: dict[str, Any]) -> None:
    for name, told in manifest["files"].items():
        if not (path / name).is_file():
            raise DatasetFault(message("dataset.file-missing", file=name))
        if digest_of(path / name) != told["sha256"]:
            raise DatasetFault(message("dataset.digest", file=name))
    for each in sorted(path.glob("positions-*.npz")):
        if each.name not in manifest["files"]:
            raise DatasetFault(message("dataset.file-extra", file=each.name))


class _Matches:
    """The records of a data set, replayed one after another."""

    def __init__(self, path: Path, manifest: dict[str, Any], setup: Setup, say: Say) -> None:
        self._path, self._manifest, self._setup, self._say = path, manifest, setup, say
        self.count = 0

    def positions(self) -> Iterator[Position]:
        try:
            for line in matches_of(self._path):
                self.count += 1
                yield from self._positions_of(line)
        except (OSError, EOFError, zlib.error, UnicodeDecodeError):
            raise DatasetFault(message("dataset.unreadable", file=MATCHES_FILE)) from None

    def _positions_of(self, line: str) -> list[Position]:
        say = self._say
        try:
            record = read_record(line)
            fault = find_fault(record)
            why = say(fault_message(record, fault, say)) if fault else ""
        except Refused as refused:
            why = refusal_sentence(refused.refusal, say)
        if why:
            raise DatasetFault(message("dataset.match", number=self.count, why=why))
        if not self._is_as_told(record):
            raise DatasetFault(message("dataset.other-rules", number=self.count))
        try:
            return list(positions_of(self._setup, record))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise DatasetFault(message("dataset.evaluations", number=self.count)) from None

    def _is_as_told(self, record: Record) -> bool:
        game = self._setup.game
        told = record.game, record.rules, dict(record.options)
        return told == (game.name, game.version, dict(game.options))


def _compare_shard(path: Path, wanted: dict[str, Numbers]) -> None:
    try:
        with np.load(path, allow_pickle=False) as shard:
            found = {name: shard[name] for name in shard.files}
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile, zlib.error):
        raise DatasetFault(message("dataset.unreadable", file=path.name)) from None
    if found.keys() != wanted.keys():
        raise DatasetFault(message("dataset.unreadable", file=path.name))
    for name, array in wanted.items():
        is_float = array.dtype.kind == "f"
        same = found[name].dtype == array.dtype and np.array_equal(
            found[name], array, equal_nan=is_float
        )
        if not same:
            raise DatasetFault(message("dataset.positions-differ", file=path.name, array=name))


def _compare_counts(what: str, told: int, found: int) -> None:
    if told != found:
        raise DatasetFault(message(f"dataset.count-{what}", told=told, found=found))
