"""What is made when a wheel is built: compiled words, and the compiled kernels of one platform.

Without more said, a wheel is for every platform and its bots are compiled where they play, or run
as plain Python. With KIBITZ_WHEEL_PLATFORM (a platform tag, `manylinux_2_17_x86_64`) it brings the
kernels compiled for that platform, whichever this one is: tools/build_wheels.py.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLATFORM_VARIABLE = "KIBITZ_WHEEL_PLATFORM"
TRIPLES = {
    "manylinux_2_17_x86_64": "x86_64-linux-gnu",
    "manylinux_2_17_aarch64": "aarch64-linux-gnu",
    "macosx_11_0_arm64": "aarch64-macos",
    "macosx_11_0_x86_64": "x86_64-macos",
    "win_amd64": "x86_64-windows-gnu",
}
"""LLVM's name of the machine behind each platform tag that we build for."""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        self._folder = TemporaryDirectory()
        root, made = Path(self.root), Path(self._folder.name)
        build_data["force_include"] |= compiled_words(root / "src", made)
        if platform := os.environ.get(PLATFORM_VARIABLE):
            kernels = native_kernels(root / "src", made, platform)
            build_data["force_include"] |= kernels
            if kernels:
                build_data["pure_python"], build_data["tag"] = False, f"py3-none-{platform}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def compiled_words(source: Path, made: Path) -> dict[str, str]:
    """Compile every catalogue; where each of them is, and where it goes in the wheel."""
    found = {}
    for number, path in enumerate(sorted(source.rglob("*.po"))):
        if "skeleton" in path.parts:
            continue
        compiled = made / f"{number}.mo"
        with path.open("rb") as entries, compiled.open("wb") as file:
            write_mo(file, read_po(entries, locale=path.stem))
        found[str(compiled)] = path.relative_to(source).with_suffix(".mo").as_posix()
    return found


def native_kernels(source: Path, made: Path, platform: str) -> dict[str, str]:
    """Compile all kernels and searches for a platform; nothing where these sources cannot yet.

    Needs Numba, and Zig to link.
    """
    sys.path.insert(0, str(source))
    try:
        targets = import_module("kibitz.core.targets")
    except ModuleNotFoundError as error:
        if error.name != "kibitz.core.targets":
            raise
        return {}
    name = import_module("kibitz.core.targets.sources").native_name(TRIPLES[platform])
    targets.build_native(made / name, TRIPLES[platform])
    return {str(made / name): f"kibitz/_native/{name}"}
