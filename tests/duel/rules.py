"""The rules of Duel, in the order of the rule book (the package's docstring)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from duel.actions import Action, Choose, Draw, Roll, Set, Wind
from duel.options import Options
from duel.state import CARDS, SEATS, State
from kibitz.core.game import CHANCE, REFEREE, TABLE, Actor, Event, Motion, Outcome, Seat, Step
from kibitz.core.message import Refusal, Refused, message

A, B = SEATS
DIE = tuple(Roll(pips) for pips in (1, 2, 3))
T = TypeVar("T")


def to_act(options: Options, state: State) -> frozenset[Actor]:
    if outcome(options, state):
        return frozenset()
    if state.runner is not None:
        return frozenset({CHANCE, state.runner} if options.die == "pressed" else {CHANCE})
    return frozenset({A if state.down is None else B})


def turn_actions(options: Options, state: State, actor: Actor) -> tuple[Action, ...]:
    if actor not in to_act(options, state):
        return ()
    if actor == CHANCE:
        return DIE
    return () if state.runner is not None else _cards(state, actor)


def anytime_actions(options: Options, state: State, actor: Actor) -> tuple[Action, ...]:
    if actor not in SEATS or outcome(options, state) or not state.winds[SEATS.index(actor)]:
        return ()
    return (Wind(actor),)


def secret(
    options: Options, state: State, seat: Seat, held: tuple[Action, ...]
) -> tuple[Action, ...]:
    """One card, as soon as cards are due; B need not wait for A (D1)."""
    due = not outcome(options, state) and state.runner is None
    if held or not due or (seat == A and state.down is not None):
        return ()
    return _cards(state, seat)


def actor(state: State, action: Action) -> Actor:
    match action:
        case Choose():
            return A if state.down is None else B
        case Roll():
            return CHANCE
        case Wind(seat):
            return seat
        case Set():
            return REFEREE
        case Draw():
            return TABLE


def why_not(options: Options, state: State, actor: Actor, action: Action) -> Refusal | None:
    match action:
        case Set(position):
            if actor != REFEREE:
                return message("duel.referee-only", "D5")
            if position.down is not None:
                return message("duel.set-face-down", "D5", card=position.down)
        case Wind(seat):
            if seat not in ("", actor):
                return message("duel.not-your-wind", "D4", seat=seat)
            if not anytime_actions(options, state, actor):
                return message("duel.no-wind", "D4")
        case Draw():
            if actor != TABLE or outcome(options, state):
                return message("duel.both-must-agree", "D6")
        case Choose() | Roll():
            if actor not in to_act(options, state):
                return message("duel.not-your-turn", "D1")
            if action not in turn_actions(options, state, actor):
                if isinstance(action, Choose) and actor in SEATS:
                    return message("duel.not-in-hand", "D1", card=action.card)
                return message("duel.not-now", "D2")
    return None


def resolve(options: Options, state: State, actor: Actor, action: Action) -> Step[State, Action]:
    if refusal := why_not(options, state, actor, action):
        raise Refused(refusal)
    match action:
        case Choose(card):
            return _put_down(state, card) if actor == A else _show(state, card)
        case Roll(pips):
            assert state.runner is not None
            return _run(options, replace(state, runner=None), state.runner, pips, action)
        case Wind():
            rested = replace(state, winds=_put(state.winds, actor, False))
            return _run(options, rested, actor, 1, Wind(actor))
        case Draw():
            drawn = replace(state, drawn=True)
            return Step(action, drawn, (Event(message("duel.drawn", "D6")),), True)
        case Set(position, why):
            return Step(action, position, (Event(message("duel.set", "D5", why=why)),), True)


def odds(options: Options, state: State) -> dict[Action, Fraction]:
    return {roll: Fraction(1, len(DIE)) for roll in turn_actions(options, state, CHANCE)}


def outcome(options: Options, state: State) -> Outcome | None:
    if state.drawn:
        return Outcome("draw", (0, 0), message("duel.drawn", "D6"))
    for seat, steps, payoffs in zip(SEATS, state.steps, ((1, -1), (-1, 1)), strict=True):
        if steps >= options.goal:
            return Outcome(seat, payoffs, message("duel.line", "D3", seat=seat))
    return None


def _put_down(state: State, card: int) -> Step[State, Action]:
    ready = Event(message("duel.ready", "D1", seat=A))
    mine = Event(message("duel.your-card", "D1", card=card), witnesses=frozenset({A}))
    return Step(Choose(card), replace(state, down=card), (ready, mine))


def _show(state: State, theirs: int) -> Step[State, Action]:
    assert state.down is not None
    mine = state.down
    hands = [
        tuple(card for card in hand if card != shown) or CARDS
        for hand, shown in zip(state.hands, (mine, theirs), strict=True)
    ]
    runner = None if mine == theirs else A if mine > theirs else B
    after = replace(state, hands=(hands[0], hands[1]), down=None, runner=runner)
    return Step(
        Choose(theirs), after, (Event(message("duel.shown", "D1", A=mine, B=theirs)),), True
    )


def _run(
    options: Options, state: State, seat: Seat, pips: int, action: Action
) -> Step[State, Action]:
    origin = state.steps[SEATS.index(seat)]
    goes = Motion(f"sq-{seat}{origin}", f"sq-{seat}{min(options.goal, origin + pips)}")
    steps = _put(state.steps, seat, min(options.goal, origin + pips))
    after = replace(state, steps=steps)
    over = outcome(options, after)
    ran = Event(message("duel.ran", "D2", seat=seat, pips=pips), (goes,))
    return Step(action, after, (ran, Event(over.why)) if over else (ran,), over is not None)


def _cards(state: State, seat: Seat) -> tuple[Action, ...]:
    return tuple(Choose(card) for card in state.hands[SEATS.index(seat)])


def _put(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == A else (pair[0], value)
