"""The rules of Game Title, in the order of the rule book (rule_book/game-name.md)."""

from __future__ import annotations

from game_package.options import Options
from game_package.state import SEATS, State, Take, other_seat
from kibitz.core.game import Actor, Event, Outcome, Step
from kibitz.core.message import Refusal, Refused, message


def start(options: Options) -> State:
    return State(options.stones)


def to_act(state: State) -> frozenset[Actor]:
    """Both take turns, until no stone is left (1)."""
    return frozenset({state.turn} if state.left else ())


def turn_actions(options: Options, state: State, actor: Actor) -> tuple[Take, ...]:
    """At least one stone, at most so many (2)."""
    if actor not in to_act(state):
        return ()
    return tuple(Take(count) for count in range(1, min(options.most, state.left) + 1))


def actor_of(state: State, action: Take) -> Actor:
    return state.turn


def why_not(options: Options, state: State, actor: Actor, action: Take) -> Refusal | None:
    if actor not in to_act(state):
        return message("game-name.not-your-turn", "1")
    if action not in turn_actions(options, state, actor):
        return message("game-name.too-many", "2", most=min(options.most, state.left))
    return None


def resolve(options: Options, state: State, actor: Actor, action: Take) -> Step[State, Take]:
    if refusal := why_not(options, state, actor, action):
        raise Refused(refusal)
    after = State(state.left - action.count, other_seat(actor))
    events = [Event(message("game-name.took", "2", seat=actor, n=action.count))]
    if over := outcome(after):
        events.append(Event(over.why))
    return Step(action, after, tuple(events), is_reveal=over is not None)


def outcome(state: State) -> Outcome | None:
    """The last stone wins (3)."""
    if state.left:
        return None
    winner = other_seat(state.turn)
    payoffs = tuple(1 if seat == winner else -1 for seat in SEATS)
    return Outcome(winner, payoffs, message("game-name.won", "3", seat=winner))
