"""The action that somebody had in mind who touched what is not offered.

Mostly that is an action, and the rules say what is wrong with it. Where there is none, or where
the rules would name a small thing beside a greater one, the answer is given here.
"""

from __future__ import annotations

import re

from kibitz.core.game import Seat
from kibitz.core.message import Message, message
from kibitz.games.as_kimble.actions import (
    Action,
    Break,
    Colour,
    Completion,
    Enter,
    Hembo,
    Lot,
    PassOn,
    Pop,
    Propose,
    Resume,
    Return,
    Vote,
)
from kibitz.games.as_kimble.board import SEAT_LETTERS, TEAMS, home_place
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules import acting_letters
from kibitz.games.as_kimble.rules.hembo import form_of
from kibitz.games.as_kimble.rules.moves import LAST_PROGRESS, has_piece_at
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
from kibitz.games.as_kimble.ui.mishap_offers import mishap_intent
from kibitz.games.as_kimble.ui.move_intent import number_intent
from kibitz.games.as_kimble.view import View


def intent(options: Options, view: View, seat: Seat, path: tuple[str, ...]) -> Action | Message:
    """The action behind a path that is not offered; a message where there is none."""
    state = view.state
    first, second = (*path, "", "")[:2]
    if mishap := mishap_intent(options, state, seat, path):
        return mishap
    if button := _button_action(options, seat, second if second.startswith("btn-") else first):
        return button
    match state.phase:
        case Lots() if options.mode == "companion" and first == "dome":
            return Lot(_seat_letter(seat), 1)
        case Colours() if first in map(home_place, TEAMS):
            return Colour(_seat_letter(seat), first[-1])
    if (
        isinstance(state.phase, Lots | Colours | GameOver)
        or state.is_break
        or state.die.wanted_face
    ):
        return Pop(seat, 1)
    match state.phase:
        case Voting() as vote:
            return _vote_intent(vote, seat, first)
        case Returning() as returning:
            return _return_intent(state, returning, seat, first)
    if first in ("btn-yes", "btn-no"):
        return message("as-kimble.no-vote", "9.3")
    if seat not in acting_letters(state):
        return PassOn(seat)
    if first == "btn-pass" or second == "btn-pass":
        return PassOn(seat)
    if first == "dome" or second == "dome":
        return Pop(seat, 1)
    if not isinstance(state.phase, Choosing):
        return Enter(seat)
    return number_intent(options, state, first, second)


def _button_action(options: Options, seat: Seat, place: str) -> Action | None:
    """The action of a button that is there in every turn; the rules alone judge it."""
    match place:
        case "btn-hembo":
            return Hembo(seat, form_of(options, seat))
        case "btn-done":
            return Completion(seat, 1)
        case "btn-break":
            return Break()
        case "btn-resume":
            return Resume()
        case "btn-propose":
            return Propose(seat)
    return None


def _seat_letter(seat: Seat) -> str:
    return SEAT_LETTERS[TEAMS.index(seat)]


# Raises of others


def _vote_intent(phase: Voting, seat: Seat, first: str) -> Action | Message:
    if first in ("btn-yes", "btn-no"):
        if seat == phase.team:
            return message("as-kimble.own-proposal", "9.3")
        if seat in phase.agreed_teams:
            return message("as-kimble.voted", "9.3")
        return Vote(seat, first == "btn-yes")
    return PassOn(seat)


def _return_intent(state: State, phase: Returning, seat: Seat, first: str) -> Action | Message:
    """One of one's own goal pieces is wanted, of those who still have to give one."""
    if first in ("btn-yes", "btn-no"):
        return message("as-kimble.no-vote", "9.3")
    goal = re.fullmatch("g-([RBYG])([1-4])", first)
    if goal and goal[1] != seat:
        return message("as-kimble.return-own", "9.2", seat=goal[1], at=first)
    if seat not in phase.pending:
        id = "as-kimble.return-raiser" if seat == phase.team else "as-kimble.return-given"
        return message(id, "9.2") if goal else PassOn(seat)
    if not goal:
        return message("as-kimble.return-goal", "9.2") if first else PassOn(seat)
    if has_piece_at(side_of(state, seat), LAST_PROGRESS + int(goal[2])):
        return message("as-kimble.chosen-return", "9.2", goal=int(goal[2]))
    return Return(seat, int(goal[2]))
