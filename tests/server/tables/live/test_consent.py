"""Rows that follow from one text, where others agree at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kibitz.core.message import Refused
from kibitz.games.kalamala import kalamala
from kibitz.server.tables.live.consent import rows_for
from kibitz.table import open_table
from kibitz.table.seating import people_at_opening
from kibitz.table.table import AnyTable

ANN, BOB = {"members": ["ann"]}, {"members": ["bob"]}
BOT = {"bot": "greedy"}


def table_of(a: Mapping[str, Any], b: Mapping[str, Any], *lines: str) -> AnyTable:
    game = kalamala()
    table: AnyTable = open_table(
        game, people=people_at_opening("ann", game.seats, {"A": a, "B": b})
    )
    for line in lines:
        actor, text = line.split(": ")
        table, _ = table.act(actor, text)
    return table


def texts_for(table: AnyTable, actor: str, text: str, sender: str = "ann") -> list[str]:
    return [f"{row.actor} {row.member}: {row.text}" for row in rows_for(table, actor, text, sender)]


def test_somebody_else_is_only_asked() -> None:
    assert texts_for(table_of(ANN, BOB), "A", "ask adjourn") == ["A ann: ask adjourn"]


def test_whoever_holds_all_seats_agrees_with_themselves() -> None:
    both = table_of(ANN, ANN, "A: @a1")
    assert texts_for(both, "A", "ask adjourn") == ["A ann: ask adjourn", "B ann: agree"]
    assert texts_for(both, "B", "back 0") == ["A ann: ask back 0", "B ann: agree"]


def test_a_bot_agrees_to_a_takeback_but_not_to_a_draw() -> None:
    table = table_of(ANN, BOT, "A: @a1")
    assert texts_for(table, "A", "ask back 0") == ["A ann: ask back 0", "B ann: agree"]
    with pytest.raises(Refused, match=r"server\.bots-cannot-agree"):
        texts_for(table, "A", "ask draw")


def test_a_bots_own_row_is_the_bots() -> None:
    assert texts_for(table_of(ANN, BOT, "A: @a1"), "B", "@h8", "") == ["B bot:greedy: @h8"]
