"""The book of a match on a real board: several phones and who may enter what, over sockets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kibitz.cli import main as cli
from support.server_process import Guest, Page, Server

OWING = "h4/h4/h4/h4 B:N3 d- 0+0/9+0/0+0/0+0 1:- ---- -"
"""Blue is to pop, and has something to complete."""
LOTS = "h4/h4/h4/h4 S:-/-/-/- d- 0+0/0+0/0+0/0+0 1:- ---- -"
REAL = {"mode": "companion"}
TEAMS: dict[str, dict[str, Any]] = {
    "R": {"name": "Foxes", "players": ["Aino", "Otso"]},
    "B": {"players": ["Ben"]},
}
TEAM_VIEW: dict[str, Any] = {"name": "", "players": [], "abstainers": [], "wins": 0}
"""Of a team that has said nothing."""
BOOKKEEPERS = ("host", "bookkeeper", "referee")
SAID = ("B done 1", "B hembo jag", 'note "B is late"', "break")
ON_THE_BOARD = ("B pop 3", "church", "B silent 2")


class Night:
    """A book with a phone for everybody who may have one."""

    def __init__(
        self, server: Server, *bookkeepers: str, start: str = OWING, **settings: Any
    ) -> None:
        self.host = Guest(server)
        self.table = self.host.begins("as-kimble", options=REAL, start=start, settings=settings)
        self.links = self.host.links(self.table)
        self.guests = {"host": self.host}
        self.phones = {"host": self.host.sits_at(self.table)}
        for place in ("B", "watch"):
            self.comes(place)
        for role in bookkeepers:
            self.comes(role)
            self.phones["host"].waits_until(lambda page: bool(page.table["request"]))
            self.phones["host"].does("agree")
            self.phones[role].waits_until(lambda page: page.table["book"]["may_enter_all"])

    def comes(self, place: str) -> Page:
        guest = self.guests[place] = Guest(self.host.server)
        guest.joins(self.links[place])
        self.phones[place] = guest.sits_at(self.table)
        return self.phones[place]

    def lets(self, who: str, text: str) -> bool:
        """Whether somebody may enter this; it is undone at once."""
        answer = self.phones[who].acts(text, seq=None, seat=None)
        if answer["type"] == "done":
            self.phones["host"].does("back 0 because it was only tried")
        else:
            assert answer["type"] == "refused", answer
        return bool(answer["type"] == "done")

    def book(self, who: str) -> dict[str, Any]:
        """How somebody sees it now."""
        latest = self.host.reads(self.table)["seq"]
        found: dict[str, Any] = self.phones[who].waits_for(latest)["table"]["book"]
        return found

    def why(self, who: str, text: str) -> str:
        return self.phones[who].is_refused(text)


@pytest.fixture
def night(server: Server) -> Night:
    return Night(server, "bookkeeper", "referee")


def test_one_phone_is_enough(server: Server) -> None:
    host = Guest(server)
    table = host.begins("as-kimble", options=REAL)
    page = host.sits_at(table)
    assert [seat["is_mine"] for seat in page.people_view["seats"]] == [True] * 4
    assert not page.table["is_waiting"]
    for text in ("R pop 2", "R pop 3", "R pop 4", "B pop 6", "B in"):
        page.does(text)
    book = {key: page.table["book"][key] for key in ("depth", "entry", "teams")}
    assert book == {"depth": "full", "entry": "teams", "teams": {}}
    assert page.table["book"]["may_enter_all"]
    assert page.table["book"]["may_rule"]
    page.does("back 4")
    assert page.codes == ["R pop 2", "R pop 3", "R pop 4", "B pop 6"]


@pytest.mark.parametrize("entry", ["book", "teams", "all"])
def test_who_may_enter_what(server: Server, entry: str) -> None:
    night = Night(server, "bookkeeper", "referee", entry=entry)
    for text in (*SAID, *ON_THE_BOARD):
        for who in BOOKKEEPERS:
            assert night.lets(who, text), (who, text)
        is_teams = entry == "all" or (entry == "teams" and text in SAID)
        assert night.lets("B", text) == is_teams, text
        assert not night.lets("watch", text), text
    for who in ("B", "watch"):
        for text in ("R done 1", "R hembo jag", 'ref pen R +1 "x"', "depth ledger", "entry all"):
            assert not night.lets(who, text), (who, text)


def test_what_is_refused_says_why(night: Night) -> None:
    assert "enters what happens on the board" in night.why("B", "B pop 3")
    assert "spectator" in night.why("watch", "B pop 3")
    assert night.phones["B"].acts('ref pen R +1 "x"', seq=None, seat=None)["rule"] == "12.5"
    assert "bookkeeper" in night.why("B", "depth ledger")
    assert "Red" in night.why("B", "R hembo jag")
    night.phones["referee"].does("entry book")
    assert "Only the host, the bookkeeper and the referee" in night.why("B", "B done 1")
    assert "owe" in night.why("host", "B done 10"), "the rules answer, not the book"


def test_a_team_hears_what_is_wrong_with_what_it_may_enter(night: Night) -> None:
    assert "owe" in night.why("B", "B done 10")
    assert "hello" in night.why("B", "hello")
    assert "hello" in night.why("bookkeeper", "hello")


def test_phones_are_offered_what_they_may_enter(night: Night) -> None:
    def offered_to(who: str) -> set[str]:
        night.phones[who].waits_for(night.phones["host"].view["seq"])
        return {text for offer in night.phones[who].view["offers"] for text in offer["actions"]}

    pops = {f"B pop {face}" for face in range(1, 7)}
    calls = {f"{team} hembo jag" for team in "RBYG"}
    for who in BOOKKEEPERS:
        assert offered_to(who) >= pops | calls | {"church", "B done 1"}, who
    assert offered_to("B") >= {"B hembo jag", "B done 1", "break"}
    assert not offered_to("B") & (pops | {"church", "R hembo jag"})
    assert offered_to("watch") == set()
    night.phones["host"].does("entry all")
    assert offered_to("B") >= pops | {"B done 1"}
    night.phones["host"].does("entry book")
    assert offered_to("B") == set()
    position = night.guests["B"].reads(night.table, "position")
    assert (position["acting"], position["actions"]) == ("B", [])
    assert len(night.guests["bookkeeper"].reads(night.table, "position")["actions"]) == 6


def test_the_only_choice_is_no_teams_where_the_book_has_it(server: Server) -> None:
    night = Night(server, start=OWING.replace("B:N3 d-", "B:M6 d6"))
    assert night.phones["host"].view["only"] == ["B in"]
    assert night.phones["B"].view["only"] == []


def test_everybody_is_told_how_the_book_is_kept(night: Night) -> None:
    seen = {who: night.book(who) for who in night.phones}
    everybody = ["R", "B", "Y", "G"]
    assert {who: (book["may_enter_all"], book["seats"]) for who, book in seen.items()} == {
        "host": (True, everybody),
        "bookkeeper": (True, everybody),
        "referee": (True, everybody),
        "B": (False, ["B"]),
        "watch": (False, []),
    }
    night.phones["bookkeeper"].does('team B {"name": "Hares", "players": ["Ben", "Bea"]}')
    seq = night.phones["bookkeeper"].view["seq"]
    for page in night.phones.values():
        book = page.waits_for(seq)["table"]["book"]
        hares = {"name": "Hares", "players": ["Ben", "Bea"], "abstainers": [], "wins": 0}
        assert book["teams"] == {"B": hares}
        assert page.view["table"]["notes"][-1]["text"] == "Blue: Hares (Ben, Bea)"


def test_where_a_referee_is_named_the_others_rule_only_in_a_book_without_a_board(
    night: Night,
) -> None:
    """12.5; but in a ledger what something costs is a ruling by its form only."""
    fine = "ref pen R +2 \"Blue's double ate Red's single\""
    rules = {who: night.book(who)["may_rule"] for who in BOOKKEEPERS}
    assert rules == {"host": False, "bookkeeper": False, "referee": True}
    for who, may in rules.items():
        assert night.lets(who, fine) == may, who
    night.phones["bookkeeper"].does("depth ledger")
    for who in BOOKKEEPERS:
        assert night.lets(who, fine), who
        assert night.book(who)["may_rule"], who
    assert not night.lets("B", fine)
    assert not night.lets("watch", fine)


def test_several_texts_of_a_ledger_go_together(night: Night) -> None:
    host = night.phones["host"]
    host.does("depth ledger")
    texts = ('note "Red raised"', 'ref pen B +1 "eaten"', 'ref pen Y +1 "eaten"')
    assert host.acts(*texts, seq=None, seat=None)["type"] == "done"
    assert host.view["figures"]["owed"] == {"R": 0, "B": 10, "Y": 1, "G": 0}
    assert night.phones["B"].acts(*texts, seq=None, seat=None)["type"] == "refused"


def test_to_go_back_needs_a_reason_and_deletes_nothing(night: Night) -> None:
    night.phones["B"].does("B done 2")
    for who in ("B", "watch"):
        assert night.why(who, "back 0 because I say so")
    assert night.why("bookkeeper", "back 0")
    night.phones["bookkeeper"].does("back 0 because it was Red")
    assert night.phones["bookkeeper"].codes == []
    assert "it was Red" in night.phones["bookkeeper"].table["notes"][-1]["text"]


def test_what_is_meant_whenever_is_done_whenever_and_once(night: Night) -> None:
    """As an entry that was made while a phone was cut off."""
    sent = {"type": "act", "key": "from-the-queue", "actions": ["B done 2"]}
    for _ in range(3):
        assert night.phones["B"].says(sent)["type"] == "done"
    night.phones["host"].does("B pop 3")
    assert night.phones["host"].view["figures"]["done"]["B"] == 2


def test_figures_come_with_every_view(night: Night) -> None:
    for page in night.phones.values():
        assert page.view["figures"]["owed"]["B"] == 9
        assert page.view["figures"]["phase"] == "N"
    kalamala = night.host.sits_at(night.host.opens("kalamala"))
    assert kalamala.view["figures"] == {}
    assert kalamala.table["book"] is None
    assert kalamala.is_refused("depth ledger")


def test_anybody_at_a_seat_may_call_a_break(night: Night) -> None:
    night.phones["B"].does("break")
    assert night.phones["host"].waits_for(night.phones["B"].view["seq"])["figures"]["break"]
    night.phones["bookkeeper"].does("resume")


def test_nobody_is_hurried_around_a_real_board(server: Server) -> None:
    vote = "t0,t5,g1,g2/h3,g1/h3,g1/h3,g1 R:V- d6 0+0/0+0/0+0/0+0 1:RBYG ---- -"
    host = Guest(server)
    page = host.sits_at(
        host.begins("as-kimble", options=REAL, start=vote, settings={"answer_seconds": 1})
    )
    assert page.is_left_alone(1.5)
    assert page.codes == []


# Opening it


def test_a_form_opens_a_book(guest: Guest) -> None:
    form = {
        "game": "as-kimble",
        "play": "companion",
        "options": json.dumps({"unit": "soft", "team_size": [2, 1, 1, 1]}),
        "teams": json.dumps(TEAMS),
        "depth": "ledger",
        "entry": "all",
        "start": LOTS,
    }
    answer = guest.client.post("/tables", data=form)
    assert answer.status_code == 303, answer.text
    table = answer.headers["location"].replace("/book/", "/t/")
    assert table != answer.headers["location"]
    told = guest.reads(table)
    options = told["options"]
    assert (options["mode"], options["pace"], options["unit"]) == ("companion", "free", "soft")
    book = told["table"]["book"]
    assert (book["depth"], book["entry"], book["seats"]) == ("ledger", "all", ["R", "B", "Y", "G"])
    assert book["teams"] == {seat: {**TEAM_VIEW, **team} for seat, team in TEAMS.items()}
    assert guest.reads(table, "position")["position"] == LOTS


@pytest.mark.parametrize(
    "wrong",
    [
        {"depth": "deep"},
        {"entry": "nobody"},
        {"teams": "["},
        {"teams": "[]"},
        {"teams": "[" * 20_000},
        {"teams": '{"R": {"colour": "red"}}'},
        {"teams": '{"X": {"name": "Nobody"}}'},
        {"start": "x" * 20_001},
        {"start": "elsewhere"},
        {"options": '{"mode": "dance"}'},
    ],
)
def test_a_book_that_cannot_be_is_not_opened(guest: Guest, wrong: dict[str, str]) -> None:
    answer = guest.client.post("/tables", data={"game": "as-kimble", "play": "companion", **wrong})
    assert answer.status_code == 400, answer.text


def test_a_seat_without_a_team_cannot_be_named(guest: Guest) -> None:
    asked = {"game": "as-kimble", "options": REAL, "settings": {"teams": {"X": {"name": "Nobody"}}}}
    assert guest.client.post("/api/v1/tables", json=asked).status_code == 400


def test_the_next_match_has_the_book_of_this_one(server: Server) -> None:
    host = Guest(server)
    table = host.begins(
        "as-kimble",
        options={**REAL, "team_size": [2, 1, 1, 1]},
        start=OWING,
        settings={"teams": TEAMS},
    )
    page = host.sits_at(table)
    page.does("depth ledger")
    page.does('ref end "late"')
    page.does("ask rematch")
    page.waits_until(lambda page: bool(page.table["next"]))
    following = host.reads(page.table["next"])
    assert following["options"]["team_size"] == [2, 1, 1, 1]
    book = following["table"]["book"]
    assert (book["depth"], book["teams"]["R"]["name"]) == ("ledger", "Foxes")
    assert book["teams"]["B"]["players"] == ["Ben"]


def test_the_next_match_knows_who_has_won_tonight(server: Server) -> None:
    """Also who of a team has something else than the table's unit."""
    team = {"name": "Foxes", "players": ["Aino", "Otso"], "abstainers": ["Otso"]}
    host = Guest(server)
    table = host.begins("as-kimble", options=REAL, settings={"depth": "ledger"})
    for wins in (1, 2):
        page = host.sits_at(table)
        if wins == 1:
            page.does(f"team R {json.dumps(team)}")
        page.does("led won R")
        page.does("ask rematch")
        page.waits_until(lambda page: bool(page.table["next"]))
        table = page.table["next"]
        teams = host.reads(table)["table"]["book"]["teams"]
        assert teams == {"R": {**team, "wins": wins}}


def test_a_team_grows_during_the_night(server: Server) -> None:
    """The keeper of the book says so; the form of the sentence follows, and the record replays."""
    night = Night(server, start=OWING.replace("----", "-!--"))
    host = night.phones["host"]
    assert not night.lets("B", "size B 2")
    host.does("size B 2")
    host.does("B hembo vi")
    assert night.host.reads(night.table, "position")["position"].split()[5] == "-+--"
    assert night.host.reads(night.table, "record")["options"]["team_size"] == [1, 2, 1, 1]
    for text in ("size B 2", "size B 0", "size B x", "size B", "size X 2", "size B 1000"):
        assert not night.lets("host", text), text
    assert not night.lets("host", "size B 1"), "they said it as several, and it counted"
    host.does("size B 3")
    host.does("size R 4")
    assert night.host.reads(night.table)["options"]["team_size"] == [4, 3, 1, 1]


def test_the_host_keeps_the_whistle_beside_a_bookkeeper(server: Server) -> None:
    night = Night(server, "bookkeeper")
    assert all(night.book(who)["may_rule"] for who in ("host", "bookkeeper"))
    assert all(night.lets(who, 'ref pen B +1 "late"') for who in ("host", "bookkeeper"))
    named = Night(server, "bookkeeper", "referee")
    assert [named.book(who)["may_rule"] for who in BOOKKEEPERS] == [False, False, True]
    assert not named.lets("host", 'ref pen B +1 "late"')


# Its record


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "record.json"


def verified_record(guest: Guest, table: str, file: Path) -> dict[str, Any]:
    """The record of a table, which anybody can check by the command."""
    text = guest.client.get(f"{table}/record").text
    file.write_text(text)
    ran = CliRunner().invoke(cli.app, ["verify", str(file)])
    assert ran.exit_code == 0, (ran.output, ran.exception)
    found: dict[str, Any] = json.loads(text)
    return found


def test_a_record_of_a_full_book_has_the_teams_as_they_were_typed(
    server: Server, file: Path
) -> None:
    night = Night(server, teams=TEAMS)
    night.host.calls_himself("Hanna")
    night.guests["B"].calls_himself("Benjamin")
    green = Guest(server)
    green.joins(night.links["G"])
    green.calls_himself("Greta")
    page = night.phones["host"]
    for text in ("B pop 6", "B in", "B sticky", "B done 3", 'ref pen Y +1 "spilt"', "break"):
        page.does(text)
    assert verified_record(night.host, night.table, file)["teams"]["B"]["players"] == ["Ben"]
    page.does('team B {"name": "Hares"}')
    record = verified_record(night.host, night.table, file)
    assert record["teams"] == {
        "R": TEAMS["R"],
        "B": {"name": "Hares", "players": ["Benjamin"]},
        "G": {"name": "Greta", "players": ["Greta"]},
    }
    assert record["actions"][:2] == ["B pop 6", "B in"]
    assert not any(text.startswith("team") for text in record["actions"])


def test_a_record_of_a_ledger(server: Server, file: Path) -> None:
    night = Night(server, "bookkeeper", depth="ledger", teams=TEAMS)
    page = night.phones["bookkeeper"]
    page.does("led eat R2 B3")
    assert page.view["figures"]["owed"]["B"] == 15
    for text in ("B done 15", 'note "water for all"', "break", "resume", "led won R"):
        page.does(text)
    record = verified_record(night.host, night.table, file)
    assert (record["actions"][0], record["actions"][-1]) == ("led eat R2 B3", "led won R")
    assert record["teams"]["R"] == TEAMS["R"]


def test_a_record_with_lots_has_chairs_until_there_are_colours(server: Server, file: Path) -> None:
    host = Guest(server)
    options = {**REAL, "team_size": [2, 1, 1, 1]}
    table = host.begins("as-kimble", options=options, start=LOTS, settings={"teams": TEAMS})
    page = host.sits_at(table)
    for text in ("warm 3", "a lot 1", "b lot 2", "c lot 3", "d lot 4"):
        page.does(text)
    record = verified_record(host, table, file)
    assert record["seats"]["a"] == TEAMS["R"]
    assert "teams" not in record
    assert "team_size" not in record["options"]
    page.does("a colour G")
    record = verified_record(host, table, file)
    assert record["teams"]["G"] == TEAMS["R"]
    assert record["options"]["team_size"] == [1, 1, 1, 2]
    assert page.table["book"]["teams"]["G"]["name"] == "Foxes"


def test_a_book_survives_the_server(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        night = Night(server, "bookkeeper", teams=TEAMS)
        night.phones["bookkeeper"].does("entry all")
        night.phones["bookkeeper"].does("depth ledger")
        blue, table = night.guests["B"], night.table
    with Server(tmp_path) as server:
        book = blue.comes_back(server).reads(table)["table"]["book"]
        assert (book["depth"], book["entry"], book["seats"]) == ("ledger", "all", ["B"])
        assert book["teams"]["R"] == {**TEAM_VIEW, **TEAMS["R"]}


# Entries of a book without a board


def test_entries_are_for_those_who_keep_the_book(night: Night) -> None:
    night.phones["bookkeeper"].does("depth ledger")
    for who in BOOKKEEPERS:
        assert night.lets(who, "led eat R2 B3"), who
    for who in ("B", "watch"):
        assert not night.lets(who, "led eat R2 B3"), who
    assert night.lets("B", "led hembo B said"), "a team says so itself"
    assert not night.lets("B", "led hembo B missed")
    night.phones["bookkeeper"].does("entry all")
    assert night.lets("B", "led eat R2 B3")
    assert not night.lets("B", 'led won B "we say so"')


def test_a_party_screen_shows_the_room_how_to_join(server: Server) -> None:
    """Whoever only watches passes on no more than that."""
    night = Night(server, "referee")
    wall = Guest(server)
    came = wall.client.post(night.links["party"], data={})
    assert came.headers["location"] == night.table.replace("/t/", "/party/")
    assert set(wall.links(night.table)) == {"room", "watch"}
    for place in ("room", "watch"):
        assert wall.client.get(f"{night.table}/qr/{place}").status_code == 200
    assert wall.sits_at(night.table).is_refused("B pop 3")
    assert set(night.guests["watch"].links(night.table)) == {"watch"}
    assert set(night.guests["referee"].links(night.table)) == {"room", "watch"}
    links = {"room", "watch", "B", "referee", "bookkeeper"}
    assert set(night.guests["B"].links(night.table)) == links
    assert "party" not in night.guests["B"].links(night.table)


def test_a_link_to_the_night_leads_there(server: Server) -> None:
    night = Night(server)
    friend = Guest(server)
    came = friend.client.post(f"{night.links['watch']}?to=night", data={})
    assert came.headers["location"] == f"{night.table}/night"
    assert friend.client.get(f"{night.table}/night").status_code == 200


def test_a_ruling_over_everything_is_about_what_was_seen(server: Server) -> None:
    """It would undo, unseen, what somebody enters in the same moment."""
    night = Night(server)
    host, team = night.phones["host"], night.phones["B"]
    popped = [f"B pop {face}" for face in (1, 2, 3)]
    for text in popped:
        host.does(text)
    seen = host.view["seq"]
    host.does('team R {"name": "Owls"}')
    team.does("B done 1")
    for ruling in ("back 0 because of a typo", f'ref set "{OWING}" "bumped"'):
        assert host.acts(ruling, seq=seen, seat=None)["type"] == "stale"
    assert night.host.reads(night.table, "record")["actions"] == [*popped, "B done 1"]
    seen = night.host.reads(night.table)["seq"]
    host.does('team R {"name": "Foxes"}')
    assert host.acts("back 1 because of a typo", seq=seen, seat=None)["type"] == "done"


def test_a_team_is_told_of_by_its_own_name(server: Server) -> None:
    """On every page, and nowhere in what is written down."""
    night = Night(server, teams={"B": {"name": "Foxes"}})
    host = night.phones["host"]
    host.does("B pop 2")
    assert host.log[-1]["text"] == "Foxes popped 2"
    assert host.view["title"].startswith("Foxes")
    assert [seat["name"] for seat in host.people_view["seats"]] == [
        "Red",
        "Blue",
        "Yellow",
        "Green",
    ]
    host.does("led eat B1 R1")
    assert host.log[-1]["text"] == ("Foxes' single ate Red's single: Red +1")
    host.does('team B {"name": "Owls"}')
    assert host.table["notes"][-1]["text"] == "Blue: Owls"
    assert "Owls popped once without a six" in night.host.client.get(f"{night.table}/night").text
    record = night.host.reads(night.table, "record")
    assert "Owls" not in json.dumps(record["actions"])
