"""Measures what is claimed so far, in a minute or two: `make bench`."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any

from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS
from kibitz.cli.rules import answer_line
from kibitz.core.game import CHANCE, Game
from kibitz.games import GAMES
from kibitz.games.as_kimble import as_kimble
from kibitz.games.kahmate import kahmate
from kibitz.games.kalamala import Options, kalamala
from kibitz.games.kalamala.rules import moves

MEASURE_S = 5.0
"""How long each rate is measured, at least."""
PERFT_3_COUNT = 494872


def main() -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}, one process")
    for name, measure in MEASURES.items():
        print(f"{name:<44} {measure()}", flush=True)


def random_play(game: Game[Any, Any, Any]) -> str:
    rng, bots = Random(1), dict.fromkeys(game.seats, "random")
    return f"{per_second(lambda: play_match(game, bots, rng)[0]):,.0f} actions/s"


def perft_three() -> str:
    """What the rules remember of earlier positions is forgotten first."""
    game = kalamala()
    moves.cache_clear()
    begin = perf_counter()
    count = perft(game, game.rules.start(), 3)
    spent = perf_counter() - begin
    assert count == PERFT_3_COUNT, count
    return f"{spent:.1f} s ({count:,} sequences, their last actions listed but not played)"


def rules_filter(game: Game[Any, Any, Any], longest: int) -> str:
    """Lines as a program would send them: positions from the middle of matches, one action each."""
    rng, lines = Random(2), []
    for _ in range(20):
        state = game.rules.start()
        for _ in range(rng.randrange(5, longest)):
            state = game.rules.resolve(state, *random_action(game, state, rng)).state
        asked = {
            "game": game.name,
            "position": game.notation.write_state(state),
            "actions": [game.notation.write_action(random_action(game, state, rng)[1])],
        }
        lines.append(json.dumps(asked))

    def all_lines() -> int:
        moves.cache_clear()
        for line in lines:
            assert "error" not in json.loads(answer_line(line))
        return len(lines)

    return f"{per_second(all_lines):,.0f} lines/s"


def random_action(game: Game[Any, Any, Any], state: Any, rng: Random) -> tuple[str, Any]:
    actor = actor_to_act(game.rules.to_act(state))
    return actor, rng.choice(game.rules.turn_actions(state, actor))


def actor_to_act(actors: frozenset[str]) -> str:
    """Where chance may speak it does; the order of several seats does not matter here."""
    return CHANCE if CHANCE in actors else min(actors)


def greedy_against(other: str, game: Game[Any, Any, Any]) -> str:
    """How often the match is won by the one greedy, and how slowly it decides at worst."""
    rng, wins, slowest, lengths = Random(3), 0, 0.0, list[int]()
    begin = perf_counter()
    while perf_counter() - begin < 3 * MEASURE_S:
        me = game.seats[-1 - len(lengths) % len(game.seats)]
        bots = {**dict.fromkeys(game.seats, other), me: "greedy"}
        length, winners, longest = play_match(game, bots, rng)
        wins, slowest = wins + (me in winners), max(slowest, longest)
        lengths.append(length)
    mean = sum(lengths) / len(lengths)
    return (
        f"{wins} of {len(lengths)} won (even: {100 // len(game.seats)} %), "
        f"{mean:.0f} actions a match, "
        f"slowest decision {slowest * 1000:.0f} ms"
    )


def play_match(
    game: Game[Any, Any, Any], bots: dict[str, str], rng: Random
) -> tuple[int, list[str], float]:
    """How long a match was, who won, and the seconds of its slowest decision."""
    state, count, slowest = game.rules.start(), 0, 0.0
    while actors := game.rules.to_act(state):
        actor = actor_to_act(actors)
        actions, view = game.rules.turn_actions(state, actor), game.rules.view(state, actor, ())
        begin = perf_counter()
        action = BOTS[bots.get(actor, "random")](view, actions, SearchContext(game, actor, rng))
        slowest = max(slowest, perf_counter() - begin)
        state, count = game.rules.resolve(state, actor, action).state, count + 1
    over = game.rules.outcome(state)
    payoffs = zip(game.seats, over.payoffs, strict=True) if over else ()
    return count, [seat for seat, payoff in payoffs if payoff > 0], slowest


def perft(game: Game[Any, Any, Any], state: Any, depth: int) -> int:
    actions = game.rules.turn_actions(state, state.side)
    if depth == 1:
        return len(actions)
    after = (game.rules.resolve(state, state.side, action).state for action in actions)
    return sum(perft(game, each, depth - 1) for each in after)


def per_second(work: Callable[[], int]) -> float:
    begin, done = perf_counter(), 0
    while (spent := perf_counter() - begin) < MEASURE_S:
        done += work()
    return done / spent


KAHMATE = GAMES["kahmate"].game(GAMES["kahmate"].preset)
"""Random play ends only under its limits."""
AS_KIMBLE = GAMES["as-kimble"].game({**GAMES["as-kimble"].preset, "hembo": "off"})
"""Nobody here speaks out of turn."""
MEASURES: dict[str, Callable[[], str]] = {
    "Kalamala, rules, random play": lambda: random_play(kalamala()),
    "Kalamala, rules, perft(3)": perft_three,
    "Kalamala, rules filter": lambda: rules_filter(kalamala(), 50),
    "Kalamala, greedy against random": lambda: greedy_against(
        "random", kalamala(Options(turn_limit=500))
    ),
    "Kahmaté, rules, random play": lambda: random_play(KAHMATE),
    "Kahmaté, rules filter": lambda: rules_filter(kahmate(), 300),
    "Kahmaté, greedy against random": lambda: greedy_against("random", KAHMATE),
    "AS-Kimble, rules, random play": lambda: random_play(AS_KIMBLE),
    "AS-Kimble, rules filter": lambda: rules_filter(as_kimble(), 300),
    "AS-Kimble, greedy against three random": lambda: greedy_against("random", AS_KIMBLE),
}

if __name__ == "__main__":
    main()
