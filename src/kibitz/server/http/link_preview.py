"""Previews of links: what messengers show of an address before anybody opens it."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.server.http.requests import AnyRequest, RequestContext
from kibitz.server.http.url_prefix import prefixed_path

PICTURE_WIDTH, PICTURE_HEIGHT = 1200, 630
MAX_LETTERS = 200
"""Of a description; messengers cut what is longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPreview:
    """All of it is for strangers. Its addresses are whole, as no messenger completes them."""

    title: str
    description: str
    url: str
    picture_url: str
    picture_text: str
    """The picture in words."""
    kind: str = "website"
    width: int = PICTURE_WIDTH
    height: int = PICTURE_HEIGHT


def link_preview(
    context: RequestContext,
    request: AnyRequest,
    *,
    title: str,
    description: str,
    picture_path: str,
    picture_text: str,
    kind: str = "website",
) -> LinkPreview:
    """The preview of the page that is asked for, with its address as it is passed on."""
    query = request.scope["query_string"].decode()
    path = prefixed_path(request.scope["path"]) + (f"?{query}" if query else "")
    return LinkPreview(
        title=title,
        description=description[:MAX_LETTERS],
        url=context.link_url(request, path),
        picture_url=context.link_url(request, prefixed_path(picture_path)),
        picture_text=picture_text,
        kind=kind,
    )
