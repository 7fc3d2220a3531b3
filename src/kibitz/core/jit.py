"""The words that compiled code is written in: `jit`, the types of numbers, and records of them.

Which target a function runs on is decided behind it (core/targets).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeAlias, TypeVar, cast, get_type_hints

import numpy as np

from kibitz.core.targets import KernelFunction

F = TypeVar("F", bound=Callable[..., Any])

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
    """Compile `function` for the target of this process; to the type checker it stays what it was.

    Its numbers are `i64`, `u64` and floats. Its memory belongs to the caller: it allocates none.
    """
    return cast(F, KernelFunction(cast(Any, function), is_inline=False))


def jit_inline(function: F) -> F:
    """Compile a function as `jit` does and inline it where it is called: arrays handed over
    are dear, in a loop above all."""
    return cast(F, KernelFunction(cast(Any, function), is_inline=True))


i64 = cast(Callable[[Any], int], np.int64)
"""An integer of one type on every path, and of the type that comes in from Python."""
u64 = cast(Callable[[Any], int], np.uint64)
"""Sixty-four bits: a board, a hash, the state of a die. `wide + 1` would no longer be one."""
