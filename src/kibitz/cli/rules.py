"""The rules for other programs: a line of JSON asks, a line of JSON answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from kibitz.core.game import CHANCE, SPECTATOR, Game, Rulebook, Viewer
from kibitz.core.message import Message, Refused, message
from kibitz.core.record import START, read_json
from kibitz.games import GAMES
from kibitz.i18n import FALLBACK, say_in
from kibitz.i18n.shell import refusal_sentence

SAY = say_in(FALLBACK)
"""Programs read one language; people read what goes with their own."""


@dataclass(frozen=True, slots=True)
class RulesRequest:
    """A line whose types are right; what it asks for may still be refused."""

    rulebook: Rulebook
    position: str
    options: dict[str, Any]
    actions: list[str]
    view: Viewer | None


class FaultyRequest(Exception):
    """The line cannot be answered: which part of it is at fault, and why."""

    def __init__(self, error: str, why: Message, index: int | None = None) -> None:
        super().__init__(error)
        self.answer = {"error": error, "index": index, "why": refusal_sentence(why, SAY)}


def answer_lines(lines: BinaryIO) -> Iterator[str]:
    for line in lines:
        yield answer_line(line)


def answer_line(line: str | bytes) -> str:
    """The answer to one line; a bad line gets an error object, never an exception."""
    try:
        found = _replay_request(_read_request(line))
    except FaultyRequest as fault:
        found = fault.answer
    return json.dumps(found)


def _read_request(line: str | bytes) -> RulesRequest:
    try:
        found = read_json(line.decode() if isinstance(line, bytes) else line)
    except (UnicodeDecodeError, Refused):
        raise FaultyRequest("input", message("filter.json")) from None
    if not isinstance(found, dict):
        raise FaultyRequest("input", message("filter.object"))
    name = found.get("game")
    rulebook = GAMES.get(name) if isinstance(name, str) else None
    if rulebook is None:
        raise FaultyRequest("input", message("filter.game", games=", ".join(GAMES)))
    position, options = found.get("position", START), found.get("options", {})
    actions, view = found.get("actions", []), found.get("view")
    if not isinstance(position, str):
        raise FaultyRequest("input", message("filter.position"))
    if not isinstance(options, dict):
        raise FaultyRequest("input", message("filter.options"))
    if not isinstance(actions, list) or not all(isinstance(text, str) for text in actions):
        raise FaultyRequest("input", message("filter.actions"))
    viewers = (*rulebook.game({}).seats, SPECTATOR)
    if "view" in found and (not isinstance(view, str) or view not in viewers):
        raise FaultyRequest("input", message("filter.view", viewers=", ".join(viewers)))
    return RulesRequest(rulebook, position, options, actions, view)


def _replay_request(request: RulesRequest) -> dict[str, Any]:
    try:
        game = request.rulebook.game(request.options)
    except Refused as refused:
        raise FaultyRequest("options", refused.refusal) from None
    try:
        start = request.position == START
        state = game.rules.start() if start else game.notation.read_state(request.position)
    except Refused as refused:
        raise FaultyRequest("position", refused.refusal) from None
    played = []
    for index, text in enumerate(request.actions):
        try:
            action = game.notation.read_action(text)
            step = game.rules.resolve(state, game.rules.actor_of(state, action), action)
        except Refused as refused:
            raise FaultyRequest("action", refused.refusal, index) from None
        played.append(game.notation.write_action(step.action))
        state = step.state
    return _position_answer(game, state, request.view, tuple(played))


def _position_answer(
    game: Game[Any, Any, Any], state: Any, view: Viewer | None, played: tuple[str, ...]
) -> dict[str, Any]:
    to_act, over = sorted(game.rules.to_act(state)), game.rules.outcome(state)
    position = game.notation.write_state(state)
    if view is not None:
        position = game.notation.write_view(game.rules.view(state, view, ()))
    extras = game.notation.filter_extras(state, played)
    # Whoever lets the die fall sees what it may show, once seats are more than chairs.
    falls = CHANCE in to_act and view in to_act and str(view) in (extras.get("to_act") or to_act)
    listing = [who for who in to_act if view in (None, who) or (falls and who == CHANCE)]
    legal = {
        game.notation.write_action(a)
        for actor in listing
        for a in game.rules.turn_actions(state, actor)
    }
    return {
        "position": position,
        "legal": sorted(legal),
        "to_act": to_act[0] if to_act else None,
        "terminal": over is not None,
        "result": over.result if over else None,
        **extras,
    }
