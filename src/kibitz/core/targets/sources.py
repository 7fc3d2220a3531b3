"""The sources of compiled code, their digest, and where what was compiled from them lies."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from platformdirs import user_cache_path

PACKAGE_FOLDER = Path(__file__).parents[2]
CACHE_ROOT = user_cache_path("kibitz", appauthor=False) / "compiled"
"""Where compiled code is kept, a folder for each state of the sources."""
SUFFIXES = {"darwin": ".dylib", "windows": ".dll"}
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
"""Other names for the same machine."""


@cache
def compiled_sources() -> tuple[Path, ...]:
    """Every file with compiled functions, and those whose numbers and tables are compiled in: what
    these files import of ours, and what that imports in turn where it is written for compiled code.
    """
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE_FOLDER.rglob("*.py")}
    compiled = {path for path, text in texts.items() if _has_compiled_code(text)}
    imported = {each for path in compiled for each in _imports(texts[path])} & texts.keys()
    encodings = {path for path in imported if "from kibitz.core.jit import" in texts[path]}
    further = {each for path in encodings for each in _imports(texts[path])} & texts.keys()
    return tuple(sorted(compiled | imported | further))


def _has_compiled_code(text: str) -> bool:
    return "\n@jit" in text or "KernelFunction(" in text


def _imports(text: str) -> Iterator[Path]:
    for name in re.findall(r"^from kibitz\.([\w.]+) ", text, re.MULTILINE):
        place = PACKAGE_FOLDER / name.replace(".", "/")
        yield from (place.with_suffix(".py"), place / "__init__.py")


@cache
def sources_digest() -> str:
    digest = sha256()
    for path in compiled_sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def build_folder() -> Path:
    """The folder of what is compiled from these sources on this machine."""
    return CACHE_ROOT / sources_digest()


def entries_file(name: str) -> Path:
    """The entries of a game, before any optimisation."""
    return build_folder() / f"{name}.entries"


def progress_file(name: str) -> Path:
    """A file with a byte for each function that was compiled for a game, so far."""
    return build_folder() / f"{name}.progress"


def built_percent() -> int:
    """The part of the library that is built, counted in functions; never all of it."""
    done = sum(path.stat().st_size for path in build_folder().glob("*.progress"))
    return min(99, 100 * done // step_count())


@cache
def step_count() -> int:
    """The number of functions that are compiled for the library, more or less: some for several
    games or types, and a wrapper for each entry. A tenth is for what comes after them."""
    texts = [path.read_text("utf-8") for path in compiled_sources()]
    functions = sum(len(re.findall(r"^@jit", text, re.MULTILINE)) for text in texts) or 1
    return functions * 2


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place first: two who build at once must not see half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{os.getpid()}-{path.name}")
    beside.write_bytes(content)
    beside.replace(path)


def warm_modules() -> list[str]:
    """The modules that can call compiled functions of theirs once (`warm`)."""
    found = [
        path.relative_to(PACKAGE_FOLDER.parent).with_suffix("")
        for path in sorted(PACKAGE_FOLDER.rglob("*.py"))
        if "\ndef warm() -> None:" in path.read_text(encoding="utf-8")
    ]
    return [".".join(path.parts).removesuffix(".__init__") for path in found]


def native_name(triple: str | None = None) -> str:
    """The file name of the native library, for this machine or another one."""
    system, machine = platform.system().lower(), platform.machine().lower()
    if triple:
        machine = triple.partition("-")[0].lower()
        system = next((each for each in SUFFIXES if each in triple), "linux")
        system = "darwin" if "macos" in triple else system
    machine = MACHINES.get(machine, machine)
    return f"kernels-{sources_digest()}-{system}-{machine}{SUFFIXES.get(system, '.so')}"


def native_library() -> Path | None:
    """The library that was compiled from exactly these sources: of the package, or of the cache."""
    if sys.maxsize < 2**32:
        return None
    folders = PACKAGE_FOLDER / "_native", build_folder()
    return next((path for each in folders if (path := each / native_name()).exists()), None)
