"""Disks that fail while somebody uses them, as far as this machine lets us make them fail."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SIZE = 4 << 20
LEFT = 32 << 10
"""A process that is limited may still write files of this size: its log, and no database."""


@contextmanager
def mount_disk(folder: Path) -> Iterator[Path]:
    """A small disk of its own; skips the test where we may not mount one."""
    folder.mkdir()
    made = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "kibitz", str(folder)]
    if os.geteuid() or subprocess.run(made, capture_output=True).returncode:
        pytest.skip("a disk can be mounted by root only")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Until nothing more fits; the file to remove."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        size = 1 << 16
        while size:
            try:
                file.write(bytes(size))
            except OSError:
                size //= 2
    return filler


def limit(pid: int, size: int = LEFT) -> None:
    """No file may grow beyond that: as on a full disk, for one process."""
    _, most = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, most))


def unlimit(pid: int) -> None:
    limit(pid, resource.RLIM_INFINITY)


def lock(folder: Path) -> None:
    """Nobody may write to a database in a folder, whoever has it open; or the test is skipped.

    What its users share in memory (-shm) stays: that is no writing to them.
    """
    files = [str(each) for each in folder.glob("*.db*") if each.suffix != ".db-shm"]
    chattr = shutil.which("chattr")
    if not chattr or subprocess.run([chattr, "+i", *files], capture_output=True).returncode:
        pytest.skip("files cannot be made immutable here: that takes root and a disk that can")


def unlock(folder: Path) -> None:
    subprocess.run(["chattr", "-i", *map(str, folder.iterdir())], check=False, capture_output=True)


def remount(folder: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)
