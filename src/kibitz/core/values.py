"""Values that never change: structs, and a sequence that grows at its end without being copied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

import msgspec

Item = TypeVar("Item")


class FrozenValue(msgspec.Struct, frozen=True, gc=False):
    """A value that never changes.

    What never changes cannot come to hold itself, so the collector of cyclic garbage need not look
    at it. Whatever can be part of a cycle, such as a table in memory or a page, is none of these.
    Subclasses repeat `frozen=True`; a changed copy is made by `msgspec.structs.replace`.
    """


class AppendOnlyList(Sequence[Item]):
    """Frozen like a tuple. All that came of one another share one list, each its beginning.

    Copying a tuple touches everything in it: in a long match that took longer than the rules.
    """

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
            start, stop, step = at.indices(self._length)
            if step == 1:
                return tuple(self._shared[start:stop])
            return tuple([self._shared[i] for i in range(start, stop, step)])
        if not -self._length <= at < self._length:
            raise IndexError(at)
        return self._shared[at if at >= 0 else at + self._length]

    def __iter__(self) -> Iterator[Item]:
        return islice(self._shared, self._length)

    def __reversed__(self) -> Iterator[Item]:
        return islice(reversed(self._shared), len(self._shared) - self._length, None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AppendOnlyList | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Growing({list(self)!r})"
