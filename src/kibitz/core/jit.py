"""The one door to Numba: what is compiled, and how, is decided here.

Without Numba (the extra `jit`), or with NUMBA_DISABLE_JIT=1, the functions are plain Python.

Compiled code is kept between runs. Numba looks only at the file a function is in, while a function
holds whatever it calls from other files; so the folder it is kept in is named after all of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar, cast, get_type_hints

import numpy as np
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE_FOLDER = Path(__file__).parents[1]


def _may_compile() -> bool:
    is_wanted = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
    return is_wanted and find_spec("numba") is not None


HAS_JIT = _may_compile()
"""True if functions are compiled; plain Python does the same a hundred times slower."""
if not HAS_JIT:
    # Numbers of 64 bits wrap around on purpose.
    np.seterr(over="ignore")

Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]
I64: TypeAlias = Annotated[int, np.int64]
U64: TypeAlias = Annotated[int, np.uint64]
F64: TypeAlias = Annotated[float, np.float64]
U8: TypeAlias = Annotated[int, np.uint8]


def record_dtype(fields: type) -> np.dtype[Any]:
    """The dtype of a record with the fields of a Protocol, each `Annotated` by dtype and shape.

    A record is handed over as one address, where each array is copied.
    """
    hints = get_type_hints(fields, include_extras=True)
    return np.dtype([(name, *hint.__metadata__) for name, hint in hints.items()], align=True)


def turn_off() -> None:
    """Compile nothing that is imported from now on."""
    global HAS_JIT
    HAS_JIT = False
    np.seterr(over="ignore")


def jit(function: F) -> F:
    """Compile `function` when it is first called; to the type checker it stays what it was.

    The interpreter's lock is given up inside: other threads go on meanwhile.
    """
    return cast(F, _numba().njit(cache=True, nogil=True)(function)) if HAS_JIT else function


def jit_inline(function: F) -> F:
    """Compile a function as `jit` does and inline it where it is called: arrays handed over
    are dear, in a loop above all."""
    if not HAS_JIT:
        return function
    return cast(F, _numba().njit(cache=True, nogil=True, forceinline=True)(function))


def compiled_sources() -> tuple[Path, ...]:
    """Every file with compiled functions, and every file of ours that one of them imports."""
    texts = {path: path.read_text("utf-8") for path in PACKAGE_FOLDER.rglob("*.py")}
    doors = [text for text in texts.values() if "from kibitz.core.jit import" in text]
    names = {name for text in doors for name in re.findall(r"^from kibitz\.([\w.]+) ", text, re.M)}
    imported = {PACKAGE_FOLDER / f"{name.replace('.', '/')}.py" for name in names}
    return tuple(sorted(path for path, text in texts.items() if path in imported or text in doors))


CACHE_ROOT = user_cache_path("kibitz", appauthor=False) / "compiled"
"""Where compiled code is kept, a folder for each state of the sources."""


@cache
def cache_folder() -> Path | None:
    """The folder of what is compiled from these sources; None where nothing is compiled."""
    if not HAS_JIT:
        return None
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen)
    digest = sha256(f"{version('numba')} {os.environ.get('NUMBA_BOUNDSCHECK')}".encode())
    for path in compiled_sources():
        digest.update(path.read_bytes())
    return CACHE_ROOT / digest.hexdigest()[:16]


@cache
def _numba() -> Any:
    numba = import_module("numba")
    numba.config.CACHE_DIR = str(cache_folder())
    return numba


i64 = cast(Callable[[Any], int], np.int64)
"""An integer of one type on every path, and of the type that comes in from Python."""
u64 = cast(Callable[[Any], int], np.uint64)
"""Sixty-four bits: a board, a hash, the state of a die. `wide + 1` would no longer be one."""
