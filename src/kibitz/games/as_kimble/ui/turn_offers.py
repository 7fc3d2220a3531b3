"""Offers once a number is popped: moves, doubling and raising, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from kibitz.core.game import Mark, Offer
from kibitz.core.message import Message, message
from kibitz.games.as_kimble.actions import Choice, Double, Enter, Move, PassOn, Propose, Raise
from kibitz.games.as_kimble.board import (
    SIX,
    goal_place,
    grid_at,
    home_place,
    ring_place,
    start_grid,
)
from kibitz.games.as_kimble.notation import write_action
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules import resolve
from kibitz.games.as_kimble.rules.hembo import OWING_MARK
from kibitz.games.as_kimble.rules.moves import (
    LAST_PROGRESS,
    is_mine_move,
    ordinary_moves,
    place_of,
    places_between,
    size_message,
    why_not_double,
)
from kibitz.games.as_kimble.state import (
    GameOver,
    Piece,
    Popping,
    Returning,
    State,
    book_of,
    mark_of,
    piece_at,
    side_of,
    way_occupant,
)
from kibitz.games.as_kimble.ui.phrases import (
    in_sequence,
    piece_message,
    piece_of_team,
    place_message,
    sentence_of,
)


def number_offers(
    options: Options, state: State, number: int, choices: Sequence[Choice]
) -> Iterator[Offer]:
    """All that the number may be used for."""
    for choice in choices:
        match choice:
            case Enter():
                yield _enter_offer(options, state, choice)
            case Move():
                yield _move_offer(options, state, choice, number, is_only=len(choices) == 1)
            case Double():
                yield from _double_offers(options, state, choice)
            case Raise():
                yield _raise_offer(options, state, choice)
            case Propose():
                yield _propose_offer(state, choice)
            case PassOn():
                yield _leave_offer(options, state, choice)


# Moves


def chosen_message(state: State, choice: Choice) -> Message | None:
    """The message once the piece is touched, what it eats first; buttons have no piece."""
    match choice:
        case Move(team, 0, number) if why_not_double(side_of(state, team), number) is None:
            return chosen_start_message(state, team)
    said = _chosen_piece_message(state, choice)
    cost = _cost_message(state, choice)
    return in_sequence(cost, said) if said and cost else said


def _cost_message(state: State, choice: Choice, is_told_of: bool = False) -> Message | None:
    """The meal at the end of a way, and who has to pay for it: whoever chose it, or whoever is
    told of."""
    match choice:
        case Move(team, origin, target) if target <= LAST_PROGRESS:
            piece, met = piece_at(side_of(state, team), origin), way_occupant(state, team, target)
        case Enter(team) | Raise(team):
            piece, met = Piece(0), way_occupant(state, team, 0)
        case _:
            return None
    if piece is None or met is None or met[0] == team:
        return None
    cost = piece.size * met[1].size
    if isinstance(choice, Move) and is_mine_move(state, choice):
        if is_told_of:
            return message("as-kimble.book-mine", "7.3", seat=team, n=cost)
        return message("as-kimble.chosen-mine", "7.3", n=cost)
    eaten = piece_of_team(met[0], met[1].size)
    return message("as-kimble.chosen-eats", "7.2", eaten=eaten, seat=met[0], n=cost)


def _chosen_piece_message(state: State, choice: Choice) -> Message | None:
    match choice:
        case Enter(team) | Double(team):
            return message("as-kimble.chosen-home", "6", grid=start_grid(team))
        case Move(team, origin, target):
            piece = piece_message(side_of(state, team), origin)
            ways = {"origin": place_message(team, origin), "target": place_message(team, target)}
            return message("as-kimble.chosen", "6", piece=piece, **ways, n=target - origin)
        case Raise(team, goal):
            return message("as-kimble.chosen-raise", "9.2", goal=goal, grid=start_grid(team))
    return None


def chosen_start_message(state: State, team: str) -> Message:
    """With a six the piece on the start grid may go on, if it can, or grow (8.1)."""
    piece = piece_at(side_of(state, team), 0)
    assert piece is not None
    sizes = {"piece": size_message(piece.size), "joined": size_message(piece.size + 1)}
    goes = Move(team, 0, SIX)
    if goes not in ordinary_moves(state, team, SIX):
        return message("as-kimble.chosen-double", "8.1", **sizes, grid=grid_at(team, 0))
    ways = {"grid": grid_at(team, 0), "target": grid_at(team, SIX), "n": SIX}
    said = message("as-kimble.chosen-or-double", "6", **sizes, **ways)
    cost = _cost_message(state, goes)
    return in_sequence(cost, said) if cost else said


def _enter_offer(options: Options, state: State, enter: Enter) -> Offer:
    team, met = enter.team, way_occupant(state, enter.team, 0)
    path = home_place(team), ring_place(start_grid(team))
    label = message("as-kimble.offer-enter", "6")
    what = message("as-kimble.enter", "6", grid=start_grid(team))
    if met:
        label = message("as-kimble.offer-enter-eat", "7.1", seat=met[0])
        what = _meal_prompt("as-kimble.enter-eat", *met, 1, grid=start_grid(team))
    return _piece_offer(
        options, state, enter, path, "enter", label, what, _target_marks(path, SIX, met)
    )


def _move_offer(options: Options, state: State, move: Move, number: int, is_only: bool) -> Offer:
    team, side = move.team, side_of(state, move.team)
    path = place_of(team, move.origin), place_of(team, move.target)
    piece = piece_at(side, move.origin)
    if move.target > LAST_PROGRESS or piece is None:
        return _goal_offer(options, state, move, path, piece.size if piece else 0, number)
    grid, met = grid_at(team, move.target), way_occupant(state, team, move.target)
    marks = _hop_marks(move, number, met)
    if met and is_mine_move(state, move):
        cost = piece.size * met[1].size
        label = message("as-kimble.offer-mine", "7.3", grid=grid, n=cost)
        what = message("as-kimble.mine", "7.3", grid=grid, n=cost)
        marks = (Mark("risk", (*path, path[1]), after=1), marks[-1])
        ask = not is_only
        return _piece_offer(options, state, move, path, "mine", label, what, marks, ask)
    mover = message(f"as-kimble.mover-{piece.size}")
    if met:
        cost = piece.size * met[1].size
        label = message("as-kimble.offer-eat", "7.1", seat=met[0], grid=grid, n=cost)
        what = _meal_prompt("as-kimble.eat", *met, piece.size, mover=mover, grid=grid)
        return _piece_offer(options, state, move, path, "eat", label, what, marks)
    label = message("as-kimble.offer-move", "6", grid=grid)
    what = message("as-kimble.move", "6", mover=mover, grid=grid)
    return _piece_offer(options, state, move, path, "move", label, what, marks)


def _goal_offer(
    options: Options, state: State, move: Move, path: tuple[str, str], size: int, number: int
) -> Offer:
    """Into the goal, where a multiplied piece splits, or on inside it."""
    goal, marks = move.target - LAST_PROGRESS, _hop_marks(move, number)
    if not size:
        label = message("as-kimble.offer-goal-on", "6", goal=goal)
        what = message("as-kimble.goal-on", "6", origin=move.origin - LAST_PROGRESS, goal=goal)
        return _piece_offer(options, state, move, path, "goal", label, what, marks)
    label = message("as-kimble.offer-goal", "6", goal=goal)
    mover = message(f"as-kimble.mover-{size}")
    what = message("as-kimble.goal", "6", mover=mover, goal=goal)
    if size > 1:
        id = "as-kimble.goal-split-first" if goal == 1 else "as-kimble.goal-split"
        what = message(id, "8.3", mover=mover, goal=goal, n=size - 1)
    return _piece_offer(options, state, move, path, "goal", label, what, marks)


def _double_offers(options: Options, state: State, double: Double) -> Iterator[Offer]:
    """From home onto the start grid, or beginning with the piece that will grow."""
    team, piece = double.team, piece_at(side_of(state, double.team), 0)
    assert piece is not None
    joined, path = size_message(piece.size + 1), (home_place(team), ring_place(start_grid(team)))
    label = message("as-kimble.offer-double", "8.1", piece=joined)
    values = {"piece": size_message(piece.size), "joined": joined}
    what = message("as-kimble.double", "8.1", **values, grid=start_grid(team))
    offer = _piece_offer(
        options, state, double, path, "double", label, what, _target_marks(path, SIX)
    )
    yield offer
    yield replace(
        offer,
        path=path[::-1],
        prompts=(chosen_start_message(state, team), offer.prompts[1]),
        marks=offer.marks[1:],
    )


# Raising


def _raise_offer(options: Options, state: State, action: Raise) -> Offer:
    team, start = action.team, start_grid(action.team)
    path = goal_place(team, action.goal), ring_place(start)
    own, met = piece_at(side_of(state, team), 0), way_occupant(state, team, 0)
    label = message("as-kimble.offer-raise", "9.2", goal=action.goal)
    what = message("as-kimble.raise", "9.2", goal=action.goal, grid=start)
    marks = _target_marks(path, SIX)
    if own:
        joined = size_message(own.size + 1)
        what = message("as-kimble.raise-join", "9.2", goal=action.goal, joined=joined, grid=start)
    elif met:
        what = _meal_prompt("as-kimble.raise-eat", *met, 1, goal=action.goal, grid=start)
        marks = _target_marks(path, SIX, met)
    what = in_sequence(what, message("as-kimble.then-return"))
    return _piece_offer(options, state, action, path, "raise", label, what, marks, ask=True)


def _propose_offer(state: State, action: Propose) -> Offer:
    round = state.raises.round + 1
    return Offer(
        actions=(write_action(action),),
        path=("btn-propose",),
        kind="propose",
        label=message("as-kimble.offer-propose", "9.3", round=round),
        prompts=(message("as-kimble.propose", "9.3", round=round),),
    )


def _leave_offer(options: Options, state: State, action: PassOn) -> Offer:
    """The six is not used (5.1)."""
    what = message("as-kimble.leave-six", "5.1")
    return Offer(
        actions=(write_action(action),),
        path=("btn-pass",),
        kind="leave",
        label=message("as-kimble.offer-leave-six", "5.1"),
        prompts=(in_sequence(what, *_consequences(options, state, action)),),
    )


# Their parts


def _is_told_of(options: Options) -> bool:
    """True around a real board, where somebody enters what others did: no hole has a number there,
    and nobody is told what they themselves would do."""
    return options.mode == "companion"


def _book_message(state: State, choice: Choice) -> Message | None:
    """A choice as the book of a real board tells it, what it costs first; None where it is told
    alike everywhere."""
    cost = _cost_message(state, choice, is_told_of=True)
    match choice:
        case Enter():
            said = message("as-kimble.book-enter", "6")
        case Move(_, origin, target) if target <= LAST_PROGRESS:
            said = message("as-kimble.book-steps", "6", n=target - origin)
        case Double(team):
            piece = piece_at(side_of(state, team), 0)
            assert piece is not None
            said = message("as-kimble.book-double", "8.1", joined=size_message(piece.size + 1))
        case Raise(team):
            said = message("as-kimble.book-raise", "9.2")
            if own := piece_at(side_of(state, team), 0):
                joined = size_message(own.size + 1)
                said = message("as-kimble.book-raise-join", "9.2", joined=joined)
            then = message("as-kimble.then-return")
            return in_sequence(*([cost] if cost else []), said, then)
        case _:
            return None
    return cost or said


def _piece_offer(
    options: Options,
    state: State,
    choice: Enter | Move | Double | Raise,
    path: tuple[str, str],
    kind: str,
    label: Message,
    what: Message,
    marks: tuple[Mark, ...],
    ask: bool = False,
) -> Offer:
    first = chosen_message(state, choice)
    assert first is not None
    if _is_told_of(options):
        what = _book_message(state, choice) or what
    return Offer(
        actions=(write_action(choice),),
        path=path,
        kind=kind,
        label=label,
        prompts=(first, in_sequence(what, *_consequences(options, state, choice))),
        marks=marks,
        needs_confirmation=ask,
    )


def _target_marks(
    path: tuple[str, str], number: int, met: tuple[str, Piece] | None = None
) -> tuple[Mark, ...]:
    there = Mark("attack", path[1:], "eat", after=1)
    if met is None:
        there = Mark("dot", path[1:], str(number), after=1)
    return there, Mark("arrow", path, after=2)


def _hop_marks(move: Move, number: int, met: tuple[str, Piece] | None = None) -> tuple[Mark, ...]:
    """A piece that is moved goes around the ring, not straight there."""
    origin, target = place_of(move.team, move.origin), place_of(move.team, move.target)
    there, _ = _target_marks((origin, target), number, met)
    way = origin, *places_between(move), target
    return there, Mark("way", way, after=1), Mark("way", way, after=2)


def _meal_prompt(id: str, team: str, piece: Piece, size: int, **values: int | Message) -> Message:
    """Eating this piece of that team with one of this size, and what it costs them (7.2)."""
    eaten = piece_of_team(team, piece.size)
    return message(id, "7.2", seat=team, eaten=eaten, n=size * piece.size, **values)


def _consequences(options: Options, state: State, choice: Choice) -> Iterator[Message]:
    """The consequences beside those said already: another pop, the end, the sentence."""
    team = choice.team
    after = resolve(options, state, team, choice).state
    side, owed = side_of(after, team), book_of(after, team).owed
    if mark_of(after, team) == OWING_MARK != mark_of(state, team):
        id = "as-kimble.book-hembo" if _is_told_of(options) else "as-kimble.then-hembo"
        yield message(id, "10.1", sentence=sentence_of(options, team))
    match after.phase:
        case GameOver(winner) if winner == team:
            yield message("as-kimble.then-win", "13")
            return
        case GameOver(str() as winner):
            yield message("as-kimble.then-lose", "13", seat=winner)
            return
    if side.is_placed and not side_of(state, team).is_placed:
        id = "as-kimble.book-placed" if _is_told_of(options) else "as-kimble.then-placed"
        yield message(id, "13", n=owed)
    match after.phase:
        case Popping(next) | Returning(next) if next == team:
            yield message(
                "as-kimble.book-pops" if _is_told_of(options) else "as-kimble.then-pop", "5"
            )
