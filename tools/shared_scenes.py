"""Scenes of strangers with a link, of codes for phones, and of a browser without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from support.server_process import Guest, api

if TYPE_CHECKING:
    from scenes import Scene

NEAR = "13/13/13/9s1T1/9o3/13/7F5/13 R play - l4 136/256 1-0 41 -"
LATE = "t26,g2,g3,g4/h1,t9x3/h2,t12,g4/h3,t25 R:N1 d3 0+5/1+3/4+2/0+6 1:R ---- -"
BOOK = {"mode": "companion", "pace": "free", "team_size": [2, 2, 2, 2]}


def code(scene: Scene) -> None:
    """For phones, once the network is let in; where there is none it is the button still."""
    scene.let_phones_in()
    scene.sit_at(scene.open_table("kalamala", seats={"A": "me", "B": "free"}))
    scene.page.locator("#invite .sharing, #invite .network").first.wait_for()
    scene.page.wait_for_load_state("networkidle")


def team_room(scene: Scene) -> None:
    """Two teams are taken, two are free."""
    host = scene.guest("Noor")
    table = host.begins("as-kimble", {"R": "me", "B": "free", "Y": "free", "G": "free"})
    friend = scene.guest("Väinö")
    friend.joins(host.links(table)["B"])
    scene.go_to(host.links(table)["room"])


def shared_result(scene: Scene) -> None:
    host = scene.guest("Noor")
    seats = {"R": "me", "B": "me"}
    table = host.begins("kahmate", seats, start=NEAR, options={"tries": 2})
    _act(host, table, "l4-m4")
    scene.go_to(_shared_path(host, table, "result"))


def shared_night(scene: Scene) -> None:
    host = scene.guest("Noor")
    table = host.begins("as-kimble", options=BOOK, start=LATE)
    _act(host, table, "R pop 5", "B pop 4", "B t9-t13", "Y pop 1", "Y t12-t13", "B hembo vi")
    _act(host, table, "G pop 3", "G t25-t0", "B done 2", "R pop 2", "R t26-g1")
    scene.go_to(_shared_path(host, table, "night"))


def no_network(scene: Scene) -> None:
    scene.go_to("/offline")


def _act(guest: Guest, table: str, *texts: str) -> None:
    for text in texts:
        wish: dict[str, Any] = {"key": uuid4().hex, "actions": [text]}
        answer = guest.client.post(api(table, "actions"), json=wish)
        assert answer.is_success, answer.text


def _shared_path(guest: Guest, table: str, page: str) -> str:
    """The path that the share button of this page gives."""
    text = guest.client.get(f"{table}/{page}").text
    marked = "data-share" if page == "result" else "data-link"
    address = text.partition(f'{marked}="')[2].split('"')[0]
    return address[address.index(table) :]
