"""Many tables at once, by players whose lines break, who say things twice and out of order."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random

import httpx
import pytest
from websockets.asyncio.client import ClientConnection

from kibitz.core.record import Record, read_record, verify
from kibitz.games import game_of
from kibitz.games.kalamala import kalamala
from kibitz.table import Row, table_from_rows
from support.random_players import GONE, TIMEOUT_S, Act, Player
from support.server_process import Server, api

ACTIONS = 8
"""So many each side does before somebody resigns."""
AT_ONCE = 24
"""So many tables are opened at a time."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with room for everybody, though they all come from here."""
    with Server(
        tmp_path_factory.mktemp("hall"), KIBITZ_MAX_CONNECTIONS_PER_ADDRESS="2000"
    ) as server:
        yield server


class Fidgety:
    """Somebody who cuts the line, repeats everything, and says old things late."""

    def __init__(self, player: Player) -> None:
        self.player, self.rng = player, player.rng
        self.said: list[Act] = []
        self.cuts = 0

    async def plays(self) -> None:
        """Until the match is over, over as many sockets as it takes."""
        while not self.player.is_over or self.player.pending:
            try:
                async with self.player.socket() as socket:
                    await self._plays_over(socket)
            except GONE:
                continue

    async def _plays_over(self, socket: ClientConnection) -> None:
        player = self.player
        await player.hears(socket)
        if player.pending:
            await socket.send(player.pending.message)
        while not player.is_over or player.pending:
            if player.pending is None and (act := self._next()):
                player.pending = act
                await self._says(socket, act)
                if self.rng.random() < 0.15:
                    self.cuts += 1
                    socket.transport.abort()
            await player.hears(socket)

    def _next(self) -> Act | None:
        player = self.player
        if not player.view["offers"]:
            return None
        if len(player.done) >= ACTIONS:
            return player.act(player.view["acting"], f"resign {player.view['acting']}")
        return player.chooses()

    async def _says(self, socket: ClientConnection, act: Act) -> None:
        """Once or twice, and perhaps something old before or after it, or too early."""
        messages = [act.message] * self.rng.choice((1, 1, 2))
        if self.said and self.rng.random() < 0.3:
            messages.append(self.rng.choice(self.said).message)
        if self.rng.random() < 0.2 and len(self.player.done) < ACTIONS:
            early = Act(f"early {act.key}", act.seq + 1, act.seat, act.actions)
            messages.append(early.message)
        self.rng.shuffle(messages)
        for message in messages:
            await socket.send(message)
        self.said.append(act)


async def open_private_table(client: httpx.AsyncClient) -> tuple[str, list[str]]:
    """A private table of two strangers, each known by a token only."""
    tokens = []
    for _ in range(2):
        client.cookies.clear()
        tokens.append((await client.get("/api/v1/me")).json()["token"])
    one, other = ({"Authorization": f"Bearer {token}"} for token in tokens)
    asked = {"game": "kalamala", "seats": {"A": "me", "B": "free"}}
    table = (await client.post("/api/v1/tables", json=asked, headers=one)).json()["url"]
    links = (await client.get(api(table, "links"), headers=one)).json()
    joined = {"token": links["B"].split("/")[-1]}
    # Twice: whoever sits there stays there.
    for _ in range(2):
        assert (await client.post(api(table, "join"), json=joined, headers=other)).is_success
    return table, tokens


async def record_of(client: httpx.AsyncClient, player: Player) -> Record:
    headers = {"Authorization": f"Bearer {player.token}"}
    return read_record((await client.get(api(player.table, "record"), headers=headers)).text)


async def evening(server: Server, number_of_tables: int) -> list[tuple[list[Fidgety], Record]]:
    """All tables at once; those who played, and what the server says they did."""
    doors = asyncio.Semaphore(AT_ONCE)
    async with httpx.AsyncClient(base_url=server.address, timeout=TIMEOUT_S * 2) as client:

        async def sat_down(number: int) -> list[Fidgety]:
            async with doors:
                table, tokens = await open_private_table(client)
            return [
                Fidgety(Player(server.address, token, table, Random(2 * number + side)))
                for side, token in enumerate(tokens)
            ]

        tables = await asyncio.gather(*map(sat_down, range(number_of_tables)))
        await asyncio.gather(*(who.plays() for pair in tables for who in pair))
        records = [await record_of(client, pair[0].player) for pair in tables]
    return list(zip(tables, records, strict=True))


@pytest.mark.parametrize("tables", [40, pytest.param(200, marks=pytest.mark.long)])
def test_no_action_is_lost_doubled_or_reordered_in_a_crowd(hall: Server, tables: int) -> None:
    played = asyncio.run(evening(hall, tables))
    assert len(played) == tables
    for pair, record in played:
        assert verify(game_of(record), record) is None
        assert record.result != "*"
        one, other = (who.player for who in pair)
        assert one.codes == other.codes == list(record.actions)
        assert acknowledged_actions(one, other) == record.actions
    assert sum(who.cuts for pair, _ in played for who in pair) > tables


def acknowledged_actions(*players: Player) -> tuple[str, ...]:
    """What was acknowledged to either, in the order of the rows they were meant for."""
    acts = sorted((act for player in players for act in player.done), key=lambda act: act.seq)
    rows = [Row(act.seat or "", text) for act in acts for text in act.actions]
    return table_from_rows(kalamala(), rows).record.actions
