"""Accounts on top of guests: whose games they open, on which devices, and for how long."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
import sqlalchemy as sql
from argon2 import PasswordHasher, extract_parameters
from websockets.exceptions import ConnectionClosed

from kibitz.core.record import read_record
from kibitz.games import game_of
from kibitz.server.accounts.accounts import (
    Accounts,
    checked_name,
    device_name,
    fold_name,
    new_token,
)
from kibitz.server.db.schema import ACCOUNT
from kibitz.server.db.store import Store, open_store
from kibitz.server.http.auth import Authenticator
from kibitz.server.http.errors import HttpError
from kibitz.server.http.guests import GuestAuth
from kibitz.server.tables.registry import LiveTables
from kibitz.table.sealed_dice import verify_seal
from support.accounts import (
    ENDS_WITHIN,
    PASSWORD,
    SOCKET_ENDS_WITHIN,
    bearing,
    bot_token,
    logs_in,
    member,
    new_name,
    pair,
    registers,
    soon,
    tables_of,
    token_ids,
    wrong,
)
from support.cluster.needed import NEEDED
from support.cluster.servers import database_for
from support.server_process import Guest, Server, api

ELSEWHERE = {"Origin": "http://elsewhere.example"}


def with_cookies(server: Server, cookies: dict[str, str]) -> Guest:
    guest = Guest(server)
    for name, value in cookies.items():
        guest.client.cookies.set(name, value, domain=guest.client.base_url.host)
    return guest


# In and out


def test_who_registers_keeps_their_games(guest: Guest) -> None:
    table = guest.begins("kalamala", {"A": "me", "B": "free"})
    answer = registers(guest, new_name())
    assert (answer.status_code, answer.headers["location"]) == (303, "/account?done=registered")
    assert tables_of(guest) == [table]
    assert guest.reads(table)["seats"][0]["is_mine"]


def test_an_old_guests_cookie_opens_no_account(guest: Guest, server: Server) -> None:
    table = guest.begins("kalamala", {"A": "me", "B": "free"})
    old = dict(guest.client.cookies)
    page = with_cookies(server, old).sits_at(table)
    registers(guest, new_name())
    thief = with_cookies(server, old)
    assert soon(lambda: thief.client.get(table).status_code == 404)
    time.sleep(SOCKET_ENDS_WITHIN)
    with pytest.raises(ConnectionClosed):
        page.acts("@a1", seat="A")


def test_an_account_opens_the_same_games_on_another_device(guest: Guest, server: Server) -> None:
    table = guest.begins("kalamala", {"A": "me", "B": "free"})
    registers(guest, name := new_name())
    phone = Guest(server)
    answer = logs_in(phone, name.upper())
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert tables_of(phone) == [table]
    assert phone.reads(table)["seats"][0]["members"] == [name]


def test_what_a_guest_played_comes_along(server: Server) -> None:
    member(server, name := new_name())
    guest, friend = Guest(server), Guest(server)
    alone = guest.opens()
    shared = guest.begins("kalamala", {"A": "me", "B": "free"})
    over = guest.opens("kalamala", "bot", "A")
    page = guest.sits_at(over)
    page.does("resign A")
    watched = friend.begins("kalamala", {"A": "me", "B": "free"})
    guest.joins(friend.links(watched)["watch"])
    old = dict(guest.client.cookies)
    logs_in(guest, name)
    assert {alone, shared, over} <= {*tables_of(guest)}
    assert [each["is_mine"] for each in guest.reads(alone)["seats"]] == [True, True]
    assert guest.reads(shared)["seats"][0]["members"] == [name], "and the guest has gone"
    assert "B" in guest.links(shared), "they are the host still"
    assert guest.client.get(watched).status_code == 200
    at_once = guest.sits_at(alone)
    at_once.does("@a1")
    assert with_cookies(server, old).reads(shared, "links") == {}, "a guest is left with nothing"


def test_nobody_gets_to_both_sides_by_logging_in(server: Server) -> None:
    ann = member(server, name := new_name())
    table = ann.begins("kalamala", {"A": "me", "B": "free"})
    other = Guest(server)
    other.joins(ann.links(table)["B"])
    logs_in(other, name)
    assert [each["is_mine"] for each in other.reads(table)["seats"]] == [True, False]


def test_who_logs_out_is_a_new_guest(server: Server) -> None:
    ann = member(server)
    table = ann.begins("kalamala", {"A": "me", "B": "free"})
    old = dict(ann.client.cookies)
    assert ann.client.post("/account/logout").status_code == 303
    assert ann.client.get(table).status_code == 404
    assert "/account/login" in ann.client.get("/account").text
    thief = with_cookies(server, old)
    assert soon(lambda: thief.client.get(table).status_code == 404)


def test_a_name_and_a_password_that_do_not_go_together(server: Server) -> None:
    member(server, name := new_name())
    said = {wrong(logs_in(Guest(server), *tried)) for tried in ((name, "x" * 8), ("nobody", "y"))}
    assert said == {"Wrong name or password."}


def test_a_token_from_before_is_not_the_one_after(server: Server) -> None:
    member(server, name := new_name())
    guest = Guest(server)
    guest.client.get("/")
    cookie = next(iter(guest.client.cookies))
    planted = new_token()
    victim = with_cookies(server, {cookie: planted})
    logs_in(victim, name)
    assert victim.client.cookies[cookie] not in (planted, guest.client.cookies[cookie])
    assert victim.client.cookies[cookie].startswith("kibitz_")
    assert with_cookies(server, {cookie: planted}).client.get("/api/v1/me").json()["name"] == ""


@pytest.mark.parametrize(
    "path", ["register", "login", "logout", "password", "bots", "revoke", "delete"]
)
def test_other_sites_do_nothing_with_an_account(server: Server, path: str) -> None:
    ann = member(server)
    form = {"name": new_name(), "password": PASSWORD, "old": PASSWORD, "new": "another horse"}
    answer = ann.client.post(f"/account/{path}", data=form, headers=ELSEWHERE)
    assert answer.status_code == 403
    assert ann.client.get("/account").text.count("/account/logout") == 1


def test_pages_of_an_account_are_kept_by_nobody(server: Server) -> None:
    ann = member(server)
    for path in ("/account", "/account/export"):
        assert "private, no-store" in ann.client.get(path).headers["cache-control"]


# Passwords


def test_a_new_password_logs_the_other_devices_out(server: Server) -> None:
    ann = member(server, name := new_name())
    table = ann.begins("kalamala", {"A": "me", "B": "free"})
    phone = Guest(server)
    logs_in(phone, name)
    page, robot = phone.sits_at(table), bot_token(ann)
    form = {"old": "not it", "new": "another horse"}
    assert wrong(ann.client.post("/account/password", data=form)) == "Wrong password."
    answer = ann.client.post("/account/password", data={**form, "old": PASSWORD})
    assert answer.headers["location"] == "/account?done=password"
    assert ann.client.get(table).status_code == 200
    assert soon(lambda: phone.client.get(table).status_code == 404)
    time.sleep(SOCKET_ENDS_WITHIN)
    with pytest.raises(ConnectionClosed):
        page.acts("@a1", seat="A")
    assert phone.client.get(api(table), headers=bearing(robot)).status_code == 200
    assert logs_in(phone, name).status_code == 403
    assert logs_in(phone, name, "another horse").status_code == 303


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("seven77", "A password needs at least 8 characters."),
        ("long-" * 41, "A password can have at most 200 characters."),
        ("ABAB" * 3, "That password is too easy to guess."),
        ("23456789", "That password is too easy to guess."),
        ("Bob-the-first", "Your password can't be the same as your name."),
    ],
)
def test_a_password_that_will_not_do(guest: Guest, password: str, why: str) -> None:
    answer = registers(guest, "bob-the-first", password)
    assert answer.status_code == 400
    assert wrong(answer).startswith(why)
    assert guest.server.read_rows("SELECT * FROM account WHERE name = 'bob-the-first'") == []


def test_nothing_on_the_disk_opens_an_account(server: Server) -> None:
    ann = member(server, name := new_name())
    robot = bot_token(ann)
    cookies = [*ann.client.cookies.values()]
    assert len(cookies) == 2, "who it is, and that this device has logged in before"
    told = server.read_rows("SELECT * FROM account") + server.read_rows("SELECT * FROM token")
    assert name in str(told)
    for secret in (PASSWORD, robot, *cookies):
        assert secret not in str(told)


# Names


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Al", "A name must have 3 to 20 characters."),
        ("a" * 21, "A name must have 3 to 20 characters."),
        ("Ann Lee", "A name can contain letters"),
        ("Ann✓", "A name can contain letters"),
        ("Ann\u202eeel", "A name can contain letters"),
        ("Ann\u200b", "A name can contain letters"),
        ("---", "A name can contain letters"),
        ("\u0301bcd", "A name can contain letters"),
        ("e\u0329\u0330\u0331\u0332x", "A name can contain letters"),
        ("\N{CYRILLIC CAPITAL LETTER A}nn", "A name can't mix letters"),
    ],
)
def test_a_name_that_will_not_do(guest: Guest, name: str, why: str) -> None:
    answer = registers(guest, name)
    assert answer.status_code == 400
    assert wrong(answer).startswith(why)


@pytest.mark.parametrize(
    "name", ["Zoë", "Ångström_7", "Ярослав", "さくら-3", "नमस्ते", "Ελένη", "ﬁnn"]
)
def test_names_of_any_script(server: Server, name: str) -> None:
    shown = checked_name(f"{name}{len(name)}")
    ann = member(server, shown)
    assert ann.client.get("/api/v1/me").json()["name"] == shown


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zoë", "ZOE\u0308"),
        ("Straße", "STRASSE"),
        ("\uff21\uff2e\uff2e", "ann"),
        ("ﬁnn", "FINN"),
        ("\u03a3\u03b1\u03c2", "\u03c3\u03b1\u03c3"),
    ],
)
def test_names_that_look_the_same_are_one(one: str, other: str) -> None:
    assert fold_name(one) == fold_name(other)
    assert fold_name(fold_name(one)) == fold_name(one)


def test_a_name_is_somebodys_once(guest: Guest, server: Server) -> None:
    member(server, name := new_name("Zoë"))
    answer = registers(guest, name.upper())
    assert answer.status_code == 409
    assert wrong(answer) == f"The name {name.upper()} is already taken. Choose another."


def test_a_guest_does_not_look_like_somebody_with_an_account(server: Server) -> None:
    ann, bob, table = pair(server)
    name = ann.client.get("/api/v1/me").json()["name"]
    guest = Guest(server)
    refused = guest.client.put("/api/v1/me", json={"name": name})
    assert (refused.status_code, refused.json()["code"]) == (409, "name-taken")
    guest.calls_himself(f"not {name}"[:24])
    guest.joins(bob.links(table)["B"])
    seats = guest.reads(table)["seats"]
    assert (seats[0]["has_account"], seats[1]["has_account"]) == ([True], [True, False])


def test_an_account_goes_by_its_name(server: Server) -> None:
    ann = member(server, name := new_name())
    answer = ann.client.put("/api/v1/me", json={"name": "Somebody Else"})
    assert (answer.status_code, answer.json()["code"]) == (409, "account-name")
    assert ann.client.get("/api/v1/me").json() == {"name": name, "token": ""}


def test_devices_are_called_by_what_they_are() -> None:
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    assert device_name(firefox) == "Firefox, Linux"
    assert device_name("curl/8.5.0") == "curl"
    assert device_name("") == ""


def test_an_account_is_written_to_in_the_language_it_chose_last(server: Server) -> None:
    ann = member(server, name := new_name())
    ann.client.post("/language", data={"language": "fi", "back": "/"})
    query = "SELECT language FROM account WHERE display_name = :name"
    assert server.read_rows(query, name=name) == [{"language": "fi"}]


# Tokens for programs


def test_a_program_plays_in_somebodys_name_until_it_is_revoked(server: Server) -> None:
    ann = member(server, name := new_name())
    robot = bot_token(ann, "my robot")
    program = httpx.Client(base_url=server.address, headers=bearing(robot))
    with program:
        assert program.get("/api/v1/me").json() == {"name": name, "token": ""}
        asked = {"game": "kalamala", "seats": {"A": "me", "B": "me"}}
        table = program.post("/api/v1/tables", json=asked).json()["url"]
        sent = {"key": "k", "actions": ["@a1"], "seat": "A"}
        assert program.post(api(table, "actions"), json=sent).status_code == 200
        assert table in tables_of(ann)
        assert "my robot" in ann.client.get("/account").text
        [id] = token_ids(ann)
        assert ann.client.post("/account/revoke", data={"id": id}).status_code == 303
        assert soon(lambda: program.get("/api/v1/me").status_code == 401)
        assert program.get("/api/v1/me").json()["code"] == "no-token"


def test_a_stream_ends_with_its_token(server: Server) -> None:
    ann = member(server)
    table, robot = ann.opens(), bot_token(ann)
    page = ann.sits_at(table)
    with (
        httpx.Client(base_url=server.address, timeout=30) as program,
        program.stream("GET", api(table, "events"), headers=bearing(robot)) as stream,
    ):
        told = stream.iter_lines()
        assert next(told) == "retry: 2000"
        ann.client.post("/account/revoke", data={"id": token_ids(ann)[0]})
        time.sleep(ENDS_WITHIN)
        page.does("@a1")
        for line in told:
            assert line != "id: 1"


def test_a_program_changes_no_account(server: Server) -> None:
    ann = member(server)
    robot = bot_token(ann)
    with httpx.Client(base_url=server.address, headers=bearing(robot)) as program:
        for path in ("logout", "password", "bots", "revoke", "delete"):
            form = {"password": PASSWORD, "old": PASSWORD, "new": "another horse", "name": "x"}
            assert program.post(f"/account/{path}", data=form).status_code == 403
        assert program.get("/account/export").status_code == 403


def test_nobody_revokes_what_is_anothers(server: Server) -> None:
    ann, bob = member(server), member(server, new_name("Bob"))
    robot = bot_token(ann)
    [id] = token_ids(ann)
    assert bob.client.post("/account/revoke", data={"id": id}).status_code == 404
    assert bob.client.post("/account/revoke", data={"id": ""}).status_code == 404
    assert httpx.get(f"{server.address}/api/v1/me", headers=bearing(robot)).status_code == 200


# Too many tries


def test_passwords_are_not_guessed_quickly(tmp_path: Path) -> None:
    """Neither from one address, nor for one name from many."""
    with Server(
        tmp_path, limits="on", KIBITZ_TRUSTED_PROXIES="127.0.0.1", KIBITZ_WORKERS="1"
    ) as server:
        guest = Guest(server)

        def try_login(name: str, address: str, password: str = "guessed it") -> httpx.Response:
            form = {"name": name, "password": password}
            headers = {"X-Forwarded-For": address}
            return guest.client.post("/account/login", data=form, headers=headers)

        registers(Guest(server), "Ann")
        from_one = [try_login(f"name-{n}", "192.0.2.1").status_code for n in range(9)]
        # A machine that takes long for each is asked once more in that time.
        assert from_one[:6] == [403] * 6
        assert from_one[6:].count(429) >= 2
        for_one = [try_login("ann", f"192.0.2.{n}").status_code for n in range(10, 33)]
        assert for_one == [403] * 20 + [429] * 3
        right = try_login("ANN", "192.0.2.40", PASSWORD)
        assert right.status_code == 429, "for no stranger, for a while"
        assert wrong(right).startswith("Slow down")
        assert try_login("bob", "192.0.2.40").status_code == 403
        registers(Guest(server), "Bea")
        rightly = [try_login("bea", "192.0.2.50", PASSWORD).status_code for _ in range(8)]
        assert rightly == [303] * 8, "only what fails is counted"


# One's data


def test_somebody_takes_along_what_is_kept_of_them(server: Server) -> None:
    ann, _, table = pair(server)
    page = ann.sits_at(table)
    page.does("@a1")
    bot_token(ann, "my robot")
    answer = ann.client.get("/account/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="kibitz.json"'
    told: dict[str, Any] = answer.json()
    assert told["account"]["name"] == ann.client.get("/api/v1/me").json()["name"]
    assert [each["kind"] for each in told["tokens"]] == ["device", "bot"]
    [kept] = told["tables"]
    assert (kept["seats"], kept["record"]["actions"]) == (["A"], ["@a1"])
    assert "argon2" not in answer.text
    assert all(cookie not in answer.text for cookie in ann.client.cookies.values())
    assert Guest(server).client.get("/account/export").status_code == 403


def test_who_deletes_their_account_is_forgotten(server: Server) -> None:
    ann, bob, table = pair(server)
    one, other = ann.sits_at(table), bob.sits_at(table)
    one.does("@a1")
    name = ann.client.get("/api/v1/me").json()["name"]
    old, robot = dict(ann.client.cookies), bot_token(ann)
    answer = ann.client.post("/account/delete", data={"password": "not it"})
    assert (answer.status_code, wrong(answer)) == (403, "Wrong password.")
    assert ann.client.post("/account/delete", data={"password": PASSWORD}).status_code == 303
    kept = [
        server.read_rows(f'SELECT * FROM "{each}"')
        for each in ("account", "token", "guest", "rating", "membership", "chat")
    ]
    assert name not in str(kept)
    gone = with_cookies(server, old)
    assert soon(lambda: gone.client.get(table).status_code == 404)
    assert httpx.get(f"{server.address}/api/v1/me", headers=bearing(robot)).status_code == 401
    assert logs_in(Guest(server), name).status_code == 403
    other.waits_until(lambda page: page.seat("A")["members"] == [""])
    other.waits_until(lambda page: not page.seat("A")["is_here"])


def test_a_match_with_somebody_who_is_gone_can_still_be_checked(server: Server) -> None:
    ann, bob, table = pair(server, "kahmate")
    page = bob.sits_at(table)
    ann.client.post("/account/delete", data={"password": PASSWORD})
    page.does("resign B")
    record = read_record(json.dumps(bob.reads(table, "record")))
    assert verify_seal(game_of(record), record) is None
    assert record.result == "R"


def test_a_deleted_account_is_no_guests_again(guest: Guest, server: Server) -> None:
    table = guest.begins("kalamala", {"A": "me", "B": "free"})
    old = dict(guest.client.cookies)
    registers(guest, new_name())
    guest.client.post("/account/delete", data={"password": PASSWORD})
    thief = with_cookies(server, old)
    assert soon(lambda: thief.client.get(table).status_code == 404)


def test_a_name_is_free_again(server: Server) -> None:
    ann = member(server, name := new_name())
    ann.client.post("/account/delete", data={"password": PASSWORD})
    assert registers(Guest(server), name).status_code == 303


# What a server cannot be asked


class Alone:
    """No tables."""

    on_person_change: Callable[[str], None]

    async def refresh_member(self, member: str) -> None:
        pass


@pytest.fixture(params=["file", pytest.param("postgresql", marks=NEEDED)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path, "" if request.param == "file" else database_for(tmp_path))
    yield store
    store.close()


def accounts_in(store: Store) -> Accounts:
    return Accounts(store, Authenticator(GuestAuth(b"s" * 32), store), cast(LiveTables, Alone()))


def test_an_old_hash_becomes_one_of_today(store: Store) -> None:
    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    accounts = accounts_in(store)

    async def renew_hash() -> str:
        await accounts.register("m", "Ann", PASSWORD, "en")
        await store.execute(ACCOUNT.update().values(password_hash=weak))
        await accounts.log_in("ann", PASSWORD)
        await accounts.log_in("ann", PASSWORD)
        return str((await store.read(sql.select(ACCOUNT.c.password_hash)))[0][0])

    renewed = asyncio.run(renew_hash())
    assert renewed != weak
    assert not PasswordHasher().check_needs_rehash(renewed)


def test_nobody_can_tell_by_the_time_whether_there_is_such_a_name(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A password is checked against a hash of the same cost where there is nobody."""
    accounts, costs = accounts_in(store), []
    verify = PasswordHasher.verify

    def verify_and_note(hasher: PasswordHasher, hashed: str, password: bytes) -> bool:
        costs.append(extract_parameters(hashed))
        return verify(hasher, hashed, password)

    monkeypatch.setattr(PasswordHasher, "verify", verify_and_note)

    async def log_in_wrongly() -> None:
        await accounts.register("m", "Ann", PASSWORD, "en")
        for name in ("ann", "nobody", "nobody-else"):
            with pytest.raises(HttpError):
                await accounts.log_in(name, "not this one")

    asyncio.run(log_in_wrongly())
    assert len(costs) == 3
    assert costs[0] == costs[1] == costs[2]


def test_of_two_who_want_a_name_at_once_one_gets_it(store: Store) -> None:
    accounts = accounts_in(store)

    async def both() -> list[BaseException | str]:
        wishes = (accounts.register(each, "Ann", PASSWORD, "en") for each in ("m", "n"))
        return await asyncio.gather(*wishes, return_exceptions=True)

    got = asyncio.run(both())
    refused = [each for each in got if isinstance(each, HttpError)]
    assert [each.sentence.id for each in refused] == ["server.name-taken"]


def test_passwords_are_the_same_however_accents_are_typed(store: Store) -> None:
    accounts = accounts_in(store)

    async def log_in_retyped() -> str:
        await accounts.register("m", "Ann", "un café serré", "en")
        return (await accounts.log_in("ann", "un cafe\u0301 serre\u0301")).member

    assert asyncio.run(log_in_retyped()) == "m"


def test_a_token_that_began_otherwise_goes_on_working(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.server.accounts.accounts.TOKEN_PREFIX", "k-")
    accounts, auth = accounts_in(store), Authenticator(GuestAuth(b"s" * 32), store)

    async def owner() -> str:
        await accounts.register("m", "Ann", PASSWORD, "en")
        _, token = await accounts.new_bot_token("m", "my bot")
        assert token.startswith("k-")
        who = await auth.authenticate(token)
        return who.member if who else ""

    assert asyncio.run(owner()) == "m"
