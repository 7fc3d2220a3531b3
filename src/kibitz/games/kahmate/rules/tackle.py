"""Tackles, and where the ball drops (6)."""

from __future__ import annotations

from msgspec.structs import replace

from kibitz.core.game import Event, Seat
from kibitz.core.message import Refusal, message
from kibitz.games.kahmate.actions import Drop, Tackle
from kibitz.games.kahmate.board import (
    FORWARD,
    NEIGHBOURS,
    is_in_goal,
    name_of,
    offset,
    square_beyond,
    square_place,
)
from kibitz.games.kahmate.messages import kind_message, man_message, man_of_message
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules.ball import ball_motions, give_ball
from kibitz.games.kahmate.rules.turn import record_mover, why_not_mover, why_not_near
from kibitz.games.kahmate.state import Dropping, Duelling, Field, Playing, State, man_at, put_man

# 6  Tackle


def why_not_tackle(state: State, action: Tackle) -> Refusal | None:
    refusal = why_not_mover(state, action.origin) or why_not_near(action.origin, action.target)
    if refusal:
        return refusal
    at, name = square_place(action.target), name_of(action.target)
    target = state.field[action.target]
    if target is None:
        return message("kahmate.tackle-nobody", "6", square=name, at=at)
    if target.side == state.turn:
        return message("kahmate.tackle-partner", "6", square=name, at=at)
    if state.ball != action.target:
        because = {} if state.ball is None else {"because": square_place(state.ball)}
        values = {"square": name, "at": at, **because}
        return message("kahmate.tackle-without-ball", "6", man=kind_message(target), **values)
    return None


def tackle(state: State, action: Tackle) -> tuple[State, list[Event]]:
    other = man_of_message(man_at(state, action.target))
    tackler = man_at(state, action.origin)
    told = man_message("kahmate.tackles", "6", tackler, action.target, other=other)
    after = replace(
        state,
        movers=record_mover(state, action.origin, action.origin, 0),
        phase=Duelling("T", action.origin, action.target),
        hold=None,
    )
    return after, [Event(told)]


def settle_tackle(
    options: Options, state: State, duel: Duelling, margin: int
) -> tuple[State, list[Event]]:
    tackler, tackled = man_at(state, duel.attacker), man_at(state, duel.defender)
    if margin <= 0:
        after = replace(state, field=knock_out(state, duel.attacker), phase=Playing())
        told = man_message("kahmate.tackle-failed", "6", tackler, duel.attacker)
        return after, [Event(told, place=square_place(duel.attacker))]
    down = replace(state, field=knock_out(state, duel.defender))
    if margin == 2 or (margin > 2 and options.perfect == "atleast"):
        other = man_of_message(tackled)
        told = man_message("kahmate.perfect", "6", tackler, duel.defender, other=other)
        motions, place = ball_motions(state, duel.attacker), square_place(duel.defender)
        return give_ball(down, duel.attacker), [Event(told, motions, place=place)]
    after, events = drop_ball(down, duel.defender, duel.attacker)
    told = man_message("kahmate.tackled", "6", tackled, duel.defender)
    return after, [Event(told, place=square_place(duel.defender)), *events]


def knock_out(state: State, square: int) -> Field:
    man = man_at(state, square)
    return put_man(state.field, square, replace(man, down=2 if man.side == state.turn else 1))


# 6.1  Where the ball drops


def landings(side: Seat, fallen: int, against: int) -> tuple[int, ...]:
    """The squares the ball may go to when a man of this side falls; his captain chooses between
    two."""
    behind, far = offset(fallen, -FORWARD[side], 0), square_beyond(against, fallen)
    if behind is not None and not is_in_goal(behind):
        return (behind,)
    if far is not None and not is_in_goal(far):
        return (far,)
    return tuple(at for at in NEIGHBOURS[fallen] if not is_in_goal(at) and at != against)


def drop_ball(state: State, fallen: int, against: int) -> tuple[State, list[Event]]:
    man = man_at(state, fallen)
    squares = landings(man.side, fallen, against)
    if len(squares) > 1:
        return replace(state, phase=Dropping(fallen, against)), []
    return drop_ball_on(state, squares[0])


def drop_ball_on(state: State, square: int) -> tuple[State, list[Event]]:
    """The state with the ball on a square, in the hands of a man who stands there."""
    taker = state.field[square]
    told = message("kahmate.ball-loose", "6.1", square=name_of(square))
    if taker:
        told = man_message("kahmate.ball-taken", "6.1", taker, square)
    return give_ball(state, square), [Event(told, ball_motions(state, square))]


def why_not_drop(state: State, phase: Dropping, action: Drop) -> Refusal | None:
    squares = landings(man_at(state, phase.fallen).side, phase.fallen, phase.against)
    if action.square in squares:
        return None
    first, second = (name_of(at) for at in squares)
    return message(
        "kahmate.drop-where", "6.1", first=first, second=second, at=square_place(action.square)
    )
