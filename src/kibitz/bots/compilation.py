"""Building the native library of all kernels and bots, once, behind whoever plays meanwhile.

It is built in a process of its own, `python -m` this. Until it is there, bots run as plain Python:
every level answers in its time, and looks less far ahead.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree, which
from time import sleep, time
from typing import Any

from kibitz.core.extras import import_extra
from kibitz.core.file_lock import lock_file
from kibitz.core.targets import (
    PYTHON,
    answer_at_once,
    build_native,
    chosen_target,
    has_numba,
    native_library,
    wanted_target,
)
from kibitz.core.targets.orphans import exit_with_parent
from kibitz.core.targets.sources import CACHE_ROOT, build_folder, built_percent, native_name

__all__ = ["built_percent"]

MAX_CACHE_AGE_S = 30 * 24 * 3600
"""Seconds after which the code of other sources is thrown away."""
NICENESS = 10
"""The steps by which a building process lets others go first."""
LOCK_POLL_S = 1.0
COMMAND = (sys.executable, "-m", "kibitz.bots.compilation")
"""Builds (`main`); whoever starts it holds its standard input open."""
BEHIND = "--behind"
"""Said to COMMAND, it lets others go first."""
LOW_PRIORITY_FLAG = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
"""The same on Windows."""


def runs_compiled() -> bool:
    """True if the kernels of this process are compiled, and not plain Python."""
    return chosen_target() != PYTHON


def is_library_missing() -> bool:
    """True if bots would be better with a library that can be built here."""
    return not wanted_target() and has_numba() and not native_library()


def require_compiler(wanted_by: str) -> None:
    """Raise Refused if what builds the library is not installed."""
    import_extra("numba", "jit", wanted_by)
    if not which("cc"):
        import_extra("ziglang", "wheels", wanted_by)


@contextmanager
def build_behind() -> Iterator[None]:
    """Let the bots of this process answer at once: as plain Python where there is no library yet,
    while another process builds it for as long as this block runs."""
    if not is_library_missing():
        yield
        return
    answer_at_once()
    with building_process(BEHIND, creationflags=LOW_PRIORITY_FLAG, stderr=subprocess.DEVNULL):
        yield


@contextmanager
def building_process(*said: str, **settings: Any) -> Iterator[subprocess.Popen[bytes]]:
    """The process that builds the library; it ends with this block."""
    command = (*COMMAND, *said)
    with subprocess.Popen(command, stdin=subprocess.PIPE, **settings) as process:
        try:
            yield process
        finally:
            process.kill()


def main() -> None:
    """Build the library: alone on this machine, and not without its parent.

    If another process is at it, it is waited for: it may end before it is done.
    """
    exit_with_parent()
    if BEHIND in sys.argv and hasattr(os, "nice"):
        os.nice(NICENESS)
    folder = build_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a+b") as file:
        while not lock_file(file):
            sleep(LOCK_POLL_S)
        if not native_library():
            build_native(folder / native_name())
    os.utime(folder)
    _delete_old_caches(folder)


def _delete_old_caches(current: Path) -> None:
    for folder in CACHE_ROOT.glob("*"):
        if folder != current and time() - folder.stat().st_mtime > MAX_CACHE_AGE_S:
            rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
