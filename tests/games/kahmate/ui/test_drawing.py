"""The drawing is sound, hides what is hidden, reads back as text, and everything in it is said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import unescape
from random import Random
from typing import TypeAlias
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.colours import THEMES
from kibitz.core.drawing import LAYERS, Drawing, Look, svg, with_theme_colours
from kibitz.core.game import SPECTATOR, Viewer
from kibitz.games.kahmate.actions import Action
from kibitz.games.kahmate.board import NAMES, square
from kibitz.games.kahmate.game import kahmate
from kibitz.games.kahmate.notation import read_field
from kibitz.games.kahmate.options import DEFAULT, Options
from kibitz.games.kahmate.state import SEATS, State
from kibitz.games.kahmate.ui.drawing import draw_text, glyph, read_text
from kibitz.i18n import LANGUAGES, name_in, say_in

Scene: TypeAlias = tuple[State | str, Viewer, Sequence[str]]
GAME = kahmate()
SAY = say_in("en", {"R": "Red", "B": "Blue"})
SQUARES = [f"sq-{name}" for name in NAMES]

LATE = "13/3C9/5S4f2/4o!1Fo1s3/4Ot7/5O!7/4T!!8/8c4 R play e7:0,g4:3 g4 134/156 0-0 22 -"
LOOSE = "13/11F1/10o2/13/7O1t3/13/13/13 R play l2:1 g5 12/56 0-0 14 -"
FORCE = "13/3C9/5S4f2/6Fo1s3/13/13/13/13 R duel:F:g4>h4:1:- g4:3 g4 134/156 0-0 22 -"
ICPT = "13/13/5Oo6/6tC5/13/5T7/13/13 R icpt:h4~f3 - h4 123456/123456 0-0 6 -"
EXIT = "13/13/13/5Oc!C5/13/13/13/13 R exit:f4>g4 f4:3 f4 12456/23456 0-0 10 -"
DROP = "13/13/13/13/1O!sf9/1T11/13/13 B drop:b5<c5 c5:0 b5 12456/13456 0-0 21 -"
OVER = "13/13/6O3o!1T/13/8c4/13/13/13 R over:R - m3 12345/12356 1-0 31 -"
RED = ["S@c3", "T@c7", "F@b4", "C@c5", "O@c2", "O@b6"]
BLUE = ["S@k3", "T@k5", "F@k8", "C@k4", "O@l2", "O@l7"]


def after(*texts: str, start: str = "") -> State:
    state = GAME.notation.read_state(start) if start else GAME.rules.start()
    for text in texts:
        action = GAME.notation.read_action(text)
        state = GAME.rules.resolve(state, GAME.rules.actor_of(state, action), action).state
    return state


def actions(texts: Iterable[str]) -> tuple[Action, ...]:
    return tuple(map(GAME.notation.read_action, texts))


def drawing_of(
    state: State | str,
    viewer: Viewer = SPECTATOR,
    *,
    held: Iterable[str] = (),
    look: Look = Look(SAY),  # noqa: B008 (it is frozen)
) -> Drawing:
    state = GAME.notation.read_state(state) if isinstance(state, str) else state
    return GAME.ui.draw(GAME.rules.view(state, viewer, actions(held)), look)


def tall(near: str = "", prefix: str = "") -> Look:
    return Look(SAY, is_tall=True, has_labels=False, prefix=prefix, near=near)


LOOKS = [Look(SAY), Look(SAY, has_labels=False, prefix="m1-"), tall(), tall("B", "m2-")]
SCENES: list[Scene] = [
    (GAME.rules.start(), "R", ()),
    (after(*RED[:3]), "R", ()),
    (after(*RED[:3]), "B", BLUE[:2]),
    (after(*RED, *BLUE), SPECTATOR, ()),
    (LATE, "B", ()),
    (LOOSE, SPECTATOR, ()),
    (FORCE, "R", ()),
    (FORCE, "B", ["card=5"]),
    (FORCE.replace(":1:-", ":2:4"), "R", ()),
    (FORCE, SPECTATOR, ()),
    (ICPT, "B", ()),
    (after("int=g3", start=ICPT), "B", ()),
    (EXIT, "R", ()),
    (DROP, "R", ()),
    (OVER, "R", ()),
]


def ids(markup: str) -> list[str]:
    return re.findall(r'\bid="([^"]*)"', markup)


def touchable(drawing: Drawing) -> list[str]:
    return re.findall(r'data-el="([^"]*)"', drawing.layers["hit"])


def labels(drawing: Drawing, layer: str = "pieces") -> list[str]:
    return list(map(unescape, re.findall(r'aria-label="([^"]*)"', drawing.layers[layer])))


def part(drawing: Drawing, layer: str, id: str) -> ElementTree.Element:
    root = ElementTree.fromstring(f"<g>{drawing.layers[layer]}</g>")
    return next(each for each in root.iter() if each.get("id") == id)


def texts_in(element: ElementTree.Element) -> list[str]:
    return ["".join(each.itertext()) for each in element.iter("text")]


# The drawing


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("scene", SCENES)
def test_the_drawing_is_sound(scene: Scene, look: Look) -> None:
    state, viewer, held = scene
    drawing = drawing_of(state, viewer, held=held, look=look)
    markup = svg(drawing)
    ElementTree.fromstring(markup)
    assert not re.search(r"style=|<style|<script|\bon\w+=", markup)
    names = ids(markup)
    assert len(set(names)) == len(names)
    assert all(name.startswith(look.prefix) for name in names)
    assert set(re.findall(r'(?:href="|url\()#([^")]*)', markup)) <= set(names)
    assert set(drawing.layers) <= set(LAYERS)
    for theme in THEMES:
        assert "var(" not in with_theme_colours(markup, theme)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("scene", SCENES)
def test_what_stays_is_the_same_in_every_scene(scene: Scene, look: Look) -> None:
    state, viewer, held = scene
    first, later = (
        drawing_of(GAME.rules.start(), look=look),
        drawing_of(state, viewer, held=held, look=look),
    )
    assert first.view_box == later.view_box
    assert first.static_layers == frozenset(LAYERS) - {"homes", "pieces", "ball", "labels", "hit"}
    for layer in first.static_layers:
        assert first.layers.get(layer) == later.layers.get(layer)
    for layer in ("last", "hints", "under", "targets", "best", "refuse"):
        assert not later.layers.get(layer), "the page draws there"


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("scene", SCENES)
def test_everything_that_can_be_touched_is_in_the_picture(scene: Scene, look: Look) -> None:
    state, viewer, held = scene
    drawing = drawing_of(state, viewer, held=held, look=look)
    left, top, width, height = map(float, drawing.view_box.split())
    for rect in re.findall(r"<rect [^>]*data-el=[^>]*>", drawing.layers["hit"]):
        given = {k: float(v) for k, v in re.findall(r' (x|y|width|height)="([^"]*)"', rect)}
        assert left <= given["x"] < given["x"] + given["width"] <= left + width
        assert top <= given["y"] < given["y"] + given["height"] <= top + height


@pytest.mark.parametrize("look", LOOKS)
def test_every_square_can_always_be_touched(look: Look) -> None:
    for state, viewer, held in SCENES:
        drawing = drawing_of(state, viewer, held=held, look=look)
        places = touchable(drawing)
        assert sorted(places[: len(SQUARES)]) == sorted(SQUARES)
        assert len(set(places)) == len(places)
        assert re.findall(r' id="([^"]*)"', drawing.layers["hit"]) == [
            f"{look.prefix}hit-{place}" for place in places
        ]


def test_upright_it_has_the_shape_of_a_phone() -> None:
    assert drawing_of(LATE, look=tall()).view_box == "-6 -6 396 612"


def test_lying_red_is_left_and_rank_1_on_top() -> None:
    hit = drawing_of(LATE).layers["hit"]
    assert 'data-el="sq-a1" role="gridcell"' in hit
    assert 'x="0" y="0" width="40" height="48"' in hit
    assert part(drawing_of(LATE), "pieces", "pc-sq-g4").get("transform") == "translate(304 168)"


def test_upright_whoever_looks_has_the_own_in_goal_below() -> None:
    """Red where nobody looks from a side; for Blue everything is turned around."""
    where = {
        near: part(drawing_of(LATE, look=tall(near)), "pieces", "pc-sq-e5").get("transform")
        for near in ("", "R", "B")
    }
    x, y = 4 * 48 + 24, 36 + 3 * 48 + 24
    assert where == {
        "": f"translate({x} {600 - y})",
        "R": f"translate({x} {600 - y})",
        "B": f"translate({384 - x} {y})",
    }


def test_cells_come_in_rows_as_they_are_seen() -> None:
    def rows(look: Look) -> list[list[str]]:
        grid = ElementTree.fromstring(drawing_of(LATE, look=look).layers["hit"])
        return [[str(cell.get("data-el")) for cell in row] for row in grid if row.tag == "g"]

    assert rows(Look(SAY))[0][:2] == ["sq-a1", "sq-b1"]
    assert [len(row) for row in rows(Look(SAY))] == [13] * 8
    assert rows(tall())[0][:2] == ["sq-m1", "sq-m2"]
    assert rows(tall("B"))[0][:2] == ["sq-a8", "sq-a7"]
    assert [len(row) for row in rows(tall())] == [8] * 13


def test_labels_can_be_left_out() -> None:
    assert ">e</text>" in drawing_of(LATE).layers["ground"]
    assert ">e</text>" not in drawing_of(LATE, look=LOOKS[1]).layers["ground"]


def test_words_in_the_drawing_are_escaped() -> None:
    for state, viewer, held in SCENES:
        look = Look(lambda message: f'<"{message.id}&>')
        ElementTree.fromstring(svg(drawing_of(state, viewer, held=held, look=look)))


def test_each_side_has_a_glyph_without_ids() -> None:
    red, blue = (ElementTree.fromstring(glyph(seat)) for seat in SEATS)
    assert ElementTree.tostring(red) != ElementTree.tostring(blue)
    assert not ids(glyph("R") + glyph("B"))


# Men and ball


def test_men_are_named_by_their_square_and_moved_by_one_transform() -> None:
    drawing = drawing_of(LATE)
    man = part(drawing, "pieces", "pc-sq-g4")
    assert man.get("class") == "pc man side-R kind-F"
    assert texts_in(man) == ["F"]
    squares = ["d2", "e4", "e5", "e7", "f3", "f5", "f6", "g4", "h4", "i8", "j4", "k3"]
    assert ids(drawing.layers["pieces"]) == [f"pc-sq-{name}" for name in squares]
    assert drawing.layers["pieces"].count('<g id="pc-') == 12


def test_a_man_who_is_down_shows_his_mark() -> None:
    drawing = drawing_of(LATE)
    for name, mark in (("e4", "1"), ("e7", "2")):
        man = part(drawing, "pieces", f"pc-sq-{name}")
        assert str(man.get("class")).endswith(" ko")
        assert texts_in(man)[1] == mark


def test_a_mover_shows_the_points_he_has_left() -> None:
    man = part(drawing_of(LATE), "pieces", "pc-sq-g4")
    dots = [each.get("fill") for each in man.iter("circle")]
    assert sorted(map(str, dots)) == ["none", *["var(--mark)"] * 3]
    assert not [*part(drawing_of(LATE), "pieces", "pc-sq-f3").iter("circle")]


def test_the_strip_has_both_hands_and_who_moved() -> None:
    texts = texts_in(ElementTree.fromstring(f"<g>{drawing_of(LATE, 'R').layers['homes']}</g>"))
    assert texts[0] == "YOUR CARDS"
    assert "BLUE'S CARDS" in texts
    assert "MOVED THIS TURN" in texts
    assert "one man left" not in texts
    one_mover = texts_in(ElementTree.fromstring(f"<g>{drawing_of(LOOSE).layers['homes']}</g>"))
    assert one_mover[-1] == "one man left"
    assert labels(drawing_of(LATE), "homes") == ["Red's cards: 1, 3, 4", "Blue's cards: 1, 5, 6"]


def test_the_ball_is_with_its_holder_or_alone() -> None:
    held = part(drawing_of(LATE), "ball", "pc-ball-g4")
    assert held.get("transform") == "translate(320 183)"
    assert held.get("class") == "pc ball"
    loose = part(drawing_of(LOOSE), "ball", "pc-ball-g5")
    assert loose.get("transform") == "translate(304 216)"
    assert not drawing_of(GAME.rules.start()).layers["ball"]


def test_a_man_in_the_in_goal_does_not_leave_the_picture() -> None:
    for look, edge in ((Look(SAY), 588), (tall(), 18)):
        moved = str(part(drawing_of(OVER, look=look), "pieces", "pc-sq-m3").get("transform"))
        assert str(edge) in moved


def test_men_are_said() -> None:
    assert labels(drawing_of(LATE)) == [
        "d2, Red Clever man",
        "e4, Blue Ordinary man, down, back after Blue's next turn",
        "e5, Red Ordinary man",
        "e7, Red Tough man, down, back after Red's next turn",
        "f3, Red Strong man",
        "f5, Blue Tough man",
        "f6, Red Ordinary man, down, back after this turn",
        "g4, Red Fast man, has the ball, 3 points left",
        "h4, Blue Ordinary man",
        "i8, Blue Clever man",
        "j4, Blue Strong man",
        "k3, Blue Fast man",
    ]
    assert "l2, Red Fast man, 1 point left" in labels(drawing_of(LOOSE))


def test_cells_are_named_by_what_is_on_them() -> None:
    def cell(state: str, place: str) -> tuple[str | None, str | None]:
        found = part(drawing_of(state), "hit", f"hit-{place}")
        return found.get("aria-label"), found.get("aria-labelledby")

    assert cell(LATE, "sq-g4") == ("g4", "pc-sq-g4")
    assert cell(LATE, "sq-m3") == ("m3, Blue in-goal", "pc-sq-m3")
    assert cell(LOOSE, "sq-g5") == ("g5", "pc-ball-g5")
    assert labels(drawing_of(LOOSE), "ball") == ["g5, loose ball"]


# What is decided


def test_a_pass_shows_its_way_and_who_could_jump_in() -> None:
    drawing = drawing_of(ICPT)
    assert "M352 168L256 120" in drawing.layers["homes"]
    assert drawing.layers["labels"].count("var(--warn)") == 2
    assert not drawing_of(LATE).layers["labels"]


@pytest.mark.parametrize(("position", "ways"), [(EXIT, 2), (DROP, 2)])
def test_the_ways_out_are_shown(position: str, ways: int) -> None:
    drawing = drawing_of(position)
    assert drawing.layers["homes"].count("M0-3.5H34") == ways
    assert drawing.layers["labels"].count("<path") == 1


# Set-up in secret


def test_the_next_man_lies_on_the_tray_of_whoever_places() -> None:
    drawing = drawing_of(after(*RED[:3]), "R")
    assert touchable(drawing)[-1] == "tray"
    assert labels(drawing, "hit")[-1] == "next to place: Clever man"
    tray = [id for id in ids(drawing.layers["pieces"]) if "tray" in id]
    assert tray == ["pc-tray", "pc-tray-2", "pc-tray-3"]
    assert "kind-C" in str(part(drawing, "pieces", "pc-tray").get("class"))


def test_only_who_has_men_to_place_has_a_tray() -> None:
    assert "tray" not in touchable(drawing_of(after(*RED), "R"))
    assert "tray" not in touchable(drawing_of(after(*RED[:3])))
    assert "tray" in touchable(drawing_of(after(*RED[:3]), "B"))
    assert "tray" not in touchable(drawing_of(after(*RED[:3]), "B", held=BLUE))
    assert "tray" not in touchable(drawing_of(LATE, "R"))


def test_men_placed_early_are_drawn_for_who_placed_them() -> None:
    men = ids(drawing_of(after(*RED[:3]), "B", held=BLUE[:2]).layers["pieces"])
    assert [id for id in men if "tray" not in id] == ["pc-sq-k3", "pc-sq-k5"]
    men = ids(drawing_of(after(*RED[:3]), "R").layers["pieces"])
    assert [id for id in men if "tray" not in id] == ["pc-sq-b4", "pc-sq-c3", "pc-sq-c7"]


def test_the_own_zone_is_light_while_one_places_and_the_others_are_dark() -> None:
    def zones(state: State, viewer: Viewer) -> tuple[int, int]:
        homes = drawing_of(state, viewer).layers["homes"]
        return homes.count("var(--hole)"), homes.count('stroke-dasharray="10 6"')

    assert zones(after(*RED[:3]), "R") == (1, 1)
    assert zones(after(*RED), "R") == (1, 0)
    assert zones(after(*RED), "B") == (1, 1)
    assert zones(after(*RED), SPECTATOR) == (2, 0)
    assert zones(after(*RED, *BLUE), SPECTATOR) == (0, 0)


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_in_a_drawing_depends_on_men_that_are_hidden(look: Look) -> None:
    elsewhere = ["S@b1", "T@b2", "F@b3", "C@b4", "O@b5", "O@b8"]
    states = [after(*RED[:n]) for n in range(7)] + [after(*elsewhere[:n]) for n in range(1, 7)]
    for viewer in ("B", SPECTATOR):
        assert len({svg(drawing_of(state, viewer, look=look)) for state in states}) == 1
    assert len({svg(drawing_of(state, "R", look=look)) for state in states}) == len(states)
    later = [after(*RED, *BLUE[:n]) for n in range(6)]
    for viewer in ("R", SPECTATOR):
        assert len({svg(drawing_of(state, viewer, look=look)) for state in later}) == 1


# Duels


def cards(drawing: Drawing) -> list[str]:
    return [place for place in touchable(drawing) if place.startswith("card-")]


def test_a_captain_can_touch_the_cards_he_holds() -> None:
    assert cards(drawing_of(FORCE, "R")) == ["card-1", "card-3", "card-4"]
    assert cards(drawing_of(FORCE, "B")) == ["card-1", "card-5", "card-6"]
    assert cards(drawing_of(FORCE)) == []
    assert cards(drawing_of(LATE, "R")) == []
    assert labels(drawing_of(FORCE, "R"), "hit")[-3:] == ["card 1", "card 3", "card 4"]


@pytest.mark.parametrize("look", LOOKS)
def test_cards_are_longer_than_wide_and_large_enough_for_a_thumb(look: Look) -> None:
    hit = drawing_of(FORCE, "R", look=look).layers["hit"]
    for rect in re.findall(r'<rect [^>]*data-el="card-[^>]*>', hit):
        width, height = (float(each) for each in re.findall(r'(?:width|height)="([^"]*)"', rect))
        assert width >= 48
        assert height > 1.3 * width


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_in_a_drawing_depends_on_a_card_that_is_hidden(look: Look) -> None:
    for round in (1, 2):
        states = [FORCE.replace(":1:-", f":{round}:{card}") for card in (1, 3, 4)]
        for viewer in ("B", SPECTATOR):
            assert len({svg(drawing_of(state, viewer, look=look)) for state in states}) == 1
        assert len({svg(drawing_of(state, "R", look=look)) for state in states}) == 3


def panel(state: str, viewer: Viewer, *held: str) -> ElementTree.Element:
    return part(drawing_of(state, viewer, held=held), "pieces", "duel")


def test_the_panel_says_who_fights_whom_and_with_what() -> None:
    texts = texts_in(panel(FORCE, "R"))
    told = [
        "Force through, g4 › h4",  # noqa: RUF001
        "Your Fast man",
        "–1 attack",  # noqa: RUF001
        "Blue's Ordinary man",
        "0 defence",
    ]
    assert [text for text in texts if len(text) > 1][:5] == told
    assert panel(FORCE, SPECTATOR).get("aria-label") == (
        "Force through, g4 › h4: Red's Fast man against Blue's Ordinary man"  # noqa: RUF001
    )
    second = texts_in(panel(FORCE.replace(":1:-", ":2:-"), "R"))
    assert "Force through, g4 › h4 · second card" in second  # noqa: RUF001
    assert "A tie: choose a second card" in second


@pytest.mark.parametrize(
    ("card", "viewer", "held", "told"),
    [
        ("-", "R", (), "Choose a card"),
        ("-", "B", (), "Choose a card"),
        ("4", "R", (), "Your card is down. Waiting for Blue"),
        ("4", "B", (), "Red chose, and cannot see yours"),
        ("-", "B", ("card=5",), "Your card is down. Waiting for Red"),
        ("-", SPECTATOR, (), "Both captains choose a card"),
        ("4", SPECTATOR, (), "Red chose a card"),
    ],
)
def test_the_panel_says_what_is_waited_for(
    card: str, viewer: Viewer, held: tuple[str, ...], told: str
) -> None:
    assert told in texts_in(panel(FORCE.replace(":1:-", f":1:{card}"), viewer, *held))


def test_a_card_is_put_down_face_up_for_its_owner_and_face_down_for_others() -> None:
    committed = FORCE.replace(":1:-", ":1:4")

    def backs(viewer: Viewer) -> int:
        return sum(each.get("href") == "#eyes" for each in panel(committed, viewer).iter("use"))

    assert (backs("R"), backs("B"), backs(SPECTATOR)) == (0, 1, 1)
    lifted = part(drawing_of(committed, "R"), "pieces", "pc-card-4")
    assert any(each.get("stroke") == "var(--accent)" for each in lifted.iter("rect"))
    early = part(drawing_of(FORCE, "B", held=["card=5"]), "pieces", "pc-card-5")
    assert any(each.get("stroke") == "var(--accent)" for each in early.iter("rect"))


def test_the_panel_lies_above_all_men_and_hides_the_ball_below_it() -> None:
    drawing = drawing_of(FORCE, "R")
    men = [id for id in ids(drawing.layers["pieces"]) if id.startswith(("pc-sq", "duel"))]
    assert men[-1] == "duel"
    assert set(men[-3:-1]) == {"pc-sq-g4", "pc-sq-h4"}
    assert part(drawing, "ball", "pc-ball-g4").get("opacity") == "0"
    assert 'class="shield"' in drawing.layers["hit"]


NEAR_RED = "13/13/13/13/1Of10/1s11/13/13 B duel:T:b6>b5:1:- b6:0 b5 123456/123456 0-0 21 -"
NEAR_BLUE = "13/13/13/13/10Fo1/11S1/13/13 R duel:T:l6>l5:1:- l6:0 l5 123456/123456 0-0 21 -"


@pytest.mark.parametrize("near", SEATS)
@pytest.mark.parametrize("position", [NEAR_RED, NEAR_BLUE])
def test_upright_the_panel_is_in_the_half_where_the_duel_is_not(position: str, near: str) -> None:
    shown = drawing_of(position, "R", look=tall(near))
    (shield,) = re.findall(r'<rect class="shield"[^>]*>', shown.layers["hit"])
    top, height = (float(each) for each in re.findall(r' (?:y|height)="([^"]*)"', shield))
    for name in re.findall(r"[bl][56](?=[>:])", position.split()[2]):
        moved = str(part(shown, "pieces", f"pc-sq-{name}").get("transform"))
        y = float(moved.strip(")").split()[-1])
        assert not top - 24 < y < top + height + 24


# The field as text

EXAMPLE = """
       a   | b    c    d    e    f    g    h    i    j    k    l    | m
    3  .   | .    .    .    .    .    S    .    .    .    .    .    | .
    4  .   | .    .    .    .    .    F*   o!   .    s!!  .    .    | .      (ranks left out
    8  .   | .    .    .    .    .    .    .    c    .    ?    .    | .       are empty)
"""


def test_a_drawn_field_is_read() -> None:
    field = read_field("13/13/6S6/6Fo!1s!!3/13/13/13/8c4")
    assert read_text(EXAMPLE) == (field, square("g4"))


@given(st.integers(0, 2**32), st.integers(0, 150))
@settings(max_examples=60, deadline=None)
def test_a_field_drawn_as_text_reads_back(seed: int, length: int) -> None:
    rng = Random(seed)
    game = kahmate(Options(tries=2, turn_limit=40))
    state = game.rules.start()
    for _ in range(length):
        listed = [
            (who, each)
            for who in game.rules.to_act(state)
            for each in game.rules.turn_actions(state, who)
        ]
        if not listed:
            break
        who, action = rng.choice(listed)
        state = game.rules.resolve(state, who, action).state
    for viewer in (*SEATS, SPECTATOR):
        view = game.rules.view(state, viewer, ())
        assert read_text(draw_text(DEFAULT, view, SAY)) == (view.field, view.ball)


def test_the_text_shows_all_there_is() -> None:
    view = GAME.rules.view(GAME.notation.read_state(LATE), SPECTATOR, ())
    assert draw_text(DEFAULT, view, SAY).splitlines() == [
        "   a   | b    c    d    e    f    g    h    i    j    k    l    | m",
        "1  .   | .    .    .    .    .    .    .    .    .    .    .    | .",
        "2  .   | .    .    C    .    .    .    .    .    .    .    .    | .",
        "3  .   | .    .    .    .    S    .    .    .    .    f    .    | .",
        "4  .   | .    .    .    o!   .    F*   o    .    s    .    .    | .",
        "5  .   | .    .    .    O    t    .    .    .    .    .    .    | .",
        "6  .   | .    .    .    .    O!   .    .    .    .    .    .    | .",
        "7  .   | .    .    .    T!!  .    .    .    .    .    .    .    | .",
        "8  .   | .    .    .    .    .    .    .    c    .    .    .    | .",
        "",
        "R  tries 0  cards 1 3 4  Red",
        "B  tries 0  cards 1 5 6  Blue",
        "Moved, with points left: e7:0, g4:3",
        "Turn 23, to play: Red",
    ]


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (after(*RED[:3]), ["Men are being placed in secret", "Turn 1, to play: Red"]),
        (after(*RED, *BLUE), ["Turn 1, the ball is being drawn"]),
        (ICPT, ["Pass, h4 › f3: intercept it or let it through", "Turn 7, to play: Blue"]),  # noqa: RUF001
        (
            FORCE.replace(":1:-", ":2:4"),
            ["Force through, g4 › h4", "second card", "Turn 23, to play: Blue"],  # noqa: RUF001
        ),
        (EXIT, ["Through: the man on f4 comes out", "Turn 11, to play: Red"]),
        (DROP, ["The ball falls beside b5", "Turn 22, to play: Red"]),
        (OVER, ["Red won"]),
        (LATE.replace("play", "over:draw"), ["A draw"]),
        (LATE.replace("play", "over:void"), ["Match abandoned"]),
    ],
)
def test_the_text_says_what_is_decided(state: State | str, told: list[str]) -> None:
    state = GAME.notation.read_state(state) if isinstance(state, str) else state
    assert (
        draw_text(DEFAULT, GAME.rules.view(state, SPECTATOR, ()), SAY).splitlines()[-len(told) :]
        == told
    )


def test_the_text_hides_what_is_hidden() -> None:
    text = draw_text(DEFAULT, GAME.rules.view(after(*RED[:3]), "B", actions(BLUE[:1])), SAY)
    assert text.count("?") == 16
    assert "3  .   | ?    ?    .    .    .    .    .    .    .    s    .    | ." in text
    texts = {draw_text(DEFAULT, GAME.rules.view(after(*RED[:n]), "B", ()), SAY) for n in range(6)}
    assert len(texts) == 1


# Colours


def luminance(colour: str) -> float:
    full = "".join(c * 2 for c in colour[1:]) if len(colour) == 4 else colour[1:]
    parts = (int(full[i : i + 2], 16) / 255 for i in (0, 2, 4))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    dark, light = sorted(map(luminance, (one, two)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("ink", "ground", "least"),
    [
        ("outline", "plate", 4.5),
        ("ink-3", "card", 4.5),
        ("ink-2", "sunk", 4.5),
        ("accent-2", "accent-soft", 4.5),
        ("ok", "ok-soft", 4.5),
        ("bad", "bad-soft", 4.5),
        ("R-deep", "card", 4.5),
        ("B-deep", "card", 4.5),
        ("mark", "mark-halo", 4.5),
        ("line-2", "card", 3),
        ("hole", "grass-1", 2),
    ],
)
def test_what_must_be_told_apart_can_be(ink: str, ground: str, least: float, theme: str) -> None:
    colours = THEMES[theme]
    assert contrast(colours[ink], colours[ground]) >= least


@pytest.mark.parametrize(
    ("hold", "colour", "said"),
    [
        ("R:3:g", "ink-2", "no ground gained, 3 of 8"),
        ("B:6:g", "spark", "no ground gained, 6 of 8"),
    ],
)
@pytest.mark.parametrize("look", [Look(SAY), tall("B")])
def test_a_ring_fills_while_no_ground_is_gained(
    look: Look, hold: str, colour: str, said: str
) -> None:
    """In the in-goal of the side that has the ball; orange for the last two turns."""
    game = kahmate(Options(hold_limit=8))
    men = "13/13/13/6O6" if hold[0] == "R" else "13/13/13/6o6"
    state = game.notation.read_state(
        f"{men}/13/13/13/13 {hold[0]} play - g4 123456/123456 0-0 22 {hold}"
    )
    homes = game.ui.draw(game.rules.view(state, "B", ()), look).layers["homes"]
    (meter,) = (
        each
        for each in ElementTree.fromstring(f"<g>{homes}</g>").iter("g")
        if each.get("class") == "meter"
    )
    assert meter.get("aria-label") == said
    (filled,) = (each for each in meter if each.get("stroke-dasharray") == f"{hold[2]} 8")
    assert filled.get("stroke") == f"var(--{colour})"


def test_nothing_is_measured_before_a_turn_without_ground() -> None:
    assert 'class="meter"' not in drawing_of(LATE).layers["homes"]


@pytest.mark.parametrize("is_tall", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_words_are_cut_short(language: str, is_tall: bool) -> None:
    names = {side: name_in(language, f"kahmate.seat-{side}") for side in SEATS}
    look = Look(say_in(language, names), is_tall=is_tall)
    for state, viewer, held in SCENES:
        assert "…" not in svg(drawing_of(state, viewer, held=held, look=look))
