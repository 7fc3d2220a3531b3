"""Files of weights of the net that judges Kahmaté positions: thousandths, as whole numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from kibitz.bots.kahmate.value import Net

UNIT = 1000
"""The number that stands for one."""


def read_weights(path: Path) -> Net:
    """The net that `write_weights` wrote."""
    with np.load(path, allow_pickle=False) as file:
        return Net(*(file[name].astype(np.float32) / np.float32(UNIT) for name in Net._fields))


def write_weights(net: Net, path: Path) -> None:
    """Write a net as a file of whole numbers."""
    limits = np.iinfo(np.int16)
    numbers: dict[str, Any] = {
        name: np.rint(each * UNIT).clip(limits.min, limits.max).astype(np.int16)
        for name, each in net._asdict().items()
    }
    with path.open("wb") as file:
        np.savez_compressed(file, **numbers)
