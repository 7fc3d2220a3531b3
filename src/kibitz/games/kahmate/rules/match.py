"""Tries, the end of a match, and what ends it early (9)."""

from __future__ import annotations

from msgspec.structs import replace

from kibitz.core.game import REFEREE, TABLE, Actor, Event, Outcome, Seat
from kibitz.core.message import Message, Refusal, message
from kibitz.games.kahmate.actions import Action, AgreedDraw, Forfeit, PlayOn, Resign, Void
from kibitz.games.kahmate.board import FORWARD, IN_GOAL, file_of
from kibitz.games.kahmate.messages import kind_message
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.state import (
    NOBODY,
    SEATS,
    BallDrawing,
    Hold,
    Man,
    MatchOver,
    Placing,
    State,
    holder,
    other_side,
)

# 9  Try, match, restart, end


MAX_TRIES = 3


def tries_needed(options: Options, state: State) -> int:
    """The number that wins the match."""
    return state.raised_tries or options.tries


def score_try(options: Options, state: State, man: Man) -> tuple[State, list[Event]]:
    side = state.turn
    red, blue = state.score
    score = (red + 1, blue) if side == "R" else (red, blue + 1)
    told = message("kahmate.try", "9", seat=side, man=kind_message(man), score=write_score(score))
    events = [Event(told)]
    after = replace(state, score=score, turns=state.turns + 1, movers=(), hold=None)
    is_won = max(score) == tries_needed(options, state)
    over = MatchOver(side) if is_won else end_at_turn_limit(options, after)
    if over:
        return replace(after, phase=over), events
    return restart(after), [*events, Event(message("kahmate.restart", "9", seat=other_side(side)))]


def restart(state: State) -> State:
    """The field cleared after a try by the side on turn: both place again, the other begins."""
    return State(
        NOBODY,
        other_side(state.turn),
        Placing("R"),
        hands=state.hands,
        score=state.score,
        turns=state.turns,
        raised_tries=state.raised_tries,
    )


def write_score(score: tuple[int, int]) -> str:
    return "{}\N{EN DASH}{}".format(*score)


# 9.1  Turn limit


def end_at_turn_limit(options: Options, state: State) -> MatchOver | None:
    if not options.turn_limit or state.turns < options.turn_limit:
        return None
    return MatchOver(leader(state.score))


def leader(score: tuple[int, int]) -> str:
    """The side with more tries; equal is a draw."""
    return "draw" if score[0] == score[1] else "R" if score[0] > score[1] else "B"


# 9.2  Stale possession


def check_possession(
    options: Options, state: State, side: Seat, events: list[Event]
) -> tuple[State, list[Event]]:
    """This side has just ended a turn: does it gain ground with the ball?"""
    possessor = possessing_side(state)
    if not options.hold_limit or (possessor and possessor != side):
        return state, events
    if possessor is None or state.ball is None:
        return replace(state, hold=None), events
    file, hold = file_of(state.ball), state.hold
    if hold is None or (file - hold.best) * FORWARD[side] > 0:
        return replace(state, hold=Hold(side, 0, file)), events
    if hold.count + 1 < options.hold_limit:
        return replace(state, hold=replace(hold, count=hold.count + 1)), events
    stale = Event(message("kahmate.stale", "9.2", seat=side, n=options.hold_limit))
    return replace(state, ball=None, hold=None, phase=BallDrawing()), [*events, stale]


def possessing_side(state: State) -> Seat | None:
    """The side whose possession it is; a ball lying in-goal is with the attackers (5.4)."""
    if man := holder(state):
        return man.side
    lies = None if state.ball is None else file_of(state.ball)
    return next((other_side(side) for side in SEATS if IN_GOAL[side] == lies), None)


# 9.3  Events, and how a match ends


def outcome(options: Options, state: State) -> Outcome | None:
    if not isinstance(state.phase, MatchOver):
        return None
    result = state.phase.result
    payoffs = {"R": (1, -1), "B": (-1, 1)}.get(result, (0, 0))
    return Outcome(result, payoffs, _why_over(options, state, state.phase))


def _why_over(options: Options, state: State, over: MatchOver) -> Message:
    score = write_score(state.score)
    if over.event:
        loser = {"seat": other_side(over.result)} if over.result in SEATS else {}
        return message(f"kahmate.over-{over.event}", "9.3", **loser)
    if is_won_by_try(options, state):
        return message("kahmate.over-tries", "9", seat=over.result, score=score)
    if options.turn_limit and state.turns >= options.turn_limit:
        return message("kahmate.over-turns", "9.1", n=options.turn_limit, score=score)
    return message("kahmate.over-event", "9.3")


def role_actions(options: Options, state: State, actor: Actor) -> tuple[Action, ...]:
    if isinstance(state.phase, MatchOver):
        more = map(PlayOn, range(2, MAX_TRIES + 1)) if actor == TABLE else ()
        return tuple(each for each in more if why_not_play_on(options, state, each) is None)
    if actor == REFEREE:
        return (*map(Forfeit, SEATS), Void())
    if actor == TABLE:
        return (AgreedDraw(),)
    return (Resign(actor),) if actor in SEATS else ()


def closing_phase(action: Action) -> MatchOver | None:
    """The end that an event brings; None for anything else."""
    match action:
        case Resign(side):
            return MatchOver(other_side(side), "resign")
        case Forfeit(side):
            return MatchOver(other_side(side), "forfeit")
        case AgreedDraw():
            return MatchOver("draw", "draw")
        case Void():
            return MatchOver("void", "void")
    return None


# 9.4  Playing on


def is_won_by_try(options: Options, state: State) -> bool:
    """True if the match ended by the try that reached the number needed."""
    result = state.phase.result if isinstance(state.phase, MatchOver) else ""
    return result in SEATS and state.score[SEATS.index(result)] == tries_needed(options, state)


def why_not_play_on(options: Options, state: State, action: PlayOn) -> Refusal | None:
    if not is_won_by_try(options, state):
        return message("kahmate.play-on-after-try", "9.4")
    if action.tries <= tries_needed(options, state):
        return message("kahmate.play-on-more", "9.4", n=tries_needed(options, state))
    if options.turn_limit and state.turns >= options.turn_limit:
        return message("kahmate.play-on-limit", "9.4", n=options.turn_limit)
    return None


def play_on(state: State, action: PlayOn) -> tuple[State, list[Event]]:
    after = replace(restart(state), raised_tries=action.tries)
    told = message("kahmate.played-on", "9.4", n=action.tries, seat=after.turn)
    return after, [Event(told)]
