"""Kernels as WebAssembly: the same matches and the same choices in Node.js."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from kibitz.bots.api import SearchContext
from kibitz.bots.kalamala import levels
from kibitz.bots.kalamala.buffers import MAX_PLIES, Handicap
from kibitz.core.jit import i64, u64
from kibitz.core.targets import NATIVE, target_in_use
from support.targets.matches import NAMES, positions, random_matches
from support.targets.wasm import FoundAction, matches_in_wasm, searches_in_wasm


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


@pytest.mark.long
def test_level_6_of_kalamala_chooses_the_same_in_200_positions(
    tmp_path: Path, library: Path
) -> None:
    """Its action, value, depth and nodes; endings that are solved are among the positions."""
    roots, best, nodes = [], levels.STRENGTHS[-1], 3000
    handicap = Handicap(i64(0), i64(best.noise), u64(7))
    for game, state, seat in positions("kalamala", 200, 7):
        root = levels.Root(state, SearchContext(game, seat, Random(7)), levels.FEW_SLOTS)
        root.pruning, root.uses_net = best.pruning, best.uses_net
        roots.append(root)
    roots[0].fill_settings(handicap)
    in_wasm = searches_in_wasm(tmp_path, library, roots, nodes)
    with target_in_use(NATIVE):
        for root, found in zip(roots, in_wasm, strict=True):
            root.prepare_search(nodes)
            root.deepen(handicap, MAX_PLIES - 2)
            said = int(root.buffers.line[0]), root.value, root.depth
            assert found == FoundAction(*said, int(root.buffers.node_count))
