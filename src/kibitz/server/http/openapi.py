"""The schema of the API: what is said beside the code goes into it, so it is said once."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from litestar import Request
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Server, Tag
from msgspec import Struct

import kibitz
from kibitz.server.http.url_prefix import prefixed_path

API_ROOT = "/api"
API_PATH = f"{API_ROOT}/v1"
"""The place of the API; what would break programs comes under another number."""
SSE_MEDIA_TYPE = "text/event-stream"
LIST_OR_SSE_DESCRIPTION = "A list, or a stream of events that are as its entries"
BEARER = "token"
TAG_FIELD = "type"
"""The field that tells messages over a socket apart; of what is asked here its address does."""
SCHEMA_REFERENCE = "#/components/schemas/{name}"
TAGS = {
    "games": "Games, their options and the ladder",
    "me": "Your identity, tables, turns and tokens",
    "tables": "Finding, opening and joining tables",
    "playing": "Reading a table and acting at it",
    "chat": "Chat at a table",
    "records": "Match records, analyses and sealed dice",
    "analysis": "An analysis board: any position, nothing stored",
    "puzzles": "Positions with one best action: today's, by theme, answers and hints",
}


def openapi_config() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Kibitz",
        version=kibitz.__version__,
        description="Play, watch and analyse matches from your own programs. Guide: docs/api.md.",
        path=f"{API_PATH}/openapi.json",
        servers=[Server(url=prefixed_path("") or "/")],
        render_plugins=[_SchemaPlugin(path="/")],
        use_handler_docstrings=True,
        operation_id_creator=lambda handler, *_: handler.handler_name.rpartition(".")[2],
        tags=[Tag(name=name, description=about) for name, about in TAGS.items()],
        components=Components(
            security_schemes={
                BEARER: SecurityScheme(
                    type="http", scheme="bearer", description="From `GET /me` or `POST /me/tokens`"
                )
            }
        ),
        security=[{BEARER: []}, {}],
    )


class _SchemaPlugin(JsonRenderPlugin):
    _cached_json: bytes = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        if not self._cached_json:
            self._cached_json = self.render_json(request, _complete_schema(openapi_schema))
        return self._cached_json


def _complete_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Litestar knows the addresses; what travels is described by those who read and write it."""
    shapes = schema["components"]["schemas"]
    known = {kind.__name__: kind for kind in _all_structs(Struct)}
    ours = [kind for name, kind in known.items() if name in shapes]
    _, made = msgspec.json.schema_components(ours, ref_template=SCHEMA_REFERENCE)
    bodies = json.dumps(
        [each["requestBody"] for each in _operations(schema) if "requestBody" in each]
    )
    for name, shape in made.items():
        kind = known.get(name)
        is_body = f'"{SCHEMA_REFERENCE.format(name=name)}"' in bodies
        if is_body and kind and kind.__struct_config__.tag_field == TAG_FIELD:
            shape["required"].remove(TAG_FIELD)
        for property, about in (_field_docs(kind) if kind else {}).items():
            if property in shape.get("properties", {}):
                shape["properties"][property].setdefault("description", about)
    shapes.update(made)
    for operation in _operations(schema):
        _complete_responses(operation["responses"])
    return schema


def _operations(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in schema["paths"].values():
        yield from methods.values()


def _complete_responses(responses: dict[str, Any]) -> None:
    """Headers are text; and so is a stream, whatever its events are about."""
    for response in responses.values():
        for header in response.get("headers", {}).values():
            header.setdefault("schema", {"type": "string"})
        if SSE_MEDIA_TYPE in response.get("content", {}):
            response["content"][SSE_MEDIA_TYPE]["schema"] = {"type": "string"}
        elif response.get("description") == LIST_OR_SSE_DESCRIPTION:
            response["content"][SSE_MEDIA_TYPE] = {"schema": {"type": "string"}}


def _all_structs(kind: type[Struct]) -> Iterator[type[Struct]]:
    for each in kind.__subclasses__():
        if each.__module__.startswith("kibitz.server"):
            yield each
        yield from _all_structs(each)


@cache
def _field_docs(kind: type[Struct]) -> dict[str, str]:
    """The docstrings below the fields of a class, those of its bases included."""
    docs: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if issubclass(each, Struct) and each is not Struct:
            docs |= _own_field_docs(each)
    return docs


def _own_field_docs(kind: type[Struct]) -> dict[str, str]:
    names = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    [body] = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef)
    docs = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            text = " ".join(str(below.value.value).split())
            docs[names.get(field.target.id, field.target.id)] = text
    return docs
