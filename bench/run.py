"""Measures what is claimed so far, in a minute: `make bench`."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any

from kibitz.bots import BOTS
from kibitz.core.game import Game
from kibitz.games.kalamala import Options, kalamala
from kibitz.games.kalamala.rules import moves
from kibitz.rulesfilter import answer

SECONDS = 5.0
"""How long each rate is measured, at least."""
PERFT_3 = 494872


def main() -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}, one process")
    for name, measure in MEASURES.items():
        print(f"{name:<44} {measure()}", flush=True)


def random_play() -> str:
    game, rng, bots = kalamala(), Random(1), {"A": "random", "B": "random"}
    return f"{per_second(lambda: played(game, bots, rng)[0]):,.0f} actions/s"


def perft_three() -> str:
    """What the rules remember of earlier positions is forgotten first."""
    game = kalamala()
    moves.cache_clear()
    begin = perf_counter()
    count = perft(game, game.start(), 3)
    spent = perf_counter() - begin
    assert count == PERFT_3, count
    return f"{spent:.1f} s ({count:,} sequences, their last actions listed but not played)"


def rules_filter() -> str:
    """Lines as a program would send them: positions from the middle of matches, one action each."""
    game, rng, lines = kalamala(), Random(2), []
    for _ in range(20):
        state = game.start()
        for _ in range(rng.randrange(5, 50)):
            actions = game.turn_actions(state, state.side)
            state = game.resolve(state, state.side, rng.choice(actions)).state
        action = rng.choice(game.turn_actions(state, state.side))
        asked = {
            "game": "kalamala",
            "position": game.write_state(state),
            "actions": [game.write_action(action)],
        }
        lines.append(json.dumps(asked))

    def all_lines() -> int:
        moves.cache_clear()
        for line in lines:
            assert "error" not in json.loads(answer(line))
        return len(lines)

    return f"{per_second(all_lines):,.0f} lines/s"


def greedy_against_random() -> str:
    game, rng, wins, slowest, count = kalamala(Options(turn_limit=500)), Random(3), 0, 0.0, 0
    begin = perf_counter()
    while perf_counter() - begin < 3 * SECONDS:
        me, other = ("A", "B") if count % 2 else ("B", "A")
        _, result, longest = played(game, {me: "greedy", other: "random"}, rng)
        wins, slowest, count = wins + (result == me), max(slowest, longest), count + 1
    return f"{wins} of {count} won, slowest decision {slowest * 1000:.0f} ms"


def played(game: Game[Any, Any, Any], bots: dict[str, str], rng: Random) -> tuple[int, Any, float]:
    """How long a match was, who won, and the seconds of its slowest decision."""
    state, count, slowest = game.start(), 0, 0.0
    while actions := game.turn_actions(state, state.side):
        begin = perf_counter()
        action = BOTS[bots[state.side]](game, state, state.side, actions, rng)
        slowest = max(slowest, perf_counter() - begin)
        state, count = game.resolve(state, state.side, action).state, count + 1
    over = game.outcome(state)
    return count, over.result if over else None, slowest


def perft(game: Game[Any, Any, Any], state: Any, depth: int) -> int:
    actions = game.turn_actions(state, state.side)
    if depth == 1:
        return len(actions)
    after = (game.resolve(state, state.side, action).state for action in actions)
    return sum(perft(game, each, depth - 1) for each in after)


def per_second(work: Callable[[], int]) -> float:
    begin, done = perf_counter(), 0
    while (spent := perf_counter() - begin) < SECONDS:
        done += work()
    return done / spent


MEASURES: dict[str, Callable[[], str]] = {
    "Kalamala, rules, random play": random_play,
    "Kalamala, rules, perft(3)": perft_three,
    "Kalamala, rules filter": rules_filter,
    "Kalamala, greedy against random": greedy_against_random,
}

if __name__ == "__main__":
    main()
