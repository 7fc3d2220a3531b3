"""Compiling the engines of bots, once: what comes of it is kept.

A server does it in a process of its own, `python -m` this, while people play. Bots whose engine is
not compiled yet run as plain Python: every level answers in its time, and looks less far ahead.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import as_completed
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from threading import Thread
from time import sleep, time
from typing import Any

from kibitz.bots.pool import process_pool
from kibitz.core.extras import import_extra
from kibitz.core.file_lock import lock_file
from kibitz.games import GAMES

PLAIN_PYTHON = {"KIBITZ_TARGET": "python", "NUMBA_DISABLE_JIT": "1"}
"""Variables under which a process compiles nothing."""
MAX_CACHE_AGE_S = 30 * 24 * 3600
"""Seconds after which the code of other sources is thrown away."""
NICENESS = 10
"""How much a compiling process lets others go first."""
LOCK_POLL_S = 1.0
COMMAND = (sys.executable, "-m", "kibitz.bots.compilation")
"""Compiles beside others (`main`); whoever starts it holds its standard input open."""
LOW_PRIORITY_FLAG = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
"""Lets others go first on Windows; elsewhere `main` sees to that."""


def runs_compiled() -> bool:
    """True if the kernels of this process are compiled, and not plain Python."""
    targets = _targets()
    if targets:
        return bool(targets.chosen_target() != targets.PYTHON)
    return bool(_jit().HAS_JIT)


def use_plain_python() -> None:
    """Compile nothing in this process, nor in those that it starts; before any kernel is there."""
    os.environ.update(PLAIN_PYTHON)
    targets = _targets()
    if targets:
        targets.chosen_target.cache_clear()
    else:
        _jit().turn_off()


@contextmanager
def compile_behind(game: str) -> Iterator[None]:
    """Let the bots of this process answer at once: as plain Python where their engine is not
    compiled yet, while another process sees to that, for the next time."""
    if game not in uncompiled_games():
        yield
        return
    with subprocess.Popen(
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=LOW_PRIORITY_FLAG,
    ) as process:
        use_plain_python()
        try:
            yield
        finally:
            process.kill()


def uncompiled_games() -> frozenset[str]:
    """The games whose engine has to be compiled before its bots are at their best."""
    folder = _compiled_folder()
    if folder is None:
        return frozenset()
    return frozenset(
        name
        for name, rulebook in GAMES.items()
        if "bots" in rulebook.extras and not _stamp(folder, rulebook.extras["bots"]).exists()
    )


def compiled_percent() -> int:
    """How much is compiled, counted in functions; 100 only when all of it is."""
    folder = _compiled_folder()
    if folder is None or not uncompiled_games():
        return 100
    version = "".join(map(str, sys.version_info[:2]))
    done = sum(1 for _ in folder.rglob(f"*.py{version}.nbi"))
    return min(99, 100 * done // _function_count())


def compile_all() -> Iterator[tuple[str, int]]:
    """The parts as they are done, each with how many there are; several at once.

    Raises Refused where there is no compiler.
    """
    import_extra("numba", "jit", wanted_by="kibitz compile")
    parts = sorted(_module_names())
    with process_pool(min(len(parts), os.cpu_count() or 1)) as pool:
        try:
            for done in as_completed([pool.submit(_warm_module, part) for part in parts]):
                yield done.result(), len(parts)
        except BaseException:  # Ctrl-C, too, which they leave to us.
            for process in multiprocessing.active_children():
                process.terminate()
            raise
    if folder := _compiled_folder():
        os.utime(folder)
        _delete_old_caches(folder)


def _module_names() -> Iterator[str]:
    """Bots come first: their code has the rules in it, and takes longest."""
    for rulebook in GAMES.values():
        yield from (rulebook.extras[part] for part in ("bots", "kernel") if part in rulebook.extras)


def _warm_module(part: str) -> str:
    import_module(part).warm()
    if folder := _compiled_folder():
        folder.mkdir(parents=True, exist_ok=True)
        _stamp(folder, part).touch()
    return part


def _stamp(folder: Path, part: str) -> Path:
    """The file that says of a module that all of it is compiled, for this Python."""
    return folder / f"{part}.{sys.implementation.cache_tag}.done"


@cache
def _compiled_folder() -> Path | None:
    """The folder of what is compiled from these sources; None where nothing has to be."""
    targets = _targets()
    if targets is None:
        found: Path | None = _jit().cache_folder()
        return found
    if targets.chosen_target() != targets.JIT:
        return None
    sources = import_module("kibitz.core.targets.sources")
    return Path(sources.CACHE_ROOT, sources.sources_digest())


@cache
def _function_count() -> int:
    names = _targets() and import_module("kibitz.core.targets.sources")
    sources = (names or _jit()).compiled_sources()
    return sum(len(re.findall(r"^@jit", path.read_text("utf-8"), re.M)) for path in sources) or 1


def _targets() -> Any:
    """The module that chooses between targets, where there is one."""
    try:
        return import_module("kibitz.core.targets")
    except ModuleNotFoundError:
        return None


def _jit() -> Any:
    return import_module("kibitz.core.jit")


def _delete_old_caches(current: Path) -> None:
    for folder in current.parent.glob("*"):
        if time() - folder.stat().st_mtime > MAX_CACHE_AGE_S:
            rmtree(folder, ignore_errors=True)


def main() -> None:
    """Compile beside a server: alone on this machine, behind all others, and not without it.

    Whoever starts this holds its standard input open. If another process is at it, it is waited
    for: it may end before it is done.
    """
    Thread(target=_exit_with_input, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    folder = _compiled_folder()
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a+b") as file:
        while not lock_file(file):
            sleep(LOCK_POLL_S)
        if uncompiled_games():
            for _ in compile_all():
                pass


def _exit_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    main()
