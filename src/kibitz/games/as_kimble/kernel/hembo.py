"""Jag bor i hembo (10): rules/hembo.py again."""

from __future__ import annotations

from kibitz.core.jit import i64, jit
from kibitz.games.as_kimble.board import PIECES
from kibitz.games.as_kimble.kernel.book import owe
from kibitz.games.as_kimble.kernel.encoding import SEATS, OptionCodes, Packed

# 10.1  The duty


@jit
def mark_hembo_due(options: OptionCodes, p: Packed, team: int) -> None:
    """A piece of this team has come home; with the fourth the sentence is owed."""
    if options.hembo and p.home[team] == PIECES:
        p.owing |= 1 << team
        p.said &= ~(1 << team)


@jit
def form_of(options: OptionCodes, team: int) -> int:
    """One player says jag, more say vi."""
    return (options.many >> team) & 1


# 10.2  The call


@jit
def call_hembo(options: OptionCodes, p: Packed, team: int, form: int) -> None:
    """Note the call; a team that has said it may say it again."""
    mark = 1 << team
    if not (p.owing | p.said) & mark:
        owe(p, team, i64(1))
    elif form == form_of(options, team):
        p.owing &= ~mark
        p.said |= mark


# 10.3  The deadline


@jit
def settle_hembo(p: Packed) -> None:
    """The first pop of a turn: whoever has not said it by now owes a penalty."""
    if p.owing:
        for team in range(SEATS):
            if (p.owing >> team) & 1:
                owe(p, team, i64(1))
    p.owing = 0
    p.said = 0
