"""A sequence that grows at its end and is nevertheless a value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.core.values import AppendOnlyList


@given(st.lists(st.tuples(st.integers(0, 20), st.integers())))
def test_it_is_what_a_tuple_would_be_however_it_branches(grown: list[tuple[int, int]]) -> None:
    """Each step grows any of those that there are, and all the others stay as they were."""
    made: list[tuple[AppendOnlyList[int], tuple[int, ...]]] = [(AppendOnlyList(), ())]
    for which, item in grown:
        sequence, same = made[which % len(made)]
        made.append((sequence.with_item(item), (*same, item)))
    for sequence, same in made:
        assert tuple(sequence) == same
        assert sequence == same
        assert hash(sequence) == hash(same)
        assert len(sequence) == len(same)
        assert sequence[1:-1] == same[1:-1]
        assert sequence[::-1] == same[::-1]
        assert list(reversed(sequence)) == list(reversed(same))
        if same:
            assert (sequence[0], sequence[-1]) == (same[0], same[-1])


def test_it_ends_where_it_ends() -> None:
    short = AppendOnlyList([1, 2])
    longer = short.with_item(3)
    for at in (2, -3):
        with pytest.raises(IndexError):
            short[at]
    assert longer[2] == 3
    assert short != longer
    assert repr(short) == "Growing([1, 2])"
