"""Whole games and all pages in every language: no word of another one, and no word is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, product
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import ViewportSize, expect

from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES, word_folders
from support.browser.captains import Captains
from support.browser.cut_words import cut_words
from support.browser.people import Evening, captain
from support.browser.player import Player
from support.browser.touch import Hand
from support.languages.catalogues import catalogue_entries
from web.board.test_whole_games import CHOOSERS, ENOUGH, LATE
from web.conftest import DESKTOP, PHONE
from web.lib.test_access import pages

if TYPE_CHECKING:
    from web.conftest import Seated

LOCALES = {"en": "en-GB", "fr": "fr-FR", "fi": "fi-FI", "sv": "sv-FI"}
TEXTS = """() => {
  const ANOTHER = "script, template, style, code, em, [lang]:not(html)";
  const told = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { textContent, parentElement } = walker.currentNode;
    if (!parentElement.closest(ANOTHER)) told.push(textContent);
  }
  const named = "[aria-label], [title], [placeholder], [alt]";
  for (const each of document.body.querySelectorAll(named)) {
    if (each.closest("[lang]:not(html)")) continue;
    for (const name of named.match(/[a-z-]+/g)) told.push(each.getAttribute(name) ?? "");
  }
  return [...new Set(told.map((text) => text.trim()).filter(Boolean))];
}"""
"""All that is said in a page, to be read or to be heard, less notation and what is quoted."""
CUT_SAMPLES = """<!doctype html><style>
* { margin: 0; font: 16px monospace; white-space: nowrap; }
p { width: 60px; }
.dots { overflow: hidden; text-overflow: ellipsis; }
.broken { white-space: normal; overflow-wrap: anywhere; }
.lines { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.lines { overflow: hidden; white-space: normal; }
button { width: 60px; padding: 0; border: 0; }
</style>
<p>whole</p><p class="dots">shortened</p><p>overflowing</p><p class="broken">anticonstitution</p>
<p class="lines">one two</p><p class="lines">three lines here</p>
<button><span>fits</span></button><button><span>does not fit</span></button>
<section id="stage"><svg class="board" width="300" height="120">
<text x="0" y="20">whole</text><text x="80" y="20">a lot m…</text>
<text x="280" y="20">outside</text>
<text x="0" y="60">covered</text><g class="pc"><rect x="30" y="40" width="30" height="30"/></g>
<text x="0" y="100">one over</text><text x="40" y="100">the other</text>
</svg></section>"""
FALSE_FRIENDS = {"due", "Impossible", "mot"}
"""Words of two languages, whatever they mean in the other one."""
MOST = 600
"""More actions than any game here has."""
TELLING = 9
"""So many letters, and a sentence with gaps cannot be another one by chance."""


def strings(entry: Any) -> Sequence[str]:
    return [entry.string] if isinstance(entry.string, str) else list(entry.string)


def sentences(language: str) -> Iterator[str]:
    for folder in word_folders():
        for entry in catalogue_entries(folder, language):
            if entry.id:
                yield from strings(entry)


@cache
def only_foreign(language: str) -> tuple[frozenset[str], tuple[Sequence[str], ...]]:
    """Whole texts, and the parts of sentences with gaps for values, that only others have."""
    others = chain.from_iterable(sentences(other) for other in LANGUAGES if other != language)
    foreign = set(others) - set(sentences(language)) - FALSE_FRIENDS
    whole = frozenset(text for text in foreign if "{" not in text and len(text) > 2)
    gaps = (re.split(r"\{[^}]*\}", text) for text in foreign if "{" in text)
    telling = (parts for parts in gaps if len(re.sub(r"\W", "", "".join(parts))) >= TELLING)
    return whole, tuple(telling)


def has_parts(text: str, parts: Sequence[str]) -> bool:
    """True if the text is these parts in order, with something between each two."""
    first, *middle, last = parts
    if not (text.startswith(first) and text.endswith(last)):
        return False
    at = len(first)
    for part in middle:
        at = text.find(part, at + 1) + len(part)
        if at < len(part):
            return False
    return at < len(text) - len(last)


@cache
def is_foreign(text: str, language: str) -> bool:
    whole, sentences_with_gaps = only_foreign(language)
    return text in whole or any(has_parts(text, parts) for parts in sentences_with_gaps)


def foreign_in(texts: Sequence[str], language: str) -> list[str]:
    return [text for text in texts if is_foreign(text, language)]


def speaks(hand: Hand, language: str) -> None:
    page = hand.page
    assert page.locator("html").get_attribute("lang") == language
    assert foreign_in(page.evaluate(TEXTS), language) == []
    assert cut_words(page) == []
    assert not hand.player.scrolls_sideways()


def speaks_on_a_desktop(hand: Hand, language: str) -> None:
    """The same position drawn for a wide screen; then the phone has it again."""
    board = hand.page.locator("#stage svg.board")
    upright = str(board.get_attribute("viewBox"))
    hand.page.set_viewport_size(DESKTOP)
    expect(board).not_to_have_attribute("viewBox", upright)
    speaks(hand, language)
    hand.page.set_viewport_size(PHONE)
    expect(board).to_have_attribute("viewBox", upright)


def test_words_of_another_language_are_found() -> None:
    assert foreign_in(["Your turn", "Push e3 off the board: that costs Ann 2 pieces"], "fr") == [
        "Your turn",
        "Push e3 off the board: that costs Ann 2 pieces",
    ]
    assert foreign_in(["À toi de jouer"], "fi") == foreign_in(["À toi de jouer"], "en") != []
    assert foreign_in(["À toi de jouer", "Kahmaté", "12"], "fr") == []


def test_cut_words_are_found(player: Player) -> None:
    """Of each kind one, beside words that are whole."""
    player.page.set_content(CUT_SAMPLES)
    told = [re.split(" in .*?: ", text) for text in cut_words(player.page)]
    assert told == [
        ["dots", "shortened"],
        ["cut off", "shortened"],
        ["cut off", "overflowing"],
        ["broken", "anticonstitution"],
        ["dots", "three lines here"],
        ["cut off", "does not fit"],
        ["cut short", "a lot m…"],
        ["outside", "outside"],
        ["covered", "covered"],
        ["crossed", "one over"],
    ]


def games() -> list[Any]:
    """Each game in each language; those that another one stands for are long."""
    return [
        pytest.param(game, language, marks=() if j == i + 1 else pytest.mark.long)
        for i, game in enumerate(GAMES)
        for j, language in enumerate(LANGUAGES)
    ]


@pytest.mark.parametrize(("game", "language"), games())
def test_a_game_to_its_end(seat_player: Seated, game: str, language: str) -> None:
    """On a phone, and now and then at a desk."""
    hand = Hand(seat_player(finger=True, locale=LOCALES[language]))
    seats = dict.fromkeys(GAMES[game].game({}).seats, "me")
    hand.player.opens_by_api(game=game, seats=seats, **LATE[game])
    evening = Evening(CHOOSERS[game](), hand)
    for turn, actor in enumerate(evening.turns(ENOUGH)):
        if turn < 8:
            speaks(hand, language)
        if turn in (1, 4) and not hand.view.get("curtain"):
            speaks_on_a_desktop(hand, language)
        evening.acts(actor)
    evening.sees_the_end()
    speaks(hand, language)
    speaks_on_a_desktop(hand, language)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_from_its_beginning(seat_player: Seated, game: str, language: str) -> None:
    """Against bots, with all that comes before the late positions."""
    hand = Hand(seat_player(finger=True, locale=LOCALES[language]))
    first, *others = GAMES[game].game({}).seats
    seats = {first: "me", **dict.fromkeys(others, "greedy")}
    hand.player.opens_by_api(game=game, seats=seats)
    chooser = captain(Captains()) if game == "kahmate" else CHOOSERS[game]()
    evening = Evening(chooser, hand)
    for turn, actor in enumerate(evening.turns(MOST)):
        speaks(hand, language)
        if turn % 10 == 0:
            speaks_on_a_desktop(hand, language)
        evening.acts(actor)
    evening.sees_the_end()
    speaks(hand, language)


ON_ITS_SIDE: ViewportSize = {"width": 844, "height": 390}
SIZES = {"phone": PHONE, "desk": DESKTOP, "on its side": ON_ITS_SIDE}
SAMPLED = [("fi", "phone"), ("sv", "desk"), ("fr", "on its side")]
"""The pages of these stand for the others in the ordinary run."""


@pytest.mark.parametrize(
    ("language", "size"),
    [
        pytest.param(*each, marks=() if each in SAMPLED else pytest.mark.long)
        for each in product(LANGUAGES, SIZES)
    ],
)
def test_every_page(seat_player: Seated, language: str, size: str) -> None:
    player = seat_player(finger=size != "desk", locale=LOCALES[language])
    player.page.set_viewport_size(SIZES[size])
    cut = {}
    for name in pages(player):
        assert foreign_in(player.page.evaluate(TEXTS), language) == [], name
        cut[name] = cut_words(player.page)
        assert not player.scrolls_sideways(), name
    assert {name: texts for name, texts in cut.items() if texts} == {}
