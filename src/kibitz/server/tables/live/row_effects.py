"""The effects of rows on a table, for those who have not seen them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from kibitz.core.game import CHANCE, TABLE, Actor, Seat
from kibitz.core.values import FrozenValue
from kibitz.table import EventsByViewer, Row
from kibitz.table.commands import COMMANDS, ENTROPY, command_word
from kibitz.table.table import AGREE, AnyTable


class RowEffect(FrozenValue, frozen=True):
    events: EventsByViewer
    unchanged_lines: int
    """So many lines of the log it left as they were."""
    actor: Actor
    """Its author; the seat that let the die fall, where each seat does so for itself."""
    is_reveal: bool = False
    """It showed what was hidden."""
    is_harmless: bool = False
    """It takes nothing away from what others were about to do."""
    is_log_unchanged: bool = False
    """The log is as it was."""


def act_rows(table: AnyTable, rows: Sequence[Row]) -> tuple[AnyTable, list[RowEffect]]:
    """The table after these rows, and the effect of each; raises Refused."""
    effects = []
    for row, after in zip_longest(rows, rows[1:]):
        following, told = table.act(row.actor, row.text, row.member, row.at, row.think_seconds)
        if after and after.at == row.at and after.text == AGREE:
            # Consents that the server gives itself go without saying, and so does what they are to.
            told = dict.fromkeys(told, ())
        effects.append(_row_effect(table, following, row, told))
        table = following
    return table, effects


def _row_effect(before: AnyTable, after: AnyTable, row: Row, told: EventsByViewer) -> RowEffect:
    presser, is_reveal = _presser(before, after, row), _has_reveal(before, after)
    return RowEffect(
        events=told,
        unchanged_lines=_unchanged_lines(before, after, is_reveal),
        actor=presser or _author(row),
        is_reveal=is_reveal,
        is_harmless=_is_harmless(before, after, row, presser),
        is_log_unchanged=after.history is before.history,
    )


def _author(row: Row) -> Actor:
    """The author of a row; nobody at a seat of what their browser adds to the dice by itself."""
    return TABLE if command_word(row.text) == ENTROPY else row.actor


def _is_harmless(before: AnyTable, after: AnyTable, row: Row, presser: Seat | None) -> bool:
    """Somebody sat down, committed ahead, let the die fall for themselves alone, or said what can
    be said at any time."""
    if command_word(row.text) in COMMANDS or len(after.commitments) > len(before.commitments):
        return True
    to_act = before.game.rules.to_act(before.state)
    if presser:
        return to_act - {presser} <= after.game.rules.to_act(after.state)
    if row.actor in to_act or len(after.history) != len(before.history) + 1:
        return False
    played = after.history[-1]
    if played.step.action not in before.game.rules.anytime_actions(played.before, row.actor):
        return False
    return after.game.rules.to_act(after.state) == to_act


def _presser(before: AnyTable, after: AnyTable, row: Row) -> Seat | None:
    """The seat for which the die fell, where each seat lets it fall for itself."""
    if row.actor != CHANCE or len(after.history) != len(before.history) + 1:
        return None
    return before.game.rules.presser(before.state, after.history[-1].step.action)


def _has_reveal(before: AnyTable, after: AnyTable) -> bool:
    """True if anything that is in the history only afterwards showed what was hidden."""
    known = len(before.history)
    if len(after.history) <= known:
        return False
    return any(played.step.is_reveal for played in after.history[known:])


def _unchanged_lines(before: AnyTable, after: AnyTable, is_reveal: bool) -> int:
    """The number of lines of the log that stay as they were.

    A reveal rewrites those since the last one, and so does taking a reveal back.
    """
    unchanged = min(len(before.history), len(after.history))
    if is_reveal or _has_reveal(after, before):
        while unchanged and not after.history[unchanged - 1].step.is_reveal:
            unchanged -= 1
    return unchanged
