"""What is heard of the games."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kibitz.games import GAMES
from support.languages.catalogues import catalogue_entries

VOICES = (
    Path(__file__).parents[2] / "src" / "kibitz" / "web" / "static" / "lib" / "sound" / "synth.js"
)
PAGE_ONLY = {"turn", "tick", "refused", "defeat"}
"""Sounds that the page plays in every game; the last one is for whoever lost."""

CLOSE = {"kahmate": "13/13/13/11T1/13/9o3/13/13 R play - l4 123456/123456 0-0 9 -"}
"""Positions where something is near that a random match seldom comes to."""


def voices() -> set[str]:
    """The sounds that the page can make."""
    recipes = VOICES.read_text().split("const RECIPES = {")[1].split("\n};")[0]
    return set(re.findall(r"^  (\w+)[:,]", recipes, re.MULTILINE))


def event_ids(name: str, seed: int) -> set[str]:
    """The ids of all that happens in a random match which tries all kinds of actions alike."""
    rulebook, rng = GAMES[name], Random(seed)
    game = rulebook.game(rulebook.preset)
    position = rng.choice((rulebook.showcase, CLOSE.get(name, rulebook.showcase)))
    state = game.rules.start() if position == "start" else game.notation.read_state(position)
    seen: set[str] = set()
    for _ in range(400):
        listed = {
            who: game.rules.turn_actions(state, who) for who in sorted(game.rules.to_act(state))
        }
        actors = [who for who, actions in listed.items() if actions]
        if not actors:
            break
        actor = rng.choice(actors)
        step = game.rules.resolve(state, actor, some_action(listed[actor], rng))
        state = step.state
        seen |= {event.message.id for event in step.events}
    return seen


def some_action(actions: tuple[Any, ...], rng: Random) -> Any:
    kinds: dict[type, list[Any]] = {}
    for action in actions:
        kinds.setdefault(type(action), []).append(action)
    return rng.choice(kinds[rng.choice(sorted(kinds, key=lambda kind: kind.__name__))])


@pytest.mark.parametrize("name", GAMES)
def test_what_is_heard_is_said_too(name: str) -> None:
    sounds = GAMES[name].game(GAMES[name].preset).ui.sounds
    listed = catalogue_entries(GAMES[name].words, "en")
    said = {each.id[0] if isinstance(each.id, tuple) else each.id for each in listed}
    assert sounds
    assert sounds.keys() <= said


@pytest.mark.parametrize("name", GAMES)
def test_the_page_can_make_every_sound(name: str) -> None:
    sounds = GAMES[name].game(GAMES[name].preset).ui.sounds
    assert set(sounds.values()) <= voices() - PAGE_ONLY


def test_no_sound_is_made_for_nothing() -> None:
    used = {s for book in GAMES.values() for s in book.game(book.preset).ui.sounds.values()}
    assert used | PAGE_ONLY == voices()


@pytest.mark.parametrize("name", GAMES)
def test_every_sound_is_heard_in_some_match(name: str) -> None:
    sounds = GAMES[name].game(GAMES[name].preset).ui.sounds
    missing = set(sounds.values())
    for seed in range(40):
        missing -= {sounds[id] for id in event_ids(name, seed) if id in sounds}
        if not missing:
            return
    assert not missing


def test_what_is_secret_makes_no_sound() -> None:
    """Not even that somebody is choosing."""
    sounds = GAMES["kahmate"].game({}).ui.sounds
    assert not sounds.keys() & {"kahmate.placed", "kahmate.lined-up", "kahmate.card-down"}
