"""The rules filter and a second, naive reading of the rules give the same answers.

reference.py was written from the rule book alone and shares no code with the game.
"""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from games.kalamala import reference
from kibitz.cli.rules import answer_line
from kibitz.games.kalamala import Options, kalamala

REPETITION = ("none", "ko", "superko", "superko-situational")


def differ(request: Any) -> None:
    line = request if isinstance(request, str) else json.dumps(request)
    ours, theirs = json.loads(answer_line(line)), reference.answer(line)
    for found in (ours, theirs):
        if "why" in found:
            assert found.pop("why")
    assert ours == theirs, line


def some_options(rng: random.Random) -> dict[str, Any]:
    options: dict[str, Any] = {"repetition": rng.choice(REPETITION)}
    if rng.random() < 0.2:
        options["first"] = rng.choice("AB")
    if rng.random() < 0.3:
        options["turn_limit"] = rng.choice((0, 1, 20, 60, 200))
    return options


def some_actions(rng: random.Random, line: dict[str, Any]) -> list[str]:
    """A few actions, mostly legal, some in another spelling, some wrong."""
    actions: list[str] = []
    for _ in range(rng.randrange(6)):
        found = json.loads(answer_line(json.dumps({**line, "actions": actions})))
        if not found.get("legal"):
            break
        text = rng.choice(found["legal"])
        chance = rng.random()
        if chance < 0.15:
            text = spelling(rng)
        elif chance < 0.18:
            text = rng.choice(("resign A", "forfeit B", "void", "resign C", "pass", ""))
        actions.append(text)
    return actions


def spelling(rng: random.Random) -> str:
    squares = [file + rank for file in "abcdefgh" for rank in "12345678"]
    chain = rng.choice(squares)
    if rng.random() < 0.4:
        chain += "-" + rng.choice(squares)
    return f"{chain}:{rng.choice(('N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'))}{rng.randint(1, 3)}"


def compare(seed: int, lines: int) -> None:
    rng = random.Random(seed)
    for _ in range(lines):
        line: dict[str, Any] = {"game": "kalamala", "options": some_options(rng)}
        if rng.random() < 0.9:
            line["position"] = reference.random_position(rng)
        if "position" in line and rng.random() < 0.15:
            line["position"] = reference.spoil(line["position"], rng)
        line["actions"] = some_actions(rng, line)
        if rng.random() < 0.3:
            line["view"] = rng.choice(("A", "B", "spectator", "C"))
        differ(line)


@pytest.mark.parametrize("seed", range(8))
def test_both_readings_agree(seed: int) -> None:
    compare(seed, 40)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_both_readings_agree_at_length(seed: int) -> None:
    compare(seed, 500)


@pytest.mark.parametrize("seed", range(6))
def test_all_spellings_are_accepted_or_refused_alike(seed: int) -> None:
    """Moves that anybody could write, three thousand and all legal ones, on random positions."""
    rng = random.Random(seed)
    options = reference.Options(rng.choice(REPETITION))
    position = reference.random_position(rng)
    known, _ = reference.legal(reference.read_position(position, options), options)
    game = kalamala(Options(repetition=options.repetition))
    state = game.notation.read_state(position)
    for text in (*known, *(spelling(rng) for _ in range(3000))):
        if re.fullmatch(r"(..)-\1:.*", text):
            continue
        action = game.notation.read_action(text)
        if text in known:
            step = game.rules.resolve(state, state.side, action)
            assert game.notation.write_action(step.action) == known[text], (position, text)
        else:
            assert game.rules.why_not(state, state.side, action), (position, text)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        "null",
        "NaN",
        '"kalamala"',
        "{}",
        '{"game": null}',
        '{"game": "go"}',
        '{"game": ["kalamala"]}',
        '{"game": "kalamala", "position": null}',
        '{"game": "kalamala", "position": 5}',
        '{"game": "kalamala", "options": null}',
        '{"game": "kalamala", "options": []}',
        '{"game": "kalamala", "actions": null}',
        '{"game": "kalamala", "actions": "@a1"}',
        '{"game": "kalamala", "actions": ["@a1", 1]}',
        '{"game": "kalamala", "view": null}',
        '{"game": "kalamala", "view": "R"}',
        '{"game": "kalamala", "view": ["A"]}',
        '{"game": "kalamala", "options": {"turn_limit": true}}',
        '{"game": "kalamala", "options": {"turn_limit": 1.0}}',
        '{"game": "kalamala", "options": {"turn_limit": "1"}}',
        '{"game": "kalamala", "options": {"turn_limit": -1}}',
        '{"game": "kalamala", "options": {"turn_limit": null}}',
        '{"game": "kalamala", "options": {"turn_limit": NaN}}',
        '{"game": "kalamala", "options": {"turn_limit": 1e2}}',
        '{"game": "kalamala", "options": {"turn_limit": -0}}',
        '{"game": "kalamala", "options": {"turn_limit": 99999999999999999999999}}',
        '{"game": "kalamala", "options": {"repetition": "KO"}}',
        '{"game": "kalamala", "options": {"repetition": ["ko"]}}',
        '{"game": "kalamala", "options": {"repetition": {}}}',
        '{"game": "kalamala", "options": {"first": "C"}}',
        '{"game": "kalamala", "options": {"komi": 1}}',
        '{"game": "kalamala", "options": {"komi": 1}, "position": "x", "actions": ["y"]}',
        '{"game": "kalamala", "options": {"first": "B"}, "actions": ["@a1", "@a1"]}',
        '{"game": "kalamala", "extra": 1, "view": "spectator"}',
        '{"game": "kalamala", "actions": ["resign B", "void"]}',
        '{"game": "kalamala", "actions": ["\\ud800"]}',
        '{"game": "kalamala", "position": "start "}',
        '\ufeff{"game": "kalamala"}',
        "[" * 100_000,
    ],
)
def test_odd_lines_are_answered_alike(line: str) -> None:
    differ(line)
