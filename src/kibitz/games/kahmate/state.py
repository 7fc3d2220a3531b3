"""The state of a Kahmaté match, and what it looks like from a place at the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from kibitz.core.caching import cache_latest
from kibitz.core.game import Seat, Viewer
from kibitz.core.values import FrozenValue
from kibitz.games.kahmate.board import SQUARES

SEATS = ("R", "B")
CARDS = (1, 2, 3, 4, 5, 6)
TEAM = ("S", "T", "F", "C", "O", "O")
"""In the order in which men are placed (3)."""
POINTS = {"S": 2, "T": 3, "F": 4, "C": 3, "O": 3}
ATTACK = {"S": 2, "T": 1, "F": -1, "C": 0, "O": 0}
DEFENCE = {"S": 1, "T": 0, "F": -1, "C": 1, "O": 0}

Hand: TypeAlias = tuple[int, ...]


class Man(FrozenValue, frozen=True):
    side: Seat
    kind: str
    down: int = 0
    """The knock-out mark, 1 or 2; an active man has 0 (8)."""


class Mover(FrozenValue, frozen=True):
    """A man moved this turn, by where he stands now, and the points he has left."""

    square: int
    points: int


class Hold(FrozenValue, frozen=True):
    """A possession that is watched for going stale (9.2)."""

    side: Seat
    count: int
    best: int
    """The furthest file, forward, on which its holder has ended a turn so far."""


# The phases of 4


class Placing(FrozenValue, frozen=True):
    side: Seat


class BallDrawing(FrozenValue, frozen=True):
    """The ball is about to be drawn."""


class Playing(FrozenValue, frozen=True):
    pass


class Passing(FrozenValue, frozen=True):
    """A pass that the other captain may try to intercept."""

    passer: int
    receiver: int


class Duelling(FrozenValue, frozen=True):
    """The man on turn attacks; `receiver` is who the pass was for, in an interception."""

    contest: Literal["T", "F", "I"]
    """Tackle, force or interception."""
    attacker: int
    defender: int
    receiver: int | None = None
    round: int = 1
    card: int | None = None
    """The commitment of the captain on turn."""


class Exiting(FrozenValue, frozen=True):
    """A charger has broken through and comes out, or stays where the options let him."""

    charger: int
    beaten: int


class Dropping(FrozenValue, frozen=True):
    """A man fell on his own goal line; his captain says to which side the ball goes."""

    fallen: int
    against: int


@dataclass(frozen=True, slots=True)
class MatchOver:
    result: str
    """R, B, draw or void."""
    event: str = field(default="", compare=False)
    """Which one ended the match, if one did; it is kept beside the position (9.3)."""


Phase: TypeAlias = (
    Placing | BallDrawing | Playing | Passing | Duelling | Exiting | Dropping | MatchOver
)
Field: TypeAlias = tuple[Man | None, ...]
"""The man on each square."""

NOBODY: Field = (None,) * len(SQUARES)


class State(FrozenValue, frozen=True):
    """Everything that is true of a match, hidden or not. Pairs are in the order of SEATS."""

    field: Field
    turn: Seat
    phase: Phase
    movers: tuple[Mover, ...] = ()
    """In the order of their squares."""
    ball: int | None = None
    hands: tuple[Hand, Hand] = (CARDS, CARDS)
    """A committed card stays in its hand until it is revealed."""
    score: tuple[int, int] = (0, 0)
    turns: int = 0
    """The number that have been completed."""
    hold: Hold | None = None
    raised_tries: int | None = None
    """The tries that win the match since the captains have played on; before, the option (9.4)."""


FACE_DOWN = 0
"""A card somebody else has committed, as a view shows it."""


class View(FrozenValue, frozen=True):
    """A match as one viewer sees it: made of what he may know, never of what he may not.

    In a hidden set-up `field` has his own men alone; somebody else's card lies FACE_DOWN.
    """

    viewer: Viewer
    field: Field
    turn: Seat
    phase: Phase
    movers: tuple[Mover, ...]
    ball: int | None
    hands: tuple[Hand, Hand]
    score: tuple[int, int]
    turns: int
    hold: Hold | None
    raised_tries: int | None
    early_men: tuple[tuple[int, Man], ...] = ()
    """His placements before his place in the record came; not part of the position."""
    early_card: int | None = None


def other_side(side: Seat) -> Seat:
    return "B" if side == "R" else "R"


# Questions


@cache_latest(512)
def men_of(field: Field, side: Seat) -> tuple[tuple[int, Man], ...]:
    return tuple((at, man) for at, man in enumerate(field) if man and man.side == side)


@cache_latest(512)
def occupied_squares(field: Field) -> int:
    """The squares on which somebody stands, one bit a square."""
    return sum([1 << at for at, man in enumerate(field) if man])


def man_at(state: State, square: int) -> Man:
    man = state.field[square]
    assert man is not None
    return man


def holder(state: State) -> Man | None:
    """The man who has the ball; None while it is loose or there is none."""
    return None if state.ball is None else state.field[state.ball]


def mover_at(state: State, square: int) -> Mover | None:
    return next((mover for mover in state.movers if mover.square == square), None)


def points_of(state: State, square: int) -> int:
    """The points a man of the side on turn has: a third man has none."""
    if mover := mover_at(state, square):
        return mover.points
    return POINTS[man_at(state, square).kind] if len(state.movers) < 2 else 0


def hand_of(state: State, side: Seat) -> Hand:
    return state.hands[SEATS.index(side)]


def put_man(field: Field, square: int, man: Man | None) -> Field:
    return (*field[:square], man, *field[square + 1 :])
