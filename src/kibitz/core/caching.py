"""Answers kept for as long as they are likely to be asked for again.

Values are frozen, so one and the same value always has the same answer. Which value it is can
be told by its identity at once, where hashing a state with its whole past would take longer
than many an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")
One = TypeVar("One")
Beside = TypeVar("Beside")


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


def cache_latest_each(
    kept: int,
) -> Callable[[Callable[[One, Beside], Answer]], Callable[[Sequence[One], Beside], list[Answer]]]:
    """A decorator like `cache_latest` for many values at once, each beside the same other one.

    It asks for less than the function itself does: where most answers are known, calling it for
    each of them would take longer than finding them.
    """

    def with_memory(
        function: Callable[[One, Beside], Answer],
    ) -> Callable[[Sequence[One], Beside], list[Answer]]:
        recent: dict[tuple[int, int], tuple[One, Beside, Answer]] = {}
        older = recent.copy()

        @wraps(function)
        def answer_from_memory(many: Sequence[One], beside: Beside) -> list[Answer]:
            nonlocal recent, older
            other = id(beside)
            with suppress(KeyError):
                return [recent[id(one), other][2] for one in many]
            answers = []
            for one in many:
                key = id(one), other
                found = recent.get(key)
                if found is None:
                    found = older.get(key) or (one, beside, function(one, beside))
                    if len(recent) >= kept:
                        recent, older = {}, recent
                    recent[key] = found
                answers.append(found[2])
            return answers

        return answer_from_memory

    return with_memory
