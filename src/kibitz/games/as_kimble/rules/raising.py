"""Raising (9): the raise, what the others give back, and new rounds."""

from __future__ import annotations

from msgspec.structs import replace

from kibitz.core.game import Event, Motion
from kibitz.core.message import Refusal, message
from kibitz.games.as_kimble.actions import Propose, Raise, Return, Vote
from kibitz.games.as_kimble.board import (
    GOALS,
    SIX,
    TEAMS,
    goal_place,
    goal_spot,
    grid_at,
    home_spot,
    ring_place,
)
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import MAX_COUNT, Change
from kibitz.games.as_kimble.rules.hembo import mark_hembo_due
from kibitz.games.as_kimble.rules.moves import eat_piece
from kibitz.games.as_kimble.rules.turn import choices, goals_to_give, pop_again, voters
from kibitz.games.as_kimble.state import (
    Choosing,
    Piece,
    Raises,
    Returning,
    State,
    Voting,
    in_team_order,
    piece_at,
    side_of,
    way_occupant,
    with_goal,
    with_piece,
    with_side,
    without_piece,
)

# 9.2  The raise


def why_not_goal(options: Options, state: State, team: str, goal: int) -> Refusal | None:
    side, at = side_of(state, team), goal_place(team, goal)
    if not side.goal[goal - 1]:
        return message("as-kimble.goal-empty", "9.2", goal=goal, at=at)
    if goal not in goals_to_give(options, side):
        return message("as-kimble.rearmost", "15", goal=goals_to_give(options, side)[0], at=at)
    return None


def raise_piece(options: Options, state: State, action: Raise) -> Change:
    team = action.team
    side = with_goal(side_of(state, team), action.goal, -1)
    own, met = piece_at(side, 0), way_occupant(state, team, 0)
    state = with_side(state, team, side)
    waiting = side_of(state, team).goal[action.goal - 1]
    start = ring_place(grid_at(team, 0))
    motion = Motion(goal_spot(team, action.goal, waiting), start, how="fly")
    told = message("as-kimble.raised", "9.2", seat=team, goal=action.goal)
    events = [Event(told, (motion,))]
    if own:
        side = with_piece(without_piece(side, own), Piece(0, own.size + 1))
    else:
        if met:
            state, more = eat_piece(options, state, met[0], met[1], team, 1)
            events += more
        side = with_piece(side, Piece(0))
    raises = replace(state.raises, teams=in_team_order((*state.raises.teams, team)))
    state = replace(with_side(state, team, side), raises=raises)
    return _collect_pieces(options, state, team, events)


def _collect_pieces(options: Options, state: State, team: str, events: list[Event]) -> Change:
    """Every other team gives a goal piece back; who has no choice is not asked."""
    pending = []
    for each in TEAMS:
        if each != team:
            goals = goals_to_give(options, side_of(state, each))
            if len(goals) == 1:
                state, more = _give_back(options, state, each, goals[0])
                events = [*events, *more]
            else:
                pending.append(each)
    if pending:
        return replace(state, phase=Returning(team, tuple(pending))), events
    state, more = pop_again(options, state, team)
    return state, [*events, *more]


def _give_back(options: Options, state: State, team: str, goal: int) -> Change:
    side = with_goal(side_of(state, team), goal, -1)
    state = with_side(state, team, replace(side, home=side.home + 1))
    told = message("as-kimble.returned", "9.2", seat=team, goal=goal)
    origin = goal_spot(team, goal, side.goal[goal - 1])
    motion = Motion(origin, home_spot(team, side.home), how="home")
    state, more = mark_hembo_due(options, state, team)
    return state, [Event(told, (motion,)), *more]


def give_back(options: Options, state: State, phase: Returning, action: Return) -> Change:
    left = tuple(team for team in phase.pending if team != action.team)
    state, events = _give_back(options, state, action.team, action.goal)
    if left:
        return replace(state, phase=Returning(phase.team, left)), events
    state, more = pop_again(options, state, phase.team)
    return state, [*events, *more]


def why_not_return(state: State, action: Return) -> Refusal | None:
    """In its turn to give back a team may give any, whatever was agreed (9.2 b)."""
    if side_of(state, action.team).goal[action.goal - 1]:
        return None
    at = goal_place(action.team, action.goal)
    return message("as-kimble.goal-empty", "9.2", goal=action.goal, at=at)


def legal_returns(state: State, team: str) -> list[Return]:
    goal = side_of(state, team).goal
    return [Return(team, each) for each in GOALS if goal[each - 1]]


# 9.3  Rounds


def propose(state: State, action: Propose) -> Change:
    told = message("as-kimble.proposes", "9.3", seat=action.team, round=state.raises.round + 1)
    return replace(state, phase=Voting(action.team)), [Event(told)]


def vote(options: Options, state: State, phase: Voting, action: Vote) -> Change:
    answer = "says-yes" if action.is_yes else "says-no"
    events = [Event(message(f"as-kimble.{answer}", "9.3", seat=action.team))]
    if not action.is_yes:
        return _refuse_round(options, state, phase.team, events)
    agreed = in_team_order((*phase.agreed_teams, action.team))
    if len(agreed) < len(TEAMS) - 1:
        return replace(state, phase=replace(phase, agreed_teams=agreed)), events
    round = min(MAX_COUNT, state.raises.round + 1)
    told = Event(message("as-kimble.round-agreed", "9.3", round=round))
    return replace(state, raises=Raises(round), phase=Choosing(phase.team, SIX)), [*events, told]


def _refuse_round(options: Options, state: State, team: str, events: list[Event]) -> Change:
    """The team is back with its six, and pops again where that is of no use."""
    if options.refusal == "final":
        state = replace(state, raises=replace(state.raises, is_closed=True))
    state = replace(state, phase=Choosing(team, SIX, is_refused=True))
    if choices(options, state, team, SIX, True):
        return state, events
    state, more = pop_again(options, state, team)
    return state, [*events, *more]


# 12.5  Where time is limited


def default_answers(state: State) -> dict[str, Vote | Return]:
    """The answers that count for teams that owe one when time has run out (12.5)."""
    if state.is_break or state.die.wanted_face:
        return {}
    match state.phase:
        case Voting() as phase:
            return {team: Vote(team, False) for team in voters(phase)}
        case Returning(pending=pending):
            return {team: legal_returns(state, team)[0] for team in pending}
    return {}
