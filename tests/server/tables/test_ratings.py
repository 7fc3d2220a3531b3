"""Rated matches: who may play one, what it changes, and the ladder."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import sqlalchemy as sql
from msgspec.structs import replace

from kibitz.core.game import Outcome
from kibitz.core.message import message
from kibitz.games import GAMES
from kibitz.server.db.queries.ratings import (
    LADDER_PAGE_SIZE,
    Rating,
    changes_at,
    ratings_after,
    read_ladder,
)
from kibitz.server.db.schema import ACCOUNT, RATING
from kibitz.server.db.store import (
    Store,
    StoredRow,
    StoredTable,
    TableLease,
    WriteConflict,
    open_store,
)
from kibitz.server.tables.live.fairness import board_hash
from kibitz.server.tables.ratings import is_ratable, rating_writer
from support.accounts import PASSWORD, bearing, bot_token, member, new_name, pair, soon
from support.cluster.needed import NEEDED
from support.cluster.servers import database_for
from support.server_process import Guest, Server, api

RATED: dict[str, Any] = {"settings": {"rated": True}}
WIN, LOSS = (1, -1), (-1, 1)


def name_of(guest: Guest) -> str:
    name: str = guest.client.get("/api/v1/me").json()["name"]
    return name


def ladder_rows(guest: Guest, game: str = "kalamala") -> dict[str, dict[str, Any]]:
    """Those on the ladder, newcomers too, by name."""
    found: dict[str, dict[str, Any]] = {}
    for kind in ("false", "true"):
        page, pages = 1, 1
        while page <= pages:
            asked = {"page": page, "is_provisional": kind}
            told = guest.client.get(f"/api/v1/ladder/{game}", params=asked).json()
            found |= {each["name"]: each for each in told["entries"]}
            page, pages = page + 1, told["pages"]
    return found


def result_of(guest: Guest, table: str) -> dict[str, str]:
    """What the page of a result says of ratings, by name."""
    page = guest.client.get(f"{table}/result").text
    part = page.partition('<ul class="rated"')[2].partition("</ul>")[0]
    lines = re.findall(r'class="sp"><bdi>([^<]*)<.*?aria-hidden="true">([^<]*)<', part, re.S)
    return {unescape(name): unescape(told) for name, told in lines}


# The numbers


def test_everybody_begins_at_1500_and_unsure() -> None:
    assert (Rating().points, Rating().interval) == (1500, (833, 2167))
    assert Rating().is_provisional


def test_whoever_wins_goes_up_by_what_the_other_goes_down() -> None:
    after = ratings_after({"a": Rating(), "b": Rating()}, [["a"], ["b"]], WIN)
    assert after["a"].points - 1500 == 1500 - after["b"].points > 0
    assert after["a"].sigma < Rating().sigma
    assert after["a"].matches == after["b"].matches == 1
    turned = ratings_after({"a": Rating(), "b": Rating()}, [["a"], ["b"]], LOSS)
    assert turned["b"] == after["a"]


def test_a_draw_of_equals_changes_nothing_but_how_sure_it_is() -> None:
    after = ratings_after({"a": Rating(), "b": Rating()}, [["a"], ["b"]], (0, 0))
    assert after["a"].mu == pytest.approx(Rating().mu)
    assert after["a"].sigma < Rating().sigma


def test_a_draw_is_good_for_the_weaker() -> None:
    before = {"a": Rating(30.0, 4.0, 12), "b": Rating(20.0, 4.0, 12)}
    after = ratings_after(before, [["a"], ["b"]], (0, 0))
    assert after["a"].points < before["a"].points
    assert after["b"].points > before["b"].points


def test_of_four_teams_one_wins_and_three_lose_alike() -> None:
    before = {each: Rating() for each in "abcde"}
    after = ratings_after(before, [["a"], ["b", "e"], ["c"], ["d"]], (-1, 3, -1, -1))
    assert after["b"].mu == after["e"].mu > Rating().mu
    assert after["a"].mu < Rating().mu
    assert after["c"].mu == pytest.approx(after["d"].mu)


@pytest.mark.parametrize(
    ("result", "payoffs", "is_counted"),
    [("A", WIN, True), ("draw", (0, 0), True), ("void", (0, 0), False)],
)
def test_a_voided_match_does_not_count(
    result: Any, payoffs: tuple[int, ...], is_counted: bool
) -> None:
    assert is_ratable(Outcome(result, payoffs, message("table.over"))) == is_counted
    broken_off = {"winner": None, "true_victory": False, "moral": ""}
    assert not is_ratable(Outcome(broken_off, (0, 0, 0, 0), message("table.over")))


# A rated match


def test_a_rated_match_changes_what_both_are_rated(server: Server) -> None:
    ann, bob, table = pair(server, **RATED)
    page = bob.sits_at(table)
    page.does("resign B")
    names = name_of(ann), name_of(bob)
    places = ladder_rows(ann)
    first, second = (places[name] for name in names)
    assert first["rating"] - 1500 == 1500 - second["rating"] > 0
    assert (first["matches"], first["is_provisional"]) == (1, True)
    assert first["low"] < first["rating"] < first["high"]
    gained = first["rating"] - 1500
    assert result_of(bob, table) == {
        names[0]: f"{first['rating']} (+{gained})",
        names[1]: f"{second['rating']} (\N{MINUS SIGN}{gained})",
    }
    ladder_page = ann.client.get("/ladder/kalamala").text
    assert names[0] in ladder_page
    export = ann.client.get("/account/export").json()
    assert export["ratings"]["kalamala"]["shown"] == first["rating"]


def test_all_are_told_before_they_sit_down(server: Server) -> None:
    ann = member(server)
    table = ann.begins("kalamala", {"A": "me", "B": "free"}, is_open=True, **RATED)
    page = ann.sits_at(table)
    link = ann.links(table)["B"]
    bob, guest = member(server, new_name("Bob")), Guest(server)
    assert "By sitting down you agree that it counts" in bob.client.get(link).text
    invited = guest.client.get(link).text
    assert f'href="/account?to={link}"' in invited
    assert "Log in to sit down" in invited
    assert '<button class="btn pri wide"' not in invited
    listed = re.compile(r"note\">[^<]*rated")
    assert soon(lambda: bool(listed.search(bob.client.get("/").text))), "in the lobby"
    assert "<span>rated</span>" in bob.client.get(table).text
    page.leaves()


def test_a_guest_who_wants_to_sit_down_is_told_to_log_in(server: Server) -> None:
    ann = member(server)
    table = ann.begins("kalamala", {"A": "me", "B": "free"}, is_open=True, **RATED)
    guest = Guest(server)
    answer = guest.follows(ann.links(table)["B"])
    assert (answer.status_code, answer.json()["code"]) == (422, "rated-account")
    assert guest.sits_at(table).is_refused("sit B").endswith("Log in first.")
    page = guest.client.post(ann.links(table)["B"], data={})
    assert page.status_code == 422
    assert "Log in first." in page.text


def test_who_logs_in_is_led_back_to_the_invitation(server: Server) -> None:
    ann = member(server)
    bob = member(server, name := new_name("Bob"))
    bob.client.post("/account/logout")
    table = ann.begins("kalamala", {"A": "me", "B": "free"}, **RATED)
    link = ann.links(table)["B"]
    form = {"name": name, "password": PASSWORD}
    answer = bob.client.post(f"/account/login?to={link}", data=form)
    assert answer.headers["location"] == link
    answer = bob.client.post("/account/login?to=//elsewhere.example", data=form)
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"seats": {"A": "me", "B": "greedy"}}, "unrated-bots"),
        ({"seats": {"A": "me", "B": "me"}}, "unrated-alone"),
        ({"options": {"turn_limit": 40}}, "unrated-options"),
        ({"start": "8/8/8/8/8/8/8/8 A 10 10 1"}, "unrated-start"),
        ({"game": "as-kimble", "options": {"mode": "companion"}}, "unrated-board"),
    ],
)
def test_a_table_that_cannot_be_rated(server: Server, asked: dict[str, Any], why: str) -> None:
    ann = member(server)
    if "start" in asked:
        asked = {"start": start_of(ann)}
    answer = ann.client.post("/api/v1/tables", json={"game": "kalamala", **RATED, **asked})
    assert (answer.status_code, answer.json()["code"]) == (400, why)


def start_of(guest: Guest) -> str:
    """Some position that is not the first one."""
    table = guest.opens()
    guest.sits_at(table).does("@a1")
    start: str = guest.reads(table, "position")["position"]
    return start


def test_a_guest_opens_no_rated_table(guest: Guest) -> None:
    asked = {"game": "kalamala", "seats": {"A": "me", "B": "free"}, **RATED}
    for path, body in (("tables", asked), ("seeks", {"game": "kalamala", "rated": True})):
        answer = guest.client.post(f"/api/v1/{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "rated-account")


def test_what_is_not_fair_is_refused_at_a_rated_table(server: Server) -> None:
    ann = member(server)
    table = ann.begins("kalamala", {"A": "me", "B": "free"}, is_open=True, **RATED)
    one = ann.sits_at(table)
    assert "Bots" in one.is_refused("bot B greedy")
    assert "two sides" in one.is_refused("sit B")
    bob = member(server, new_name("Bob"))
    other = bob.sits_at(table)
    other.does("sit B")
    one.waits_for(other.view["seq"])
    one.does("@a1")
    assert "can't leave" in one.is_refused("stand A")
    one.does("resign A")
    assert "its result is final" in one.is_refused("ask back 0")
    assert "its result is final" in one.is_refused("ask continue 2")


def test_a_host_is_no_referee_at_a_rated_table(server: Server) -> None:
    ann = member(server)
    ann.sits_at(ann.begins("as-kimble")).does("adjourn because it is late")
    assert ann.sits_at(ann.begins("as-kimble", **RATED)).is_refused("adjourn because it is late")


def test_a_program_plays_no_rated_match(server: Server) -> None:
    ann, _, table = pair(server, **RATED)
    headers = bearing(bot_token(ann))
    sent = {"key": "k", "actions": ["@a1"]}
    with httpx.Client(base_url=server.address) as program:
        answers = [
            program.post(api(table, "actions"), json=sent, headers=headers),
            program.post("/api/v1/tables", json={"game": "kalamala", **RATED}, headers=headers),
        ]
        assert [answer.json()["code"] for answer in answers] == ["rated-program"] * 2
        assert program.get(api(table, "position"), headers=headers).status_code == 200


def test_a_match_that_was_called_off_does_not_count(server: Server) -> None:
    ann, _, table = pair(server, **RATED)
    ann.sits_at(table).does("abort")
    assert name_of(ann) not in ladder_rows(ann)
    assert result_of(ann, table) == {}


def test_a_match_that_is_not_rated_does_not_count(server: Server) -> None:
    ann, bob, table = pair(server)
    bob.sits_at(table).does("resign B")
    assert name_of(ann) not in ladder_rows(ann)


def test_a_flag_counts(server: Server) -> None:
    clock = {"kind": "fischer", "minutes": 0.01, "seconds": 0}
    ann, bob, table = pair(server, settings={"rated": True, "clock": clock})
    page = bob.sits_at(table)
    ann.sits_at(table).does("@a1")
    page.waits_until(lambda page: bool(page.view["outcome"]))
    assert result_of(ann, table).keys() == {name_of(ann), name_of(bob)}
    assert ladder_rows(ann)[name_of(ann)]["rating"] > 1500


def test_a_match_with_somebody_who_deleted_their_account_does_not_count(server: Server) -> None:
    ann, bob, table = pair(server, **RATED)
    page = ann.sits_at(table)
    bob.client.post("/account/delete", data={"password": PASSWORD})
    page.does("resign A")
    assert name_of(ann) not in ladder_rows(ann)


def test_what_a_match_changed_stays_for_the_others(server: Server) -> None:
    ann, bob, table = pair(server, **RATED)
    bob.sits_at(table).does("resign B")
    gone = name_of(bob)
    bob.client.post("/account/delete", data={"password": PASSWORD})
    assert result_of(ann, table).keys() == {name_of(ann)}
    assert gone not in ladder_rows(ann)
    assert server.read_rows("SELECT changes FROM rated_match WHERE table_id = :id", id=table[3:])


def test_a_rematch_is_rated_too(server: Server) -> None:
    ann, bob, table = pair(server, **RATED)
    one, other = ann.sits_at(table), bob.sits_at(table)
    one.does("resign A")
    one.does("ask rematch")
    other.waits_until(lambda page: bool(page.table["request"]))
    other.does("agree")
    other.waits_until(lambda page: bool(page.table["next"]))
    following = other.table["next"]
    assert ann.reads(following)["settings"]["rated"]
    ann.sits_at(following).does("resign B")
    assert ladder_rows(ann)[name_of(bob)]["matches"] == 2


def test_matches_that_end_at_once_all_count(server: Server) -> None:
    ann, bob, first = pair(server, **RATED)
    tables = [first]
    for _ in range(5):
        table = ann.begins("kalamala", {"A": "me", "B": "free"}, **RATED)
        bob.joins(ann.links(table)["B"])
        tables.append(table)
    pages = [bob.sits_at(table) for table in tables]
    for page in pages:
        page.socket.send('{"type": "act", "key": "k", "actions": ["resign B"]}')
    for page in pages:
        assert page.hears("done", "refused", "stale")["type"] == "done"
    assert ladder_rows(ann)[name_of(ann)]["matches"] == 6
    rows = server.read_rows("SELECT mu FROM rating ORDER BY mu")
    assert rows[0]["mu"] < 25 < rows[-1]["mu"]


def test_who_looks_for_a_rated_match_finds_one(server: Server) -> None:
    ann, bob = member(server), member(server, new_name("Bob"))
    guest, wish = Guest(server), {"game": "kahmate", "rated": True}
    plain = guest.client.post("/api/v1/seeks", json={"game": "kahmate"}).json()["url"]
    guest.sits_at(plain)
    table = ann.client.post("/api/v1/seeks", json=wish).json()["url"]
    assert table != plain, "for nothing is at stake there"
    page = ann.sits_at(table)
    assert bob.client.post("/api/v1/seeks", json=wish).json()["url"] == table
    page.waits_until(lambda page: not any(seat["is_free"] for seat in page.people_view["seats"]))


# In the store


@pytest.fixture(params=["file", pytest.param("postgresql", marks=NEEDED)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path, "" if request.param == "file" else database_for(tmp_path))
    yield store
    store.close()


def accounts(*members: str) -> list[dict[str, Any]]:
    """What is kept of some people, as far as it matters here."""
    return [
        {
            "name": m,
            "display_name": m.upper(),
            "member": m,
            "password_hash": "",
            "created_at": 0,
            "language": "en",
        }
        for m in members
    ]


async def add(store: Store, kind: sql.Table, entries: list[dict[str, Any]]) -> None:
    for entry in entries:
        await store.execute(kind.insert().values(**entry))


def ended_table(teams: dict[str, tuple[str, ...]], payoffs: tuple[int, ...]) -> Any:
    """A table where a match has just ended, as far as rating it goes."""
    return SimpleNamespace(
        game=SimpleNamespace(name="as-kimble", seats=tuple(teams)),
        people=SimpleNamespace(members=teams),
        outcome=Outcome("", payoffs, message("table.over")),
    )


def test_a_match_of_four_teams_is_rated_once(store: Store) -> None:
    teams = {"R": ("a",), "B": ("b", "e"), "Y": ("c",), "G": ("d",)}
    settle = rating_writer("t", ended_table(teams, (-1, 3, -1, -1)), 5.0)
    assert settle
    table = StoredTable(
        id="t", game="", rules_version="", start="", owner="a", created_at=1.0, seats={}, options={}
    )

    async def settle_twice() -> list[Any]:
        await store.open_table(table, TableLease())
        await add(store, ACCOUNT, accounts(*"abcde"))
        for _ in range(2):
            await store.append_rows("t", await store.row_count("t"), [ROW], also=[settle])
        return [*await store.read(sql.select(RATING.c.member, RATING.c.mu, RATING.c.matches))]

    found = {member: (mu, matches) for member, mu, matches in asyncio.run(settle_twice())}
    assert {matches for _, matches in found.values()} == {1}
    assert found["b"] == found["e"] > (25.0, 1) > found["a"]
    changes = asyncio.run(changes_at(store, "t"))
    assert changes["b"].points > 0 > changes["c"].points


def test_a_match_is_rated_with_the_row_that_ends_it_or_not_at_all(store: Store) -> None:
    table = StoredTable(
        id="t", game="", rules_version="", start="", owner="a", created_at=1.0, seats={}, options={}
    )
    settle = rating_writer("t", ended_table({"A": ("a",), "B": ("b",)}, WIN), 5.0)
    assert settle

    async def race_writes() -> None:
        await store.open_table(table, TableLease())
        await add(store, ACCOUNT, accounts("a", "b"))
        await store.append_rows("t", 0, [ROW])
        await store.append_rows("t", 0, [replace(ROW, text="resign B")], also=[settle])

    with pytest.raises(WriteConflict):
        asyncio.run(race_writes())
    assert asyncio.run(changes_at(store, "t")) == {}
    assert asyncio.run(store.read(sql.select(RATING))) == []


ROW = StoredRow(actor="A", member="a", text="resign A", at=5.0)


def test_the_ladder_comes_page_by_page_and_newcomers_apart(store: Store) -> None:
    people = LADDER_PAGE_SIZE + 5
    one = {"game": "kalamala", "sigma": 2.0, "at": time.time()}
    ratings = [{**one, "member": f"m{i}", "mu": 25.0 + i, "matches": 10 + i} for i in range(people)]
    ratings.append({**one, "member": "new", "mu": 99.0, "matches": 9})
    ratings.append({**one, "member": "nobody", "mu": 99.0, "matches": 10})

    async def fill_ladder() -> None:
        await add(store, ACCOUNT, accounts(*(f"m{i}" for i in range(people)), "new"))
        await add(store, RATING, ratings)

    asyncio.run(fill_ladder())
    first, second = (asyncio.run(read_ladder(store, "kalamala", page)) for page in (1, 2))
    assert (first.page, first.pages, first.people) == (1, 2, people)
    assert [entry.place for entry in first.entries] == [*range(1, LADDER_PAGE_SIZE + 1)]
    assert [entry.name for entry in second.entries] == ["M4", "M3", "M2", "M1", "M0"]
    assert second.entries[0].place == LADDER_PAGE_SIZE + 1
    assert asyncio.run(read_ladder(store, "kalamala", 99)).page == 2
    apart = asyncio.run(read_ladder(store, "kalamala", 1, provisional=True))
    assert [entry.name for entry in apart.entries] == ["NEW"]
    assert asyncio.run(read_ladder(store, "kahmate")).entries == []


def test_there_is_a_ladder_for_each_game_and_no_other(guest: Guest) -> None:
    for game in ("kahmate", "kalamala", "as-kimble"):
        assert guest.client.get(f"/ladder/{game}?page=x").status_code == 200
    assert guest.client.get("/ladder/chess").status_code == 404
    assert guest.client.get("/api/v1/ladder/chess").status_code == 404


def test_a_position_of_a_rated_match_is_evaluated_for_nobody(server: Server) -> None:
    ann, _, table = pair(server, **RATED)
    ann.sits_at(table).does("@a1")
    position = ann.reads(table, "position")["position"]
    stranger, asked = Guest(server), {"game": "kalamala", "start": position}
    answer = stranger.client.post("/api/v1/analysis/evaluate", json=asked)
    assert (answer.status_code, answer.json()["code"]) == (403, "analysis.rated-position")
    fields = position.split(" ")
    later = {**asked, "start": " ".join([*fields[:4], "30", *fields[5:]])}
    again = stranger.client.post("/api/v1/analysis/evaluate", json=later)
    assert again.status_code in (403, 422), "another number of the turn is the same board"


def test_a_server_that_has_not_seen_a_rated_match_knows_its_position(tmp_path: Path) -> None:
    """As another worker does not."""
    alone = {"KIBITZ_DATABASE_URL": "", "KIBITZ_WORKERS": "1"}
    asked = {"game": "kalamala", "actions": ["@a1"]}
    with Server(tmp_path, **alone) as server:
        ann, _, table = pair(server, **RATED)
        ann.sits_at(table).does("@a1")
        cookies = dict(ann.client.cookies)
    with Server(tmp_path, **alone) as server:
        stranger = Guest(server)
        answer = stranger.client.post("/api/v1/analysis/evaluate", json=asked)
        assert (answer.status_code, answer.json()["code"]) == (403, "analysis.rated-position")
        ann = Guest(server)
        ann.client.cookies.update(cookies)
        ann.sits_at(table).does("resign A")
        answer = stranger.client.post("/api/v1/analysis/evaluate", json=asked)
        assert answer.status_code in (200, 429), "nobody plays it any more; a bot may warm up"


def test_the_mark_of_a_board_tells_nothing_hidden() -> None:
    """Whoever guesses a set-up is not told that they are right."""
    game = GAMES["kahmate"].game({})
    placed, otherwise = (
        game.notation.read_state(f"{men} R place:B - - 123456/123456 0-0 0 -")
        for men in (
            "2O10/2S10/1F11/2C10/1O11/13/2T10/13",
            "1O11/2S10/1F11/2C10/2O10/13/2T10/13",
        )
    )
    assert game.notation.write_state(placed) != game.notation.write_state(otherwise)
    assert board_hash(game, placed) == board_hash(game, otherwise)


def test_the_page_of_a_rated_match_compares_choices_with_level_5(server: Server) -> None:
    for settings, is_shown in ((RATED, True), ({}, False)):
        ann, bob, table = pair(server, **settings)
        ann.sits_at(table).does("@a1")
        bob.sits_at(table).does("resign B")
        for _ in range(100):
            answer = ann.client.get(f"{table}/chances")
            if answer.status_code == 200:
                break
        assert ("Chosen as our best bot would" in answer.text) == is_shown
        if is_shown:
            told = answer.text.partition("level 5 would")[2]
            assert re.search(r"<li class=\"swing\">Rings: [01] of 1</li>", told), told
            assert "Blocks: " not in told, "who only resigned chose nothing"
