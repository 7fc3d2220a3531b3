"""Offers as advice: a sentence that says where from, for somebody who has not touched anything."""

from __future__ import annotations

from kibitz.core.game import Offer
from kibitz.core.message import Message, message

RUNS = ("step", "run")
THROWS_AND_ATTACKS = ("pass", "kick", "tackle", "force")


def advice(offer: Offer) -> Message:
    kind = "run" if offer.kind in RUNS else offer.kind
    if kind not in ("run", *THROWS_AND_ATTACKS) or offer.label.id == "kahmate.offer-fetch":
        return offer.label
    origin, target = (place.partition("-")[2] for place in (offer.path[0], offer.path[-1]))
    return message(f"kahmate.advice-{kind}", offer.rule, origin=origin, target=target)
