"""Answers kept for as long as they are likely to be asked for again.

Values are frozen, so one and the same value always has the same answer. Which value it is can
be told by its identity at once, where hashing a state with its whole past would take longer
than many an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar, overload

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


def cache_latest(kept: int) -> Callable[[Callable[Arguments, Answer]], Callable[Arguments, Answer]]:
    """A memory for a function: its latest answers, by the identity of what it was given.

    Only for functions of frozen values that always answer the same. It keeps at least the latest
    `kept` answers and at most twice as many.
    """

    def with_memory(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
        recent: dict[tuple[int, ...], tuple[object, Answer]] = {}
        older = recent.copy()

        @wraps(function)
        def answer_from_memory(*asked: Arguments.args, **named: Arguments.kwargs) -> Answer:
            nonlocal recent, older
            if named:
                return function(*asked, **named)
            key = tuple(map(id, asked))
            found = recent.get(key)
            if found is None:
                # What was asked is kept too: nothing else can come to have its identity.
                found = older.get(key) or (asked, function(*asked, **named))
                if len(recent) >= kept:
                    recent, older = {}, recent
                recent[key] = found
            return found[1]

        return answer_from_memory

    return with_memory


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
