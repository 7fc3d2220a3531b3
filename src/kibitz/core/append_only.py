"""A sequence that grows at its end without being copied.

Copying a tuple touches everything in it: in a long match that took longer than the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

Item = TypeVar("Item")


class AppendOnlyList(Sequence[Item]):
    """Frozen like a tuple. All that came of one another share one list, each its beginning."""

    __slots__ = ("_length", "_shared")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._shared = list(items)
        self._length = len(self._shared)

    def with_item(self, item: Item) -> AppendOnlyList[Item]:
        """This one and an item more; copied only where it has grown another way before."""
        is_latest = len(self._shared) == self._length
        longer: AppendOnlyList[Item] = AppendOnlyList.__new__(AppendOnlyList)
        longer._shared = self._shared if is_latest else self._shared[: self._length]
        longer._shared.append(item)
        longer._length = self._length + 1
        return longer

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        if isinstance(at, slice):
            return tuple(self._shared[i] for i in range(*at.indices(self._length)))
        if not -self._length <= at < self._length:
            raise IndexError(at)
        return self._shared[at if at >= 0 else at + self._length]

    def __iter__(self) -> Iterator[Item]:
        return islice(self._shared, self._length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AppendOnlyList | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Growing({list(self)!r})"
