"""Static files, as browsers cache them."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Protocol, TypeAlias

from litestar import Response, get

from kibitz.core.message import message
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, Injected

FindFile: TypeAlias = Callable[[str], Path | None]
"""Finds the file at a path below `/static`."""
GZIP = "gzip"
FOREVER = "public, max-age=31536000, immutable"


class AnyAsset(Protocol):
    """A file under an address that has the digest of its content in it."""

    @property
    def content(self) -> bytes: ...
    @property
    def digest(self) -> str: ...


FindAsset: TypeAlias = Callable[[str], AnyAsset | None]


@get("/static/{path:path}", sync_to_thread=False)
def send_static_file(
    request: AnyRequest, path: str, find_file: Injected[FindFile]
) -> Response[bytes]:
    file = None if "\0" in path else find_file(path)
    if file is None:
        raise HttpError(404, message("server.no-page"))
    return _file_response(request, file.read_bytes(), _kind(file.name))


@get("/assets/{digest:str}/{path:path}", sync_to_thread=False)
def send_asset(
    request: AnyRequest, digest: str, path: str, find_asset: Injected[FindAsset]
) -> Response[bytes]:
    """A page that was made before an update asks for what was there then: it gets what is there."""
    asset = None if "\0" in path else find_asset(path.lstrip("/"))
    if asset is None:
        raise HttpError(404, message("server.no-page"))
    caching = FOREVER if digest == asset.digest else "no-cache"
    return _file_response(request, asset.content, _kind(path), caching)


@get("/worker.js", sync_to_thread=False)
def send_worker(request: AnyRequest, find_asset: Injected[FindAsset]) -> Response[bytes]:
    """The worker of all our pages: where it is says which pages are its own."""
    asset = find_asset("lib/pwa/worker.js")
    assert asset
    return _file_response(request, asset.content, "text/javascript")


def _kind(path: str) -> str:
    return mimetypes.guess_type(path)[0] or "application/octet-stream"


def _file_response(
    request: AnyRequest, content: bytes, kind: str, caching: str = "no-cache"
) -> Response[bytes]:
    """Browsers keep it, and ask each time whether it is still the same if `caching` says no more.

    It goes compressed, as nothing in it is anybody's secret: whoever can make a page say what
    they like and see how long it is could guess one.
    """
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
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
