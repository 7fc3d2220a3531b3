"""The rule books of docs/rules as pages. Paragraph 3.3 can be linked to as `#3.3`.

The English ones are in the folder itself, others in a folder by their language. Their pictures are
drawn into them, so that a page that is kept or printed has them, in the colours of its theme.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from litestar import MediaType, Response, get
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

import kibitz
from kibitz.core.message import message
from kibitz.core.rule_pictures import SlimSvg, draw_picture, read_pictures
from kibitz.games import GAMES
from kibitz.i18n import FALLBACK, LANGUAGES
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, request_language
from kibitz.server.pages.lessons import has_lessons
from kibitz.server.phrases import phrases_for
from kibitz.server.tables.dependencies import InjectedTables
from kibitz.server.tables.telling.previews import game_preview

DrawPicture: TypeAlias = Callable[[str, str], str]
"""The markup of a picture, by the address and the words that a page has for it; nothing where it
is none of the game's."""
_NUMBERED_HEADING = re.compile(r"(\d+(?:\.\d+)*)\.?\s+(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Heading:
    number: str
    text: str
    level: int


@dataclass(frozen=True, slots=True)
class RulePage:
    title: str
    article: str
    """HTML without its title."""
    toc: tuple[Heading, ...]


@get("/rules/{game:str}", media_type=MediaType.HTML)
async def rules(request: AnyRequest, services: InjectedTables, game: str) -> Response[str]:
    _, cookies = services.visit(request)
    language = request_language(request)
    if not has_rules(game):
        raise HttpError(404, message("server.no-page"))
    page = await asyncio.to_thread(rule_page, game, language)
    if request.query_params.get("part") == "1":
        return Response(page.article, media_type=MediaType.HTML)
    return services.templates.page(
        "rules.html",
        phrases_for(language),
        cookies,
        preview=game_preview(
            services.context, request, game, phrases_for(language), f"{page.title} · Kibitz"
        ),
        game=game,
        title=page.title,
        article=Markup(page.article),
        toc=[asdict(heading) for heading in page.toc],
        has_lessons=has_lessons(game),
    )


def has_rules(game: str) -> bool:
    return game in GAMES and _find_rules(game, FALLBACK) is not None


@lru_cache
def rule_page(game: str, language: str = FALLBACK) -> RulePage:
    """The rules of a game that has them, in English where there are no others.

    Both names must be known ones: they become a path.
    """
    page = _find_rules(game, language)
    assert page, game
    found, file = page
    return read_rules(file.read_text("utf-8"), _picture_drawer(game, found))


@lru_cache
def _find_rules(game: str, language: str) -> tuple[str, Path] | None:
    """The file of a page, and its language."""
    for found, name in ((language, f"{language}/{game}.md"), (FALLBACK, f"{game}.md")):
        for folder in _rules_folders(GAMES[game].rule_book):
            if (folder / name).exists():
                return found, folder / name
    return None


def rules_files() -> Iterator[Path]:
    """All that rules pages are written in, their pictures too, in a lasting order."""
    for name, rulebook in GAMES.items():
        found = (_find_rules(name, language) for language in LANGUAGES)
        yield from dict.fromkeys(each[1] for each in found if each)
        if rulebook.pictures:
            yield rulebook.pictures


def _picture_drawer(name: str, language: str) -> DrawPicture:
    rulebook = GAMES[name]
    pictures = read_pictures(rulebook.pictures.read_text("utf-8")) if rulebook.pictures else {}
    say = phrases_for(language, name, rulebook.game({}).seats)
    slim = SlimSvg()

    def draw(address: str, words: str) -> str:
        id = address.removeprefix(f"pictures/{name}-").removesuffix(".svg")
        if id not in pictures:
            return ""
        return draw_picture(rulebook.game, pictures[id], say, words, slim, "rules-")

    return draw


def read_rules(text: str, draw: DrawPicture = lambda address, words: "") -> RulePage:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(text)
    title, toc = "", []
    for opening, inline in pairwise(tokens):
        _replace_style(opening)
        if opening.type != "heading_open":
            continue
        level, words = int(opening.tag[1:]), inline.content
        if level == 1:
            title = title or words
        elif found := _NUMBERED_HEADING.match(words):
            opening.attrSet("id", found[1])
            toc.append(Heading(found[1], found[2], level))
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "paragraph_open" and _draw_into(inline, draw):
            opening.tag = closing.tag = "figure"
    article = reader.renderer.render(_without_title(tokens), reader.options, {})
    # What is too wide for a phone scrolls by itself, and must be reached by the keyboard for that.
    for wide in ("pre", "table"):
        article = article.replace(f"<{wide}>", f'<{wide} tabindex="0">')
    return RulePage(title, article, tuple(toc))


def _draw_into(inline: Token, draw: DrawPicture) -> bool:
    """Draws the picture with which a paragraph begins; what is stressed after it is its caption."""
    first, *others = inline.children or [Token("text", "", 0)]
    drawn = first.type == "image" and draw(str(first.attrs["src"]), first.content)
    if not drawn:
        return False
    for each in others:
        if each.type in ("em_open", "em_close"):
            each.tag = "figcaption"
    inline.children = [Token("html_inline", "", 0, content=drawn), *others]
    return True


def _without_title(tokens: Sequence[Token]) -> Sequence[Token]:
    titles = [i for i, token in enumerate(tokens) if token.type == "heading_open"]
    if not titles or tokens[titles[0]].tag != "h1":
        return tokens
    return [*tokens[: titles[0]], *tokens[titles[0] + 3 :]]


def _replace_style(token: Token) -> None:
    """Columns are aligned by a class: the page allows no style attributes."""
    if style := token.attrs.pop("style", None):
        token.attrSet("class", str(style).replace("text-align:", "to-"))


def _rules_folders(own: Path | None) -> tuple[Path, ...]:
    """The game's own; else in the installed package, or beside it in a checkout."""
    if own:
        return (own,)
    package = Path(kibitz.__file__).parent
    return package / "docs" / "rules", package.parents[1] / "docs" / "rules"
