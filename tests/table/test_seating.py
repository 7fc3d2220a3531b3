"""Who sits where."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.core.message import Refused
from kibitz.table.seating import BOOKKEEPER, REFEREE_ROLE, ROLES, People, people_at_opening

SEATS = ("R", "B", "Y", "G")
MEMBERS = ("ann", "bob", "cleo", "dora")


def table(**taken: str) -> People:
    """Ann's table; a name is a member, `bot` a bot."""
    given = {
        seat: {"bot": "greedy"} if who == "bot" else {"members": who.split()}
        for seat, who in taken.items()
    }
    return people_at_opening("ann", ("A", "B"), given)


def refusal_of(call: object) -> str:
    assert isinstance(call, pytest.ExceptionInfo)
    assert isinstance(call.value, Refused)
    return call.value.refusal.id


def test_a_seat_is_free_taken_or_a_bots() -> None:
    people = table(A="ann")
    assert (people.free_seats, people.is_full) == (("B",), False)
    full = people.sit("B", "bob", "x")
    assert (full.free_seats, full.is_full, full.playing_seats) == ((), True, ("A", "B"))
    with_bot = people.put_bot("B", "greedy")
    assert (with_bot.free_seats, with_bot.playing_seats) == ((), ("A",))
    assert with_bot.fill_ins == frozenset()


def test_several_may_sit_together_but_nobody_on_two_sides() -> None:
    people = table(A="ann", B="bob").sit("B", "cleo", "")
    assert people.members["B"] == ("bob", "cleo")
    assert people.seats_of("cleo") == ("B",)
    assert people.all_members == {"ann", "bob", "cleo"}
    with pytest.raises(Refused) as error:
        people.sit("A", "cleo", "")
    assert refusal_of(error) == "table.opposing-seat"
    with pytest.raises(Refused) as error:
        people.sit("B", "cleo", "")
    assert refusal_of(error) == "table.sits-there"


def test_one_may_hold_several_seats_that_nobody_else_wants() -> None:
    assert table(A="ann").sit("B", "ann", "").seats_of("ann") == ("A", "B")


def test_who_joins_somebody_on_both_sides_may_be_on_both() -> None:
    """Nothing is hidden there: somebody sees both already."""
    people = table(A="ann", B="ann").sit("A", "cleo", "").sit("B", "cleo", "")
    assert people.seats_of("cleo") == ("A", "B")
    with pytest.raises(Refused) as error:
        table(A="ann", B="ann bob").stand("B", "ann").sit("A", "bob", "")
    assert refusal_of(error) == "table.opposing-seat"


def test_a_bot_keeps_a_seat_until_somebody_comes_back() -> None:
    kept = table(A="ann", B="bob").put_bot("B", "greedy")
    assert kept.fill_ins == {"B"}
    assert (kept.playing_seats, kept.seats_of("bob")) == (("A",), ("B",))
    back = kept.sit("B", "bob", "")
    assert (back.fill_ins, back.bots) == (frozenset(), {})
    with pytest.raises(Refused) as error:
        table(A="ann", B="bot").sit("B", "bob", "")
    assert refusal_of(error) == "table.bot-sits-there"
    with pytest.raises(Refused) as error:
        kept.put_bot("B", "random")
    assert refusal_of(error) == "table.bot-sits-there"


def test_who_stands_up_leaves_the_others() -> None:
    people = table(A="ann", B="bob cleo").stand("B", "bob")
    assert people.members["B"] == ("cleo",)
    assert people.stand("B", "cleo").free_seats == ("B",)
    with pytest.raises(Refused) as error:
        people.stand("B", "bob")
    assert refusal_of(error) == "table.not-your-seat"


@pytest.mark.parametrize("role", ROLES)
def test_whoever_has_a_role_takes_no_side(role: str) -> None:
    people = table(A="ann", B="bob").appoint(role, "dora")
    assert people.has_role("dora", role)
    assert not people.has_role("ann", role)
    assert "dora" in people.all_members
    with pytest.raises(Refused) as error:
        people.sit("B", "dora", "")
    assert refusal_of(error) == "table.neutral"
    with pytest.raises(Refused) as error:
        people.appoint(role, "ann")
    assert refusal_of(error) == "table.takes-side"
    with pytest.raises(Refused):
        people.resign_role(role, "ann")
    free = people.resign_role(role, "dora")
    assert not free.has_role("dora", role)
    assert free.sit("B", "dora", "").members["B"] == ("bob", "dora")


def test_nobody_is_no_referee() -> None:
    assert not table(A="ann").has_role("", REFEREE_ROLE)
    assert not table(A="ann").has_role("", BOOKKEEPER)


def test_a_seat_adds_to_the_dice_once() -> None:
    people = table(A="ann").sit("B", "bob", "first").sit("B", "cleo", "second")
    assert people.entropies == (("B", "first"),)
    again = people.stand("B", "bob").stand("B", "cleo").sit("B", "dora", "third")
    assert again.entropies == (("B", "first"),)
    assert table(A="ann").sit("B", "bob", "").entropies == ()


def test_what_is_stored_of_a_new_table_is_read_in_every_form() -> None:
    stored: dict[str, dict[str, Any]] = {
        "A": {"members": ["ann"]},
        "B": {"bot": "greedy", "entropy": "b"},
        "C": {"members": ["bob", "cleo"], "entropy": "c"},
    }
    people = people_at_opening("ann", ("A", "B", "C", "D"), stored)
    assert people.members == {"A": ("ann",), "B": (), "C": ("bob", "cleo"), "D": ()}
    assert people.bots == {"B": "greedy"}
    assert people.entropies == (("B", "b"), ("C", "c"))
    assert people.free_seats == ("D",)


@given(
    st.dictionaries(st.sampled_from(SEATS), st.sampled_from(MEMBERS)),
    st.sets(st.sampled_from(SEATS)),
    st.permutations(SEATS),
)
def test_everybody_moves_with_their_seat(
    sitting: dict[str, str], bots: set[str], order: list[str]
) -> None:
    people = people_at_opening(
        "ann", SEATS, {seat: {"members": [who]} for seat, who in sitting.items()}
    )
    for seat in sorted(bots):
        people = people.put_bot(seat, "greedy")
    moved = dict(zip(SEATS, order, strict=True))
    after = people.with_seats_moved(moved)
    assert list(after.members) == list(SEATS)
    for seat in SEATS:
        assert after.members[moved[seat]] == people.members[seat]
        assert (moved[seat] in after.bots) == (seat in people.bots)
    assert after.with_seats_moved({new: old for old, new in moved.items()}) == people
    assert people.with_seats_moved({}) == people
