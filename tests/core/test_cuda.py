"""Kernels for graphics cards, as far as a machine without one can tell.

`tools/cuda_matches.py` plays the same matches on a card (docs/targets.md).
"""

from __future__ import annotations

import pytest

from kibitz.core.targets.cuda import ptx_of
from support.targets.matches import NAMES, kernel_of


@pytest.mark.parametrize(
    "name",
    [name if name == "kalamala" else pytest.param(name, marks=pytest.mark.long) for name in NAMES],
)
def test_every_kernel_compiles_for_a_graphics_card(name: str) -> None:
    for made in ptx_of(kernel_of(name)).values():
        assert ".target sm_90" in made.text
        assert f".visible .entry {made.entry}(" in made.text
