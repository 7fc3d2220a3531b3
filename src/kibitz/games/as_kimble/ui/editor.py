"""An AS-Kimble position changed by hand, to make it like the real board.

Pieces come from home and go home. What was going on goes on as long as the reader lets it; where
it cannot, and always out of the preparation and the end of a game, the team on turn pops. How many
pops a turn begins with follows from its pieces (5); the dome can say otherwise.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from kibitz.core.editing import Changes, valid_edits
from kibitz.core.game import Edit, Place
from kibitz.core.message import message
from kibitz.games.as_kimble.board import (
    GOALS,
    RING,
    TEAMS,
    goal_place,
    home_place,
    progress_at,
    ring_place,
)
from kibitz.games.as_kimble.notation import read_state, write_state
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules import start
from kibitz.games.as_kimble.rules.hembo import NO_MARK, OWING_MARK, SAID_MARK
from kibitz.games.as_kimble.rules.turn import pops_granted
from kibitz.games.as_kimble.state import (
    EMPTY_BOOKS,
    FOUR_SIDES,
    Choosing,
    Colours,
    Die,
    GameOver,
    Lots,
    Piece,
    Popping,
    Raises,
    Side,
    State,
    book_of,
    grid_occupant,
    in_team_order,
    side_of,
    with_book,
    with_goal,
    with_mark,
    with_piece,
    with_side,
    without_piece,
)
from kibitz.games.as_kimble.validation import why_not_possible

FACES = (1, 2, 3, 4, 5, 6)
POPS = (1, 2, 3)
DOME = "dome"
_GRIDS = {ring_place(grid): grid for grid in range(RING)}
_GOALS = {goal_place(team, goal): (team, goal) for team in TEAMS for goal in GOALS}
_HOMES = {home_place(team): team for team in TEAMS}
_MARKS = {OWING_MARK: "due", SAID_MARK: "said", NO_MARK: "none"}


def edits(options: Options, state: State, place: Place) -> tuple[Edit, ...]:
    """A grid or a goal: who is there. A home: all about its team. The dome: die and pops."""
    running = _running_state(state)
    if not place:
        return _possible_edits(options, state, _general_changes(options, running))
    return _possible_edits(options, running, _changes_at(options, running, place))


def _possible_edits(options: Options, state: State, changes: Changes[State]) -> tuple[Edit, ...]:
    return valid_edits(write_state, partial(read_state, options), state, changes)


def _changes_at(options: Options, state: State, place: Place) -> Changes[State]:
    if place in _GRIDS:
        return _grid_changes(options, state, _GRIDS[place])
    if place in _GOALS:
        return _goal_changes(options, state, *_GOALS[place])
    if place in _HOMES:
        return _team_changes(options, state, _HOMES[place])
    return _dome_changes(state) if place == DOME else ()


# What goes on


def _running_state(state: State) -> State:
    is_on = not isinstance(state.phase, Lots | Colours | GameOver)
    return state if is_on else _with_popping(state, _team_on_turn(state))


def _team_on_turn(state: State) -> str:
    """The team on turn; where nobody is, the first team."""
    match state.phase:
        case Lots() | Colours():
            return TEAMS[0]
        case GameOver(winner):
            return winner or TEAMS[0]
        case phase:
            return phase.team


def _with_popping(state: State, team: str) -> State:
    return replace(state, phase=Popping(team, pops_granted(side_of(state, team))))


def _with_possible_phase(options: Options, state: State) -> State:
    """The state with the phase it had, if the reader lets it."""
    is_possible = why_not_possible(options, state) is None
    return state if is_possible else _with_popping(state, _team_on_turn(state))


# Pieces


def _grid_changes(options: Options, state: State, grid: int) -> Changes[State]:
    empty = _with_empty_grid(state, grid)
    yield message("as-kimble.edit-empty"), _with_pops_granted(options, state, empty)
    for team in TEAMS:
        side, progress = side_of(empty, team), progress_at(team, grid)
        for size in range(1, side.home + 1):
            label = message(
                "as-kimble.edit-piece",
                piece=message(f"as-kimble.draw-piece-{team}"),
                size=message(f"as-kimble.draw-size-{size}"),
            )
            placed = with_piece(_with_fewer_home(side, size), Piece(progress, size))
            yield label, _with_pops_granted(options, state, with_side(empty, team, placed))


def _with_empty_grid(state: State, grid: int) -> State:
    standing = grid_occupant(state, grid)
    if standing is None:
        return state
    team, piece = standing
    side = without_piece(side_of(state, team), piece)
    return with_side(state, team, _with_fewer_home(side, -piece.size))


def _with_fewer_home(side: Side, pieces: int) -> Side:
    """So many have left home."""
    return replace(side, home=side.home - pieces)


def _with_pops_granted(options: Options, before: State, after: State) -> State:
    """With other pieces a turn that has just begun has the pops that they give it."""
    phase = after.phase
    if after.sides != before.sides and isinstance(phase, Popping) and phase.is_new:
        return _with_popping(after, phase.team)
    return _with_possible_phase(options, after)


def _goal_changes(options: Options, state: State, team: str, goal: int) -> Changes[State]:
    """Only the first goal grid has room for several; the reader says so."""
    side = side_of(state, team)
    there = side.goal[goal - 1]
    empty = _with_fewer_home(with_goal(side, goal, -there), -there)
    yield (
        message("as-kimble.edit-empty"),
        _with_pops_granted(options, state, with_side(state, team, empty)),
    )
    for count in range(1, empty.home + 1):
        placed = with_goal(_with_fewer_home(empty, count), goal, count)
        label = message("as-kimble.edit-goal", n=count)
        yield label, _with_pops_granted(options, state, with_side(state, team, placed))


# A team


def _team_changes(options: Options, state: State, team: str) -> Changes[State]:
    home = with_side(state, team, Side())
    yield message("as-kimble.edit-home"), _with_pops_granted(options, state, home)
    yield from _book_changes(options, state, team)
    for mark, kind in _MARKS.items():
        yield message(f"as-kimble.edit-hembo-{kind}"), with_mark(state, team, mark)
    if options.raising:
        others = set(state.raises.teams) ^ {team}
        kind = "raised" if team in others else "unraised"
        raises = replace(state.raises, teams=in_team_order(others))
        yield message(f"as-kimble.edit-{kind}"), _with_raises(options, state, raises)


def _book_changes(options: Options, state: State, team: str) -> Changes[State]:
    book = book_of(state, team)
    for owed in (book.owed + 1, book.owed - 1):
        after = with_book(state, team, replace(book, owed=owed))
        yield message("as-kimble.edit-owed", owed=owed), _with_possible_phase(options, after)
    for done in (book.done + 1, book.done - 1):
        label = message("as-kimble.edit-done", done=done)
        yield label, with_book(state, team, replace(book, done=done))


def _with_raises(options: Options, state: State, raises: Raises) -> State:
    return _with_possible_phase(options, replace(state, raises=raises))


# Die and pops


def _dome_changes(state: State) -> Changes[State]:
    team, phase = _team_on_turn(state), state.phase
    popping = phase if isinstance(phase, Popping) else Popping(team, 0)
    for pops in POPS:
        yield (
            message("as-kimble.edit-pops", n=pops),
            replace(state, phase=replace(popping, pops=pops)),
        )
    for face in FACES:
        label = message("as-kimble.edit-play", number=face)
        yield label, replace(state, phase=Choosing(team, face), die=Die(face))
    if phase == popping:
        kind = "later" if popping.is_new else "first"
        turned = replace(popping, is_new=not popping.is_new)
        yield message(f"as-kimble.edit-pop-{kind}"), replace(state, phase=turned)
        for face in FACES:
            yield message("as-kimble.edit-die", number=face), replace(state, die=Die(face))


# The whole


def _general_changes(options: Options, state: State) -> Changes[State]:
    for team in TEAMS:
        yield message("as-kimble.edit-turn", seat=team), _with_popping(state, team)
    if options.raising:
        yield from _round_changes(options, state)
    kind = "over" if state.is_break else "on"
    yield message(f"as-kimble.edit-break-{kind}"), replace(state, is_break=not state.is_break)
    yield (
        message("as-kimble.edit-book"),
        _with_possible_phase(options, replace(state, books=EMPTY_BOOKS)),
    )
    home = replace(state, sides=FOUR_SIDES)
    yield message("as-kimble.edit-all-home"), _with_pops_granted(options, state, home)
    yield message("as-kimble.edit-start"), start()


def _round_changes(options: Options, state: State) -> Changes[State]:
    """Nobody has raised in a new one."""
    for round in (state.raises.round + 1, state.raises.round - 1):
        raises = _with_raises(options, state, Raises(round, (), state.raises.is_closed))
        yield message("as-kimble.edit-round", round=round), raises
    if options.refusal == "final":
        kind = "open" if state.raises.is_closed else "closed"
        turned = replace(state.raises, is_closed=not state.raises.is_closed)
        yield message(f"as-kimble.edit-rounds-{kind}"), _with_raises(options, state, turned)
