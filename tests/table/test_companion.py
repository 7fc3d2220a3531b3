"""The book of a match on a real board, as rows around it."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

import pytest

from kibitz.core.message import Message, Refused
from kibitz.games.as_kimble import AS_KIMBLE
from kibitz.games.kalamala import kalamala
from kibitz.table import Row, Table, open_table, table_from_rows
from kibitz.table.companion import MAX_TEAM_NAME_CHARS, MAX_TEAM_PLAYERS, Book, Team
from kibitz.table.seating import MAX_NAME_CHARS, people_at_opening

AnyTable: TypeAlias = Table[Any, Any, Any]
SIZES = [3, 1, 2, 1]
GAME = AS_KIMBLE.game({"mode": "companion", "team_size": SIZES})
LOTS = "h4/h4/h4/h4 K:ab d- 0+0/0+0/0+0/0+0 1:- ---- -"
"""Chair a chooses a colour."""
EVERYBODY = people_at_opening(
    "ann", GAME.seats, {seat: {"members": ["ann"]} for seat in GAME.seats}
)
CROWD = json.dumps({"players": ["A"] * (MAX_TEAM_PLAYERS + 1)})
BOOKKEEPERS = ("host", "bookkeeper", "referee")
FOXES = 'team R {"name": "Foxes", "players": ["Aino", "Otso"]}'


def parts_of(line: str) -> tuple[str, str]:
    actor, text = line.split(": ", 1)
    return actor, text


def after(*lines: str, start: str = "start") -> AnyTable:
    """A table after lines `actor: text`."""
    table: AnyTable = open_table(GAME, start, EVERYBODY, book=Book())
    for line in lines:
        table, _ = table.act(*parts_of(line))
    return table


def book(*lines: str) -> Book:
    found = after(*lines).book
    assert found
    return found


def why(*lines: str) -> str:
    table = after(*lines[:-1])
    with pytest.raises(Refused) as refused:
        table.act(*parts_of(lines[-1]))
    return refused.value.refusal.id


def row_message(line: str) -> Message:
    """What all are told of a row; it stays in the log."""
    table, told = after().act(*parts_of(line))
    heard = {event.message for events in told.values() for event in events}
    assert len(told) == len(GAME.seats) + 1
    assert heard == {table.notes[-1].message}
    return table.notes[-1].message


def test_a_book_begins_in_full_and_lets_teams_speak() -> None:
    assert book() == Book(depth="full", entry="teams", teams=())
    assert open_table(kalamala()).book is None


@pytest.mark.parametrize("actor", BOOKKEEPERS)
def test_those_who_keep_it_change_it(actor: str) -> None:
    changed = book(f"{actor}: depth ledger", f"{actor}: entry all", f"{actor}: {FOXES}")
    assert changed == Book(
        depth="ledger", entry="all", teams=(("R", Team("Foxes", ("Aino", "Otso"))),)
    )
    assert book(f"{actor}: depth ledger", f"{actor}: depth full").depth == "full"


@pytest.mark.parametrize("actor", ["R", "B", "guest", "spectator", "chance"])
@pytest.mark.parametrize("text", ["depth ledger", "entry all", FOXES])
def test_nobody_else_does(actor: str, text: str) -> None:
    assert why(f"{actor}: {text}") == "table.book-only"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("depth", "unknown"),
        ("depth deep", "unknown"),
        ("depth ledger now", "unknown"),
        ("depth full", "no-change"),
        ("entry", "unknown"),
        ("entry nobody", "unknown"),
        ("entry teams", "no-change"),
        ("team", "no-such-seat"),
        ("team X {}", "no-such-seat"),
        ("team R {}", "no-change"),
        ("team R", "team-unreadable"),
        ("team R Foxes", "team-unreadable"),
        ("team R []", "team-unreadable"),
        ("team R " + "[" * 4000, "team-unreadable"),
        ('team R {"name": 1}', "team-unreadable"),
        ('team R {"players": "Aino"}', "team-unreadable"),
        ('team R {"players": [null]}', "team-unreadable"),
        ('team R {"colour": "red"}', "team-unreadable"),
        (f"team R {CROWD}", "team-crowded"),
    ],
)
def test_what_cannot_be_written_in_a_book(text: str, reason: str) -> None:
    assert why(f"host: {text}") == f"table.{reason}"


def test_there_is_no_book_without_a_real_board() -> None:
    with pytest.raises(Refused) as refused:
        open_table(kalamala()).act("host", "depth ledger")
    assert refused.value.refusal.id == "table.no-book"


def test_names_are_tidied() -> None:
    typed = r'team G {"name": "  The\u0000 \ud800Old\n Owls ", "players": ["", " Eeva\t", "x"]}'
    assert book(f"host: {typed}").team("G") == Team("The Old Owls", ("Eeva", "x"))
    long = f'team G {{"name": "{"n" * 99}", "players": ["{"p" * 99}"]}}'
    assert book(f"host: {long}").team("G") == Team(
        "n" * MAX_TEAM_NAME_CHARS, ("p" * MAX_NAME_CHARS,)
    )


def test_a_team_is_called_otherwise_later() -> None:
    renamed = book(f"host: {FOXES}", 'host: team B {"name": "Hares"}', 'host: team R {"name": "X"}')
    assert renamed.teams == (("B", Team("Hares")), ("R", Team("X")))
    assert book(f"host: {FOXES}", "host: team R {}").team("R") == Team()


def test_all_are_told() -> None:
    assert row_message("host: depth ledger").id == "table.depth-ledger"
    assert row_message("host: entry book").id == "table.entry-book"
    told = row_message(f"host: {FOXES}")
    assert (told.id, dict(told.values)) == (
        "table.team",
        {"seat": "R", "name": "Foxes", "players": "Aino, Otso"},
    )
    assert row_message('host: team R {"players": ["Aino"]}').value("name") == "Aino"
    assert why(f"host: {FOXES}", f"host: {FOXES}") == "table.no-change"


def test_a_book_is_what_its_rows_make_of_it() -> None:
    lines = (f"host: {FOXES}", "R: R pop 6", "referee: depth ledger", "bookkeeper: entry book")
    table = after(*lines)
    rows = [Row(*parts_of(line)) for line in lines]
    assert table_from_rows(GAME, rows, people=EVERYBODY, book=Book()) == table
    assert table.record.actions == ("R pop 6",)


def test_the_book_is_written_after_the_end_as_well() -> None:
    assert book('referee: ref end "late"', f"host: {FOXES}").team("R").name == "Foxes"


def test_teams_go_with_their_chairs_to_their_colours() -> None:
    named = (f"host: {FOXES}", 'host: team G {"name": "Owls"}')
    before, chosen = after(*named, start=LOTS), after(*named, "R: a colour Y", start=LOTS)
    assert chosen.book
    assert dict(chosen.book.teams) == {"Y": Team("Foxes", ("Aino", "Otso")), "B": Team("Owls")}
    assert "team_size" not in before.record.options
    assert chosen.record.options["team_size"] == [2, 1, 3, 1]
    back, _ = chosen.act("referee", "back 0")
    assert (back.book, back.game.options) == (before.book, before.game.options)


def test_the_form_of_hembo_follows_the_size_of_the_team_that_has_come_there() -> None:
    """Yellow has three players now: they say we, not I (10.2)."""
    owing = "h4/h4/h3,t20/h4 Y:N1 d- 0+0/0+0/0+0/0+0 1:- --!- -"
    chosen = after("R: a colour Y", f'referee: ref set "{owing}" "on with it"', start=LOTS)
    told, _ = chosen.act("Y", "Y hembo jag")
    assert told.game.notation.write_state(told.state).split()[5] == "--!-"
    told, _ = chosen.act("Y", "Y hembo vi")
    assert told.game.notation.write_state(told.state).split()[5] == "--+-"
