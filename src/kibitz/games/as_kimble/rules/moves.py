"""Moves (6), eating (7) and multiplying (8)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from kibitz.core.game import Event, Motion
from kibitz.core.message import Message, Refusal, message
from kibitz.games.as_kimble.actions import Double, Enter, Move
from kibitz.games.as_kimble.board import (
    GOALS,
    RING,
    SIX,
    goal_place,
    goal_spot,
    grid_at,
    home_spot,
    ring_place,
)
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import Change, owe
from kibitz.games.as_kimble.rules.hembo import mark_hembo_due
from kibitz.games.as_kimble.state import (
    Piece,
    Side,
    State,
    piece_at,
    side_of,
    way_occupant,
    with_goal,
    with_piece,
    with_side,
    without_piece,
)

LAST_PROGRESS = RING - 1
"""The progress of the last grid before the goal."""
END_PROGRESS = LAST_PROGRESS + len(GOALS)


# 6  Moves


def table_moves(state: State, team: str, number: int) -> Iterator[Enter | Move]:
    """Every move of the table in 6, mines included."""
    side = side_of(state, team)
    if why_not_enter(side, number) is None:
        yield Enter(team)
    origins = [piece.progress for piece in side.ring]
    origins += [LAST_PROGRESS + goal for goal in GOALS if side.goal[goal - 1]]
    for origin in origins:
        if why_not_land(side, origin, origin + number) is None:
            yield Move(team, origin, origin + number)


def ordinary_moves(state: State, team: str, number: int) -> list[Enter | Move]:
    """A mine move is legal only where every move of the table is one."""
    moves = list(table_moves(state, team, number))
    return [move for move in moves if not is_mine_move(state, move)] or moves


def why_not_enter(side: Side, number: int) -> Refusal | None:
    if number != SIX:
        return message("as-kimble.enter-six", "6", n=number)
    if not side.home:
        return message("as-kimble.enter-nobody", "6")
    if piece_at(side, 0):
        return message("as-kimble.enter-own", "6")
    return None


def why_not_land(side: Side, origin: int, target: int) -> Refusal | None:
    """The reason why a piece of this side may not come there: only the destination can be one."""
    if target > END_PROGRESS:
        return message("as-kimble.past-the-goal", "6")
    if target <= LAST_PROGRESS and piece_at(side, target):
        return message("as-kimble.own-piece", "6")
    if target > LAST_PROGRESS and side.goal[target - LAST_PROGRESS - 1]:
        return message("as-kimble.goal-taken", "6", goal=target - LAST_PROGRESS)
    return None


def why_not_move(state: State, move: Move, number: int) -> Refusal | None:
    side = side_of(state, move.team)
    if not has_piece_at(side, move.origin):
        return message("as-kimble.no-piece", "6", at=place_of(move.team, move.origin))
    if move.target - move.origin != number:
        return message("as-kimble.not-the-number", "6", n=number)
    if refusal := why_not_land(side, move.origin, move.target):
        at = place_of(move.team, min(move.target, END_PROGRESS))
        return Message(refusal.id, (*refusal.values, ("at", at)), refusal.paragraph)
    if is_mine_move(state, move) and move not in ordinary_moves(state, move.team, number):
        return message("as-kimble.mine-not-forced", "6", at=place_of(move.team, move.target))
    return None


def has_piece_at(side: Side, progress: int) -> bool:
    if progress > LAST_PROGRESS:
        return side.goal[progress - LAST_PROGRESS - 1] > 0
    return piece_at(side, progress) is not None


def place_of(team: str, progress: int) -> str:
    if progress > LAST_PROGRESS:
        return goal_place(team, progress - LAST_PROGRESS)
    return ring_place(grid_at(team, progress))


def is_mine_move(state: State, move: Enter | Move) -> bool:
    """Onto an opponent on its own start grid."""
    if isinstance(move, Enter) or move.target > LAST_PROGRESS:
        return False
    met = way_occupant(state, move.team, move.target)
    return met is not None and met[0] != move.team and met[1].progress == 0


def make_move(options: Options, state: State, move: Enter | Move) -> Change:
    """The move with all that follows from the position, but for the turn."""
    if isinstance(move, Enter):
        side = side_of(state, move.team)
        away = with_side(state, move.team, replace(side, home=side.home - 1))
        start = ring_place(grid_at(move.team, 0))
        motion = Motion(home_spot(move.team, side.home - 1), start, how="fly")
        told = Event(message("as-kimble.entered", "6", seat=move.team), (motion,))
        return _land(options, away, move.team, Piece(0), [told])
    if move.origin > LAST_PROGRESS:
        return _move_in_goal(state, move)
    piece = piece_at(side_of(state, move.team), move.origin)
    assert piece is not None
    away = with_side(state, move.team, without_piece(side_of(state, move.team), piece))
    if move.target > LAST_PROGRESS:
        return _reach_goal(away, move, piece)
    if is_mine_move(state, move):
        return _drive_into_mine(options, away, move, piece)
    told = Event(_move_message(move, piece), (_motion(state, move),))
    return _land(options, away, move.team, Piece(move.target, piece.size), [told])


def _move_message(move: Move, piece: Piece) -> Message:
    return message(
        "as-kimble.moved",
        "6",
        seat=move.team,
        piece=size_message(piece.size),
        origin=grid_at(move.team, move.origin),
        target=grid_at(move.team, move.target),
    )


def _motion(state: State, move: Move) -> Motion:
    """Of several on the first goal grid one that waits beside it goes first."""
    origin = place_of(move.team, move.origin)
    if move.origin > LAST_PROGRESS:
        goal = move.origin - LAST_PROGRESS
        origin = goal_spot(move.team, goal, side_of(state, move.team).goal[goal - 1] - 1)
    return Motion(origin, place_of(move.team, move.target), through=places_between(move), how="hop")


def places_between(move: Move) -> tuple[str, ...]:
    """The places that a piece touches on its way."""
    way = range(move.origin + 1, move.target)
    return tuple(place_of(move.team, progress) for progress in way)


def _move_in_goal(state: State, move: Move) -> Change:
    side = with_goal(side_of(state, move.team), move.origin - LAST_PROGRESS, -1)
    after = with_side(state, move.team, with_goal(side, move.target - LAST_PROGRESS, 1))
    values = {"origin": move.origin - LAST_PROGRESS, "target": move.target - LAST_PROGRESS}
    told = message("as-kimble.moved-in-goal", "6", seat=move.team, **values)
    return after, [Event(told, (_motion(state, move),))]


# 7  Eating and penalties


def _land(options: Options, state: State, team: str, piece: Piece, events: list[Event]) -> Change:
    """A piece comes to a grid of the ring and eats the opponent who stands there."""
    met = way_occupant(state, team, piece.progress)
    if met:
        state, more = eat_piece(options, state, met[0], met[1], team, piece.size)
        events = [*events, *more]
    return with_side(state, team, with_piece(side_of(state, team), piece)), events


def eat_piece(
    options: Options, state: State, team: str, piece: Piece, eater: str, size: int
) -> Change:
    """A team's piece goes home, and it costs the one multiplier times the other (7.2)."""
    side = without_piece(side_of(state, team), piece)
    after = with_side(state, team, replace(side, home=side.home + piece.size))
    told = message(
        "as-kimble.eaten",
        "7.2",
        seat=team,
        piece=size_message(piece.size),
        eater=message("as-kimble.of-team", seat=eater, piece=size_message(size)),
        n=size * piece.size,
    )
    home = home_spot(team, side.home)
    motion = Motion(ring_place(grid_at(team, piece.progress)), home, how="home")
    after, more = mark_hembo_due(options, owe(after, team, size * piece.size), team)
    return after, [Event(told, (motion,)), *more]


def _drive_into_mine(options: Options, state: State, move: Move, piece: Piece) -> Change:
    """The mover is eaten, and the mine stays (7.3)."""
    met = way_occupant(state, move.team, move.target)
    assert met is not None
    side, penalties = side_of(state, move.team), piece.size * met[1].size
    after = with_side(state, move.team, replace(side, home=side.home + piece.size))
    told = message(
        "as-kimble.into-mine",
        "7.3",
        seat=move.team,
        piece=size_message(piece.size),
        mine=message("as-kimble.of-team", seat=met[0], piece=size_message(met[1].size)),
        n=penalties,
    )
    way = Motion(
        place_of(move.team, move.origin),
        home_spot(move.team, side.home),
        place_of(move.team, move.target),
        through=places_between(move),
        how="hop",
    )
    after, more = mark_hembo_due(options, owe(after, move.team, penalties), move.team)
    return after, [Event(told, (way,)), *more]


# 8  Multiplying


def why_not_double(side: Side, number: int) -> Refusal | None:
    if number != SIX:
        return message("as-kimble.double-six", "8.1", n=number)
    if not piece_at(side, 0):
        return message("as-kimble.double-nobody", "8.1")
    if not side.home:
        return message("as-kimble.double-home", "8.1")
    return None


def double_piece(state: State, action: Double) -> Change:
    side = side_of(state, action.team)
    piece = piece_at(side, 0)
    assert piece is not None
    joined = with_piece(without_piece(side, piece), Piece(0, piece.size + 1))
    after = with_side(state, action.team, replace(joined, home=side.home - 1))
    told = message("as-kimble.doubled", "8.1", seat=action.team, piece=size_message(piece.size + 1))
    origin, start = home_spot(action.team, side.home - 1), ring_place(grid_at(action.team, 0))
    motion = Motion(origin, start, how="fly")
    return after, [Event(told, (motion,))]


def _reach_goal(state: State, move: Move, piece: Piece) -> Change:
    """One goes to the grid it reached, the rest of a multiplied piece to the first (8.3)."""
    goal = move.target - LAST_PROGRESS
    side = with_goal(with_goal(side_of(state, move.team), goal, 1), 1, piece.size - 1)
    told = message("as-kimble.reached-goal", "6", seat=move.team, goal=goal)
    if piece.size > 1:
        values = {"goal": goal, "n": piece.size - 1}
        told = message(
            "as-kimble.split", "8.3", seat=move.team, piece=size_message(piece.size), **values
        )
    return with_side(state, move.team, side), [Event(told, (_motion(state, move),))]


def size_message(size: int) -> Message:
    """Single, double, triple, quadruple."""
    return message(f"as-kimble.size-{size}")
