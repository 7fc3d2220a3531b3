"""Machine code from the module of all entries: optimised, written as an object, linked.

LLVM writes code for every machine it knows, whichever it runs on. A linker is needed beside it:
the system's `cc` for this machine, else Zig's (`pip install ziglang`), which knows them all.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from contextlib import ExitStack
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import llvmlite.binding as llvm

from kibitz.core.targets import JIT
from kibitz.core.targets.sources import (
    PACKAGE_FOLDER,
    entries_file,
    warm_modules,
    write_whole,
)

BASE_CPUS = {"x86_64": "x86-64-v2"}
"""The oldest processors that a library for others runs on, where LLVM's own choice is too old."""
LLVM_SYSTEMS = {
    "linux": "unknown-linux-gnu",
    "macos": "apple-macosx11.0.0",
    "windows": "w64-windows-gnu",
}
"""LLVM's names of systems, by Zig's: it tells by them what an object looks like."""
KNOWN = {"memcpy", "memset", "memmove"}
"""The functions of the system that a library may call: every machine has them."""


def build_library(path: Path, triple: str | None = None) -> None:
    machine = _target_machine(triple)
    module = optimised_module(machine)
    with TemporaryDirectory() as folder:
        written, made = Path(folder, "kernels.o"), Path(folder, "kernels")
        written.write_bytes(machine.emit_object(module))
        _link_library(written, made, triple)
        write_whole(path, made.read_bytes())


def _initialise_llvm() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()


def _llvm_triple(triple: str) -> str:
    machine, system, *_ = triple.split("-")
    return f"{machine}-{LLVM_SYSTEMS[system.partition('.')[0]]}"


def _target_machine(triple: str | None) -> Any:
    _initialise_llvm()
    name = _llvm_triple(triple) if triple else llvm.get_process_triple()
    if triple:
        cpu, features = BASE_CPUS.get(triple.partition("-")[0], ""), ""
    else:
        cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_triple(name)
    return target.create_target_machine(cpu=cpu, features=features, opt=3, reloc="pic")


def optimised_module(machine: Any, only: str = "kibitz_") -> Any:
    """The entries whose symbols begin so, for a machine, and nothing that none of them needs."""
    module = llvm.parse_bitcode(plain_bitcode())
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    for each in [*module.functions, *module.global_variables]:
        if not each.is_declaration:
            each.linkage = "external" if each.name.startswith(only) else "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.slp_vectorization = options.loop_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    module.verify()
    missing = {each.name for each in module.functions if each.is_declaration} - KNOWN
    if missing := {name for name in missing if not name.startswith("llvm.")}:
        raise RuntimeError(f"Compiled code calls what no library has: {', '.join(sorted(missing))}")
    return module


@cache
def plain_bitcode() -> bytes:
    """All entries before any optimisation: the same for every machine."""
    groups = _module_groups()
    with ExitStack() as running:
        missing = [name for name in groups if not entries_file(name).exists()]
        processes = [running.enter_context(_write_entries(name, groups[name])) for name in missing]
        if any(process.wait() for process in processes):
            raise RuntimeError("The kernels do not compile: see above.")
    return _linked_bitcode([entries_file(name).read_bytes() for name in groups])


def _module_groups() -> dict[str, list[str]]:
    """The modules to warm, those of one game together: its bots call its kernel."""
    groups = defaultdict[str, list[str]](list)
    for module in warm_modules():
        groups[module.split(".")[2]].append(module)
    return groups


def _write_entries(name: str, modules: list[str]) -> subprocess.Popen[bytes]:
    """A process that writes the entries of some modules (ir.py); several run at once, and what
    one of them has written is kept if others are stopped."""
    paths = [str(PACKAGE_FOLDER.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    settings = {"NUMBA_OPT": "0", "KIBITZ_TARGET": JIT, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.Popen(
        [sys.executable, "-m", "kibitz.core.targets.ir", name, *modules],
        env={**os.environ, **settings},
        stdin=subprocess.PIPE,
    )


def _linked_bitcode(groups: list[bytes]) -> bytes:
    said, modules = {}, []
    for each in groups:
        line, _, bitcode = each.partition(b"\n")
        said.update(json.loads(line))
        modules.append(llvm.parse_bitcode(bitcode))
        for name in json.loads(line).values():  # What two games call, both have.
            modules[-1].get_function(name["symbol"]).linkage = "weak_odr"
    first = _entries_module(said)
    for module in modules:
        first.link_in(module)
    return bytes(first.as_bitcode())


SQRT = """
declare double @llvm.sqrt.f64(double)
define double @sqrt(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}
"""
"""An instruction of every machine, which Numba takes for a function of the system."""


def _entries_module(said: dict[str, Any]) -> Any:
    """A module that says what the entries take."""
    text = json.dumps(said, separators=(",", ":"))
    escaped = text.replace('"', r"\22")
    return llvm.parse_assembly(
        f'@entries_text = internal constant [{len(text) + 1} x i8] c"{escaped}\\00"\n'
        f"define ptr @kibitz_entries() {{\n  ret ptr @entries_text\n}}\n{SQRT}"
    )


def _link_library(written: Path, made: Path, triple: str | None) -> None:
    linker = shutil.which("cc")
    if triple or not linker:
        command = [*zig(), "cc", *(("-target", triple) if triple else ())]
    else:
        command = [linker]
    subprocess.run([*command, "-shared", "-s", "-o", str(made), str(written)], check=True)


def zig() -> list[str]:
    if not find_spec("ziglang"):
        raise RuntimeError("A linker is missing: install cc, or run `pip install ziglang`.")
    return [sys.executable, "-m", "ziglang"]


# WebAssembly

WASM = "wasm32-unknown-unknown"


def build_wasm(path: Path, only: str) -> None:
    """Write the entries whose symbols begin with `only` as WebAssembly; its memory is exported.

    An entry takes what `kibitz_entries` of the native library says; addresses are 32 bits.
    """
    _initialise_llvm()
    machine = llvm.Target.from_triple(WASM).create_target_machine(
        features="+bulk-memory", opt=3, reloc="static"
    )
    module = optimised_module(machine, only)
    symbols = [each.name for each in module.functions if each.name.startswith(only)]
    exports = [f"--export={name}" for name in symbols]
    with TemporaryDirectory() as folder:
        written = Path(folder, "kernels.o")
        written.write_bytes(machine.emit_object(module))
        path.parent.mkdir(parents=True, exist_ok=True)
        linking = [*zig(), "wasm-ld", "--no-entry", "--strip-all", "--export=__heap_base"]
        subprocess.run([*linking, *exports, "-o", str(path), str(written)], check=True)
