"""Validation of a position that is read, as paragraph 16 asks."""

from __future__ import annotations

from kibitz.core.message import Refusal, Value, message
from kibitz.games.as_kimble.board import SIX, TEAMS, grid_at
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import has_won
from kibitz.games.as_kimble.rules.preparation import can_arise, seats_due
from kibitz.games.as_kimble.rules.turn import choices, why_not_propose
from kibitz.games.as_kimble.state import (
    Choosing,
    Colours,
    GameOver,
    Lots,
    Returning,
    State,
    Voting,
    side_of,
)


def why_not_possible(options: Options, state: State) -> Refusal | None:
    """The first thing that is wrong with a position."""
    return (
        _why_not_board(state)
        or _why_not_end(options, state)
        or _why_not_phase(options, state)
        or _why_not_die(options, state)
        or _why_not_marks(options, state)
    )


def _why_not_board(state: State) -> Refusal | None:
    seen: dict[int, str] = {}
    for team in TEAMS:
        for piece in side_of(state, team).ring:
            grid = grid_at(team, piece.progress)
            if grid in seen:
                return _refusal("two-on-a-grid", grid=grid)
            seen[grid] = team
    return None


def _why_not_end(options: Options, state: State) -> Refusal | None:
    """Around a real board the book may say who has won, wherever the pieces are (12.6)."""
    if isinstance(state.phase, GameOver):
        winner = state.phase.winner
        is_wrong = winner and options.mode == "digital" and not has_won(state, winner)
        return _refusal("not-won", seat=winner) if winner and is_wrong else None
    for team in TEAMS:
        if has_won(state, team):
            return _refusal("already-won", seat=team)
    return None


def _why_not_phase(options: Options, state: State) -> Refusal | None:
    match state.phase:
        case Choosing(team, number, is_refused):
            if is_refused and number != SIX:
                return _refusal("refused-six", n=number)
            if not choices(options, state, team, number, is_refused):
                return _refusal("no-choice", seat=team, n=number)
        case Voting(team, agreed):
            if team in agreed:
                return _refusal("own-vote", seat=team)
            if len(agreed) == len(TEAMS) - 1:
                return _refusal("vote-over")
            return why_not_propose(options, state, team)
        case Returning(team, pending):
            if not pending or team in pending:
                return _refusal("pending", seat=team)
            for each in pending:
                if not any(side_of(state, each).goal):
                    return _refusal("nothing-to-return", seat=each)
        case Lots() as lots:
            if not can_arise(lots):
                return _refusal("lots-not-due")
            if not seats_due(lots):
                return _refusal("lots-decided")
        case Colours(lowest, highest):
            if lowest == highest:
                return _refusal("same-chair")
    return None


def _why_not_die(options: Options, state: State) -> Refusal | None:
    die, is_running = state.die, not isinstance(state.phase, Lots | Colours | GameOver)
    if die.wanted_face and die.wanted_face == die.face:
        return _refusal("reset-done", number=die.wanted_face)
    if die.wanted_face and (not is_running or options.mode == "digital"):
        return _refusal("no-reset-here")
    if state.is_break and not is_running:
        return _refusal("no-break-here")
    return None


def _why_not_marks(options: Options, state: State) -> Refusal | None:
    if options.hembo == "off" and set(state.hembo) != {"-"}:
        return _refusal("marks-off")
    return None


def _refusal(id: str, /, **values: Value) -> Refusal:
    return message(f"as-kimble.read-{id}", "16", **values)
