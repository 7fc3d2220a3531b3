"""Measures two things that level 5 is to be good at.

    .venv/bin/python bench/bots.py

Kalamala: in how many of the thirty positions of `tools/find_wins.py`, where one action alone wins
by force, it finds that action in the time it has at a table. Kahmaté: how much somebody who knows
its mix of cards could gain by it, for all men, from full hands and from others.
"""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from kibitz.bots.api import SearchContext
from kibitz.bots.kahmate import levels as kahmate
from kibitz.bots.kalamala import levels as kalamala
from kibitz.bots.registry import ANSWER_LIMITS_S
from kibitz.games.kahmate.duels import Round, hand_game, single_duel
from kibitz.games.kahmate.state import ATTACK, DEFENCE
from kibitz.games.kalamala import kalamala as kalamala_game

WINS_FILE = Path(__file__).parents[1] / "tests/bots/kalamala/wins.txt"
CARDS = (1, 2, 3, 4, 5, 6)
HAND_PAIRS = 200
"""Pairs of them, drawn by seed, beside the full ones."""
DUELS: dict[str, Callable[..., Round]] = {"single": single_duel, "hand": hand_game}


def main() -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}, one process")
    measure_forced_wins()
    for name in DUELS:
        gains = list(exploitabilities(name))
        print(
            f"Kahmaté, what can be gained against its mix of cards, {name}: "
            f"{max(gains):.1e} of a duel at most, in {len(gains)} cases"
        )


def measure_forced_wins() -> None:
    solved: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    slowest = 0.0
    game = kalamala_game()
    for line in WINS_FILE.read_text().splitlines():
        plies, action, position = line.split("\t")
        state = game.notation.read_state(position)
        think = SearchContext(game, state.side, Random(1), seconds=ANSWER_LIMITS_S["level-5"])
        begin = perf_counter()
        chosen = kalamala.LEVELS[-1](state, game.rules.turn_actions(state, state.side), think)
        slowest = max(slowest, perf_counter() - begin)
        asked[plies] += 1
        solved[plies] += game.notation.write_action(chosen) == action
    for plies in asked:
        print(f"Kalamala, wins by force in {plies}: {solved[plies]} of {asked[plies]} found")
    print(f"  all: {solved.total()} of {asked.total()}; the slowest took {slowest:.1f} s")


def exploitabilities(name: str) -> Iterator[float]:
    """What the best answers to both mixes gain together, by the exact solution of the rest."""
    for edge, hands in duel_cases():
        exact = DUELS[name](edge, 0, *hands)
        ours, others = kahmate.card_mixes(edge, 0, *hands, name)
        table = {
            (a, b): expected_lead(exact, edge, a, b, hands, name)
            for a in hands[0]
            for b in hands[1]
        }
        most = max(sum(table[a, b] * others[b] for b in hands[1]) for a in hands[0])
        least = min(sum(table[a, b] * ours[a] for a in hands[0]) for b in hands[1])
        yield most - least


def duel_cases() -> Iterator[tuple[int, tuple[Any, Any]]]:
    edges = sorted({a - d for a in ATTACK.values() for d in DEFENCE.values()})
    yield from ((edge, (CARDS, CARDS)) for edge in edges)
    rng = Random(1)
    for _ in range(HAND_PAIRS):
        held = list(combinations(CARDS, rng.randint(1, len(CARDS) - 1)))
        yield rng.choice(edges), (rng.choice(held), rng.choice(held))


def expected_lead(exact: Round, edge: int, mine: int, theirs: int, hands: Any, name: str) -> float:
    """Duels won less duels lost after these first cards, when all goes on as well as it can."""
    if (mine, theirs) in exact.ties:
        return float(exact.ties[mine, theirs].outlook.lead)
    gained = 1.0 if mine + edge > theirs else -1.0
    left = [
        tuple(c for c in hand if c != out) for hand, out in zip(hands, (mine, theirs), strict=True)
    ]
    if name == "single" or not left[0]:
        return gained
    return gained + float(hand_game(0, 0, *left).outlook.lead)


if __name__ == "__main__":
    main()
