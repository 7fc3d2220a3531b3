"""One position of a live table, looked at once for everybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.core.caching import lazy_property
from kibitz.core.game import TABLE, Actor, Outcome, Seat
from kibitz.table.table import AnyTable


class Position:
    """Answers about a position that do not depend on who asks: each is found when it is first
    asked for, and kept for as long as the position stands."""

    def __init__(self, table: AnyTable) -> None:
        self.table = table

    @lazy_property
    def to_act(self) -> frozenset[Actor]:
        return self.table.game.rules.to_act(self.table.state)

    @lazy_property
    def seats_to_act(self) -> list[Seat]:
        """Those of them that are seats, in the order of the game."""
        return [seat for seat in self.table.game.seats if seat in self.to_act]

    @lazy_property
    def outcome(self) -> Outcome | None:
        return self.table.outcome

    @lazy_property
    def is_over(self) -> bool:
        return self.table.is_aborted or self.outcome is not None

    @lazy_property
    def seat_letters(self) -> tuple[str, ...]:
        """The letters that the seats go by now."""
        game, state = self.table.game, self.table.state
        return tuple([game.policy.seat_letter(state, seat) for seat in game.seats])

    @lazy_property
    def joint_actions(self) -> tuple[Any, ...]:
        """The actions that all seats may take if they agree."""
        rules, state = self.table.game.rules, self.table.state
        return *rules.role_actions(state, TABLE), *rules.anytime_actions(state, TABLE)

    @lazy_property
    def default_answers(self) -> Mapping[Seat, Any]:
        """The actions that silence counts as, where seats owe an answer."""
        return self.table.game.policy.default_answers(self.table.state)
