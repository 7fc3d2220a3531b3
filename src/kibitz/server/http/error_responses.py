"""Answers to requests that failed: a page, or JSON for programs."""

from __future__ import annotations

import logging
from math import ceil
from typing import Any

from litestar import MediaType, Response
from litestar.exceptions import HTTPException, InternalServerException, ValidationException

from kibitz.core.message import Message, Refused, message
from kibitz.server.db.store import StoreError, StoreUnreachable
from kibitz.server.http.errors import HttpError, error_body
from kibitz.server.http.openapi import API_PATH, API_ROOT
from kibitz.server.http.requests import AnyRequest, request_language
from kibitz.server.http.templates import Templates
from kibitz.server.phrases import phrases_for

log = logging.getLogger(__name__)

MAX_BODY_BYTES = 1 << 16
"""Of a request's body."""


def error_response(templates: Templates, request: AnyRequest, error: Exception) -> Response[Any]:
    """The reason that a request failed, in the reader's language; the log has the details."""
    status, sentence = _status_and_message(error)
    if status >= 500 and not isinstance(error, StoreError):  # That is in the log already.
        log.error("a request failed", exc_info=error)
    say = phrases_for(request_language(request))
    wait = error.retry_after_s if isinstance(error, HttpError) else 0.0
    headers = {"Retry-After": str(ceil(wait))} if wait else {}
    if _is_api_request(request):
        limit = error.limit if isinstance(error, HttpError) else ""
        told = error_body(status, _message_for_api(request, sentence), say, limit, wait)
        return Response(told, status_code=status, headers=headers, media_type=MediaType.JSON)
    title = say.t("server.not-found" if status == 404 else "server.problem")
    try:
        page = templates.page(
            "problem.html", say, status=status, title=title, sentence=say(sentence)
        )
        page.headers.update(headers)
        return page
    except Exception:
        log.exception("not even the page for problems works")
        return Response(say(sentence), status_code=status, media_type=MediaType.TEXT)


def _status_and_message(error: Exception) -> tuple[int, Message]:
    match error:
        case HttpError():
            return error.status, error.sentence
        case Refused():
            return 422, error.refusal
        case RecursionError():
            return 400, message("server.bad-request")
        case StoreUnreachable():
            return 503, message("server.unreachable")
        case StoreError():
            return 503, message("server.not-stored")
        case HTTPException(status_code=404):
            return 404, message("server.no-page")
        case HTTPException(status_code=405):
            return 405, message("server.no-method")
        case HTTPException(status_code=413):
            return 413, message("server.too-large", bytes=MAX_BODY_BYTES)
        case ValidationException(extra=[{"key": str(key), "message": str(problem)}, *_]):
            return 400, message("server.bad-request", where=key, problem=problem)
        case HTTPException(status_code=status) if status < 500:
            return status, message("server.bad-request")
        case InternalServerException(detail=detail) if "disconnected" in detail:
            return 400, message("server.bad-request")  # Nobody is there to be told.
    return 500, message("server.failed")


def _is_api_request(request: AnyRequest) -> bool:
    path = request.scope["path"]
    return path == API_ROOT or path.startswith(f"{API_ROOT}/")


def _message_for_api(request: AnyRequest, sentence: Message) -> Message:
    """The message for a program; without a version in its path it is told which one there is."""
    is_versioned = request.scope["path"].startswith(f"{API_PATH}/")
    is_nowhere = sentence.id == "server.no-page"
    versioned = message("server.api-version", address=API_PATH)
    return versioned if is_nowhere and not is_versioned else sentence
