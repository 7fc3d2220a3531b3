"""The mistakes of a match that is over as small puzzles, for whoever made them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.analysis.advice import advice_message, advice_offer
from kibitz.analysis.coach import TOLD_LOSS, even_loss
from kibitz.analysis.match import Alternative, Entry
from kibitz.core.game import PRESS_DIE, Seat
from kibitz.server.analysis.page import percent_formatter
from kibitz.server.phrases import Phrases, event_text
from kibitz.server.tables.live_table import LiveTable

MAX_PUZZLES = 6
ALIKE = 0.25
"""An action that costs no more than this part of the mistake solves the puzzle, too."""


def match_lesson(
    live: LiveTable, entries: Sequence[Entry], seats: Sequence[Seat], say: Phrases
) -> Mapping[str, Any]:
    """The costliest mistakes of these seats, in the order of the match, as steps of a lesson."""
    found = [each for each in entries if each.actor in seats and _is_puzzle(live, each)]
    worst = sorted(found, key=lambda each: -each.loss)[:MAX_PUZZLES]
    return {
        "game": live.game.name,
        "options": dict(live.game.options),
        "match": live.id,
        "steps": [_puzzle_step(live, each, say) for each in sorted(worst, key=lambda each: each.n)],
    }


def has_puzzles(live: LiveTable, entries: Sequence[Entry], seats: Sequence[Seat]) -> bool:
    """True if one of these seats made a mistake that is worth another try."""
    return any(each.actor in seats and _is_puzzle(live, each) for each in entries)


def _is_puzzle(live: LiveTable, entry: Entry) -> bool:
    """True for a choice of one's own that has better ones; cards are a matter of their mix."""
    is_large = even_loss(live.game, entry.loss) >= TOLD_LOSS
    return entry.kind == "choice" and is_large and bool(_answers(live, entry))


def _puzzle_step(live: LiveTable, entry: Entry, say: Phrases) -> Mapping[str, Any]:
    record, played = live.table.record, live.table.history[entry.n - 1]
    percent, best = percent_formatter(say.language), entry.best[0]
    advice = advice_message(live.game, played.before, entry.actor, best.line or (best.action,))
    move = advice if isinstance(advice, str) else say(advice)
    told = event_text(played.step.events, entry.actor, say) or entry.action
    return {
        "id": str(entry.n),
        "title": say.t("page.story-move", n=entry.n),
        "task": say.t("page.lesson-task", move=told, loss=percent(entry.loss)),
        "praise": say.t("page.lesson-praise", move=move, chance=percent(best.chance)),
        "seat": entry.actor,
        "start": record.start,
        "before": record.actions[: entry.n - 1],
        "goes_on": False,
        "solves": [],
        "answers": _answers(live, entry),
        "then": [],
        "rule": "",
        "rule_url": "",
    }


def _answers(live: LiveTable, entry: Entry) -> list[Sequence[str]]:
    """The ways that solve it, each as far as one choice on the board goes."""
    most, state = entry.best[0].chance - ALIKE * entry.loss, live.table.history[entry.n - 1].before

    def way(each: Alternative) -> Sequence[str]:
        line = each.line or (each.action,)
        offer = advice_offer(live.game, state, entry.actor, line)
        return offer.actions if offer else line[:1]

    good = [each for each in entry.best if each.chance >= most and each.action != entry.action]
    return [way(each) for each in good if each.action != PRESS_DIE]
