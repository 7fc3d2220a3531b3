"""Offers as rows that fill forms.

Most of an offer is the same for many: its sentences but for the squares they name, the kinds of
its marks. A *form* is an offer in which signs stand for texts; a *row* is a form and these texts.
Games with many offers make rows, which is less work than making whole offers; the rows of other
games are found by taking their offers apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from kibitz.core.game import BUTTON, Mark, Offer
from kibitz.core.message import Message, Value

FIRST_HOLE = 0xE100
"""The sign that stands for the first text; those for the others follow. No text has them: they are
for private use, and names are without such."""
MAX_HOLES, MAX_TEXTS = 0x100, 0xE0
"""The signs that there are, and those for the texts of a row."""
MAX_ROWS, MAX_FORMS = 1 << 14, 1 << 12
"""So many offers that were taken apart are kept, and so many of their forms."""
HOLES = tuple(chr(FIRST_HOLE + number) for number in range(MAX_HOLES))

Text = TypeVar("Text", bound=Value)


class OfferRow:
    """An offer as a form and the texts that fill it, told by its identity: games make each once."""

    __slots__ = ("_offer", "form", "texts")

    def __init__(self, form: Offer, texts: tuple[str, ...], offer: Offer | None = None) -> None:
        self.form = form
        """An offer in which a text that is one sign stands for one of the texts."""
        self.texts = texts
        self._offer = offer

    @property
    def offer(self) -> Offer:
        """The whole offer, made when it is first wanted."""
        if self._offer is None:
            texts = dict(zip(HOLES, self.texts, strict=False))
            self._offer = _with_texts(self.form, texts)
        return self._offer


def make_row(form: Offer, texts: Sequence[str | None]) -> OfferRow:
    """The row with these texts, in the order of their signs in the form; None where it has none.

    Those that are equal are one: a page is sent each once.
    """
    own: dict[Any, None] = dict.fromkeys(texts)
    own.pop(None, None)
    places = dict(zip(own, range(len(own)), strict=True))
    places[None] = -1
    pattern = tuple(map(places.__getitem__, texts))
    return OfferRow(_joined_form(form, pattern), (*own,))


def _joined_form(form: Offer, pattern: tuple[int, ...]) -> Offer:
    """The form with one sign for texts that are equal; told by its identity, as looking for an
    equal one would take longer than all the rest."""
    key = id(form), pattern
    found = _joined_forms.get(key)
    if found is None:
        signs = {HOLES[at]: HOLES[place] for at, place in enumerate(pattern)}
        if len(_joined_forms) >= MAX_FORMS:
            _joined_forms.clear()
        found = _joined_forms[key] = form, _only_one(_with_texts(form, signs))
    return found[1]


_joined_forms: dict[tuple[int, tuple[int, ...]], tuple[Offer, Offer]] = {}
"""With what they were made of, so that nothing else comes to have its identity."""


def filled_offers(rows: Iterable[OfferRow]) -> tuple[Offer, ...]:
    return tuple([row.offer for row in rows])


@lru_cache(maxsize=MAX_ROWS)
def take_apart(offer: Offer) -> OfferRow:
    """The row of an offer: its actions, its places but for buttons, the texts of its marks, and
    texts in its sentences but for seats. One with more of them than there are signs is its own
    form.

    Numbers choose between singular and plural, so they stay in the form.
    """
    texts = dict.fromkeys(_own_texts(offer))
    if len(texts) > MAX_TEXTS:
        return OfferRow(offer, (), offer)
    form = _with_texts(offer, dict(zip(texts, HOLES, strict=False)))
    return OfferRow(_only_one(form), tuple(texts), offer)


@lru_cache(maxsize=MAX_FORMS)
def _only_one(form: Offer) -> Offer:
    """One and the same for all that are equal."""
    return form


def _own_texts(offer: Offer) -> list[str]:
    texts = list[str]()
    for mark in offer.marks:
        texts += mark.places
        texts += (mark.text,) if mark.text else ()
    texts += offer.actions
    texts += [each for each in offer.path if not each.startswith(BUTTON)]
    for message in (offer.label, *offer.prompts):
        texts += [each for name, each in message.values if type(each) is str and name != "seat"]
    return texts


def _with_texts(offer: Offer, texts: Mapping[str, str]) -> Offer:
    """The offer with texts in the place of others, wherever it has its own."""
    return replace(
        offer,
        actions=_each_with(offer.actions, texts),
        path=_each_with(offer.path, texts),
        label=with_values(offer.label, texts),
        prompts=tuple([with_values(each, texts) for each in offer.prompts]),
        marks=tuple(
            [
                Mark(
                    mark.kind,
                    _each_with(mark.places, texts),
                    texts.get(mark.text, mark.text) if mark.text else "",
                    mark.after,
                )
                for mark in offer.marks
            ]
        ),
    )


def _each_with(given: Sequence[str], texts: Mapping[str, str]) -> tuple[str, ...]:
    return tuple([texts.get(each, each) for each in given])


def with_values(message: Message, texts: Mapping[str, Text]) -> Message:
    """The message with other values in the place of its texts, but for seats."""
    if not message.values:
        return message
    values = [
        (name, cast(Value, texts.get(each, each)) if type(each) is str and name != "seat" else each)
        for name, each in message.values
    ]
    return replace(message, values=tuple(values))
