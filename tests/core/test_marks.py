"""What is drawn over a position in pictures."""

import re
from typing import Any

import pytest

from kibitz.core.colours import DARK, LIGHT, THEMES
from kibitz.core.drawing import (
    Box,
    Drawing,
    Figure,
    Look,
    Piece,
    Spot,
    svg,
    with_theme_colours,
)
from kibitz.core.game import Mark, Motion, Offer
from kibitz.core.marks import with_last_move, with_marks
from kibitz.core.message import message
from kibitz.games.kalamala import kalamala
from kibitz.table import Table, open_table

HELD = "3B4/1A6/3B4/1A3B2/8/2AA2B1/8/7B A 2,1 2,2 16 -"


def table() -> Table[Any, Any, Any]:
    return open_table(kalamala(), HELD)


def marked_drawing(*touched: str) -> Drawing:
    at = table()
    return with_marks(at.game.ui.draw(at.view("A"), Look(str)), at.offers("A"), touched)


def count(markup: str, tag: str) -> int:
    return len(re.findall(f"<{tag} ", markup))


def test_before_anything_is_touched_what_may_be_is_ringed() -> None:
    """All eight pieces, which can be moved, and the reserve, each drawn twice."""
    targets = marked_drawing().layers["targets"]
    assert (count(targets, "circle"), count(targets, "rect")) == (16, 2)
    assert marked_drawing().layers["hints"] == ""


def test_an_anchor_shows_what_it_sees() -> None:
    hints = marked_drawing("sq-d3").layers["hints"]
    dotted = re.findall(r'stroke="var\(--mark\)" stroke-width="3" stroke-dasharray="2 8"', hints)
    assert len(dotted) == 5, "b5, c3, d6, f5 and g3"


def test_a_held_stone_shows_where_it_can_go() -> None:
    drawing = marked_drawing("sq-d3", "sq-g3")
    numbers = re.findall(r">(\d)</text>", drawing.layers["targets"])
    assert sorted(numbers) == ["1", "1", "2", "2"]
    assert count(drawing.layers["targets"], "path") == 1, "one arrow over the edge"
    assert "var(--accent-soft)" in drawing.layers["hints"], "the anchor in its capsule"


def test_the_last_action_is_yellow_where_it_began_and_ended() -> None:
    at = table()
    drawing = with_last_move(
        at.game.ui.draw(at.view("A"), Look(str)),
        [Motion("sq-a1", "sq-a2"), Motion("sq-a2", "dz-B1")],
    )
    assert count(drawing.layers["last"], "rect") == 2


@pytest.mark.parametrize("theme", THEMES)
def test_a_painted_drawing_names_no_colours(theme: str) -> None:
    markup = with_theme_colours(svg(marked_drawing("sq-d3"), paper=True), theme)
    assert "var(" not in markup
    assert THEMES[theme]["paper"] in markup


def test_both_themes_have_the_same_names() -> None:
    assert LIGHT.keys() == DARK.keys()


HALO, MARK, WARN = "var(--mark-halo)", "var(--mark)", "var(--warn)"


def with_mark(kind: str, *places: str, text: str = "") -> Drawing:
    """A field of three squares, a round piece on the first and a square one on the second."""
    spots = {f"sq-{name}": Spot(Box(48 * i, 0, 48, 48)) for i, name in enumerate("abc")}
    pieces = (
        Piece("sq-a", (24, 24), Figure(is_round=True, colour="R")),
        Piece("sq-b", (72, 24), Figure(is_round=False, colour="B")),
    )
    drawing = Drawing(places=spots, pieces=pieces)
    mark = Mark(kind, places, text, after=1)
    offer = Offer(("x",), ("sq-a", places[-1]), "x", message("x"), marks=(mark,))
    return with_marks(drawing, [offer], ("sq-a",))


def mark_layers(kind: str, *places: str, text: str = "") -> tuple[str, str]:
    """Below and above the pieces, less the ring around what is chosen."""
    layers = with_mark(kind, *places, text=text).layers
    ring = with_mark("quiet", *places).layers["targets"]
    return layers["hints"], layers["targets"].replace(ring, "", 1)


def test_a_way_goes_through_all_its_places() -> None:
    below, _ = mark_layers("way", "sq-a", "sq-b", "sq-c")
    assert below.count('d="M24 24L72 24L120 24"') == 2, "the halo and the mark"
    assert HALO in below


def test_what_is_attacked_stands_in_corners_with_a_badge() -> None:
    below, above = mark_layers("attack", "sq-b", text="tackle")
    assert below == ""
    assert above.count("V") >= 8, "four corners, twice"
    assert "M3 12h7M21 12h-7" in above
    assert count(above, "circle") == 1, "the badge alone: no ring"


def test_an_arrow_points_from_one_to_the_other() -> None:
    assert "translate(48 24) rotate(0)" in mark_layers("arrow", "sq-a", "sq-b")[1]


def test_a_pass_is_dashed_and_a_risk_dotted_in_orange() -> None:
    safe, receiver = mark_layers("pass", "sq-a", "sq-b")
    assert (WARN in safe, 'stroke-dasharray="10 6"' in safe) == (False, True)
    assert "M20 18C18 9" in receiver
    risky, signs = mark_layers("risk", "sq-a", "sq-b", "sq-c")
    assert WARN in risky
    assert HALO in risky
    assert signs.count(f'fill="{WARN}"') == 1


def test_an_area_is_striped_and_what_is_quiet_is_not_drawn() -> None:
    below, above = mark_layers("area", "sq-c")
    assert 'fill="url(#stripes)"' in below
    assert '<pattern id="stripes"' in below
    assert above == ""
    assert mark_layers("quiet", "sq-c") == ("", "")


def test_a_round_piece_is_chosen_with_a_ring_and_a_square_one_with_a_box() -> None:
    assert count(with_mark("quiet", "sq-c").layers["targets"], "circle") == 2
    drawing = with_marks(with_mark("quiet", "sq-c"), [], ("sq-b",))
    assert count(drawing.layers["targets"], "rect") == 2


def test_a_button_on_the_way_is_not_drawn() -> None:
    drawing = with_mark("quiet", "sq-c")
    offer = Offer(("x",), ("btn-kick", "sq-c"), "x", message("x"))
    assert with_marks(drawing, [offer], ()).layers["targets"] == ""
    assert count(with_marks(drawing, [offer], ("btn-kick",)).layers["targets"], "circle") == 1


def test_where_a_ball_went_its_squares_are_yellow() -> None:
    drawing = with_last_move(with_mark("quiet", "sq-c"), [Motion("ball-a", "ball-c")])
    assert count(drawing.layers["last"], "rect") == 2
