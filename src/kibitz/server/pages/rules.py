"""The rule books of docs/rules as pages. Paragraph 3.3 can be linked to as `#3.3`.

The English ones are in the folder itself, others in a folder by their language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from litestar import MediaType, Response, get
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

import kibitz
from kibitz.core.message import message
from kibitz.games import GAMES
from kibitz.i18n import FALLBACK
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, request_language
from kibitz.server.pages.lessons import has_lessons
from kibitz.server.phrases import phrases_for
from kibitz.server.tables.dependencies import InjectedTables
from kibitz.server.tables.telling.previews import game_preview

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
    page = rule_page(game, language) if game in GAMES else None
    if page is None:
        raise HttpError(404, message("server.no-page"))
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


@lru_cache
def rule_page(game: str, language: str = FALLBACK) -> RulePage | None:
    """The rules of a game that has them, in English where there are no others.

    Both names must be known ones: they become a path.
    """
    for name in (f"{language}/{game}.md", f"{game}.md"):
        for folder in _rules_folders(GAMES[game].rule_book):
            if (folder / name).exists():
                return read_rules((folder / name).read_text("utf-8"))
    return None


def read_rules(text: str) -> RulePage:
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
    article = reader.renderer.render(_without_title(tokens), reader.options, {})
    # What is too wide for a phone scrolls by itself, and must be reached by the keyboard for that.
    for wide in ("pre", "table"):
        article = article.replace(f"<{wide}>", f'<{wide} tabindex="0">')
    return RulePage(title, article, tuple(toc))


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
