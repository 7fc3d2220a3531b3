"""Many values asked at once are remembered one by one, each beside what it was asked with."""

from __future__ import annotations

import gc

from kibitz.core.caching import cache_latest_each

KEPT = 8


def test_each_value_is_worked_out_once_and_answers_keep_their_order() -> None:
    asked: list[tuple[int, ...]] = []

    @cache_latest_each(KEPT)
    def total(value: tuple[int, ...], beside: str) -> str:
        asked.append(value)
        return f"{beside}{sum(value)}"

    one, two, three = (1,), (1, 1), (1, 1, 1)
    beside = "="
    assert total([one, two], beside) == ["=1", "=2"]
    assert total([three, one, two, one], beside) == ["=3", "=1", "=2", "=1"]
    assert asked == [one, two, three]


def test_what_is_beside_counts() -> None:
    @cache_latest_each(KEPT)
    def both(value: str, beside: str) -> str:
        return value + beside

    assert [both(["a"], "x"), both(["a"], "y"), both(["a"], "x")] == [["ax"], ["ay"], ["ax"]]


def test_a_value_that_came_later_never_gets_the_answer_of_one_that_is_gone() -> None:
    @cache_latest_each(KEPT)
    def join_texts(value: list[int], beside: list[int]) -> str:
        return f"{value}{beside}"

    for number in range(50 * KEPT):
        assert join_texts([[number]], [number]) == [f"[{number}][{number}]"]
        gc.collect(0)


def test_only_so_many_answers_are_kept() -> None:
    asked: list[object] = []

    @cache_latest_each(KEPT)
    def note_call(value: object, beside: None) -> None:
        asked.append(value)

    first, many = object(), [object() for _ in range(2 * KEPT)]
    note_call([first, *many, first], None)
    assert len(asked) == 2 * KEPT + 2
