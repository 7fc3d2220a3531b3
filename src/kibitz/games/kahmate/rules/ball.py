"""The ball in flight (5): pass, interception, kick."""

from __future__ import annotations

from msgspec.structs import replace

from kibitz.core.game import Event, Motion, Seat
from kibitz.core.message import Refusal, message
from kibitz.games.kahmate.actions import Intercept, Kick, Pass
from kibitz.games.kahmate.board import (
    FORWARD,
    file_of,
    is_in_goal,
    name_of,
    offset,
    rank_of,
    square_place,
)
from kibitz.games.kahmate.messages import ball_place, kind_message, man_message
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules.turn import why_not_man
from kibitz.games.kahmate.state import Duelling, Passing, Playing, State, man_at, men_of

# 5.1  Pass


def why_not_holder(state: State, origin: int, verb: str, paragraph: str) -> Refusal | None:
    if refusal := why_not_man(state, origin):
        return refusal
    if state.ball == origin:
        return None
    values = {"square": name_of(origin), "at": square_place(origin)}
    if state.ball is not None:
        values["because"] = square_place(state.ball)
    return message(f"kahmate.{verb}-without-ball", paragraph, **values)


def why_not_pass(options: Options, state: State, action: Pass) -> Refusal | None:
    if refusal := why_not_holder(state, action.origin, "pass", "5.1"):
        return refusal
    at, name = square_place(action.target), name_of(action.target)
    receiver = state.field[action.target]
    files, ranks = _back_and_aside(state.turn, action.origin, action.target)
    if receiver is None:
        return message("kahmate.pass-to-nobody", "5.1", square=name, at=at)
    if receiver.side != state.turn:
        return message("kahmate.pass-to-opponent", "5.1", square=name, at=at)
    if receiver.down:
        man = kind_message(receiver)
        return message("kahmate.pass-to-the-down", "5.1", man=man, square=name, at=at)
    if files <= 0:
        id = "kahmate.pass-forward" if files < 0 else "kahmate.pass-level"
        return message(id, "5.1", square=name, at=at)
    if files > 2 or abs(ranks) > 2:
        return message("kahmate.pass-too-far", "5.1", square=name, at=at)
    if options.pass_shape == "line" and ranks != 0 and abs(ranks) != files:
        return message("kahmate.pass-not-in-line", "11", square=name, at=at)
    return None


def _back_and_aside(side: Seat, origin: int, target: int) -> tuple[int, int]:
    """The files that a square lies behind another, and the ranks to its side."""
    files = (file_of(origin) - file_of(target)) * FORWARD[side]
    return files, rank_of(target) - rank_of(origin)


def make_pass(options: Options, state: State, action: Pass) -> tuple[State, list[Event]]:
    man, origin = man_at(state, action.origin), name_of(action.origin)
    if interceptors(options, state, action.origin, action.target):
        told = man_message("kahmate.passes", "5.2", man, action.target, origin=origin)
        return replace(state, phase=Passing(action.origin, action.target)), [Event(told)]
    told = man_message("kahmate.passed", "5.1", man, action.target, origin=origin)
    return give_ball(state, action.target), [Event(told, ball_motions(state, action.target))]


def give_ball(state: State, square: int) -> State:
    """The ball goes somewhere, and the captain on turn goes on."""
    return replace(state, ball=square, phase=Playing())


def ball_motions(state: State, target: int) -> tuple[Motion, ...]:
    if state.ball is None or state.ball == target:
        return ()
    return (Motion(ball_place(state.ball), ball_place(target), how="fly"),)


# 5.2  Interception


def crossed_squares(options: Options, side: Seat, passer: int, receiver: int) -> tuple[int, ...]:
    """The squares that the ball crosses."""
    files, ranks = _back_and_aside(side, passer, receiver)
    aside = (ranks > 0) - (ranks < 0)
    match files, abs(ranks):
        case 2, 0:
            crossed = [(1, 0)]
        case 2, 2:
            crossed = [(1, aside)]
        case 1, 2:
            crossed = [(1, aside), (0, aside)]
        case 2, 1:
            crossed = [(1, aside), (1, 0)]
        case _:
            crossed = []
    if options.between == "diag":
        crossed = crossed[:1]
    squares = (offset(passer, -back * FORWARD[side], ranks) for back, ranks in crossed)
    return tuple(at for at in squares if at is not None)


def interceptors(options: Options, state: State, passer: int, receiver: int) -> tuple[int, ...]:
    """The squares of the active opponents who may intercept."""
    return tuple(
        at
        for at in crossed_squares(options, state.turn, passer, receiver)
        if (man := state.field[at]) and man.side != state.turn and not man.down
    )


def why_not_intercept(
    options: Options, state: State, phase: Passing, action: Intercept
) -> Refusal | None:
    if action.square in interceptors(options, state, phase.passer, phase.receiver):
        return None
    values = {"square": name_of(action.square), "at": square_place(action.square)}
    return message("kahmate.cannot-intercept", "5.2", **values)


def let_pass_go(state: State, phase: Passing) -> tuple[State, list[Event]]:
    receiver = man_at(state, phase.receiver)
    told = man_message("kahmate.let-go", "5.2", receiver, phase.receiver)
    return give_ball(state, phase.receiver), [Event(told, ball_motions(state, phase.receiver))]


def intercept(state: State, phase: Passing, square: int) -> tuple[State, list[Event]]:
    duel = Duelling("I", phase.passer, square, phase.receiver)
    told = man_message("kahmate.jumps-in", "5.2", man_at(state, square), square)
    return replace(state, phase=duel, hold=None), [Event(told)]


def settle_interception(state: State, duel: Duelling, margin: int) -> tuple[State, list[Event]]:
    """Nobody is knocked out (5.2)."""
    assert duel.receiver is not None
    taker = duel.receiver if margin > 0 else duel.defender
    id = "kahmate.got-through" if margin > 0 else "kahmate.intercepted"
    told = man_message(id, "5.2", man_at(state, taker), taker)
    return give_ball(state, taker), [Event(told, ball_motions(state, taker))]


# 5.3  Kick


def partner_ahead(state: State, square: int) -> int | None:
    """A partner, active or not, on a file further forward."""
    ahead = FORWARD[state.turn]
    for at, _ in men_of(state.field, state.turn):
        if (file_of(at) - file_of(square)) * ahead > 0:
            return at
    return None


def why_not_kick(options: Options, state: State, action: Kick) -> Refusal | None:
    if refusal := why_not_holder(state, action.origin, "kick", "5.3"):
        return refusal
    if (partner := partner_ahead(state, action.origin)) is not None:
        values = {"square": name_of(partner), "at": square_place(action.origin)}
        return message("kahmate.kick-partner-ahead", "5.3", **values, because=square_place(partner))
    return why_not_kick_to(options, state, action.origin, action.target)


def why_not_kick_to(options: Options, state: State, origin: int, target: int) -> Refusal | None:
    at, name = square_place(target), name_of(target)
    back, ranks = _back_and_aside(state.turn, origin, target)
    if back >= 0:
        return message("kahmate.kick-not-forward", "5.3", square=name, at=at)
    if is_in_goal(target) and not options.kick_in_goal:
        return message("kahmate.kick-in-goal", "5.3", square=name, at=at)
    if back < -3 or abs(ranks) > 3:
        return message("kahmate.kick-too-far", "5.3", square=name, at=at)
    if options.kick_shape == "line" and ranks != 0 and abs(ranks) != -back:
        return message("kahmate.kick-not-in-line", "11", square=name, at=at)
    if state.field[target]:
        return message("kahmate.kick-onto-a-man", "5.3", square=name, at=at)
    return None


def kick(state: State, action: Kick) -> tuple[State, list[Event]]:
    man, origin = man_at(state, action.origin), name_of(action.origin)
    told = man_message("kahmate.kicked", "5.3", man, action.target, origin=origin)
    return give_ball(state, action.target), [Event(told, ball_motions(state, action.target))]
