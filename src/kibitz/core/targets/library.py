"""Calls into a native library, by ctypes: no Numba, no LLVM.

The library says itself what its entries take: `kibitz_entries` returns a text in JSON, made by
ir.py. Every value is passed on as numbers and addresses; a record or an array stays where it is,
and the caller owns it.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Flat = list[int | float]
Flatten = Callable[[Any, Flat], None]
"""Appends the numbers that stand for a value."""
RESULTS: dict[str, Callable[[int], Any]] = {
    "i": int,
    "u": lambda word: word & 2**64 - 1,
    "b": bool,
    "f": lambda word: ctypes.c_double.from_buffer(ctypes.c_int64(word)).value,
}
"""A result by its letter, from the 64 bits that it comes as."""


class Library:
    def __init__(self, path: Path) -> None:
        self._loaded = ctypes.CDLL(str(path))
        entries = self._loaded.kibitz_entries
        entries.restype = ctypes.c_char_p
        self.entries: dict[str, Any] = json.loads(entries())

    def entry(self, name: str) -> Entry | None:
        """The function of this full name, callable as in Python; None if it is no entry."""
        said = self.entries.get(name)
        if not said:
            return None
        call = getattr(self._loaded, said["symbol"])
        call.argtypes = [ctypes.c_void_p] * 3 + _c_types(said["takes"])
        call.restype = ctypes.c_int32
        return Entry(name, call, [_flatten(each) for each in said["takes"]], said["gives"])


def _c_types(takes: list[Any]) -> list[Any]:
    """By the kinds of values, in the order in which `_flatten` lists their numbers."""
    found: list[Any] = []
    for kind in takes:
        match kind:
            case "f":
                found.append(ctypes.c_double)
            case ["tuple", parts]:
                found += _c_types(parts)
            case ["array", _, axes]:
                found += [ctypes.c_void_p] + [ctypes.c_int64] * axes
            case ["record", _]:
                found.append(ctypes.c_void_p)
            case _:
                found.append(ctypes.c_uint64 if kind == "u" else ctypes.c_int64)
    return found


class Entry:
    """A function of the library, callable as in Python."""

    def __init__(self, name: str, call: Any, takes: list[Flatten], gives: str) -> None:
        self._name, self._call, self._takes = name, call, takes
        self._is_tuple = gives.startswith("(")
        self._results = [RESULTS[letter] for letter in gives.strip("()")]
        self._words = ctypes.c_int64 * (2 + len(self._results))

    def __call__(self, *values: Any) -> Any:
        return self.bind(*values)()

    def bind(self, *values: Any) -> Callable[[], Any]:
        """A call with these values, which are taken apart once."""
        if len(values) != len(self._takes):
            raise TypeError(f"{self._name} takes {len(self._takes)} values, not {len(values)}")
        room = self._words()
        at = ctypes.addressof(room)
        flat: Flat = [at, at + 8, at + 16]
        for flatten, value in zip(self._takes, values, strict=True):
            flatten(value, flat)
        call, results, is_tuple = self._call, self._results, self._is_tuple

        def call_entry(kept: tuple[Any, ...] = values) -> Any:
            if call(*flat):
                raise ArithmeticError(f"{self._name} failed")
            found = [read(word) for read, word in zip(results, room[2:], strict=True)]
            return tuple(found) if is_tuple else found[0] if found else None

        return call_entry


def _flatten(kind: Any) -> Flatten:
    match kind:
        case "f":
            return lambda value, flat: flat.append(float(value))
        case ["tuple", parts]:
            return _flatten_tuple([_flatten(each) for each in parts])
        case ["array", dtype, axes]:
            return _flatten_array(dtype, axes)
        case ["record", size]:
            return _flatten_record(size)
    return lambda value, flat: flat.append(int(value))


def _flatten_tuple(parts: list[Flatten]) -> Flatten:
    def flatten(value: Any, flat: Flat) -> None:
        for part, each in zip(parts, value, strict=True):
            part(each, flat)

    return flatten


def _flatten_array(dtype: str | int, axes: int) -> Flatten:
    """An array of numbers has to be of this dtype, an array of records of this size."""

    def flatten(value: Any, flat: Flat) -> None:
        is_right = (value.dtype.str if isinstance(dtype, str) else value.dtype.itemsize) == dtype
        if not is_right or value.ndim != axes or not value.flags.c_contiguous:
            raise TypeError(f"not a plain array of {axes} axes and {dtype}: {value.dtype}")
        flat.append(value.ctypes.data)
        flat.extend(value.shape)

    return flatten


def _flatten_record(size: int) -> Flatten:
    def flatten(value: np.void, flat: Flat) -> None:
        seen = np.asarray(value)
        if value.dtype.itemsize != size or seen.base is None:
            raise TypeError(f"not a record of {size} bytes in an array: {value.dtype}")
        flat.append(seen.ctypes.data)

    return flatten
