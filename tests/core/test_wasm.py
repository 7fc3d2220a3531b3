"""Kernels as WebAssembly: the same matches in Node.js."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.core.targets import NATIVE
from support.targets.matches import NAMES, random_matches
from support.targets.wasm import matches_in_wasm


@pytest.mark.parametrize("name", NAMES)
def test_webassembly_plays_the_same_matches(name: str, tmp_path: Path, library: Path) -> None:
    assert matches_in_wasm(name, tmp_path, library, 50) == random_matches(name, NATIVE, 50)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_webassembly_plays_20_000_matches_the_same(
    name: str, tmp_path: Path, library: Path
) -> None:
    count = 20_000
    assert matches_in_wasm(name, tmp_path, library, count) == random_matches(name, NATIVE, count)
