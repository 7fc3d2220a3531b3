"""Drawings as characters: everything has its place, and no mark is told by colour alone."""

from __future__ import annotations

import pytest

from kibitz.core.drawing import (
    Box,
    Drawing,
    Figure,
    Fill,
    Look,
    Panel,
    Piece,
    Spot,
    Writing,
)
from kibitz.core.game import Mark, Offer
from kibitz.core.message import message
from kibitz.games.kalamala import kalamala
from kibitz.i18n import say_in
from kibitz.terminal.canvas import BoardScene, arrow, paint_scene
from kibitz.terminal.grid import Area, Layout, fit_layout
from kibitz.terminal.picker import Picker, sort_by_number
from kibitz.terminal.picture import Picture, picture_of

START = "8/8/3BA3/2B2A2/2A2B2/3AB3/8/8 A 4,4 0,0 1 -"
FOUR_ON_TWO = "8/6B1/5B2/8/3A4/2A5/1A6/A7 A 0,1 4,5 51 -"
ON_THE_EDGE = "8/8/8/6A1/6AB/6A1/8/8 A 0,1 5,6 51 -"
ROOM = (56, 19)
"""What a terminal of 80 by 24 characters leaves for the board."""


def picture(position: str = START) -> Picture:
    game = kalamala()
    look = Look(say_in("en"), is_coarse=True)
    return picture_of(game.ui.draw(game.notation.read_state(position), look))


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
    assert board.at("sq-c5") == ["╎█▀█╎", "╎█▄█╎"], "a block that may be chosen"
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


@pytest.mark.parametrize(("seat", "is_round"), [("A", True), ("B", False)])
def test_a_seat_has_the_shape_of_its_pieces(seat: str, is_round: bool) -> None:
    figure = kalamala().ui.figures[seat]
    assert figure.is_round == is_round
    assert {each.figure for each in picture().pieces if each.seat == seat} == {figure}


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
    squares = {
        f"sq-{file}{rank}": Spot(Box(48 * x, 48 * y, 48, 48))
        for x, file in enumerate("abcde")
        for y, rank in enumerate("12")
    }
    men = tuple(
        Piece(place, squares[place].box.middle, Figure(True, "R", letters="F"))
        for place in ("sq-b2", "sq-d2", "sq-c1")
    )
    seen = picture_of(Drawing(places=squares, pieces=men))
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
    square = Figure(is_round=False, colour="R")
    below, aside = (Piece(*at, square) for at in (("a", (50, 50)), ("c", (250, 50))))
    above = Piece("b", (100, 50), square, is_raised=True)
    written = Writing("1", (9, 9)), Writing("2", (250, 9))
    panel = Panel(Box(0, 0, 200, 100), "card", (Writing("duel", (9, 9)),))
    pieces = (below, aside, above)
    found = picture_of(Drawing(places={}, pieces=pieces, writings=written, panels=(panel,)))
    assert [each.place for each in found.pieces] == ["c", "b"]
    assert found.ground == (Fill(panel.box, "card"),)
    assert [each.text for each in found.writings] == ["2", "duel"]


def test_what_is_written_over_something_else_gives_way_to_it() -> None:
    written = tuple(Writing(text, (x, 16)) for text, x in (("HEADING", 0), ("1", 20), ("2", 60)))
    places = {"sq-a1": Spot(Box(0, 0, 200, 50))}
    seen = picture_of(Drawing(places=places, writings=written))
    lines = paint_scene(BoardScene(picture=seen, layout=fit_layout(seen, 40, 10)))
    assert "".join(cell.char for line in lines for cell in line).split() == ["1", "2"]


def test_no_cursor_on_what_a_panel_covers() -> None:
    places = {f"sq-{x}": Spot(Box(50 * x, 0, 50, 50)) for x in range(9)}
    panel = Panel(Box(0, 0, 200, 100), "card")
    seen = picture_of(Drawing(places=places, panels=(panel,)))

    def has_cursor(at: str, *lit: str) -> bool:
        layout = fit_layout(seen, 60, 10)
        lines = paint_scene(BoardScene(picture=seen, layout=layout, cursor=at, next_places=lit))
        return any(cell.paper == "spark" for line in lines for cell in line)

    assert not has_cursor("sq-1")
    assert has_cursor("sq-6")
    assert has_cursor("sq-1", "sq-1"), "a card on the panel"


def test_letters_stand_out_on_the_middle_of_a_piece() -> None:
    def ink(colour: str) -> str:
        piece = Piece("t-1", (25, 25), Figure(True, colour, "plate", "6"))
        seen = picture_of(Drawing(places={"t-1": Spot(Box(0, 0, 50, 50))}, pieces=(piece,)))
        lines = paint_scene(BoardScene(picture=seen, layout=fit_layout(seen, 11, 5)))
        return next(cell.ink for line in lines for cell in line if cell.char == "6")

    assert ink("R") == "R"
    assert ink("Y") == "paper", "yellow on cream could not be read"


def offers_of(*texts: str) -> tuple[Offer, ...]:
    return tuple(Offer((text,), (), "", message("x")) for text in texts)


def test_what_differs_by_its_number_is_in_order() -> None:
    done = offers_of("R done 1", "R done 12", "R done 2")
    assert [offer.actions[0][7:] for offer in sort_by_number(done)] == ["1", "2", "12"]
    mixed = offers_of("R t12-t18", "R done 1")
    assert sort_by_number(mixed) == mixed
