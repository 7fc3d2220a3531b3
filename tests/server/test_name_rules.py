"""Nobody can borrow the name of a role, a bot or somebody else."""

from __future__ import annotations

from uuid import uuid4

import pytest

from kibitz.server.name_rules import is_reserved, skeleton
from support.server_process import Guest, Server, api

PASSWORD = "correct horse battery"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Paul", "PauI"),
        ("Paul", "Pau1"),
        ("modern", "modem"),
        ("Anna", "\u0410nn\u0430"),
        ("Zoe", "Zoé"),
    ],
)
def test_names_that_look_alike_have_something_in_common(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)
    assert skeleton(one) != skeleton("Otso")


@pytest.mark.parametrize("name", ["Host", "h0st", "REFEREE", "Adm1n", "ad-min", "level-5"])
def test_roles_and_bots_keep_their_names(name: str) -> None:
    assert is_reserved(name)


def test_ordinary_names_are_free() -> None:
    assert not any(map(is_reserved, ("Ann", "Hosta", "Otso", "", "Rosa", "Rootsie")))


def test_a_guest_takes_neither_a_role_nor_an_accounts_name(server: Server) -> None:
    name = f"Lola{uuid4().hex[:8]}"
    owner, guest = Guest(server), Guest(server)
    form = {"name": name, "password": PASSWORD}
    assert owner.client.post("/account/register", data=form).status_code == 303
    for borrowed, code in (("Host", "name-reserved"), (f"{name}\u0301", "name-taken")):
        answer = guest.client.put("/api/v1/me", json={"name": borrowed})
        assert (answer.status_code, answer.json()["code"]) == (409, code), borrowed
    alike = Guest(server).client.post("/account/register", data={**form, "name": f"I{name[1:]}"})
    assert alike.status_code == 409, "a capital i looks like a small l"


def test_a_line_of_chat_says_whether_its_author_has_an_account(server: Server) -> None:
    owner, guest = Guest(server), Guest(server)
    form = {"name": f"Ann{uuid4().hex[:8]}", "password": PASSWORD}
    assert owner.client.post("/account/register", data=form).status_code == 303
    table = owner.begins("kalamala", {"A": "me", "B": "free"})
    guest.joins(owner.links(table)["B"])
    for each in (owner, guest):
        assert each.client.post(api(table, "chat"), json={"text": "hello"}).is_success
    lines = owner.reads(table, "chat")["chat"]["lines"]
    assert [line["has_account"] for line in lines] == [True, False]
