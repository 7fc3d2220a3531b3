"""The drawing is sound, shows all there is, reads back as text, and everything in it is said."""

from __future__ import annotations

import re
from html import unescape
from itertools import combinations
from math import hypot
from random import Random
from time import perf_counter
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.colours import THEMES
from kibitz.core.drawing import LAYERS, Drawing, Look, svg, with_theme_colours
from kibitz.core.game import Motion
from kibitz.core.marks import with_last_move, with_marks
from kibitz.games.as_kimble import rules
from kibitz.games.as_kimble.board import GOALS, PIECES, RING, TEAMS
from kibitz.games.as_kimble.notation import read_state
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.state import GameOver, State
from kibitz.games.as_kimble.ui import team_panels, track
from kibitz.games.as_kimble.ui.drawing import draw, draw_text, glyph, read_text
from kibitz.games.as_kimble.ui.lettering import fit_text, text_width
from kibitz.games.as_kimble.ui.team_panels import Sign
from kibitz.i18n import LANGUAGES, name_in, say_in

PLAYED = Options(mode="companion")
SAY = say_in("en", {"R": "Aino", "B": "Blue", "Y": "Sanni", "G": "Green"})
PLACES = [
    *(f"t-{grid}" for grid in range(RING)),
    *(f"g-{team}{goal}" for team in TEAMS for goal in GOALS),
    *(f"h-{team}" for team in TEAMS),
    "dome",
]
BOOK = "0+0/0+0/0+0/0+0 1:- ---- -"
START = f"h4/h4/h4/h4 R:N3 d- {BOOK}"
MID = "h1,t0x2,t15/h1,t10,t6,g1/t20,t2,g1w1/h1,t21,t25,g4 R:M6 d6 2+5/1+3/4+2/0+6 1:Y ---- -"
HIGH = "t0x4/h1,t7x3/h2,t18x2/h1,t24x3 G:P2 d4 12+15/120+3/4+2/1234+6 3:RB -+!- -"
RAISE = "t0x2,t12,g3/h4/t20,t8,g2,g4/h2,g1,g3 R:CYG d6 0+1/2+0/0+0/1+0 1:R -!-- -"
VOTE = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1 Y:VBG d6 0+7/2+3/0+6/1+6 1:RBYG ---- -"
BREAK = MID[:-1] + "b"
WON = "g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1 R:E d2 0+7/0+13/0+0/1+0 1:B ---- -"
STOPPED = f"h4/h4/h4/h4 -:E d3 {BOOK}"
LOTS = f"h4/h4/h4/h4 S:2/3/26/5 d6 {BOOK}"
COLOURS = f"h4/h4/h4/h4 K:dc d6 {BOOK}"
RESET = f"h3,t5/h4/h4/h4 B:N3 d2>5 {BOOK}"
SCENES = [START, MID, HIGH, RAISE, VOTE, BREAK, WON, STOPPED, LOTS, COLOURS, RESET]
LOOKS = [Look(SAY), Look(SAY, is_tall=True, has_labels=False, prefix="m1-", near="B")]


def at(position: str) -> State:
    return read_state(PLAYED, position)


def drawing_of(position: str, look: Look = LOOKS[0], raising: bool = True) -> Drawing:
    return draw(Options(mode="companion", raising=raising), at(position), look)


def ids(markup: str) -> list[str]:
    return re.findall(r'\bid="([^"]*)"', markup)


def labels(drawing: Drawing, layer: str) -> list[str]:
    return list(map(unescape, re.findall(r'aria-label="([^"]*)"', drawing.layers[layer])))


def part(drawing: Drawing, id: str) -> ElementTree.Element:
    root = ElementTree.fromstring(f"<g>{''.join(drawing.layers.values())}</g>")
    return next(each for each in root.iter() if each.get("id") == id)


def texts_in(drawing: Drawing, id: str = "", layer: str = "dome") -> list[str]:
    """The texts of an element, or of a whole layer."""
    root = part(drawing, id) if id else ElementTree.fromstring(drawing.layers[layer])
    return ["".join(each.itertext()) for each in root.iter("text")]


def name(drawing: Drawing, place: str) -> str:
    """What a screen reader says of a place."""
    hit = part(drawing, f"hit-{place}")
    by = hit.get("aria-labelledby")
    if by in ids("".join(drawing.layers.values())):
        return part(drawing, by).get("aria-label", "")
    return hit.get("aria-label", "")


# The drawing


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("position", SCENES)
def test_the_drawing_is_sound(position: str, look: Look) -> None:
    drawing = drawing_of(position, look)
    markup = svg(drawing)
    ElementTree.fromstring(markup)
    assert not re.search(r"style=|<style|<script|\bon\w+=|nan|None", markup)
    names = ids(markup)
    assert len(set(names)) == len(names)
    assert all(name.startswith(look.prefix) for name in names)
    assert set(re.findall(r'(?:href="|url\()#([^")]*)', markup)) <= set(names)
    assert drawing.role == "group"
    for theme in THEMES:
        assert "var(" not in with_theme_colours(markup, theme)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("position", SCENES)
def test_what_stays_is_the_same_in_every_scene(position: str, look: Look) -> None:
    first, later = drawing_of(START, look), drawing_of(position, look)
    changing = set(LAYERS) - first.static_layers
    assert changing == {"homes", "dome", "pieces", "labels"}
    assert first.view_box == later.view_box
    for layer in first.static_layers:
        assert first.layers.get(layer) == later.layers.get(layer)
    assert sum(len(later.layers[layer]) for layer in changing) < 14_000


@pytest.mark.parametrize("look", LOOKS)
def test_everything_that_can_be_touched_is_there_once(look: Look) -> None:
    drawing = drawing_of(MID, look)
    touchable = re.findall(r'data-el="([^"]*)"', drawing.layers["hit"])
    assert sorted(touchable) == sorted(PLACES)
    assert ids(drawing.layers["hit"]) == [f"{look.prefix}hit-{place}" for place in touchable]


@pytest.mark.parametrize("tall", [False, True])
def test_everything_is_within_the_picture(tall: bool) -> None:
    layout = track.layout_for(tall)
    x, y, width, height = map(float, layout.view_box.split())
    for box in (*layout.homes.values(), *layout.plates.values()):
        assert x + 2 < box.x < box.x + box.width < x + width - 2
        assert y + 2 < box.y < box.y + box.height < y + height - 2


def test_a_phone_has_room_for_the_tall_board() -> None:
    """At 360 pixels across what is left is 516 high, beside the bars of the page."""
    _, _, width, height = map(float, track.layout_for(True).view_box.split())
    assert height / width * 360 < 516


def test_the_grids_are_equal_steps_from_the_top_left_corner() -> None:
    steps = [
        hypot(to[0] - x, to[1] - y)
        for (x, y), to in zip(track.GRIDS, (*track.GRIDS[1:], track.GRIDS[0]), strict=True)
    ]
    assert max(steps) - min(steps) < 0.8
    (x, y), (last_x, last_y) = track.GRIDS[0], track.GRIDS[-1]
    assert (last_x, last_y) == (y, x)
    assert track.GRIDS[6] == (-x, y)
    assert track.GRIDS[3] == (0, -track.RING_HALF)
    assert x > last_x
    assert y < last_y


@pytest.mark.parametrize("tall", [False, True])
def test_no_two_pieces_hide_each_other(tall: bool) -> None:
    spots = track.layout_for(tall).spots
    assert min(hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(spots.values(), 2)) > 19


def test_every_team_has_its_corner_and_the_board_never_turns() -> None:
    for tall in (False, True):
        for near in ("", *TEAMS):
            drawing = drawing_of(MID, Look(SAY, tall, near=near))
            assert drawing.layers == drawing_of(MID, Look(SAY, tall)).layers
    homes = track.layout_for(False).homes
    assert homes["R"].x < 0 < homes["B"].x
    assert homes["G"].x < 0 < homes["Y"].x
    assert homes["R"].y == homes["B"].y < 0 < homes["Y"].y == homes["G"].y


def test_grids_are_numbered_where_labels_are_wanted() -> None:
    assert ">13</text>" in drawing_of(START).layers["ground"]
    unlabelled = drawing_of(START, Look(SAY, has_labels=False)).layers["ground"]
    assert ">13</text>" not in unlabelled
    assert unlabelled.count(">4</text>") == len(TEAMS)


# Pieces


def test_pieces_are_named_by_their_place_and_moved_by_one_transform() -> None:
    pieces = [each for each in ids(drawing_of(MID).layers["pieces"]) if each != "die"]
    assert sorted(pieces) == sorted(
        [
            *("pc-h-R0", "pc-t-0", "in-a-R0", "pc-t-15"),
            *("pc-h-B0", "pc-t-10", "pc-t-6", "pc-g-B1"),
            *("pc-t-20", "pc-t-2", "pc-g-Y1", "pc-g-Y1w1"),
            *("pc-h-G0", "pc-t-21", "pc-t-25", "pc-g-G4"),
            "pc-dome",
        ]
    )
    layout = track.layout_for(False)
    for id in (each for each in pieces if each != "pc-dome"):
        x, y = layout.spots[id.removeprefix("pc-").removeprefix("in-")]
        y -= 0 if id.startswith("in-a-") else 1
        assert part(drawing_of(MID), id).get("transform") == f"translate({x:g} {y:g})"


def test_pieces_tell_what_they_are() -> None:
    drawing = drawing_of(MID)
    classes = {
        id: part(drawing, id).get("class") for id in ("pc-t-0", "pc-t-21", "pc-t-6", "pc-g-Y1w1")
    }
    assert classes == {
        "pc-t-0": "pc peg team-R x2 mine",
        "pc-t-21": "pc peg team-G mine",
        "pc-t-6": "pc peg team-B",
        "pc-g-Y1w1": "pc peg team-Y wait",
    }


def test_a_multiplied_piece_is_a_stack_with_its_number() -> None:
    drawing = drawing_of(HIGH)
    for id, size in (("pc-t-0", 4), ("pc-t-7", 3), ("pc-t-18", 2)):
        piece = part(drawing, id)
        assert len([*piece.iter("use")]) == size
        assert "".join(piece.itertext()) == f"\N{MULTIPLICATION SIGN}{size}"
    assert len([*part(drawing, "pc-h-G0").iter("use")]) == 1


def test_pieces_are_moved_to_the_empty_board_quadrant_on_the_left_of_the_goal_area() -> None:
    """K59. Seen by the team, who looks from its corner to the dome; drawn and nothing else."""
    for tall in (False, True):
        drawing, spots = drawing_of(HIGH, Look(SAY, tall)), track.layout_for(tall).spots
        laid = [id for id in ids(drawing.layers["pieces"]) if id.startswith("in-a-")]
        asides = ("R0", "R1", "R2", "B0", "B1", "Y0", "G0", "G1")
        assert laid == [f"in-a-{each}" for each in asides]
        assert not any(piece.place.startswith("a-") for piece in drawing.pieces)
        for id in laid:
            assert part(drawing, id).get("href") == f"#laid-{id[5]}"
            (x, y), (across, down) = spots[id[3:]], track.CORNERS[id[5]]
            assert across * y - down * x > 0, "left of the line from the corner to the dome"
    assert "in-a-" not in drawing_of(START).layers["pieces"]


def test_what_is_laid_beside_a_goal_is_in_nobodys_way() -> None:
    """K59. Neither a grid, a goal, a waiting piece nor what is written around the dome."""
    spots = track.layout_for(False).spots
    laid = {name: at for name, at in spots.items() if name.startswith("a-")}
    radii = {"a": 9.4, "t": 19.5, "g": 15.3}
    assert len(laid) == len(TEAMS) * 3
    for name, (x, y) in laid.items():
        for other, (at, down) in spots.items():
            if other != name and other[0] in radii:
                apart = hypot(at - x, down - y)
                assert apart >= radii["a"] + (9.5 if "w" in other else radii[other[0]]), other
        assert max(abs(x), abs(y)) - radii["a"] > 92


def test_a_ring_around_a_piece_leaves_its_number_free() -> None:
    """Its halo begins 17.6 from the middle of the place; a digit is 9 high, and two are 15 wide."""
    free = track.GRID_HIT_SIZE * 0.48 - 3.5
    for look in LOOKS:
        drawing = drawing_of(HIGH, look)
        for place in ("t-0", "t-7", "t-18"):
            (badge,) = (
                group
                for group in part(drawing, f"{look.prefix}pc-{place}").iter("g")
                if group.find("text") is not None
            )
            x, y = map(float, re.findall(r"[-\d.]+", badge.get("transform", "")))
            assert max(hypot(x + dx, y - 1 + dy) for dx in (-7.5, 7.5) for dy in (-4.5, 4.5)) < free


def test_only_a_mine_has_a_burst() -> None:
    drawing = drawing_of("h3,t0/h3,t0x1/h4/h4 R:N1 d-".replace("t0x1", "t1") + f" {BOOK}")
    assert [*part(drawing, "pc-t-0").iter("circle")]
    assert not [*part(drawing, "pc-t-1").iter("circle")]


def test_the_latest_at_home_is_found_first() -> None:
    pieces = ids(drawing_of(START).layers["pieces"])
    for team in TEAMS:
        at_home = [each for each in pieces if each.startswith(f"pc-h-{team}")]
        assert at_home == [f"pc-h-{team}{i}" for i in (3, 2, 1, 0)]


def test_what_is_lower_is_drawn_later() -> None:
    pieces = re.findall(r'class="pc peg[^>]*translate\([-\d.]+ ([-\d.]+)\)', svg(drawing_of(HIGH)))
    heights = list(map(float, pieces))
    assert heights == sorted(heights)


# The dome, the turn and the raises


@pytest.mark.parametrize(
    ("position", "text", "filled"),
    [
        (START, "3 pops left", 3),
        (HIGH, "2 pops left", 2),
        (MID, "popped 6", 0),
        (MID.replace("M6", "M6x"), "popped 6, no round", 0),
        (RAISE, "raised a piece", 0),
        (VOTE, "proposes a round", 0),
        (RESET, "pop back to 5", 0),
        (WON, "wins, no raise", 0),
        (WON.replace("1:B", "2:-"), "true victory", 0),
        (STOPPED, "ended", 0),
        (LOTS, "starting pops", 0),
        (COLOURS, "choice of colour", 0),
    ],
)
def test_the_dome_tells_the_turn(position: str, text: str, filled: int) -> None:
    drawing = drawing_of(position)
    assert texts_in(drawing)[-1] == text
    assert drawing.layers["dome"].count('r="5.4" fill="var(--plate)"') == filled


def test_the_rim_of_the_dome_has_the_colour_of_the_team_in_turn() -> None:
    for position, team in ((START, "R"), (HIGH, "G"), (VOTE, "Y")):
        assert f'stroke="var(--{team})" stroke-width="7"' in drawing_of(position).layers["dome"]


def test_the_die_shows_its_face_and_nothing_where_nobody_knows_it() -> None:
    for position, pips in ((START, 0), (STOPPED, 3), (MID, 6), (RESET, 2 + 5)):
        assert len([*part(drawing_of(position), "die").iter("circle")]) == pips


def test_the_raises_show_round_and_teams() -> None:
    def done_chips(position: str) -> str:
        dome = drawing_of(position).layers["dome"]
        return "".join(re.findall(r'-65\) [^>]*fill="var\(--(\w)\)', dome))

    assert (texts_in(drawing_of(HIGH))[0], done_chips(HIGH)) == ("Raise round 3", "RB")
    assert (texts_in(drawing_of(VOTE))[0], done_chips(VOTE)) == ("Round 2?", "BYG")
    assert texts_in(drawing_of(RAISE.replace("1:R", "1:R!")))[0] == "Round 1, the last"
    assert texts_in(drawing_of(MID, raising=False)) == ["popped 6"]
    assert texts_in(drawing_of(WON)) == ["wins, no raise"]


def test_a_break_is_laid_over_the_board() -> None:
    """K105: with what ignoring it costs, around a real board."""
    assert labels(drawing_of(BREAK), "labels") == ["Break"]
    means = "No pops, moves or penalties."
    assert texts_in(drawing_of(BREAK), layer="labels") == [
        "Break",
        means,
        "Ignoring it costs 1 penalty.",
    ]
    free = draw(Options(mode="companion", break_penalty=0), at(BREAK), LOOKS[0])
    assert texts_in(free, layer="labels")[-1] == "Ignoring it costs what the referee decides."
    assert texts_in(draw(Options(), at(BREAK), LOOKS[0]), layer="labels") == ["Break", means]
    assert drawing_of(MID).layers["labels"] == ""


# Plates


@pytest.mark.parametrize(
    ("position", "texts"),
    [
        (START, ["turn", "Red", "Aino", "0", "owed", "0 done"]),
        (HIGH, ["Red", "Aino", "12", "owed", "15 done", "raised"]),
        (WON, ["Red", "Aino", "0", "owed", "7 done", "wins"]),
        (LOTS, ["Chair a", "Aino", "to pop"]),
        (COLOURS, ["Chair a", "Aino"]),
    ],
)
def test_a_plate_has_the_book_and_what_is_up(position: str, texts: list[str]) -> None:
    assert sorted(texts_in(drawing_of(position), "plate-R")) == sorted(texts)


def test_a_small_plate_has_the_book_too() -> None:
    drawing = drawing_of(HIGH, Look(SAY, is_tall=True))
    assert texts_in(drawing, "plate-B") == ["120", "Blue owes", "3 done"]
    assert len([*part(drawing, "plate-B").iter("circle")]) == 2


def test_a_name_that_is_the_team_s_is_written_once() -> None:
    assert texts_in(drawing_of(MID), "plate-G").count("Green") == 1


def test_only_the_team_in_turn_has_a_ring_and_the_winner_one_of_gold() -> None:
    for look in LOOKS:
        for position, rings in (
            (MID, {"R": "accent"}),
            (VOTE, {"Y": "accent"}),
            (WON, {"R": "Y"}),
            (LOTS, {"R": "accent"}),
            (COLOURS, {"G": "accent"}),
        ):
            drawing = drawing_of(position, look)
            found = {}
            for team in TEAMS:
                for each in part(drawing, f"{look.prefix}plate-{team}").findall("rect"):
                    if each.get("fill") == "none":
                        found[team] = re.sub(r"var\(--|\)", "", each.get("stroke", ""))
            assert found == rings


@pytest.mark.parametrize(
    ("position", "signs"),
    [
        (START, {}),
        (HIGH, {"R": "raised", "B": "called raised", "Y": "owes"}),
        (RAISE, {"R": "raised", "B": "owes", "Y": "gives", "G": "gives"}),
        (
            VOTE,
            {"R": "votes raised", "B": "agrees raised", "Y": "asks raised", "G": "agrees raised"},
        ),
        (WON, {"R": "wins", "B": "moral raised"}),
    ],
)
def test_each_team_shows_what_is_up_with_it(position: str, signs: dict[str, str]) -> None:
    state = at(position)
    found = {
        team: " ".join(each.name for each in team_panels.signs_of(state, team)) for team in TEAMS
    }
    assert {team: names for team, names in found.items() if names} == signs


def test_owed_and_done_are_tokens_while_they_have_room() -> None:
    def tokens(position: str, team: str) -> int:
        return len([*part(drawing_of(position), f"plate-{team}").iter("use")])

    assert tokens(MID, "R") == 2 + 5
    assert tokens(START, "R") == 0
    assert tokens(HIGH, "G") == team_panels.MAX_TOKENS


def test_words_are_kept_within_their_room() -> None:
    assert fit_text("Red", 16, 100) == ("Red", 16)
    long, size = fit_text("Rouge vermillon et encore plus long", 16, 100)
    assert long.endswith("…")
    assert size >= 13
    assert text_width(long, size) <= 100
    assert fit_text("Keltainen", 16, text_width("Keltainen", 15))[0] == "Keltainen"


# What is said


@pytest.mark.parametrize(
    ("position", "place", "said"),
    [
        (MID, "t-6", "Grid 6, Blue drop, single"),
        (MID, "t-0", "Grid 0, start of Red, Red heart, double, a mine"),
        (MID, "t-1", "Grid 1"),
        (MID, "t-14", "Grid 14, start of Yellow"),
        (MID, "g-Y1", "Yellow goal 1, Yellow star, one more waits beside it"),
        (MID, "g-Y2", "Yellow goal 2"),
        (MID, "h-B", "Blue: one at home, owes 1, has done 3"),
        (MID, "h-R", "Red: one at home, owes 2, has done 5, to play"),
        (
            RAISE,
            "h-Y",
            "Yellow: none at home, owes 0, has done 0, must send a goal piece home",
        ),
        (RAISE, "h-B", "Blue: four at home, owes 2, has done 0, owes the sentence"),
        (START, "dome", "dome, 3 pops left"),
        (HIGH, "dome", "dome, shows 4, 2 pops left"),
        (MID, "dome", "dome, popped 6"),
        (WON, "dome", "dome, Red won"),
        (RESET, "dome", "dome, shows 2, pop back to 5"),
        (LOTS, "h-R", "Chair a, popped 2, to pop"),
        (COLOURS, "h-G", "Chair d, chooses a colour"),
    ],
)
def test_places_say_what_is_there(position: str, place: str, said: str) -> None:
    assert name(drawing_of(position), place) == said


def test_words_in_the_drawing_are_escaped() -> None:
    for position in SCENES:
        for tall in (False, True):
            look = Look(lambda message: f'<"{message.id}&>', tall)
            ElementTree.fromstring(svg(drawing_of(position, look)))


# What the page and pictures draw over it


def test_marks_go_around_pieces_homes_and_the_dome() -> None:
    drawing = drawing_of(MID)
    last = with_last_move(drawing, [Motion("t-22", "t-25"), Motion("t-3", "h-B")]).layers["last"]
    assert (last.count("<circle"), last.count("<rect")) == (3, 1)
    ringed = with_marks(drawing, (), ("t-0",)).layers["targets"]
    assert ringed.count("<circle") == 2
    assert with_marks(drawing, (), ("dome",)).layers["targets"].count("<circle") == 2
    assert with_marks(drawing, (), ("h-R",)).layers["targets"].count("<rect") == 2


def contrast(theme: str, one: str, other: str) -> float:
    def brightness(colour: str) -> float:
        value = THEMES[theme][colour].lstrip("#")
        value = "".join(2 * each for each in value) if len(value) == 3 else value
        parts = [int(value[i : i + 2], 16) / 255 for i in (0, 2, 4)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((brightness(one), brightness(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_everything_stands_out(theme: str) -> None:
    signs = [each for each in vars(team_panels).values() if isinstance(each, Sign)]
    assert len(signs) == 13
    texts = [(each.ink, each.fill) for each in signs]
    texts += [("felt-ink", "felt"), ("felt-ink", "hole"), ("felt-ink-2", "hole")]
    texts += [("plate", "felt"), ("spark", "felt"), ("ink", "card"), ("ink-2", "card")]
    texts += [(f"{team}-deep", "card") for team in TEAMS]
    assert [pair for pair in texts if contrast(theme, *pair) < 4.5] == []
    shapes = [("plate", "hole"), ("plate", "felt-2"), ("accent", "card"), ("line-2", "card")]
    shapes += [(f"{team}-deep", f"{team}-soft") for team in TEAMS]
    assert [pair for pair in shapes if contrast(theme, *pair) < 3] == []


def test_drawing_is_quick() -> None:
    state, look = at(HIGH), LOOKS[0]
    draw(PLAYED, state, look)
    times = []
    for _ in range(20):
        begun = perf_counter()
        draw(PLAYED, state, look)
        times.append(perf_counter() - begun)
    assert min(times) < 0.005


def test_each_team_has_a_glyph_of_its_own_shape() -> None:
    shapes = [re.findall(r' d="([^"]*)"', glyph(team)) for team in TEAMS]
    assert len({*map(str, shapes)}) == len(TEAMS)
    for team in TEAMS:
        ElementTree.fromstring(glyph(team))


# The board as text

EXAMPLE = """
    R...                             B...
    R2*  .    Y    .    .    .    B    b
    .    .  .  .  .        .  .  .  B  .
    .                                  .
    G                                  B      h1,t0x2,t15/h1,t10,t6,g1/t20,t2,g1w1/h1,t21,t25,g4
    .                 [6]              .
    .                                  .
    .    .  .  .  G        .  .  .  Y2 .
    G*   Y    .    .    .    .    R    y
    G...                             ....
"""


def test_a_drawn_board_is_read() -> None:
    assert read_text(EXAMPLE.replace(MID.split()[0], "")) == at(MID).sides


def test_the_text_shows_all_there_is() -> None:
    board = EXAMPLE.replace(MID.split()[0], "").rstrip().splitlines()[1:]
    assert draw_text(at(MID), SAY).splitlines() == [
        *(line[4:].rstrip() for line in board),
        "",
        "R  owes 2  done 5  Aino",
        "B  owes 1  done 3  Blue",
        "Y  owes 4  done 2  Sanni  has raised this round",
        "G  owes 0  done 6  Green",
        "Raise round 1",
        "Aino popped 6",
    ]


@pytest.mark.parametrize(
    ("position", "last"),
    [
        (START, ["Raise round 1", "Aino to pop, 3 left"]),
        (RAISE, ["Raise round 1", "Aino raised a piece"]),
        (VOTE, ["Raise round 1", "Sanni proposed raise round 2"]),
        (BREAK, ["Aino popped 6", "Break"]),
        (RESET, ["Blue to pop, 3 left", "pop back to 5"]),
        (WON, ["Aino won"]),
        (STOPPED, ["ended"]),
        (LOTS, ["c  2 6  Sanni", "d  5  Green"]),
        (COLOURS, ["c  -  Sanni  starts", "d  -  Green  chooses a colour"]),
    ],
)
def test_the_text_ends_with_the_turn(position: str, last: list[str]) -> None:
    assert draw_text(at(position), SAY).splitlines()[-len(last) :] == last


@st.composite
def states(draw: st.DrawFn) -> State:
    """Positions of random play, many of them late."""
    rng = Random(draw(st.integers(0, 2**32)))
    options = Options()
    state = rules.start()
    for _ in range(rng.randrange(600)):
        actors = sorted(rules.to_act(options, state))
        listed = [(who, a) for who in actors for a in rules.turn_actions(options, state, who)]
        if not listed:
            break
        state = rules.resolve(options, state, *rng.choice(listed)).state
    return state


@given(states())
@settings(max_examples=25, deadline=None)
def test_any_board_drawn_as_text_reads_back_and_every_piece_is_drawn(state: State) -> None:
    assert read_text(draw_text(state, SAY)) == state.sides
    drawing = draw(Options(), state, LOOKS[1])
    pieces = [each for each in ids(drawing.layers["pieces"]) if "pc-" in each or "in-a-" in each]
    assert len(pieces) == len(TEAMS) * PIECES + 1
    ElementTree.fromstring(svg(drawing))


def test_motions_name_places_that_are_drawn() -> None:
    options, spots = Options(), {*track.layout_for(False).spots, "dome"}
    rng, state = Random(5), rules.start()
    for _ in range(400):
        actors = sorted(rules.to_act(options, state))
        if isinstance(state.phase, GameOver):
            break
        listed = [(who, a) for who in actors for a in rules.turn_actions(options, state, who)]
        step = rules.resolve(options, state, *rng.choice(listed))
        for motion in (motion for event in step.events for motion in event.motions):
            assert {motion.origin, motion.target, *motion.through} <= spots
            before = draw(options, state, LOOKS[0]).layers["pieces"]
            assert f'"pc-{motion.origin}"' in before
        state = step.state


@pytest.mark.parametrize("is_tall", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_words_are_cut_short(language: str, is_tall: bool) -> None:
    names = {team: name_in(language, f"as-kimble.seat-{team}") for team in TEAMS}
    look = Look(say_in(language, names), is_tall=is_tall)
    for position in (*SCENES, WON.replace("1:B", "1:R")):
        assert "…" not in svg(drawing_of(position, look))
