"""The turn machine (5): pops granted, the pop, and how a turn goes on or passes."""

from __future__ import annotations

from msgspec.structs import replace

from kibitz.core.game import Event, Motion
from kibitz.core.message import Refusal, message
from kibitz.games.as_kimble.actions import Choice, Double, PassOn, Propose, Raise
from kibitz.games.as_kimble.board import GOALS, SIX, TEAMS, next_team
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import Change, tick
from kibitz.games.as_kimble.rules.hembo import settle_hembo
from kibitz.games.as_kimble.rules.moves import ordinary_moves, why_not_double
from kibitz.games.as_kimble.state import (
    Choosing,
    Die,
    GameOver,
    Popping,
    Side,
    State,
    Voting,
    side_of,
)

TEAM_COUNT = 4


def has_margin(side: Side) -> bool:
    """True if some number but a six would move something; home pieces do not count."""
    if side.ring:
        return True
    return any(
        side.goal[origin - 1] and not side.goal[target - 1]
        for origin in GOALS
        for target in GOALS
        if target > origin
    )


def pops_granted(side: Side) -> int:
    return 1 if has_margin(side) else 3


# The pop


def pop(options: Options, state: State, team: str, face: int, pops: int, is_new: bool) -> Change:
    told = message("as-kimble.popped", "5", seat=team, number=face)
    events = [Event(told, roll_motions(options))]
    state = replace(state, die=Die(face))
    if is_new:
        state, missed = settle_hembo(state)
        events += missed
    chosen = replace(state, phase=Choosing(team, face))
    if choices(options, chosen, team, face, False):
        return chosen, events
    if face == SIX:
        state, more = pop_again(options, state, team)
        return state, [*events, *more]
    if pops > 1:
        return replace(state, phase=Popping(team, pops - 1, is_new=False)), events
    state, more = pass_turn(options, state, team)
    return state, [*events, *more]


def roll_motions(options: Options) -> tuple[Motion, ...]:
    """The motions of a pop, unless the die is a real one."""
    return () if options.mode == "companion" else (Motion("dome", "dome", how="roll"),)


def pop_again(options: Options, state: State, team: str, pops: int | None = None) -> Change:
    """After a six the team pops once more, unless it has placed all and such teams are skipped."""
    side = side_of(state, team)
    if options.finished == "skip" and side.is_placed:
        return pass_turn(options, state, team)
    granted = pops_granted(side) if pops is None else pops
    return replace(state, phase=Popping(team, granted, is_new=False)), []


def continue_turn(options: Options, state: State, team: str, number: int, mined: bool) -> Change:
    """After the chosen action: a six gives another pop, one alone if it drove into a mine."""
    if number == SIX:
        return pop_again(options, state, team, 1 if mined else None)
    return pass_turn(options, state, team)


def pass_turn(options: Options, state: State, team: str) -> Change:
    """To the next team clockwise; those that are passed over tick as the turn goes by (11.1)."""
    events: list[Event] = []
    skips = options.finished == "skip" and not all(side.is_placed for side in state.sides)
    while True:
        team = next_team(team)
        state, more = tick(options, state, team)
        events += more
        if isinstance(state.phase, GameOver):
            return state, events
        if not (skips and side_of(state, team).is_placed):
            break
    return replace(state, phase=Popping(team, pops_granted(side_of(state, team)))), events


# 5.1  Choices


def choices(
    options: Options, state: State, team: str, number: int, is_refused: bool
) -> list[Choice]:
    side = side_of(state, team)
    found: list[Choice] = list(ordinary_moves(state, team, number))
    has_moves = bool(found)
    if why_not_double(side, number) is None:
        found.append(Double(team))
    raises: list[Choice] = []
    if number == SIX and why_not_raise(options, state, team) is None:
        raises += [Raise(team, goal) for goal in goals_to_give(options, side)]
    if number == SIX and not is_refused and why_not_propose(options, state, team) is None:
        raises.append(Propose(team))
    found += raises
    if raises and not has_moves:
        found.append(PassOn(team))
    return found


def goals_to_give(options: Options, side: Side) -> list[int]:
    """The goal pieces a team may give in a raise; the owner chooses unless agreed otherwise."""
    goals = [goal for goal in GOALS if side.goal[goal - 1]]
    return goals[:1] if options.raise_return == "rearmost" else goals


# 9.1  Who may raise


def why_not_raise_at_all(options: Options, state: State, team: str) -> Refusal | None:
    """The reason why a team may not raise by 9.1, the round apart."""
    if not options.raising:
        return message("as-kimble.raising-off", "15")
    if side_of(state, team).home:
        return message("as-kimble.raise-home", "9.1", at=f"h-{team}")
    for each in TEAMS:
        if not any(side_of(state, each).goal):
            return message("as-kimble.raise-goals", "9.1", seat=each)
    return None


def why_not_raise(options: Options, state: State, team: str) -> Refusal | None:
    if refusal := why_not_raise_at_all(options, state, team):
        return refusal
    if team in state.raises.teams:
        return message("as-kimble.raised-already", "9.3")
    return None


def why_not_propose(options: Options, state: State, team: str) -> Refusal | None:
    if refusal := why_not_raise_at_all(options, state, team):
        return refusal
    if len(state.raises.teams) < TEAM_COUNT:
        return message("as-kimble.round-open", "9.3")
    if state.raises.is_closed:
        return message("as-kimble.proposals-closed", "9.3")
    return None


def voters(phase: Voting) -> tuple[str, ...]:
    """The teams that have not answered yet."""
    return tuple(t for t in TEAMS if t != phase.team and t not in phase.agreed_teams)
