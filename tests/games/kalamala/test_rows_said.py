"""Somebody who does not see the board hears of every piece which rows it is in, to their ends."""

from __future__ import annotations

import re

from games.kalamala.play import at
from kibitz.core.drawing import Look
from kibitz.games.kalamala.ui.drawing import draw
from kibitz.i18n import say_in

SAY = say_in("en", {"A": "Rings", "B": "Blocks"})


def sentences_at(position: str) -> set[str]:
    return set(re.findall(r'aria-label="([^"]+)"', draw(at(position), Look(SAY)).layers["pieces"]))


def test_all_of_a_row_say_all_of_it() -> None:
    row = sentences_at("8/8/8/8/8/8/B6B/AAA5 A 4,4 1,2 3 -")
    assert {f"{each}, ring, in row a1-c1" for each in ("a1", "b1", "c1")} <= row


def test_a_row_ends_where_the_other_side_stands() -> None:
    assert "a1, ring" in sentences_at("8/8/8/8/8/8/8/ABAA4 A 4,4 1,3 3 -")


def test_a_piece_that_stands_as_it_did_says_the_row_that_has_grown() -> None:
    before, after = (
        sentences_at("8/8/8/8/8/8/8/AA1A4 A 4,4 1,4 3 -"),
        sentences_at("8/8/8/8/8/8/8/AAAA4 A 4,4 0,4 5 -"),
    )
    assert "a1, ring, in row a1-b1" in before
    assert "a1, ring, in row a1-d1" in after
