"""A kernel and the rules play the same match, and every answer of the two is compared."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any, Protocol

import numpy as np

from kibitz.core.game import CHANCE, Game
from kibitz.core.jit import i64, u64


class Kernel(Protocol):
    """What every games/<game>/kernel.py has; the names are those of rules.py."""

    MAX_ACTIONS: int

    def option_codes(self, options: Any) -> Any: ...
    def blank(self) -> Any: ...
    def pack(self, state: Any, into: Any) -> None: ...
    def unpack(self, packed: Any) -> Any: ...
    def pack_action(self, action: Any) -> int: ...
    def unpack_action(self, code: int) -> Any: ...
    def copy(self, source: Any, target: Any) -> None: ...
    def to_act(self, options: Any, packed: Any) -> int: ...
    def turn_actions(self, options: Any, packed: Any, actor: int, out: Any) -> int: ...
    def anytime_actions(self, options: Any, packed: Any, seat: int, out: Any) -> int: ...
    def odds(self, options: Any, packed: Any, out: Any, weights: Any) -> int: ...
    def resolve(self, options: Any, packed: Any, actor: int, action: int) -> None: ...
    def outcome(self, options: Any, packed: Any, payoffs: Any) -> bool: ...
    def key(self, options: Any, packed: Any) -> int: ...
    def playout(self, options: Any, packed: Any, die: int, most: int, payoffs: Any) -> Any: ...
    def perft(self, options: Any, packed: Any, depth: int) -> int: ...


def side_by_side(game: Game[Any, Any, Any], kernel: Kernel, rng: Random, most: int = 10**9) -> int:
    """Play one match at random in both; how many actions it had."""
    options = kernel.option_codes(game.options)
    state, packed = game.rules.start(), kernel.blank()
    kernel.pack(state, packed)
    keys = dict[int, Any]()
    played = 0
    while played < most:
        where = game.notation.write_state(state)
        assert kernel.unpack(packed) == state, where
        agree(game, kernel, options, state, packed)
        key = int(kernel.key(options, packed))
        assert keys.setdefault(key, state) == state, f"{where}: one key for two positions"
        choices = [
            (actor, action)
            for actor in (*game.seats, CHANCE)
            for action in (
                *game.rules.turn_actions(state, actor),
                *game.rules.anytime_actions(state, actor),
            )
        ]
        if not game.rules.to_act(state):
            break
        actor, action = rng.choice(choices)
        kernel.resolve(options, packed, number(game, actor), i64(kernel.pack_action(action)))
        state = game.rules.resolve(state, actor, action).state
        assert kernel.unpack(packed) == state, f"{where} {game.notation.write_action(action)}"
        played += 1
    return played


def agree(game: Game[Any, Any, Any], kernel: Kernel, options: Any, state: Any, packed: Any) -> None:
    """Whatever can be asked about a position, both give one answer, in one order."""
    where = game.notation.write_state(state)
    fresh = kernel.blank()
    kernel.pack(state, fresh)
    assert kernel.unpack(fresh) == state, where
    assert kernel.key(options, fresh) == kernel.key(options, packed), where
    mask = sum(1 << number(game, actor) for actor in game.rules.to_act(state))
    assert kernel.to_act(options, packed) == mask, where
    out = np.zeros(kernel.MAX_ACTIONS, np.int64)
    for actor in (*game.seats, CHANCE):
        listed = game.rules.turn_actions(state, actor)
        count = kernel.turn_actions(options, packed, number(game, actor), out)
        assert tuple(kernel.unpack_action(int(code)) for code in out[:count]) == listed, where
        assert tuple(kernel.pack_action(action) for action in listed) == tuple(out[:count]), where
    for seat in game.seats:
        count = kernel.anytime_actions(options, packed, number(game, seat), out)
        said = tuple(kernel.unpack_action(int(code)) for code in out[:count])
        assert said == game.rules.anytime_actions(state, seat), where
    weights = np.zeros(kernel.MAX_ACTIONS, np.int64)
    count = kernel.odds(options, packed, out, weights)
    odds = game.rules.odds(state)
    assert [kernel.unpack_action(int(code)) for code in out[:count]] == list(odds), where
    total = sum(weights[:count].tolist())
    assert all(
        weight == chance * total
        for weight, chance in zip(weights[:count].tolist(), odds.values(), strict=True)
    ), where
    payoffs = np.zeros(len(game.seats), np.int64)
    over = game.rules.outcome(state)
    assert kernel.outcome(options, packed, payoffs) == (over is not None), where
    assert over is None or tuple(payoffs.tolist()) == over.payoffs, where


def number(game: Game[Any, Any, Any], actor: str) -> int:
    """Seats are counted from zero, and chance comes after them."""
    return i64((*game.seats, CHANCE).index(actor))


def played_out(game: Game[Any, Any, Any], kernel: Kernel, seed: int) -> tuple[int, list[int]]:
    """A whole match inside the kernel: how many actions, and who got what."""
    options, packed = kernel.option_codes(game.options), kernel.blank()
    kernel.pack(game.rules.start(), packed)
    payoffs = np.zeros(len(game.seats), np.int64)
    length, _ = kernel.playout(options, packed, u64(seed), i64(10**9), payoffs)
    return int(length), payoffs.tolist()


def in_another_python(script: str, module: str, **settings: str) -> None:
    """Run a script that begins with all of a module of tests, on another target."""
    tests = Path(__file__).parents[2]
    before = f"from {module} import *\n"
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    paths = os.pathsep.join((str(tests), str(tests.parent / "src")))
    ran = subprocess.run(
        [sys.executable, "-c", before + script],
        env={**kept, "PYTHONPATH": paths, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
