"""One match over a kernel, for the adapters: it stays where it ends."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.game import SPECTATOR
from kibitz.core.jit import Numbers, i64, u64
from kibitz.core.kernel import CHANCE, OVER
from kibitz.learn.setup import Setup, seeded_dice, setup_of
from kibitz.library.drawings import draw
from kibitz.library.match import Match


class SingleMatch:
    """A state of a kernel, who acts there, and what it may do."""

    def __init__(self, game: str, options: Mapping[str, Any] | None = None) -> None:
        self.setup: Setup = setup_of(game, options)
        self.kernel = self.setup.kernel
        self.p, self.words = self.kernel.blank(), self.kernel.new_words()
        self.die = u64(0)
        self.reset(0)

    def reset(self, seed: int) -> None:
        self.die = seeded_dice(seed, 1, 0)[0]
        self.kernel.start(self.setup.options, self.p)
        self._begin_turn()

    def _begin_turn(self) -> None:
        """Chance speaks as long as it is its turn."""
        kernel, options = self.kernel, self.setup.options
        self.actor, self.count = kernel.legal_turn(options, self.p, self.words)
        while self.actor == CHANCE:
            self.die = u64(kernel.chance(options, self.p, self.die))
            self.actor, self.count = kernel.legal_turn(options, self.p, self.words)

    @property
    def is_over(self) -> bool:
        return bool(self.actor == OVER)

    def is_legal(self, number: int) -> bool:
        return 0 <= number < self.kernel.actions and bool(self.mask()[number])

    def play(self, number: int) -> None:
        """A legal action of the actor, and what chance does then."""
        self.kernel.act(self.setup.options, self.p, i64(self.actor), i64(number))
        self._begin_turn()

    def payoffs(self) -> Numbers:
        """Of all seats, once it is over; nothing before."""
        found = np.zeros(self.kernel.seats, np.int64)
        self.kernel.payoffs(self.setup.options, self.p, found)
        return found if self.is_over else np.zeros_like(found)

    def mask(self, seat: int | None = None) -> Numbers:
        """int8[actions]: what a seat may do; nothing where it is not to act."""
        if self.is_over or (seat is not None and seat != self.actor):
            return np.zeros(self.kernel.actions, np.int8)
        found = np.unpackbits(self.words.view(np.uint8), bitorder="little")
        return found[: self.kernel.actions].view(np.int8)

    def numbers(self) -> list[int]:
        return [int(number) for number in np.flatnonzero(self.mask())]

    def observe(self, seat: int) -> tuple[Numbers, Numbers]:
        board, numbers = self.kernel.new_observation()
        self.kernel.observe(self.setup.options, self.p, i64(seat), board, numbers)
        return board, numbers

    @property
    def state(self) -> Any:
        return self.kernel.unpack(self.p)

    def view(self, seat: int) -> Any:
        game = self.setup.game
        return game.rules.view(self.state, game.seats[seat], ())

    def render(self, mode: str | None, viewer: str = SPECTATOR) -> Any:
        """A picture as `ansi`, `svg` or `rgb_array`; `human` prints it."""
        start = self.setup.game.notation.write_state(self.state)
        match = Match(self.setup.game, start=start)
        if mode == "svg":
            return draw(match, viewer=viewer)
        if mode == "rgb_array":
            return _pixels(draw(match, as_="png", viewer=viewer, width=320))
        text = draw(match, as_="text", viewer=viewer)
        if mode == "human":
            print(text)
            return None
        return text


def _pixels(png: bytes) -> Numbers:
    """The pixels of a picture of ours: 8 bits a channel, no palette, rows one after another."""
    at, data = 8, b""
    while at < len(png):
        size, kind = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        chunk = png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height = (int.from_bytes(chunk[n : n + 4], "big") for n in (0, 4))
            channels = {2: 3, 6: 4}[chunk[9]]
        elif kind == b"IDAT":
            data += chunk
        at += 12 + size
    lines = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * channels)
    rows = np.zeros((height, width * channels), np.uint8)
    before = np.zeros(width * channels, np.uint8)
    for n in range(height):
        before = rows[n] = _unfilter_row(int(lines[n, 0]), lines[n, 1:], before, channels)
    return rows.reshape(height, width, channels)[:, :, :3].copy()


def _unfilter_row(kind: int, line: Numbers, above: Numbers, step: int) -> Numbers:
    """A row of a PNG as it was before it was filtered."""
    if kind == 0:
        return line
    if kind == 2:
        return line + above
    if kind == 1:
        return np.add.accumulate(line.reshape(-1, step), axis=0, dtype=np.uint8).ravel()
    found = np.zeros(len(line) + step, np.int64)
    for n, value in enumerate(line.tolist()):
        left, up = int(found[n]), int(above[n])
        corner = int(above[n - step]) if n >= step else 0
        guess = (left + up) // 2 if kind == 3 else _paeth(left, up, corner)
        found[n + step] = (value + guess) & 255
    return found[step:].astype(np.uint8)


def _paeth(left: int, up: int, corner: int) -> int:
    near = left + up - corner
    return min((left, up, corner), key=lambda each: abs(near - each))
