"""A server that is killed at any moment, under load: what it said was done is done, and whole."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from kibitz.core.record import Record
from kibitz.games import game_of
from kibitz.table import Row, Table, table_from_rows
from kibitz.table.seating import people_at_opening
from support.random_players import Act, Player, play_until_cut
from support.server_process import Server, api, unpack_json

LASTS = 3
"""After so many rounds people begin other matches."""


@dataclass
class Match:
    """A table and those who play there; bots and the dice are the server's."""

    table: str
    game: str
    seats: dict[str, list[str]]
    """Which of the seats each player has, by the player's token."""
    players: list[Player] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.table.split("/")[-1]

    @property
    def acknowledged_count(self) -> int:
        return sum(len(player.done) for player in self.players)


KINDS: list[tuple[str, dict[str, str]]] = [
    ("kalamala", {"A": "me", "B": "free"}),
    ("kalamala", {"A": "free", "B": "me"}),
    ("kalamala", {"A": "me", "B": "greedy"}),
    ("kahmate", {"R": "me", "B": "free"}),
    ("kahmate", {"R": "random", "B": "me"}),
    ("as-kimble", {"R": "me", "B": "free", "Y": "me", "G": "free"}),
    ("as-kimble", {"R": "me", "B": "free", "Y": "random", "G": "greedy"}),
]


class World:
    """What the players believe, over all rounds."""

    def __init__(self, data: Path, rng: Random) -> None:
        self.data, self.rng = data, rng
        self.matches: list[Match] = []
        self.old: list[Match] = []
        self.tokens: list[str] = []

    def opens(self, server: Server, game: str, seats: dict[str, str], **more: Any) -> Match:
        """A match of Ann, who opens it, and Bob, who comes by a link to every free seat."""
        if not self.tokens:
            self.tokens = [self._token(server) for _ in range(2)]
        ann, bob = ({"Authorization": f"Bearer {token}"} for token in self.tokens)
        asked = {"game": game, "seats": seats, **more}
        with httpx.Client(base_url=server.address, timeout=30) as client:
            opened = client.post("/api/v1/tables", json=asked, headers=ann)
            table = opened.json()["url"]
            links = client.get(api(table, "links"), headers=ann).json()
            free = [seat for seat, who in seats.items() if who == "free"]
            for seat in free:
                given = {"token": links[seat].split("/")[-1]}
                assert client.post(api(table, "join"), json=given, headers=bob).status_code == 200
        mine = [seat for seat, who in seats.items() if who == "me"]
        match = Match(table, game, {self.tokens[0]: mine, self.tokens[1]: free})
        for token, held in match.seats.items():
            if held:
                player = Player(server.address, token, table, self.rng)
                # Red hesitates over his men, so that Blue's are ahead of their place.
                player.haste = 0.15 if held == ["R"] and game == "kahmate" else 1.0
                match.players.append(player)
        return match

    def _token(self, server: Server) -> str:
        token: str = httpx.get(f"{server.address}/api/v1/me", timeout=30).json()["token"]
        return token

    def goes_on(self, server: Server, number: int) -> None:
        """Matches that are over or old make room; a new one of Kahmaté is always being set up."""
        if number % LASTS == 0:
            self.old, self.matches = [*self.old, *self.matches], []
            self.matches = [self.opens(server, game, seats) for game, seats in KINDS]
        else:
            self.matches.append(self.opens(server, "kahmate", {"R": "me", "B": "free"}))
        for match in self.matches:
            for player in match.players:
                player.address = server.address

    def some_matches(self) -> list[Match]:
        """The one that is being set up, and some others."""
        latest = self.matches[-1:]
        return [*latest, *self.rng.sample(self.matches[:-1], 2)] if latest else []

    @property
    def players(self) -> list[Player]:
        return [player for match in self.matches for player in match.players]

    @property
    def acknowledged_count(self) -> int:
        """Of all that was ever sent."""
        return sum(match.acknowledged_count for match in (*self.old, *self.matches))


async def until_killed(world: World, server: Server) -> None:
    """At some moment after some more actions."""
    enough = world.acknowledged_count + world.rng.randint(1, 60)
    playing = asyncio.gather(*(play_until_cut(player) for player in world.players))
    async with asyncio.timeout(60):
        while world.acknowledged_count < enough:
            await asyncio.sleep(0.001)
    await asyncio.sleep(world.rng.uniform(0, 0.05))
    os.killpg(server.process.pid, signal.SIGKILL)
    await playing


def rows_of(server: Server, table_id: str) -> list[dict[str, Any]]:
    """As they are on the disk, whatever the server says."""
    return server.read_rows("SELECT * FROM log_row WHERE table_id = :id ORDER BY seq", id=table_id)


def stored_table(server: Server, table_id: str) -> dict[str, Any]:
    (found,) = server.read_rows("SELECT * FROM game_table WHERE id = :id", id=table_id)
    return found


def check_rows(match: Match, rows: list[dict[str, Any]]) -> None:
    """No gap; all that was acknowledged and nothing that was not done; each once, and whole."""
    assert [row["seq"] for row in rows] == list(range(len(rows)))
    keyed = {row["key"].split(":")[-1]: row["seq"] for row in rows if row["key"]}
    assert len(keyed) == sum(row["key"] is not None for row in rows), "a key is there once"
    for player in match.players:
        for act in player.done:
            assert act.key in keyed, f"{act} was acknowledged and is lost"
        for act in player.dropped:
            assert act.key not in keyed, f"{act} was not done, it said"
        for act in player.sent_actions:
            if act.key in keyed:
                check_whole(act, rows[keyed[act.key] :])
        in_order = [keyed[act.key] for act in player.done]
        assert in_order == sorted(in_order)
    assert set(keyed) <= {act.key for player in match.players for act in player.sent_actions}


def check_whole(act: Act, rows: list[dict[str, Any]]) -> None:
    if not act.actions:
        assert rows[0]["actor"] == "chance"
        return
    assert tuple(row["text"] for row in rows[: len(act.actions)]) == act.actions
    assert all(row["key"] is None for row in rows[1 : len(act.actions)])


def rebuilt(stored: dict[str, Any], rows: list[dict[str, Any]]) -> Table[Any, Any, Any]:
    """The table as its rows alone make it."""
    options, seats = unpack_json(stored["options"]), unpack_json(stored["seats"])
    game = game_of(
        Record(
            game=stored["game"],
            rules=stored["rules_version"],
            options=options,
            start=stored["start"],
        )
    )
    sent = [Row(row["actor"], row["text"], row["member"]) for row in rows]
    return table_from_rows(
        game, sent, stored["start"], people_at_opening(stored["owner"], game.seats, seats)
    )


def check_told(server: Server, match: Match) -> int:
    """What the server tells after the restart is what the rows make of it.

    How many commitments are held for their place.
    """
    stored, held = stored_table(server, match.id), 0
    for token, seats in match.seats.items():
        if len(seats) == 1:
            headers = {"Authorization": f"Bearer {token}"}
            place = server.address + api(match.table, "position")
            told = httpx.get(place, headers=headers, timeout=30).json()
            table = rebuilt(stored, rows_of(server, match.id)[: told["seq"]])
            seen = table.view(told["acting"])
            assert told["position"] == table.game.notation.write_view(seen)
            held += len(table.commitments_of(told["acting"]))
    return held


@pytest.mark.parametrize("rounds", [4, pytest.param(200, marks=pytest.mark.long)])
def test_a_killed_server_loses_nothing(tmp_path: Path, rounds: int) -> None:
    world, held = World(tmp_path, Random(rounds)), 0
    for number in range(rounds):
        server = Server(tmp_path)
        try:
            for match in world.some_matches():
                held += check_told(server, match)
            world.goes_on(server, number)
            asyncio.run(until_killed(world, server))
        except BaseException as error:
            error.add_note(f"The server, before it was killed: {server.kill()}")
            raise
        server.kill()
        for match in world.matches:
            check_rows(match, rows_of(server, match.id))
    for game in ("kalamala", "kahmate", "as-kimble"):
        played = [match for match in (*world.old, *world.matches) if match.game == game]
        assert sum(match.acknowledged_count for match in played) > rounds
    assert held, "some commitments waited for their place while the server was dead"
    assert any(len(act.actions) > 1 for match in world.old for p in match.players for act in p.done)
