"""The offers of a Kalamala board, and the action meant by a touch outside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain as join
from typing import NamedTuple

from kibitz.core.game import Mark, Offer, Seat, Viewer
from kibitz.core.message import Message, message
from kibitz.core.offer_rows import HOLES, OfferRow, filled_offers, make_row, take_apart
from kibitz.games.kalamala.actions import Action, Move, Placement
from kibitz.games.kalamala.board import (
    EXITS,
    NAMES,
    OPPOSITE,
    RAYS,
    SQUARE_AT,
    SQUARES,
    name_of,
    span,
    square_place,
)
from kibitz.games.kalamala.notation import write_action
from kibitz.games.kalamala.options import Options
from kibitz.games.kalamala.rules import (
    Hold,
    HoldSlides,
    Slide,
    all_hold_slides,
    chain,
    exit_of,
    holds,
    landing,
    moves,
    outcome,
    repeated_turn,
    stones_after,
)
from kibitz.games.kalamala.state import SEATS, State, other_side

PLACES = tuple(map(square_place, SQUARES))


def hint(view: State, viewer: Viewer) -> Message:
    if viewer != view.side:
        return message("kalamala.their-turn", seat=view.side)
    is_empty = not view.reserve[SEATS.index(view.side)]
    return message("kalamala.your-turn-no-reserve" if is_empty else "kalamala.your-turn")


def status(view: State) -> tuple[Message, ...]:
    return (message("kalamala.turn", "7.1", number=view.turn),)


def offers(options: Options, view: State, actions: Sequence[Action]) -> tuple[Offer, ...]:
    return filled_offers(offer_rows(options, view, actions))


def offer_rows(options: Options, view: State, actions: Sequence[Action]) -> Sequence[OfferRow]:
    """Every way of touching one of these actions: the piece that moves and its goal, or first
    the anchor that moves it.

    An offer spells its own way, so what is touched is what moves. Going further over the
    edge than needed is not offered.
    """
    side, other = view.side, other_side(view.side)
    found = [_placement_row(side, each.square) for each in actions if type(each) is Placement]
    if len(found) == len(actions):
        return found
    held = _all_held_moves(view, actions)
    own, others = view.stones if side == SEATS[0] else view.stones[::-1]
    movable = _moves_by_piece(held, own)
    anchors = {each.anchor for each in held}
    for piece, makers in movable.items():
        owner, is_anchor = other if others >> piece & 1 else "", piece in anchors
        found += [_piece_row(piece, by, owner, is_anchor) for by in makers.values()]
    found += [
        _anchor_row(each, other if others >> each.near & 1 else "", each.anchor in movable)
        for each in held
    ]
    return found


def _all_held_moves(view: State, listed: Sequence[Action]) -> Sequence[HeldMove]:
    """The moves of all anchors, as far as they are listed by their canonical spelling."""
    stones, canonical = view.stones, moves(view.stones, view.side)
    found = [each for held in all_hold_slides(stones, view.side) for each in _held_moves(held)]
    placed = SQUARES.stop - (stones[0] | stones[1]).bit_count()
    if len(listed) == len(canonical) + (placed if type(listed[0]) is Placement else 0):
        return found
    allowed = frozenset(listed)
    return [
        each
        for each in found
        if each.move in allowed or canonical[each.slide.stones_after(stones)] in allowed
    ]


class MovePlan(NamedTuple):
    """A move as offers speak of it, worked out once for all holds that can make it."""

    text: str
    landings: Mapping[int, int | None]
    """Where each piece of the chain arrives, rear first; None is beyond the edge."""
    goals: Mapping[int, str]
    """The places where they arrive."""
    size: MoveSize
    chain: str
    """The chain by its ends."""
    squares: str | None
    """The squares it arrives on, by their ends; None where some of it leaves the board."""
    arrived: int | None
    """The first square it arrives on."""


class MoveSize(NamedTuple):
    """The numbers that offers of a move speak of."""

    length: int
    fallen: int
    distance: int


@lru_cache(maxsize=1 << 13)
def _plan(move: Move) -> MovePlan:
    pieces = chain(move)
    landings = {piece: landing(move, piece) for piece in pieces}
    there = [at for at in landings.values() if at is not None]
    return MovePlan(
        text=write_action(move),
        landings=landings,
        goals={
            piece: exit_of(move, piece) if at is None else square_place(at)
            for piece, at in landings.items()
        },
        size=MoveSize(len(pieces), len(pieces) - len(there), move.distance),
        chain=span(pieces),
        squares=span(there) if len(there) == len(pieces) else None,
        arrived=there[0] if there else None,
    )


class HeldMove:
    """A move as one anchor makes it; told by its identity, and made once for many boards."""

    __slots__ = (
        "anchor",
        "hold",
        "kind",
        "move",
        "near",
        "own_pieces",
        "pieces",
        "places",
        "plan",
        "slide",
    )

    def __init__(self, hold: Hold, slide: Slide) -> None:
        self.hold, self.slide, self.move = hold, slide, slide.move
        self.anchor, self.near = hold.anchor[0], hold.seen_row[0]
        self.plan = plan = _plan(slide.move)
        self.kind = "push" if slide.move.direction == hold.direction else "pull"
        self.pieces = tuple(plan.landings)
        """Those that it can be chosen by, where they are the other side's."""
        self.own_pieces = tuple(
            [piece for piece, at in plan.landings.items() if at not in hold.seen_row]
        )
        """Those that it can be chosen by, where they are one's own: such a piece does not
        go to where another of its chain stands; touched after it, that one is what it moves."""
        self.places = PLACES[hold.anchor[-1]], PLACES[self.anchor], PLACES[self.near]
        """The ends of the anchor, and the piece that it sees."""


_held_move = lru_cache(maxsize=1 << 15)(HeldMove)
"""One and the same for the same hold, whatever else is on its line."""


@lru_cache(maxsize=1 << 14)
def _held_moves(held: HoldSlides) -> tuple[HeldMove, ...]:
    return tuple([_held_move(held.hold, slide) for slide in held.distinct])


def _moves_by_piece(
    held: Sequence[HeldMove], own: int
) -> Mapping[int, Mapping[str, tuple[HeldMove, ...]]]:
    """For each piece that can be moved all its moves by their texts, and who makes them."""
    found: dict[int, dict[str, tuple[HeldMove, ...]]] = {}
    for each in held:
        move = each.plan.text
        for piece in each.own_pieces if own >> each.near & 1 else each.pieces:
            if piece not in found:
                found[piece] = {move: (each,)}
                continue
            makers = found[piece]
            makers[move] = (*makers[move], each) if move in makers else (each,)
    return found


def _owner(view: State, square: int) -> Seat:
    return SEATS[view.stones[1] >> square & 1]


def _moves_of(view: State, hold: Hold) -> Iterator[Move]:
    yield from hold.pushes(_occupied_squares(view))
    yield from hold.pulls()


@lru_cache(maxsize=len(SEATS) * len(SQUARES))
def _placement_row(side: Seat, square: int) -> OfferRow:
    name = name_of(square)
    path = (f"rs-{side}", f"sq-{name}")
    return take_apart(
        Offer(
            actions=(write_action(Placement(square)),),
            path=path,
            kind="place",
            label=message("kalamala.offer-place", "3.1", square=name),
            prompts=(
                message("kalamala.placing", "3.1"),
                message("kalamala.place", "3.1", square=name),
            ),
            marks=(Mark("dot", path[1:], after=2),),
        )
    )


# A form is an offer with signs in the place of squares. Rows are made once: boards have many of
# their offers in common. The owner of what moves is named where it is the other side.


@lru_cache(maxsize=1 << 15)
def _anchor_row(held: HeldMove, owner: Seat, can_move: bool) -> OfferRow:
    """By its anchor, which perhaps can be moved itself."""
    plan, hold, near = held.plan, held.hold, held.near
    goal, (falling, places) = plan.goals[near], _followers(plan, near)
    size = len(hold.anchor), len(hold.seen_row)
    form = _anchor_form(held.kind, owner, can_move, size, plan.size, goal in EXITS, falling)
    texts = plan.text, plan.chain, plan.squares, _label_square(plan, near), goal
    return make_row(form, (*texts, *held.places, *places))


@lru_cache(maxsize=1 << 10)
def _anchor_form(
    kind: str,
    owner: Seat,
    can_move: bool,
    hold: tuple[int, int],
    size: MoveSize,
    is_off: bool,
    falling: tuple[bool, ...],
) -> Offer:
    text, chain, squares, square, goal, end, anchor, near, *rest = HOLES
    return Offer(
        actions=(text,),
        path=(anchor, near, goal),
        kind=kind,
        label=_label(kind, size, hold[1], square),
        prompts=(
            message("kalamala.anchor-or-piece" if can_move else "kalamala.anchor", "3.3"),
            _hold_prompt(*hold),
            _move_prompt(kind, size, owner, chain, squares),
        ),
        marks=(
            Mark("beam", (anchor, near), after=1),
            *_hold_marks(end, anchor, near, after=2),
            _goal_mark(kind, size, near, goal, is_off, after=2),
            *_hold_marks(end, anchor, near, after=3),
            _goal_mark(kind, size, near, goal, is_off, after=3),
            *_follower_marks(rest, falling, after=3),
        ),
    )


@lru_cache(maxsize=1 << 15)
def _piece_row(piece: int, by: tuple[HeldMove, ...], owner: Seat, is_anchor: bool) -> OfferRow:
    """By a piece that moves, whoever moves it; it may be an anchor, too."""
    held = by[0]
    plan, seen = held.plan, len(held.hold.seen_row)
    goal, (falling, places) = plan.goals[piece], _followers(plan, piece)
    form = _piece_form(
        held.kind, owner, is_anchor, len(by), seen, plan.size, goal in EXITS, falling
    )
    texts = plan.text, plan.chain, plan.squares, _label_square(plan, piece), goal, PLACES[piece]
    anchors = [place for each in by for place in each.places]
    return make_row(form, (*texts, *anchors, *places))


@lru_cache(maxsize=1 << 10)
def _piece_form(
    kind: str,
    owner: Seat,
    is_anchor: bool,
    makers: int,
    seen: int,
    size: MoveSize,
    is_off: bool,
    falling: tuple[bool, ...],
) -> Offer:
    text, chain, squares, square, goal, piece, *rest = HOLES
    anchors = [rest[3 * number : 3 * number + 3] for number in range(makers)]
    return Offer(
        actions=(text,),
        path=(piece, goal),
        kind=kind,
        label=_label(kind, size, seen, square),
        prompts=(
            message("kalamala.anchor-or-piece" if is_anchor else "kalamala.piece", "3.3"),
            _move_prompt(kind, size, owner, chain, squares),
        ),
        marks=(
            *[Mark("beam", (anchor, near), after=1) for _, anchor, near in anchors],
            _goal_mark(kind, size, piece, goal, is_off, after=1),
            *[
                mark
                for end, anchor, near in anchors
                for mark in _hold_marks(end, anchor, near, after=2)
            ],
            _goal_mark(kind, size, piece, goal, is_off, after=2),
            *_follower_marks(rest[3 * makers :], falling, after=2),
        ),
    )


def _label(kind: str, size: MoveSize, seen: int, square: str) -> Message:
    """The deed as seen from a piece: where paths are shared, the number of pieces tells."""
    length, fallen, _ = size
    if fallen == length:
        return message("kalamala.offer-off", "3.4", n=fallen)
    if fallen:
        return message("kalamala.offer-push-some", "3.4", square=square, n=fallen)
    if length == seen == 1:
        return message(f"kalamala.offer-{kind}", "3.3", square=square)
    return message(f"kalamala.offer-{kind}-chain", "3.3", n=length, square=square)


def _label_square(plan: MovePlan, piece: int) -> str | None:
    """Where a piece arrives; where it leaves the board, the first that does not."""
    at = plan.landings[piece]
    if at is None:
        at = plan.arrived
    return None if at is None else NAMES[at]


def _hold_prompt(strength: int, length: int) -> Message:
    """The prompt of an anchor and the row it sees, the same for every move of it."""
    if strength < length:
        return message("kalamala.holds-part", "3.3", n=strength, length=length)
    far = message("kalamala.squares", n=strength // length)
    return message("kalamala.holds", "3.3", n=strength, length=length, far=far)


def _move_prompt(kind: str, size: MoveSize, owner: Seat, chain: str, squares: str) -> Message:
    """The prompt that says what a move does, and what it costs whom; one's own have no owner."""
    length, fallen, distance = size
    far = message("kalamala.squares", n=distance)
    if fallen == length and not owner:
        return message("kalamala.push-off-own", "3.4", chain=chain, n=fallen)
    if fallen == length:
        return message("kalamala.push-off", "3.4", chain=chain, seat=owner, n=fallen)
    if fallen and not owner:
        return message("kalamala.push-some-own", "3.4", chain=chain, far=far, n=fallen)
    if fallen:
        return message("kalamala.push-some", "3.4", chain=chain, far=far, seat=owner, n=fallen)
    return message(f"kalamala.{kind}", "3.3", chain=chain, far=far, squares=squares)


def _hold_marks(end: str, anchor: str, near: str, after: int) -> tuple[Mark, Mark]:
    """The marks of an anchor and of its beam."""
    return Mark("anchor", (end, anchor), after=after), Mark("beam", (anchor, near), after=after)


def _goal_mark(kind: str, size: MoveSize, piece: str, goal: str, is_off: bool, after: int) -> Mark:
    if is_off:
        return Mark("off", (piece, goal), str(size.distance), after)
    return Mark(kind, (goal,), str(size.distance), after)


def _followers(plan: MovePlan, piece: int) -> tuple[tuple[bool, ...], Sequence[str | None]]:
    """For each of the rest of the chain whether it leaves the board; and from where, if it does,
    and where to they go."""
    if plan.size.length == 1:
        return (), ()
    goals = [(each, goal) for each, goal in plan.goals.items() if each != piece]
    places = [(PLACES[each] if goal in EXITS else None, goal) for each, goal in goals]
    return tuple([goal in EXITS for _, goal in goals]), [*join.from_iterable(places)]


def _follower_marks(places: Sequence[str], falling: Sequence[bool], after: int) -> list[Mark]:
    """The marks that lead the rest of the chain, once all is chosen."""
    pairs = zip(places[::2], places[1::2], falling, strict=False)
    return [
        Mark("off", (origin, goal), after=after) if is_off else Mark("dot", (goal,), after=after)
        for origin, goal, is_off in pairs
    ]


# What a touch meant


def intent(options: Options, view: State, seat: Seat, path: tuple[str, ...]) -> Action | Message:
    """The action behind a path that is not offered; a message where there is none.

    The rules say what is wrong with an action. No action names its anchor, so what is wrong
    with an anchor is said here.
    """
    if seat != view.side or outcome(options, view):
        # Whatever it was: the rules say first that the match is over, or whose turn it is.
        return Placement(SQUARES[0])
    first, second, third = (*path, "", "", "")[:3]
    if first == f"rs-{seat}":
        return _placement_intent(view, second)
    if first == f"rs-{other_side(seat)}":
        return message("kalamala.not-your-reserve", "3.1", at=first)
    touched = SQUARE_AT.get(first)
    if touched is None or not _occupied_squares(view) >> touched & 1:
        at = first if first in SQUARE_AT or first in EXITS else ""
        has_reserve = view.reserve[SEATS.index(view.side)]
        return message(
            "kalamala.start" if has_reserve else "kalamala.start-with-a-piece", "3", at=at
        )
    is_own = _owner(view, touched) == seat
    second_square = SQUARE_AT.get(second)
    goes_on = second_square is not None and _occupied_squares(view) >> second_square & 1
    if is_own and (goes_on or (second_square is None and second not in EXITS)):
        return _move_intent(options, view, touched, second, third)
    return _piece_intent(options, view, touched, second)


def _placement_intent(view: State, goal: str) -> Action | Message:
    at = SQUARE_AT.get(goal)
    if at is None and view.reserve[SEATS.index(view.side)]:
        return message("kalamala.placing", "3.1")
    return Placement(at or 0)


def _piece_intent(options: Options, view: State, touched: int, goal: str) -> Action | Message:
    """A piece that should move, and where to."""
    name, at = name_of(touched), square_place(touched)
    held = [hold for hold in holds(view.stones, view.side) if touched in hold.seen_row]
    if _owner(view, touched) == view.side and not held:
        return message("kalamala.anchor-stays", "3.3", square=name, at=goal)
    if not held:
        return message("kalamala.not-yours", "3.3", square=name, at=at)
    if not goal:
        return _why_idle(options, view, held, message("kalamala.piece", "3.3"))
    strongest = sorted(held, key=lambda hold: -(len(hold.anchor) // len(hold.seen_row)))
    for hold in strongest:
        if _is_on_line(hold, touched, goal):
            return _goal_intent(view, hold, touched, goal)
    if goal == at or (goal not in SQUARE_AT and goal not in EXITS):
        return message("kalamala.piece", "3.3")
    return message("kalamala.off-any-line", "3.3", square=name, at=goal)


def _is_on_line(hold: Hold, piece: int, goal: str) -> bool:
    ways = hold.direction, OPPOSITE[hold.direction]
    if any(goal == exit_of(Move(piece, piece, way, 1), piece) for way in ways):
        return True
    return any(SQUARE_AT.get(goal) in RAYS[way][piece] for way in ways)


def _is_new(options: Options, view: State, move: Move) -> bool:
    return repeated_turn(options, view, stones_after(view.stones, move)) is None


def _move_intent(
    options: Options, view: State, anchor: int, second: str, third: str
) -> Action | Message:
    name, touched = name_of(anchor), SQUARE_AT.get(second)
    held = [hold for hold in holds(view.stones, view.side) if hold.anchor[0] == anchor]
    if not held:
        return message("kalamala.sees-nothing", "3.3", square=name, at=square_place(anchor))
    if not second:
        return _why_idle(options, view, held, message("kalamala.anchor", "3.3"))
    if touched is None or touched == anchor:
        return message("kalamala.anchor", "3.3")
    values = {"anchor": name, "square": name_of(touched), "at": second}
    hold = next((hold for hold in held if touched in RAYS[hold.direction][anchor]), None)
    if hold is None:
        return message("kalamala.no-line", "3.3", **values)
    near = name_of(hold.seen_row[0])
    if touched in hold.seen_row[1:]:
        return message("kalamala.choose-near", "3.3", **values, near=near, because=f"sq-{near}")
    if touched != hold.seen_row[0]:
        return message("kalamala.hidden", "3.3", **values, near=near, because=f"sq-{near}")
    if not third:
        return _why_idle(options, view, [hold], _choose_goal_prompt(hold))
    return _goal_intent(view, hold, hold.seen_row[0], third)


def _why_idle(
    options: Options, view: State, held: list[Hold], otherwise: Message
) -> Action | Message:
    """Why nothing that an anchor holds can be moved; `otherwise` if something can."""
    possible = [move for hold in held for move in _moves_of(view, hold)]
    if possible:
        return otherwise if any(_is_new(options, view, move) for move in possible) else possible[0]
    strongest = max(held, key=lambda hold: len(hold.anchor) // len(hold.seen_row))
    return _push_intent(view, strongest, 1, square_place(strongest.seen_row[0]))


def _goal_intent(view: State, hold: Hold, piece: int, goal: str) -> Action | Message:
    """A piece of the row that an anchor sees, and where it should go."""
    at, back = SQUARE_AT.get(goal), OPPOSITE[hold.direction]
    ahead, behind = RAYS[hold.direction][piece], RAYS[back][piece]
    if goal == exit_of(Move(piece, piece, hold.direction, 1), piece):
        return _push_intent(view, hold, len(ahead) + 1, goal)
    if at in ahead:
        return _push_intent(view, hold, ahead.index(at) + 1, goal)
    if at in behind[: hold.gap]:
        return _pull_intent(hold, piece, behind.index(at) + 1, goal)
    if at in behind or goal == exit_of(Move(piece, piece, back, 1), piece):
        anchor = name_of(hold.anchor[0])
        values = {"square": anchor, "at": goal, "because": f"sq-{anchor}"}
        return message("kalamala.in-the-way", "3.3", **values)
    if at == piece or (at is None and goal not in EXITS):
        return _choose_goal_prompt(hold)
    values = {"chain": span(hold.seen_row), "anchor": name_of(hold.anchor[0]), "at": goal}
    return message("kalamala.off-the-line", "3.3", **values)


def _choose_goal_prompt(hold: Hold) -> Message:
    return message("kalamala.choose-goal", "3.3", chain=span(hold.seen_row))


def _push_intent(view: State, hold: Hold, distance: int, goal: str) -> Action | Message:
    """The push of the row, or what stands against it for this anchor."""
    for ahead in RAYS[hold.direction][hold.seen_row[-1]][:distance]:
        if _occupied_squares(view) >> ahead & 1:
            values = {"square": name_of(ahead), "at": goal, "because": square_place(ahead)}
            return message("kalamala.in-the-way", "3.3", **values)
    strength, length = len(hold.anchor), len(hold.seen_row)
    if strength < length:
        return _too_weak_message(hold, hold.seen_row, goal)
    if (power := strength // length) < distance:
        return _too_far_message(power, length, distance, goal)
    return Move(hold.seen_row[0], hold.seen_row[-1], hold.direction, distance)


def _pull_intent(hold: Hold, piece: int, distance: int, goal: str) -> Action | Message:
    """The pull of the row up to this piece: what it cannot do, no longer part of its row can."""
    pulled = hold.seen_row[: hold.seen_row.index(piece) + 1]
    strength, length = len(hold.anchor), len(pulled)
    if strength < length:
        return _too_weak_message(hold, pulled, goal)
    if strength // length < distance:
        return _too_far_message(strength // length, length, distance, goal)
    return Move(piece, hold.seen_row[0], OPPOSITE[hold.direction], distance)


def _too_weak_message(hold: Hold, pieces: tuple[int, ...], goal: str) -> Message:
    names = {"anchor": span(hold.anchor), "chain": span(pieces), "at": goal}
    return message("kalamala.too-weak", "3.3", **names, n=len(hold.anchor), length=len(pieces))


def _too_far_message(power: int, length: int, distance: int, goal: str) -> Message:
    values = {"length": length, "distance": distance}
    return message("kalamala.too-far", "3.3", n=power, **values, at=goal)


def _occupied_squares(view: State) -> int:
    return view.stones[0] | view.stones[1]
