"""Programs that play whatever they are offered, many at once, over sockets that break."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from support.view_patches import ViewPatches

GONE = (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError)
"""What happens to a socket when the server or the line dies."""
TIMEOUT_S = 30.0


@dataclass(frozen=True)
class Act:
    """Something sent, under a key that is sent again until it is answered."""

    key: str
    seq: int
    seat: str | None
    actions: tuple[str, ...]

    @property
    def message(self) -> str:
        return msgspec.json.encode({"type": "act", **vars(self)}).decode()


@dataclass
class Player:
    """One at one table; what is believed of it outlives any socket."""

    address: str
    token: str
    table: str
    rng: Random
    haste: float = 1.0
    """How soon a turn is used; below 1 somebody else may be earlier."""
    fidgets: float = 0.0
    """How often the line is cut as soon as something was sent."""
    has_enough: bool = False
    """Whether nothing new is begun."""
    seq: int | None = None
    view: dict[str, Any] = field(default_factory=dict)
    codes: list[str] = field(default_factory=list)
    pending: Act | None = None
    done: list[Act] = field(default_factory=list)
    """What the server has acknowledged, in order."""
    dropped: list[Act] = field(default_factory=list)
    """What it said it has not done."""
    elsewhere: set[str] = field(default_factory=set)
    """The keys of what was sent to another worker before, where it may still be under way."""
    patches: ViewPatches = field(default_factory=ViewPatches)
    """The views that were shown over this socket."""
    unsure: list[Act] = field(default_factory=list)
    """Of that, what was not done when it was sent again: by now it may be."""

    @property
    def sent_actions(self) -> list[Act]:
        """All that may have been done."""
        return [*self.done, *self.unsure, *([self.pending] if self.pending else [])]

    @asynccontextmanager
    async def socket(self) -> AsyncIterator[ClientConnection]:
        """A connection that goes on where the last one broke."""
        seen = "" if self.seq is None else f"&since={self.seq}"
        async with connect(
            f"{self.address.replace('http', 'ws')}{self.table}/live?is_tall=0&is_patched=1{seen}",
            additional_headers={"Authorization": f"Bearer {self.token}"},
            open_timeout=TIMEOUT_S,
            close_timeout=0.1,
            compression=None,
            max_size=None,
        ) as socket:
            self.patches = ViewPatches()
            yield socket

    @property
    def is_over(self) -> bool:
        return bool(self.view and (self.view["outcome"] or self.view["table"]["is_aborted"]))

    async def hears(self, socket: ClientConnection) -> dict[str, Any]:
        """The next thing that is told; what was pending is settled by its answer."""
        async with asyncio.timeout(TIMEOUT_S):
            told = self.patches.take(msgspec.json.decode(await socket.recv()))
        if told["type"] == "view":
            self.view, self.seq = told, told["seq"]
            self.codes[told["log_from"] :] = [entry["code"] for entry in told["log"]]
        elif self.pending and told.get("key") == self.pending.key:
            self._settles(self.pending, told["type"] == "done")
        return told

    def _settles(self, act: Act, is_done: bool) -> None:
        not_done = self.unsure if act.key in self.elsewhere else self.dropped
        (self.done if is_done else not_done).append(act)
        self.pending = None

    def chooses(self) -> Act | None:
        """Something that is offered, if anything is."""
        offers = self.view["offers"]
        if not offers or self.has_enough or self.rng.random() >= self.haste:
            return None
        offer = self.rng.choice(offers)
        return self.act(offer["seat"], *offer["actions"])

    def act(self, seat: str | None, *texts: str) -> Act:
        assert self.seq is not None
        key = UUID(int=self.rng.getrandbits(128)).hex
        return Act(key, self.seq, seat, texts)


async def play_until_cut(player: Player) -> None:
    """Play as fast as answers come, beginning with what was never answered."""
    try:
        async with player.socket() as socket:
            await player.hears(socket)
            if player.pending:
                await socket.send(player.pending.message)
            while not player.is_over or player.pending:
                if not player.pending and (act := player.chooses()):
                    player.pending = act
                    await socket.send(act.message)
                    if player.rng.random() < player.fidgets:
                        socket.transport.abort()
                await _hears_or_goes_on(player, socket)
    except GONE:
        return


async def _hears_or_goes_on(player: Player, socket: ClientConnection) -> None:
    """Whoever hesitates looks up again after a moment, though nothing was told."""
    if player.pending or player.haste >= 1.0 or not player.view["offers"]:
        await player.hears(socket)
        return
    try:
        async with asyncio.timeout(0.02):
            await player.hears(socket)
    except TimeoutError:
        return
