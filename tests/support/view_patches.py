"""Whole views made of patches, as a page does (web/static/table/view_patches.js)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

NEWS: dict[str, Any] = {"svg": None, "layers": {}, "events": [], "short_texts": [], "log": []}
TAG = "<"
HOLES = re.compile("[\ue100-\ue1ff]")
FIRST_HOLE = 0xE100
WHOLE = 0
"""The version of what there is after a whole view."""


class ViewPatches:
    def __init__(self) -> None:
        self.view: dict[str, Any] = {}
        self.version: int | None = None
        self.layers: dict[str, list[str]] = {}
        self.offers: list[Any] = []
        self.forms: list[str] = []

    def take(self, message: dict[str, Any]) -> dict[str, Any]:
        """The message as if it had come whole."""
        message = {**message}
        base, version = message.pop("base", None), message.pop("version", None)
        if message["type"] == "view":
            self.forms, self.version = [], WHOLE
            return self._keep(message, {})
        if base is None:
            return message
        assert base == self.version, f"for version {base}, not {self.version}"
        self.version = version
        if message["type"] == "people":
            self.view = {**self.view, "seats": message["seats"], "table": message["table"]}
            return message
        changed = {
            name: self._layer(name, sent) for name, sent in message.get("layers", {}).items()
        }
        view = {**self.view, **NEWS, **message, "type": "view"}
        view["layers"] = {name: TAG.join(parts) for name, parts in changed.items()}
        self.forms += view.pop("forms", [])
        if "offers" in message:
            view["offers"] = [
                fill_form(self.forms, each) for each in _reuse(self.offers, message["offers"])
            ]
        view["seats"] = [
            {**seat, "is_to_act": seat["seat"] in view["to_act"]} for seat in view["seats"]
        ]
        return self._keep(view, {**self.layers, **changed})

    @property
    def markup(self) -> dict[str, str]:
        """The layers that were sent as text, as they are now."""
        return {name: TAG.join(parts) for name, parts in self.layers.items()}

    def _keep(self, view: dict[str, Any], layers: dict[str, list[str]]) -> dict[str, Any]:
        self.view, self.layers = view, layers
        self.offers = view["offers"] or self.offers
        return view

    def _layer(self, name: str, sent: Any) -> list[str]:
        if sent is None:
            return self.layers[name]
        return sent.split(TAG) if isinstance(sent, str) else _reuse(self.layers[name], sent)


def fill_form(forms: Sequence[str], sent: Any) -> Any:
    """An offer, of one or of a row: the number of its form, and what fills it."""
    if not isinstance(sent, list):
        return sent
    number, *values = sent

    def text(hole: re.Match[str]) -> str:
        return json.dumps(values[ord(hole[0]) - FIRST_HOLE], ensure_ascii=False)[1:-1]

    return json.loads(HOLES.sub(text, forms[number]))


def _reuse(had: Sequence[Any], sent: Sequence[Any]) -> list[Any]:
    made: list[Any] = []
    parts = iter(sent)
    for part in parts:
        if isinstance(part, int):
            made += had[part : part + next(parts)]
        else:
            made.append(part)
    return made
