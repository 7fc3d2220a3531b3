"""A data set played on a cluster of two nodes is the one that is played here."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from arena.test_ray_runner import KIBITZ, line_from, running, timeless
from kibitz.dataset.folder import matches_of
from kibitz.dataset.verify import verify_dataset
from kibitz.i18n.shell import shell_phrases

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray"),
]
COMMAND = ("dataset", "make", "kalamala", "greedy", "random", "-n", "6", "-o", "turn_limit=20")


def matches_in(folder: Path) -> list[dict[str, Any]]:
    return [timeless(line) for line in matches_of(folder)]


def test_two_workers_make_the_same_data_set(tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    cluster_of_two = Path(__file__).parents[1] / "support" / "bots" / "ray_cluster.py"
    with running(sys.executable, str(cluster_of_two)) as cluster:
        address = line_from(cluster, ":")
        with running(*KIBITZ, *COMMAND, "--out", str(there), "--ray", address) as made:
            assert "Games: 6." in line_from(made, "Games")
    assert made.returncode == 0
    with running(*KIBITZ, *COMMAND, "--out", str(here), "--workers", "1") as made:
        line_from(made, "Games")
    assert matches_in(there) == matches_in(here)
    say = shell_phrases()
    assert verify_dataset(there, say) == verify_dataset(here, say)
    assert (there / "positions-0000.npz").read_bytes() == (here / "positions-0000.npz").read_bytes()
