"""The action that somebody had in mind who touched what is not offered.

Mostly that is an action, and the rules say what is wrong with it. Where there is none, or where
the rules would name a small thing beside a greater one, the answer is given here. All of it
follows from what the one who touches may see.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from kibitz.core.game import Seat
from kibitz.core.message import Message, message
from kibitz.games.kahmate.actions import (
    Action,
    Ball,
    Card,
    Decline,
    Drop,
    End,
    Exit,
    Force,
    Intercept,
    Kick,
    Pass,
    Placement,
    Step,
    Tackle,
)
from kibitz.games.kahmate.board import (
    FIELD_SQUARES,
    FORWARD,
    IN_GOAL,
    NEIGHBOURS,
    SQUARE_AT,
    SQUARES,
    file_of,
    is_in_goal,
    name_of,
    rank_of,
    square_place,
)
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import (
    holder,
    kind_message,
    man_at,
    next_kind,
    partner_ahead,
    plays,
    points_of,
    to_act,
    why_not,
)
from kibitz.games.kahmate.state import (
    FACE_DOWN,
    TEAM,
    BallDrawing,
    Dropping,
    Duelling,
    Exiting,
    MatchOver,
    Passing,
    Phase,
    Placing,
    Playing,
    State,
    View,
)
from kibitz.games.kahmate.ui.paths import run_paths
from kibitz.games.kahmate.ui.phrases import chosen_man
from kibitz.games.kahmate.view import as_state

SAMPLE_BY_PHASE: dict[type[Phase], Action] = {
    BallDrawing: Ball(1),
    Playing: End(),
    Passing: Decline(),
    Exiting: Exit(0),
    Dropping: Drop(0),
    MatchOver: End(),
}
"""Something of the kind each phase asks for: of that the rules say first who may do it."""


def intent(options: Options, view: View, seat: Seat, path: tuple[str, ...]) -> Action | Message:
    """The action behind a path that is not offered; a message where there is none."""
    state = as_state(view)
    match state.phase:
        case Placing():
            return _placing_intent(options, state, seat, path)
        case Duelling() as duel:
            return _duel_intent(options, view, state, duel, seat, path)
    if seat not in to_act(state):
        return SAMPLE_BY_PHASE[type(state.phase)]
    first, second = (*path, "", "")[:2]
    if isinstance(state.phase, Playing):
        return _play_intent(options, state, first, second)
    return _reply_intent(state, path)


# Set-up and cards: both captains choose, whoever comes first in the record


def _placing_intent(
    options: Options, state: State, seat: Seat, path: tuple[str, ...]
) -> Action | Message:
    if options.placement == "open" and seat not in to_act(state):
        return Placement(TEAM[0], FIELD_SQUARES[0])
    kind = next_kind(state.field, seat)
    if kind is None:
        return message("kahmate.placed-all", "3")
    square = _last_square(path)
    if square is not None:
        action = Placement(kind, square)
        if seat in to_act(state):
            return action
        due = replace(state, phase=Placing(seat))
        if refusal := why_not(options, due, seat, action):
            return refusal
    return message("kahmate.placing", "3", man=message(f"kahmate.kind-{kind}"))


def _duel_intent(
    options: Options, view: View, state: State, duel: Duelling, seat: Seat, path: tuple[str, ...]
) -> Action | Message:
    committed = duel.card if seat == state.turn else view.early_card
    if committed is not None:
        return message("kahmate.card-chosen", "8", card=committed)
    touched = re.fullmatch(r"card-([1-6])", path[-1] if path else "")
    if touched is None:
        return End()
    action = Card(int(touched[1]))
    if seat in to_act(state):
        return action
    due = replace(state, phase=replace(duel, card=FACE_DOWN))
    return why_not(options, due, seat, action) or message("kahmate.choose-card", "8")


# The turn


def _play_intent(options: Options, state: State, first: str, second: str) -> Action | Message:
    if first == "btn-end":
        return End()
    if first == "btn-kick":
        return _kick_intent(options, state, second)
    if first.startswith("card-"):
        return message("kahmate.no-duel", "8")
    if first in ("tray", "btn-lineup"):
        return Placement(TEAM[0], FIELD_SQUARES[0])
    if first == "btn-no":
        return message("kahmate.no-pass", "5.2")
    origin = SQUARE_AT.get(first)
    if origin is None:
        return message("kahmate.start", "4")
    man = state.field[origin]
    if man is None:
        id = "kahmate.start-ball" if origin == state.ball else "kahmate.start"
        return message(id, "4", square=name_of(origin), at=first)
    if man.side != state.turn:
        return _opponent_intent(options, state, origin)
    if man.down:
        return _any_step(origin)
    return _man_intent(options, state, origin, second)


def _any_step(origin: int) -> Step:
    """The rules say first what is wrong with who steps."""
    return Step(origin, NEIGHBOURS[origin][0])


def _kick_intent(options: Options, state: State, second: str) -> Action | Message:
    man, ball = holder(state), state.ball
    if ball is None or man is None or man.side != state.turn:
        at = {"at": square_place(ball)} if ball is not None else {}
        return message("kahmate.kick-no-holder", "5.3", **at)
    target = SQUARE_AT.get(second)
    if target is not None:
        return Kick(ball, target)
    kicks = [play for play in plays(options, state) if isinstance(play, Kick)]
    if kicks:
        return message("kahmate.kicking", "5.3", square=name_of(ball))
    if man.down or partner_ahead(state, ball) is not None:
        return Kick(ball, ball)
    return message("kahmate.kick-nowhere", "5.3", square=name_of(ball), at=square_place(ball))


def _opponent_intent(options: Options, state: State, square: int) -> Action | Message:
    """The squares from which an opponent can be attacked, or a step as if he were not there."""
    for play in plays(options, state):
        if isinstance(play, Tackle | Force) and play.target == square:
            values = {"square": name_of(square), "origin": name_of(play.origin)}
            if isinstance(play, Tackle):
                return message("kahmate.tackle-from", "6", **values, at=square_place(square))
            return message("kahmate.force-from", "7", **values, at=square_place(square))
    return _any_step(square)


def _man_intent(options: Options, state: State, origin: int, second: str) -> Action | Message:
    """One of the captain's own, standing, and what was touched after him."""
    target = SQUARE_AT.get(second)
    if second == "btn-end":
        return End()
    if second == "btn-kick":
        return _kick_intent(options, state, "") if origin == state.ball else Kick(origin, origin)
    if target is None or target == origin:
        return _lone_man_intent(options, state, origin)
    there = state.field[target]
    if there is None:
        return _square_intent(options, state, origin, target)
    if there.side != state.turn:
        return Force(origin, target) if origin == state.ball else Tackle(origin, target)
    if origin == state.ball:
        return Pass(origin, target)
    return _any_step(target) if there.down else _lone_man_intent(options, state, target)


def _lone_man_intent(options: Options, state: State, origin: int) -> Action | Message:
    """Why a man can do nothing, or what he can."""
    his = [play for play in plays(options, state) if getattr(play, "origin", None) == origin]
    if his:
        return chosen_man(state, origin, his).message
    if not points_of(state, origin):
        return _any_step(origin)
    man, name = kind_message(man_at(state, origin)), name_of(origin)
    return message("kahmate.hemmed-in", "4.1", man=man, square=name, at=square_place(origin))


def _square_intent(options: Options, state: State, origin: int, target: int) -> Action | Message:
    """An empty square: to run there, or to kick there."""
    points, kick = points_of(state, origin), Kick(origin, target)
    if way := run_paths(state, origin, points).get(target):
        return Step(origin, way[1])
    is_near = target in NEIGHBOURS[origin]
    may_kick = not is_near or why_not(options, state, state.turn, kick) is None
    if origin == state.ball and _is_kick_square(options, state, origin, target) and may_kick:
        return kick
    if is_near or not points:
        return Step(origin, target)
    values = {"square": name_of(target), "at": square_place(target)}
    if file_of(target) == IN_GOAL[state.turn]:
        return message("kahmate.own-in-goal", "4.1", **values)
    if is_in_goal(target) and origin != state.ball:
        return message("kahmate.in-goal-without-ball", "4.1", **values)
    return _too_far_message(state, origin, target, points)


def _is_kick_square(options: Options, state: State, origin: int, target: int) -> bool:
    """True if the square lies where kicks go."""
    ahead, aside = _ahead_and_aside(state, origin, target)
    is_open = options.kick_in_goal or not is_in_goal(target)
    return 1 <= ahead <= 3 and aside <= 3 and is_open


def _ahead_and_aside(state: State, origin: int, target: int) -> tuple[int, int]:
    """The number of files ahead, and of ranks to the side."""
    ahead = (file_of(target) - file_of(origin)) * FORWARD[state.turn]
    return ahead, abs(rank_of(target) - rank_of(origin))


def _too_far_message(state: State, origin: int, target: int, points: int) -> Message:
    name, at = name_of(target), square_place(target)
    way = run_paths(state, origin, len(SQUARES)).get(target)
    if way is None:
        return message("kahmate.no-way", "4.1", square=name, at=at)
    distance = len(way) - 1
    ahead, aside = _ahead_and_aside(state, origin, target)
    kicks = origin == state.ball and partner_ahead(state, origin) is None
    id = "kahmate.too-far"
    if (abs(ahead), aside) == (1, 1):
        id = "kahmate.too-far-diagonal"
    elif kicks and ahead > 0 and not is_in_goal(target):
        id = "kahmate.too-far-to-kick"
    man = kind_message(man_at(state, origin))
    return message(id, "4.1", square=name, man=man, distance=distance, n=points, at=at)


# What the phases between ask for


def _reply_intent(state: State, path: tuple[str, ...]) -> Action | Message:
    """A pass to be jumped into, a charger to come out, a ball to fall: one touch each."""
    square = _last_square(path)
    match state.phase:
        case Passing():
            if path[-1:] == ("btn-no",):
                return Decline()
            man = None if square is None else state.field[square]
            if square is None or man is None or man.side == state.turn:
                return message("kahmate.intercepting", "5.2")
            return Intercept(square)
        case Exiting():
            if path[-1:] == ("btn-no",):
                return Decline()
            return End() if square is None else Exit(square)
    return End() if square is None else Drop(square)


def _last_square(path: tuple[str, ...]) -> int | None:
    return SQUARE_AT.get(path[-1]) if path else None
