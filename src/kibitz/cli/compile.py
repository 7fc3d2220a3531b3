"""Compiles everything that is compiled, once: what comes of it is kept (core/jit.py)."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from shutil import rmtree
from time import time

from kibitz.games import GAMES

MAX_CACHE_AGE_S = 30 * 24 * 3600
"""Seconds after which the code of other sources is thrown away."""


def compile_all() -> Iterator[tuple[str, int]]:
    """The parts as they are done, each with how many there are; several at once."""
    parts = sorted(_module_names())
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=spawning) as pool:
        for done in as_completed([pool.submit(_warm_module, part) for part in parts]):
            yield done.result(), len(parts)
    _delete_old_caches()


def _module_names() -> Iterator[str]:
    """Bots come first: their code has the rules in it, and takes longest."""
    for rulebook in GAMES.values():
        yield from (rulebook.extras[part] for part in ("bots", "kernel") if part in rulebook.extras)


def _warm_module(part: str) -> str:
    import_module(part).warm()
    return part


def _delete_old_caches() -> None:
    from kibitz.core.jit import CACHE_ROOT

    for folder in CACHE_ROOT.glob("*"):
        if time() - folder.stat().st_mtime > MAX_CACHE_AGE_S:
            rmtree(folder, ignore_errors=True)
