"""Whole games on a phone in every other language: no English is left, and no word is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES, catalogue_entries, word_folders
from support.browser.people import Evening
from support.browser.touch import Hand
from web.board.test_whole_games import ENOUGH, LATE, MINDS
from web.lib.test_access import pages

if TYPE_CHECKING:
    from web.conftest import Seated

OTHERS = [language for language in LANGUAGES if language != "en"]
LOCALES = {"fr": "fr-FR", "fi": "fi-FI", "sv": "sv-FI"}
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
CUT = """() => {
  const told = "button, .btn, .chip, summary, h1, h2, h3, label, .seat b, #prompt-title";
  const found = [];
  for (const each of document.querySelectorAll(told)) {
    if (!each.checkVisibility({ opacityProperty: true }) || each.closest("svg")) continue;
    const box = each.getBoundingClientRect();
    if (box.width <= 1) continue; // That is only heard.
    for (const node of [...each.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right, width } = range.getBoundingClientRect();
      const isOut = left < Math.max(box.left, 0) - 1 || right > Math.min(box.right, innerWidth) + 1;
      if (width && isOut) found.push(`${each.id || each.className}: ${node.textContent.trim()}`);
    }
  }
  return found;
}"""
"""Texts of which some is outside of what they are written on."""
FALSE_FRIENDS = {"due"}
"""Words that are French as well, and mean the same."""
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
def only_english(language: str) -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """Whole texts, and sentences with gaps for values, that this language does not have."""
    foreign = set(sentences("en")) - set(sentences(language)) - FALSE_FRIENDS
    whole = frozenset(text for text in foreign if "{" not in text and len(text) > 1)
    gaps = [re.split(r"\{[^}]*\}", text) for text in foreign if "{" in text]
    shapes = tuple(
        re.compile(".+?".join(re.escape(part) for part in parts), re.DOTALL)
        for parts in gaps
        if len(re.sub(r"\W", "", "".join(parts))) >= TELLING
    )
    return whole, shapes


def english_in(texts: Sequence[str], language: str) -> list[str]:
    whole, shapes = only_english(language)
    return [
        text for text in texts if text in whole or any(shape.fullmatch(text) for shape in shapes)
    ]


def speaks(hand: Hand, language: str) -> None:
    page = hand.page
    assert page.locator("html").get_attribute("lang") == language
    assert english_in(page.evaluate(TEXTS), language) == []
    assert page.evaluate(CUT) == []
    assert not hand.player.scrolls_sideways()


def test_english_is_found() -> None:
    assert english_in(["Your turn", "Push e3 off the board: that costs Ann 2 pieces"], "fr") == [
        "Your turn",
        "Push e3 off the board: that costs Ann 2 pieces",
    ]
    assert english_in(["À vous", "Kahmaté", "12"], "fr") == []


def games() -> list[Any]:
    """Each game in each language; those that another one stands for are long."""
    return [
        pytest.param(game, language, marks=() if (i + j) % 2 else pytest.mark.long)
        for i, game in enumerate(GAMES)
        for j, language in enumerate(OTHERS)
    ]


@pytest.mark.parametrize(("game", "language"), games())
def test_a_game_to_its_end(seat_player: Seated, game: str, language: str) -> None:
    hand = Hand(seat_player(finger=True, locale=LOCALES[language]))
    seats = dict.fromkeys(GAMES[game].game({}).seats, "me")
    hand.player.opens_by_api(game=game, seats=seats, **LATE[game])
    evening = Evening(MINDS[game](), hand)
    for turn, actor in enumerate(evening.turns(ENOUGH)):
        if turn < 8:
            speaks(hand, language)
        evening.acts(actor)
    evening.sees_the_end()
    speaks(hand, language)


@pytest.mark.parametrize("language", ["fi", "sv", pytest.param("fr", marks=pytest.mark.long)])
def test_every_page(seat_player: Seated, language: str) -> None:
    player = seat_player(finger=True, locale=LOCALES[language])
    cut = {}
    for name in pages(player):
        assert english_in(player.page.evaluate(TEXTS), language) == [], name
        cut[name] = player.page.evaluate(CUT)
        assert not player.scrolls_sideways(), name
    assert {name: texts for name, texts in cut.items() if texts} == {}
