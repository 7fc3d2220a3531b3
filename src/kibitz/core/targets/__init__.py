"""One door to every target: a kernel function runs as what this process has for it.

The same source runs as plain Python, compiled when it is first called (Numba), from a library that
was compiled ahead of time, as WebAssembly and on a graphics card. A process takes the library if
the digest of the sources in its name fits, else Numba if that is installed, else plain Python;
`KIBITZ_TARGET` names another choice. All of them give the same answers, bit for bit, so that a
process can go over from one to another between two calls.

Importing this loads neither Numba nor LLVM.
"""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial, update_wrapper
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from kibitz.core.targets.library import Library
from kibitz.core.targets.sources import CACHE_ROOT, native_library

__all__ = [
    "CACHE_ROOT",
    "CUDA",
    "JIT",
    "NATIVE",
    "PYTHON",
    "UNKEPT_JIT",
    "KernelFunction",
    "answer_at_once",
    "build_native",
    "chosen_target",
    "door_in_use",
    "has_numba",
    "native_library",
    "take_library",
    "target_in_use",
    "targets_here",
    "wanted_target",
]

PYTHON, JIT, NATIVE, CUDA = "python", "jit", "native", "cuda"
UNKEPT_JIT = "unkept-jit"
"""As JIT, but nothing is kept between runs: what a library is made of (ir.py)."""
Run = Callable[..., Any]


class KernelFunction:
    """A function of a kernel or of a search, written once for every target."""

    def __init__(self, function: FunctionType, is_inline: bool) -> None:
        update_wrapper(self, function)
        self.function, self.is_inline = function, is_inline
        self.name = f"{function.__module__}.{function.__qualname__}"
        self._versions: dict[str, Run] = {}
        self._run: Run = self._run_first

    def __call__(self, *values: Any) -> Any:
        return self._run(*values)

    def __repr__(self) -> str:
        return f"<kernel function {self.name}>"

    def _run_first(self, *values: Any) -> Any:
        self._run = _door(self)
        _opened.append(self)
        return self._run(*values)

    def bind(self, *values: Any) -> Run:
        """A call with these values, again and again: they are taken apart once, so that their
        memory has to stay where it is."""
        run = _door(self)
        bind = getattr(run, "bind", None)
        bound: Run = bind(*values) if bind else partial(run, *values)
        return bound

    def close_door(self) -> None:
        """Choose anew at the next call."""
        self._run = self._run_first

    def version(self, target: str) -> Run:
        """This function for a target, and all that it calls for the same one."""
        if target not in self._versions:
            if target == NATIVE:
                self._versions[target] = _native_version(self)
            else:
                self._rebind(target)
        return self._versions[target]

    def _rebind(self, target: str) -> None:
        """The same code over other globals: what it calls is of the same target."""
        source = self.function
        scope: dict[str, Any] = {"__builtins__": builtins, "__name__": source.__module__}
        made = FunctionType(source.__code__, scope, source.__name__, source.__defaults__)
        made.__qualname__, made.__module__ = source.__qualname__, source.__module__
        self._versions[target] = _COMPILERS[target](made, self.is_inline)
        for name in set(_names_in(source.__code__)) & source.__globals__.keys():
            value = source.__globals__[name]
            is_ours = isinstance(value, KernelFunction)
            scope[name] = value.version(target) if is_ours else value


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


# The target of this process


@cache
def has_numba() -> bool:
    return find_spec("numba") is not None


def wanted_target() -> str | None:
    """The target that somebody has named; None where it is ours to choose."""
    wanted = os.environ.get("KIBITZ_TARGET") or None
    if wanted not in (None, PYTHON, JIT, NATIVE):
        raise ValueError(f"KIBITZ_TARGET is python, jit or native, not {wanted}")
    return wanted


@cache
def chosen_target() -> str:
    if wanted := wanted_target():
        return wanted
    if native_library():
        return NATIVE
    return JIT if has_numba() and not _has_to_answer_at_once else PYTHON


_has_to_answer_at_once = False


def answer_at_once() -> None:
    """Run as plain Python in this process until there is a native library: nobody waits for a
    compiler."""
    global _has_to_answer_at_once
    _has_to_answer_at_once = True
    chosen_target.cache_clear()
    _close_doors()


def take_library() -> None:
    """Go over from plain Python to the native library, if there is one by now."""
    if chosen_target() == PYTHON and not wanted_target() and native_library():
        chosen_target.cache_clear()
        _close_doors()


def _opened_for(function: KernelFunction, target: str) -> Run:
    run = function.version(target)
    return _without_overflow_warnings(run) if target == PYTHON else run


def _open_door(function: KernelFunction) -> Run:
    return _opened_for(function, chosen_target())


def targets_here() -> list[str]:
    """The targets that this process can run on, the plainest first."""
    found = {PYTHON: True, JIT: has_numba(), NATIVE: native_library() is not None}
    return [target for target, is_here in found.items() if is_here]


_door: Callable[[KernelFunction], Run] = _open_door
_opened: list[KernelFunction] = []


@contextmanager
def door_in_use(door: Callable[[KernelFunction], Run]) -> Iterator[None]:
    """Meanwhile what `door` returns of a function runs when it is called from Python."""
    global _door
    before, _door = _door, door
    _close_doors()
    try:
        yield
    finally:
        _door = before
        _close_doors()


def target_in_use(target: str) -> AbstractContextManager[None]:
    """Meanwhile everything runs on this target."""
    return door_in_use(lambda function: _opened_for(function, target))


def _close_doors() -> None:
    for function in _opened:
        function.close_door()
    _opened.clear()


def _without_overflow_warnings(run: Run) -> Run:
    """Numbers of 64 bits wrap around in every target; NumPy alone warns of it."""

    def quiet_run(*values: Any) -> Any:
        with np.errstate(over="ignore"):
            return run(*values)

    return quiet_run


def _native_version(function: KernelFunction) -> Run:
    """Its entry in the library. What is no entry runs as Python, and what it calls natively."""
    entry = _library().entry(function.name)
    if entry:
        return entry
    if has_numba():
        return function.version(JIT)
    return _without_overflow_warnings(function.function)


@cache
def _library() -> Library:
    path = native_library()
    if not path:
        raise RuntimeError("There is no native library of these sources: run `kibitz compile`.")
    return Library(path)


# Versions of one function


def _python_version(function: FunctionType, is_inline: bool) -> Run:
    return function


def _jit_version(function: FunctionType, is_inline: bool) -> Run:
    """The interpreter's lock is given up inside: other threads go on meanwhile."""
    from kibitz.core.targets.numba_settings import njit

    made: Run = njit(cache=True, nogil=True, forceinline=is_inline)(function)
    return made


def _unkept_jit_version(function: FunctionType, is_inline: bool) -> Run:
    from numba import njit

    made: Run = njit(nogil=True, forceinline=is_inline)(function)
    return made


def _cuda_version(function: FunctionType, is_inline: bool) -> Run:
    from numba import cuda

    made: Run = cuda.jit(device=True, forceinline=is_inline)(function)
    return made


_COMPILERS: dict[str, Callable[[FunctionType, bool], Run]] = {
    PYTHON: _python_version,
    JIT: _jit_version,
    UNKEPT_JIT: _unkept_jit_version,
    CUDA: _cuda_version,
}


def build_native(path: Path, triple: str | None = None) -> None:
    """Write the library of all kernels and searches, for this machine or another one.

    `triple` is Zig's name of a machine, such as `aarch64-linux-gnu`.
    """
    from kibitz.core.targets.build import build_library

    build_library(path, triple)
