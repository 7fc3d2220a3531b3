"""The rules of Kalamala, in the order of the rule book (docs/rules/kalamala.md).

A paragraph number in a message is the paragraph of the rule book it rests on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from kibitz.core.caching import cache_latest
from kibitz.core.game import REFEREE, Actor, Event, Mark, Motion, Outcome, Seat, Step
from kibitz.core.message import Message, Refusal, Refused, message
from kibitz.games.kalamala.actions import Action, Forfeit, Move, Placement, Resign, Void
from kibitz.games.kalamala.board import (
    DIRECTIONS,
    OPPOSITE,
    RAYS,
    SQUARES,
    WAYS,
    name_of,
    nearest_square,
    place_at,
    span,
    square,
    squares_of,
)
from kibitz.games.kalamala.notation import write_state
from kibitz.games.kalamala.options import Options
from kibitz.games.kalamala.state import (
    NO_PAST,
    RESERVE,
    SEATS,
    End,
    State,
    Stones,
    barring_turns,
    other_side,
    remember_board,
)

DIRECTION_ORDER = {direction: place for place, direction in enumerate(DIRECTIONS)}
PLACEMENTS = tuple(map(Placement, SQUARES))
TO_ACT: Mapping[Seat, frozenset[Actor]] = {side: frozenset({side}) for side in SEATS}
NOBODY: frozenset[Actor] = frozenset()

# 2  The start


def start(options: Options) -> State:
    a, b = ("c4", "d3", "f5", "e6"), ("c5", "f4", "e3", "d6")
    stones = sum(1 << square(name) for name in a), sum(1 << square(name) for name in b)
    return State(stones, options.first, (RESERVE, RESERVE), 1)


def to_act(options: Options, state: State) -> frozenset[Actor]:
    return NOBODY if outcome(options, state) else TO_ACT[state.side]


def turn_actions(options: Options, state: State, actor: Actor) -> tuple[Action, ...]:
    return legal_actions(options, state) if actor in to_act(options, state) else ()


# 3  Actions


@cache_latest(256)
def legal_actions(options: Options, state: State) -> tuple[Action, ...]:
    """The actions of the side to act, whether or not the match has ended another way."""
    return (*placements(state), *playable_moves(options, state))


# 3.1  Placement


def placements(state: State) -> Iterator[Placement]:
    if state.reserve[SEATS.index(state.side)]:
        occupied = state.stones[0] | state.stones[1]
        yield from (PLACEMENTS[square] for square in SQUARES if not occupied >> square & 1)


# 3.2  Chains


def row(stones: int, square: int, direction: str) -> tuple[int, ...]:
    """The neighbouring pieces in a row from this one onwards, all among `stones`."""
    pieces = [square]
    for ahead in RAYS[direction][square]:
        if not stones >> ahead & 1:
            break
        pieces.append(ahead)
    return tuple(pieces)


# 3.3  Move


class Hold(NamedTuple):
    """An anchor chain and the row it sees in one direction, both from where they face each other.

    The anchor is as long as it can be: a shorter one can do nothing that it cannot.
    """

    anchor: tuple[int, ...]
    gap: int
    seen_row: tuple[int, ...]
    direction: str

    def pushes(self, occupied: int) -> Iterator[Move]:
        """The whole row is pushed: a part of it would be blocked by the rest."""
        power, free = (
            len(self.anchor) // len(self.seen_row),
            RAYS[self.direction][self.seen_row[-1]],
        )
        for distance in range(1, power + 1):
            if distance <= len(free) and occupied >> free[distance - 1] & 1:
                break
            yield Move(self.seen_row[0], self.seen_row[-1], self.direction, distance)

    def pulls(self) -> Iterator[Move]:
        """Any near part of the row is pulled, at most up to the anchor."""
        for length, far in enumerate(self.seen_row, 1):
            for distance in range(1, min(len(self.anchor) // length, self.gap) + 1):
                yield Move(far, self.seen_row[0], OPPOSITE[self.direction], distance)


class Slide(NamedTuple):
    """A move with the squares its pieces leave and those they arrive on, as sets."""

    move: Move
    left_squares: int
    entered_squares: int

    def stones_after(self, stones: Stones) -> Stones:
        a, b = stones
        if a & self.left_squares:
            return (a & ~self.left_squares | self.entered_squares, b)
        return (a, b & ~self.left_squares | self.entered_squares)


class HoldSlides:
    """A hold and its moves, told by its identity: it is made once for a line."""

    __slots__ = ("distinct", "hold", "slides")

    def __init__(self, hold: Hold, slides: tuple[Slide, ...], distinct: tuple[Slide, ...]) -> None:
        self.hold = hold
        self.slides = slides
        """All moves of it: pushes, then pulls."""
        self.distinct = distinct
        """Those with different results."""


@lru_cache(maxsize=1 << 15)
def hold_slides(anchor: int, direction: str, own: int, others: int) -> HoldSlides:
    """The hold of the piece there in a direction in which it sees something, and all its moves.

    Of both sides only the pieces on that line matter, so it is worked out once for many boards.
    """
    occupied = own | others
    ahead = nearest_square(anchor, direction, occupied)
    assert ahead is not None
    seen = row(own if own >> ahead & 1 else others, ahead, direction)
    gap = RAYS[direction][anchor].index(ahead)
    hold = Hold(row(own, anchor, OPPOSITE[direction]), gap, seen, direction)
    slides = tuple(map(slide, (*hold.pushes(occupied), *hold.pulls())))
    distinct: dict[tuple[int, int], Slide] = {}
    for each in slides:
        distinct.setdefault((each.left_squares, each.entered_squares), each)
    return HoldSlides(hold, slides, tuple(distinct.values()))


@lru_cache(maxsize=1 << 9)
def all_hold_slides(stones: Stones, side: Seat) -> tuple[HoldSlides, ...]:
    """The holds of all pieces of a side, in each direction, and all their moves."""
    own, others = stones if side == SEATS[0] else (stones[1], stones[0])
    occupied, found = own | others, []
    for anchor in squares_of(own):
        for direction, ahead, line in WAYS[anchor]:
            if ahead & occupied:
                found.append(hold_slides(anchor, direction, own & line, others & line))
    return tuple(found)


def holds(stones: Stones, side: Seat) -> Iterator[Hold]:
    return (held.hold for held in all_hold_slides(stones, side))


@lru_cache(maxsize=1 << 10)
def moves(stones: Stones, side: Seat) -> Mapping[Stones, Move]:
    """All moves of a side by the board they lead to, before repetition is considered.

    Several spellings may have one result: the move is the canonical one (7.2).
    """
    found: dict[Stones, Move] = {}
    a, b = stones
    for held in all_hold_slides(stones, side):
        for move, left, entered in held.slides:
            result = (a & ~left | entered, b) if a & left else (a, b & ~left | entered)
            if result not in found or _preference(move) < _preference(found[result]):
                found[result] = move
    return found


def chain(move: Move) -> tuple[int, ...]:
    """The squares of the selected chain, rear first."""
    way = (move.rear, *RAYS[move.direction][move.rear])
    return way[: way.index(move.front) + 1]


def _preference(move: Move) -> tuple[int, int, int, int, int]:
    """Fewer pieces, smaller distance, direction, rear square by file and rank (7.2)."""
    order = DIRECTION_ORDER[move.direction]
    return len(chain(move)), move.distance, order, move.rear % 8, move.rear // 8


# 3.4  Leaving the board


def landing(move: Move, square: int) -> int | None:
    """The square at which a piece of the chain arrives; None is beyond the edge."""
    way = RAYS[move.direction][square]
    return way[move.distance - 1] if move.distance <= len(way) else None


def stones_after(stones: Stones, move: Move) -> Stones:
    return slide(move).stones_after(stones)


def slide(move: Move) -> Slide:
    left = entered = 0
    for piece in chain(move):
        left |= 1 << piece
        if (at := landing(move, piece)) is not None:
            entered |= 1 << at
    return Slide(move, left, entered)


# 4  End of the game


@cache_latest(256)
def outcome(options: Options, state: State) -> Outcome | None:
    if state.end:
        return _event_outcome(state.end)
    if not can_act(options, state):
        why = message("kalamala.no_action", "4", seat=state.side)
        return Outcome(other_side(state.side), _payoffs(other_side(state.side)), why)
    if options.turn_limit and state.turn > options.turn_limit:
        return Outcome("draw", (0, 0), message("kalamala.turn_limit", "6", n=options.turn_limit))
    return None


def can_act(options: Options, state: State) -> bool:
    """A side with a piece in reserve always can."""
    if state.reserve[SEATS.index(state.side)]:
        return True
    past = state.past
    for held in all_hold_slides(state.stones, state.side):
        for each in held.slides:
            result = each.stones_after(state.stones)
            if result not in past or repeated_turn(options, state, result) is None:
                return True
    return False


def _event_outcome(end: End) -> Outcome:
    if end.reason == "void":
        return Outcome("void", (0, 0), message("kalamala.void", "4"))
    why = message(f"kalamala.{end.reason}", "4", seat=other_side(end.result))
    return Outcome(end.result, _payoffs(end.result), why)


def _payoffs(winner: Seat) -> tuple[int, int]:
    return (1, -1) if winner == "A" else (-1, 1)


# 5  Repetition


def playable_moves(options: Options, state: State) -> Sequence[Move]:
    found, past = moves(state.stones, state.side), state.past
    barred = {
        result
        for result in found
        if result in past and repeated_turn(options, state, result) is not None
    }
    if not barred:
        return [*found.values()]
    return [move for result, move in found.items() if result not in barred]


def repeated_turn(options: Options, state: State, result: Stones) -> int | None:
    """The latest turn whose board bars this result, if one does."""
    turns = barring_turns(state.past, result, state.turn + 1, options.repetition)
    return turns[-1] if turns else None


# What may be done, and what it leads to


def role_actions(options: Options, state: State, actor: Actor) -> tuple[Action, ...]:
    if outcome(options, state):
        return ()
    if actor == REFEREE:
        return (*(Forfeit(side) for side in SEATS), Void())
    return (Resign(actor),) if actor in SEATS else ()


def actor_of(state: State, action: Action) -> Actor:
    match action:
        case Resign(side):
            return side
        case Forfeit() | Void():
            return REFEREE
    return state.side


def why_not(options: Options, state: State, actor: Actor, action: Action) -> Refusal | None:
    if outcome(options, state):
        return message("kalamala.over", "4")
    match action:
        case Resign(side):
            return None if actor == side else message("kalamala.resign-for-another", "4", side=side)
        case Forfeit() | Void():
            return None if actor == REFEREE else message("kalamala.referee-only", "4")
    if actor != state.side:
        return message("kalamala.not-your-turn", "2", seat=state.side)
    if isinstance(action, Placement):
        return _why_not_place(state, action)
    return _why_not_move(state, action) or _why_not_repeat(options, state, action)


def _why_not_place(state: State, action: Placement) -> Refusal | None:
    name = name_of(action.square)
    if not state.reserve[SEATS.index(state.side)]:
        return message("kalamala.reserve-empty", "3.1", at=f"rs-{state.side}")
    if (state.stones[0] | state.stones[1]) >> action.square & 1:
        return message("kalamala.square-taken", "3.1", square=name, at=f"sq-{name}")
    return None


def _why_not_move(state: State, move: Move) -> Refusal | None:
    """The first thing that 3.2 and 3.3 ask for and this move does not have."""
    rear, front = name_of(move.rear), name_of(move.front)
    if move.front not in (move.rear, *RAYS[move.direction][move.rear]):
        values = {"rear": rear, "front": front, "direction": move.direction}
        return message("kalamala.not-in-line", "7.2", **values, at=f"sq-{front}")
    stones = state.stones[0] if state.stones[0] >> move.rear & 1 else state.stones[1]
    for piece in chain(move):
        name = name_of(piece)
        if not (state.stones[0] | state.stones[1]) >> piece & 1:
            return message("kalamala.no-piece", "3.2", square=name, at=f"sq-{name}")
        if not stones >> piece & 1:
            return message("kalamala.mixed-chain", "3.2", square=name, at=f"sq-{name}")
    return _why_not_slide(state, move)


def _why_not_slide(state: State, move: Move) -> Refusal | None:
    occupied, length = state.stones[0] | state.stones[1], len(chain(move))
    push = _power_from(state, move.rear, OPPOSITE[move.direction], length)
    pull = _power_from(state, move.front, move.direction, length)
    name = name_of(move.front)
    if push is None and pull is None:
        return message("kalamala.nothing-sees", "3.3", chain=span(chain(move)), at=f"sq-{name}")
    for ahead in RAYS[move.direction][move.front][: move.distance]:
        if occupied >> ahead & 1:
            blocker = name_of(ahead)
            values = {"square": blocker, "at": f"sq-{name}", "because": f"sq-{blocker}"}
            return message("kalamala.in-the-way", "3.3", **values)
    power = max(push or 0, pull or 0)
    if power < move.distance:
        id = "kalamala.too-heavy" if power == 0 else "kalamala.too-far"
        return message(id, "3.3", n=power, length=length, distance=move.distance, at=f"sq-{name}")
    return None


def _power_from(state: State, end: int, direction: str, length: int) -> int | None:
    """The power of the anchor that sees this end of a chain from there, if there is one."""
    own, occupied = state.stones[SEATS.index(state.side)], state.stones[0] | state.stones[1]
    ahead = nearest_square(end, direction, occupied)
    if ahead is None or not own >> ahead & 1:
        return None
    return len(row(own, ahead, direction)) // length


def _why_not_repeat(options: Options, state: State, move: Move) -> Refusal | None:
    turn = repeated_turn(options, state, stones_after(state.stones, move))
    if turn is None:
        return None
    at = landing(move, move.front)
    assert at is not None, "a death is always new (5)"
    side = state.side if (turn - state.turn) % 2 == 0 else other_side(state.side)
    earlier = State(stones_after(state.stones, move), side, state.reserve, turn)
    return message(
        "kalamala.repeats" if turn > 1 else "kalamala.repeats-start",
        "5",
        turn=turn - 1,
        at=f"sq-{name_of(at)}",
        position=write_state(earlier),
    )


def resolve(options: Options, state: State, actor: Actor, action: Action) -> Step[State, Action]:
    if refusal := why_not(options, state, actor, action):
        raise Refused(refusal)
    match action:
        case Placement():
            step = _place(state, action)
        case Move():
            step = _move(options, state, action)
        case Resign(side):
            step = _end_match(state, action, End(other_side(side), "resign"))
        case Forfeit(side):
            step = _end_match(state, action, End(other_side(side), "forfeit"))
        case Void():
            step = _end_match(state, action, End("void", "void"))
    over = outcome(options, step.state)
    return replace(step, events=(*step.events, Event(over.why))) if over else step


def _place(state: State, action: Placement) -> Step[State, Action]:
    index, name = SEATS.index(state.side), name_of(action.square)
    stones, reserve = list(state.stones), list(state.reserve)
    motion = Motion(f"rs-{state.side}{reserve[index]}", f"sq-{name}", how="fly")
    stones[index] |= 1 << action.square
    reserve[index] -= 1
    placed = Event(message("kalamala.placed", "3.1", seat=state.side, square=name), (motion,))
    next_state = State(
        (stones[0], stones[1]), other_side(state.side), (reserve[0], reserve[1]), state.turn + 1
    )
    return Step(action, next_state, (placed,))


def _move(options: Options, state: State, move: Move) -> Step[State, Action]:
    stones = stones_after(state.stones, move)
    pieces = chain(move)
    fallen = [piece for piece in reversed(pieces) if landing(move, piece) is None]
    past = NO_PAST
    if not fallen:
        past = remember_board(state.past, state.stones, state.turn, options.repetition)
    next_state = State(stones, other_side(state.side), state.reserve, state.turn + 1, past)
    owner = "A" if state.stones[0] >> move.rear & 1 else "B"
    dead = state.dead[SEATS.index(owner)]
    motions = []
    for piece in reversed(pieces):
        at, origin = landing(move, piece), f"sq-{name_of(piece)}"
        if at is None:
            dead += 1
            over = exit_of(move, piece)
            motions.append(Motion(origin, f"dz-{owner}{dead}", over, how="push"))
        else:
            motions.append(Motion(origin, f"sq-{name_of(at)}", how="push"))
    told = _move_message(state, move, owner, len(fallen))
    events = [Event(told, tuple(motions), marks=_anchor_marks(state, move))]
    if fallen:
        lost = message("kalamala.lost", "3.4", seat=owner, n=len(fallen))
        events.append(Event(lost, place=exit_of(move, fallen[0])))
    return Step(canonical_move(state, move, stones), next_state, tuple(events))


def canonical_move(state: State, move: Move, result: Stones) -> Move:
    """Of all spellings with this result the preferred one; only a death has several (7.2)."""
    if landing(move, move.front) is not None:
        return move
    return moves(state.stones, state.side)[result]


def exit_of(move: Move, piece: int) -> str:
    """The place just beyond the edge where a piece leaves: `off-E4`, `off-Nc`, `off-SW`."""
    last = (piece, *RAYS[move.direction][piece])[-1]
    file, rank = last % 8 + DIRECTIONS[move.direction][0], last // 8 + DIRECTIONS[move.direction][1]
    return place_at(file, rank)


def _move_message(state: State, move: Move, owner: Seat, fallen: int) -> Message:
    pieces, at = chain(move), landing(move, move.front)
    values = {"seat": state.side, "chain": span(pieces)}
    if fallen:
        lost = _pieces_message(state, owner, fallen)
        return message("kalamala.pushed-off", "3.4", **values, pieces=lost, n=fallen)
    assert at is not None
    id = "kalamala.pushed" if _is_push(state, move) else "kalamala.pulled"
    moved = _pieces_message(state, owner, len(pieces))
    return message(id, "3.3", **values, pieces=moved, square=name_of(at))


def _pieces_message(state: State, owner: Seat, n: int) -> Message:
    """So many pieces of a side; its own are those of whoever moves them."""
    if owner == state.side:
        return message(f"kalamala.own-pieces-{owner}", n=n)
    return message(f"kalamala.moved-pieces-{owner}", seat=owner, n=n)


def _is_push(state: State, move: Move) -> bool:
    power = _power_from(state, move.rear, OPPOSITE[move.direction], len(chain(move))) or 0
    return power >= move.distance


def _anchor_marks(state: State, move: Move) -> tuple[Mark, ...]:
    """The anchor that did it, and the line along which it sees what moved."""
    own, occupied = state.stones[SEATS.index(state.side)], state.stones[0] | state.stones[1]
    end, towards = (
        (move.rear, OPPOSITE[move.direction])
        if _is_push(state, move)
        else (move.front, move.direction)
    )
    near = nearest_square(end, towards, occupied)
    assert near is not None, "something moved it (3.3)"
    anchor = row(own, near, towards)
    at = landing(move, end)
    goal = exit_of(move, end) if at is None else f"sq-{name_of(at)}"
    return (
        Mark("anchor", (f"sq-{name_of(anchor[-1])}", f"sq-{name_of(near)}")),
        Mark("beam", (f"sq-{name_of(near)}", goal)),
    )


def _end_match(state: State, action: Action, end: End) -> Step[State, Action]:
    return Step(action, replace(state, end=end), ())
