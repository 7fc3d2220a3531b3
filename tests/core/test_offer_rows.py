"""Offers as rows: taken apart or made so, they are filled to the same offers."""

from __future__ import annotations

from kibitz.core.game import Mark, Offer
from kibitz.core.message import message
from kibitz.core.offer_rows import HOLES, make_row, take_apart

FORM = Offer(
    actions=(HOLES[0],),
    path=(HOLES[1], HOLES[2]),
    kind="push",
    label=message("kalamala.offer-push", "3.3", square=HOLES[3]),
    prompts=(message("kalamala.push-off", "3.4", chain=HOLES[4], seat="B", n=2),),
    marks=(Mark("push", (HOLES[2],), "1", after=1),),
)
TEXTS = ("a1:E1", "sq-a1", "sq-b1", "b1", "a1")


def offer_of(action: str, origin: str, goal: str, square: str, chain: str) -> Offer:
    return Offer(
        (action,),
        (origin, goal),
        "push",
        message("kalamala.offer-push", "3.3", square=square),
        (message("kalamala.push-off", "3.4", chain=chain, seat="B", n=2),),
        (Mark("push", (goal,), "1", after=1),),
    )


def test_a_row_is_the_offer_that_its_texts_make_of_its_form() -> None:
    assert make_row(FORM, TEXTS).offer == offer_of(*TEXTS)
    assert make_row(FORM, TEXTS).texts == TEXTS


def test_texts_that_are_equal_are_told_once() -> None:
    row = make_row(FORM, ("a1:E1", "sq-a1", "sq-b1", "b1", "b1"))
    assert row.texts == ("a1:E1", "sq-a1", "sq-b1", "b1")
    assert row.offer == offer_of("a1:E1", "sq-a1", "sq-b1", "b1", "b1")


def test_a_text_that_a_form_has_no_place_for_is_not_told() -> None:
    bare = Offer((HOLES[1],), (), "end", message("kahmate.offer-end"))
    row = make_row(bare, (None, "end"))
    assert row.texts == ("end",)
    assert row.offer.actions == ("end",)


def test_rows_alike_share_a_form() -> None:
    others = "h1:W1", "sq-h1", "sq-g1", "g1", "h1"
    assert make_row(FORM, TEXTS).form is make_row(FORM, others).form
    apart = take_apart(offer_of(*TEXTS)), take_apart(offer_of(*others))
    assert apart[0].form is apart[1].form
    assert apart[0].offer == offer_of(*TEXTS)


def test_seats_and_buttons_stay_in_the_form() -> None:
    label = message("kahmate.offer-kick", seat="R", square="b1")
    row = take_apart(Offer(("kick",), ("btn-kick", "sq-b1"), "kick", label))
    assert row.form.path == ("btn-kick", HOLES[row.texts.index("sq-b1")])
    assert row.form.label.value("seat") == "R"
    assert {*row.texts} == {"kick", "sq-b1", "b1"}
