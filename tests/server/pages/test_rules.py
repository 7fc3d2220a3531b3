"""The rules pages as a browser gets them: their pictures are in them, and they stay light."""

from __future__ import annotations

import re

import httpx
import pytest

from kibitz.core.rule_pictures import read_pictures
from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES
from kibitz.server.pages.offline import _content_digest
from kibitz.server.pages.rules import read_rules, rules_files
from support.server_process import Server

MAX_PAGE_BYTES = 60_000
"""Of a rules page on its way, with all its pictures."""

each_game = pytest.mark.parametrize("game", GAMES)
each_language = pytest.mark.parametrize("language", LANGUAGES)


def fetch(server: Server, game: str, language: str, query: str = "") -> tuple[str, int]:
    """The page, and its bytes on their way."""
    headers = {"Accept-Language": language, "Accept-Encoding": "gzip"}
    with httpx.stream("GET", f"{server.address}/rules/{game}{query}", headers=headers) as answer:
        answer.read()
        assert answer.headers["content-encoding"] == "gzip"
        return answer.text, answer.num_bytes_downloaded


@each_game
@each_language
def test_the_pictures_are_in_the_page(server: Server, game: str, language: str) -> None:
    listed = GAMES[game].pictures
    assert listed
    count = len(read_pictures(listed.read_text("utf-8")))
    whole, size = fetch(server, game, language)
    part, _ = fetch(server, game, language, "?part=1")
    for page in (whole, part):
        figures = re.findall(r"<figure>(.*?)</figure>", page, re.S)
        assert len(figures) == count
        assert len({*re.findall(r'<svg[^>]* aria-label="([^"]+)"', "".join(figures))}) == count
        assert all("<figcaption>" in each for each in figures)
        assert "<img" not in page
        assert "style=" not in page
        ids = re.findall(r' id="(rules-[^"]+)"', page)
        assert len(ids) == len({*ids})
        assert {*re.findall(r'(?:href="#|url\(#)(rules-[^")]+)', page)} == {*ids}
    assert size <= MAX_PAGE_BYTES, f"{game} {language}: {size}"


def test_a_picture_of_nobody_stays_what_it_was() -> None:
    page = read_rules("# T\n\n![a b](pictures/x.svg)\n*said*\n", lambda address, words: "")
    assert '<p><img src="pictures/x.svg" alt="a b" />' in page.article


def test_the_words_of_a_picture_are_text() -> None:
    page = read_rules("# T\n\n![a <b>](pictures/x.svg)\n*s <i>*\n", lambda address, words: "<svg/>")
    assert page.article == "<figure><svg/>\n<figcaption>s &lt;i&gt;</figcaption></figure>\n"


def test_what_is_kept_is_another_once_a_picture_is(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {file.name for file in rules_files()}
    assert names == {*(f"{game}.md" for game in GAMES), "pictures.toml"}
    assert len([*rules_files()]) == len(GAMES) * (len(LANGUAGES) + 1)
    _content_digest.cache_clear()
    before = _content_digest()
    monkeypatch.setattr("kibitz.server.pages.offline.rules_files", lambda: [*rules_files()][:-1])
    _content_digest.cache_clear()
    assert _content_digest() != before
    _content_digest.cache_clear()
