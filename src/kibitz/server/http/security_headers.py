"""Headers that say what a page may load and tell."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

from kibitz.server.http.page_compression import UNCHANGED
from kibitz.server.http.requests import rate_limit_headers
from kibitz.server.lan_access import is_loopback

HSTS_S = 365 * 24 * 60 * 60
"""For so long a browser that came by https comes by nothing else."""
PUBLIC_PATHS = ("/static/", "/assets/", "/preview/", "/worker.js")
"""Answers that are the same for everybody, and may be kept."""


async def add_security_headers(sent: Message, scope: Scope) -> None:
    """Nothing of another site runs in our pages, and ours run in nobody's."""
    if sent["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders(sent)
    host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
    sockets = f" ws://{host} wss://{host}" if re.fullmatch(r"[\w.:\[\]-]+", host) else ""
    headers["Content-Security-Policy"] = (
        "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; "
        f"connect-src 'self'{sockets}; object-src 'none'; frame-ancestors 'none'; "
        "base-uri 'none'; form-action 'self'"
    )
    for name, value in rate_limit_headers(scope).items():
        headers[name] = value
    if not scope["path"].startswith(PUBLIC_PATHS):
        # What is told depends on who asks: no cache may give it to somebody else.
        # A page with a secret in it asks for more: not to be changed on its way.
        asked = f", {UNCHANGED}" if UNCHANGED in headers.get("Cache-Control", "") else ""
        headers["Cache-Control"] = f"private, no-store{asked}"
        headers["Vary"] = ", ".join(filter(None, ("Cookie", headers.get("Vary"))))
    if scope["scheme"] in ("https", "wss"):
        headers["Strict-Transport-Security"] = f"max-age={HSTS_S}"
    headers["X-Content-Type-Options"] = "nosniff"
    # A link to a seat is a secret: pages tell from which site somebody comes, not from where.
    headers["Referrer-Policy"] = "strict-origin"
    # Elsewhere browsers ignore it, and complain.
    if _is_this_machine(host) or scope["scheme"] in ("https", "wss"):
        headers["Cross-Origin-Opener-Policy"] = "same-origin"


def _is_this_machine(host: str) -> bool:
    try:
        return is_loopback(urlsplit(f"//{host}").hostname or "")
    except ValueError:  # It looks like an address, and is none.
        return False
