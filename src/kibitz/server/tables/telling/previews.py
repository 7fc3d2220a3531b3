"""Previews of links to games and tables: words and pictures for strangers."""

from __future__ import annotations

from urllib.parse import urlencode

from kibitz.i18n import LANGUAGES
from kibitz.server.http.link_preview import LinkPreview, link_preview
from kibitz.server.http.requests import AnyRequest, RequestContext, request_language
from kibitz.server.phrases import Phrases
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.viewers import phrases_at


def game_preview(
    context: RequestContext,
    request: AnyRequest,
    game: str,
    say: Phrases,
    title: str = "",
    **picture: str,
) -> LinkPreview:
    """A page about a game; `picture` is the position that its picture shows, if not the usual."""
    name = say.t(f"{game}.title")
    query = urlencode({"language": say.language, **{k: v for k, v in picture.items() if v}})
    return link_preview(
        context,
        request,
        title=title or f"{name} \u00b7 Kibitz",
        description=say.t(f"{game}.tagline"),
        picture_path=f"/preview/{game}.png?{query}",
        picture_text=say.t("page.preview-board", game=name),
    )


def phrases_of_host(live: LiveTable, request: AnyRequest) -> Phrases:
    """The words in which links to a table introduce it; the reader's, where it has none."""
    spoken = live.settings.language
    return phrases_at(live, spoken if spoken in LANGUAGES else request_language(request))


def invitation_preview(
    context: RequestContext, request: AnyRequest, live: LiveTable
) -> LinkPreview:
    """An invitation by its host and game; the board is for those who accept it."""
    say, game = phrases_of_host(live, request), live.game.name
    name, host = say.t(f"{game}.title"), live.names.get(live.people.host, "")
    is_named = "page.invited-by" if host else "page.invited"
    return game_preview(context, request, game, say, say.t(is_named, host=host, game=name))


def table_preview(context: RequestContext, request: AnyRequest, live: LiveTable) -> LinkPreview:
    """A table by its game, with the board only where strangers may see it."""
    say, game = phrases_of_host(live, request), live.game.name
    if not live.stored.is_open:
        return game_preview(context, request, game, say)
    name = say.t(f"{game}.title")
    return link_preview(
        context,
        request,
        title=f"{name} \u00b7 Kibitz",
        description=say.t(f"{game}.tagline"),
        picture_path=f"/t/{live.id}/preview.png",
        picture_text=say.t("page.preview-board", game=name),
    )


def ended_preview(
    context: RequestContext,
    request: AnyRequest,
    live: LiveTable,
    *,
    title: str,
    description: str,
    picture_path: str,
) -> LinkPreview:
    """The end of a match, which whoever has the address may read."""
    say = phrases_of_host(live, request)
    name = say.t(f"{live.game.name}.title")
    return link_preview(
        context,
        request,
        title=f"{title} \u00b7 {name}",
        description=description,
        picture_path=picture_path,
        picture_text=say.t("page.preview-end", game=name),
        kind="article",
    )
