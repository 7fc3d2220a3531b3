"""Forcing through (7)."""

from __future__ import annotations

from msgspec.structs import replace

from kibitz.core.game import Event
from kibitz.core.message import Refusal, message
from kibitz.games.kahmate.actions import Exit, Force
from kibitz.games.kahmate.board import (
    IN_GOAL,
    NEIGHBOURS,
    file_of,
    name_of,
    square_beyond,
    square_place,
)
from kibitz.games.kahmate.messages import man_message, man_of_message
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules.ball import why_not_holder
from kibitz.games.kahmate.rules.tackle import drop_ball, knock_out
from kibitz.games.kahmate.rules.turn import move_man, record_mover, why_not_mover, why_not_near
from kibitz.games.kahmate.state import Duelling, Exiting, Playing, State, man_at, points_of

# 7  Forcing through


def exits(state: State, through: int) -> tuple[int, ...]:
    """The squares on which a charger can come out."""
    return tuple(
        at
        for at in NEIGHBOURS[through]
        if state.field[at] is None and file_of(at) != IN_GOAL[state.turn]
    )


def why_not_force(options: Options, state: State, action: Force) -> Refusal | None:
    refusal = why_not_holder(state, action.origin, "force", "7")
    refusal = refusal or why_not_mover(state, action.origin)
    refusal = refusal or why_not_near(action.origin, action.target)
    if refusal:
        return refusal
    at, name = square_place(action.target), name_of(action.target)
    target = state.field[action.target]
    if target is None:
        return message("kahmate.force-nobody", "7", square=name, at=at)
    if target.side == state.turn:
        return message("kahmate.force-partner", "7", square=name, at=at)
    if points_of(state, action.origin) < 2:
        return message("kahmate.force-one-point", "7", square=name, at=at)
    return why_not_charge(options, state, action.origin, action.target)


def why_not_charge(
    options: Options, state: State, charger: int, through: int, is_decided: bool = False
) -> Refusal | None:
    """The reason why this opponent may not be charged; once it is decided he has just fallen."""
    at, name = square_place(through), name_of(through)
    if man_at(state, through).down and options.force_down == "no" and not is_decided:
        return message("kahmate.force-the-down", "11", square=name, at=at)
    behind = square_beyond(charger, through)
    blocker = None if behind is None else state.field[behind]
    if behind is not None and blocker and options.force_beyond != "exit":
        values = {"square": name_of(behind), "at": at, "because": square_place(behind)}
        if blocker.side != state.turn:
            return message("kahmate.force-opponent-beyond", "7", **values)
        if options.force_beyond == "any":
            return message("kahmate.force-partner-beyond", "11", **values)
    if not exits(state, through):
        return message("kahmate.force-no-exit", "7", square=name, at=at)
    return None


def force(state: State, action: Force) -> tuple[State, list[Event]]:
    other = man_of_message(man_at(state, action.target))
    charger = man_at(state, action.origin)
    told = man_message("kahmate.charges", "7", charger, action.target, other=other)
    points = points_of(state, action.origin)
    after = replace(
        state,
        movers=record_mover(state, action.origin, action.origin, points),
        phase=Duelling("F", action.origin, action.target),
        hold=None,
    )
    return after, [Event(told)]


def settle_force(state: State, duel: Duelling, margin: int) -> tuple[State, list[Event]]:
    charger = man_at(state, duel.attacker)
    if margin > 0:
        other = man_of_message(man_at(state, duel.defender))
        told = man_message("kahmate.broke-through", "7", charger, duel.defender, other=other)
        field = knock_out(state, duel.defender)
        phase = Exiting(duel.attacker, duel.defender)
        after = replace(state, field=field, phase=phase)
        return after, [Event(told, place=square_place(duel.defender))]
    told = man_message("kahmate.stopped", "7", charger, duel.attacker)
    down = replace(
        state,
        field=knock_out(state, duel.attacker),
        movers=record_mover(state, duel.attacker, duel.attacker, 0),
    )
    after, events = drop_ball(down, duel.attacker, duel.defender)
    return after, [Event(told, place=square_place(duel.attacker)), *events]


def why_not_exit(state: State, phase: Exiting, action: Exit) -> Refusal | None:
    if action.square in exits(state, phase.beaten):
        return None
    values = {"square": name_of(action.square), "beaten": name_of(phase.beaten)}
    return message("kahmate.exit-where", "7", **values, at=square_place(action.square))


def stay(state: State, phase: Exiting) -> tuple[State, list[Event]]:
    """The charger keeps his square, for one point."""
    charger = phase.charger
    told = man_message("kahmate.stayed", "7", man_at(state, charger), charger)
    movers = record_mover(state, charger, charger, points_of(state, charger) - 1)
    return replace(state, movers=movers, phase=Playing()), [Event(told)]


def come_out(
    options: Options, state: State, phase: Exiting, square: int
) -> tuple[State, list[Event]]:
    return move_man(options, state, phase.charger, square, points_of(state, phase.charger) - 2)
