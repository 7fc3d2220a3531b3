"""Settings of a viewer, as seats and roles change."""

from __future__ import annotations

from msgspec.structs import replace

from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.db.store import StoredTable
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.viewers import ViewerSettings, settings_at


def open_live_table() -> LiveTable:
    seats = {"A": {"members": ["ann"]}, "B": {"members": ["bob"]}}
    version = GAMES["kalamala"].version
    return LiveTable(
        StoredTable(
            id="t",
            game="kalamala",
            rules_version=version,
            options={},
            start=START,
            seats=seats,
            created_at=1.0,
            owner="ann",
        ),
        (),
    )


def test_seats_and_roles_are_those_of_the_moment_and_the_rest_stays() -> None:
    live, mine = open_live_table(), ViewerSettings((), "fi", is_tall=True, place="referee")
    assert settings_at(live, "ann", mine) == replace(
        mine, seats=("A",), is_host=True, is_arbiter=True
    )
    table, effects, _ = live.dry_run("host", ["host B"], "ann")
    live.advance_to(table, effects)
    assert settings_at(live, "ann", mine) == replace(mine, seats=("A",))
    assert settings_at(live, "bob", mine) == replace(
        mine, seats=("B",), is_host=True, is_arbiter=True
    )


def test_a_named_referee_rules() -> None:
    live = open_live_table()
    live.table = replace(live.table, people=live.people.appoint("referee", "cleo"))
    assert settings_at(live, "cleo", ViewerSettings((), "en")).is_referee
    assert not settings_at(live, "ann", ViewerSettings((), "en")).is_referee
