"""The pages: what their templates are told, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
from litestar import MediaType, Response
from litestar.datastructures import Cookie
from markupsafe import Markup

import kibitz
from kibitz.bots import BOTS
from kibitz.core.colours import DARK, LIGHT
from kibitz.core.drawing import Look, svg
from kibitz.core.game import SPECTATOR
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.live import LiveTable
from kibitz.server.rulepages import RulePage
from kibitz.server.sights import Watcher, acting_seat, prompt, speech_at
from kibitz.server.speech import Speech, speech

WEB = Path(kibitz.__file__).parent / "web"


class Pages:
    def __init__(self) -> None:
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(WEB / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def home(
        self, language: str, member: str, tables: list[LiveTable], cookies: list[Cookie]
    ) -> Response[str]:
        say = speech(language)
        entries = [_entry(live, Watcher(live.seats_of(member), language)) for live in tables]
        games, bots = list(_cards(language)), list(BOTS)[::-1]  # the strongest first
        return self._page("home.html", say, cookies, games=games, bots=bots, tables=entries)

    def table(self, live: LiveTable, watcher: Watcher, cookies: list[Cookie]) -> Response[str]:
        say = speech_at(live, watcher.language)
        game = live.game.name
        shown = {
            "id": live.id,
            "game": game,
            "title": say.t(f"{game}.title"),
            "rules_url": f"/rules/{game}",
            "record_url": f"/t/{live.id}/record",
            "position_url": f"/t/{live.id}/position",
            "chips": [_way(live, say)],
        }
        return self._page("table.html", say, cookies, table=shown)

    def rules(
        self, language: str, game: str, page: RulePage, cookies: list[Cookie]
    ) -> Response[str]:
        return self._page(
            "rules.html",
            speech(language),
            cookies,
            game=game,
            title=page.title,
            article=Markup(page.article),
            toc=[asdict(heading) for heading in page.toc],
        )

    def problem(self, language: str, status: int, title: str, sentence: str) -> Response[str]:
        say = speech(language)
        return self._page("problem.html", say, [], status, title=title, sentence=sentence)

    def _page(
        self, template: str, say: Speech, cookies: list[Cookie], status: int = 200, **context: Any
    ) -> Response[str]:
        made = self._templates.get_template(template).render(
            t=say.t, language=say.language, **context
        )
        return Response(
            made,
            status_code=status,
            media_type=MediaType.HTML,
            cookies=cookies,
            headers={"Cache-Control": "private, no-cache"},
        )


def _cards(language: str) -> Iterator[Mapping[str, Any]]:
    """The games on the shelf."""
    for name, rulebook in GAMES.items():
        game = rulebook.game(rulebook.preset)
        say = speech(language, name, game.seats)
        yield {
            "name": name,
            "title": say.t(f"{name}.title"),
            "tagline": say.t(f"{name}.tagline"),
            "size": say.t(f"{name}.size"),
            "vignette_svg": _vignette(name, language),
            "seats": [{"seat": seat, "name": say.names[seat]} for seat in game.seats],
        }


@lru_cache
def _vignette(name: str, language: str) -> Markup:
    """A corner of a telling position, to look at only."""
    rulebook = GAMES[name]
    game = rulebook.game(rulebook.preset)
    say = speech(language, name, game.seats)
    shown = rulebook.showcase
    state = game.start() if shown == START else game.read_state(shown)
    view = game.view(state, SPECTATOR, ())
    drawing = game.draw(view, Look(say=say, labels=False, prefix=f"{name}-"))
    layers = {layer: made for layer, made in drawing.layers.items() if layer != "hit"}
    return Markup(svg(replace(drawing, view_box=rulebook.vignette, role="img", layers=layers)))


def _entry(live: LiveTable, watcher: Watcher) -> Mapping[str, Any]:
    """A line in the list of one's tables."""
    say, held = speech_at(live, watcher.language), watcher.held
    acting = acting_seat(live.table, held)
    title, _ = prompt(live, watcher, acting, say)
    return {
        "id": live.id,
        "url": f"/t/{live.id}",
        "game_title": say.t(f"{live.game.name}.title"),
        "title": _way(live, say),
        "note": title,
        "your_turn": acting in live.game.to_act(live.table.state),
        "glyph": Markup(live.game.glyph(acting or (*held, *live.game.seats)[0])),
    }


def _way(live: LiveTable, say: Speech) -> str:
    return say.t("page.against-bot" if live.bots else "page.on-one-device")


def tokens_css() -> str:
    """The colours of both themes; a class on the root element outweighs the system's wish."""
    light = "".join(f"--{name}:{colour};" for name, colour in LIGHT.items())
    dark = "".join(f"--{name}:{colour};" for name, colour in DARK.items() if LIGHT[name] != colour)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        "@media (prefers-color-scheme: dark){"
        f":root:not(.light){{color-scheme:dark;{dark}}}}}\n"
        f":root.dark{{color-scheme:dark;{dark}}}\n"
    )
