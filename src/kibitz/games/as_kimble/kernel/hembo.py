"""Jag bor i hembo (10): rules/hembo.py again."""

from __future__ import annotations

from kibitz.core.jit import compiled, i64
from kibitz.games.as_kimble.board import PIECES
from kibitz.games.as_kimble.kernel.book import owe
from kibitz.games.as_kimble.kernel.encoding import SEATS, OptionCodes, Packed

# 10.1  The duty


@compiled
def mark_hembo_due(house: OptionCodes, p: Packed, team: int) -> None:
    """A piece of this team has come home; with the fourth the sentence is owed."""
    if house.hembo and p.home[team] == PIECES:
        p.owing |= 1 << team
        p.said &= ~(1 << team)


@compiled
def form_of(house: OptionCodes, team: int) -> int:
    """One player says jag, more say vi."""
    return (house.many >> team) & 1


# 10.2  The call


@compiled
def call_hembo(house: OptionCodes, p: Packed, team: int, form: int) -> None:
    """Whoever has said it may say it again."""
    mark = 1 << team
    if not (p.owing | p.said) & mark:
        owe(p, team, i64(1))
    elif form == form_of(house, team):
        p.owing &= ~mark
        p.said |= mark


# 10.3  The deadline


@compiled
def settle_hembo(p: Packed) -> None:
    """The first pop of a turn: whoever has not said it by now owes a penalty."""
    if p.owing:
        for team in range(SEATS):
            if (p.owing >> team) & 1:
                owe(p, team, i64(1))
    p.owing = 0
    p.said = 0
