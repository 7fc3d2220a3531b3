"""Static files and the colours of the pages, as browsers cache them."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from litestar import Response, get

from kibitz.core.colours import DARK, LIGHT
from kibitz.core.message import message
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, Injected

FindFile: TypeAlias = Callable[[str], Path | None]
"""Finds the file at a path below `/static`."""
GZIP = "gzip"


@get("/tokens.css", sync_to_thread=False)
def design_tokens(request: AnyRequest) -> Response[bytes]:
    return _file_response(request, tokens_css().encode(), "text/css")


@get("/static/{path:path}", sync_to_thread=False)
def send_static_file(
    request: AnyRequest, path: str, find_file: Injected[FindFile]
) -> Response[bytes]:
    file = None if "\0" in path else find_file(path)
    if file is None:
        raise HttpError(404, message("server.no-page"))
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return _file_response(request, file.read_bytes(), kind)


def _file_response(request: AnyRequest, content: bytes, kind: str) -> Response[bytes]:
    """Browsers keep it and ask each time whether it is still the same.

    It goes compressed, as nothing in it is anybody's secret: whoever can make a page say what
    they like and see how long it is could guess one.
    """
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, media_type=kind, headers=headers)
    if GZIP in request.headers.get("accept-encoding", "") and not kind.startswith("image/png"):
        return Response(
            _gzip_content(content), media_type=kind, headers={**headers, "Content-Encoding": GZIP}
        )
    return Response(content, media_type=kind, headers=headers)


@lru_cache(maxsize=256)
def _gzip_content(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def tokens_css() -> str:
    """The colours of both themes; a class on the root element outweighs the system's wish.

    Paper is always light.
    """
    light = "".join(f"--{name}:{colour};" for name, colour in LIGHT.items())
    dark = "".join(f"--{name}:{colour};" for name, colour in DARK.items() if LIGHT[name] != colour)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        "@media screen and (prefers-color-scheme: dark){"
        f":root:not(.light){{color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root.dark{{color-scheme:dark;{dark}}}}}\n"
    )
