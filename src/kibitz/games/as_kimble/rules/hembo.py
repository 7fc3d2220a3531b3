"""Jag bor i hembo (10)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from kibitz.core.game import Event
from kibitz.core.message import Refusal, message
from kibitz.games.as_kimble.actions import Hembo
from kibitz.games.as_kimble.board import PIECES, TEAMS, home_spot
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import Change, owe
from kibitz.games.as_kimble.state import Popping, State, mark_of, side_of, with_mark
from kibitz.games.as_kimble.view import View

HEMBO_WINDOW_S = 5.0
NO_MARK, OWING_MARK, SAID_MARK = "-", "!", "+"
FORMS = ("jag", "vi")
SENTENCES = {"jag": "Jag bor i hembo", "vi": "Vi bor i hembo"}
"""The same in every language."""
HEMBO_REMINDERS = frozenset({"as-kimble.hembo-due"})
HOMECOMINGS = frozenset({"as-kimble.eaten", "as-kimble.into-mine", "as-kimble.raised"})


# 10.1  The duty


def mark_hembo_due(options: Options, state: State, team: str) -> Change:
    """A piece of this team has come home; with the fourth the sentence is owed."""
    if options.hembo == "off" or side_of(state, team).home < PIECES:
        return state, []
    sentence = SENTENCES[form_of(options, team)]
    told = message("as-kimble.hembo-due", "10.1", seat=team, sentence=sentence)
    return with_mark(state, team, OWING_MARK), [Event(told)]


def form_of(options: Options, team: str) -> str:
    """One player says jag, more say vi."""
    return "jag" if options.size_of(team) == 1 else "vi"


# 10.2  The call


def why_not_hembo(options: Options) -> Refusal | None:
    return message("as-kimble.hembo-off", "15") if options.hembo == "off" else None


def call_hembo(options: Options, state: State, action: Hembo) -> Change:
    team, mark, right = action.team, mark_of(state, action.team), form_of(options, action.team)
    values = {"seat": team, "sentence": SENTENCES[action.form]}
    if mark == NO_MARK:
        told = message("as-kimble.hembo-needless", "10.2", **values)
        return owe(state, team, 1), [Event(told)]
    if mark == SAID_MARK:
        return state, [Event(message("as-kimble.hembo-again", "10.2", **values))]
    if action.form != right:
        told = message("as-kimble.hembo-wrong", "10.2", **values, right=SENTENCES[right])
        return state, [Event(told)]
    told = message("as-kimble.hembo-said", "10.2", **values)
    return with_mark(state, team, SAID_MARK), [Event(told)]


# 10.5  A fair window


def die_delay(options: Options, view: View, told: Sequence[Event]) -> float:
    """Before the pop that is the deadline, whoever owes the sentence has some seconds to say it.

    Where nobody is reminded of it, whenever a piece has come home: else the pause would tell."""
    phase = view.state.phase
    if options.hembo == "off" or not isinstance(phase, Popping) or not phase.is_new:
        return 0.0
    is_due = OWING_MARK in view.state.hembo
    if not view.is_reminded:
        is_due = any(each.message.id in HOMECOMINGS for each in told)
    return HEMBO_WINDOW_S if is_due else 0.0


# 10.3  The deadline


def settle_hembo(state: State) -> Change:
    """The first pop of a turn: whoever has not said it by now owes a penalty."""
    events = []
    for team in TEAMS:
        if mark_of(state, team) == OWING_MARK:
            state = owe(state, team, 1)
            missed = message("as-kimble.hembo-missed", "10.3", seat=team)
            events.append(Event(missed, place=home_spot(team, 0)))
    return replace(state, hembo=(NO_MARK,) * len(TEAMS)), events
