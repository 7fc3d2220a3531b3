"""The offers of a Kalamala board, and the action meant by a touch outside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from kibitz.core.caching import cache_latest
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
from kibitz.games.kalamala.state import SEATS, State, Stones, other_side


def hint(view: State, viewer: Viewer) -> Message:
    return message("kalamala.your-turn" if viewer == view.side else "kalamala.their-turn")


def status(view: State) -> tuple[Message, ...]:
    return (message("kalamala.turn", "7.1", number=view.turn),)


def offers(options: Options, view: State, actions: Sequence[Action]) -> tuple[Offer, ...]:
    """Every way of touching one of these actions: each anchor that can do it offers it.

    An offer spells its own way, so what is touched is what moves. Going further over the
    edge than needed is not offered.
    """
    found = [
        _placement_offer(view.side, each.square) for each in actions if isinstance(each, Placement)
    ]
    if len(found) == len(actions):
        return tuple(found)
    barred = _barred_boards(view, frozenset(actions))
    for held in all_hold_slides(view.stones, view.side):
        owner = SEATS[view.stones[1] >> held.hold.seen_row[0] & 1]
        offered = _hold_offers(held, owner)
        if barred:
            found += (
                offer for each, offer in offered if each.stones_after(view.stones) not in barred
            )
        else:
            found += (offer for _, offer in offered)
    return tuple(found)


def _barred_boards(view: State, listed: frozenset[Action]) -> frozenset[Stones]:
    """The boards that a move would lead to if it were allowed; mostly there are none."""
    canonical = moves(view.stones, view.side)
    return frozenset(result for result, move in canonical.items() if move not in listed)


@cache_latest(1 << 15)
def _hold_offers(held: HoldSlides, owner: Seat) -> tuple[tuple[Slide, Offer], ...]:
    """All moves of it with different results, each with its offer."""
    different: dict[tuple[int, int], Slide] = {}
    for each in held.slides:
        different.setdefault((each.left_squares, each.entered_squares), each)
    return tuple((each, _offer(held.hold, each.move, owner)) for each in different.values())


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
def _offer(hold: Hold, move: Move, owner: Seat) -> Offer:
    """Put together once: boards have many of their offers in common."""
    near, anchor = hold.seen_row[0], name_of(hold.anchor[0])
    path = (f"sq-{anchor}", square_place(near), _goal_place(move, near))
    return Offer(
        actions=(write_action(move),),
        path=path,
        kind="push" if move.direction == hold.direction else "pull",
        label=_label(hold, move),
        prompts=(_anchor_prompt(anchor), _hold_prompt(hold), _move_prompt(hold, move, owner)),
        marks=_marks(hold, move, path),
    )


def _goal_place(move: Move, piece: int) -> str:
    """The place where a piece of the chain arrives, on the board or just beyond its edge."""
    at = landing(move, piece)
    return exit_of(move, piece) if at is None else square_place(at)


def _label(hold: Hold, move: Move) -> Message:
    at, pieces = landing(move, hold.seen_row[0]), chain(move)
    if at is None:
        return message("kalamala.offer-off", "3.4", n=len(pieces))
    if fallen := _fallen_count(move):
        return message("kalamala.offer-push-some", "3.4", square=name_of(at), n=fallen)
    if move.direction == hold.direction:
        return message("kalamala.offer-push", "3.3", square=name_of(at))
    if len(hold.seen_row) == 1:
        return message("kalamala.offer-pull", "3.3", square=name_of(at))
    return message("kalamala.offer-pull-chain", "3.3", chain=span(pieces), square=name_of(at))


@lru_cache(maxsize=len(SQUARES))
def _anchor_prompt(anchor: str) -> Message:
    return message("kalamala.anchor", "3.3", square=anchor)


@lru_cache(maxsize=1 << 13)
def _hold_prompt(hold: Hold) -> Message:
    """The prompt of an anchor and the row it sees, the same for every move of it."""
    strength, length = len(hold.anchor), len(hold.seen_row)
    kind = "holds" if length == 1 else "holds-row" if strength >= length else "holds-part"
    return message(
        f"kalamala.{kind}",
        "3.3",
        anchor=span(hold.anchor),
        chain=span(hold.seen_row),
        n=strength,
        length=length,
        power=strength // length,
    )


def _move_prompt(hold: Hold, move: Move, owner: Seat) -> Message:
    """The prompt that says what a move does, and what it costs."""
    pieces, fallen = chain(move), _fallen_count(move)
    far, names = message("kalamala.squares", n=move.distance), span(pieces)
    if fallen == len(pieces):
        return message("kalamala.push-off", "3.4", chain=names, seat=owner, n=fallen)
    if fallen:
        return message("kalamala.push-some", "3.4", chain=names, far=far, seat=owner, n=fallen)
    squares = span(at for piece in pieces if (at := landing(move, piece)) is not None)
    if move.direction == hold.direction:
        return message("kalamala.push", "3.3", chain=names, far=far, squares=squares)
    return message("kalamala.pull", "3.3", chain=names, far=far, squares=squares)


def _fallen_count(move: Move) -> int:
    return sum(landing(move, piece) is None for piece in chain(move))


def _marks(hold: Hold, move: Move, path: tuple[str, str, str]) -> tuple[Mark, ...]:
    line, ends = path[:2], (square_place(hold.anchor[-1]), path[0])
    kind = "push" if move.direction == hold.direction else "pull"
    if path[2] in EXITS:
        goal = Mark("off", path[1:], str(move.distance), after=2)
    else:
        goal = Mark(kind, path[2:], str(move.distance), after=2)
    chosen = (Mark("anchor", ends, after=2), Mark("beam", line, after=2), goal)
    return (
        Mark("beam", line, after=1),
        *chosen,
        *(Mark(mark.kind, mark.places, mark.text, after=3) for mark in chosen),
        *(_follower_mark(move, piece) for piece in chain(move) if piece != hold.seen_row[0]),
    )


def _follower_mark(move: Move, piece: int) -> Mark:
    """The mark that leads a piece behind the nearest one, once all is chosen."""
    goal = _goal_place(move, piece)
    if goal in EXITS:
        return Mark("off", (square_place(piece), goal), after=3)
    return Mark("dot", (goal,), after=3)


# What a touch meant


def intent(options: Options, view: State, seat: Seat, path: tuple[str, ...]) -> Action | Message:
    """The action behind a path that is not offered; a message where there is none.

    The rules say what is wrong with an action. No action names its anchor, so what is wrong
    with an anchor is said here.
    """
    reserve = view.reserve[SEATS.index(view.side)]
    if seat != view.side or outcome(options, view):
        # Whatever it was: the rules say first that the match is over, or whose turn it is.
        return Placement(SQUARES[0])
    first, second, third = (*path, "", "", "")[:3]
    if first == f"rs-{seat}":
        return _placement_intent(view, second)
    if first == f"rs-{other_side(seat)}":
        return message("kalamala.not-your-reserve", "3.1", at=first)
    anchor = SQUARE_AT.get(first)
    if anchor is None or not _occupied_squares(view) >> anchor & 1:
        at = first if first in SQUARE_AT or first in EXITS else ""
        kind = "start" if reserve else "start-with-a-stone"
        return message(f"kalamala.{kind}", "3", at=at)
    if not view.stones[SEATS.index(seat)] >> anchor & 1:
        return _not_yours_message(options, view, anchor)
    return _move_intent(options, view, anchor, second, third)


def _placement_intent(view: State, goal: str) -> Action | Message:
    at = SQUARE_AT.get(goal)
    if at is None and view.reserve[SEATS.index(view.side)]:
        return message("kalamala.placing", "3.1")
    return Placement(at or 0)


def _not_yours_message(options: Options, view: State, touched: int) -> Message:
    name, at = name_of(touched), square_place(touched)
    able = [
        hold.anchor[0]
        for hold in holds(view.stones, view.side)
        if hold.seen_row[0] == touched
        and any(_is_new(options, view, move) for move in _moves_of(view, hold))
    ]
    if not able:
        return message("kalamala.not-yours", "3.3", square=name, at=at)
    return message("kalamala.not-yours-but", "3.3", square=name, anchor=name_of(able[0]), at=at)


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
        return _why_idle(options, view, held, message("kalamala.anchor", "3.3", square=name))
    if touched is None or touched == anchor:
        return message("kalamala.anchor", "3.3", square=name)
    if not _occupied_squares(view) >> touched & 1:
        return message("kalamala.anchor-stays", "3.3", square=name, at=second)
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
    return _goal_intent(view, hold, third)


def _why_idle(
    options: Options, view: State, held: list[Hold], otherwise: Message
) -> Action | Message:
    """Why nothing that an anchor holds can be moved; `otherwise` if something can."""
    possible = [move for hold in held for move in _moves_of(view, hold)]
    if possible:
        return otherwise if any(_is_new(options, view, move) for move in possible) else possible[0]
    strongest = max(held, key=lambda hold: len(hold.anchor) // len(hold.seen_row))
    return _push_intent(view, strongest, 1, square_place(strongest.seen_row[0]))


def _goal_intent(view: State, hold: Hold, goal: str) -> Action | Message:
    near, at, back = hold.seen_row[0], SQUARE_AT.get(goal), OPPOSITE[hold.direction]
    ahead, behind = RAYS[hold.direction][near], RAYS[back][near]
    if goal == exit_of(Move(near, near, hold.direction, 1), near):
        return _push_intent(view, hold, len(ahead) + 1, goal)
    if at in ahead:
        return _push_intent(view, hold, ahead.index(at) + 1, goal)
    if at in behind[: hold.gap]:
        return _pull_intent(hold, behind.index(at) + 1, goal)
    if at in behind or goal == exit_of(Move(near, near, back, 1), near):
        anchor = name_of(hold.anchor[0])
        values = {"square": anchor, "at": goal, "because": f"sq-{anchor}"}
        return message("kalamala.in-the-way", "3.3", **values)
    if at == near or (at is None and goal not in EXITS):
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
        names = {"anchor": span(hold.anchor), "chain": span(hold.seen_row), "at": goal}
        return message("kalamala.too-weak", "3.3", **names, n=strength, length=length)
    if (power := strength // length) < distance:
        return _too_far_message(power, length, distance, goal)
    return Move(hold.seen_row[0], hold.seen_row[-1], hold.direction, distance)


def _pull_intent(hold: Hold, distance: int, goal: str) -> Action | Message:
    """The pull of the nearest piece: what it cannot do, no longer part of its row can."""
    if len(hold.anchor) < distance:
        return _too_far_message(len(hold.anchor), 1, distance, goal)
    return Move(hold.seen_row[0], hold.seen_row[0], OPPOSITE[hold.direction], distance)


def _too_far_message(power: int, length: int, distance: int, goal: str) -> Message:
    values = {"length": length, "distance": distance}
    return message("kalamala.too-far", "3.3", n=power, **values, at=goal)


def _occupied_squares(view: State) -> int:
    return view.stones[0] | view.stones[1]
