"""A match against a bot over the API, as a program plays it."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import httpx

POLL_S = 0.05
TIMEOUT_S = 60.0


class ApiMatch:
    """Somebody at the first seat who plays at random; bots have the others."""

    def __init__(self, address: str, game: str, bot: str, seed: int = 1) -> None:
        self._client = httpx.Client(base_url=f"{address}/api/v1", timeout=TIMEOUT_S)
        self._rng = Random(seed)
        token = self._ask("/me")["token"]
        self._client.headers["Authorization"] = f"Bearer {token}"
        games = {each["name"]: each for each in self._ask("/games")}
        self.seat, *others = games[game]["seats"]
        seats = {self.seat: "me", **dict.fromkeys(others, bot)}
        self.id = self._ask("/tables", game=game, seats=seats)["id"]

    def play(self, choices: int = 10_000) -> dict[str, Any]:
        """Make so many choices, each after the bots have made theirs; the position at the end."""
        for _ in range(choices):
            position = self.wait_for_turn()
            if position["is_over"]:
                break
            self.act(position)
        return self.wait_for_turn()

    def act(self, position: dict[str, Any]) -> None:
        actions = [self._rng.choice(position["actions"])] if position["actions"] else []
        key, seq = str(position["seq"]), position["seq"]
        self._ask(f"/tables/{self.id}/actions", key=key, actions=actions, seq=seq)

    def wait_for_turn(self) -> dict[str, Any]:
        """The position once it is this one's turn, or over."""
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            position: dict[str, Any] = self._ask(f"/tables/{self.id}/position")
            if position["is_over"] or self.seat in position["to_act"]:
                return position
            time.sleep(POLL_S)
        raise AssertionError(f"no turn within {TIMEOUT_S} s: {position}")

    def _ask(self, path: str, **body: Any) -> Any:
        answer = self._client.post(path, json=body) if body else self._client.get(path)
        assert answer.is_success, answer.text
        return answer.json()

    def __enter__(self) -> ApiMatch:
        return self

    def __exit__(self, *error: object) -> None:
        self._client.close()
