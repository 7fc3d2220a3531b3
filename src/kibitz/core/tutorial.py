"""A tutorial: small steps on a live board, each with one thing to find. Data, not code.

A game keeps its own in `tutorial.toml`:

    exhibit = ["@b3", "@g7"]       # left out, or a match from the start that plays by itself

    [options]                      # of the game, for all steps; may be empty

    [[steps]]
    id = "push"                    # words: <game>.learn-push-title, .learn-push, .learn-push-done
    start = "<position text>"      # left out: goes on where the step before ended
    seat = "A"                     # who the learner plays
    solves = ['e4:E1']             # in order, one expression a point: the canonical text fits it
    then = ["e5:W1"]               # what others or chance do afterwards, played out on the board
    rule = "3.3"                   # the paragraph it rests on

Where an expression is an action of chance (`R pop 6`), the learner presses and chance gives
exactly that text: such an expression is written without any signs that stand for others.
Everywhere else expressions keep to what means the same in Python and in JavaScript.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.core.game import Seat
from kibitz.core.message import Message, message

_NEEDED = {"id": str, "seat": str, "solves": list, "rule": str}
_OPTIONAL = {"start": str, "then": list}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One step: what the learner has to find, and what follows."""

    id: str
    seat: Seat
    solves: tuple[re.Pattern[str], ...]
    rule: str
    start: str | None = None
    """None: it goes on where the step before ended."""
    then: tuple[str, ...] = ()

    def is_solved(self, point: int, text: str) -> bool:
        """True if this action is the one to find, after so many that were found."""
        return self.solves[point].fullmatch(text) is not None

    def title(self, game: str) -> Message:
        return message(f"{game}.learn-{self.id}-title", self.rule)

    def task(self, game: str) -> Message:
        return message(f"{game}.learn-{self.id}", self.rule)

    def praise(self, game: str) -> Message:
        """The message that says what the step brought."""
        return message(f"{game}.learn-{self.id}-done", self.rule)


@dataclass(frozen=True, slots=True)
class Tutorial:
    options: Mapping[str, Any]
    steps: tuple[Lesson, ...]
    exhibit: tuple[str, ...] = ()
    """A match from the start, for whoever has never seen the game."""


def read_tutorial(text: str) -> Tutorial:
    """A tutorial from the text of its file; raises ValueError, which says what is wrong where."""
    given = tomllib.loads(text)
    _check("tutorial", given, {"options": dict, "steps": list}, {"exhibit": list})
    steps = tuple(_lesson(number, each) for number, each in enumerate(given["steps"], 1))
    ids = [lesson.id for lesson in steps]
    if twice := sorted({id for id in ids if ids.count(id) > 1}):
        raise ValueError(f"tutorial: two steps with the id {twice[0]!r}")
    if steps and steps[0].start is None:
        raise ValueError(f"step {ids[0]!r}: the first step needs a start")
    return Tutorial(given["options"], steps, tuple(given.get("exhibit", ())))


def _lesson(number: int, given: Mapping[str, Any]) -> Lesson:
    where = f"step {given.get('id', number)!r}"
    _check(where, given, _NEEDED, _OPTIONAL)
    if not given["solves"]:
        raise ValueError(f"{where}: nothing solves it")
    return Lesson(
        id=given["id"],
        seat=given["seat"],
        solves=tuple(_expression(where, each) for each in given["solves"]),
        rule=given["rule"],
        start=given.get("start"),
        then=tuple(given.get("then", ())),
    )


def _expression(where: str, text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise ValueError(f"{where}: {text!r} is no regular expression: {error}") from error


def _check(
    where: str, given: Mapping[str, Any], needed: Mapping[str, type], optional: Mapping[str, type]
) -> None:
    """All that is needed is there, nothing is unknown, and everything is of its type."""
    known = {**needed, **optional}
    if unknown := sorted(given.keys() - known.keys()):
        raise ValueError(f"{where}: unknown key {unknown[0]!r}; known are {', '.join(known)}")
    if missing := sorted(needed.keys() - given.keys()):
        raise ValueError(f"{where}: {missing[0]!r} is missing")
    for name, value in given.items():
        if not isinstance(value, known[name]):
            raise ValueError(f"{where}: {name!r} must be a {known[name].__name__}")
        if isinstance(value, list) and name != "steps" and not _are_texts(value):
            raise ValueError(f"{where}: {name!r} must be a list of texts")


def _are_texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)
