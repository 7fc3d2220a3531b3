"""Answers are remembered by the identity of what was asked, and never mixed up."""

from __future__ import annotations

import gc

from kibitz.core.caching import cache_latest, lazy_property

KEPT = 8


class Counted:
    """Counts how often it was worked out what `latest` was asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, value: object, times: int = 1) -> str:
        self.times += 1
        return repr(value) * times


def test_the_same_value_is_worked_out_once() -> None:
    counted, value = Counted(), (1, 2)
    ask = cache_latest(KEPT)(counted)
    assert [ask(value), ask(value)] == ["(1, 2)", "(1, 2)"]
    assert counted.times == 1


def test_an_equal_value_is_another_one() -> None:
    counted = Counted()
    ask = cache_latest(KEPT)(counted)
    one, equal = [1], [1]
    ask(one)
    ask(equal)
    assert counted.times == 2


def test_every_argument_counts_however_it_is_given() -> None:
    ask = cache_latest(KEPT)(Counted())
    assert [ask("a"), ask("a", 2), ask("a", times=3)] == ["'a'", "'a''a'", "'a''a''a'"]


def test_nothing_and_no_are_answers_too() -> None:
    asked: list[object] = []

    def nothing(value: object) -> None:
        asked.append(value)

    ask, value = cache_latest(KEPT)(nothing), object()
    ask(value)
    ask(value)
    assert asked == [value]


def test_a_value_that_came_later_never_gets_the_answer_of_one_that_is_gone() -> None:
    ask = cache_latest(KEPT)(str)
    for number in range(50 * KEPT):
        assert ask([number]) == f"[{number}]"
        gc.collect(0)


def test_only_so_many_answers_are_kept() -> None:
    counted = Counted()
    ask = cache_latest(KEPT)(counted)
    first, many = object(), [object() for _ in range(2 * KEPT)]
    for value in (first, *many, first):
        ask(value)
    assert counted.times == 2 * KEPT + 2


def test_what_is_asked_again_and_again_stays() -> None:
    counted = Counted()
    ask = cache_latest(KEPT)(counted)
    first, many = object(), [object() for _ in range(5 * KEPT)]
    for value in many:
        ask(first)
        ask(value)
    assert counted.times == 5 * KEPT + 1


class Lazy:
    def __init__(self) -> None:
        self.times = 0

    @lazy_property
    def answer(self) -> int:
        """Worked out once."""
        self.times += 1
        return 42


def test_a_lazy_property_is_worked_out_once_for_each_instance() -> None:
    one, other = Lazy(), Lazy()
    assert one.times == 0
    assert (one.answer, one.answer, other.answer) == (42, 42, 42)
    assert (one.times, other.times) == (1, 1)
    assert Lazy.answer.__doc__ == "Worked out once."
