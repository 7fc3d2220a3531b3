"""Prompts: what there is to do now, what is being waited for, and what is always shown."""

from __future__ import annotations

from kibitz.core.game import Viewer
from kibitz.core.message import Message, Value, message
from kibitz.games.kahmate.board import name_of
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import (
    exits,
    holder,
    kind_message,
    landings,
    man_at,
    men_of,
    next_kind,
    points_of,
    tries_needed,
)
from kibitz.games.kahmate.state import (
    SEATS,
    BallDrawing,
    Dropping,
    Duelling,
    Exiting,
    MatchOver,
    Passing,
    Placing,
    Playing,
    State,
    View,
    other_side,
)
from kibitz.games.kahmate.ui.meter import hold_message
from kibitz.games.kahmate.ui.phrases import attack_text, defence_text, or_list, points_message
from kibitz.games.kahmate.view import as_state


def hint(options: Options, view: View, viewer: Viewer) -> Message:
    state = as_state(view)
    match state.phase:
        case Placing(side):
            return _placing_hint(options, state, viewer, side)
        case BallDrawing():
            return message("kahmate.hint-draw", "3")
        case Playing() if viewer == state.turn:
            return _play_hint(state)
        case Playing():
            return message("kahmate.hint-wait-play", "4", seat=state.turn)
        case Passing(passer, receiver):
            return _pass_hint(state, viewer, passer, receiver)
        case Duelling() as duel:
            return _duel_hint(view, state, viewer, duel)
        case Exiting(charger, beaten):
            return _exit_hint(options, state, viewer, charger, beaten)
        case Dropping(fallen, against):
            return _drop_hint(state, viewer, fallen, against)
        case MatchOver():
            return message("kahmate.match-over", "9")


def _placing_hint(options: Options, state: State, viewer: Viewer, side: str) -> Message:
    if options.placement == "open" and viewer != side:
        return message("kahmate.hint-wait-place", "3", seat=side)
    if viewer not in SEATS:
        if side == "R":
            return message("kahmate.hint-both-place", "3")
        return message("kahmate.hint-wait-place", "3", seat=side)
    kind = next_kind(state.field, viewer)
    if kind is None:
        return message("kahmate.hint-placed", "3", seat=side)
    id = "kahmate.hint-place" if men_of(state.field, viewer) else "kahmate.hint-place-first"
    return message(id, "3", man=message(f"kahmate.kind-{kind}"))


def _play_hint(state: State) -> Message:
    man = holder(state)
    spent = len(state.movers) == 2 and not any(mover.points for mover in state.movers)
    if spent and man and man.side == state.turn:
        return message("kahmate.hint-spent-ball", "4")
    if spent:
        return message("kahmate.hint-spent", "4")
    at = "" if state.ball is None else name_of(state.ball)
    if man is None:
        return message("kahmate.hint-loose", "4", square=at)
    values: dict[str, Value] = {"man": kind_message(man), "square": at}
    if man.side == state.turn:
        return message("kahmate.hint-holder", "4", **values)
    return message("kahmate.hint-chase", "4", **values, seat=man.side)


def _pass_hint(state: State, viewer: Viewer, passer: int, receiver: int) -> Message:
    names = {"origin": name_of(passer), "target": name_of(receiver)}
    decides = other_side(state.turn)
    if viewer == decides:
        return message("kahmate.hint-intercept", "5.2", **names, seat=state.turn)
    return message("kahmate.hint-wait-intercept", "5.2", **names, seat=decides)


def _duel_hint(view: View, state: State, viewer: Viewer, duel: Duelling) -> Message:
    side = viewer if viewer in SEATS else ""
    if not side:
        if duel.card is None:
            return message("kahmate.hint-both-cards", "8")
        return message("kahmate.hint-wait-card", "8", seat=other_side(state.turn))
    card = duel.card if side == state.turn else view.early_card
    if card is not None:
        return message("kahmate.hint-card-chosen", "8", card=card, seat=other_side(side))
    attacks = side == state.turn
    square = duel.attacker if attacks else duel.defender
    return message(
        "kahmate.hint-card" if duel.round == 1 else "kahmate.hint-second-card",
        "8",
        modifier=(attack_text if attacks else defence_text)(state, square),
        man=kind_message(man_at(state, square)),
    )


def _exit_hint(
    options: Options, state: State, viewer: Viewer, charger: int, beaten: int
) -> Message:
    if viewer != state.turn:
        return message("kahmate.hint-wait-exit", "7", seat=state.turn)
    return message(
        "kahmate.hint-exit" if options.force_exit == "must" else "kahmate.hint-exit-or-stay",
        "7",
        man=kind_message(man_at(state, charger)),
        squares=or_list([name_of(at) for at in exits(state, beaten)]),
        points=points_message(points_of(state, charger) - 2),
    )


def _drop_hint(state: State, viewer: Viewer, fallen: int, against: int) -> Message:
    man = man_at(state, fallen)
    if viewer != man.side:
        return message("kahmate.hint-wait-drop", "6.1", seat=man.side)
    squares = or_list([name_of(at) for at in landings(man.side, fallen, against)])
    return message("kahmate.hint-drop", "6.1", man=kind_message(man), squares=squares)


def status(options: Options, view: View) -> tuple[Message, ...]:
    """The turn, the score, and how long no ground has been gained."""
    found = [_turn_status(options, view), _score_status(options, view)]
    if view.hold and view.hold.count:
        found.append(hold_message(view.hold.count, options.hold_limit))
    return tuple(found)


def _turn_status(options: Options, view: View) -> Message:
    """The turn under way; the last one when the match is over, which an event may have cut."""
    is_whole = isinstance(view.phase, MatchOver) and not view.phase.event
    number = view.turns if is_whole else view.turns + 1
    if options.turn_limit:
        return message("kahmate.status-turn-of", "9.1", number=number, limit=options.turn_limit)
    return message("kahmate.status-turn", "4", number=number)


def _score_status(options: Options, view: View) -> Message:
    red, blue = view.score
    tries = tries_needed(options, as_state(view))
    if tries > 1:
        return message("kahmate.status-score-to", "9", red=red, blue=blue, tries=tries)
    return message("kahmate.status-score", "9", red=red, blue=blue)
