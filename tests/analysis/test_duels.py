"""Cards against the best mix: what belongs to it costs nothing, the rest does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from kibitz.analysis.duels import Duel, ShownCard, duel_of, solve_duel
from kibitz.analysis.evaluation import Budget, default_budget
from kibitz.analysis.findings import card_pairs
from kibitz.analysis.match import match_from_record
from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS, LEVELS
from kibitz.core.record import Record
from kibitz.games import GAMES
from kibitz.games.kahmate.actions import Card
from kibitz.games.kahmate.state import CARDS

GAME = GAMES["kahmate"].game({})
FEW = Budget(nodes=400)
TACKLE = "13/8o4/13/13/5Soc5/3O9/13/13 R duel:T:f5>g5:1:- f5:0 g5 {hands} 0-0 9 -"


def duels(hands: str, side: str, first: int = 0) -> dict[int, Duel]:
    """What is said of each card of a hand; of the defender's once a first one lies there."""
    state = GAME.notation.read_state(TACKLE.format(hands=hands))
    if side == "B":
        state = GAME.rules.resolve(state, "R", Card(first)).state
    solution = solve_duel(GAME, state, default_budget("kahmate"))
    return {
        card: duel_of(solution, side, GAME.notation.write_action(Card(card)))
        for card in CARDS
        if Card(card) in GAME.rules.turn_actions(state, side)
    }


@pytest.mark.parametrize("hands", ["123456/123456", "1356/2346", "246/135", "6/1"])
@pytest.mark.parametrize("side", ["R", "B"])
def test_a_card_of_the_mix_costs_nothing(hands: str, side: str) -> None:
    first = int(hands[0])
    for duel in duels(hands, side, first).values():
        assert sum(duel.mix.values()) == pytest.approx(1)
        assert sum(duel.other.values()) == pytest.approx(1)
        assert duel.cost >= 0
        if duel.share:
            assert duel.cost == 0
        assert duel.is_attack == (side == "R")


@pytest.mark.parametrize("side", ["R", "B"])
def test_a_card_outside_of_it_costs_something(side: str) -> None:
    costs = [duel.cost for duel in duels("123456/123456", side, 1).values() if not duel.share]
    assert costs
    assert all(0 < cost < 1 for cost in costs)


def test_a_card_is_not_held_against_the_one_it_met() -> None:
    assert duels("123456/123456", "B", 1) == duels("123456/123456", "B", 6)


def test_the_mixes_are_each_others_answer() -> None:
    attacker, defender = duels("1356/2346", "R"), duels("1356/2346", "B", 1)
    assert attacker[1].mix == defender[2].other
    assert attacker[1].other == defender[2].mix


@pytest.mark.parametrize("side", ["R", "B"])
def test_the_mix_is_about_the_one_that_level_5_plays(side: str) -> None:
    """Level 5 is surer of what a duel decides than the analysis is."""
    state = GAME.notation.read_state(TACKLE.format(hands="1356/2346"))
    if side == "B":
        state = GAME.rules.resolve(state, "R", Card(1)).state
    think = SearchContext(GAME, side, Random(0), nodes=default_budget("kahmate").nodes)
    BOTS[LEVELS[-1]](GAME.rules.view(state, side, ()), GAME.rules.turn_actions(state, side), think)
    played = {
        GAME.notation.write_action(each.action): each.share for each in think.evaluation.candidates
    }
    mix = next(iter(duels("1356/2346", side, 1).values())).mix
    assert mix == pytest.approx(played, abs=0.1)


def test_what_came_of_two_cards_is_what_they_were_worth() -> None:
    """Ends that are alike are worth alike, but for the cards that are left."""
    state = GAME.notation.read_state(TACKLE.format(hands="1356/2346"))
    state = GAME.rules.resolve(state, "R", Card(6)).state
    for chance in (0.05, 0.5, 0.97):
        solution = solve_duel(GAME, state, FEW, ShownCard("card=2", chance))
        pairs = {met: each for met, _, each in solution.pairs}
        assert solution.met == ("card=6", "card=2")
        assert pairs[solution.met] == pytest.approx(chance)
        won_by_two = solution.chances[3, 0], solution.chances[2, 0]
        assert won_by_two[0] == pytest.approx(won_by_two[1], abs=0.1)


def match(*actions: str) -> Any:
    start = TACKLE.format(hands="123456/123456")
    record = Record(game="kahmate", rules="1", options={}, start=start, actions=actions)
    return match_from_record(GAME, record, default_budget("kahmate"))


def test_both_cards_of_a_match_are_told_together() -> None:
    """The first one changes nothing yet; what is turned over was luck."""
    found = match("card=3", "card=3", "end")
    entries = [found.entry(n) for n in (1, 2, 3)]
    assert [each.kind for each in entries[:2]] == ["duel", "duel"]
    assert entries[0].before == entries[0].after
    assert not any(entries[0].luck)
    assert entries[1].luck[0] > 0.02
    assert [[each.n for each in met] for met in card_pairs(entries)] == [[1, 2]]
    assert entries[0].loss == round(entries[0].duel.cost, 4)


def test_a_tie_is_a_duel_of_its_own() -> None:
    found = match("card=4", "card=6", "card=1", "card=1")
    entries = [found.entry(n) for n in (1, 2, 3, 4)]
    assert [each.duel.round for each in entries] == [1, 1, 2, 2]
    assert [[each.n for each in met] for met in card_pairs(entries)] == [[1, 2], [3, 4]]


def test_a_card_that_was_never_answered_stands_alone() -> None:
    found = match("card=4", "resign B")
    assert [[each.n for each in met] for met in card_pairs([found.entry(1), found.entry(2)])] == [
        [1]
    ]
