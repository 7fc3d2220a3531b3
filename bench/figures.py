"""Figures of one tree, or of two side by side with the ratio between them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from trees import Tree

T = TypeVar("T")
NAME_LETTERS, FIGURE_LETTERS = 46, 10


class Figures:
    """Prints each figure as soon as it is known."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        self._trees = trees

    def begin(self, title: str) -> None:
        labels = [tree.label for tree in self._trees]
        columns = [*labels, "ratio"] if len(labels) > 1 else []
        head = "".join(f"{label:>{FIGURE_LETTERS}}" for label in columns)
        print(f"\n{title:<{NAME_LETTERS + 2}}{head}".rstrip(), flush=True)

    def tell(self, name: str, values: Sequence[float | None], unit: str) -> None:
        """A figure of each tree; None where it was not to be had."""
        told = "".join(f"{_write_figure(value):>{FIGURE_LETTERS}}" for value in values)
        first, last = values[0], values[-1]
        if len(values) > 1 and first and last is not None:
            told += f"{last / first:>{FIGURE_LETTERS}.2f}"
        print(f"  {name:<{NAME_LETTERS}}{told} {unit}".rstrip(), flush=True)


def _write_figure(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.2f}" if abs(value) < 10 else f"{value:,.0f}"


async def take_turns(count: int, runs: int, play: Callable[[int], Awaitable[T]]) -> list[list[T]]:
    """The results of so many runs of each of them, one after the other: other work on the machine
    meets all alike. Every other time the last one goes first."""
    found: list[list[T]] = [[] for _ in range(count)]
    for run in range(runs):
        for index in range(count) if run % 2 == 0 else reversed(range(count)):
            found[index].append(await play(index))
    return found
