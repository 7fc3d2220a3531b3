"""Analyses that a server asks for in another process: everything here can travel there and back."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from kibitz.analysis.duels import duel_of
from kibitz.analysis.evaluation import Budget, Chances, Evaluator, default_budget, result_chances
from kibitz.analysis.match import Alternative, Entry, Match, match_from_record, round_chances
from kibitz.core.game import PRESS_DIE, Seat
from kibitz.core.record import Record
from kibitz.games import GAMES

__all__ = ["PositionAnalysis", "analyse_entries", "analyse_position", "result_chances"]


class PositionAnalysis(NamedTuple):
    chances: Chances
    seat: Seat | None
    """The seat whose best actions these are."""
    best: tuple[Alternative, ...] = ()


def analyse_position(name: str, options: str, text: str, seconds: float) -> PositionAnalysis:
    """The analysis of a position within about so many seconds. Options come as JSON."""
    game = GAMES[name].game(json.loads(options))
    state = game.notation.read_state(text)
    judge = Evaluator(game, Budget(seconds=seconds / 2))
    chances = round_chances(judge.chances(state))
    able = game.rules.to_act(state)
    seat = next((seat for seat in game.seats if seat in able), None)
    actions = game.rules.turn_actions(state, seat) if seat else ()
    if seat is None or not actions or game.companion is not None:
        return PositionAnalysis(chances, None)
    if duel := duel_of(game, state, seat, actions[0], judge.budget):
        ranked = sorted(duel.chances, key=lambda card: -duel.mix[card])
        best = (Alternative(card, duel.chances[card], (), duel.mix[card]) for card in ranked)
        return PositionAnalysis(chances, seat, tuple(each for each in best if each.share))
    found = judge.rank_actions(state, seat) if len(actions) > 1 else ()
    told = [
        Alternative(
            game.notation.write_action(each.action), each.chance, _action_texts(game, each.line)
        )
        for each in found
        if each.action != PRESS_DIE
    ]
    return PositionAnalysis(chances, seat, tuple(told))


def _action_texts(game: Any, line: Sequence[Any]) -> tuple[str, ...]:
    return tuple(game.notation.write_action(each) for each in line if each != PRESS_DIE)


def analyse_entries(
    game: str, options: str, start: str, actions: tuple[str, ...], first: int, seconds: float
) -> list[Entry]:
    """The entries of a record from one on, as many as take about so long, one at least."""
    match = _cached_match(game, options, start, actions)
    until, found = time.monotonic() + seconds, list[Entry]()
    for n in range(first, len(match) + 1):
        found.append(match.entry(n))
        if time.monotonic() >= until:
            break
    return found


@lru_cache(4)
def _cached_match(game: str, options: str, start: str, actions: tuple[str, ...]) -> Match:
    rulebook = GAMES[game]
    given = json.loads(options)
    record = Record(game=game, rules=rulebook.version, options=given, start=start, actions=actions)
    return match_from_record(rulebook.game(given), record, default_budget(game))
