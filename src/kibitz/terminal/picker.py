"""Choosing by touch: the offers, and what has been touched so far. It knows no rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from kibitz.core.game import Mark, Offer, Place
from kibitz.core.message import Message


@dataclass(frozen=True, slots=True)
class Picker:
    offers: tuple[Offer, ...] = ()
    path: tuple[Place, ...] = ()

    @property
    def open_offers(self) -> tuple[Offer, ...]:
        """The offers that begin with what is touched."""
        touched = len(self.path)
        return tuple(offer for offer in self.offers if offer.path[:touched] == self.path)

    @property
    def next_places(self) -> tuple[Place, ...]:
        """The places that may be touched next."""
        touched = len(self.path)
        following = (offer.path[touched] for offer in self.open_offers if len(offer.path) > touched)
        return tuple(dict.fromkeys(following))

    def offers_after(self, place: Place) -> tuple[Offer, ...]:
        """The offers left once this place is touched too, one for each thing to do."""
        path = (*self.path, place)
        return distinct_offers(
            offer for offer in self.open_offers if offer.path[: len(path)] == path
        )

    @property
    def complete_offers(self) -> tuple[Offer, ...]:
        """The offers whose path has been touched to its end, one for each thing to do."""
        return distinct_offers(offer for offer in self.open_offers if offer.path == self.path)

    @property
    def path_prompt(self) -> Message | None:
        """The sentence after what has been touched."""
        touched = len(self.path)
        heard = (o.prompts[touched - 1] for o in self.open_offers if 0 < touched <= len(o.prompts))
        return next(heard, None)

    @property
    def marks(self) -> tuple[Mark, ...]:
        touched = len(self.path)
        return tuple(
            mark for o in self.open_offers for mark in o.marks if mark.after == touched > 0
        )

    def with_place(self, place: Place) -> Picker:
        return replace(self, path=(*self.path, place))

    def without_last(self) -> Picker:
        return replace(self, path=self.path[:-1])


def sort_by_number(offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """In the order of their numbers, where nothing else tells them apart: 1 done, 2 done."""
    texts = [" ".join(offer.actions) for offer in offers]
    if len({re.sub(r"\d+", "", text) for text in texts}) > 1:
        return offers
    numbers = [[int(number) for number in re.findall(r"\d+", text)] for text in texts]
    return tuple(offers[i] for i in sorted(range(len(offers)), key=numbers.__getitem__))


def distinct_offers(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """One offer for each thing to do, however many ways lead to it."""
    return tuple({offer.actions: offer for offer in reversed(tuple(offers))}.values())[::-1]
