"""Entries as a module in LLVM's language, before any optimisation: `python -m` this.

An entry is a function that Python calls. Which they are, and with what types, is seen while every
`warm` runs, compiled by Numba without optimisation. Each gets a wrapper that takes plain numbers
and addresses, and what it takes is written down beside it.

The process that does it has `NUMBA_OPT=0`, is given a name and the modules whose `warm` to run, and
writes a line of JSON and the module into the file of that name.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numba import carray, njit, typeof, types
from numba.core import event

from kibitz.core.targets import UNKEPT_JIT, KernelFunction, Run, door_in_use
from kibitz.core.targets.orphans import exit_with_parent
from kibitz.core.targets.sources import entries_file, progress_file, write_whole

LETTERS = {types.int64: "i", types.uint64: "u", types.float64: "f", types.boolean: "b"}
WORDS = types.CPointer(types.int64)

Calls = dict[KernelFunction, tuple[Any, ...]]
"""The entries, with Numba's types of what they are called with."""


def observed_calls(modules: Sequence[str]) -> Calls:
    found: Calls = {}

    def observe(function: KernelFunction) -> Run:
        run = function.version(UNKEPT_JIT)

        def observed_run(*values: Any) -> Any:
            given = tuple(map(_type_of, values))
            if found.setdefault(function, given) != given:
                raise TypeError(f"{function.name} is called with two kinds of values: {given}")
            return run(*values)

        return observed_run

    with door_in_use(observe):
        for module in modules:
            import_module(module).warm()
    return found


def _type_of(value: Any) -> Any:
    """An array is one that can be written to, whoever owns it."""
    found = typeof(value)
    if isinstance(found, types.Array):
        return types.Array(found.dtype, found.ndim, "C")
    if isinstance(found, types.BaseNamedTuple):
        return types.BaseTuple.from_types(tuple(map(_type_of, value)), type(value))
    return found


class Wrapper:
    """An entry that takes plain numbers and addresses; its source is put together here."""

    def __init__(self, function: KernelFunction, given: tuple[Any, ...]) -> None:
        self.symbol = re.sub(r"\W", "_", function.name)
        entry: Any = function.version(UNKEPT_JIT)
        self.names: dict[str, Any] = {"carray": carray, "np": np, "entry": entry}
        self.types: list[Any] = [WORDS]
        values = [self._value(each) for each in given]
        self.takes = [_kind(each) for each in given]
        gives = entry.overloads[_overload(entry, given)].signature.return_type
        self.gives, lines = _result_lines(gives)
        taken = ", ".join(["out", *(f"v{n}" for n in range(1, len(self.types)))])
        self.source = "\n    ".join(
            [f"def {self.symbol}({taken}):", f"found = entry({', '.join(values)})", *lines]
        )

    def _parameter(self, kind: Any) -> str:
        self.types.append(kind)
        return f"v{len(self.types) - 1}"

    def _value(self, kind: Any) -> str:
        """The expression that makes a value of the parameters."""
        if isinstance(kind, types.Array):
            place = self._parameter(types.CPointer(kind.dtype))
            axes = "".join(f"{self._parameter(types.int64)}," for _ in range(kind.ndim))
            return f"carray({place}, ({axes}))"
        if isinstance(kind, types.Record):
            return f"carray({self._parameter(types.CPointer(kind))}, (1,))[0]"
        if isinstance(kind, types.BaseNamedTuple):
            self.names[kind.instance_class.__name__] = kind.instance_class
            parts = ", ".join(self._value(each) for each in kind.types)
            return f"{kind.instance_class.__name__}({parts})"
        if isinstance(kind, types.BaseTuple):
            return f"({''.join(f'{self._value(each)},' for each in kind.types)})"
        if kind == types.boolean:
            return f"{self._parameter(types.int64)} != 0"
        return self._parameter(kind)

    def module(self) -> Any:
        scope: dict[str, Any] = self.names
        exec(self.source, scope)
        made: Any = njit(types.none(*self.types), nogil=True)(scope[self.symbol])
        (signature,) = made.signatures
        text = made.inspect_llvm(signature)
        name = made.overloads[signature].fndesc.mangled_name
        module = llvm.parse_assembly(_without_owners(text))
        module.get_function(name).name = self.symbol
        return module


def _overload(entry: Any, given: tuple[Any, ...]) -> Any:
    """The signature as it was compiled; compiled now if only one with other marks was."""
    return given if given in entry.overloads else entry.compile(given) and entry.signatures[-1]


def _kind(kind: Any) -> Any:
    """The description of a value that `Library` flattens it by."""
    if isinstance(kind, types.Array):
        of = kind.dtype.size if isinstance(kind.dtype, types.Record) else _dtype_text(kind.dtype)
        return ["array", of, kind.ndim]
    if isinstance(kind, types.Record):
        return ["record", kind.size]
    if isinstance(kind, types.BaseTuple):
        return ["tuple", [_kind(each) for each in kind.types]]
    return LETTERS[kind]


def _dtype_text(kind: Any) -> str:
    return np.dtype(str(kind)).str


def _result_lines(kind: Any) -> tuple[str, list[str]]:
    """The letters of the results, and the lines that write them."""
    if kind == types.none:
        return "", ["pass"]
    if isinstance(kind, types.BaseTuple):
        letters = "".join(LETTERS[each] for each in kind.types)
        lines = [_result_line(n, f"found[{n}]", letter) for n, letter in enumerate(letters)]
        return f"({letters})", lines
    return LETTERS[kind], [_result_line(0, "found", LETTERS[kind])]


def _result_line(number: int, value: str, letter: str) -> str:
    if letter == "f":
        return f"carray(out, (8,)).view(np.float64)[{number}] = {value}"
    return f"carray(out, (8,))[{number}] = {value}"


def _without_owners(text: str) -> str:
    """Nobody counts references: all memory is the caller's."""
    emptied = re.sub(
        r"(define [^\n]*@NRT_(?:incref|decref)\([^\n]*\{\n).*?\n\}",
        r"\1  ret void\n}",
        text,
        flags=re.DOTALL,
    )
    return emptied.replace("define linkonce_odr void @NRT", "define internal void @NRT")


class ProgressListener(event.Listener):  # type: ignore[misc]
    """Writes down that a function was compiled (`built_percent`)."""

    def __init__(self, name: str) -> None:
        self._file = progress_file(name)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_bytes(b"")

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        with self._file.open("ab") as file:
            file.write(b".")


def main(name: str, *modules: str) -> None:
    exit_with_parent()
    event.register("numba:compile", ProgressListener(name))
    calls = observed_calls(modules)
    wrappers = {function.name: Wrapper(function, given) for function, given in calls.items()}
    said = {
        name: {"symbol": each.symbol, "takes": each.takes, "gives": each.gives}
        for name, each in wrappers.items()
    }
    first, *others = [each.module() for each in wrappers.values()]
    for each in others:
        first.link_in(each)
    write_whole(entries_file(name), json.dumps(said).encode() + b"\n" + first.as_bitcode())


if __name__ == "__main__":
    main(*sys.argv[1:])
