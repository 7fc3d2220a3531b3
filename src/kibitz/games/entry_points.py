"""Games and bots of other packages, found by the entry points that they declare.

They are looked for when somebody asks for a name that is not ours, or for all names. One that
cannot be loaded is left out with a sentence in the log; the others are there.
"""

from __future__ import annotations

import logging
from collections import UserDict
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import entry_points
from typing import TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")


class Registry(UserDict[str, T]):
    """Ours by name, and those of a group of entry points."""

    def __init__(self, ours: Mapping[str, T], group: str, check: Callable[[str, T], None]) -> None:
        """`check` raises TypeError or ValueError for what is not what it should be."""
        self._is_complete = True
        super().__init__(ours)
        self._group, self._check, self._is_complete = group, check, False

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (self._complete() and super().__contains__(name))

    def __missing__(self, name: str) -> T:
        if self._complete() and name in self.data:
            return self.data[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        self._complete()
        return super().__iter__()

    def __len__(self) -> int:
        self._complete()
        return super().__len__()

    def _complete(self) -> bool:
        """Load what other packages have. True if that was new."""
        if self._is_complete:
            return False
        self._is_complete = True
        for each in entry_points(group=self._group):
            try:
                if each.name in self.data:
                    raise ValueError("the name is taken")
                found = each.load()
                self._check(each.name, found)
            except Exception as error:
                package = each.dist.name if each.dist else "?"
                values = each.name, package, self._group, type(error).__name__, error
                log.warning("%s of the package %s (%s) is left out: %s: %s", *values)
            else:
                self.data[each.name] = found
        return True
