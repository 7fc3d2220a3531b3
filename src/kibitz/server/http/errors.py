"""Errors as programs are told them: a key that stays, and a sentence that people read."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from math import ceil
from typing import TypeAlias

from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from msgspec import Struct, field, to_builtins

from kibitz.core.message import Message, Say, Value, message
from kibitz.i18n import FALLBACK, say_in

SERVER_PREFIX = "server."
ErrorValue: TypeAlias = str | int | float


class HttpError(Exception):
    """A request that is refused: its status, and why as a message."""

    def __init__(self, status: int, sentence: Message, wait: float = 0.0, limit: str = "") -> None:
        """`limit` is the rate limit that was met, and `wait` the seconds until it may work."""
        super().__init__(sentence)
        self.status, self.sentence, self.retry_after_s, self.limit = status, sentence, wait, limit


class ErrorBody(Struct):
    """Nothing was done, and why."""

    code: str
    """Stays the same in every language and version."""
    status: int
    message: str
    """A sentence for people, in their language."""
    rule: str | None = None
    """The paragraph of the rules that it rests on."""
    values: dict[str, ErrorValue] = field(default_factory=dict)
    """Those that the message has words for."""


class RateLimitBody(ErrorBody):
    """Nothing was done; it may be asked for again after a while."""

    limit: str = ""
    """The one that was met."""
    wait_seconds: float = 0.0
    """The time until it may work."""


def error_code(sentence: Message) -> str:
    """`server.no-table` is `no-table`; what rules and tables say keeps its first word."""
    return sentence.id.removeprefix(SERVER_PREFIX)


def error_values(sentence: Message) -> dict[str, ErrorValue]:
    """A message inside a message is told by its key: its words are in the sentence.

    A position may show more than whoever asks may know.
    """
    return {name: _error_value(value) for name, value in sentence.values if name != "position"}


def _error_value(value: Value) -> ErrorValue:
    if isinstance(value, Message):
        return error_code(value)
    return float(value) if isinstance(value, Decimal) else value


def error_body(
    status: int, sentence: Message, say: Say, limit: str = "", wait: float = 0.0
) -> ErrorBody:
    rule, values = sentence.paragraph or None, error_values(sentence)
    told = error_code(sentence), status, say(sentence), rule, values
    return RateLimitBody(*told, limit, ceil(1000 * wait) / 1000) if limit else ErrorBody(*told)


STATUS_REASONS: Mapping[int, str] = {
    400: "The request is malformed; `values` may say where",
    401: "A token is missing, unknown or revoked",
    403: "Not allowed for you, or sent from another site",
    404: "Not found, or not visible to you",
    409: "The table has changed since: read it again",
    410: "This server can no longer open the table",
    413: "The request is too large",
    421: "The server does not go by the name in `Host`",
    422: "Refused by the rules, or by the people at the table",
    429: "Rate limited: try again after `wait` seconds",
    500: "Server error; nothing was changed",
    503: "It could not be stored, so nothing was done",
}
COMMON_STATUSES = 400, 401, 429, 500, 503
ERROR_EXAMPLES: Mapping[int, Message] = {
    400: message("server.no-game", game="chess"),
    401: message("server.no-token"),
    404: message("server.no-table"),
    409: message("server.stale"),
    422: message("table.over"),
    429: message("server.too-fast", seconds=2),
    503: message("server.not-stored"),
}


def error_specs(*statuses: int) -> dict[int, ResponseSpec]:
    """The failures of an address, for its documentation, beside those that any may have."""
    return {status: _error_spec(status) for status in sorted({*COMMON_STATUSES, *statuses})}


def _error_spec(status: int) -> ResponseSpec:
    is_limit = status == 429
    examples = None
    if status in ERROR_EXAMPLES:
        limit = ("act", 1.25) if is_limit else ()
        told = error_body(status, ERROR_EXAMPLES[status], say_in(FALLBACK), *limit)
        examples = [Example(value=to_builtins(told))]
    kind = RateLimitBody if is_limit else ErrorBody
    return ResponseSpec(kind, description=STATUS_REASONS[status], examples=examples)
