"""Offers as advice: a sentence that says where from, for somebody who has not touched anything."""

from __future__ import annotations

from kibitz.core.game import Offer
from kibitz.core.message import Message, message


def advice(offer: Offer) -> Message:
    if offer.label.id != "as-kimble.offer-move":
        return offer.label
    origin, target = (place.partition("-")[2] for place in (offer.path[0], offer.path[-1]))
    return message("as-kimble.advice-move", offer.rule, origin=origin, target=target)
