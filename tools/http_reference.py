"""The reference of the HTTP API as a page of the documentation, from the server's own schema.

    .venv/bin/python tools/http_reference.py docs/reference/http.md

`make docs` writes it before it builds the site.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from litestar.testing import TestClient

from kibitz.server.app import create_app
from kibitz.server.http.openapi import API_PATH, TAGS
from kibitz.server.settings import Settings

HEAD = f"""# HTTP API reference

Every address of the API, with what it takes and what it returns. Start with [the guide](../api.md).
Addresses begin with `{API_PATH}`. A server has the same as a schema at `{API_PATH}/openapi.json`.
"""
METHODS = ("get", "post", "put", "patch", "delete")


def fetch_schema() -> Mapping[str, Any]:
    """The OpenAPI schema of a server that is made for this and thrown away."""
    with (
        TemporaryDirectory() as folder,
        TestClient(create_app(Settings(data=Path(folder), prepares_bots=False))) as client,
    ):
        return dict(client.get(f"{API_PATH}/openapi.json").json())


def render_page(schema: Mapping[str, Any]) -> str:
    """Markdown: a section for each tag, then the shapes that travel."""
    return "\n".join((HEAD, *_operations(schema), *_shapes(schema)))


def _operations(schema: Mapping[str, Any]) -> Iterator[str]:
    for tag, about in TAGS.items():
        yield f"\n## {tag.capitalize()}\n\n{about}.\n"
        for path, operations in schema["paths"].items():
            for method in METHODS:
                operation = operations.get(method, {})
                if tag in operation.get("tags", ()):
                    yield from _operation(method, path, operation)


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"### `{method.upper()} {path.removeprefix(API_PATH)}`\n"
    yield f"{operation['summary'].rstrip('.')}. {operation.get('description', '')}".rstrip()
    yield ""
    parameters = operation.get("parameters", ())
    if parameters:
        yield "| parameter | in | type | about |\n|---|---|---|---|"
        for each in parameters:
            about = _cell(each.get("description", ""))
            yield f"| `{each['name']}` | {each['in']} | {_type(each['schema'])} | {about} |"
        yield ""
    if "requestBody" in operation:
        yield f"Body: {_content(operation['requestBody'])}\n"
    answers = operation["responses"]
    for status, answer in answers.items():
        if int(status) < 400:
            yield f"Returns {status}: {_content(answer)}.\n"
    failures = ", ".join(status for status in answers if int(status) >= 400)
    yield f"Errors: {failures}.\n"


def _content(body: Mapping[str, Any]) -> str:
    kinds = [_type(each.get("schema", {})) for each in body.get("content", {}).values()]
    return " or ".join(dict.fromkeys(kinds)) or _cell(body.get("description", ""))


def _shapes(schema: Mapping[str, Any]) -> Iterator[str]:
    yield "\n## Shapes\n"
    for name, shape in sorted(schema["components"]["schemas"].items()):
        yield f"### {name} {{ #{_anchor(name)} }}\n"
        if "description" in shape:
            yield f"{shape['description']}\n"
        fields = shape.get("properties")
        if fields is None:
            yield f"{_type(shape)}\n"
            continue
        required = shape.get("required", ())
        yield "| field | type | required | about |\n|---|---|---|---|"
        for field, kind in fields.items():
            about, is_required = _cell(kind.get("description", "")), field in required
            yield f"| `{field}` | {_type(kind)} | {'yes' if is_required else ''} | {about} |"
        yield ""


def _type(kind: Mapping[str, Any]) -> str:
    """A type in words; another shape is a link to its section."""
    if "$ref" in kind:
        name = kind["$ref"].rpartition("/")[2]
        return f"[{name}](#{_anchor(name)})"
    for key in ("anyOf", "oneOf", "allOf"):
        if key in kind:
            return " or ".join(dict.fromkeys(map(_type, kind[key])))
    if "enum" in kind:
        return ", ".join(f"`{value}`" for value in kind["enum"])
    if "const" in kind:
        return f"`{kind['const']}`"
    if kind.get("type") == "array":
        items = kind.get("items", {})
        of = [items] if isinstance(items, dict) else kind["prefixItems"]
        return f"list of {' and '.join(dict.fromkeys(map(_type, of)))}"
    if "additionalProperties" in kind and isinstance(kind["additionalProperties"], dict):
        return f"object of {_type(kind['additionalProperties'])}"
    types = kind.get("type", "anything")
    return " or ".join(types) if isinstance(types, list) else str(types)


def _anchor(name: str) -> str:
    """An anchor that no section of addresses has."""
    return f"shape-{name.lower()}"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(render_page(fetch_schema()), encoding="utf-8")
