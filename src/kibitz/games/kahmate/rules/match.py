"""Tries, the end of a match, and what ends it early (9)."""

from __future__ import annotations

from dataclasses import replace

from kibitz.core.game import REFEREE, TABLE, Actor, Event, Outcome, Seat
from kibitz.core.message import Message, message
from kibitz.games.kahmate.actions import Action, AgreedDraw, Forfeit, Resign, Void
from kibitz.games.kahmate.board import FORWARD, file_of
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


def score_try(options: Options, state: State, man: Man) -> tuple[State, list[Event]]:
    side = state.turn
    red, blue = state.score
    score = (red + 1, blue) if side == "R" else (red, blue + 1)
    told = message("kahmate.try", "9", seat=side, man=kind_message(man), score=write_score(score))
    events = [Event(told)]
    after = replace(state, score=score, turns=state.turns + 1, movers=(), hold=None)
    over = MatchOver(side) if max(score) == options.tries else end_at_turn_limit(options, after)
    if over:
        return replace(after, phase=over), events
    again = State(
        NOBODY, other_side(side), Placing("R"), hands=state.hands, score=score, turns=after.turns
    )
    return again, [*events, Event(message("kahmate.restart", "9", seat=other_side(side)))]


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
    man = holder(state)
    if not options.hold_limit or (man and man.side != side):
        return state, events
    if man is None or state.ball is None:
        return replace(state, hold=None), events
    file, hold = file_of(state.ball), state.hold
    if hold is None or (file - hold.best) * FORWARD[side] > 0:
        return replace(state, hold=Hold(side, 0, file)), events
    if hold.count + 1 < options.hold_limit:
        return replace(state, hold=replace(hold, count=hold.count + 1)), events
    stale = Event(message("kahmate.stale", "9.2", seat=side, n=options.hold_limit))
    return replace(state, ball=None, hold=None, phase=BallDrawing()), [*events, stale]


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
    if over.result in SEATS and state.score[SEATS.index(over.result)] == options.tries:
        return message("kahmate.over-tries", "9", seat=over.result, score=score)
    if options.turn_limit and state.turns >= options.turn_limit:
        return message("kahmate.over-turns", "9.1", n=options.turn_limit, score=score)
    return message("kahmate.over-event", "9.3")


def role_actions(state: State, actor: Actor) -> tuple[Action, ...]:
    if isinstance(state.phase, MatchOver):
        return ()
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
