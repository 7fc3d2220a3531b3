"""Actions as somebody would advise them: one sentence in the imperative, and how it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.analysis.evaluation import AnyGame
from kibitz.core.game import PRESS_DIE, Offer, Seat
from kibitz.core.message import Message


def advice_offer(game: AnyGame, state: Any, seat: Seat, line: Sequence[str]) -> Offer | None:
    """The offer by which a line of actions begins, as much of it as one offer can do; None where
    nothing is offered for it."""
    view, actions = game.rules.view(state, seat, ()), game.rules.turn_actions(state, seat)
    offers = game.ui.offers(view, actions)
    if not line or line[0] == PRESS_DIE:
        return next((each for each in offers if not each.actions), None)
    first = next((each for each in offers if each.actions == tuple(line[:1])), None)
    first = first or _offer_for(game, state, seat, line[:1], offers)
    if first is None:
        return None
    near = [each for each in offers if len(each.actions) > 1 and each.path[0] == first.path[0]]
    for length in range(len(line), 1, -1):
        alike = [each for each in near if len(each.actions) == length]
        if found := _offer_for(game, state, seat, line[:length], alike) if alike else None:
            return found
    return first


def advice_message(game: AnyGame, state: Any, seat: Seat, line: Sequence[str]) -> Message | str:
    """The advice in words; as the record spells it where nothing is offered for it."""
    offer = advice_offer(game, state, seat, line)
    return game.ui.advice(offer) if offer else line[0]


def _offer_for(
    game: AnyGame, state: Any, seat: Seat, line: Sequence[str], offers: Sequence[Offer]
) -> Offer | None:
    """The offer that leads where these actions do, by whatever way and spelling."""
    wanted = _state_after(game, state, seat, line)
    return next(
        (
            each
            for each in offers
            if len(each.actions) == len(line)
            and wanted is not None
            and _state_after(game, state, seat, each.actions) == wanted
        ),
        None,
    )


def _state_after(game: AnyGame, state: Any, seat: Seat, texts: Sequence[str]) -> Any:
    """None where another one has a say on the way."""
    for text in texts:
        action = game.notation.read_action(text)
        if game.rules.why_not(state, seat, action):
            return None
        state = game.rules.resolve(state, seat, action).state
    return state
