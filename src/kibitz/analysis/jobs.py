"""Analyses that a server asks for in another process: everything here can travel there and back."""

from __future__ import annotations

import json
import time
from functools import lru_cache
from typing import Any, NamedTuple

from kibitz.analysis.duels import duel_of, is_card, solve_duel
from kibitz.analysis.evaluation import (
    AnyGame,
    Budget,
    Chances,
    Evaluator,
    default_budget,
    result_chances,
)
from kibitz.analysis.match import Alternative, Entry, Match, match_from_record, round_chances
from kibitz.core.game import CHANCE, Seat, write_choice
from kibitz.core.record import Record
from kibitz.games import GAMES

__all__ = ["PositionAnalysis", "analyse_entries", "analyse_position", "result_chances"]


class PositionAnalysis(NamedTuple):
    chances: Chances
    seat: Seat | None
    """The seat whose best actions these are."""
    best: tuple[Alternative, ...] = ()


def analyse_position(name: str, options: str, text: str, asked: Seat = "") -> PositionAnalysis:
    """The analysis of a position for the seat that is asked about, else for the first one to act,
    with the budget of a decision in a match. Options come as JSON. The chances are those with the
    best action, or over the best mix."""
    game = GAMES[name].game(json.loads(options))
    state = game.notation.read_state(text)
    judge, able = Evaluator(game, default_budget(name)), game.rules.to_act(state)
    seat = next((seat for seat in game.seats if seat in able and asked in ("", seat)), None)
    actions = game.rules.turn_actions(state, seat) if seat else ()
    if seat and actions and is_card(game, actions[0]):
        return _analyse_duel(game, state, seat, judge.budget)
    is_choice = seat and len(actions) + (CHANCE in able) > 1 and game.companion is None
    if not seat or not is_choice or not judge.is_weighed(state, seat):
        return PositionAnalysis(round_chances(judge.chances(state)), None)
    found, mine = judge.rank_actions(state, seat), game.seats.index(seat)
    best = found[0].chance
    chances: Chances = tuple(best if each == seat else 1.0 - best for each in game.seats)
    if len(game.seats) > 2:
        chances = judge.chances_with(state, seat, found[0].action)
    told = [
        Alternative(
            write_choice(game, each.action),
            min(each.chance, chances[mine]) if n else chances[mine],
            tuple(write_choice(game, action) for action in each.line),
        )
        for n, each in enumerate(found)
    ]
    return PositionAnalysis(round_chances(chances), seat, tuple(told))


def _analyse_duel(game: AnyGame, state: Any, seat: Seat, budget: Budget) -> PositionAnalysis:
    solution = solve_duel(game, state, budget)
    value, mine = solution.value, solution.attacker
    cards = solution.cards if seat == mine else solution.other_cards
    duel = duel_of(solution, seat, cards[0])
    ranked = sorted(cards, key=lambda card: -duel.mix[card])
    best = (Alternative(card, duel.chances[card], (card,), duel.mix[card]) for card in ranked)
    chances = tuple(value if each == mine else 1.0 - value for each in game.seats)
    return PositionAnalysis(
        round_chances(chances), seat, tuple(each for each in best if each.share)
    )


def analyse_entries(
    game: str,
    options: str,
    start: str,
    actions: tuple[str, ...],
    later: Entry | None,
    seconds: float,
) -> list[Entry]:
    """The entries of a record before a later one, or from its end on, backwards: as many as take
    about so long, one at least."""
    match = _cached_match(game, options, start, actions)
    if later:
        match.adopt(later)
    until, found = time.monotonic() + seconds, list[Entry]()
    for n in range(later.n - 1 if later else len(match), 0, -1):
        found.append(match.entry(n))
        # The card that was put down before one that is shown belongs to the same duel.
        if time.monotonic() >= until and not (found[-1].duel and found[-1].mix):
            break
    return found


@lru_cache(4)
def _cached_match(game: str, options: str, start: str, actions: tuple[str, ...]) -> Match:
    rulebook = GAMES[game]
    given = json.loads(options)
    record = Record(game=game, rules=rulebook.version, options=given, start=start, actions=actions)
    return match_from_record(rulebook.game(given), record, default_budget(game))
