"""Everything a page does, done by a program that has a token and no cookies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema_rs import validator_for

from kibitz.core.record import read_record, verify
from kibitz.games import GAMES, game_of
from kibitz.i18n import LANGUAGES
from support.accounts import bearing, member, soon
from support.server_process import Server


class Program:
    """Known by a token only: cookies that it is sent are thrown away."""

    def __init__(self, server: Server) -> None:
        self.address = server.address
        told = httpx.get(f"{self.address}/api/v1/me", timeout=30).json()
        self.token = told["token"]
        self.number = 0

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.request(
            method, f"{self.address}/api/v1{path}", headers=headers, timeout=30, **more
        )

    def get(self, path: str) -> Any:
        answer = self.ask("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, status: int, **body: Any) -> Any:
        answer = self.ask("POST", path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def opens(self, **body: Any) -> str:
        table: str = self.post("/tables", 201, **body)["id"]
        return table

    def acts(self, table: str, *texts: str, status: int = 200, **more: Any) -> Any:
        self.number += 1
        asked = {"type": "act", "key": f"{self.number}", "actions": texts, **more}
        return self.post(f"/tables/{table}/actions", status, **asked)


@pytest.fixture
def program(server: Server) -> Program:
    return Program(server)


def schema(server: Server) -> Any:
    answer = httpx.get(f"{server.address}/api/v1/openapi.json", timeout=30)
    assert answer.status_code == 200
    return answer.json()


def test_two_programs_play_a_match_to_its_end(server: Server) -> None:
    ann, bob = Program(server), Program(server)
    table = ann.opens(game="kalamala", seats={"A": "me", "B": "free"})
    link = ann.get(f"/tables/{table}/links")["B"]
    joined = bob.post(f"/tables/{table}/join", 200, token=link.split("/")[-1])
    assert joined == {"place": "B"}
    for who, other in ((ann, bob), (bob, ann)) * 2:
        position = who.get(f"/tables/{table}/position")
        assert position["acting"] in position["to_act"]
        assert other.get(f"/tables/{table}/position")["actions"] == []
        done = who.acts(table, position["actions"][0], seq=position["seq"])
        assert (done["type"], done["seq"]) == ("done", position["seq"] + 1)
    seen = ann.get(f"/tables/{table}/view")
    assert seen["svg"].startswith("<svg")
    later = ann.get(f"/tables/{table}/view?since={seen['seq'] - 1}")
    assert later["svg"] is None
    assert len(later["events"]) == 1
    bob.acts(table, "resign B")
    assert ann.get(f"/tables/{table}/position")["result"] == "A"
    record = read_record(ann.ask("GET", f"/tables/{table}/record").text)
    assert verify(game_of(record), record) is None
    assert record.result == "A"
    assert [each["id"] for each in ann.get("/me/tables")] == [table]


def test_what_somebody_brings_goes_into_the_dice(server: Server) -> None:
    ann, bob = Program(server), Program(server)
    table = ann.opens(game="kahmate", seats={"R": "me", "B": "free"}, entropy="ann-1")
    token = ann.get(f"/tables/{table}/links")["B"].split("/")[-1]
    bob.post(f"/tables/{table}/join", 200, token=token, entropy="bob-1")
    assert bob.get(f"/tables/{table}/seal")["entropies"] == ["ann-1", "bob-1"]


def test_what_two_programs_call_alike_is_done_for_both(server: Server) -> None:
    """A key is one's own: another's of the same name is another."""
    ann, bob = Program(server), Program(server)
    table = ann.opens(game="kalamala", seats={"A": "me", "B": "free"})
    link = ann.get(f"/tables/{table}/links")["B"]
    bob.post(f"/tables/{table}/join", 200, token=link.split("/")[-1])
    ann.acts(table, "@a1", key="1")
    bob.acts(table, "@b1", key="1")
    ann.acts(table, "@a1", key="1")
    assert ann.get(f"/tables/{table}/record")["actions"] == ["@a1", "@b1"]


def test_an_act_is_refused_stale_or_done_once(program: Program) -> None:
    table = program.opens(game="kalamala", seats={"A": "me", "B": "me"})
    refused = program.acts(table, "@c4", status=422)
    assert (refused["type"], refused["rule"], refused["at"]) == ("refused", "3.1", "sq-c4")
    for _ in range(2):
        assert program.acts(table, "@a1", key="mine", seq=0)["type"] == "done"
    assert program.acts(table, "@b1", seq=0, status=409)["type"] == "stale"
    assert program.acts(table, "@b1", "back 0", "@c4", status=422)
    assert program.get(f"/tables/{table}/record")["actions"] == ["@a1"]


def test_why_not_is_answered(program: Program) -> None:
    table = program.opens(game="kalamala", seats={"A": "me", "B": "me"})
    asked = {"type": "explain", "key": "k", "path": ["rs-A", "sq-c4"]}
    told = program.ask("POST", f"/tables/{table}/explain", json=asked).json()
    assert told["rule"] == "3.1"
    assert told["message"]


def test_the_games_and_their_options_are_told(program: Program) -> None:
    games = {game["name"]: game for game in program.get("/games")}
    assert set(games) == set(GAMES)
    kahmate = games["kahmate"]
    assert kahmate["seats"] == ["R", "B"]
    assert kahmate["preset"] == {"turn_limit": 200, "hold_limit": 8}
    assert {"turn_limit", "hold_limit"} <= {option["name"] for option in kahmate["options"]}
    assert all(option["allowed"] for game in games.values() for option in game["options"])
    assert {"random", "greedy"} <= set(kahmate["bots"])


@pytest.mark.parametrize(
    ("game", "preset", "book"),
    [
        ("kahmate", {"turn_limit": 200, "hold_limit": 8}, {"turn_limit": 0, "hold_limit": 0}),
        ("as-kimble", {"pace": "turn", "unit": "units"}, {"pace": "free"}),
        ("kalamala", {"turn_limit": 0}, {"turn_limit": 0}),
    ],
)
def test_tables_are_preset_and_the_book_is_one_word_away(
    program: Program, game: str, preset: dict[str, Any], book: dict[str, Any]
) -> None:
    seats = dict.fromkeys(GAMES[game].game({}).seats, "me")
    for asked, expected in (({}, preset), ({"official_rules": True}, book)):
        options = program.get(f"/tables/{program.opens(game=game, seats=seats, **asked)}")[
            "options"
        ]
        assert {name: options[name] for name in expected} == expected


def test_somebody_new_becomes_a_guest_and_is_called_something(server: Server) -> None:
    program = Program(server)
    assert program.get("/me") == {"name": "", "token": program.token}
    renamed = program.ask("PUT", "/me", json={"name": "Ada\u202e\x07"}).json()
    assert renamed == {"name": "Ada", "token": program.token}
    assert program.get("/me")["name"] == "Ada"
    assert Program(server).get("/me")["name"] == ""


def test_seeking_and_the_lobby(server: Server) -> None:
    one, two = Program(server), Program(server)
    wish = {"game": "kahmate", "clock": {"kind": "fischer", "minutes": 11, "seconds": 1}}
    opened = one.post("/seeks", 201, **wish)
    assert two.post("/seeks", 201, **wish) == opened
    assert opened["url"] == f"/t/{opened['id']}"
    told = two.get(f"/tables/{opened['id']}")
    assert (told["is_open"], told["table"]["is_waiting"]) == (True, False)
    assert isinstance(one.get("/tables"), list)


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/nothing", None, 404),
        ("GET", "/tables/nowhere", None, 404),
        ("GET", "/tables/nowhere/record", None, 404),
        ("POST", "/tables/nowhere/actions", {"type": "act", "key": "k", "actions": []}, 404),
        ("POST", "/tables/nowhere/join", {"token": "x"}, 404),
        ("POST", "/tables", {"game": "chess"}, 400),
        ("POST", "/tables", {"game": "kalamala", "seats": {"Z": "me"}}, 400),
        ("POST", "/tables", {"game": "kalamala", "seats": {"A": "oracle"}}, 400),
        ("POST", "/tables", {"game": "kalamala", "colour": "red"}, 400),
        ("POST", "/tables", {"game": "kalamala", "options": {"turn_limit": -1}}, 400),
        ("POST", "/tables", {"game": "kalamala", "start": "nonsense"}, 400),
        ("POST", "/tables", {"game": "kalamala", "entropy": "a:b"}, 400),
        ("POST", "/tables", {"game": "kalamala", "settings": {"absence_seconds": 0}}, 400),
        ("POST", "/tables", {"game": "kalamala", "settings": {"clock": {"kind": "sand"}}}, 400),
        ("POST", "/seeks", {"game": "chess"}, 400),
        ("POST", "/seeks", {"game": "kalamala", "clock": {"kind": "days", "days": 0}}, 400),
        ("PUT", "/me", {"name": 5}, 400),
        ("PUT", "/me", {"name": "x" * 300}, 400),
        ("DELETE", "/me", None, 405),
    ],
)
def test_errors_are_sentences_in_json(
    program: Program, method: str, path: str, body: Any, status: int
) -> None:
    answer = program.ask(method, path, json=body)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("application/json")
    told = answer.json()
    assert told["status"] == status
    assert re.fullmatch(r"[a-z-]+(\.[a-z-]+)?", told["code"])
    assert isinstance(told["values"], dict)
    assert told["rule"] is None or told["rule"]
    assert re.match(r"\S.*[.!]$", told["message"]), told["message"]


def test_a_refusal_has_the_shape_of_all_errors(program: Program) -> None:
    """And more: what a page shows beside it."""
    table = program.opens(game="kalamala", seats={"A": "me", "B": "me"})
    refused = program.acts(table, "@c4", status=422)
    assert (refused["code"], refused["status"]) == ("kalamala.square-taken", 422)
    assert isinstance(refused["values"], dict)
    program.acts(table, "@a1", seq=0)
    stale = program.acts(table, "@b1", seq=0, key="k", status=409)
    assert (stale["code"], stale["status"], stale["key"]) == ("stale", 409, "k")
    assert stale["message"]
    lost = {"game": "kalamala", "actions": ["@c4"]}
    unplayed = program.post("/analysis", 422, **lost)
    assert (unplayed["code"], unplayed["status"], unplayed["number"]) == (refused["code"], 422, 1)


def test_what_is_wrong_with_a_message_is_told(program: Program) -> None:
    told = program.ask("POST", "/tables", json={"game": 5}).json()
    assert (told["code"], told["status"]) == ("bad-request", 400)
    assert told["values"]["where"] == "game"
    assert "str" in told["values"]["problem"]


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/me", "/api/tables/x", "/api/v2/me"])
def test_who_asks_without_a_version_is_told_of_it(server: Server, path: str) -> None:
    answer = httpx.get(f"{server.address}{path}", timeout=30)
    told = answer.json()
    assert (answer.status_code, told["code"]) == (404, "api-version")
    assert "/api/v1" in told["message"]


def test_errors_speak_the_language_and_keep_their_key(program: Program) -> None:
    answers = [
        httpx.get(f"{program.address}/api/v1/tables/x", headers={"Accept-Language": each}).json()
        for each in LANGUAGES
    ]
    assert {each["code"] for each in answers} == {"no-table"}
    assert len({each["message"] for each in answers}) == len(LANGUAGES)


@pytest.mark.parametrize(
    "path",
    ["/", "/health", "/rules/kalamala", "/static/lib/base.css", "/api/v1/games", "/api/v1/me"],
)
def test_a_head_is_a_get_without_a_body(server: Server, path: str) -> None:
    got = httpx.get(f"{server.address}{path}", timeout=30)
    head = httpx.head(f"{server.address}{path}", timeout=30)
    assert (head.status_code, head.content) == (got.status_code, b"")
    assert head.headers["content-type"] == got.headers["content-type"]
    for place in ("/nothing", "/api/v1/nothing", "/api/v1/tables/x/events"):
        assert httpx.head(f"{server.address}{place}", timeout=30).status_code == 404


def test_a_head_is_no_post(server: Server) -> None:
    assert httpx.head(f"{server.address}/api/v1/seeks", timeout=30).status_code == 405


def test_a_stream_has_a_head(program: Program) -> None:
    table = program.opens(game="kalamala")
    answer = program.ask("HEAD", f"/tables/{table}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert program.get(f"/tables/{table}")["table"]["spectators"] == 0


def test_what_is_left_of_a_limit_is_told(tmp_path: Path) -> None:
    with Server(tmp_path, limits="on", KIBITZ_WORKERS="1") as strict:
        program = Program(strict)
        answers = [program.ask("PUT", "/me", json={"name": "Ann"}) for _ in range(7)]
    left = [answer.headers["ratelimit"].split(";")[:2] for answer in answers]
    assert left == [['"rename"', f"r={number}"] for number in (4, 3, 2, 1, 0, 0, 0)]
    assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"rename";q=5;w=25'}
    told = answers[-1].json()
    assert (told["code"], told["limit"], told["status"]) == ("too-fast", "rename", 429)
    assert 0 < told["wait_seconds"] <= int(answers[-1].headers["retry-after"])


def test_records_of_mine_come_page_by_page(server: Server) -> None:
    ann, bob = Program(server), Program(server)
    ann.ask("PUT", "/me", json={"name": "Ann"})
    tables = []
    for _ in range(5):
        table = ann.opens(game="kalamala", seats={"A": "me", "B": "free"})
        link = ann.get(f"/tables/{table}/links")["B"]
        bob.post(f"/tables/{table}/join", 200, token=link.split("/")[-1])
        ann.acts(table, "@a1")
        tables.append(table)
    for table in tables[:4]:
        bob.acts(table, "resign B")
    found, place = [], "/api/v1/me/records?limit=3"
    while place:
        page = ann.get(place.removeprefix("/api/v1"))
        found.append([each["table"] for each in page["records"]])
        place = page["next"]
    assert found == [tables[3:0:-1], tables[:1]]
    [last] = page["records"]
    assert (last["game"], last["result"], last["mine"]) == ("kalamala", "A", ["A"])
    assert last["people"] == {"A": {"name": "Ann", "players": ["Ann"]}}
    assert (last["played"], last["ended"] > last["created"]) == (2, True)
    assert ann.get(last["record"].removeprefix("/api/v1"))["result"] == "A"
    assert Program(server).get("/me/records") == {"records": [], "next": None}


@pytest.mark.parametrize("before", ["x", "-", "1", "nan-x", "1e999-x", "1-x"])
def test_a_page_of_records_begins_somewhere(program: Program, before: str) -> None:
    answer = program.ask("GET", f"/me/records?before={before}")
    assert answer.status_code in (200, 400)
    assert answer.json().get("records", []) == []


# Tokens for programs


def test_a_program_has_a_token_of_its_own_until_it_is_ended(server: Server) -> None:
    ann = member(server)
    made = ann.client.post("/api/v1/me/tokens", json={"name": "my bot"})
    assert (made.status_code, made.headers["cache-control"]) == (201, "private, no-store")
    told = made.json()
    assert told["token"].startswith("kibitz_")
    bot = bearing(told.pop("token"))
    place = f"{server.address}/api/v1/me"
    assert httpx.get(place, headers=bot).json()["name"] == ann.client.get(place).json()["name"]
    [listed] = ann.client.get("/api/v1/me/tokens").json()
    assert (listed["id"], listed["name"]) == (told["id"], "my bot")
    for ask in (
        httpx.Request("GET", f"{place}/tokens", headers=bot),
        httpx.Request("POST", f"{place}/tokens", headers=bot, json={"name": "another"}),
        httpx.Request("DELETE", f"{place}/tokens/{told['id']}", headers=bot),
    ):
        with httpx.Client() as client:
            answer = client.send(ask)
        assert (answer.status_code, answer.json()["code"]) == (403, "no-account")
    assert ann.client.delete(f"/api/v1/me/tokens/{told['id']}").status_code == 204
    assert ann.client.delete(f"/api/v1/me/tokens/{told['id']}").status_code == 404
    assert ann.client.get("/api/v1/me/tokens").json() == []
    assert soon(lambda: error_in(httpx.get(place, headers=bot)) == (401, "no-token"))


def error_in(answer: httpx.Response) -> tuple[int, str | None]:
    return answer.status_code, answer.json().get("code")


def test_tokens_are_for_those_with_an_account(server: Server, program: Program) -> None:
    for method in ("GET", "POST"):
        body = {"name": "x"} if method == "POST" else None
        answer = program.ask(method, "/me/tokens", json=body)
        assert (answer.status_code, answer.json()["code"]) == (403, "no-account")
    ann, bob = member(server), member(server)
    mine = ann.client.post("/api/v1/me/tokens", json={"name": "x"}).json()["id"]
    assert bob.client.delete(f"/api/v1/me/tokens/{mine}").status_code == 404
    assert ann.client.post("/api/v1/me/tokens", json={"name": " "}).status_code == 400


def test_what_is_no_json_is_refused_as_such(program: Program) -> None:
    for content in (b"", b"{", b"[]", b"null", b'"game"', b"\xff\xfe"):
        answer = program.ask("POST", "/tables", content=content)
        assert answer.status_code == 400, content
        assert answer.json()["message"]


def test_every_address_is_documented(server: Server) -> None:
    told = schema(server)
    assert told["openapi"].startswith("3.")
    assert told["info"]["title"] == "Kibitz"
    documented = {
        f"{method} {path}" for path, methods in told["paths"].items() for method in methods
    }
    assert documented == {
        *("get /api/v1/games", "get /api/v1/ladder/{game}"),
        *("get /api/v1/me", "put /api/v1/me", "get /api/v1/me/tables", "get /api/v1/me/records"),
        *("get /api/v1/me/turns", "get /api/v1/me/tokens", "post /api/v1/me/tokens"),
        "delete /api/v1/me/tokens/{token_id}",
        *("get /api/v1/tables", "post /api/v1/tables", "post /api/v1/seeks"),
        *("get /api/v1/tables/{table_id}", "get /api/v1/tables/{table_id}/links"),
        *("post /api/v1/tables/{table_id}/join", "get /api/v1/tables/{table_id}/view"),
        *("get /api/v1/tables/{table_id}/events", "get /api/v1/tables/{table_id}/positions/{n}"),
        *("get /api/v1/tables/{table_id}/position", "post /api/v1/tables/{table_id}/actions"),
        *("post /api/v1/tables/{table_id}/explain", "get /api/v1/tables/{table_id}/hint"),
        *("get /api/v1/tables/{table_id}/plan", "get /api/v1/tables/{table_id}/loss"),
        *("get /api/v1/tables/{table_id}/record", "get /api/v1/tables/{table_id}/seal"),
        *("get /api/v1/tables/{table_id}/draws", "get /api/v1/tables/{table_id}/log"),
        *("get /api/v1/tables/{table_id}/chat", "post /api/v1/tables/{table_id}/chat"),
        "post /api/v1/tables/{table_id}/chat/moderation",
        "delete /api/v1/tables/{table_id}/chat/{n}",
        *("get /api/v1/tables/{table_id}/analysis", "post /api/v1/analysis/evaluate"),
        *("post /api/v1/analysis", "post /api/v1/analysis/edits", "post /api/v1/analysis/explain"),
    }


def test_the_documentation_hangs_together(server: Server) -> None:
    """Each has a summary and answers; every part that is referred to is there."""
    told = schema(server)
    names = []
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            assert {*operation["tags"]} <= {tag["name"] for tag in told["tags"]}
            assert {"400", "401", "429", "500", "503"} <= operation["responses"].keys()
            assert not {"404", "410"} & operation["responses"].keys() or "{" in path
            assert method == "get" or "403" in operation["responses"]
            assert "requestBody" not in operation or "413" in operation["responses"]
            names.append(operation["operationId"])
            given = {p["name"] for p in operation.get("parameters", ()) if p["in"] == "path"}
            assert given == set(re.findall(r"{(\w+)}", path))
            assert (method in ("post", "put")) == ("requestBody" in operation)
    assert len(set(names)) == len(names)
    assert told["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert all(shape["description"] for shape in told["components"]["schemas"].values())
    for reference in references(told):
        part = told
        for step in reference.removeprefix("#/").split("/"):
            assert step in part, reference
            part = part[step]


def references(part: Any) -> set[str]:
    if isinstance(part, dict):
        own = {part["$ref"]} if isinstance(part.get("$ref"), str) else set()
        return own.union(*(references(each) for each in part.values()))
    if isinstance(part, list):
        return set().union(*(references(each) for each in part))
    return set()


def unknown(part: Any, at: str = "") -> Iterator[str]:
    """Where a schema says nothing of what there is."""
    if isinstance(part, list):
        for each in part:
            yield from unknown(each, at)
    elif isinstance(part, dict):
        for name, each in part.items():
            if name in ("schema", "items", "additionalProperties") and each in ({}, True):
                yield at
            yield from unknown(each, f"{at}/{name}")
        yield from (f"{at}/{n}" for n, e in part.get("properties", {}).items() if not _says(e))


def _says(part: dict[str, Any]) -> bool:
    kinds = {"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"}
    is_open = part.get("type") == "object" and not {"additionalProperties", "properties"} & {*part}
    return bool(kinds & part.keys()) and not is_open


def test_shapes_are_known(server: Server) -> None:
    """But for what a game shows large, by names of its own."""
    told = schema(server)
    found = {*unknown(told["paths"]), *unknown(told["components"]["schemas"])}
    assert found == {"/TableView/figures"}


def test_examples_are_what_they_are_examples_of(server: Server) -> None:
    told, count = schema(server), 0
    registry = {"components": told["components"]}
    for operation in (each for methods in told["paths"].values() for each in methods.values()):
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for media in (body.get("content", {}).get("application/json", {}) for body in bodies):
            shape = media.get("schema", {})
            given = [each["value"] for each in media.get("examples", {}).values()]
            for example in [*given, *shape.get("examples", ())]:
                validator_for({**registry, **shape}).validate(example)
                count += 1
    assert count > 60


def test_answers_are_as_documented(server: Server, program: Program) -> None:
    """The parts of a view and of a table are those that the schema names."""
    parts = schema(server)["components"]["schemas"]
    table = program.opens(game="kahmate", seats={"R": "me", "B": "me"})
    for path, name in (("", "TableInfo"), ("/position", "TablePosition"), ("/view", "TableView")):
        [found] = [each for key, each in parts.items() if key == name or key.endswith(f"_{name}")]
        told = program.get(f"/tables/{table}{path}")
        assert set(told) == set(found["properties"])
