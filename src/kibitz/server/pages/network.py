"""The network: phones let in to a server for its own machine, by whoever sits there."""

from __future__ import annotations

from typing import Any, Literal, cast
from urllib.parse import urlsplit

from litestar import Response, get, post
from msgspec import Struct

from kibitz.core.message import Refused, message
from kibitz.server.http.errors import HttpError
from kibitz.server.http.malformed_requests import FORWARDED_KEY
from kibitz.server.http.requests import SAFE_METHODS, AnyRequest, request_language
from kibitz.server.lan_access import LanAccess, is_loopback
from kibitz.server.phrases import phrases_for
from kibitz.server.tables.dependencies import InjectedTables

PROXY_HEADERS = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto")


class NetworkState(Struct):
    """The answer to the question if others on the same network reach this server."""

    can_open: bool
    is_open: bool
    origin: str
    """The beginning of the addresses by which they do; empty where they do not."""
    problem: str = ""
    """A sentence that says why what was asked for could not be done."""


@get("/network", sync_to_thread=False)
def network(request: AnyRequest, services: InjectedTables) -> NetworkState:
    """Asked by pages that show a code, before they show it."""
    _require_this_machine(request)
    services.context.count(request, "pages")
    return _state(services.context.lan)


@post("/network/{wish:str}", status_code=200)
async def change_network(
    request: AnyRequest, services: InjectedTables, wish: Literal["open", "close"]
) -> Response[NetworkState]:
    """Let the network in, or shut it out again; where that fails, the page is told why."""
    _require_this_machine(request)
    services.context.count(request, "pages")
    lan, problem = services.context.lan, ""
    try:
        if wish == "open":
            await lan.open()
        else:
            lan.close()
    except Refused as error:
        problem = phrases_for(request_language(request))(error.refusal)
    return Response(_state(lan, problem), status_code=409 if problem else 200)


def _state(lan: LanAccess, problem: str = "") -> NetworkState:
    return NetworkState(lan.can_open, lan.is_open, lan.origin, problem)


def _require_this_machine(request: AnyRequest) -> None:
    """Raises HttpError for everybody but a browser on this machine that opened our own page here.

    The connection comes from a loopback address to a loopback address, through no proxy; what it
    asks for is called so, too, and so is the page that asks: a name that another site gave to our
    address is not enough.
    """
    scope = cast(dict[str, Any], request.scope)
    ends = [(scope.get(end) or ("",))[0] or "" for end in ("client", "server")]
    is_direct = not scope.get(FORWARDED_KEY)
    is_direct &= not any(name in request.headers for name in PROXY_HEADERS)
    host = request.headers.get("host", "")
    is_here = is_loopback(urlsplit(f"//{host}").hostname or "")
    origin = request.headers.get("origin", "")
    is_own_page = request.method in SAFE_METHODS or origin == f"http://{host}"
    if not (is_direct and is_here and is_own_page and all(map(is_loopback, ends))):
        raise HttpError(403, message("server.this-machine-only"))
