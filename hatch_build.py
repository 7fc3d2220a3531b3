"""Made when a wheel is built: compiled words, facts about their languages, and the native library
of one platform.

Without more said, a wheel is for every platform and its bots are compiled where they play, or run
as plain Python. With KIBITZ_WHEEL_PLATFORM (a platform tag, `manylinux_2_17_x86_64`) it brings the
library of that platform, whichever this one is: tools/build_wheels.py.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import Any

import babel
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLATFORM_VARIABLE = "KIBITZ_WHEEL_PLATFORM"
TRIPLES = {
    "manylinux_2_17_x86_64": "x86_64-linux-gnu.2.17",
    "manylinux_2_17_aarch64": "aarch64-linux-gnu.2.17",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "win_amd64": "x86_64-windows-gnu",
}
"""Zig's name of the machine behind each platform tag that we build for."""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        self._folder = TemporaryDirectory()
        root, made = Path(self.root), Path(self._folder.name)
        build_data["force_include"] |= compiled_words(root / "src", made)
        build_data["force_include"] |= locale_data(root / "src", made)
        if platform := os.environ.get(PLATFORM_VARIABLE):
            build_data["force_include"] |= native_library(root / "src", made, platform)
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


def locale_data(source: Path, made: Path) -> dict[str, str]:
    """Write what the package needs of CLDR, by language; its licence goes with it."""
    read_locale = run_path(str(source / "kibitz/i18n/cldr.py"))["read_locale"]
    found = {}
    for path in (source / "kibitz/i18n").glob("*.po"):
        file = made / f"{path.stem}.json"
        file.write_text(json.dumps(read_locale(path.stem), ensure_ascii=False), "utf-8")
        found[str(file)] = f"kibitz/i18n/{file.name}"
    licence = Path(babel.__file__).parent / "locale-data" / "LICENSE.unicode"
    return found | {str(licence): f"kibitz/i18n/{licence.name}"}


def native_library(source: Path, made: Path, platform: str) -> dict[str, str]:
    """Compile all kernels and searches for a platform. Needs Numba, and Zig to link."""
    sys.path.insert(0, str(source))
    targets, sources = map(import_module, ("kibitz.core.targets", "kibitz.core.targets.sources"))
    name = sources.native_name(TRIPLES[platform])
    targets.build_native(made / name, TRIPLES[platform])
    return {str(made / name): f"kibitz/_native/{name}"}
