"""The folder of a data set: records, shards of positions, and the manifest that names them.

The manifest is written last: a folder with one is whole.
"""

from __future__ import annotations

import gzip
import json
import platform
import re
from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path
from typing import Any

import numpy as np

import kibitz
from kibitz.arena.plan import ArenaPlan
from kibitz.core.jit import Numbers
from kibitz.core.message import Refused, message
from kibitz.learn.setup import Setup

FORMAT_VERSION = 1
MANIFEST_FILE = "manifest.json"
MATCHES_FILE = "matches.jsonl.gz"
SHARD_NAME = re.compile(r"positions-\d{4,}\.npz")
WORK_FOLDER = "unfinished"
"""The arena's folder, until all matches are played."""
SHARD_BYTES = 1 << 25
"""States in a shard, in bytes of memory."""
MAX_LINE_BYTES = 50_000_000


def shard_name(number: int) -> str:
    return f"positions-{number:04}.npz"


def shard_length(setup: Setup) -> int:
    return max(1, SHARD_BYTES // setup.kernel.state.itemsize)


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def matches_of(path: Path) -> Iterator[str]:
    """The records of a data set, each a line."""
    with gzip.open(path / MATCHES_FILE, "rb") as file:
        while line := file.readline(MAX_LINE_BYTES):
            yield line.decode()


def write_shard(path: Path, arrays: dict[str, Numbers]) -> None:
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def write_manifest(
    path: Path, plan: ArenaPlan, setup: Setup, command: str, counts: dict[str, int]
) -> None:
    """`counts` are the matches or positions of each file."""
    files = {
        name: {"count": n, "bytes": (path / name).stat().st_size, "sha256": digest_of(path / name)}
        for name, n in counts.items()
    }
    told = {
        "kibitz_dataset": FORMAT_VERSION,
        "command": command,
        "versions": {
            "kibitz": kibitz.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
        "game": plan.game,
        "rules": setup.game.version,
        "options": dict(setup.game.options),
        "kernel": setup.kernel.name,
        "state_bytes": setup.kernel.state.itemsize,
        "bots": list(plan.bots),
        "seed": plan.seed,
        "matches": counts[MATCHES_FILE],
        "positions": sum(counts.values()) - counts[MATCHES_FILE],
        "files": files,
    }
    fresh = path / f"{MANIFEST_FILE}.new"
    fresh.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")
    fresh.replace(path / MANIFEST_FILE)


def read_manifest(path: Path) -> dict[str, Any]:
    """Raises Refused where there is none, or where it is something else."""
    file = path / MANIFEST_FILE
    if not file.is_file():
        why = "dataset.unfinished" if (path / WORK_FOLDER).is_dir() else "dataset.no-manifest"
        raise Refused(message(why, folder=str(path)))
    try:
        told = json.loads(file.read_text("utf-8"))
        _check_manifest(told)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise Refused(message("dataset.bad-manifest", file=str(file))) from None
    return dict(told)


def _check_manifest(told: Any) -> None:
    """Raises what it is that does not fit."""
    if told["kibitz_dataset"] != FORMAT_VERSION or MATCHES_FILE not in told["files"]:
        raise ValueError
    for name, each in told["files"].items():
        if name != MATCHES_FILE and not SHARD_NAME.fullmatch(name):
            raise ValueError(name)
        int(each["count"]), str(each["sha256"])
    dict(told["options"]), str(told["game"]), str(told["rules"]), str(told["kernel"])
    int(told["matches"]), int(told["positions"])
