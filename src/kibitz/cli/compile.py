"""Compiles everything that is compiled, once: what comes of it is kept (core/targets)."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from importlib.util import find_spec
from shutil import rmtree, which
from time import time

from kibitz.core.targets import CACHE_ROOT, build_native, has_numba, native_library
from kibitz.core.targets.sources import native_name, sources_digest, warm_modules

MAX_CACHE_AGE_S = 30 * 24 * 3600
"""Seconds after which the code of other sources is thrown away."""


def compile_all(for_jit: bool = False) -> Iterator[tuple[str, int]]:
    """The parts as they are done, each with how many there are.

    One native library if a linker is here, else what Numba keeps; nothing where Numba is missing.
    """
    if not for_jit and (native_library() or not has_numba()):
        return
    if not for_jit and (which("cc") or find_spec("ziglang")):
        path = CACHE_ROOT / sources_digest() / native_name()
        build_native(path)
        yield path.name, 1
    else:
        yield from _compile_for_jit()
    _delete_old_caches()


def _compile_for_jit() -> Iterator[tuple[str, int]]:
    """Several at once; bots come first: their code has the rules in it, and takes longest."""
    parts = sorted(warm_modules())
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=spawning) as pool:
        for done in as_completed([pool.submit(_warm_module, part) for part in parts]):
            yield done.result(), len(parts)


def _warm_module(part: str) -> str:
    from kibitz.core.targets import JIT, target_in_use

    with target_in_use(JIT):
        import_module(part).warm()
    return part


def _delete_old_caches() -> None:
    for folder in CACHE_ROOT.glob("*"):
        if time() - folder.stat().st_mtime > MAX_CACHE_AGE_S:
            rmtree(folder, ignore_errors=True)
