"""The law of analysis, for every game that has one: chances are a mean over the mix that is shown.

It is a plain function over what was found, so that faulty findings can be held to it as well.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from kibitz.analysis.evaluation import Budget, result_chances
from kibitz.analysis.jobs import analyse_position
from kibitz.analysis.match import Entry, Match, match_from_record
from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS
from kibitz.core.game import CHANCE
from kibitz.core.record import START, UNFINISHED, Record
from kibitz.games import GAMES

TOLERANCE = 0.0005
"""Chances are told in ten thousandths."""
FEW = {"kalamala": Budget(nodes=800), "as-kimble": Budget(nodes=60), "kahmate": Budget(nodes=400)}
ANALYSED = [name for name, rulebook in GAMES.items() if "analysis" in rulebook.extras]
TACKLE = "13/8o4/13/13/5Soc5/3O9/13/13 R duel:T:f5>g5:1:- f5:0 g5 123456/123456 0-0 9 -"
PLAIN: tuple[tuple[dict[str, Any], str], ...] = (({}, START),)
MATCHES_OF: dict[str, tuple[tuple[dict[str, Any], str], ...]] = {
    "kahmate": (
        ({"turn_limit": 40}, START),
        ({"tries": 2}, TACKLE),
        ({"tries": 3, "placement": "open"}, START),
    )
}
"""The options and the beginning of each match."""
MOST = {"kalamala": 24, "as-kimble": 120, "kahmate": 130}
"""So many actions of a match are looked at."""


def chances_are_means_over_what_is_shown(entries: Sequence[Entry], seats: Sequence[str]) -> None:
    for entry in entries:
        where = entry.n, entry.action
        assert sum(entry.before) == pytest.approx(1), where
        assert all(-TOLERANCE <= each <= 1 + TOLERANCE for each in entry.before), where
        if entry.mix:
            assert sum(each.share for each in entry.mix) == pytest.approx(1), where
            mean = [
                sum(each.share * each.chances[n] for each in entry.mix) for n in range(len(seats))
            ]
            assert list(entry.before) == pytest.approx(mean, abs=TOLERANCE), where
            assert entry.after in [each.chances for each in entry.mix], where
        elif entry.kind == "choice":
            mine = seats.index(entry.actor)
            best, played = entry.best[0].chance, dict_of(entry)[entry.action]
            assert entry.before[mine] == pytest.approx(best, abs=TOLERANCE), where
            assert entry.after[mine] == pytest.approx(played, abs=TOLERANCE), where
            assert entry.loss == pytest.approx(best - played, abs=TOLERANCE), where
            assert entry.loss or entry.before == entry.after, where
        elif entry.kind in ("forced", "duel", "chance"):
            assert entry.before == entry.after, where
    for one, other in pairwise(entries):
        assert one.after == other.before, (one.n, other.n)


def dict_of(entry: Entry) -> dict[str, float]:
    return {each.action: each.chance for each in entry.best}


def play_match(name: str, options: dict[str, Any], start: str, bot: str, seed: int) -> Match:
    """The beginning of a match of this bot against itself."""
    game, rng = GAMES[name].game({**GAMES[name].bots_preset, **options}), Random(seed)
    state, texts = game.rules.start(), list[str]()
    if start != START:
        state = game.notation.read_state(start)
    while len(texts) < MOST[name] and not game.rules.outcome(state):
        able = sorted(game.rules.to_act(state))
        actor = CHANCE if CHANCE in able else able[0]
        actions: Any = game.rules.turn_actions(state, actor)
        action = rng.choice(actions)
        if actor != CHANCE and bot != "random":
            think = SearchContext(game, actor, rng, nodes=200, match=f"{name} {seed}")
            action = BOTS[bot](game.rules.view(state, actor, ()), actions, think)
        texts.append(game.notation.write_action(action))
        state = game.rules.resolve(state, actor, action).state
    record = Record(
        game=name,
        rules=game.version,
        options=dict(game.options),
        start=start,
        actions=tuple(texts),
        result=UNFINISHED,
    )
    return match_from_record(game, record, FEW[name])


@cache
def entries_of(name: str, n: int, bot: str) -> tuple[Match, tuple[Entry, ...]]:
    match = play_match(name, *MATCHES_OF.get(name, PLAIN)[n], bot, n)
    return match, tuple(match.entry(each) for each in range(1, len(match) + 1))


MATCHES = [
    pytest.param(name, n, bot, id=f"{name}-{n}-{bot}")
    for name in ANALYSED
    for n in range(len(MATCHES_OF.get(name, PLAIN)))
    for bot in ("random", "level-2")
]


@pytest.mark.parametrize(("name", "n", "bot"), MATCHES)
def test_chances_are_means_over_what_is_shown(name: str, n: int, bot: str) -> None:
    match, entries = entries_of(name, n, bot)
    chances_are_means_over_what_is_shown(entries, match.game.seats)
    if over := match.game.rules.outcome(match.states[-1]):
        assert entries[-1].after == result_chances(over.payoffs)


@pytest.mark.parametrize(("name", "n", "bot"), MATCHES)
def test_nothing_changes_where_nothing_is_chosen_or_revealed(name: str, n: int, bot: str) -> None:
    """A piece put down unseen changes nothing until it is shown."""
    match, entries = entries_of(name, n, bot)
    for entry, line in zip(entries, match.history, strict=True):
        is_secret = bool(match.game.rules.secret_actions(line.before, line.actor, ()))
        if is_secret and not line.step.is_reveal:
            assert entry.before == entry.after, (entry.n, entry.action)


@pytest.mark.parametrize("name", ANALYSED)
def test_a_position_has_the_chances_of_its_best_action(name: str) -> None:
    """Or of its best mix, where cards are mixed."""
    match, _ = entries_of(name, 0, "level-2")
    seats, write = match.game.seats, match.game.notation.write_state
    seen = set[bool]()
    rules = match.game.rules
    choices = [
        state
        for state in match.states
        if any(
            len(rules.turn_actions(state, seat)) > 1 for seat in {*rules.to_act(state)} & {*seats}
        )
    ]
    for state in choices[:: max(1, len(choices) // 6)][:6]:
        found = analyse_position(name, options_text(match), write(state))
        if not found.best or not found.seat:
            continue
        mine = found.chances[seats.index(found.seat)]
        mixed = sum(each.share * each.chance for each in found.best)
        seen.add(bool(mixed))
        assert mine == pytest.approx(mixed or found.best[0].chance, abs=TOLERANCE)
    assert seen


def options_text(match: Match) -> str:
    return json.dumps(dict(match.game.options))


def torn_by_swap(entry: Entry) -> bool:
    """True if the chances before it differ when the sides are swapped, and come from a mix."""
    is_even = abs(entry.before[0] - entry.before[1]) < 0.01
    return not is_even and (bool(entry.mix) or entry.kind == "choice")


@pytest.mark.parametrize("kind", ["choice", "chance", "duel"])
def test_the_law_can_be_broken(kind: str) -> None:
    """A law that nothing breaks says nothing."""
    match, entries = entries_of("kahmate", 0 if kind == "chance" else 1, "level-2")
    at = next(n for n, each in enumerate(entries) if each.kind == kind and torn_by_swap(each))
    torn = replace(entries[at], before=entries[at].before[::-1])
    with pytest.raises(AssertionError):
        chances_are_means_over_what_is_shown([torn], match.game.seats)
