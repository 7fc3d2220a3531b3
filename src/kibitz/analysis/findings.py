"""The findings of an analysis as messages: the same for a terminal and for a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from kibitz.analysis.advice import advice_message
from kibitz.analysis.duels import Duel
from kibitz.analysis.evaluation import AnyGame, Chances
from kibitz.analysis.match import Alternative, Entry
from kibitz.core.game import PRESS_DIE, Seat
from kibitz.core.message import Message, message

Percent: TypeAlias = Callable[[float], str]
"""A share as people of a language write it."""
MAX_LINE_ACTIONS = 5
"""So many actions of a line are told."""


def better_alternative(entry: Entry) -> Alternative | None:
    """The action that would have been better, if there is one."""
    best = entry.best[0] if entry.best and entry.loss else None
    return best if best and best.action != entry.action else None


def mistake_message(game: AnyGame, state: Any, entry: Entry, percent: Percent) -> Message:
    """The cost of an action, and what would have been better in the state before it."""
    best, loss = better_alternative(entry), percent(entry.loss)
    if best is None:
        return message("analysis.mistake-alone", loss=loss)
    better = advice_message(game, state, entry.actor, best.line or (best.action,))
    return message("analysis.mistake", loss=loss, best=better)


def luck_message(entry: Entry, seats: Sequence[Seat], percent: Percent) -> Message:
    """The sentence about a stroke of luck, for the seat that it helped or hurt most."""
    mine, change = largest_change(entry.luck)
    id = "analysis.fortune-good" if change > 0 else "analysis.fortune-bad"
    return message(id, seat=seats[mine], change=percent(abs(change)))


def largest_change(luck: Chances) -> tuple[int, float]:
    """The seat whose chance changed most, and by how much; of equals the one it raised."""
    mine = max(range(len(luck)), key=lambda n: (round(abs(luck[n]), 3), luck[n]))
    return mine, luck[mine]


def card_message(entry: Entry, percent: Percent) -> Message:
    """A card against the mix it should have come from."""
    assert entry.duel
    how = "attacks" if entry.duel.is_attack else "defends"
    return message(
        f"analysis.card-{how}",
        seat=entry.actor,
        card=card_number(entry.duel.card),
        share=percent(entry.duel.share),
        cost=percent(entry.duel.cost),
    )


def mix_text(found: Duel, percent: Percent) -> str:
    """Cards that the mix has, and how often."""
    return ", ".join(
        f"{card_number(each)}: {percent(share)}" for each, share in found.mix.items() if share
    )


def card_number(text: str) -> str:
    return text.rpartition("=")[2]


def line_text(best: Alternative) -> str:
    """An action, and in brackets how play would go on."""
    first, *then = [each for each in best.line or (best.action,) if each != PRESS_DIE] or [
        PRESS_DIE
    ]
    return f"{first} ({' '.join(then[: MAX_LINE_ACTIONS - 1])})" if then else first


def card_pairs(entries: Sequence[Entry]) -> Iterator[tuple[Entry, ...]]:
    """The cards that met, two by two; one alone where the match ended before it was answered."""
    waiting: list[Entry] = []
    for each in entries:
        if each.duel is None:
            continue
        if each.duel.is_attack and waiting:
            yield tuple(waiting)
            waiting = []
        waiting.append(each)
        if not each.duel.is_attack:
            yield tuple(waiting)
            waiting = []
    if waiting:
        yield tuple(waiting)
