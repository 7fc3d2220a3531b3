"""The game, options and kernel that an environment is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.game import Game
from kibitz.core.jit import Numbers
from kibitz.core.kernel import Kernel
from kibitz.games import GAMES, extra_of
from kibitz.library.match import game as find_game


class Setup(NamedTuple):
    game: Game[Any, Any, Any]
    kernel: Kernel
    options: Any
    """The record that the kernel knows them as."""


def setup_of(name: str, options: Mapping[str, Any] | None = None) -> Setup:
    """The game under these options; the others are as for bots, so that every match ends."""
    rulebook = GAMES.get(name)
    usual = {**rulebook.preset, **rulebook.bots_preset} if rulebook else {}
    game = find_game(name, **{**usual, **(options or {})})
    module = extra_of(name, "kernel")
    if module is None:
        raise ValueError(f"{name} has no kernel: play it with kibitz.Match")
    kernel: Kernel = module.KERNEL
    return Setup(game, kernel, kernel.option_codes(game.options))


def seeded_dice(seed: int, size: int, stream: int) -> Numbers:
    """A die for each match, the same on every device; streams have nothing to do with each
    other."""
    with np.errstate(over="ignore"):
        begin = _mix_bits(np.array([seed % 2**64], np.uint64) + np.uint64(stream))
        steps = np.arange(1, size + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return _mix_bits(begin + steps)


def _mix_bits(z: Numbers) -> Numbers:
    """As `mix_bits`, of many numbers."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: Numbers = z ^ (z >> np.uint64(31))
    return found
