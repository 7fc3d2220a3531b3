"""Offers put into words, whole and as rows that fill a form.

Most of an offer is the same for many: its keys, its sentences but for the squares they name, the
kinds of its marks. A *form* is an offer with holes; a *row* is what fills them. A page is sent a
form once, and then rows (docs/protocol.md). Nothing is written for this in a game: what is its own
in an offer is found here, so a form filled by its row is the offer, letter by letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from kibitz.core import caching
from kibitz.core.game import BUTTON, Mark, Offer, Place, Seat
from kibitz.core.message import Message
from kibitz.i18n import Name
from kibitz.server.phrases import Phrases
from kibitz.server.tables import protocol
from kibitz.server.tables.telling.events import mark_views

FIRST_HOLE = 0xE100
"""The sign that stands for the first hole; those for the others follow. No text has them: they are
for private use, and names are without such."""
MAX_HOLES, MAX_TEXTS = 0x100, 0xE0
"""The holes that there can be, and those for texts; the others are for whole sentences."""
MAX_FORMS = 1 << 12
"""So many forms are kept, over all games and languages."""


class _NoForm(Exception):
    """An offer has more in it than a form has holes for, or somebody a sign for a hole in their
    name."""


class _OwnFormWanted(Exception):
    """A sentence has a value in another form than its own, which depends on its letters."""


class _Hole(Name):
    """A hole in a sentence, where its value stands as it is."""

    def __format__(self, form: str) -> str:
        if form:
            raise _OwnFormWanted
        return str(self)


HOLES = tuple(chr(FIRST_HOLE + number) for number in range(MAX_HOLES))
_SPOKEN_HOLES = {sign: _Hole(sign, "") for sign in HOLES}


class OfferReader(NamedTuple):
    """The seat that offers are for, and the words to put them in."""

    seat: Seat
    say: Phrases
    is_other_seat: bool
    """True if another seat on the same device acts now: then they say for whom they are."""


@lru_cache(maxsize=1 << 10)
def offer_reader(seat: Seat, say: Phrases, is_beside: bool = False) -> OfferReader:
    """One and the same for the same, so that it can be told by its identity."""
    return OfferReader(seat, say, is_beside)


class OfferForm:
    """An offer with holes, as text in JSON; one and the same for all who have it."""

    def __init__(self, text: str, spoken: Sequence[int]) -> None:
        self.text = text
        self.spoken = spoken
        """The sentences that are no part of it: 0 is the label, the others are prompts."""


class EncodedOffer:
    """An offer as it is sent to one reader, made when it is first sent in that way."""

    __slots__ = ("_offer", "_reader", "_row", "_whole", "buttons", "speaks_of_others")

    def __init__(self, offer: Offer, reader: OfferReader) -> None:
        self._offer, self._reader = offer, reader
        self._whole: Any = None
        self._row: tuple[OfferForm, tuple[str, ...]] | None = None
        self.buttons = _button_words(offer, reader)
        """The words on the buttons that it is touched by."""
        seats = _named_seats(offer)
        self.speaks_of_others = bool(seats) and reader.seat not in seats
        """True if it names somebody's seat, and not that of whoever it is for."""

    @property
    def whole(self) -> Any:
        """All of it, encoded."""
        if self._whole is None:
            made = _offer_view(self._offer, self._reader, _sentences(self._offer, self._reader))
            self._whole = protocol.encode_part(made)
        return self._whole

    @property
    def row(self) -> tuple[OfferForm, tuple[str, ...]] | None:
        """Its form, and what fills it; None where it is sent whole."""
        if self._row is None:
            try:
                form, values = _form_and_values(self._offer, self._reader)
            except _NoForm:
                return None
            if form.spoken:
                sentences = _sentences(self._offer, self._reader)
                values = (*values, *[sentences[number] for number in form.spoken])
            self._row = form, values
        return self._row


@caching.cache_latest_each(1 << 14)
def encode_offers(offer: Offer, reader: OfferReader) -> EncodedOffer:
    """Encoded once: games make offers once, too, and many positions have them."""
    return EncodedOffer(offer, reader)


def button_labels(offers: Iterable[EncodedOffer]) -> dict[str, str]:
    """The labels of buttons; where several offers share one, by the first."""
    named: dict[str, str] = {}
    for offer in offers:
        for place, label in offer.buttons:
            named.setdefault(place, label)
    return named


def _button_words(offer: Offer, reader: OfferReader) -> tuple[tuple[Place, str], ...]:
    touched = [place for place in offer.path if place.startswith(BUTTON)]
    if not touched:
        return ()
    say, label = reader.say, _label(offer, reader)
    return tuple([(place, say.first(f"{say.game}.{place}") or label) for place in touched])


def _label(offer: Offer, reader: OfferReader) -> str:
    label = reader.say(offer.label)
    if not reader.is_other_seat:
        return label
    return reader.say.t("page.for-seat", seat=reader.seat, label=label)


def _sentences(offer: Offer, reader: OfferReader) -> list[str]:
    """The label and the prompts."""
    return [_label(offer, reader), *[reader.say(each) for each in offer.prompts]]


def _offer_view(offer: Offer, reader: OfferReader, sentences: Sequence[str]) -> protocol.OfferView:
    return protocol.OfferView(
        seat=reader.seat,
        actions=offer.actions,
        path=offer.path,
        kind=offer.kind,
        label=sentences[0],
        rule=offer.rule,
        prompts=[*sentences[1:]],
        marks=mark_views(offer.marks),
        needs_confirmation=offer.needs_confirmation,
        can_be_undone=offer.can_be_undone,
        is_urgent=offer.is_urgent,
        is_always_shown=offer.is_always_shown,
        key=offer.key,
    )


def _named_seats(offer: Offer) -> set[str]:
    """The seats that its sentences name."""
    seats, spoken = set(), [offer.label, *offer.prompts]
    for message in spoken:
        for name, value in message.values:
            if isinstance(value, Message):
                spoken.append(value)
            elif name == "seat":
                seats.add(str(value))
    return seats


# Forms


class _Holes(dict[str, str]):
    """The signs that stand for texts, in the order in which these came."""

    def __missing__(self, text: str) -> str:
        if len(self) >= MAX_TEXTS:
            raise _NoForm
        sign = self[text] = HOLES[len(self)]
        return sign


_forms: dict[tuple[Any, ...], OfferForm] = {}
"""The forms by all that offers with the same one have in common."""


def _form_and_values(offer: Offer, reader: OfferReader) -> tuple[OfferForm, tuple[str, ...]]:
    """The form of an offer, which others have too, and the texts that are its own.

    A text in a sentence stands there as it is, but a seat is called by its name.
    """
    signs = _Holes()
    shape: list[Any] = [reader, offer.kind, offer.needs_confirmation, offer.can_be_undone]
    shape += offer.is_urgent, offer.is_always_shown, offer.key
    for mark in offer.marks:
        shape += mark.kind, mark.after
        shape += [signs[each] for each in mark.places]
        shape += (mark.text and signs[mark.text],)
    shape += [signs[each] for each in offer.actions]
    shape += len(shape), *[signs[each] for each in offer.path]
    for message in (offer.label, *offer.prompts):
        shape += message.id, message.paragraph
        for name, value in message.values:
            shape += (name, signs[value] if type(value) is str and name != "seat" else value)
    key = tuple(shape)
    form = _forms.get(key)
    if form is None:
        if len(_forms) >= MAX_FORMS:
            _forms.clear()
        form = _forms[key] = _make_form(offer, reader, signs)
    return form, tuple(signs)


def _make_form(offer: Offer, reader: OfferReader, signs: _Holes) -> OfferForm:
    if any(HOLES[0] <= sign <= HOLES[-1] for name in reader.say.names.values() for sign in name):
        raise _NoForm
    sentences, spoken = list[str](), list[int]()
    for number, each in enumerate((offer.label, *offer.prompts)):
        text = None if reader.is_other_seat and not number else _spoken_form(each, reader, signs)
        if text is None:
            text = HOLES[len(signs) + len(spoken)]
            spoken.append(number)
        sentences.append(text)
    bare = replace(
        offer,
        actions=tuple([signs[each] for each in offer.actions]),
        path=tuple([signs[each] for each in offer.path]),
        marks=tuple(
            [
                Mark(
                    mark.kind,
                    tuple([signs[each] for each in mark.places]),
                    mark.text and signs[mark.text],
                    mark.after,
                )
                for mark in offer.marks
            ]
        ),
    )
    return OfferForm(protocol.write_message(_offer_view(bare, reader, sentences)), spoken)


def _spoken_form(message: Message, reader: OfferReader, signs: _Holes) -> str | None:
    """A sentence with its holes; None where it changes what would be put there."""
    values = tuple(
        [
            (name, _SPOKEN_HOLES[signs[value]])
            if type(value) is str and name != "seat"
            else (name, value)
            for name, value in message.values
        ]
    )
    try:
        return reader.say(replace(message, values=values))
    except _OwnFormWanted:
        return None
