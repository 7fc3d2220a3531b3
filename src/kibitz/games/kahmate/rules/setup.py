"""Setting up (3): the men, then the ball."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from kibitz.core.game import Event, Seat
from kibitz.core.message import Refusal, message
from kibitz.games.kahmate.actions import Action, Ball, Placement
from kibitz.games.kahmate.board import (
    CARD_SQUARES,
    LINES,
    RANK_COUNT,
    file_of,
    name_of,
    square_place,
)
from kibitz.games.kahmate.messages import man_message
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules.tackle import drop_ball_on
from kibitz.games.kahmate.state import (
    CARDS,
    NOBODY,
    TEAM,
    BallDrawing,
    Field,
    Man,
    Placing,
    State,
    men_of,
    put_man,
)

# 3  Set-up


def start(options: Options) -> State:
    return State(NOBODY, options.start, Placing("R"))


def next_kind(field: Field, side: Seat) -> str | None:
    """The kind of man to be placed next; None when all six are."""
    placed = len(men_of(field, side))
    return TEAM[placed] if placed < len(TEAM) else None


def placements(field: Field, side: Seat) -> Iterator[Placement]:
    kind = next_kind(field, side)
    if kind is not None:
        for file in sorted(LINES[side]):
            for at in range(file * RANK_COUNT, file * RANK_COUNT + RANK_COUNT):
                if field[at] is None:
                    yield Placement(kind, at)


def with_held(field: Field, seat: Seat, held: tuple[Action, ...]) -> Field:
    """The field with the men a captain has placed ahead of his place in the record."""
    for action in held:
        if isinstance(action, Placement):
            field = put_man(field, action.square, Man(seat, action.kind))
    return field


def why_not_place(state: State, side: Seat, action: Placement) -> Refusal | None:
    kind, at, name = (
        next_kind(state.field, side),
        square_place(action.square),
        name_of(action.square),
    )
    if kind != action.kind:
        assert kind is not None
        return message("kahmate.place-next", "3", man=message(f"kahmate.kind-{kind}"), at=at)
    if file_of(action.square) not in LINES[side]:
        return message("kahmate.place-where", "3", square=name, at=at)
    if state.field[action.square]:
        return message("kahmate.place-taken", "3", square=name, at=at)
    return None


def set_up(
    options: Options, state: State, side: Seat, kind: str, square: int
) -> tuple[State, list[Event]]:
    man, is_open = Man(side, kind), options.placement == "open"
    after = replace(state, field=put_man(state.field, square, man))
    witnesses = None if is_open else frozenset({side})
    events = [Event(man_message("kahmate.placed", "3", man, square), witnesses=witnesses)]
    if next_kind(after.field, side) is None:
        events.append(Event(message("kahmate.lined-up", "3", seat=side)))
        if side == "R":
            return replace(after, phase=Placing("B")), events
        if not is_open:
            events.append(Event(message("kahmate.revealed", "3")))
        return replace(after, phase=BallDrawing()), events
    return after, events


def odds(state: State) -> dict[Action, Fraction]:
    return {Ball(card): Fraction(1, 6) for card in CARDS} if state.phase == BallDrawing() else {}


def draw_ball(state: State, card: int) -> tuple[State, list[Event]]:
    square = CARD_SQUARES[card]
    drawn = Event(message("kahmate.drawn", "3", card=card, square=name_of(square)))
    after, events = drop_ball_on(state, square)
    return after, [drawn, *events] if state.field[square] else [drawn]
