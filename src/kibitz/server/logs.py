"""The log: a line a thing, for people or for programs, and no secrets.

Everything goes through the standard library's `logging`; what a thing was about is in `extra`.
Guests, addresses and what anybody typed are not written down.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Message, Receive, Scope, Send
    from structlog.typing import EventDict, Processor, WrappedLogger

log = logging.getLogger(__name__)

LOGGER_ROOT = "kibitz"
KEY_ORDER = ("timestamp", "level", "logger", "event")
REDACTION = "[hidden]"
SECRET_PATTERNS = (
    re.compile(r"((?:/|%2F)join(?:/|%2F))(?!\{)[^\s\"'\\?#&,;()<>\[\]]+", re.IGNORECASE),
    re.compile(
        r"((?:/|%2F)(?:result|night)(?:/|%2F)|[?&]key=)(?!\{)[^\s\"'\\?#&,;()<>\[\]/]+",
        re.IGNORECASE,
    ),
    re.compile(r"(\bkibitz-[0-9a-f]{8}=)[^\s\"'\\;]+"),
    re.compile(r"(\bbearer\s+)[^\s\"'\\]+", re.IGNORECASE),
    re.compile(
        r"(\b(?:set-cookie|cookie|authorization)\b\\?[\"']?\s*[:=,]\s*b?\\?[\"']?)[^\"'\\\r\n]+",
        re.IGNORECASE,
    ),
)
"""Links to seats, guests' cookies, and whatever headers could bring."""


def configure_logging(form: str, tells_more: bool) -> None:
    """Log to standard error as `form` says: text or json."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LogFormatter(form))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger(LOGGER_ROOT).setLevel(logging.INFO if tells_more else logging.WARNING)
    # It warns of what it also raises: that somebody else wrote the row first, above all.
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    logging.captureWarnings(True)
    threading.excepthook = _log_thread_failure


class LogFormatter(logging.Formatter):
    """Secrets are taken out last, so that no way around leads into the log."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(self._formatter.format(record))

    @cached_property
    def _formatter(self) -> logging.Formatter:
        """Made when there is something to say: structlog takes a while to import."""
        from structlog import processors as do
        from structlog import stdlib

        as_json: Processor = do.JSONRenderer(default=str)
        return stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                stdlib.add_log_level,
                stdlib.add_logger_name,
                do.TimeStamper("iso", utc=True),
                _add_own_extras,
                do.format_exc_info,
            ],
            processors=[
                stdlib.ProcessorFormatter.remove_processors_meta,
                as_json if self._form == "json" else _as_text,
            ],
        )


class RequestLogMiddleware:
    """A line for every request: which kind of page, not which one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        status, started = 0, time.perf_counter()

        async def send_logged(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = 101
            await send(message)

        try:
            await self.app(scope, receive, send_logged)
        finally:
            about = {
                "method": scope.get("method", "WEBSOCKET"),
                "route": scope.get("path_template") or "-",
                "status": status,
                "ms": round((time.perf_counter() - started) * 1000, 1),
            }
            log.info("request", extra=about)


def without_secrets(text: str) -> str:
    for pattern in SECRET_PATTERNS:
        text = pattern.sub(rf"\1{REDACTION}", text)
    return text


def _add_own_extras(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Others' extras could be anything: requests, sockets, headers."""
    from structlog.stdlib import ExtraAdder

    if event["logger"].split(".")[0] == LOGGER_ROOT:
        return ExtraAdder()(logger, name, event)
    return event


def _as_text(logger: WrappedLogger, name: str, event: EventDict) -> str:
    """name=value in a line; only a traceback, indented, takes more."""
    from structlog.processors import LogfmtRenderer

    traceback: str = event.pop("exception", "")
    shown = {key: _printable_text(value) for key, value in event.items()}
    pairs = LogfmtRenderer(key_order=KEY_ORDER, drop_missing=True)(logger, name, shown)
    return "\n".join([pairs, *(f"    {_printable_text(line)}" for line in traceback.splitlines())])


def _printable_text(value: Any) -> str:
    """Nothing that moves the cursor or begins another line."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(value))


def _log_thread_failure(args: threading.ExceptHookArgs) -> None:
    failed = args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
    log.error("a thread failed", exc_info=failed)
