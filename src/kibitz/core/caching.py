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
        recent: dict[object, tuple[object, Answer]] = {}
        older = recent.copy()

        def answer_anew(key: object, *asked: Any) -> Answer:
            # What was asked is kept too: nothing else can come to have its identity.
            found = older.get(key) or (asked, function(*asked))
            if len(recent) >= kept:
                older.clear()
                older.update(recent)
                recent.clear()
            recent[key] = found
            return found[1]

        def answer_from_memory(*asked: Any, **named: Any) -> Answer:
            if named:
                return cast(Any, function)(*asked, **named)
            key = (*map(id, asked),)
            found = recent.get(key)
            return found[1] if found else answer_anew(key, *asked)

        # Most are about one to three things, and asked so often that passing these counts.
        def answer_about_one(one: Any, /) -> Answer:
            found = recent.get(id(one))
            return found[1] if found else answer_anew(id(one), one)

        def answer_about_two(one: Any, two: Any, /) -> Answer:
            key = id(one), id(two)
            found = recent.get(key)
            return found[1] if found else answer_anew(key, one, two)

        def answer_about_three(one: Any, two: Any, three: Any, /) -> Answer:
            key = id(one), id(two), id(three)
            found = recent.get(key)
            return found[1] if found else answer_anew(key, one, two, three)

        by_count = {1: answer_about_one, 2: answer_about_two, 3: answer_about_three}
        answer = by_count.get(_required_count(function), answer_from_memory)
        return cast(Callable[Arguments, Answer], wraps(function)(answer))

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
