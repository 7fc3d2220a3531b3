"""Forcing through (7)."""

from __future__ import annotations

from dataclasses import replace

from kibitz.core.game import Event
from kibitz.core.message import Refusal, message
from kibitz.games.kahmate.actions import Exit, Force
from kibitz.games.kahmate.board import IN_GOAL, NEIGHBOURS, beyond, file_of, name_of, place
from kibitz.games.kahmate.messages import of_man
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules.ball import why_not_holder
from kibitz.games.kahmate.rules.tackle import drop, knock_out
from kibitz.games.kahmate.rules.turn import go, moved, why_not_mover, why_not_near
from kibitz.games.kahmate.state import Duelling, Exiting, State, man_at, points_of

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
    at, name = place(action.target), name_of(action.target)
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
    """What is wrong with charging this opponent; once it is decided he has just fallen."""
    at, name = place(through), name_of(through)
    if man_at(state, through).down and options.force_down == "no" and not is_decided:
        return message("kahmate.force-the-down", "11", square=name, at=at)
    behind = beyond(charger, through)
    blocker = None if behind is None else state.field[behind]
    if behind is not None and blocker and options.force_beyond != "exit":
        values = {"square": name_of(behind), "at": at, "because": place(behind)}
        if blocker.side != state.turn:
            return message("kahmate.force-opponent-beyond", "7", **values)
        if options.force_beyond == "any":
            return message("kahmate.force-partner-beyond", "11", **values)
    if not exits(state, through):
        return message("kahmate.force-no-exit", "7", square=name, at=at)
    return None


def force(state: State, action: Force) -> tuple[State, list[Event]]:
    told = of_man("kahmate.charges", "7", man_at(state, action.origin), action.target)
    points = points_of(state, action.origin)
    after = replace(
        state,
        movers=moved(state, action.origin, action.origin, points),
        phase=Duelling("F", action.origin, action.target),
        hold=None,
    )
    return after, [Event(told)]


def force_decided(state: State, duel: Duelling, margin: int) -> tuple[State, list[Event]]:
    charger = man_at(state, duel.attacker)
    if margin > 0:
        told = of_man("kahmate.broke-through", "7", charger, duel.defender)
        field = knock_out(state, duel.defender)
        phase = Exiting(duel.attacker, duel.defender)
        return replace(state, field=field, phase=phase), [Event(told)]
    told = of_man("kahmate.stopped", "7", charger, duel.attacker)
    down = replace(
        state,
        field=knock_out(state, duel.attacker),
        movers=moved(state, duel.attacker, duel.attacker, 0),
    )
    after, events = drop(down, duel.attacker, duel.defender)
    return after, [Event(told), *events]


def why_not_exit(state: State, phase: Exiting, action: Exit) -> Refusal | None:
    if action.square in exits(state, phase.beaten):
        return None
    values = {"square": name_of(action.square), "beaten": name_of(phase.beaten)}
    return message("kahmate.exit-where", "7", **values, at=place(action.square))


def come_out(
    options: Options, state: State, phase: Exiting, square: int
) -> tuple[State, list[Event]]:
    return go(options, state, phase.charger, square, points_of(state, phase.charger) - 2)
