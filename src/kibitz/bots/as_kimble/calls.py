"""What bots say out of turn: the sentence, where they remember it, completed penalties, and their
answers to rulings.

Why nobody waits with a penalty: what is owed allows no action and forbids none, it only keeps a
team from winning (13). And nobody hurries: one a turn is the rate at which people are asked to
believe that a bot has completed something (11.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from kibitz.core.game import REFEREE, Game, Seat
from kibitz.games.as_kimble.actions import Action, Completion, Hembo
from kibitz.games.as_kimble.board import TEAM_INDEX, previous_team
from kibitz.games.as_kimble.options import Options, options_from_json
from kibitz.games.as_kimble.rules.hembo import OWING_MARK, form_of
from kibitz.games.as_kimble.state import Popping, State, mark_of, side_of

FORGETFULNESS: Mapping[str, float] = {
    "greedy": 0.10,
    "level-1": 0.25,
    "level-2": 0.15,
    "level-3": 0.08,
    "level-4": 0.03,
    "level-5": 0.01,
}
"""The share of its duties that a bot forgets (10.5); others forget none."""
CLEVER_BOT = "level-6"
"""The bot that plays the night as well as it plays on the board."""
LEAST_LEFT = 0.5
"""It agrees to a ruling that leaves it this part of its chance of winning, or more."""


def choose_anytime(
    game: Game[Any, Any, Any],
    view: Any,
    seat: Seat,
    actions: Sequence[Action],
    rng: Random,
    bot: str = "",
) -> Action | None:
    """Says the sentence before the pop that is its deadline, or at once if the bot is clever, and
    completes a penalty as an own turn begins (11.4)."""
    state: State = view.state
    said: Action = Completion(seat, 1)
    if mark_of(state, seat) == OWING_MARK and _remembers(state, seat, bot):
        said = Hembo(seat, form_of(Options(**options_from_json(game.options)), seat))
    elif not _has_turn_come(state, seat, game.options["finished"] == "skip"):
        return None
    return said if said in actions else None


def agrees_to_ruling(
    game: Game[Any, Any, Any], view: Any, seat: Seat, ruling: Action, bot: str = ""
) -> bool:
    """True if a bot agrees to what is to be ruled at a table where nobody else can be asked.

    A mistake that is put right costs somebody a move, a piece or some penalties. What costs more
    than that is no correction.
    """
    if bot != CLEVER_BOT:
        return True
    # The engine is imported where it is needed: whoever asks for calls alone has no use for it.
    from kibitz.bots.as_kimble.chances import chances_of

    state: State = view.state
    after = game.rules.resolve(state, REFEREE, ruling).state
    before, then = (chances_of(game, each)[TEAM_INDEX[seat]] for each in (state, after))
    return then >= LEAST_LEFT * before


def _remembers(state: State, seat: Seat, bot: str) -> bool:
    """True once it is time, unless it is forgotten: by the board, so that somebody else's word
    in between is no second chance."""
    if bot == CLEVER_BOT:
        return True
    if not isinstance(state.phase, Popping) or not state.phase.is_new:
        return False
    memory = Random(f"{bot} {seat} {state.sides} {state.phase}")
    return memory.random() >= FORGETFULNESS.get(bot, 0.0)


def _has_turn_come(state: State, seat: Seat, skips: bool) -> bool:
    """True if the turn has just come to a seat, or gone past it because it has placed all."""
    if not isinstance(state.phase, Popping) or not state.phase.is_new:
        return False
    team = state.phase.team
    while skips and team != seat and side_of(state, previous_team(team)).is_placed:
        team = previous_team(team)
    return team == seat
