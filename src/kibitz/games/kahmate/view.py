"""One viewer's knowledge of a match (10), and a whole match that it could be."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from kibitz.core.caching import cache_latest
from kibitz.core.game import Viewer
from kibitz.games.kahmate.actions import Action, Card, Placement
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import placements, with_held
from kibitz.games.kahmate.state import (
    FACE_DOWN,
    SEATS,
    TEAM,
    Duelling,
    Field,
    Man,
    Phase,
    Placing,
    State,
    View,
)


@cache_latest(512)
def view(options: Options, state: State, viewer: Viewer, held: tuple[Action, ...]) -> View:
    """The men that are set up stay hidden until all are, unless the options open them; a card
    until both are committed."""
    is_hidden = isinstance(state.phase, Placing) and options.placement == "hidden"
    return View(
        viewer=viewer,
        field=_own_men(state.field, viewer) if is_hidden else state.field,
        turn=state.turn,
        phase=_covered_phase(state.phase) if viewer != state.turn else state.phase,
        movers=state.movers,
        ball=state.ball,
        hands=state.hands,
        score=state.score,
        turns=state.turns,
        hold=state.hold,
        raised_tries=state.raised_tries,
        early_men=tuple(
            [(a.square, Man(viewer, a.kind)) for a in held if isinstance(a, Placement)]
        ),
        early_card=next(iter([a.card for a in held if isinstance(a, Card)]), None),
    )


def _own_men(field: Field, viewer: Viewer) -> Field:
    return tuple(man if man and man.side == viewer else None for man in field)


def _covered_phase(phase: Phase) -> Phase:
    if isinstance(phase, Duelling) and phase.card is not None:
        return replace(phase, card=FACE_DOWN)
    return phase


@cache_latest(512)
def as_state(seen: View) -> State:
    """The viewer's knowledge as a state, for the questions that need no more than that."""
    return State(
        field=_with_early_men(seen),
        turn=seen.turn,
        phase=seen.phase,
        movers=seen.movers,
        ball=seen.ball,
        hands=seen.hands,
        score=seen.score,
        turns=seen.turns,
        hold=seen.hold,
        raised_tries=seen.raised_tries,
    )


def _with_early_men(seen: View) -> Field:
    if not seen.early_men:
        return seen.field
    field = list(seen.field)
    for at, man in seen.early_men:
        field[at] = man
    return tuple(field)


def imagine(options: Options, seen: View, rng: Random) -> State:
    field, phase = seen.field, seen.phase
    if isinstance(phase, Placing) and options.placement == "hidden":
        for side in SEATS:
            if side != seen.viewer:
                field = _imagine_line_up(field, side, phase, rng)
    if isinstance(phase, Duelling) and phase.card == FACE_DOWN:
        phase = replace(phase, card=rng.choice(seen.hands[SEATS.index(seen.turn)]))
    return replace(as_state(seen), field=field, phase=phase)


def _imagine_line_up(field: Field, side: str, phase: Placing, rng: Random) -> Field:
    """The field with as many men as this side may have placed by now: all, some, or none yet."""
    placed = len(TEAM) if side == "R" else 0
    for _ in range(rng.randrange(len(TEAM)) if side == phase.side else placed):
        field = with_held(field, side, (rng.choice(list(placements(field, side))),))
    return field
