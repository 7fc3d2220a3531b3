"""Bots for the processes of a thinker: they have to be found there by name."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS


def let_in(folder: Path) -> None:
    """Called in each process before anything is thought there."""
    BOTS["sloth"] = partial(_sleeps, folder / "sloth")
    BOTS["mole"] = partial(_dies_once, folder / "mole")
    BOTS["random"] = partial(_is_held, folder / "hold")


def process_of() -> int:
    return os.getpid()


def _sleeps(file: Path, view: Any, actions: Sequence[Any], think: SearchContext) -> Any:
    """Until somebody wakes it."""
    while not file.exists():
        time.sleep(0.02)
    return actions[0]


def _is_held(file: Path, view: Any, actions: Sequence[Any], think: SearchContext) -> Any:
    """A quick bot of our own, for as long as nobody holds it."""
    while file.exists():
        time.sleep(0.02)
    return actions[0]


def _dies_once(file: Path, view: Any, actions: Sequence[Any], think: SearchContext) -> Any:
    if not file.exists():
        file.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return actions[-1]
