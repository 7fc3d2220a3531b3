"""Many matches of one game side by side, an action in each at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from kibitz.core.batch import ALL_LEGAL
from kibitz.core.jit import Numbers
from kibitz.core.record import START, Record
from kibitz.learn.cpu import CpuMatches
from kibitz.learn.records import MatchLog
from kibitz.learn.setup import Setup, seeded_dice, setup_of

Device = Literal["cpu", "cuda"]
DICE, SAMPLES = 0, 1
"""Streams of random numbers: how the dice fall, and what `sample` draws."""
SAVED = "pool", "dice", "sample_dice", "actors", "counts", "words"


class IllegalAction(ValueError):
    """An action that is not legal in its match; nothing was played in any."""

    def __init__(self, match: int, action: int, text: str) -> None:
        super().__init__(f"match {match}: action {action} is not legal in {text}")
        self.match, self.action = match, action


class Batch:
    """`n` matches of a game, each of which starts again as soon as it is over.

    With the same seed, options and actions they are the same on every device and with any number
    of threads. Arrays belong to the batch: the next call writes into them, so copy what you keep.

    >>> import numpy as np
    >>> from kibitz.learn import Batch
    >>> env = Batch("kahmate", 4, seed=1)
    >>> env.actor  # the seat to act in each match
    array([0, 0, 0, 0], dtype=int8)
    >>> env.legal().shape, env.mask.shape  # the same, one byte or one bit for each action
    ((4, 1880), (4, 30))
    >>> board, numbers = env.observe()  # by whoever acts, from its side of the board
    >>> board.shape, numbers.shape
    ((4, 24, 13, 8), (4, 38))
    >>> rewards, done = env.step(env.sample())
    >>> rewards.shape, done
    ((4, 2), array([False, False, False, False]))
    """

    def __init__(
        self,
        game: str,
        n: int,
        *,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        device: Device = "cpu",
        threads: int = 0,
        keep: Literal["", "records"] = "",
    ) -> None:
        """`threads` of 0 takes what the machine has; with `keep="records"` there are records."""
        if n < 1 or threads < 0:
            raise ValueError("a batch has at least one match, and no fewer than no threads")
        if device not in ("cpu", "cuda") or keep not in ("", "records"):
            raise ValueError("device is cpu or cuda; keep is records, or empty")
        self.setup: Setup = setup_of(game, options)
        self.kernel, self.n, self.device = self.setup.kernel, n, device
        self.actions = self.kernel.actions
        self.seats = self.kernel.seats
        self._matches: Any
        if device == "cuda":
            from kibitz.learn.cuda import CudaMatches

            if keep:
                raise ValueError("records are kept on the processor alone: device=cpu")
            self._matches = CudaMatches(self.setup, n)
        else:
            self._matches = CpuMatches(self.setup, n, threads)
        self._log = MatchLog(self.setup, n) if keep else None
        self.reset(seed)

    # The matches now

    @property
    def actor(self) -> Any:
        """int8[n]: the seat to act in each match."""
        return self._matches.arrays.actors

    @property
    def counts(self) -> Any:
        """int32[n]: the number of legal actions."""
        return self._matches.arrays.counts

    @property
    def mask(self) -> Any:
        """uint64[n, words]: a bit for each action, the lowest bit of the first word for action
        0."""
        return self._matches.arrays.words

    @property
    def faults(self) -> Any:
        """int32[n]: on a graphics card, the illegal actions that were not played."""
        return self._matches.arrays.faults

    def legal(self) -> Any:
        """bool[n, actions]: the mask, a byte for each action."""
        if self.device == "cuda":
            return self._matches.legal()
        found = np.unpackbits(self.mask.view(np.uint8), axis=1, bitorder="little")
        return found[:, : self.actions].view(bool)

    def observe(self, seat: int | None = None) -> tuple[Any, Any]:
        """uint8[n, planes, height, width] and float32[n, numbers]: all that whoever acts may know,
        or that one seat may know in every match."""
        if seat is not None and not 0 <= seat < self.seats:
            raise ValueError(f"a seat is 0 to {self.seats - 1}, not {seat}")
        found: tuple[Any, Any] = self._matches.observe(seat)
        return found

    # What happens

    def reset(self, seed: int | None = None) -> None:
        """Start all matches again; with a seed, with dice of their own."""
        a = self._matches.arrays
        if seed is not None:
            a.dice[:] = seeded_dice(seed, self.n, DICE)
            a.sample_dice[:] = seeded_dice(seed, self.n, SAMPLES)
        a.faults[:] = 0
        if self._log:
            self._log.reset(a.dice)
        self._matches.reset()

    def step(self, actions: Any) -> tuple[Any, Any]:
        """Play an action in each match, and what chance does then: rewards float32[n, seats] and
        done bool[n]. A match that is over starts again at once.

        An action that is not legal raises IllegalAction, and nothing was played; a graphics card
        leaves that match as it is and counts the fault.
        """
        a = self._matches.arrays
        if actions is not a.actions:
            self._take_actions(actions)
        illegal = self._matches.step()
        if illegal != ALL_LEGAL:
            raise IllegalAction(illegal, int(a.actions[illegal]), self.text(illegal))
        if self._log:
            self._log.add(a)
        return a.rewards, a.done.view(bool)

    def _take_actions(self, actions: Any) -> None:
        if self.device == "cuda":
            self._matches.take_actions(actions)
            return
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions are {self.n} whole numbers")
        np.clip(given, -1, 2**31 - 1, out=self._matches.arrays.actions, casting="unsafe")

    def sample(self) -> Any:
        """int32[n]: a legal action in each match, all as likely as each other."""
        self._matches.sample()
        return self._matches.arrays.actions

    def take(self, other: Batch, rows: Any) -> None:
        """Copy matches of another batch: match `i` becomes `other`'s match `rows[i]`, dice
        included. Fewer rows than matches, or a row below 0, leave the others as they are.

        So a batch looks ahead: take a match once for each of its actions, and step.

        >>> import numpy as np
        >>> from kibitz.learn import Batch
        >>> env, ahead = Batch("kalamala", 1), Batch("kalamala", 80)
        >>> _, actions = np.nonzero(env.legal())
        >>> ahead.take(env, np.zeros(80, int))
        >>> rewards, done = ahead.step(actions)
        >>> ahead.actor[0], len({ahead.text(i) for i in range(80)})
        (np.int8(1), 80)
        """
        if other.setup.game.options != self.setup.game.options or other.kernel != self.kernel:
            raise ValueError("matches are taken from a batch of the same game and options")
        if other.device != self.device or other is self:
            raise ValueError("matches are taken from another batch, on the same device")
        if self.device == "cuda":
            self._matches.take(other._matches, rows)
            return
        given = np.asarray(rows)
        if given.ndim != 1 or len(given) > self.n or given.dtype.kind not in "iu":
            raise ValueError(f"rows are {self.n} whole numbers at most")
        if len(given) and given.max() >= other.n:
            raise IndexError(f"a match is 0 to {other.n - 1}, not {given.max()}")
        wanted = np.full(self.n, -1, np.int32)
        wanted[: len(given)] = given
        self._matches.take(other._matches, wanted)
        if self._log:
            for n in np.flatnonzero(wanted >= 0).tolist():
                self._log.begin(n, self.text(n), self._matches.arrays.dice[n])

    # One of them

    def text(self, i: int) -> str:
        """The position of match `i`, as the notation writes it: all of it, secrets too."""
        return self.setup.game.notation.write_state(self.kernel.unpack(self._state(i)))

    def action_text(self, i: int, number: int) -> str:
        """An action of who acts in match `i`; empty: let the die fall."""
        return self.kernel.text_of(self._state(i), int(self._actor(i)), int(number))

    def action_number(self, i: int, text: str) -> int:
        """The number of an action as the notation writes it."""
        return int(self.kernel.number_of(self._state(i), int(self._actor(i)), text))

    def record(self, i: int, finished: bool = False) -> Record:
        """The record of match `i` so far, or of the latest that was finished in its place."""
        if self._log is None:
            raise ValueError('make the batch with keep="records"')
        return self._log.record(self._index(i), finished)

    def set(self, i: int, position: str) -> None:
        """Go on from a position in match `i`; what chance does there is done."""
        if self.device == "cuda":
            raise ValueError("positions are set on the processor alone: save and load the rest")
        state = (
            self.setup.game.rules.start()
            if position == START
            else self.setup.game.notation.read_state(position)
        )
        a, n = self._matches.arrays, self._index(i)
        if self._log:
            self._log.begin(n, position, a.dice[n])
        before = a.pool[n].copy()
        self.kernel.pack(state, a.pool[n])
        try:
            self._matches.reset_one(n)
        except ValueError:
            a.pool[n] = before
            raise

    # All of them

    def save(self) -> dict[str, Any]:
        """The matches as arrays, for `load` or `numpy.savez`."""
        arrays = {name: _host(getattr(self._matches.arrays, name)) for name in SAVED}
        # Byte for byte: a copy of records leaves out what lies between their fields.
        arrays["pool"] = arrays["pool"].view(np.ndarray).view(np.uint8).reshape(self.n, -1)
        arrays = {name: each.copy() for name, each in arrays.items()}
        options = json.dumps(dict(self.setup.game.options), sort_keys=True)
        return {**arrays, "kernel": np.array(self.kernel.name), "options": np.array(options)}

    def load(self, saved: Mapping[str, Any]) -> None:
        """Go on where `save` was called, on any device and with any number of threads."""
        now = self.save()
        for name, value in now.items():
            if name not in saved or np.shape(saved[name]) != value.shape:
                raise ValueError(f"not saved from such a batch: {name}")
            is_text = name in ("kernel", "options")
            if is_text and str(saved[name]) != str(value):
                raise ValueError(f"saved from another batch: {name} is {saved[name]}")
        for name in SAVED:
            array, value = getattr(self._matches.arrays, name), np.asarray(saved[name])
            array[:] = value.view(array.dtype).reshape(self.n) if name == "pool" else value
        if self._log:
            self._log.load(self._matches.arrays)

    def _index(self, i: int) -> int:
        if not 0 <= i < self.n:
            raise IndexError(f"a match is 0 to {self.n - 1}, not {i}")
        return i

    def _state(self, i: int) -> Any:
        pool = self._matches.arrays.pool
        return pool[self._index(i)] if self.device == "cpu" else self._matches.state(self._index(i))

    def _actor(self, i: int) -> Any:
        return _host(self.actor)[i]


def _host(array: Any) -> Numbers:
    """An array of this machine's memory."""
    found: Numbers = array if isinstance(array, np.ndarray) else array.get()
    return found
