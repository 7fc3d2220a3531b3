"""Each fault planted in a game or in the table is caught by the law made for it."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from random import Random
from typing import Any, cast

import pytest
from msgspec import structs

from duel import duel
from duel.actions import Choose, Roll, Wind
from duel.state import State, View
from kibitz.core.drawing import Drawing, Look
from kibitz.core.game import Edit, Event, Step, Viewer
from kibitz.core.message import Refused, message
from kibitz.table import Table
from laws import laws
from laws.laws import AnyGame

SOUND = duel()


PARTS = {
    each.name: name for name in ("rules", "notation", "ui") for each in fields(getattr(SOUND, name))
}


def with_fault(**functions: Any) -> AnyGame:
    """The sound game, with other functions in place of some of its own."""
    game: AnyGame = SOUND
    for name, function in functions.items():
        part = PARTS[name]
        game = replace(game, **{part: replace(getattr(game, part), **{name: function})})
    return game


def with_steps(change: Any) -> AnyGame:
    """The sound game, with something done to each of its steps."""
    return with_fault(resolve=lambda s, who, a: change(s, who, a, SOUND.rules.resolve(s, who, a)))


def leaking_view(state: State, viewer: Viewer, held: Any) -> View:
    return replace(SOUND.rules.view(state, viewer, held), down=state.down)


def leaking_event(state: State, who: str, action: Any, step: Step[Any, Any]) -> Step[Any, Any]:
    return structs.replace(
        step, events=tuple(structs.replace(event, witnesses=None) for event in step.events)
    )


def late_leak(state: State, who: str, action: Any, step: Step[Any, Any]) -> Step[Any, Any]:
    """An innocent public action mentions what lies face down."""
    if not isinstance(action, Wind):
        return step
    return structs.replace(
        step, events=(Event(message("hint", card=state.down or 0)), *step.events)
    )


def leaking_actions(state: State, actor: str) -> tuple[Any, ...]:
    actions = SOUND.rules.turn_actions(state, actor)
    return tuple(a for a in actions if a != Choose(state.down or 0)) or actions


def leaking_refusal(state: State, actor: str, action: Any) -> Any:
    if actor == "spectator":
        return message("duel.not-now", "D1", card=state.down or 0)
    return SOUND.rules.why_not(state, actor, action)


def write_rested(state: State) -> str:
    return SOUND.notation.write_state(replace(state, winds=(True, True)))


def style_labels(drawing: Drawing) -> Drawing:
    return structs.replace(drawing, layers={**drawing.layers, "labels": '<g style="fill:red"/>'})


def moving_ground(seen: View, look: Look) -> Drawing:
    drawing = SOUND.ui.draw(seen, look)
    return structs.replace(drawing, layers={**drawing.layers, "ground": str(seen.steps)})


def shift_places(drawing: Drawing) -> Drawing:
    spots = {
        place: spot._replace(box=spot.box._replace(x=spot.box.x + 1))
        for place, spot in drawing.places.items()
    }
    return structs.replace(drawing, places=spots)


def square_pieces(drawing: Drawing) -> Drawing:
    square = [each._replace(figure=each.figure._replace(is_round=False)) for each in drawing.pieces]
    return structs.replace(drawing, pieces=square)


def undeclared_reveal(state: State, who: str, action: Any, step: Step[Any, Any]) -> Step[Any, Any]:
    return structs.replace(step, is_reveal=False)


def stale_imagination(seen: View, rng: Random) -> State:
    return replace(SOUND.rules.imagine(seen, rng), down=None)


def nothing_new(state: State, place: str) -> tuple[Edit, ...]:
    return (Edit(message("same"), SOUND.notation.write_state(state)),)


def nonsense(state: State, place: str) -> tuple[Edit, ...]:
    return (Edit(message("new"), "nonsense"),)


def twice(state: State, place: str) -> tuple[Edit, ...]:
    start = SOUND.notation.write_state(SOUND.rules.start())
    return (Edit(message("start"), start), Edit(message("again"), start))


SECRECY = laws.what_is_committed_in_secret_looks_alike_to_others
ODDS = laws.odds_are_over_chances_actions_and_sum_to_one
EDITS = laws.edits_are_positions
GAME_FAULTS = {
    "a leaking view": (SECRECY, with_fault(view=leaking_view)),
    "a leaking event": (SECRECY, with_steps(leaking_event)),
    "an event that leaks later": (SECRECY, with_steps(late_leak)),
    "a leaking list of actions": (SECRECY, with_fault(turn_actions=leaking_actions)),
    "secrets denied": (
        laws.who_hides_nothing_shows_all_to_everybody,
        with_fault(hides_nothing=True),
    ),
    "a reveal not declared": (SECRECY, with_steps(undeclared_reveal)),
    "odds that do not sum to one": (
        ODDS,
        with_fault(odds=lambda state: {roll: Fraction(1, 4) for roll in SOUND.rules.odds(state)}),
    ),
    "odds of another die": (
        ODDS,
        with_fault(odds=lambda state: {Roll(6): Fraction(1)} if SOUND.rules.odds(state) else {}),
    ),
    "an imagination that forgets": (
        laws.a_view_imagined_gives_that_view_again,
        with_fault(imagine=stale_imagination),
    ),
    "an action not offered": (
        laws.offers_are_the_actions_and_can_be_touched,
        with_fault(offers=lambda seen, actions: SOUND.ui.offers(seen, actions[1:])),
    ),
    "an offer that leads nowhere": (
        laws.offers_are_the_actions_and_can_be_touched,
        with_fault(
            offers=lambda seen, actions: tuple(
                structs.replace(offer, path=("elsewhere",))
                for offer in SOUND.ui.offers(seen, actions)
            ),
        ),
    ),
    "a leaking refusal": (SECRECY, with_fault(why_not=leaking_refusal)),
    "a ground that moves": (
        laws.drawings_are_safe_and_still_layers_stay,
        with_fault(draw=moving_ground),
    ),
    "a style in the drawing": (
        laws.drawings_are_safe_and_still_layers_stay,
        with_fault(draw=lambda seen, look: style_labels(SOUND.ui.draw(seen, look))),
    ),
    "a place that is not said": (
        laws.a_drawing_says_what_is_in_it,
        with_fault(draw=lambda seen, look: structs.replace(SOUND.ui.draw(seen, look), places={})),
    ),
    "a piece that is not said": (
        laws.a_drawing_says_what_is_in_it,
        with_fault(draw=lambda seen, look: structs.replace(SOUND.ui.draw(seen, look), pieces=())),
    ),
    "a round piece that is said to be square": (
        laws.a_drawing_says_what_is_in_it,
        with_fault(draw=lambda seen, look: square_pieces(SOUND.ui.draw(seen, look))),
    ),
    "a place that is said to be elsewhere": (
        laws.a_drawing_says_what_is_in_it,
        with_fault(draw=lambda seen, look: shift_places(SOUND.ui.draw(seen, look))),
    ),
    "a touch without an answer": (
        laws.a_touch_is_answered,
        with_fault(intent=lambda seen, seat, path: cast(Any, None)),
    ),
    "a position written loosely": (
        laws.what_is_written_reads_back,
        with_fault(
            write_state=lambda state: SOUND.notation.write_state(
                replace(state, winds=(True, True))
            ),
        ),
    ),
    "an edit that changes nothing": (EDITS, with_fault(edits=nothing_new)),
    "an edit that is no position": (EDITS, with_fault(edits=nonsense)),
    "an edit offered twice": (EDITS, with_fault(edits=twice)),
    "a refusal without a paragraph": (
        laws.what_is_listed_is_accepted_and_nothing_else,
        with_fault(
            why_not=lambda state, actor, action: (
                message("no") if SOUND.rules.why_not(state, actor, action) else None
            ),
        ),
    ),
    "a refusal without a reason": (
        laws.what_is_listed_is_accepted_and_nothing_else,
        with_fault(why_not=lambda state, actor, action: None),
    ),
}
TABLE_FAULTS = {
    "a lost early commitment": (
        laws.commitments_come_in_any_order,
        "_due_commitment",
        lambda table: None,
    ),
    "a held card shown to all": (
        SECRECY,
        "commitments_of",
        lambda table, viewer: tuple(action for _, action in table.commitments),
    ),
    "a record shown to all": (SECRECY, "record_for", lambda table, viewer: table.record),
}


def is_caught(law: Any, game: AnyGame) -> bool:
    for seed in range(300):
        try:
            law(game, Random(seed))
        except (AssertionError, Refused, pytest.fail.Exception):
            return True
    return False


@pytest.mark.parametrize(("law", "game"), GAME_FAULTS.values(), ids=GAME_FAULTS)
def test_a_fault_in_a_game_is_caught(law: Any, game: AnyGame) -> None:
    assert is_caught(law, game)


@pytest.mark.parametrize(("law", "name", "fault"), TABLE_FAULTS.values(), ids=TABLE_FAULTS)
def test_a_fault_in_the_table_is_caught(
    monkeypatch: pytest.MonkeyPatch, law: Any, name: str, fault: Any
) -> None:
    monkeypatch.setattr(Table, name, fault)
    assert is_caught(law, SOUND)
