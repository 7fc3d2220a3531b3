"""The turn (4): who may be moved, steps, and how a turn ends."""

from __future__ import annotations

from msgspec.structs import replace

from kibitz.core.game import Event, Motion
from kibitz.core.message import Refusal, message
from kibitz.games.kahmate.actions import Step
from kibitz.games.kahmate.board import (
    IN_GOAL,
    NEIGHBOURS,
    file_of,
    is_in_goal,
    name_of,
    square_place,
)
from kibitz.games.kahmate.messages import ball_place, kind_message, man_message
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules.match import check_possession, end_at_turn_limit, score_try
from kibitz.games.kahmate.state import (
    Mover,
    Playing,
    State,
    man_at,
    men_of,
    mover_at,
    other_side,
    points_of,
    put_man,
)

# 4  The turn


def record_mover(state: State, origin: int, target: int, points: int) -> tuple[Mover, ...]:
    """The movers once the man of `origin` stands on `target` with so many points left."""
    others = (mover for mover in state.movers if mover.square != origin)
    return tuple(sorted((*others, Mover(target, points)), key=lambda mover: mover.square))


def why_not_man(state: State, origin: int) -> Refusal | None:
    """Knocked-out men and those of the other side do nothing (4)."""
    man, at = state.field[origin], square_place(origin)
    if man is None:
        return message("kahmate.nobody", "4", square=name_of(origin), at=at)
    if man.side != state.turn:
        return message("kahmate.not-your-man", "4", square=name_of(origin), at=at)
    if man.down:
        return message("kahmate.down", "4", man=kind_message(man), square=name_of(origin), at=at)
    return None


def why_not_mover(state: State, origin: int) -> Refusal | None:
    """At most two men are moved in a turn, each as far as his points go (4)."""
    if refusal := why_not_man(state, origin):
        return refusal
    at, man = square_place(origin), kind_message(man_at(state, origin))
    if not mover_at(state, origin) and len(state.movers) == 2:
        first, second = (name_of(mover.square) for mover in state.movers)
        values = {"first": first, "second": second, "at": at, "because": f"sq-{first}"}
        return message("kahmate.third-man", "4", **values)
    if not points_of(state, origin):
        return message("kahmate.no-points", "4", man=man, square=name_of(origin), at=at)
    return None


def why_not_near(origin: int, target: int) -> Refusal | None:
    if target in NEIGHBOURS[origin]:
        return None
    names = {"origin": name_of(origin), "target": name_of(target)}
    return message("kahmate.not-adjacent", "1", **names, at=square_place(target))


# 4.1  Step


def why_not_step(state: State, step: Step) -> Refusal | None:
    return (
        why_not_mover(state, step.origin)
        or why_not_near(step.origin, step.target)
        or why_not_enter(state, step.origin, step.target)
    )


def why_not_enter(state: State, origin: int, target: int) -> Refusal | None:
    at, name = square_place(target), name_of(target)
    if state.field[target]:
        return message("kahmate.taken", "4.1", square=name, at=at, because=at)
    if state.ball == target:
        return None
    if file_of(target) == IN_GOAL[state.turn]:
        return message("kahmate.own-in-goal", "4.1", square=name, at=at)
    if is_in_goal(target) and state.ball != origin:
        return message("kahmate.in-goal-without-ball", "4.1", square=name, at=at)
    return None


def take_step(options: Options, state: State, step: Step) -> tuple[State, list[Event]]:
    points = points_of(state, step.origin) - 1
    if file_of(step.target) == IN_GOAL[state.turn]:
        return fetch_ball(state, step, points)
    return move_man(options, state, step.origin, step.target, points)


def fetch_ball(state: State, step: Step, points: int) -> tuple[State, list[Event]]:
    """A man takes the ball out of his own in-goal and stays where he is (5.4)."""
    man = man_at(state, step.origin)
    after = replace(
        state,
        movers=record_mover(state, step.origin, step.origin, points),
        ball=step.origin,
        hold=None,
    )
    told = man_message("kahmate.fetched", "5.4", man, step.origin, target=name_of(step.target))
    motion = Motion(ball_place(step.target), ball_place(step.origin), how="fly")
    return after, [Event(told, (motion,))]


def move_man(
    options: Options, state: State, origin: int, target: int, points: int
) -> tuple[State, list[Event]]:
    """A man goes somewhere with the ball, if he has it, and picks it up if it lies there."""
    man = man_at(state, origin)
    carries, finds = state.ball == origin, state.ball == target
    after = replace(
        state,
        field=put_man(put_man(state.field, origin, None), target, man),
        movers=record_mover(state, origin, target, points),
        ball=target if carries else state.ball,
        phase=Playing(),
    )
    motions = [Motion(square_place(origin), square_place(target))]
    if carries:
        motions.append(Motion(ball_place(origin), ball_place(target)))
    id = "kahmate.carried" if carries else "kahmate.ran"
    events = [Event(man_message(id, "4.1", man, target, origin=name_of(origin)), tuple(motions))]
    if finds:
        events.append(Event(man_message("kahmate.picked-up", "4.1", man, target)))
    if is_in_goal(target):
        after, more = score_try(options, after, man)
        events += more
    return after, events


# 4.2  End


def end_turn(options: Options, state: State) -> tuple[State, list[Event]]:
    side = state.turn
    events = [Event(message("kahmate.ended", "4.2", seat=side))]
    field = state.field
    for at, man in men_of(state.field, side):
        if man.down:
            field = put_man(field, at, replace(man, down=man.down - 1))
            if man.down == 1:
                events.append(Event(man_message("kahmate.up-again", "8", man, at)))
    after = replace(
        state, field=field, movers=(), turns=state.turns + 1, turn=other_side(side), phase=Playing()
    )
    if over := end_at_turn_limit(options, after):
        return replace(after, phase=over, hold=None), events
    return check_possession(options, after, side, events)
