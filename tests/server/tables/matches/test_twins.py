"""Twins that differ in one hidden choice look alike to everybody else, starts included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any
from unittest.mock import patch

import pytest

from kibitz.core.message import message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.telling.previews import table_preview
from kibitz.table.table import hides_something, open_table
from support.server_process import Guest
from support.twin_server import TwinServer
from support.twins import GAME, Twins, channels, twins

TRIALS = 10
HALF_PLACED = "2O10/2S10/1F11/2C10/1O11/13/2T10/13 R place:B - - 123456/123456 0-0 0 -"
HALF_DUELLED = "13/13/13/13/13/5OFs5/13/13 R duel:F:g6>h6:1:4 g6:4 g6 123456/123456 0-0 8 -"


API = "/api/v1/tables/{table_id}"


def hidden(live: LiveTable) -> str:
    """All that there is to hide, in short."""
    known = live.game.notation.write_state(live.table.state) + repr(live.table.rows)
    return sha256(known.encode()).hexdigest()


async def leaking_links(service: object, live: LiveTable, member: str) -> dict[str, str]:
    return {"watch": f"/{hidden(live)}"}


def leaking_preview(context: Any, request: Any, live: LiveTable) -> Any:
    return replace(table_preview(context, request, live), picture_url=hidden(live))


LEAKS: dict[str, tuple[str, Callable[..., Any]]] = {
    "picture": ("support.twins.table_svg", hidden),
    "explain sq-g6": (
        "kibitz.table.table.Table.why_not",
        lambda table, *asked: message(
            "cli.seat", seat=repr(table.rows) + repr(table.state), seats=""
        ),
    ),
    f"{API}/chat": ("kibitz.server.tables.chat.chat_update", lambda live, *to: ([hidden(live)], 0)),
    f"{API}/draws": ("kibitz.server.api.records.drawn_actions", lambda live: [hidden(live)]),
    f"{API}/links": ("kibitz.server.tables.service.TableService.links_of", leaking_links),
    f"{API}/log": ("kibitz.server.api.playing.log_lines", lambda live, *asked: [hidden(live)]),
    "/join/{table_id}/{token}": (
        "kibitz.server.pages.invitation.invitation_preview",
        leaking_preview,
    ),
    "/t/{table_id}": ("kibitz.server.pages.table.table_preview", leaking_preview),
    "/t/{table_id}/qr/{place}": (
        "kibitz.server.tables.service.TableService.links_of",
        leaking_links,
    ),
    "/t/{table_id}/seal": (
        "kibitz.server.pages.table._contributor_names",
        lambda live, say: hidden(live),
    ),
}
"""By channel, a function that tells it what is hidden, and in place of which."""


@pytest.fixture(scope="module")
def twin_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwinServer]:
    with TwinServer(tmp_path_factory.mktemp("twins")) as server:
        yield server


def test_nobody_else_can_tell_twins_apart_over_any_channel(twin_server: TwinServer) -> None:
    kinds = Counter[str]()
    for pair in twins(TRIALS):
        kinds[pair.kind] += 1
        for member in pair.others:
            assert pair.difference_for(member, twin_server) == ""
        assert pair.difference_for(pair.secretive, twin_server), "else this compares nothing"
    assert kinds.keys() == {"start", "action"}


@pytest.mark.parametrize("channel", LEAKS)
def test_a_leak_is_found_wherever_it_is(twin_server: TwinServer, channel: str) -> None:
    place, leak = LEAKS[channel]
    (pair,) = twins(1)
    with patch(place, leak):
        assert channel in differing_channels(pair, pair.others[0], twin_server)
    assert differing_channels(pair, pair.others[0], twin_server) == set()


def differing_channels(pair: Twins, member: str, server: TwinServer) -> set[str]:
    """The channels over which somebody could tell them apart."""
    both = zip(*(channels(each, member, server) for each in pair.tables), strict=True)
    return {name for (name, one), (_, other) in both if one != other}


def test_every_address_of_a_table_is_asked(twin_server: TwinServer) -> None:
    pair = next(twins(1))
    answers = dict(twin_server.answers(pair.one, pair.others[0]))
    shown = {path for path, text in answers.items() if text.startswith("200")}
    assert shown >= {name for name in LEAKS if name.startswith("/")}
    assert "I am " in answers[f"{API}/chat"]
    assert f"{API}/events" not in answers, "it says what sockets say, and does not end"


@pytest.mark.parametrize("start", [HALF_PLACED, HALF_DUELLED])
def test_a_start_that_hides_something_is_nobodys_start(guest: Guest, start: str) -> None:
    for seats in ({"R": "me", "B": "free"}, {"R": "free", "B": "me"}):
        asked = {"game": GAME, "seats": seats, "start": start}
        answer = guest.client.post("/api/v1/tables", json=asked)
        assert (answer.status_code, answer.json()["code"]) == (400, "start-hides"), answer.text
    alone = {"game": GAME, "seats": {"R": "me", "B": "greedy"}, "start": start}
    assert guest.client.post("/api/v1/tables", json=alone).status_code == 201


def test_a_rematch_of_a_start_that_hides_something_starts_anew(guest: Guest) -> None:
    """Others may play it than played the first match."""
    page = guest.sits_at(guest.begins(GAME, {"R": "me", "B": "me"}, start=HALF_PLACED))
    assert page.acts("resign R", seat="R")["type"] == "done"
    page.does("ask rematch")
    page.waits_until(lambda page: bool(page.table["next"]))
    assert guest.reads(page.table["next"], "record")["start"] == START


def test_a_position_in_which_all_is_open_hides_nothing() -> None:
    for rulebook in GAMES.values():
        game = rulebook.game(rulebook.preset)
        assert not hides_something(game, open_table(game).state)
    game = GAMES[GAME].game({})
    assert hides_something(game, game.notation.read_state(HALF_PLACED))
