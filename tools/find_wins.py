"""Finds Kalamala positions where the side to act wins by force, and by one first action alone.

    .venv/bin/python tools/find_wins.py > tests/bots/kalamala/wins.txt

Positions come from games of the search with itself, numbered by seed, so many plies before the
end. Each is searched in full: every action of the winner, every answer. It is kept if exactly one
action wins within 5, 7 or 9 plies and none in fewer. A line is: plies, that action, position.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from kibitz.bots.api import SearchContext
from kibitz.bots.kalamala import levels
from kibitz.bots.kalamala.buffers import WIN, Handicap
from kibitz.core.jit import i64, u64
from kibitz.games.kalamala import Options, kalamala
from kibitz.games.kalamala.state import State

PLIES = (5, 7, 9)
POSITIONS_PER_DEPTH = 10
NODES_PER_CHOICE = 400
MAX_NODES = 4_000_000
"""Nodes for one full search; what takes more is left."""
FULL_SEARCH = Handicap(i64(0), i64(0), u64(0), False)


def main() -> None:
    game, left = kalamala(Options()), dict.fromkeys(PLIES, POSITIONS_PER_DEPTH)
    for seed in range(100_000):
        line = list(game_states(game, seed))
        for plies in PLIES:
            if left[plies] and len(line) > plies:
                state = line[-1 - plies]
                if action := only_winning_action(game, state, plies):
                    left[plies] -= 1
                    print(plies, action, game.notation.write_state(state), sep="\t", flush=True)
        if not any(left.values()):
            return


def game_states(game: Any, seed: int) -> Iterator[State]:
    rng, state = Random(seed), game.rules.start()
    bot = levels.make_bot(levels.Strength(1.0, noise=60))
    yield state
    while game.rules.to_act(state) and state.turn < 200:
        actions = game.rules.turn_actions(state, state.side)
        action = bot(state, actions, SearchContext(game, state.side, rng, nodes=NODES_PER_CHOICE))
        state = game.rules.resolve(state, state.side, action).state
        yield state


def only_winning_action(game: Any, state: State, plies: int) -> str | None:
    if wins_within(game, state, plies - 2):
        return None
    found = []
    for action in game.rules.turn_actions(state, state.side):
        after = game.rules.resolve(state, state.side, action).state
        if not game.rules.to_act(after) or loses_within(game, after, plies - 1):
            found.append(game.notation.write_action(action))
            if len(found) > 1:
                return None
    return found[0] if found else None


def wins_within(game: Any, state: State, plies: int) -> bool:
    return search_value(game, state, plies) >= WIN - plies


def loses_within(game: Any, state: State, plies: int) -> bool:
    return search_value(game, state, plies) <= plies - WIN


def search_value(game: Any, state: State, plies: int) -> int:
    """Of all that can happen in so many plies; one more, so that super-ko is asked at the end."""
    root = levels.Root(state, SearchContext(game, state.side, Random(0)))
    root.prepare_search(MAX_NODES)
    for depth in range(1, plies + 2):
        found = root.search_to_depth(FULL_SEARCH, depth)
        if root.is_stopped:
            return 0
    return found


if __name__ == "__main__":
    main()
