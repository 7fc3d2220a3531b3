"""The board as text, for terminals and tests, and read back.

The ring is a square with the start grids at its corners; in it are the goals, first grids
outermost, and the die; homes are outside the corners. A letter is a piece, a number after it how
many it contains, or how many are on that goal grid; a small letter is an empty start grid, and a
star marks a mine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kibitz.core.message import Message, Say, message
from kibitz.games.as_kimble.board import GOALS, PIECES, RING, SEAT_LETTERS, TEAMS, progress_at
from kibitz.games.as_kimble.state import (
    Choosing,
    Colours,
    Die,
    GameOver,
    Lots,
    Piece,
    Popping,
    Returning,
    Side,
    State,
    Voting,
    book_of,
    grid_occupant,
    side_of,
)
from kibitz.games.as_kimble.ui.team_panels import Sign, seat_signs_of, signs_of

EDGE_GRIDS = RING // 4 + 1
CELL_CHARS, GOAL_CHARS = 5, 3
"""Characters of a grid and of a goal grid."""
EMPTY, MINE = ".", "*"


def draw_text(view: State, say: Say) -> str:
    lines = [*_board(view), "", *(_ledger_lines(view, say))]
    return "\n".join(line.rstrip() for line in (*lines, *_turn_lines(view, say)))


# The board


def _board(view: State) -> Iterator[str]:
    wide = CELL_CHARS * EDGE_GRIDS
    cells = [_cell(view, grid) for grid in range(RING)]
    yield _home(view, "R").ljust(wide - CELL_CHARS - 2) + _home(view, "B")
    yield "".join(cell.ljust(CELL_CHARS) for cell in cells[:EDGE_GRIDS])
    inside = {1: _goals(view, "R", "B"), EDGE_GRIDS - 2: _goals(view, "G", "Y")}
    inside[EDGE_GRIDS // 2] = _die(view.die).center(wide - 2 * CELL_CHARS)
    for row in range(1, EDGE_GRIDS - 1):
        left, right = cells[RING - row], cells[EDGE_GRIDS - 1 + row]
        yield left.ljust(CELL_CHARS) + inside.get(row, "").ljust(wide - 2 * CELL_CHARS) + right
    bottom = cells[2 * EDGE_GRIDS - 2 : 3 * EDGE_GRIDS - 2]
    yield "".join(cell.ljust(CELL_CHARS) for cell in reversed(bottom))
    yield _home(view, "G").ljust(wide - CELL_CHARS - 2) + _home(view, "Y")


def _home(view: State, team: str) -> str:
    return (team * side_of(view, team).home).ljust(PIECES, EMPTY)


def _cell(view: State, grid: int) -> str:
    if found := grid_occupant(view, grid):
        team, piece = found
        return _letters(team, piece.size) + MINE * (piece.progress == 0)
    return TEAMS[grid * 4 // RING].lower() if grid % (RING // 4) == 0 else EMPTY


def _letters(team: str, count: int) -> str:
    return team + (str(count) if count > 1 else "") if count else EMPTY


def _goals(view: State, left: str, right: str) -> str:
    """Of two teams in a row, both from the outside in."""
    rows = [
        [_letters(team, count).ljust(GOAL_CHARS) for count in side_of(view, team).goal]
        for team in (left, right)
    ]
    return (
        "".join(rows[0])
        + " " * (CELL_CHARS * (EDGE_GRIDS - 2) - 8 * GOAL_CHARS)
        + "".join(reversed(rows[1]))
    )


def _die(die: Die) -> str:
    return f"[{die.face or ' '}{f'>{die.wanted_face}' if die.wanted_face else ''}]"


# The ledger and the turn


def _ledger_lines(view: State, say: Say) -> Iterator[str]:
    if isinstance(view.phase, Lots | Colours):
        for i, chair in enumerate(SEAT_LETTERS):
            lots = view.phase.pops[i] if isinstance(view.phase, Lots) else ()
            pops = " ".join(map(str, lots)) or "-"
            line = message("as-kimble.draw-text-chair", chair=chair, pops=pops, seat=TEAMS[i])
            yield _with_signs(line, seat_signs_of(view.phase, chair), say)
        return
    for team in TEAMS:
        book = book_of(view, team)
        counts = {"owed": book.owed, "done": book.done}
        line = message("as-kimble.draw-text-team", side=team, seat=team, **counts)
        yield _with_signs(line, signs_of(view, team), say)


def _with_signs(line: Message, signs: Iterable[Sign], say: Say) -> str:
    return f"{say(line)}  {', '.join(sign.spoken_text(say) for sign in signs)}"


def _turn_lines(view: State, say: Say) -> Iterator[str]:
    phase = view.phase
    if not isinstance(phase, Lots | Colours | GameOver):
        id = "as-kimble.draw-round-last" if view.raises.is_closed else "as-kimble.draw-round"
        yield say(message(id, round=view.raises.round))
    match phase:
        case Popping(team, pops):
            yield say(message("as-kimble.draw-text-pops", seat=team, n=pops))
        case Choosing(team, number):
            yield say(message("as-kimble.draw-text-popped", seat=team, number=number))
        case Voting(team):
            yield say(message("as-kimble.draw-text-asks", seat=team, round=view.raises.round + 1))
        case Returning(team):
            yield say(message("as-kimble.draw-text-raised", seat=team))
        case GameOver(winner):
            id = "as-kimble.draw-text-won" if winner else "as-kimble.draw-ended"
            yield say(message(id, seat=winner or ""))
    if view.die.wanted_face:
        yield say(message("as-kimble.draw-reset", number=view.die.wanted_face))
    if view.is_break:
        yield say(message("as-kimble.draw-break"))


# Read back

_PIECE = re.compile("([RBYG])([2-4]?)")


def read_text(drawn: str) -> tuple[Side, ...]:
    """The sides on a drawn board; what is drawn beside it is left alone."""
    rows = [line.split() for line in drawn.replace(MINE, "").splitlines()]
    homes = [i for i, row in enumerate(rows) if len(row) > 1 and _is_home(row[0], row[1])]
    top, bottom = homes
    assert bottom == top + EDGE_GRIDS + 1
    middle = [[each for each in row if "[" not in each and each != "]"] for row in rows]
    first, *between, last = middle[top + 1 : bottom]
    grids = first[:EDGE_GRIDS] + [row[-1] for row in between]
    grids += last[EDGE_GRIDS - 1 :: -1] + [row[0] for row in reversed(between)]
    goals = _read_goals(between[0], "R", "B") | _read_goals(between[-1], "G", "Y")
    homes_of = {**_read_homes(rows[top], "R", "B"), **_read_homes(rows[bottom], "G", "Y")}
    return tuple(Side(homes_of[team], _read_ring(grids, team), goals[team]) for team in TEAMS)


def _is_home(*words: str) -> bool:
    return all(re.fullmatch(r"[RBYG.]{4}", word) for word in words)


def _read_homes(row: list[str], left: str, right: str) -> dict[str, int]:
    return {left: row[0].count(left), right: row[1].count(right)}


def _read_goals(row: list[str], left: str, right: str) -> dict[str, tuple[int, int, int, int]]:
    counts = [_count(each) for each in row[1:-1]]
    a, b, c, d = counts[: len(GOALS)]
    h, g, f, e = counts[len(GOALS) :]
    return {left: (a, b, c, d), right: (e, f, g, h)}


def _count(letters: str) -> int:
    found = _PIECE.fullmatch(letters)
    return int(found[2] or 1) if found else 0


def _read_ring(grids: list[str], team: str) -> tuple[Piece, ...]:
    found = [
        Piece(progress_at(team, grid), _count(letters))
        for grid, letters in enumerate(grids)
        if letters[0] == team
    ]
    return tuple(sorted(found, key=lambda piece: piece.progress))
