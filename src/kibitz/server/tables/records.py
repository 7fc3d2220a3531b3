"""Records and seals of tables, as somebody may see them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kibitz.core import caching
from kibitz.core.game import CHANCE, TABLE, Seat, odds_of_press
from kibitz.core.record import Fault, Record
from kibitz.server import wall_clock
from kibitz.server.tables.live.dice import entropies_of, seed_of
from kibitz.server.tables.live_table import AnyPlayed, LiveTable
from kibitz.table import sealed_dice
from kibitz.table.companion import Team
from kibitz.table.handover import viewer_of
from kibitz.table.seating import Member
from kibitz.table.table import AnyTable

PLAY_ON_S = 600.0
"""The time after its end in which a match may be played on."""


def record_of(live: LiveTable, member: Member) -> Record:
    """The record as somebody may see it now, with who played and, after the end, the seal."""
    table = live.table
    viewer = viewer_of(table, live.seats_of(member))
    record = table.record_for(viewer)
    extras: dict[str, Any] = {**_players(live)}
    if len(record.actions) == len(table.history):
        extras["times"] = [round(at, 3) for at in table.times]
    if table.is_over:
        extras["log"] = [
            {"by": row.actor, "text": row.text, "at": round(row.at, 3)} for row in table.rows
        ]
    if sealed := seal_of(live):
        extras["seal"] = sealed
    return replace(record, extras=extras)


def _players(live: LiveTable) -> dict[str, Any]:
    """The players, as far as they said; by the letters the record uses at its end."""
    table = live.table
    letters = {seat: live.game.policy.seat_letter(table.state, seat) for seat in live.game.seats}
    players = {}
    for seat in live.game.seats:
        team = table.book.team(seat) if table.book else Team()
        names = list(team.players) or _names_at(live, seat)
        if names or team.name:
            players[letters[seat]] = {"name": team.name or ", ".join(names), "players": names}
    kind = "teams" if all(seat == letter for seat, letter in letters.items()) else "seats"
    return {kind: players} if players else {}


def _names_at(live: LiveTable, seat: Seat) -> list[str]:
    """Those at a seat; who keeps the book for several of them plays for none."""
    people, is_book = live.people, live.table.book is not None
    playing = [
        each for each in people.members[seat] if not is_book or len(people.seats_of(each)) == 1
    ]
    names = [name for each in playing if (name := live.names.get(each, ""))]
    bot = people.bots.get(seat)
    return [*names, f"bot {bot}"] if bot else names


def may_go_on(live: LiveTable) -> bool:
    """True if a finished match may still be played on: soon after its end, unless it is rated or
    followed by another. Until then nobody may know the draws that would come."""
    table = live.table
    if table.outcome is None or live.settings.rated or table.rematch is not None:
        return False
    has_way = bool(table.game.rules.role_actions(table.state, TABLE))
    return has_way and not is_too_late_to_go_on(live)


def is_too_late_to_go_on(live: LiveTable) -> bool:
    """True if a match has been over for so long that its dice are open."""
    table = live.table
    ended_at = live.stored.created_at + (table.times[-1] if table.times else 0.0)
    return table.outcome is not None and wall_clock.now() - ended_at >= PLAY_ON_S


def is_open(live: LiveTable) -> bool:
    """True if the seed of the dice may be shown."""
    return live.table.is_over and not may_go_on(live)


def seal_of(live: LiveTable) -> dict[str, Any] | None:
    """The envelope: closed while the match goes on or may still go on, open afterwards."""
    table = live.table
    if live.stored.seed is None:
        return None
    epochs = [_epoch(live, envelope) for envelope in table.envelopes]
    sealed: dict[str, Any] = {
        **{name: part for name, part in epochs[0].items() if name != "from_draw"},
        "closed": live.stored.created_at,
        "draws": list(table.recorded_draws),
        "epochs": epochs,
    }
    if is_open(live):
        sealed["opened"] = live.stored.created_at + (table.rows[-1].at if table.rows else 0.0)
    return sealed


def _epoch(live: LiveTable, envelope: sealed_dice.Envelope) -> dict[str, Any]:
    """One envelope: from which draw on it counts, and its seed where it may be shown."""
    seed = seed_of(live, envelope)
    assert seed
    found = {
        "commitment": sealed_dice.commitment(seed),
        "entropies": entropies_of(live, envelope),
        "contributors": [seat for seat, _ in envelope.texts],
        "from_draw": envelope.from_draw,
    }
    return {**found, "seed": seed} if is_open(live) else found


def drawn_actions(live: LiveTable) -> list[dict[str, Any]]:
    """The draws of the record, each with what it chose from; none while the envelope is closed."""
    table, game = live.table, live.game
    if live.stored.seed is None or not is_open(live):
        return []
    played = [each for each in table.history if each.actor == CHANCE]
    return [
        {
            "number": number,
            "chances": sealed_dice.equal_chances(
                game, odds_of_press(game, each.before, _presser(live, each))
            ),
            "drawn": game.notation.write_action(each.step.action),
        }
        for number, each in zip(table.recorded_draws, played, strict=True)
    ]


def _presser(live: LiveTable, played: AnyPlayed) -> Seat | None:
    return live.game.rules.presser(played.before, played.step.action)


@caching.cache_latest(64)
def _cached_seal_fault(live: LiveTable, table: AnyTable) -> Fault | None:
    return sealed_dice.verify_seal(live.game, record_of(live, ""))


def seal_fault(live: LiveTable) -> Fault | None:
    """The first thing the seal does not agree with: found once for a table that is over."""
    return _cached_seal_fault(live, live.table)
