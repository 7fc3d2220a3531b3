"""Everything a page does, done by a program that has a token and no cookies."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from kibitz.core.record import read_record, verify
from kibitz.games import GAMES, game_of
from server.playing import Server


class Program:
    """Known by a token only: cookies that it is sent are thrown away."""

    def __init__(self, server: Server) -> None:
        self.address = server.address
        told = httpx.get(f"{self.address}/api/me", timeout=30).json()
        self.token = told["token"]
        self.number = 0

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.request(
            method, f"{self.address}/api{path}", headers=headers, timeout=30, **more
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
        asked = {"do": "act", "key": f"{self.number}", "texts": texts, **more}
        return self.post(f"/tables/{table}/acts", status, **asked)


@pytest.fixture
def program(server: Server) -> Program:
    return Program(server)


def schema(server: Server) -> Any:
    answer = httpx.get(f"{server.address}/api/openapi.json", timeout=30)
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
        assert (done["is"], done["seq"]) == ("done", position["seq"] + 1)
    seen = ann.get(f"/tables/{table}/sight")
    assert seen["svg"].startswith("<svg")
    later = ann.get(f"/tables/{table}/sight?seen={seen['seq'] - 1}")
    assert later["svg"] is None
    assert len(later["told"]) == 1
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
    assert (refused["is"], refused["rule"], refused["at"]) == ("refused", "3.1", "sq-c4")
    for _ in range(2):
        assert program.acts(table, "@a1", key="mine", seq=0)["is"] == "done"
    assert program.acts(table, "@b1", seq=0, status=409)["is"] == "stale"
    assert program.acts(table, "@b1", "back 0", "@c4", status=422)
    assert program.get(f"/tables/{table}/record")["actions"] == ["@a1"]


def test_why_not_is_answered(program: Program) -> None:
    table = program.opens(game="kalamala", seats={"A": "me", "B": "me"})
    asked = {"do": "why", "key": "k", "path": ["rs-A", "sq-c4"]}
    told = program.ask("POST", f"/tables/{table}/why", json=asked).json()
    assert told["rule"] == "3.1"
    assert told["why"]


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
    for asked, expected in (({}, preset), ({"by_the_book": True}, book)):
        options = program.get(f"/tables/{program.opens(game=game, seats=seats, **asked)}")[
            "options"
        ]
        assert {name: options[name] for name in expected} == expected


def test_somebody_new_becomes_a_guest_and_is_called_something(server: Server) -> None:
    program = Program(server)
    assert program.get("/me") == {"name": "", "token": program.token}
    renamed = program.ask("PUT", "/me", json={"name": "Ada\u202e\x00"}).json()
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
    assert (told["open"], told["table"]["waiting"]) == (True, False)
    assert isinstance(one.get("/tables"), list)


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/nothing", None, 404),
        ("GET", "/tables/nowhere", None, 404),
        ("GET", "/tables/nowhere/record", None, 404),
        ("POST", "/tables/nowhere/acts", {"do": "act", "key": "k", "texts": []}, 404),
        ("POST", "/tables/nowhere/join", {"token": "x"}, 404),
        ("POST", "/tables", {"game": "chess"}, 400),
        ("POST", "/tables", {"game": "kalamala", "seats": {"Z": "me"}}, 400),
        ("POST", "/tables", {"game": "kalamala", "seats": {"A": "oracle"}}, 400),
        ("POST", "/tables", {"game": "kalamala", "colour": "red"}, 400),
        ("POST", "/tables", {"game": "kalamala", "options": {"turn_limit": -1}}, 400),
        ("POST", "/tables", {"game": "kalamala", "start": "nonsense"}, 400),
        ("POST", "/tables", {"game": "kalamala", "entropy": "a:b"}, 400),
        ("POST", "/tables", {"game": "kalamala", "terms": {"absence": 0}}, 400),
        ("POST", "/tables", {"game": "kalamala", "terms": {"clock": {"kind": "sand"}}}, 400),
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
    assert told["error"] == status
    assert re.match(r"\S.*[.!]$", told["why"]), told["why"]


def test_what_is_no_json_is_refused_as_such(program: Program) -> None:
    for content in (b"", b"{", b"[]", b"null", b'"game"', b"\xff\xfe"):
        answer = program.ask("POST", "/tables", content=content)
        assert answer.status_code == 400, content
        assert answer.json()["why"]


def test_every_address_is_documented(server: Server) -> None:
    told = schema(server)
    assert told["openapi"].startswith("3.")
    assert told["info"]["title"] == "Kibitz"
    documented = {(method, path) for path, methods in told["paths"].items() for method in methods}
    assert documented == {
        ("get", "/api/games"),
        ("post", "/api/study"),
        ("post", "/api/study/chances"),
        ("post", "/api/study/edits"),
        ("post", "/api/study/why"),
        ("get", "/api/me"),
        ("put", "/api/me"),
        ("get", "/api/me/tables"),
        ("get", "/api/tables"),
        ("get", "/api/tables/{table_id}/analysis"),
        ("post", "/api/tables"),
        ("post", "/api/seeks"),
        ("get", "/api/tables/{table_id}"),
        ("get", "/api/tables/{table_id}/links"),
        ("post", "/api/tables/{table_id}/join"),
        ("get", "/api/tables/{table_id}/sight"),
        ("get", "/api/tables/{table_id}/past/{n}"),
        ("get", "/api/tables/{table_id}/position"),
        ("post", "/api/tables/{table_id}/acts"),
        ("post", "/api/tables/{table_id}/why"),
        ("post", "/api/tables/{table_id}/ledger"),
        ("get", "/api/tables/{table_id}/record"),
        ("get", "/api/tables/{table_id}/seal"),
    }


def test_the_documentation_hangs_together(server: Server) -> None:
    """Each has a summary and answers; every part that is referred to is there."""
    told = schema(server)
    names = []
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            assert operation["responses"], (method, path)
            names.append(operation["operationId"])
            given = {p["name"] for p in operation.get("parameters", ()) if p["in"] == "path"}
            assert given == set(re.findall(r"{(\w+)}", path))
            assert (method in ("post", "put")) == ("requestBody" in operation)
    assert len(set(names)) == len(names)
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


def test_answers_are_as_documented(server: Server, program: Program) -> None:
    """The parts of a sight and of a table are those that the schema names."""
    parts = schema(server)["components"]["schemas"]
    table = program.opens(game="kahmate", seats={"R": "me", "B": "me"})
    for path, name in (("", "TableInfo"), ("/position", "Position"), ("/sight", "Sight")):
        [found] = [each for key, each in parts.items() if key == name or key.endswith(f"_{name}")]
        told = program.get(f"/tables/{table}{path}")
        assert set(told) - {"is"} == set(found["properties"]) - {"is"}
