"""The offers of a Kahmaté field."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from kibitz.core.game import Mark, Offer, Seat
from kibitz.core.message import Value, message
from kibitz.core.offer_rows import OfferRow, filled_offers, take_apart
from kibitz.games.kahmate.actions import (
    Action,
    Ball,
    Card,
    Decline,
    Drop,
    End,
    Exit,
    Force,
    Intercept,
    Kick,
    Pass,
    Placement,
    Play,
    Step,
    Tackle,
)
from kibitz.games.kahmate.board import (
    CARD_SQUARES,
    LINES,
    file_of,
    is_in_goal,
    name_of,
    square_place,
)
from kibitz.games.kahmate.line_ups import LINE_UPS, LineUp
from kibitz.games.kahmate.notation import write_action
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import (
    card_place,
    hand_of,
    kind_message,
    man_at,
    men_of,
    modifiers,
    points_of,
)
from kibitz.games.kahmate.state import (
    SEATS,
    TEAM,
    Duelling,
    Exiting,
    Passing,
    Playing,
    State,
    View,
    occupied_squares,
    other_side,
)
from kibitz.games.kahmate.ui.intent import intent
from kibitz.games.kahmate.ui.phrases import attack_text, card_list, defence_text, sign_of
from kibitz.games.kahmate.ui.prompt import hint, status
from kibitz.games.kahmate.ui.turn_offers import end_offer, is_winning_try, man_rows, try_words
from kibitz.games.kahmate.view import as_state

__all__ = ["hint", "intent", "offer_rows", "offers", "status"]

END = End()
PLAYS = (Step, Tackle, Force, Pass, Kick)
"""The actions of a man in a turn."""


def offers(options: Options, view: View, actions: Sequence[Action]) -> tuple[Offer, ...]:
    return filled_offers(offer_rows(options, view, actions))


def offer_rows(options: Options, view: View, actions: Sequence[Action]) -> list[OfferRow]:
    """Every way of touching one of these actions; runs of several steps come on top."""
    state = as_state(view)
    if not isinstance(state.phase, Playing):
        return [take_apart(each) for each in _phase_offers(options, state, view, actions)]
    plays: dict[int, list[Play]] = defaultdict(list)
    for action in actions:
        if isinstance(action, PLAYS):
            plays[action.origin].append(action)
    found, occupied = list[OfferRow](), occupied_squares(state.field)
    for at, his in plays.items():
        found += man_rows(options, state, at, his, occupied)
    if END in actions:
        found.append(take_apart(end_offer(options, state, bool(plays))))
    return found


def _phase_offers(
    options: Options, state: State, view: View, actions: Sequence[Action]
) -> Iterator[Offer]:
    """The offers of all phases but that in which men play."""
    placing = [action for action in actions if isinstance(action, Placement)]
    if placing:
        yield from _setup_offers(state, placing)
    for action in actions:
        match action, state.phase:
            case Intercept(square), Passing() as phase:
                yield _interception_offer(state, phase, square)
            case Decline(), Passing() as phase:
                yield _decline_offer(state, phase)
            case Card(card), Duelling() as duel:
                side = view.viewer if view.viewer in SEATS else state.turn
                yield _card_offer(state, duel, side, card)
            case Exit(square), Exiting() as phase:
                yield _exit_offer(options, state, phase, square)
            case Decline(), Exiting() as phase:
                yield _stay_offer(state, phase)
            case Drop(square), _:
                yield _drop_offer(state, square)
            case Ball(card), _:
                yield _ball_offer(card)


# Set-up


def _setup_offers(state: State, actions: Sequence[Placement]) -> Iterator[Offer]:
    side = next(s for s in SEATS if file_of(actions[0].square) in LINES[s])
    placed = tuple(
        sorted(
            (Placement(man.kind, at) for at, man in men_of(state.field, side)),
            key=lambda his: TEAM.index(his.kind),
        )
    )
    for action in actions:
        yield from _placement_offers(action, len(placed) == len(TEAM) - 1)
    yield from _line_up_offers(side, placed)


@lru_cache(maxsize=256)
def _placement_offers(action: Placement, is_last: bool) -> tuple[Offer, Offer]:
    """By its square alone, and by way of the tray, where a man waits to be dragged."""
    man, square = message(f"kahmate.kind-{action.kind}"), name_of(action.square)
    label = message("kahmate.offer-place", "3", man=man, square=square)
    id = "kahmate.place-last" if is_last else "kahmate.place"
    sentence = message(id, "3", man=man, square=square)
    texts, at = (write_action(action),), square_place(action.square)
    guide = message("kahmate.placing", "3", man=man)
    return (
        Offer(texts, (at,), "place", label, (sentence,), needs_confirmation=is_last),
        Offer(texts, ("tray", at), "place", label, (guide, sentence), needs_confirmation=is_last),
    )


@lru_cache(maxsize=256)
def _line_up_offers(side: Seat, placed: tuple[Placement, ...]) -> tuple[Offer, ...]:
    """For whoever is still to be placed. Of those that come to the same the first is offered."""
    ready: dict[tuple[Placement, ...], LineUp] = {}
    for each in LINE_UPS:
        ready.setdefault(each.remaining_placements(side, placed), each)
    return tuple(_line_up_offer(each, left, bool(placed)) for left, each in ready.items())


def _line_up_offer(line_up: LineUp, left: tuple[Placement, ...], is_rest: bool) -> Offer:
    """All at once; before that they are seen where they will stand."""
    name, plan = message(line_up.id, "3"), message(f"{line_up.id}-plan", "3")
    return Offer(
        actions=tuple(write_action(each) for each in left),
        path=("btn-lineup",),
        kind="lineup",
        label=name,
        prompts=(message("kahmate.lineup-rest", "3", name=name) if is_rest else plan,),
        marks=tuple(
            Mark("put", (square_place(each.square),), tray_place(number), after=1)
            for number, each in enumerate(left, 1)
        ),
        needs_confirmation=True,
    )


def tray_place(number: int) -> str:
    """The place of the man who is to be placed as the first, the second, ... from now on."""
    return "tray" if number == 1 else f"tray-{number}"


@lru_cache
def _ball_offer(card: int) -> Offer:
    values: dict[str, Value] = {"card": card, "square": name_of(CARD_SQUARES[card])}
    return Offer(
        actions=(write_action(Ball(card)),),
        path=(square_place(CARD_SQUARES[card]),),
        kind="ball",
        label=message("kahmate.offer-ball", "3", **values),
        prompts=(message("kahmate.ball", "3", **values),),
    )


# What the phases between ask for


def _interception_offer(state: State, phase: Passing, square: int) -> Offer:
    name, at = name_of(square), square_place(square)
    odds = {"attack": attack_text(state, phase.passer), "defence": defence_text(state, square)}
    man = kind_message(man_at(state, square))
    return Offer(
        actions=(write_action(Intercept(square)),),
        path=(at,),
        kind="intercept",
        label=message("kahmate.offer-intercept", "5.2", square=name),
        prompts=(message("kahmate.intercept", "5.2", man=man, square=name, **odds),),
        marks=(
            Mark("risk", (square_place(phase.passer), square_place(phase.receiver), at), after=1),
        ),
        needs_confirmation=True,
    )


def _decline_offer(state: State, phase: Passing) -> Offer:
    man, name = kind_message(man_at(state, phase.receiver)), name_of(phase.receiver)
    return Offer(
        actions=(write_action(Decline()),),
        path=("btn-no",),
        kind="decline",
        label=message("kahmate.offer-decline", "5.2"),
        prompts=(message("kahmate.decline", "5.2", seat=state.turn, man=man, square=name),),
    )


def _card_offer(state: State, duel: Duelling, side: Seat, card: int) -> Offer:
    attacks = side == state.turn
    modifier = modifiers(state.field, duel)[0 if attacks else 1]
    sentence = message(
        "kahmate.card",
        "8",
        card=card,
        sign=sign_of(modifier),
        modifier=abs(modifier),
        total=card + modifier,
        man=kind_message(man_at(state, duel.attacker if attacks else duel.defender)),
        seat=other_side(side),
        hand=card_list(hand_of(state, other_side(side))),
    )
    return Offer(
        actions=(write_action(Card(card)),),
        path=(card_place(card),),
        kind="card",
        label=message("kahmate.offer-card", "8", card=card),
        prompts=(sentence,),
        needs_confirmation=True,
    )


def _exit_offer(options: Options, state: State, phase: Exiting, square: int) -> Offer:
    left = points_of(state, phase.charger) - 2
    sentence = message("kahmate.exit", "7", square=name_of(square), left=left)
    if is_in_goal(square):
        _, sentence = try_words(is_winning_try(options, state), name_of(square))
    return Offer(
        actions=(write_action(Exit(square)),),
        path=(square_place(square),),
        kind="exit",
        label=message("kahmate.offer-exit", "7", square=name_of(square)),
        prompts=(sentence,),
    )


def _stay_offer(state: State, phase: Exiting) -> Offer:
    name, left = name_of(phase.charger), points_of(state, phase.charger) - 1
    return Offer(
        actions=(write_action(Decline()),),
        path=("btn-no",),
        kind="decline",
        label=message("kahmate.offer-stay", "7", square=name),
        prompts=(message("kahmate.stay", "7", square=name, left=left),),
    )


def _drop_offer(state: State, square: int) -> Offer:
    taker, name = state.field[square], name_of(square)
    sentence = message("kahmate.drop", "6.1", square=name)
    if taker:
        man, owner = kind_message(taker), taker.side
        sentence = message("kahmate.drop-onto", "6.1", square=name, man=man, seat=owner)
    return Offer(
        actions=(write_action(Drop(square)),),
        path=(square_place(square),),
        kind="drop",
        label=message("kahmate.offer-drop", "6.1", square=name),
        prompts=(sentence,),
    )
