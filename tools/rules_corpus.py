"""The rules of two checkouts compared: requests to `kibitz rules`, and the answers to them.

    .venv/bin/python tools/rules_corpus.py make corpus.jsonl
    .venv/bin/python tools/rules_corpus.py answer corpus.jsonl new.jsonl
    .venv/bin/python tools/rules_corpus.py answer corpus.jsonl old.jsonl \\
        --kibitz OLD/.venv/bin/kibitz
    .venv/bin/python tools/rules_corpus.py diff corpus.jsonl old.jsonl new.jsonl

The corpus is the same every time it is made in a checkout: random matches of every game under
random options, from the start and from the positions on the rules page, with mishaps, views, faulty
positions and actions that are refused. A sentence that merely reads differently is no difference.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from kibitz.core.game import SPECTATOR, Game, Rulebook
from kibitz.core.message import Refused
from kibitz.core.options import Choice, Flag, WholeNumber
from kibitz.core.record import START
from kibitz.games import GAMES

Request: TypeAlias = dict[str, Any]
AnyGame: TypeAlias = Game[Any, Any, Any]

RULES = Path(__file__).parents[1] / "docs" / "rules"
LINES_PER_GAME = 10_000
LONGEST_WALK = 90
OTHER_VALUES: dict[str, tuple[Any, ...]] = {
    "team_size": ([2, 1, 3, 1], [1, 1, 1, 2]),
    "unit_name": ("juice",),
    "unit_factor": (0.5, 2),
    "litres_per_share": (0, 0.25),
}
"""For options of kinds that only one game has."""
TELLING_OPTIONS = ("mode",)
"""Options on which so much depends that they are chosen half of the time."""
ENDINGS = ("resign", "forfeit", "draw", "void", "ref end", "led won")
"""Beginnings of events that end a match: rare, for there is little to ask afterwards."""


def make_corpus(lines_per_game: int) -> Iterator[Request]:
    for rulebook in GAMES.values():
        yield from islice(_requests(rulebook), lines_per_game)


def _requests(rulebook: Rulebook) -> Iterator[Request]:
    page = (RULES / f"{rulebook.name}.md").read_text()
    examples = [line.strip() for line in page.splitlines() if line.startswith("    ")]
    number = 0
    while True:
        rng = Random(f"{rulebook.name} {number}")
        number += 1
        options = random_options(rulebook, rng)
        try:
            game = rulebook.game(options)
        except Refused:
            yield {"game": rulebook.name, "options": options}
            continue
        for request in _walk(rulebook.name, game, random_start(game, examples, rng), rng):
            yield {"game": rulebook.name, **({"options": options} if options else {}), **request}


def random_options(rulebook: Rulebook, rng: Random) -> dict[str, Any]:
    """A few options, often none; now and then with a value that does not go."""
    chosen: dict[str, Any] = {}
    for each in fields(rulebook.options):
        if rng.random() < (0.5 if each.name in TELLING_OPTIONS else 0.85):
            continue
        match each.metadata["allowed"]:
            case Choice(words):
                chosen[each.name] = rng.choice(words)
            case WholeNumber(least, most):
                chosen[each.name] = rng.randint(least, min(most or 40, 40))
            case Flag():
                chosen[each.name] = rng.random() < 0.5
            case _:
                chosen[each.name] = rng.choice(OTHER_VALUES[each.name])
        if rng.random() < 0.02:
            chosen[each.name] = rng.choice((True, 1.0, "1", -1, "perhaps"))
    if chosen.get("unit") == "custom":
        chosen["unit_name"] = "juice"
    elif rng.random() < 0.95:
        chosen.pop("unit_name", None)
    return chosen


def random_start(game: AnyGame, examples: list[str], rng: Random) -> str:
    """The start, or a position of the rules page that these options allow."""
    for text in rng.sample(examples, len(examples)) if rng.random() < 0.7 else ():
        try:
            game.notation.read_state(text)
        except Refused:
            continue
        return text
    return START


def _walk(name: str, game: AnyGame, start: str, rng: Random) -> Iterator[Request]:
    """Requests met on the way of one random match."""
    state = game.rules.start() if start == START else game.notation.read_state(start)
    opening = {} if start == START else {"position": start}
    played: list[str] = []
    for _ in range(rng.randint(5, LONGEST_WALK)):
        if game.rules.outcome(state) and rng.random() < 0.3:
            return
        is_odd = rng.random() < (0.25 if game.rules.to_act(state) else 0.7)
        text = odd_action(name, rng)
        if not is_odd:
            text = rng.choice(_legal_texts(game, state) or [text])
        position = {"position": game.notation.write_state(state)}
        if rng.random() < 0.25:
            yield {**position, "actions": [text]}
        if rng.random() < 0.05:
            yield {**opening, "actions": [*played, text]}
        if rng.random() < 0.05:
            yield {**position, "view": rng.choice((*game.seats, SPECTATOR))}
        if rng.random() < 0.05:
            yield {"position": _with_slip(position["position"], rng)}
        try:
            action = game.notation.read_action(text)
            state = game.rules.resolve(state, game.rules.actor_of(state, action), action).state
        except Refused:
            continue
        played.append(text)


def _legal_texts(game: AnyGame, state: Any) -> list[str]:
    """Whatever may be done next; what may be said at any time once for all teams."""
    actions = [
        action
        for actor in sorted(game.rules.to_act(state))
        for action in game.rules.turn_actions(state, actor)
    ]
    if not actions:
        actions = [a for seat in game.seats for a in game.rules.anytime_actions(state, seat)]
    return sorted(map(game.notation.write_action, actions))


def odd_action(name: str, rng: Random) -> str:
    """An event, or something that is seldom allowed."""
    team, other, seat = rng.choice("RBYG"), rng.choice("RBYG"), rng.choice("abcd")
    n, m, face = rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 6)
    side = rng.choice("RB")
    square, near = (rng.choice("bcfghijkl") + str(rng.randint(1, 8)) for _ in range(2))
    by_game: dict[str, tuple[str, ...]] = {
        "kahmate": (
            *("end", "no", f"card={face}", f"exit={square}", f"drop={square}", f"int={square}"),
            *(f"{square}{sign}{near}" for sign in "-x>~^"),
            *(f"resign {side}", f"forfeit {side}", "draw", "void"),
            *("continue 2", "continue 3"),
        ),
        "kalamala": ("resign A", "forfeit B", "void", f"@{square}", f"{square}:N{n}"),
        "as-kimble": (
            *("church", "break", "resume", f"warm {face}", f"fix {face}", f"{team} sticky"),
            *(f"{team} silent {face}", f"{team} stray {face}", f"{team} ignored"),
            *(f"{seat} sticky", f"{seat} silent {face}", f"{seat} lot {face}"),
            *(f"{team} hembo jag", f"{team} hembo vi", f"{team} done {n}", f"{team} pass"),
            *(f"led eat {team}{n} {other}{m}", f"led mine {team}{n} {other}{m}"),
            *(f"led mine {team}{n} -{m}", f"led raise {team}", f"led raise {team} {other}{m}"),
            *(f"led hembo {team} {how}" for how in ("said", "missed", "wrong", "uncalled")),
            *(f"led won {team}", f'led won {team} "late"', 'note "tea"', 'ref rule "so"'),
            *(f'ref pen {team} +{n} "why"', f'ref done {team} -{n} "why"', 'ref end "late"'),
        ),
    }
    choices = by_game.get(name, ("void",))
    is_ending = rng.random() < 0.1
    found = [text for text in choices if is_ending or not text.startswith(ENDINGS)]
    return rng.choice(found or choices)


def _with_slip(position: str, rng: Random) -> str:
    """The position with one letter struck out, doubled or changed for another of its letters."""
    at = rng.randrange(len(position))
    middle = rng.choice(("", position[at] * 2, rng.choice(position)))
    return position[:at] + middle + position[at + 1 :]


def write_answers(corpus: Path, answers: Path, kibitz: str) -> str:
    """Ask a checkout all of a corpus; the digest of its answers, sentences left out."""
    with corpus.open("rb") as asked, answers.open("wb") as told:
        subprocess.run([kibitz, "rules"], stdin=asked, stdout=told, check=True)
    lines = answers.read_text().splitlines()
    bare = "\n".join(json.dumps(_without_sentence(json.loads(line))) for line in lines)
    return f"{len(lines)} answers, {hashlib.sha256(bare.encode()).hexdigest()}"


def _without_sentence(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "why"}


def differences(corpus: Path, old: Path, new: Path) -> Iterator[tuple[int, Request, Any, Any]]:
    """Number and request of each line that is answered differently, and both answers."""
    files = (file.read_text().splitlines() for file in (corpus, old, new))
    for number, lines in enumerate(zip(*files, strict=True), start=1):
        request, before, after = map(json.loads, lines)
        if _without_sentence(before) != _without_sentence(after):
            yield number, request, before, after


def print_differences(corpus: Path, old: Path, new: Path) -> int:
    """Print the lines that differ, grouped by what has become of which answer; their number."""
    groups: dict[str, list[tuple[int, Request]]] = defaultdict(list)
    for number, request, before, after in differences(corpus, old, new):
        groups[f"{request['game']}: {_gist(before)} -> {_gist(after)}"].append((number, request))
    for title, found in sorted(groups.items()):
        print(f"{len(found):6} {title}")
        for number, request in found[:3]:
            print(f"       line {number}: {json.dumps(request)[:300]}")
    total = sum(map(len, groups.values()))
    print(f"{total} lines differ")
    return total


def _gist(answer: dict[str, Any]) -> str:
    return f"refuses the {answer['error']}" if "error" in answer else "answers"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make", help="write the corpus")
    make.add_argument("corpus", type=Path)
    make.add_argument("--lines-per-game", type=int, default=LINES_PER_GAME)
    answer = commands.add_parser("answer", help="answer it, and print the digest")
    answer.add_argument("corpus", type=Path)
    answer.add_argument("answers", type=Path)
    answer.add_argument("--kibitz", default=str(Path(sys.executable).with_name("kibitz")))
    diff = commands.add_parser("diff", help="compare two files of answers")
    for name in ("corpus", "old", "new"):
        diff.add_argument(name, type=Path)
    asked = parser.parse_args()
    match asked.command:
        case "make":
            lines = [json.dumps(request) for request in make_corpus(asked.lines_per_game)]
            asked.corpus.write_text("\n".join(lines) + "\n")
            print(f"{len(lines)} lines, {hashlib.sha256(asked.corpus.read_bytes()).hexdigest()}")
        case "answer":
            print(write_answers(asked.corpus, asked.answers, asked.kibitz))
        case "diff":
            return int(print_differences(asked.corpus, asked.old, asked.new) > 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
