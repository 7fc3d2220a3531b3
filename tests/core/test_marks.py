"""What is drawn over a position in pictures."""

import re
from typing import Any

import pytest

from kibitz.core.colours import DARK, LIGHT, THEMES
from kibitz.core.drawing import Drawing, Look, painted, svg
from kibitz.core.game import Motion
from kibitz.core.marks import with_last, with_marks
from kibitz.games.kalamala import kalamala
from kibitz.table import Table, open_table

HELD = "3B4/1A6/3B4/1A3B2/8/2AA2B1/8/7B A 2,1 2,2 16 -"


def table() -> Table[Any, Any, Any]:
    return open_table(kalamala(), HELD)


def marked(*touched: str) -> Drawing:
    at = table()
    return with_marks(at.game.draw(at.view("A"), Look(str)), at.offers("A"), touched)


def count(markup: str, tag: str) -> int:
    return len(re.findall(f"<{tag} ", markup))


def test_before_anything_is_touched_what_may_be_is_ringed() -> None:
    """Four stones and the reserve, each drawn twice."""
    targets = marked().layers["targets"]
    assert (count(targets, "circle"), count(targets, "rect")) == (8, 2)
    assert marked().layers["hints"] == ""


def test_an_anchor_shows_what_it_sees() -> None:
    hints = marked("sq-d3").layers["hints"]
    dotted = re.findall(r'stroke="var\(--mark\)" stroke-width="3" stroke-dasharray="2 8"', hints)
    assert len(dotted) == 5, "b5, c3, d6, f5 and g3"


def test_a_held_stone_shows_where_it_can_go() -> None:
    drawing = marked("sq-d3", "sq-g3")
    numbers = re.findall(r">(\d)</text>", drawing.layers["targets"])
    assert sorted(numbers) == ["1", "1", "2", "2"]
    assert count(drawing.layers["targets"], "path") == 1, "one arrow over the edge"
    assert "var(--accent-soft)" in drawing.layers["hints"], "the anchor in its capsule"


def test_the_last_action_is_yellow_where_it_began_and_ended() -> None:
    at = table()
    drawing = with_last(
        at.game.draw(at.view("A"), Look(str)), [Motion("sq-a1", "sq-a2"), Motion("sq-a2", "dz-B1")]
    )
    assert count(drawing.layers["last"], "rect") == 2


@pytest.mark.parametrize("theme", THEMES)
def test_a_painted_drawing_names_no_colours(theme: str) -> None:
    markup = painted(svg(marked("sq-d3"), paper=True), theme)
    assert "var(" not in markup
    assert THEMES[theme]["paper"] in markup


def test_both_themes_have_the_same_names() -> None:
    assert LIGHT.keys() == DARK.keys()
