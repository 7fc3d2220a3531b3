"""Pages that a browser may keep for times without a network: the same for everybody."""

from __future__ import annotations

import re
from typing import Any

import httpx
import msgspec
import pytest

from kibitz.games import GAMES
from kibitz.server.pages.lessons import tutorial_data
from support.server_process import Guest, Server

MASKED = re.compile(r'id="links">.*?<')


def test_whatever_may_be_kept_is_the_same_for_everybody(server: Server) -> None:
    guest = Guest(server)
    guest.client.put("/api/v1/me", json={"name": "Zoltan"})
    guest.opens("kalamala", "friend")
    listed = guest.client.get("/offline/list").json()
    assert listed == httpx.get(f"{server.address}/offline/list").json()
    paths = {path for each in listed["sets"].values() for path in each}
    assert {"/offline", "/offline/book", "/rules/kahmate", "/learn/as-kimble"} <= paths
    for path in paths:
        stranger, known = httpx.get(server.address + path), guest.client.get(path)
        assert stranger.status_code == known.status_code == 200, path
        assert MASKED.sub("", stranger.text) == MASKED.sub("", known.text), path
        assert "Zoltan" not in known.text
        assert known.headers["cache-control"].startswith("private, no-store"), path
        for asset in re.findall(r'"(/assets/[^"]+)"', stranger.text):
            assert "immutable" in httpx.get(server.address + asset).headers["cache-control"]


@pytest.mark.parametrize("game", GAMES)
def test_every_way_that_solves_a_step_is_known(server: Server, game: str) -> None:
    """Drawn anew where it begins, and after that only what has changed."""
    plain = {"Accept-Encoding": "identity"}
    sent = httpx.get(f"{server.address}/learn/{game}/steps", headers=plain)
    steps: list[dict[str, Any]] = msgspec.json.decode(sent.content)
    course = tutorial_data(game, "en")["steps"]
    assert len(steps) == len(course)
    for lesson, views in zip(course, steps, strict=True):
        begins = "\n".join(lesson["before"])
        assert views[begins]["view"]["svg"]
        ways = [way for way in views if way != begins]
        assert len(ways) >= len(lesson["solves"]) + len(lesson["then"])
        assert not [way for way in ways if views[way]["view"]["svg"]]
    assert httpx.get(f"{server.address}/learn/nothing/steps").status_code == 404


def test_the_worker_is_asked_for_each_time(server: Server) -> None:
    sent = httpx.get(f"{server.address}/worker.js")
    assert sent.headers["content-type"].startswith("text/javascript")
    assert sent.headers["cache-control"] == "no-cache"
    assert "default-src 'self'" in sent.headers["content-security-policy"]


def test_whoever_is_forgotten_is_forgotten_by_their_browser_too(server: Server) -> None:
    """Scripts have to read it, and it tells nothing."""
    guest = Guest(server)
    guest.client.put("/api/v1/me", json={"name": "Zoltan"})
    sent = guest.client.post("/account/forget")
    assert sent.status_code == 303
    [cookie] = [each for each in sent.headers.get_list("set-cookie") if "kibitz-forget" in each]
    assert cookie.startswith("kibitz-forget=1;")
    assert "httponly" not in cookie.lower()
