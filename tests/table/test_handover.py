"""The rule of a shared device, for the page and the terminal alike."""

from __future__ import annotations

import pytest

from duel import duel
from kibitz.core.game import SPECTATOR
from kibitz.games.kalamala import kalamala
from kibitz.table import Row, table_from_rows
from kibitz.table.handover import (
    acting_seat,
    current_unveiled_seat,
    curtain_seat,
    needs_curtain,
    viewer_of,
)
from kibitz.table.table import AnyTable

BOTH = ("A", "B")


def duel_after(*lines: str) -> AnyTable:
    sent = (line.split(": ") for line in lines)
    return table_from_rows(duel(), [Row(actor, text) for actor, text in sent])


def test_whose_turn_it_is_acts_before_whoever_only_may() -> None:
    table = duel_after("A: c3")
    assert [acting_seat(table, held) for held in (BOTH, ("A",), ("B",), ())] == [
        "B",
        "A",
        "B",
        None,
    ]


def test_a_device_is_handed_over_before_a_card_is_chosen() -> None:
    table = duel_after()
    assert curtain_seat(table, BOTH) == "A"
    assert viewer_of(table, BOTH) == SPECTATOR
    assert curtain_seat(table, BOTH, "B") == "A", "another one is looking"


def test_whoever_said_to_be_looking_is_shown_their_own() -> None:
    table = duel_after()
    assert curtain_seat(table, BOTH, "A") is None
    assert viewer_of(table, BOTH, "A") == "A"


@pytest.mark.parametrize("held", [("A",), ("B",)])
def test_a_device_of_one_seat_has_no_curtain(held: tuple[str, ...]) -> None:
    assert curtain_seat(duel_after(), held) is None
    assert not needs_curtain(duel_after(), held, held[0])
    assert viewer_of(duel_after(), held) == held[0]


def test_a_curtain_falls_again_when_another_one_acts() -> None:
    assert current_unveiled_seat(duel_after(), BOTH, "A") == "A"
    assert current_unveiled_seat(duel_after("A: c3"), BOTH, "A") is None


def test_a_game_without_secrets_has_no_curtain() -> None:
    table = table_from_rows(kalamala(), [])
    assert curtain_seat(table, BOTH) is None
    assert viewer_of(table, BOTH) == "A"
    assert current_unveiled_seat(table, BOTH, "A") is None
