"""What an AS-Kimble position is worth: how soon each team will be done, and who may be eaten first.

Everything is reckoned in turns. A seat is worth its share of the speed of all four, so that
eating, penalties and raises count for most against whoever is ahead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log
from random import Random
from typing import Any

from kibitz.core.game import Game, Seat
from kibitz.games.as_kimble.actions import Action, Completion, Hembo, PassOn, Propose, Raise, Vote
from kibitz.games.as_kimble.board import (
    GOALS,
    RING,
    SIX,
    TEAMS,
    grid_at,
    previous_team,
    progress_at,
)
from kibitz.games.as_kimble.options import Options, options_from_json
from kibitz.games.as_kimble.rules.hembo import OWING_MARK, form_of
from kibitz.games.as_kimble.rules.turn import pops_granted
from kibitz.games.as_kimble.state import (
    Choosing,
    Colours,
    Lots,
    Piece,
    Popping,
    Raises,
    Returning,
    Side,
    State,
    Voting,
    book_of,
    mark_of,
    side_of,
    with_goal,
)

STEPS_PER_TURN = 3.8
"""A turn takes a team so far, sixes and pops of no use reckoned in."""
ENTER_TURNS = 2.0
"""Turns until a piece at home gets its six."""
FIT_TURNS = 1.5
"""Turns lost over each goal grid that is still free: only one number will do."""
PENALTY_TURNS = 0.2
"""Turns that a penalty costs even where it will be completed long before the last piece is in."""
SPEED_EXPONENT = 3.0
"""How much more often the faster team wins."""
MIN_TURNS = 0.5


def position_value(game: Game[Any, Any, Any], state: State, seat: Seat) -> float:
    """The logarithm of the share. What is pending is taken to come: a raise, what is given back."""
    if isinstance(state.phase, Voting):
        state = _state_after_raise(game, state, state.phase.team)
    speed = {team: _turns_left(state, team) ** -SPEED_EXPONENT for team in TEAMS}
    return log(speed[seat] / sum(speed.values()))


def choose(
    game: Game[Any, Any, Any], view: Any, seat: Seat, actions: Sequence[Action | str], rng: Random
) -> Action | str | None:
    """Votes, whether to pop or to pass, and what is reported from a real board.

    The rest goes by worth. To press the dome is an empty text among the actions. What a die shows
    is left to chance, and so are colours: all start alike.
    """
    state: State = view.state
    if state.die.wanted_face or isinstance(state.phase, Lots | Colours):
        return rng.choice(actions)
    match state.phase:
        case Voting(team):
            refused = replace(state, phase=Choosing(team, SIX, is_refused=True))
            return Vote(
                seat, position_value(game, state, seat) > position_value(game, refused, seat)
            )
        case Popping():
            pops = [action for action in actions if action != PassOn(seat)]
            if len(pops) < len(actions) and not _has_gain_by_six(game, state, seat):
                return PassOn(seat)
            return rng.choice(pops or actions)
    return None


def choose_anytime(
    game: Game[Any, Any, Any], view: Any, seat: Seat, actions: Sequence[Action], rng: Random
) -> Action | None:
    """Says the sentence when it is owed, and completes a penalty as an own turn begins (11.4)."""
    state: State = view.state
    said: Action = Completion(seat, 1)
    if mark_of(state, seat) == OWING_MARK:
        said = Hembo(seat, form_of(Options(**options_from_json(game.options)), seat))
    elif not _has_turn_come(state, seat, game.options["finished"] == "skip"):
        return None
    return said if said in actions else None


def _has_turn_come(state: State, seat: Seat, skips: bool) -> bool:
    """Whether the turn has just come to a seat, or gone past it because it has placed all."""
    if not isinstance(state.phase, Popping) or not state.phase.is_new:
        return False
    team = state.phase.team
    while skips and team != seat and side_of(state, previous_team(team)).is_placed:
        team = previous_team(team)
    return team == seat


# Raising


def _state_after_raise(game: Game[Any, Any, Any], state: State, team: str) -> State:
    """Where a team's best raise leads, were it allowed one."""
    free = replace(state, phase=Choosing(team, SIX), raises=Raises(state.raises.round + 1))
    raises = [each for each in game.rules.turn_actions(free, team) if isinstance(each, Raise)]
    after = [game.rules.resolve(free, team, each).state for each in raises]
    return max(after, key=lambda each: position_value(game, each, team), default=state)


def _has_gain_by_six(game: Game[Any, Any, Any], state: State, team: str) -> bool:
    six = replace(state, phase=Choosing(team, SIX))
    if not any(isinstance(each, Raise | Propose) for each in game.rules.turn_actions(six, team)):
        return False
    return position_value(game, _state_after_raise(game, state, team), team) > position_value(
        game, state, team
    )


# How soon a team is done


def _turns_left(state: State, team: str) -> float:
    """Penalties are completed meanwhile, one a turn; only many of them make it later."""
    side, owed = side_of(state, team), book_of(state, team).owed
    if isinstance(state.phase, Returning) and team in state.phase.pending:
        given = [_side_after_return(side, goal) for goal in GOALS if side.goal[goal - 1]]
        side = min(given, key=_turns_to_place)
    turns = _turns_to_place(side) + _expected_loss(state, team)
    return max(turns, owed, MIN_TURNS) + PENALTY_TURNS * owed


def _side_after_return(side: Side, goal: int) -> Side:
    return replace(with_goal(side, goal, -1), home=side.home + 1)


def _turns_to_place(side: Side) -> float:
    """A multiplied piece walks once for all that it contains."""
    steps = RING * side.home + sum(RING - piece.progress for piece in side.ring)
    steps += sum(GOALS) - len(GOALS)
    steps -= sum(count * (goal - 1) for goal, count in zip(GOALS, side.goal, strict=True))
    return steps / STEPS_PER_TURN + ENTER_TURNS * side.home + FIT_TURNS * side.goal.count(0)


# Who may be eaten


def _expected_loss(state: State, team: str) -> float:
    """In turns; a piece on its own start grid is a mine, which nobody eats."""
    return sum(
        _piece_loss(state, team, piece) for piece in side_of(state, team).ring if piece.progress
    )


def _piece_loss(state: State, team: str, piece: Piece) -> float:
    again = (
        piece.size * (RING / STEPS_PER_TURN + ENTER_TURNS)
        - (RING - piece.progress) / STEPS_PER_TURN
    )
    loss, spared = 0.0, 1.0
    for size, chance in _threats(state, team, grid_at(team, piece.progress)):
        loss += spared * chance * (again + PENALTY_TURNS * size * piece.size)
        spared *= 1 - chance
    return loss


def _threats(state: State, team: str, grid: int) -> Iterator[tuple[int, float]]:
    """Other teams' pieces that may come to a grid in one turn: how great, and how likely."""
    for eater in TEAMS:
        if eater == team:
            continue
        side, target = side_of(state, eater), progress_at(eater, grid)
        if target == 0 and side.home:
            yield 1, 1 - (5 / 6) ** pops_granted(side)
        for piece in side.ring:
            steps = target - piece.progress
            if 0 < steps <= 2 * SIX:
                yield piece.size, 1 / 6 if steps <= SIX else 1 / 36
