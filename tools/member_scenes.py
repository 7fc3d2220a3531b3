"""Scenes of those with an account, the ladder, and what people say to each other."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING
from uuid import uuid4

from support.accounts import PASSWORD, member, new_name
from support.server_process import api

if TYPE_CHECKING:
    from scenes import Scene

MATCHES_PER_PAIR = 4
"""Matches of each two, so that somebody is no newcomer any more."""


def login_page(scene: Scene) -> None:
    scene.go_to("/account")


def account(scene: Scene) -> None:
    _register_aino(scene)
    address = f"{scene.server.address}/account/bots"
    scene.page.request.post(address, form={"name": "Kalamala robot"})
    scene.go_to("/account")


def ladder(scene: Scene) -> None:
    """Aino is new; the others know each other well."""
    _register_aino(scene)
    people = [member(scene.server, new_name(name)) for name in ("Marc", "Léa", "Tom", "Noor")]
    for one, other in combinations(people, 2):
        for _ in range(MATCHES_PER_PAIR):
            table = one.begins("kalamala", {"A": "me", "B": "free"}, settings={"rated": True})
            other.joins(one.links(table)["B"])
            resigns = {"key": uuid4().hex, "actions": ["resign B"]}
            assert other.client.post(api(table, "actions"), json=resigns).is_success
    scene.go_to("/ladder/kalamala")


def _register_aino(scene: Scene) -> None:
    answer = scene.page.request.post(
        f"{scene.server.address}/account/register",
        form={"name": f"Aino-{uuid4().hex[:4]}", "password": PASSWORD},
    )
    assert answer.ok, answer.text()


def chat(scene: Scene) -> None:
    """Two at a table, who are polite; on a phone it is behind a button."""
    people_view = scene.full_table("kalamala")
    where = api(people_view.table, "chat")
    for text in (":hello:", "The corner again?"):
        assert people_view.guests["B"].client.post(where, json={"text": text}).is_success
    said = {"text": "It worked last time."}
    assert scene.page.request.post(f"{scene.server.address}{where}", data=said).ok
    player = people_view.open_page()
    if player.finger:
        player.presses(scene.page.locator("#open-chat"))
    scene.page.locator("#chat-list .text").nth(2).wait_for()
