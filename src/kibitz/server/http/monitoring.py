"""Answers for those who watch over the server: its health and its metrics."""

from __future__ import annotations

from litestar import Response, get

from kibitz.core.message import Refused, message
from kibitz.server import metrics
from kibitz.server.http.errors import HttpError
from kibitz.server.http.malformed_requests import is_local_host
from kibitz.server.http.requests import AnyRequest, Injected
from kibitz.server.settings import Settings


@get("/health", sync_to_thread=False)
def health() -> dict[str, str]:
    return {"status": "ok"}


@get("/metrics", sync_to_thread=False)
def send_metrics(request: AnyRequest, server_settings: Injected[Settings]) -> Response[bytes]:
    """To others it is not even there; nor by a name, which a proxy that says nothing of who asks
    would pass on."""
    is_allowed = request.client and request.client.host in server_settings.metrics
    if not is_allowed or not is_local_host(request.headers.get("host", "")):
        raise HttpError(404, message("server.no-page"))
    try:
        text = metrics.metrics_text()
    except Refused as refused:
        raise HttpError(404, refused.refusal) from None
    return Response(text, media_type="text/plain; version=0.0.4")
