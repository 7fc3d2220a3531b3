"""Parts of messages about one table that are made once for all who are sent the same."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.game import Seat, Viewer


@dataclass(slots=True)
class ViewCaches:
    version: int = 0
    """The number of changes of the table that pages were told of."""
    views: dict[Any, str] = field(default_factory=dict)
    """The messages about this position, by viewer (view.py)."""
    built_views: dict[Any, Any] = field(default_factory=dict)
    """The same before they are encoded (view.py)."""
    patches: dict[Any, tuple[str, Any, Any]] = field(default_factory=dict)
    """The changes since the view before, by viewer and that view (patches.py)."""
    shown_views: dict[Any, Any] = field(default_factory=dict)
    """The views that pages have once they were sent these (patches.py)."""
    people: dict[Any, str] = field(default_factory=dict)
    """The messages about the people (people_view.py)."""
    seats: dict[Any, Any] = field(default_factory=dict)
    """The seats and who is at them, for as long as nobody comes or goes (people_view.py)."""
    viewpoints: dict[Any, Any] = field(default_factory=dict)
    """The words of a viewer and the like, for as long as everybody is called the same
    (viewers.py)."""
    turns: dict[Any, Any] = field(default_factory=dict)
    """The latest turn of the others, by viewer (telling/turns.py)."""
    surroundings: tuple[Hashable, ...] | None = None
    """All that the table around the match is told by, once it was found out (people_view.py)."""
    absent_seats: tuple[Seat, ...] | None = None
    """The seats for which a bot may be asked, once it was found out (people_view.py)."""
    common_log_lines: dict[tuple[Viewer, Viewer], int] = field(default_factory=dict)
    """The number of lines of the log that two viewers have in common for good (view.py)."""
    layer_hashes: dict[Any, dict[int, dict[str, int]]] = field(default_factory=dict)
    """By look and row, the hash of each layer that was drawn: it need not be sent again."""

    def clear_messages(self) -> None:
        self.version += 1
        self.views.clear()
        self.built_views.clear()
        self.patches.clear()
        self.shown_views.clear()
        self.people.clear()
        self.absent_seats = self.surroundings = None

    def clear_people(self) -> None:
        self.seats.clear()
        self.viewpoints.clear()

    def limit_log_lines(self, unchanged: int) -> None:
        """Forget what was in common, and what was told, after so many lines."""
        if self.common_log_lines:
            self.common_log_lines = {
                pair: min(lines, unchanged) for pair, lines in self.common_log_lines.items()
            }
        self.turns = {key: turn for key, turn in self.turns.items() if turn.end <= unchanged}

    def forget_log(self) -> None:
        """Forget all that was told: the log is another one."""
        self.common_log_lines.clear()
        self.turns.clear()
