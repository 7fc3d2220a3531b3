"""Offers put into words, whole and as rows that fill a form.

A page is sent the form of an offer once, and then rows (docs/protocol.md, core/offer_rows.py). What
is said of a form is said once for all offers that have it, so a row costs next to nothing; a form
filled by its row is the offer, letter by letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from kibitz.core.caching import cache_latest, lazy_property
from kibitz.core.game import BUTTON, Offer, Place, Seat
from kibitz.core.message import Message
from kibitz.core.offer_rows import HOLES, OfferRow, with_values
from kibitz.i18n import Name
from kibitz.server.phrases import Phrases
from kibitz.server.tables import protocol
from kibitz.server.tables.telling.events import mark_views

MAX_ROWS = 1 << 14
"""At least so many of the latest rows are kept for a reader, and at most twice as many."""
MAX_FORMS = 1 << 12
"""So many forms are kept for a reader; games have some hundred."""


class _OwnFormWanted(Exception):
    """A sentence has a value in another form than its own, which depends on its letters."""


class _Hole(Name):
    """A hole in a sentence, where its value stands as it is."""

    def __format__(self, form: str) -> str:
        if form:
            raise _OwnFormWanted
        return str(self)


_SPOKEN_HOLES = {sign: _Hole(sign, "") for sign in HOLES}


class OfferReader:
    """The seat that offers are for, and the words to put them in."""

    def __init__(self, seat: Seat, say: Phrases, is_other_seat: bool) -> None:
        self.seat, self.say = seat, say
        self.is_other_seat = is_other_seat
        """True if another seat on the same device acts now: then they say for whom they are."""
        self._forms: dict[int, OfferForm] = {}
        """By the identity of the form that they are the words of, which they keep. Not kept with
        the rows: a page that has a form is sent it again as soon as it is another."""
        self._sent: dict[OfferRow, SentOffer] = {}
        self._older_sent: dict[OfferRow, SentOffer] = {}

    def read_rows(self, rows: Sequence[OfferRow]) -> list[SentOffer]:
        """Each row with its form in words; one and the same for the same row."""
        try:
            return [*map(self._sent.__getitem__, rows)]
        except KeyError:
            return [self._sent.get(row) or self._read_row(row) for row in rows]

    def _read_row(self, row: OfferRow) -> SentOffer:
        if len(self._sent) >= MAX_ROWS:
            self._older_sent, self._sent = self._sent, {}
        found = self._older_sent.get(row) or SentOffer(row, self._read_form(row))
        self._sent[row] = found
        return found

    def _read_form(self, row: OfferRow) -> OfferForm:
        form = self._forms.get(id(row.form))
        if form is None:
            if len(self._forms) >= MAX_FORMS:
                self._forms.clear()
            form = self._forms[id(row.form)] = OfferForm(row, self)
        return form


@lru_cache(maxsize=1 << 10)
def offer_reader(seat: Seat, say: Phrases, is_beside: bool = False) -> OfferReader:
    """One and the same for the same, so that it keeps the forms that it has read."""
    return OfferReader(seat, say, is_beside)


class OfferForm:
    """A form in the words of one reader; one and the same for all rows that fill it."""

    def __init__(self, row: OfferRow, reader: OfferReader) -> None:
        """`row` is one of those that have the form; all have as many texts."""
        self._form, self._reader, self._text_count = row.form, reader, len(row.texts)
        seats, say = _named_seats(row.form), reader.say
        self.speaks_of_others = bool(seats) and reader.seat not in seats
        """True if it names somebody's seat, and not that of whoever it is for."""
        touched = [place for place in row.form.path if place.startswith(BUTTON)]
        self.buttons = [(place, say.first(f"{say.game}.{place}")) for place in touched]
        """The buttons that it is touched by, and the words on them, if they have their own."""

    @lazy_property
    def _sentences(self) -> list[str | None]:
        """The label and the prompts with holes; None for those that every row says for itself."""
        form, reader = self._form, self._reader
        label = None if reader.is_other_seat else _form_sentence(form.label, reader)
        return [label, *[_form_sentence(each, reader) for each in form.prompts]]

    @lazy_property
    def spoken_sentences(self) -> list[int]:
        """The sentences that are no part of it: 0 is the label, the others are prompts."""
        return [number for number, each in enumerate(self._sentences) if each is None]

    @lazy_property
    def text(self) -> str | None:
        """The form in JSON; None where somebody has a sign for a hole in their name."""
        names = self._reader.say.names.values()
        if any(HOLES[0] <= sign <= HOLES[-1] for name in names for sign in name):
            return None
        holes = iter(HOLES[self._text_count :])
        sentences = [next(holes) if each is None else each for each in self._sentences]
        return protocol.write_message(_offer_view(self._form, self._reader, sentences))

    def row_texts(self, row: OfferRow) -> tuple[str, ...]:
        """The texts that fill the form to become the offer of this row."""
        if not self.spoken_sentences:
            return row.texts
        sentences = _sentences(row.offer, self._reader)
        return *row.texts, *[sentences[number] for number in self.spoken_sentences]

    def button_words(self, row: OfferRow) -> list[tuple[Place, str]]:
        """The words on the buttons of a row: their own, or its label."""
        return [(place, said or _label(row.offer, self._reader)) for place, said in self.buttons]

    def encode_whole(self, row: OfferRow) -> Any:
        """The offer of a row, encoded."""
        return _encode_offer(row, self._reader)


class SentOffer:
    """An offer as it is sent to one reader, told by its identity."""

    __slots__ = ("form", "is_plain", "row", "texts")

    def __init__(self, row: OfferRow, form: OfferForm) -> None:
        self.row, self.form = row, form
        self.texts = form.row_texts(row)
        """The texts that fill the form to become the offer."""
        self.is_plain = not form.speaks_of_others and not form.buttons
        """True if it names nobody else and is touched by no button, as most are."""


@cache_latest(1 << 14)
def _encode_offer(row: OfferRow, reader: OfferReader) -> Any:
    return protocol.encode_part(_offer_view(row.offer, reader, _sentences(row.offer, reader)))


def button_labels(offers: Iterable[SentOffer]) -> dict[str, str]:
    """The labels of buttons; where several offers share one, by the first."""
    named: dict[str, str] = {}
    for each in offers:
        if not each.is_plain:
            for place, label in each.form.button_words(each.row):
                named.setdefault(place, label)
    return named


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


def _form_sentence(message: Message, reader: OfferReader) -> str | None:
    """A sentence with its holes; None where it changes what would be put there."""
    try:
        return reader.say(with_values(message, _SPOKEN_HOLES))
    except _OwnFormWanted:
        return None
