"""The offers of a Kalamala board, and the action meant by a touch outside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from kibitz.core.game import Mark, Offer, Seat, Viewer
from kibitz.core.message import Message, message
from kibitz.games.kalamala.actions import Action, Move, Placement
from kibitz.games.kalamala.board import (
    EXITS,
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
from kibitz.games.kalamala.state import SEATS, State, Stones, other_side


def hint(view: State, viewer: Viewer) -> Message:
    if viewer != view.side:
        return message("kalamala.their-turn", seat=view.side)
    is_empty = not view.reserve[SEATS.index(view.side)]
    return message("kalamala.your-turn-no-reserve" if is_empty else "kalamala.your-turn")


def status(view: State) -> tuple[Message, ...]:
    return (message("kalamala.turn", "7.1", number=view.turn),)


def offers(options: Options, view: State, actions: Sequence[Action]) -> tuple[Offer, ...]:
    """Every way of touching one of these actions: the piece that moves and its goal, or first
    the anchor that moves it.

    An offer spells its own way, so what is touched is what moves. Going further over the
    edge than needed is not offered.
    """
    found = [
        _placement_offer(view.side, each.square) for each in actions if isinstance(each, Placement)
    ]
    if len(found) == len(actions):
        return tuple(found)
    barred = _barred_boards(view, frozenset(actions))
    held = [
        (each.hold, slide.move)
        for each in all_hold_slides(view.stones, view.side)
        for slide in each.distinct
        if not barred or slide.stones_after(view.stones) not in barred
    ]
    movable = _goals_by_piece(view, held)
    anchors = frozenset([hold.anchor[0] for hold, _ in held])
    other = other_side(view.side)
    others = view.stones[SEATS.index(other)]
    for piece, goals in movable.items():
        owner, is_anchor = other if others >> piece & 1 else "", piece in anchors
        for move, by in goals.items():
            found.append(_piece_offer(piece, move, tuple(by), owner, is_anchor))
    for hold, move in held:
        owner = other if others >> hold.seen_row[0] & 1 else ""
        found.append(_anchor_offer(hold, move, owner, hold.anchor[0] in movable))
    return tuple(found)


def _barred_boards(view: State, listed: frozenset[Action]) -> frozenset[Stones]:
    """The boards that a move would lead to if it were allowed; mostly there are none."""
    canonical = moves(view.stones, view.side)
    return frozenset([result for result, move in canonical.items() if move not in listed])


class MovePlan(NamedTuple):
    """A move as offers speak of it, worked out once for all holds that can make it."""

    text: str
    landings: Mapping[int, int | None]
    """Where each piece of the chain arrives, rear first; None is beyond the edge."""
    goals: Mapping[int, str]
    """The places where they arrive."""
    fallen: int
    chain: str
    """The chain by its ends."""
    squares: str
    """The squares it arrives on, by their ends; nothing where it leaves the board."""
    far: Message


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
        fallen=len(pieces) - len(there),
        chain=span(pieces),
        squares=span(there) if there else "",
        far=message("kalamala.squares", n=move.distance),
    )


def _goals_by_piece(
    view: State, held: Sequence[tuple[Hold, Move]]
) -> Mapping[int, Mapping[Move, Sequence[Hold]]]:
    """For each piece that can be moved all its moves, and who makes them.

    A piece of one's own does not go to where another of its chain stands: touched after it, that
    one is what it moves itself.
    """
    found: dict[int, dict[Move, list[Hold]]] = {}
    own, occupied = view.stones[SEATS.index(view.side)], _occupied_squares(view)
    for hold, move in held:
        for piece, at in _plan(move).landings.items():
            if at is None or not occupied >> at & 1 or not own >> piece & 1:
                found.setdefault(piece, {}).setdefault(move, []).append(hold)
    return found


def _owner(view: State, square: int) -> Seat:
    return SEATS[view.stones[1] >> square & 1]


def _moves_of(view: State, hold: Hold) -> Iterator[Move]:
    yield from hold.pushes(_occupied_squares(view))
    yield from hold.pulls()


@lru_cache(maxsize=len(SEATS) * len(SQUARES))
def _placement_offer(side: Seat, square: int) -> Offer:
    name = name_of(square)
    path = (f"rs-{side}", f"sq-{name}")
    return Offer(
        actions=(write_action(Placement(square)),),
        path=path,
        kind="place",
        label=message("kalamala.offer-place", "3.1", square=name),
        prompts=(message("kalamala.placing", "3.1"), message("kalamala.place", "3.1", square=name)),
        marks=(Mark("dot", path[1:], after=2),),
    )


@lru_cache(maxsize=1 << 14)
def _anchor_offer(hold: Hold, move: Move, owner: Seat, can_move: bool) -> Offer:
    """By its anchor, which perhaps can be moved itself; put together once: boards have many of
    their offers in common. The owner of what moves is named where it is the other side."""
    near, anchor, plan = hold.seen_row[0], square_place(hold.anchor[0]), _plan(move)
    path = (anchor, square_place(near), plan.goals[near])
    first, second, third = _hold_marks(hold)
    return Offer(
        actions=(plan.text,),
        path=path,
        kind=_kind(hold, move),
        label=_label(hold, move, near),
        prompts=(
            message("kalamala.anchor-or-piece" if can_move else "kalamala.anchor", "3.3"),
            _hold_prompt(hold),
            _move_prompt(hold, move, owner),
        ),
        marks=(
            first[1],
            *second,
            _goal_mark(move, near, path[2], hold, after=2),
            *third,
            _goal_mark(move, near, path[2], hold, after=3),
            *_follower_marks(move, near, after=3),
        ),
    )


@lru_cache(maxsize=1 << 14)
def _piece_offer(
    piece: int, move: Move, holds: tuple[Hold, ...], owner: Seat, is_anchor: bool
) -> Offer:
    """By a piece that moves, whoever moves it; it may be an anchor, too."""
    plan, hold = _plan(move), holds[0]
    path, marks = (square_place(piece), plan.goals[piece]), [_hold_marks(each) for each in holds]
    return Offer(
        actions=(plan.text,),
        path=path,
        kind=_kind(hold, move),
        label=_label(hold, move, piece),
        prompts=(
            message("kalamala.anchor-or-piece" if is_anchor else "kalamala.piece", "3.3"),
            _move_prompt(hold, move, owner),
        ),
        marks=(
            *[first[1] for first, _, _ in marks],
            _goal_mark(move, piece, path[1], hold, after=1),
            *[mark for _, second, _ in marks for mark in second],
            _goal_mark(move, piece, path[1], hold, after=2),
            *_follower_marks(move, piece, after=2),
        ),
    )


def _kind(hold: Hold, move: Move) -> str:
    return "push" if move.direction == hold.direction else "pull"


def _label(hold: Hold, move: Move, piece: int) -> Message:
    """The deed as seen from a piece: where paths are shared, the number of pieces tells."""
    plan = _plan(move)
    length, fallen = len(plan.landings), plan.fallen
    if fallen == length:
        return message("kalamala.offer-off", "3.4", n=fallen)
    at = plan.landings[piece]
    if at is None:
        at = next(each for each in plan.landings.values() if each is not None)
    square = name_of(at)
    if fallen:
        return message("kalamala.offer-push-some", "3.4", square=square, n=fallen)
    kind, is_alone = _kind(hold, move), length == len(hold.seen_row) == 1
    if is_alone:
        return message(f"kalamala.offer-{kind}", "3.3", square=square)
    return message(f"kalamala.offer-{kind}-chain", "3.3", n=length, square=square)


@lru_cache(maxsize=1 << 13)
def _hold_prompt(hold: Hold) -> Message:
    """The prompt of an anchor and the row it sees, the same for every move of it."""
    strength, length = len(hold.anchor), len(hold.seen_row)
    if strength < length:
        return message("kalamala.holds-part", "3.3", n=strength, length=length)
    far = message("kalamala.squares", n=strength // length)
    return message("kalamala.holds", "3.3", n=strength, length=length, far=far)


def _move_prompt(hold: Hold, move: Move, owner: Seat) -> Message:
    """The prompt that says what a move does, and what it costs whom; one's own have no owner."""
    plan = _plan(move)
    fallen, far, names = plan.fallen, plan.far, plan.chain
    if not plan.squares and not owner:
        return message("kalamala.push-off-own", "3.4", chain=names, n=fallen)
    if not plan.squares:
        return message("kalamala.push-off", "3.4", chain=names, seat=owner, n=fallen)
    if fallen and not owner:
        return message("kalamala.push-some-own", "3.4", chain=names, far=far, n=fallen)
    if fallen:
        return message("kalamala.push-some", "3.4", chain=names, far=far, seat=owner, n=fallen)
    id = "kalamala.push" if move.direction == hold.direction else "kalamala.pull"
    return message(id, "3.3", chain=names, far=far, squares=plan.squares)


@lru_cache(maxsize=1 << 13)
def _hold_marks(hold: Hold) -> tuple[tuple[Mark, Mark], ...]:
    """The marks of an anchor and of its beam after one, two and three touches."""
    end, anchor = square_place(hold.anchor[-1]), square_place(hold.anchor[0])
    line = anchor, square_place(hold.seen_row[0])
    return tuple(
        [
            (Mark("anchor", (end, anchor), after=after), Mark("beam", line, after=after))
            for after in (1, 2, 3)
        ]
    )


def _goal_mark(move: Move, piece: int, goal: str, hold: Hold, after: int) -> Mark:
    if goal in EXITS:
        return Mark("off", (square_place(piece), goal), str(move.distance), after)
    return Mark(_kind(hold, move), (goal,), str(move.distance), after)


def _follower_marks(move: Move, piece: int, after: int) -> list[Mark]:
    """The marks that lead the rest of the chain, once all is chosen."""
    found = []
    for each, goal in _plan(move).goals.items():
        if each != piece and goal in EXITS:
            found.append(Mark("off", (square_place(each), goal), after=after))
        elif each != piece:
            found.append(Mark("dot", (goal,), after=after))
    return found


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
