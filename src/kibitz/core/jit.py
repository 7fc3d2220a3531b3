"""The one door to Numba: what is compiled, and how, is decided here.

Compiled code is kept between runs. Numba looks only at the file a function is in, while a function
holds whatever it calls from other files; so the folder it is kept in is named after all of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar, cast, get_type_hints

import numba
import numpy as np
from numba import njit

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE_FOLDER = Path(__file__).parents[1]


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


def jit(function: F) -> F:
    """Compile `function` when it is first called; to the type checker it stays what it was.

    The interpreter's lock is given up inside: other threads go on meanwhile.
    """
    return cast(F, njit(cache=True, nogil=True)(function))


def jit_inline(function: F) -> F:
    """Compile a function as `jit` does and inline it where it is called: arrays handed over
    are dear, in a loop above all."""
    return cast(F, njit(cache=True, nogil=True, forceinline=True)(function))


def compiled_sources() -> tuple[Path, ...]:
    """Every file with compiled functions, and every file of ours that one of them imports."""
    texts = {path: path.read_text() for path in PACKAGE_FOLDER.rglob("*.py")}
    doors = [text for text in texts.values() if "from kibitz.core.jit import" in text]
    names = {name for text in doors for name in re.findall(r"^from kibitz\.([\w.]+) ", text, re.M)}
    imported = {PACKAGE_FOLDER / f"{name.replace('.', '/')}.py" for name in names}
    return tuple(sorted(path for path, text in texts.items() if path in imported or text in doors))


def _cache_folder() -> Path:
    digest = sha256(f"{numba.__version__} {settings.BOUNDSCHECK}".encode())
    for path in compiled_sources():
        digest.update(path.read_bytes())
    return CACHE_ROOT / digest.hexdigest()[:16]


settings: Any = numba.config
CACHE_ROOT = (
    Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kibitz" / "compiled"
)
"""Where compiled code is kept, a folder for each state of the sources."""
if not os.environ.get("NUMBA_CACHE_DIR"):
    settings.CACHE_DIR = str(_cache_folder())

i64 = cast(Callable[[Any], int], np.int64)
"""An integer of one type on every path, and of the type that comes in from Python."""
u64 = cast(Callable[[Any], int], np.uint64)
"""Sixty-four bits: a board, a hash, the state of a die. `wide + 1` would no longer be one."""
