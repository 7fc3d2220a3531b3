"""A match is its record: options, start, actions. Everything else is replayed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from kibitz.core.game import Action, Actor, Game, State, Step, View
from kibitz.core.message import Refusal, Refused, message
from kibitz.core.values import FrozenValue

FORMAT_VERSION = 1
START = "start"
UNFINISHED = "*"
REQUIRED_FIELDS = {"game": str, "rules": str, "options": dict, "start": str, "actions": list}
EXTRA_FIELDS = {
    "teams": dict,
    "seats": dict,
    "times": list,
    "log": list,
    "seal": dict,
    "arena": dict,
}
"""The keys of a record beside those needed to replay it, where they apply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Texts in order, chance and referee included; the result is only a check."""

    game: str
    rules: str
    options: Mapping[str, Any]
    start: str = START
    actions: tuple[str, ...] = ()
    result: Any = UNFINISHED
    extras: Mapping[str, Any] = field(default_factory=dict)


class ReplayStep(FrozenValue, Generic[State, Action], frozen=True):
    """One line of a record, replayed."""

    before: State
    actor: Actor
    step: Step[State, Action]


class Fault(FrozenValue, frozen=True):
    """A fault in a record; no index where it is not one of its actions."""

    index: int | None
    refusal: Refusal


def write_record(record: Record) -> str:
    needed = {name: getattr(record, name) for name in (*REQUIRED_FIELDS, "result")}
    return json.dumps({"kibitz": FORMAT_VERSION, **needed, **record.extras}, ensure_ascii=False)


def read_json(text: str) -> Any:
    """JSON and nothing looser: no NaN, no nesting without end."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise Refused(message("record.json")) from None


def read_record(text: str) -> Record:
    found = read_json(text)
    if not isinstance(found, dict):
        raise Refused(message("record.format", format=FORMAT_VERSION))
    edition = found.pop("kibitz", None)
    if type(edition) is not int or edition != FORMAT_VERSION:
        raise Refused(message("record.format", format=FORMAT_VERSION))
    for name in (*REQUIRED_FIELDS, "result"):
        if name not in found:
            raise Refused(message("record.missing", name=name))
    for name, value in found.items():
        kind = {**REQUIRED_FIELDS, **EXTRA_FIELDS, "result": object}.get(name)
        if kind is None:
            raise Refused(message("record.unknown", name=name[:60]))
        if not isinstance(value, kind):
            raise Refused(message("record.type", name=name))
    if not all(isinstance(action, str) for action in found["actions"]):
        raise Refused(message("record.type", name="actions"))
    extras = {name: found.pop(name) for name in EXTRA_FIELDS if name in found}
    return Record(**{**found, "actions": tuple(found["actions"]), "extras": extras})


def first_state(game: Game[State, Action, View], record: Record) -> State:
    return game.rules.start() if record.start == START else game.notation.read_state(record.start)


def replay(game: Game[State, Action, View], record: Record) -> Iterator[ReplayStep[State, Action]]:
    """Every line of the match with the state before it and the step it makes."""
    state = first_state(game, record)
    for text in record.actions:
        action = game.notation.read_action(text)
        actor = game.rules.actor_of(state, action)
        step = game.rules.resolve(state, actor, action)
        yield ReplayStep(state, actor, step)
        state = step.state


def verify(game: Game[State, Action, View], record: Record) -> Fault | None:
    """The first thing in the record that does not follow."""
    index: int | None = None
    try:
        state = first_state(game, record)
        index = 0
        for played in replay(game, record):
            spelt = game.notation.write_action(played.step.action)
            if spelt != record.actions[index]:
                return Fault(index, message("record.spelling", text=spelt))
            state, index = played.step.state, index + 1
    except Refused as fault:
        return Fault(index, fault.refusal)
    outcome = game.rules.outcome(state)
    result = outcome.result if outcome else UNFINISHED
    if record.result != result:
        shown = result if isinstance(result, str) else json.dumps(result)
        return Fault(None, message("record.result", result=shown))
    refusal = _why_not_extras(game, state, record)
    return Fault(None, refusal) if refusal else None


def _why_not_extras(
    game: Game[State, Action, View], state: State, record: Record
) -> Refusal | None:
    """The fault in what a record says of people and times."""
    given = record.extras
    if "times" in given and not _are_times(given["times"], len(record.actions)):
        return message("record.times")
    letters = {game.policy.seat_letter(state, seat) for seat in game.seats}
    kind = "teams" if letters == set(game.seats) else "seats"
    for name in ("teams", "seats"):
        is_well = all(map(_is_team, given.get(name, {}).values()))
        if name in given and (name != kind or not is_well or not given[name].keys() <= letters):
            return message("record.people", name=name)
    return None


def _are_times(times: list[Any], count: int) -> bool:
    """One for each action, in seconds, and none before the one it follows."""
    are_numbers = all(type(each) in (int, float) for each in times)
    return len(times) == count and are_numbers and [0, *times] == sorted([0, *times])


def _is_team(team: object) -> bool:
    if not isinstance(team, dict):
        return False
    players = team.get("players", [])
    names = [team.get("name", ""), *players] if isinstance(players, list) else [None]
    return all(isinstance(each, str) for each in names)


def _refuse_constant(name: str) -> None:
    raise ValueError(name)
