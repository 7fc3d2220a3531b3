"""Offers as rows that fill forms: a form filled by its row is the offer, letter by letter."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kibitz.core.game import CHANCE, Mark, Offer
from kibitz.core.message import message
from kibitz.core.offer_rows import FIRST_HOLE, OfferRow, filled_offers, take_apart
from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES
from kibitz.server.phrases import Phrases, PlayerName, phrases_for
from kibitz.server.tables.connection import Subscription
from kibitz.server.tables.telling import offers, patches
from kibitz.server.tables.telling.offers import OfferReader, SentOffer, offer_reader
from kibitz.server.tables.viewers import ViewerSettings
from server.tables.test_view_caching import do_something, open_live_table
from support.view_patches import ViewPatches, fill_form

PLAIN = Offer(
    ("a1:E1",),
    ("sq-a1", "sq-b1"),
    "push",
    message("kalamala.offer-push", "3.3", square="b1"),
    marks=(Mark("dot", ("sq-b1",), "1", after=1),),
)


def each_offer(game: str, seed: int, most: int) -> Iterator[tuple[str, OfferRow]]:
    """The offers of a random match as rows, and whom they are for."""
    rulebook, rng = GAMES[game], Random(seed)
    rules = rulebook.game(rulebook.preset)
    state = rules.rules.start()
    for _ in range(most):
        to_act = sorted(rules.rules.to_act(state))
        if not to_act:
            return
        actor = CHANCE if CHANCE in to_act else to_act[0]
        listed = rules.rules.turn_actions(state, actor)
        if actor in rules.seats:
            view = rules.rules.view(state, actor, ())
            shown = listed + rules.rules.anytime_actions(state, actor)
            offers = rules.ui.offers(view, shown)
            rows = rules.ui.offer_rows(view, shown) if rules.ui.offer_rows else ()
            assert filled_offers(rows) == (offers if rows else ())
            for row in rows or map(take_apart, offers):
                yield actor, row
        state = rules.rules.resolve(state, actor, rng.choice(listed)).state


def send(offer: Offer | OfferRow, reader: OfferReader) -> SentOffer:
    row = offer if isinstance(offer, OfferRow) else take_apart(offer)
    return reader.read_rows([row])[0]


def fill_row(sent: SentOffer) -> Any:
    assert sent.form.text is not None
    return fill_form([sent.form.text], [0, *sent.texts])


def whole(sent: SentOffer) -> Any:
    return json.loads(bytes(sent.form.encode_whole(sent.row)))


def words(game: str, language: str, players: tuple[PlayerName, ...] = ()) -> Phrases:
    return phrases_for(language, game, GAMES[game].game(GAMES[game].preset).seats, players=players)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_form_filled_by_its_row_is_the_offer(game: str, language: str) -> None:
    forms, count = set(), 0
    for seat, row in each_offer(game, 1, 30):
        sent = send(row, offer_reader(seat, words(game, language)))
        assert fill_row(sent) == whole(sent)
        forms.add(sent.form)
        count += 1
    assert len(forms) < count, "many offers have the same form"


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_forms_hold_in_many_matches(game: str, language: str) -> None:
    for seed in range(2, 30):
        for seat, row in each_offer(game, seed, 120):
            for is_beside in (False, True):
                sent = send(row, offer_reader(seat, words(game, language), is_beside))
                assert fill_row(sent) == whole(sent)


def test_a_text_that_a_sentence_bends_is_not_put_into_it_by_a_page() -> None:
    """In French, `{name:de}` is d'Aino and de Marc."""
    reader = offer_reader("A", words("kalamala", "fr"))
    for name in ("Aino", "Marc"):
        label = message("page.mail-confirm", email="a@b.example", name=name)
        sent = send(replace(PLAIN, label=label, prompts=(PLAIN.label,)), reader)
        assert sent.form.spoken_sentences == [0]
        assert fill_row(sent) == whole(sent)


def test_an_offer_for_another_seat_says_so_itself() -> None:
    sent = send(PLAIN, offer_reader("A", words("kalamala", "en"), is_beside=True))
    assert sent.form.spoken_sentences == [0]
    assert fill_row(sent) == whole(sent)


def test_texts_are_quoted_as_they_have_to_be() -> None:
    odd = 'a"\\\u2028<\n'
    offer = replace(PLAIN, actions=(odd,), label=message("kalamala.offer-push", square=odd))
    sent = send(offer, offer_reader("A", words("kalamala", "en")))
    assert fill_row(sent)["actions"] == [odd]
    assert fill_row(sent) == whole(sent)


def test_offers_that_differ_only_in_what_is_empty_have_forms_of_their_own() -> None:
    reader = offer_reader("A", words("kalamala", "en"))
    silent = replace(PLAIN, marks=(Mark("dot", ("sq-b1",), after=1),))
    repeating = replace(PLAIN, marks=(Mark("dot", ("sq-b1",), "sq-b1", after=1),))
    longer = replace(PLAIN, actions=("a1:E1", "sq-a1"), path=("sq-b1",))
    offers = [send(each, reader) for each in (PLAIN, silent, repeating, longer)]
    assert len({each.form for each in offers}) == len(offers)
    for sent in offers:
        assert fill_row(sent) == whole(sent)


def test_an_offer_with_more_texts_than_there_are_signs_is_its_own_form() -> None:
    many = tuple(f"sq-{number}" for number in range(300))
    sent = send(replace(PLAIN, path=many), offer_reader("A", words("kalamala", "en")))
    assert sent.row.texts == ()
    assert fill_row(sent) == whole(sent)


def test_where_a_name_has_a_sign_of_a_hole_offers_are_sent_whole() -> None:
    signed = words("kalamala", "en", (PlayerName("B", f"Ai{chr(FIRST_HOLE)}no"),))
    sent = send(PLAIN, offer_reader("A", signed))
    assert sent.form.text is None
    assert whole(sent)["kind"] == "push"


def test_a_page_is_sent_so_many_forms_and_then_whole_offers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(patches, "MAX_FORMS", 2)
    live, rng, taken = open_live_table("kahmate"), Random(4), ViewPatches()
    page, whole = (Subscription(live, "R", ViewerSettings(("R",), "fi")) for _ in range(2))
    page.is_patched = True
    kinds = set()
    for _ in range(40):
        for each in (page, whole):
            each.notify_change()
        sent = json.loads(page.pending_messages()[0])
        if sent["type"] == "patch":
            kinds |= {type(each) for each in sent.get("offers", [])}
        shown, expected = taken.take(sent), json.loads(whole.pending_messages()[0])
        assert shown["offers"] == expected["offers"]
        assert len(taken.forms) <= 2
        do_something(live, rng)
    assert {dict, list} <= kinds


@pytest.mark.parametrize("max_rows", [offers.MAX_ROWS, 40])
def test_a_form_is_sent_once(monkeypatch: pytest.MonkeyPatch, max_rows: int) -> None:
    """Other tables fill what is kept of rows; their pages have the forms for as long as they are
    open."""
    monkeypatch.setattr(offers, "MAX_ROWS", max_rows)
    offer_reader.cache_clear()
    live, rng = open_live_table("kalamala"), Random(2)
    page = Subscription(live, "A", ViewerSettings(("A",), "en"))
    page.is_patched = True
    page.pending_messages()
    sent: list[str] = []
    for _ in range(40):
        do_something(live, rng)
        page.notify_change()
        sent += json.loads(page.pending_messages()[0]).get("forms", [])
    assert len(sent) > 10
    assert len(sent) == len({*sent})


def test_the_latest_rows_are_one_and_the_same_however_many_there_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(offers, "MAX_ROWS", 3)
    reader = OfferReader("A", words("kalamala", "en"), False)
    rows = [take_apart(replace(PLAIN, actions=(f"a{number}:E1",))) for number in range(10)]
    first = [reader.read_rows([row])[0] for row in rows]
    assert reader.read_rows(rows[-3:]) == first[-3:]
    assert reader.read_rows(rows[:1]) != first[:1], "they are not kept for ever"
