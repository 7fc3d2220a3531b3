"""The pictures of the rules pages show what the rules say, and every page has them where it says
so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kibitz.core.drawing import Box
from kibitz.core.message import Refused, Say
from kibitz.core.rule_pictures import (
    RulePicture,
    SlimSvg,
    draw_picture,
    panel_positions,
    read_pictures,
    themed_svg,
)
from kibitz.games import GAMES
from kibitz.i18n import FALLBACK, LANGUAGES, name_in, say_in

RULES = Path(__file__).parents[2] / "docs" / "rules"
IMAGE = re.compile(r"^!\[([^\]]*)\]\(pictures/([\w-]+)\.svg\)\n\*((?:.|\n)*?)\*$", re.M)
SQUARE = re.compile(r"\b[a-m]\d\b")


@cache
def pictures(game: str) -> dict[str, RulePicture]:
    listed = GAMES[game].pictures
    assert listed
    return dict(read_pictures(listed.read_text("utf-8")))


def page_text(game: str, language: str) -> str:
    folder = RULES if language == FALLBACK else RULES / language
    return (folder / f"{game}.md").read_text("utf-8")


def words_for(game: str, language: str) -> Say:
    seats = GAMES[game].game({}).seats
    return say_in(language, {seat: name_in(language, f"{game}.seat-{seat}") for seat in seats})


def paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """The text of each paragraph after its number; what comes before the first has none."""
    parts = re.split(r"^#+ (\d+(?:\.\d+)*) ", text, flags=re.M)
    return zip(["", *parts[1::2]], parts[::2], strict=True)


EVERY_PICTURE = [(game, id) for game in GAMES for id in pictures(game)]
each_picture = pytest.mark.parametrize(("game", "id"), EVERY_PICTURE)
each_game = pytest.mark.parametrize("game", GAMES)
each_language = pytest.mark.parametrize("language", LANGUAGES)


@each_game
def test_a_rules_page_has_many_pictures_but_not_too_many(game: str) -> None:
    assert 10 <= len(pictures(game)) <= 14


@each_game
@each_language
def test_a_page_has_each_picture_in_the_paragraph_that_it_shows(game: str, language: str) -> None:
    there = {
        name: number
        for number, text in paragraphs(page_text(game, language))
        for _, name, _ in IMAGE.findall(text)
    }
    assert there == {f"{game}-{id}": each.paragraph for id, each in pictures(game).items()}
    assert page_text(game, language).count("](pictures/") == len(there)


@each_game
def test_kahmate_and_kalamala_begin_with_what_they_are(game: str) -> None:
    """A paragraph, then the picture; the table of words comes later."""
    for language in LANGUAGES:
        text = page_text(game, language)
        blocks = text.split("\n\n")
        assert blocks[2].startswith("![")
        assert "-opening.svg)" in blocks[2]
        assert "\n| " not in text[: text.index("### 0.2 ")]


@each_picture
def test_its_words_are_in_every_language(game: str, id: str) -> None:
    said = {}
    for language in LANGUAGES:
        found = {
            name: (alt, under) for alt, name, under in IMAGE.findall(page_text(game, language))
        }
        said[language] = found[f"{game}-{id}"]
        assert len(said[language][0]) > 60
    for part in (0, 1):
        assert len({each[part] for each in said.values()}) == len(LANGUAGES)
        squares = {frozenset(SQUARE.findall(each[part])) for each in said.values()}
        assert len(squares) == 1, squares


@each_picture
def test_the_rules_say_what_it_shows(game: str, id: str) -> None:
    numbers = {number for number, _ in paragraphs(page_text(game, FALLBACK))}
    for panel, (played, state, _) in panel_positions(GAMES[game].game, pictures(game)[id]):
        rules, read = played.rules, played.notation.read_action
        if panel.start != "start" and panel.start:
            first = played.notation.read_state(panel.start)
            assert played.notation.write_state(first) == panel.start
        for text in (*panel.shows, *panel.allows):
            action = read(text)
            assert rules.why_not(state, rules.actor_of(state, action), action) is None, text
        for refused in panel.refuses:
            action = read(refused.action)
            why = rules.why_not(state, rules.actor_of(state, action), action)
            assert why, refused
            assert why.paragraph == refused.paragraph
            assert refused.paragraph in numbers
        over = rules.outcome(state)
        assert (over.result if over else None) == panel.result


@each_picture
def test_it_is_drawn_in_every_language_and_both_themes(game: str, id: str) -> None:
    """Nothing that is written in it is in one language only."""
    written = {}
    for language in LANGUAGES:
        say = words_for(game, language)
        drawn = draw_picture(GAMES[game].game, pictures(game)[id], say, f"<{id}>")
        assert ElementTree.fromstring(drawn).attrib["aria-label"] == f"<{id}>"
        texts = " ".join(ElementTree.fromstring(drawn).itertext())
        written[language] = {*re.findall(r"[^\W\d_]{3,}", texts)}
        style, _, rest = themed_svg(drawn).partition("</style>")
        light, dark = style.split("@media")
        used = {*re.findall(r"var\(--([\w-]+)\)", rest)}
        assert {*re.findall(r"--([\w-]+):", light)} == used | {"paper"}
        assert "--paper" in dark
    assert not written["en"] & written["fi"]
    assert len({len(each) > 0 for each in written.values()}) == 1


def test_pictures_of_a_page_share_what_they_define() -> None:
    slim, say = SlimSvg(), words_for("kahmate", FALLBACK)
    page = "".join(
        draw_picture(GAMES["kahmate"].game, each, say, "", slim)
        for each in pictures("kahmate").values()
    )
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert {*re.findall(r'(?:href="#|url\(#)([^")]+)', page)} == set(ids)


def test_what_cannot_be_seen_is_not_sent() -> None:
    far, near = '<use href="#a" x="500" y="0"/>', '<use href="#a" x="5" y="0"/>'
    defined = '<defs><g id="a"><path/></g><g id="b"><path/></g></defs>'
    label = '<g class="pc" id="pc-1" aria-label="x" transform="translate(900 3)"><path/></g>'
    made = SlimSvg().slim_markup(f"{defined}<g>{far}{near}</g>{label}", Box(0, 0, 100, 100))
    assert made.replace(" />", "/>") == (
        '<defs><g id="a"><path/></g></defs><g><use href="#a" x="5" y="0"/></g>'
    )


def test_one_id_for_two_things_is_noticed() -> None:
    slim, used = SlimSvg(), '<use href="#a"/>'
    slim.slim_markup(f'<defs><path id="a" d="M0 0"/></defs>{used}', Box(0, 0, 9, 9))
    with pytest.raises(ValueError, match="two ways"):
        slim.slim_markup(f'<defs><path id="a" d="M1 1"/></defs>{used}', Box(0, 0, 9, 9))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[pictures]]\nid = 'a'\nparagraph = '1'\npanels = []", "'a': the first panel needs"),
        ("[[pictures]]\nid = 'a'\nparagraph = '1'\npanels = [{}]", "'a': the first panel needs"),
        ("[[pictures]]\nid = 'a'\nparagraph = '1'\npanels = [{x = 1}]", "unknown field `x`"),
        ("[[pictures]]\nparagraph = '1'\npanels = []", "missing required field `id`"),
        (2 * "[[pictures]]\nid = 'a'\nparagraph = '1'\npanels = []\n", "the same id"),
    ],
)
def test_a_faulty_list_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        read_pictures(text)


def test_a_position_that_cannot_be_is_refused() -> None:
    bad = "[[pictures]]\nid = 'a'\nparagraph = '1'\n[[pictures.panels]]\nstart = 'A8 A 4,4 0,0 1 -'"
    with pytest.raises(Refused):
        [*panel_positions(GAMES["kalamala"].game, read_pictures(bad)["a"])]
