"""One position of a live table, looked at once for everybody."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Any

from kibitz.core.game import TABLE, Actor, Outcome, Seat
from kibitz.table.table import AnyTable


class Position:
    """Answers about a position that do not depend on who asks: each is found when it is first
    asked for, and kept for as long as the position stands."""

    def __init__(self, table: AnyTable) -> None:
        self.table = table

    @cached_property
    def to_act(self) -> frozenset[Actor]:
        return self.table.game.rules.to_act(self.table.state)

    @cached_property
    def seats_to_act(self) -> list[Seat]:
        """Those of them that are seats, in the order of the game."""
        return [seat for seat in self.table.game.seats if seat in self.to_act]

    @cached_property
    def outcome(self) -> Outcome | None:
        return self.table.outcome

    @property
    def is_over(self) -> bool:
        return self.table.is_aborted or self.outcome is not None

    @cached_property
    def seat_letters(self) -> tuple[str, ...]:
        """The letters that the seats go by now."""
        game, state = self.table.game, self.table.state
        return tuple([game.policy.seat_letter(state, seat) for seat in game.seats])

    @cached_property
    def joint_actions(self) -> tuple[Any, ...]:
        """The actions that all seats may take if they agree."""
        rules, state = self.table.game.rules, self.table.state
        return *rules.role_actions(state, TABLE), *rules.anytime_actions(state, TABLE)

    @cached_property
    def default_answers(self) -> Mapping[Seat, Any]:
        """The actions that silence counts as, where seats owe an answer."""
        return self.table.game.policy.default_answers(self.table.state)

    @cached_property
    def surroundings(self) -> tuple[Hashable, ...]:
        """All that the table around the match is told by. Notes are only ever added."""
        table = self.table
        is_over = self.is_over, table.is_adjourned, table.is_aborted, table.has_begun
        asked = table.pending_request, table.rematch, table.book, len(table.notes)
        return *is_over, *asked, self.joint_actions, table.envelopes[-1]
