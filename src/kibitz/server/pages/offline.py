"""Pages that a browser may keep and show without a network: the same for everybody, in a language.

Browsers fetch them without cookies (web/static/lib/pwa/offline.js).
"""

from __future__ import annotations

import hashlib
from datetime import date
from functools import lru_cache

from litestar import MediaType, Response, get
from msgspec import Struct

import kibitz
from kibitz.games import GAMES
from kibitz.puzzles.puzzle import games_with_puzzles
from kibitz.server.companion.book import companion_rulebook
from kibitz.server.http.requests import AnyRequest, request_language
from kibitz.server.pages.lessons import has_lessons
from kibitz.server.pages.puzzles import KEPT_PATH, TODAY_PATH, first_kept_day
from kibitz.server.pages.rules import has_rules, rules_files
from kibitz.server.phrases import phrases_for
from kibitz.server.static_files import static_folders, template_folders
from kibitz.server.tables.dependencies import InjectedTables

FIRST = "/offline"
BOOK = "/offline/book"


class KeptPages(Struct):
    """The pages that a browser may keep."""

    digest: str
    """Another one after every update, and every week: puzzles of later days come in."""
    sets: dict[str, list[str]]
    """Paths by what they are good for. Each set begins with what is shown for any other page."""


@get(FIRST, media_type=MediaType.HTML)
async def offline(request: AnyRequest, services: InjectedTables) -> Response[str]:
    """The page in the place of those that need the network."""
    say = phrases_for(request_language(request))
    shown = [
        {"name": game, "title": say.t(f"{game}.title"), "has_lessons": has_lessons(game)}
        for game in GAMES
        if has_rules(game)
    ]
    return services.templates.page(
        "offline.html",
        say,
        games=shown,
        puzzles=TODAY_PATH if games_with_puzzles() else "",
        back=FIRST,
    )


@get("/offline/list", sync_to_thread=False)
def kept_pages() -> KeptPages:
    rules = [f"/rules/{game}" for game in GAMES if has_rules(game)]
    lessons = [f"/learn/{game}" for game in GAMES if has_lessons(game)]
    reading = [
        FIRST,
        *rules,
        *(f"{each}?part=1" for each in rules),
        *lessons,
        *(f"{each}/steps" for each in lessons),
        *((TODAY_PATH, KEPT_PATH) if games_with_puzzles() else ()),
    ]
    book = [BOOK, FIRST] if companion_rulebook() else []
    return KeptPages(_content_digest(first_kept_day()), {"reading": reading, "book": book})


@lru_cache(maxsize=2)
def _content_digest(first_day: date) -> str:
    """The digest of all that pages are made of: the same on every worker of one version, for the
    week in which it is asked for."""
    digest = hashlib.sha256(f"{kibitz.__version__} {first_day}".encode())
    for folder in (*static_folders(), *template_folders()):
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                digest.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
    for file in rules_files():
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
