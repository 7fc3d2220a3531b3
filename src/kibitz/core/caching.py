"""Answers kept for as long as they are likely to be asked for again.

Values are frozen, so one and the same value always has the same answer. Which value it is can
be told by its identity at once, where hashing a state with its whole past would take longer
than many an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, Generic, ParamSpec, TypeVar, cast, overload

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


def cache_latest(kept: int) -> Callable[[Callable[Arguments, Answer]], Callable[Arguments, Answer]]:
    """A memory for a function: its latest answers, by the identity of what it was given.

    Only for functions of frozen values that always answer the same. It keeps at least the latest
    `kept` answers and at most twice as many.
    """

    def with_memory(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
        recent: dict[object, tuple[Any, ...]] = {}
        """By identities all that was asked, and the answer."""
        older = recent.copy()
        work_out: Callable[..., Any] = function

        def answer_anew(key: object, *asked: Any) -> tuple[Any, ...]:
            # What was asked is kept too: nothing else can come to have its identity.
            found = older.get(key) or (*asked, work_out(*asked))
            if len(recent) >= kept:
                older.clear()
                older.update(recent)
                recent.clear()
            recent[key] = found
            return found

        def answer_from_memory(*asked: Any, **named: Any) -> Any:
            if named:
                return work_out(*asked, **named)
            key = (*map(id, asked),)
            return (recent.get(key) or answer_anew(key, *asked))[-1]

        # Most are about one to three things, and asked about the same several times in a row: so
        # often that it counts how these are passed and compared.
        latest: tuple[Any, ...] = (object(),) * 4

        def answer_about_one(one: Any, /) -> Any:
            nonlocal latest
            found = latest
            if found[0] is not one:
                key = id(one)
                found = latest = recent.get(key) or answer_anew(key, one)
            return found[1]

        def answer_about_two(one: Any, two: Any, /) -> Any:
            nonlocal latest
            found = latest
            if found[0] is not one or found[1] is not two:
                key = id(one), id(two)
                found = latest = recent.get(key) or answer_anew(key, one, two)
            return found[2]

        def answer_about_three(one: Any, two: Any, three: Any, /) -> Any:
            nonlocal latest
            found = latest
            if found[0] is not one or found[1] is not two or found[2] is not three:
                key = id(one), id(two), id(three)
                found = latest = recent.get(key) or answer_anew(key, one, two, three)
            return found[3]

        by_count: dict[int, Callable[..., Any]] = {
            1: answer_about_one,
            2: answer_about_two,
            3: answer_about_three,
        }
        answer = by_count.get(_required_count(function), answer_from_memory)
        return cast(Callable[Arguments, Answer], wraps(work_out)(answer))

    return with_memory


def _required_count(function: Callable[..., Any]) -> int:
    """The number of things that a function is given always; 0 where that varies."""
    try:
        parameters = signature(function).parameters.values()
    except ValueError:
        return 0
    is_fixed = all(
        each.kind is each.POSITIONAL_OR_KEYWORD and each.default is each.empty
        for each in parameters
    )
    return len(parameters) if is_fixed else 0


class lazy_property(Generic[Answer]):
    """A property that is worked out once, like `functools.cached_property` but without a lock.

    A value that is asked for once by each of a few viewers gains nothing by being locked.
    """

    def __init__(self, function: Callable[[Any], Answer]) -> None:
        self._function, self._name = function, function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> lazy_property[Answer]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Answer: ...
    def __get__(self, instance: object | None, owner: type) -> lazy_property[Answer] | Answer:
        if instance is None:
            return self
        answer = instance.__dict__[self._name] = self._function(instance)
        return answer
