"""Ready line-ups can be placed, by either side."""

from __future__ import annotations

import pytest

from games.kahmate.touching import SAY, after, at, paths
from kibitz.games.kahmate.board import NAMES
from kibitz.games.kahmate.lineups import LINE_UPS, LineUp
from kibitz.games.kahmate.notation import write_action
from kibitz.games.kahmate.state import SEATS


@pytest.mark.parametrize("side", SEATS)
@pytest.mark.parametrize("line_up", LINE_UPS, ids=lambda each: each.id)
def test_a_ready_line_up_can_be_placed(line_up: LineUp, side: str) -> None:
    table = at("start")
    offer = next(o for o in table.offers(side) if o.label.id == line_up.id)
    assert (offer.path, offer.kind, offer.ask) == (("btn-lineup",), "lineup", True)
    assert offer.texts == tuple(map(write_action, line_up.placements(side)))
    table = after(table, *(f"{side} {text}" for text in offer.texts))
    assert not table.is_committing(side)
    assert SAY(offer.label)
    assert SAY(offer.says[0])


def test_line_ups_differ_and_blue_mirrors_red() -> None:
    assert len({each.placements("R") for each in LINE_UPS}) == len(LINE_UPS) >= 5
    for each in LINE_UPS:
        for red, blue in zip(each.placements("R"), each.placements("B"), strict=True):
            assert NAMES[red.square].translate(str.maketrans("bc", "lk")) == NAMES[blue.square]


def test_a_ready_line_up_is_for_an_empty_side() -> None:
    assert not paths(after(at("start"), "R S@b1"), "R", "lineup")
