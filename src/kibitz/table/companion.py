"""The book of a match on a real board: how much it holds, who writes in it, who the teams are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec.structs import replace

from kibitz.core.game import Seat
from kibitz.core.message import Refused, message
from kibitz.core.values import FrozenValue
from kibitz.table.seating import tidy_name

Depth: TypeAlias = Literal["full", "ledger"]
"""All that happens, or only what it costs."""
Entry: TypeAlias = Literal["book", "teams", "all"]
"""The right to enter: only those who keep the book; teams beside them what is theirs to say; teams
also what they do on the board."""
FULL: Depth = "full"
LEDGER: Depth = "ledger"
TEAMS: Entry = "teams"
ALL: Entry = "all"
MAX_TEAM_PLAYERS = 24
"""Of one team."""
MAX_TEAM_NAME_CHARS = 32
"""Of a team's name."""
TEAM_KEYS = {"name", "players", "abstainers"}


class Team(FrozenValue, frozen=True):
    """A team as it calls itself; no name where it goes by its seat's."""

    name: str = ""
    players: tuple[str, ...] = ()
    abstainers: tuple[str, ...] = ()
    """Those of its players who are shown as having something else than the table's unit."""
    wins: int = 0
    """The matches that it has won tonight, before this one."""


class Book(FrozenValue, frozen=True, kw_only=True):
    depth: Depth = FULL
    entry: Entry = TEAMS
    teams: tuple[tuple[Seat, Team], ...] = ()
    """Those that have said who they are."""

    def team(self, seat: Seat) -> Team:
        return dict(self.teams).get(seat, Team())

    def with_team(self, seat: Seat, team: Team) -> Book:
        others = [entry for entry in self.teams if entry[0] != seat]
        return replace(self, teams=tuple(sorted([*others, (seat, team)])))

    def with_win(self, seat: Seat) -> Book:
        """The book of the match after one that this team has won."""
        team = self.team(seat)
        return self.with_team(seat, replace(team, wins=team.wins + 1))

    def with_seats_moved(self, moved: Mapping[Seat, Seat]) -> Book:
        """Every team at the seat that its own has become."""
        teams = sorted((moved.get(seat, seat), team) for seat, team in self.teams)
        return replace(self, teams=tuple(teams))

    def may_team_enter(self, is_statement: bool) -> bool:
        """True if a team may enter this itself: what it only says, or what it does on the board."""
        return self.entry == ALL or (self.entry == TEAMS and is_statement)


def read_team(text: str) -> Team:
    """A team from `{"name": "Foxes", "players": ["Aino"], "abstainers": []}`; raises Refused."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    return team_from_json(given)


def team_from_json(given: object) -> Team:
    """A team from its JSON."""
    if not isinstance(given, dict) or not given.keys() <= TEAM_KEYS:
        raise Refused(message("table.team-unreadable"))
    name = given.get("name", "")
    players, abstainers = _names(given, "players"), _names(given, "abstainers")
    if not isinstance(name, str):
        raise Refused(message("table.team-unreadable"))
    return Team(
        tidy_name(name, MAX_TEAM_NAME_CHARS),
        players,
        tuple(each for each in players if each in abstainers),
    )


def _names(given: Mapping[str, object], key: str) -> tuple[str, ...]:
    names = given.get(key, [])
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise Refused(message("table.team-unreadable"))
    if len(names) > MAX_TEAM_PLAYERS:
        raise Refused(message("table.team-crowded", number=MAX_TEAM_PLAYERS))
    return tuple(filter(None, map(tidy_name, names)))
