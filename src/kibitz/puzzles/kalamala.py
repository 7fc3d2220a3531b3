"""Puzzles of Kalamala: one action wins by force within so many plies, and no other.

The proof is a full search: nothing is looked at less deeply, and no action is left out. `figures`
has the number of the winner's own actions.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from kibitz.bots.api import SearchContext
from kibitz.bots.kalamala import levels
from kibitz.bots.kalamala.buffers import WIN, Handicap, Search
from kibitz.bots.kalamala.search import search
from kibitz.core.jit import i64, u64
from kibitz.games.kalamala.state import NO_PAST, State
from kibitz.puzzles.puzzle import Puzzle, puzzle_id

OPTIONS: dict[str, Any] = {}
RULE = "4"
PLIES = (3, 5, 7, 9)
NODES_PER_CHOICE = 400
MAX_NODES = 4_000_000
"""Nodes for one full search; a position that takes more is left."""
MAX_TURNS = 200
FULL_SEARCH = Handicap(i64(0), i64(0), u64(0), False)
FIRST_RATING, RATING_PER_ACTION, RATING_PER_CHOICE = 950, 200, 5


class SearchTooLong(Exception):
    """A full search of this position takes more nodes than one may have."""


def puzzles_of_match(game: Any, seed: int) -> Iterator[Puzzle]:
    """One puzzle at most of a game that a bot in changing moods plays with itself: so many plies
    before its end. What stood before is forgotten, since nobody who solves it could see that."""
    line, first = list(_played_states(game, seed)), seed % len(PLIES)
    for plies in (*PLIES[first:], *PLIES[:first]):
        if len(line) > plies:
            state = replace(line[-1 - plies], past=NO_PAST)
            if puzzle := puzzle_at(game, state):
                yield puzzle
                return


def _played_states(game: Any, seed: int) -> Iterator[State]:
    rng, state = Random(seed), game.rules.start()
    bot = levels.make_bot(levels.Strength(1.0, noise=60))
    yield state
    while game.rules.to_act(state) and state.turn < MAX_TURNS:
        actions = game.rules.turn_actions(state, state.side)
        action = bot(state, actions, SearchContext(game, state.side, rng, nodes=NODES_PER_CHOICE))
        state = game.rules.resolve(state, state.side, action).state
        yield state


def puzzle_at(game: Any, state: State) -> Puzzle | None:
    """The puzzle at a position, proved; None where there is none."""
    if not game.rules.to_act(state):
        return None
    try:
        plies = plies_to_win(game, state, PLIES[-1])
        if plies not in PLIES:
            return None
        ahead = _states_ahead(game, state)
        winning = [text for text, after in ahead.items() if _has_lost(game, after, plies - 1)]
        if len(winning) != 1:
            return None
        then = tuple(_best_line(game, ahead[winning[0]], plies - 1))
    except SearchTooLong:
        return None
    own = (plies + 1) // 2
    start = game.notation.write_state(state)
    rating = FIRST_RATING + RATING_PER_ACTION * own + RATING_PER_CHOICE * len(ahead)
    return Puzzle(
        id=puzzle_id(start),
        theme=f"win-{own}",
        seat=state.side,
        rating=rating,
        start=start,
        solution=winning[0],
        then=then,
        figures=(str(own),),
    )


def _states_ahead(game: Any, state: State) -> dict[str, State]:
    """The positions that actions lead to: each of them by one spelling alone (7.2)."""
    return {
        game.notation.write_action(each): game.rules.resolve(state, state.side, each).state
        for each in game.rules.turn_actions(state, state.side)
    }


def plies_to_win(game: Any, state: State, most: int) -> int | None:
    """The fewest plies within which the side to act wins by force; None if it takes more."""
    return next(
        (n for n in range(1, most + 1, 2) if _is_above(game, state, n + 1, WIN - n - 1)), None
    )


def _has_lost(game: Any, state: State, plies: int) -> bool:
    """True if the side to act loses within so many plies, whatever it does."""
    if not game.rules.to_act(state):
        return True
    return plies > 0 and not _is_above(game, state, plies + 1, plies - WIN)


def _is_above(game: Any, state: State, depth: int, value: int) -> bool:
    """True if the position is worth more than this. The search goes a ply further than the end
    that is looked for, so that super-ko is asked there too."""
    root = levels.Root(state, SearchContext(game, state.side, Random(0)))
    root.prepare_search(MAX_NODES)
    root.fill_settings(FULL_SEARCH)
    here = Search(root.option_codes, root.buffers, root.flag)
    found = int(search(here, i64(0), i64(depth), i64(value), i64(value + 1)))
    if root.is_stopped:
        raise SearchTooLong
    return found > value


def _best_line(game: Any, state: State, plies: int) -> Iterator[str]:
    """The line to the end: the loser holds out as long as it can, the winner wins as fast."""
    while game.rules.to_act(state):
        ahead = _states_ahead(game, state)
        if plies % 2:
            text = next(text for text, after in ahead.items() if _has_lost(game, after, plies - 1))
        else:
            lasts = {text: plies_to_win(game, after, plies - 1) for text, after in ahead.items()}
            text = max(lasts, key=lambda text: lasts[text] or 0)
            plies = (lasts[text] or 0) + 1
        yield text
        state, plies = ahead[text], plies - 1
