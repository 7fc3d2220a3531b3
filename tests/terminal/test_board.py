"""Drawings as characters: everything has its place, and no mark is told by colour alone."""

from __future__ import annotations

import pytest

from kibitz.core.drawing import Drawing, Look
from kibitz.core.game import Mark, Offer
from kibitz.core.message import message
from kibitz.games.kalamala import kalamala
from kibitz.i18n import say_in
from kibitz.terminal.canvas import BoardScene, arrow, paint_scene
from kibitz.terminal.grid import Area, Layout, fit_layout
from kibitz.terminal.picker import Picker, sort_by_number
from kibitz.terminal.picture import Figure, Picture, figure_of, read_picture

START = "8/8/3BA3/2B2A2/2A2B2/3AB3/8/8 A 4,4 0,0 1 -"
FOUR_ON_TWO = "8/6B1/5B2/8/3A4/2A5/1A6/A7 A 0,1 4,5 51 -"
ON_THE_EDGE = "8/8/8/6A1/6AB/6A1/8/8 A 0,1 5,6 51 -"
ROOM = (56, 19)
"""What a terminal of 80 by 24 characters leaves for the board."""


def picture(position: str = START) -> Picture:
    game = kalamala()
    return read_picture(game.ui.draw(game.notation.read_state(position), Look(say_in("en"))))


def layout(position: str = START) -> Layout:
    return fit_layout(picture(position), *ROOM)


class Shown:
    """The board after these touches, without its colours."""

    def __init__(self, position: str, *path: str, plain: bool = False, **more: str) -> None:
        game, seen = kalamala(), picture(position)
        state = game.notation.read_state(position)
        picker = Picker(game.ui.offers(state, game.rules.turn_actions(state, state.side)), path)
        scene = BoardScene(
            picture=seen,
            layout=fit_layout(seen, *ROOM),
            next_places=picker.next_places,
            chosen_places=path,
            marks=picker.marks,
            is_ascii=plain,
            cursor=more.get("cursor", ""),
            refused_place=more.get("refused", ""),
            reason_place=more.get("because", ""),
        )
        self._paint(scene)

    @classmethod
    def of(cls, seen: Picture, picker: Picker, plain: bool) -> Shown:
        """Another game's board."""
        shown = cls.__new__(cls)
        lit, chosen, marks = picker.next_places, picker.path, picker.marks
        layout = fit_layout(seen, 40, 4)
        shown._paint(
            BoardScene(
                picture=seen,
                layout=layout,
                next_places=lit,
                chosen_places=chosen,
                marks=marks,
                is_ascii=plain,
            )
        )
        return shown

    def _paint(self, scene: BoardScene) -> None:
        self.areas = scene.layout.areas
        self.lines = ["".join(cell.char for cell in line) for line in paint_scene(scene)]

    def at(self, place: str) -> list[str]:
        x, y, width, height = self.areas[place]
        return [line[x : x + width] for line in self.lines[y : y + height]]


def test_squares_are_cells_in_rows_and_files() -> None:
    areas = layout().areas
    assert {areas[f"sq-{file}{rank}"][2:] for file in "abcdefgh" for rank in range(1, 9)} == {
        (5, 2)
    }
    assert areas["sq-b8"].x == areas["sq-a8"].x + 5
    assert areas["sq-a7"].y == areas["sq-a8"].y + 2


def test_no_two_places_share_a_character() -> None:
    taken: set[tuple[int, int]] = set()
    for x, y, width, height in layout().areas.values():
        area = {(x + i, y + j) for i in range(width) for j in range(height)}
        assert not taken & area
        taken |= area


@pytest.mark.parametrize("room", [(56, 19), (96, 35), (200, 60), (20, 10)])
def test_the_board_is_as_large_as_the_room_allows(room: tuple[int, int]) -> None:
    found = fit_layout(picture(), *room)
    if room != (20, 10):
        assert (found.width, found.height) <= room
    assert all(found.place_at(*map(int, area.middle)) for area in found.areas.values())


def test_what_is_written_on_the_drawing_is_legible() -> None:
    lines = Shown(START).lines
    assert lines[-1].split() == list("abcdefgh")
    assert [line[11] for line in lines if line[11].isdigit()] == list("87654321")
    assert lines[2].split()[:2] == ["RESERVE", "4"]


def test_rings_are_round_and_blocks_are_square() -> None:
    board = Shown(START)
    assert board.at("sq-c4") == ["╎▟▀▙╎", "╎▜▄▛╎"], "a ring that may be chosen"
    assert board.at("sq-c5") == [" █▀█ ", " █▄█ "]
    assert board.at("rs-A") == ["╎◉ ◉ ◉ ◉╎"]


def test_plain_letters_where_there_is_only_ascii() -> None:
    board = Shown(START, "sq-d3", plain=True)
    assert board.at("sq-c4")[0] == ":(o):"
    assert board.at("sq-c5")[0] == " [#] "
    assert all(line.isascii() for line in board.lines)


def test_an_empty_place_that_may_be_chosen_has_a_dot() -> None:
    assert Shown(START, "rs-A").at("sq-a1") == [" ▗▄▖ ", " ▝▀▘ "]
    assert Shown(START).at("sq-a1") == ["     ", "     "]


def test_pushes_and_pulls_have_their_distance() -> None:
    board = Shown(START, "sq-d3", "sq-d6")
    assert board.at("sq-d7") == [" ▟1▙ ", " ▜█▛ "], "a filled disc pushes"
    assert board.at("sq-d5") == [" ▟1▙ ", " ▜▄▛ "], "an open one pulls"
    assert board.at("sq-d3")[0][::4] == "██", "the anchor is chosen"
    assert "·" in "".join(board.at("sq-d4")), "a beam between the two"


def test_a_piece_stays_visible_under_the_distance() -> None:
    assert Shown(FOUR_ON_TWO, "sq-d4", "sq-f6").at("sq-g7") == ["╎█1█╎", "╎█▄█╎"]


def test_all_of_an_anchor_is_marked() -> None:
    board = Shown(FOUR_ON_TWO, "sq-d4", "sq-f6")
    assert {board.at(f"sq-{name}")[0][::4] for name in ("a1", "b2", "c3", "d4")} == {"██"}


def test_an_arrow_shows_the_way_over_the_edge() -> None:
    board = Shown(ON_THE_EDGE, "sq-g4", "sq-h4")
    assert "→1" in "".join(board.at("off-E4"))
    assert ">1" in "".join(Shown(ON_THE_EDGE, "sq-g4", "sq-h4", plain=True).at("off-E4"))
    assert arrow((0, 0), (-3, -3), plain=False) == "↖"


def test_the_cursor_and_a_refusal_have_their_own_signs() -> None:
    board = Shown(START, cursor="sq-a1", refused="sq-b1", because="sq-c1")
    assert board.at("sq-a1") == ["┏   ┓", "┗   ┛"]
    assert board.at("sq-b1")[0] == "  ✗  "
    assert board.at("sq-c1") == ["!   !", "!   !"]


def test_an_element_is_found_where_it_is_drawn() -> None:
    found = layout()
    x, y, width, height = found.areas["sq-e4"]
    assert found.place_at(x + width - 1, y + height - 1) == "sq-e4"
    assert found.place_at(x + width, y) == "sq-f4"
    assert found.place_at(found.width - 1, 0) != "sq-h8"


def test_a_place_is_called_what_a_screen_reader_would_say() -> None:
    assert picture().names["sq-e4"] == "e4"
    assert picture().names["sq-d3"].startswith("d3, ring")


def test_shapes_and_colours_come_from_the_drawing() -> None:
    hit = '<g transform="translate(10 20)"><circle data-el="t-1" cx="5" cy="5" r="5"/></g>'
    piece = (
        '<g id="x-pc-t-1" transform="translate(15 25)"><path d="M-5-5L5 5" fill="var(--R)"/>'
        '<circle r="2" stroke="var(--plate)"/><text>F</text></g>'
    )
    ground = '<defs><circle r="99" fill="var(--ink)"/></defs><text x="3" y="7">hello</text>'
    found = read_picture(
        Drawing("", "", {"hit": hit, "pieces": piece, "ground": ground}, frozenset(), prefix="x-")
    )
    assert found.places == {"t-1": (10, 20, 10, 10)}
    assert found.pieces[0].place == "t-1"
    assert found.pieces[0].at == (15, 25)
    assert found.pieces[0].figure == Figure(True, "R", "plate", "F")
    assert [(writing.text, writing.at) for writing in found.writings] == [("hello", (3, 3))]
    assert found.ground == ()


@pytest.mark.parametrize(("seat", "is_round"), [("A", True), ("B", False)])
def test_a_seat_has_the_shape_of_its_pieces(seat: str, is_round: bool) -> None:
    figure = figure_of(kalamala().ui.glyph(seat))
    assert figure is not None
    assert figure.is_round == is_round


def test_areas_hold_their_characters_only() -> None:
    assert Area(2, 3, 2, 1).contains(3, 3)
    assert not Area(2, 3, 2, 1).contains(4, 3)


def field(*path: str, plain: bool = False) -> Shown:
    """A man on b2, a partner on d2 and an opponent on c1, and all kinds of marks."""
    marks = (
        Mark("attack", ("sq-c1",), "tackle", after=1),
        Mark("risk", ("sq-b2", "sq-d2", "sq-c1"), after=1),
        Mark("area", ("sq-a1",), after=1),
        Mark("quiet", ("sq-a2",), after=1),
        Mark("dot", ("sq-e2",), "3", after=1),
        Mark("way", ("sq-b2", "sq-b1", "sq-e1"), after=1),
    )
    squares = "".join(
        f'<rect data-el="sq-{file}{rank}" x="{48 * x}" y="{48 * y}" width="48" height="48"/>'
        for x, file in enumerate("abcde")
        for y, rank in enumerate("12")
    )
    men = "".join(
        f'<g id="pc-sq-{at}"><circle cx="{x}" cy="{y}" r="20" fill="var(--R)"/><text>F</text></g>'
        for at, x, y in (("b2", 72, 72), ("d2", 168, 72), ("c1", 120, 24))
    )
    seen = read_picture(Drawing("", "", {"hit": squares, "pieces": men}, frozenset()))
    offers = [
        Offer((place,), ("sq-b2", place), "", message("x"), marks=marks)
        for place in ("sq-c1", "sq-d2", "sq-a1", "sq-a2", "sq-e2", "sq-e1")
    ]
    return Shown.of(seen, Picker(tuple(offers), path), plain)


def test_marks_are_told_apart_without_colour() -> None:
    board = field("sq-b2")
    assert board.at("sq-c1")[0] == "!▟F▙!", "who could jump in outweighs the attack"
    assert board.at("sq-d2")[0] == "╎▟F▙╎", "a partner"
    assert board.at("sq-a1") == ["░░░░░", "░░░░░"], "an area"
    assert board.at("sq-a2") == ["     ", "     "], "lit, but quiet"
    assert board.at("sq-e2")[0] == " ▟3▙ ", "what is left"
    assert "·" in "".join(board.at("sq-d1")), "the way of a run"
    assert all(line.isascii() for line in field("sq-b2", plain=True).lines)


def test_what_is_attacked_is_pointed_at() -> None:
    picker = Picker((Offer(("x",), ("sq-c4",), "", message("x")),))
    attack = Mark("attack", ("sq-c4",), "force")
    seen = picture()
    scene = BoardScene(
        picture=seen,
        layout=fit_layout(seen, *ROOM),
        next_places=picker.next_places,
        marks=(attack,),
    )
    x, y, width, _ = scene.layout.areas["sq-c4"]
    assert "".join(cell.char for cell in paint_scene(scene)[y][x : x + width]) == "»▟▀▙«"


def test_a_panel_covers_what_is_below_it() -> None:
    piece = '<g id="pc-{0}"><rect x="{1}" y="40" width="20" height="20" fill="var(--R)"/></g>'
    panel = '<rect x="0" y="0" width="200" height="100" fill="var(--card)"/>'
    below, above, aside = (piece.format(*at) for at in (("a", 40), ("b", 90), ("c", 240)))
    layers = {"pieces": below + aside + panel + above, "grid": '<text x="9" y="9">1</text>'}
    found = read_picture(Drawing("", "", layers, frozenset()))
    assert [each.place for each in found.pieces] == ["c", "b"]
    assert found.ground == (((0, 0, 200, 100), "card"),)
    assert found.writings == ()


def test_what_is_written_over_something_else_gives_way_to_it() -> None:
    hit = '<rect data-el="sq-a1" x="0" y="0" width="200" height="50"/>'
    text = '<text x="{}" y="20">{}</text>'
    grid = text.format(0, "HEADING") + text.format(20, "1") + text.format(60, "2")
    turned = '<g transform="rotate(90)"><text x="9" y="9">GOAL</text></g>'
    drawing = Drawing("", "", {"hit": hit, "grid": grid + turned}, frozenset())
    seen = read_picture(drawing)
    lines = paint_scene(BoardScene(picture=seen, layout=fit_layout(seen, 40, 10)))
    written = "".join(cell.char for line in lines for cell in line)
    assert written.split() == ["1", "2"]


def test_no_cursor_on_what_a_panel_covers() -> None:
    hit = "".join(
        f'<rect data-el="sq-{x}" x="{50 * x}" y="0" width="50" height="50"/>' for x in range(9)
    )
    panel = '<rect x="0" y="0" width="200" height="100" fill="var(--card)"/>'
    seen = read_picture(Drawing("", "", {"hit": hit, "pieces": panel}, frozenset()))

    def has_cursor(at: str, *lit: str) -> bool:
        layout = fit_layout(seen, 60, 10)
        lines = paint_scene(BoardScene(picture=seen, layout=layout, cursor=at, next_places=lit))
        return any(cell.paper == "spark" for line in lines for cell in line)

    assert not has_cursor("sq-1")
    assert has_cursor("sq-6")
    assert has_cursor("sq-1", "sq-1"), "a card on the panel"


def test_letters_stand_out_on_the_middle_of_a_piece() -> None:
    hit = '<rect data-el="t-1" x="0" y="0" width="50" height="50"/>'
    piece = (
        '<g id="pc-t-1" data-letters="6"><circle cx="25" cy="25" r="25" fill="var(--{})"/>'
        '<circle cx="25" cy="25" r="9" fill="var(--plate)"/></g>'
    )

    def ink(colour: str) -> str:
        layers = {"hit": hit, "pieces": piece.format(colour)}
        seen = read_picture(Drawing("", "", layers, frozenset()))
        lines = paint_scene(BoardScene(picture=seen, layout=fit_layout(seen, 11, 5)))
        return next(cell.ink for line in lines for cell in line if cell.char == "6")

    assert ink("R") == "R"
    assert ink("Y") == "paper", "yellow on cream could not be read"


def test_a_plate_is_read_by_its_seat_and_not_written_on_the_board() -> None:
    plate = '<g data-seat="R"><text x="9" y="9">owes 2</text><text x="9" y="29">raised</text></g>'
    found = read_picture(Drawing("", "", {"homes": plate}, frozenset()))
    assert found.seat_notes == {"R": ("owes 2", "raised")}
    assert found.writings == ()


def test_a_seat_is_lettered_only_by_letters_of_its_own() -> None:
    man = '<svg {} xmlns="x"><circle r="9" fill="var(--R)"/><text>F</text></svg>'
    letters = [figure_of(man.format(given)) for given in ("", 'data-letters="R"')]
    assert [figure.text for figure in letters if figure] == ["", "R"]


def offered(*texts: str) -> tuple[Offer, ...]:
    return tuple(Offer((text,), (), "", message("x")) for text in texts)


def test_what_differs_by_its_number_is_in_order() -> None:
    done = offered("R done 1", "R done 12", "R done 2")
    assert [offer.texts[0][7:] for offer in sort_by_number(done)] == ["1", "2", "12"]
    mixed = offered("R t12-t18", "R done 1")
    assert sort_by_number(mixed) == mixed
