"""The numbers of a position, for screens that show them large: what its text says beside the board.

    {"phase": "P", "turn": "R", "pops": 2, "number": null, "face": 6, "wanted": null,
     "owed": {"R": 0, "B": 6, "Y": 0, "G": 1}, "done": {"R": 2, "B": 0, "Y": 0, "G": 0},
     "marks": {"R": "-", "B": "!", "Y": "-", "G": "-"}, "raised": ["R"], "round": 1,
     "break": false, "winner": null, "sizes": {"R": 2, "B": 1, "Y": 1, "G": 1},
     "litres": {"R": 0.66, "B": 0, "Y": 0, "G": 0}}

The phase is its letter (5) and the turn a team, or nobody's before colours are known; `pops` are
those left, `number` is the one to be played, `face` what the die shows and `wanted` what it must
show again. `marks` are those of hembo (16); none for a screen that does not remind of it (10.5).
`sizes` are the players of each team, and `litres` what they have done so far comes to (11.3); none
where the unit is not measured in litres.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.state import (
    Book,
    Choosing,
    Colours,
    GameOver,
    Lots,
    Phase,
    Popping,
    Returning,
    Voting,
)
from kibitz.games.as_kimble.view import View


def scoreboard(options: Options, view: View) -> dict[str, Any]:
    state = view.state
    phase, books, raises = state.phase, dict(zip(TEAMS, state.books, strict=True)), state.raises
    return {
        "phase": _phase_letter(phase),
        "turn": None if isinstance(phase, Lots | Colours | GameOver) else phase.team,
        "pops": phase.pops if isinstance(phase, Popping) else None,
        "number": phase.number if isinstance(phase, Choosing) else None,
        "face": state.die.face,
        "wanted": state.die.wanted_face,
        "owed": {team: book.owed for team, book in books.items()},
        "done": {team: book.done for team, book in books.items()},
        "marks": dict(zip(TEAMS, state.hembo, strict=True)) if view.is_reminded else {},
        "raised": list(raises.teams),
        "round": raises.round,
        "break": state.is_break,
        "winner": phase.winner if isinstance(phase, GameOver) else None,
        "sizes": dict(zip(TEAMS, options.team_size, strict=True)),
        "litres": _litres(options, books),
    }


def _litres(options: Options, books: Mapping[str, Book]) -> dict[str, float]:
    if not options.litres(TEAMS[0], 1):
        return {}
    return {team: round(options.litres(team, book.done), 3) for team, book in books.items()}


def _phase_letter(phase: Phase) -> str:
    match phase:
        case Lots():
            return "S"
        case Colours():
            return "K"
        case Popping(is_new=is_new):
            return "N" if is_new else "P"
        case Choosing():
            return "M"
        case Voting():
            return "V"
        case Returning():
            return "C"
        case GameOver():
            return "E"
