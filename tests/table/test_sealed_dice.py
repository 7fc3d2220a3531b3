"""Sealed dice: fair, and checked draw by draw."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from duel import DUEL, duel
from kibitz.core.game import CHANCE, REFEREE
from kibitz.core.record import Record, read_record, write_record
from kibitz.games import GAMES
from kibitz.table import Table, open_table
from kibitz.table.sealed_dice import commitment, draw_action, fair_draw, verify_seal

SEED = "5e" * 32
ENTROPIES = ["ann-1", "bob-2"]
POSITION = "h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -"


@pytest.mark.parametrize("whole", [2, 6, 20, 36, 1000])
def test_every_ticket_is_as_likely_as_any_other(whole: int) -> None:
    draws = 200 * min(whole, 100)
    found = Counter(fair_draw(SEED, ENTROPIES, number, whole) for number in range(draws))
    counts = [found[each] for each in range(whole)]
    assert sum(counts) == draws
    assert chisquare(counts).pvalue > 0.001


def test_one_draw_tells_nothing_of_the_next() -> None:
    rolls = [fair_draw(SEED, ENTROPIES, number, 6) for number in range(7200)]
    pairs = Counter(pairwise(rolls))
    assert chisquare([pairs[a, b] for a in range(6) for b in range(6)]).pvalue > 0.001


@given(st.integers(0, 10**6), st.integers(1, 10**9))
def test_a_ticket_is_one_of_the_whole_and_always_the_same(number: int, whole: int) -> None:
    found = fair_draw(SEED, ENTROPIES, number, whole)
    assert 0 <= found < whole
    assert found == fair_draw(SEED, ENTROPIES, number, whole)


def test_numbers_that_would_favour_some_are_not_used() -> None:
    """With a whole just above half of all numbers, one in two is tried again."""
    whole = (1 << 255) + 1
    found = [fair_draw(SEED, ENTROPIES, number, whole) for number in range(400)]
    assert all(each < whole for each in found)
    below = sum(each < whole // 2 for each in found)
    assert 150 < below < 250


def test_everything_goes_into_a_draw() -> None:
    whole = 1 << 64
    usual = fair_draw(SEED, ENTROPIES, 3, whole)
    others = {
        fair_draw("5f" + SEED[2:], ENTROPIES, 3, whole),
        fair_draw(SEED, ["ann-2", "bob-2"], 3, whole),
        fair_draw(SEED, ["bob-2", "ann-1"], 3, whole),
        fair_draw(SEED, ENTROPIES[:1], 3, whole),
        fair_draw(SEED, ENTROPIES, 4, whole),
    }
    assert usual not in others
    assert len(others) == 5


def test_draws_follow_the_odds_of_the_game() -> None:
    game = duel()
    state = open_table(game).act("A", "c3")[0].act("B", "c1")[0].state
    found = Counter(draw_action(game, state, SEED, ENTROPIES, number) for number in range(3000))
    odds = {
        game.notation.write_action(action): share
        for action, share in game.rules.odds(state).items()
    }
    assert set(found) == set(odds)
    expected = [float(odds[text] * 3000) for text in odds]
    assert sum(odds.values()) == Fraction(1)
    assert chisquare([found[text] for text in odds], expected).pvalue > 0.001


def sealed_table(*taken_back: int) -> Table[Any, Any, Any]:
    """A match of the sample game to its end; after some rounds the referee takes a draw back."""
    game = DUEL.game({"goal": 4})
    table: Table[Any, Any, Any] = open_table(game)
    rounds = 0
    while not table.is_over:
        to_act = game.rules.to_act(table.state)
        if CHANCE in to_act:
            text = draw_action(game, table.state, SEED, ENTROPIES, table.draws)
            table, _ = table.act(CHANCE, text)
            rounds += 1
            if rounds in taken_back and not table.is_over:
                table, _ = table.act(REFEREE, f"back {len(table.history) - 1}")
        else:
            seat = min(to_act)
            actions = sorted(
                map(game.notation.write_action, game.rules.turn_actions(table.state, seat))
            )
            table, _ = table.act(seat, actions[0 if seat == "A" else -1])
    return table


def sealed_record(table: Table[Any, Any, Any]) -> Record:
    seal = {
        "commitment": commitment(SEED),
        "seed": SEED,
        "entropies": ENTROPIES,
        "draws": list(table.recorded_draws),
    }
    return read_record(write_record(replace(table.record, extras={"seal": seal})))


def fault(record: Record, **changed: Any) -> tuple[int | None, str] | None:
    """What is wrong with a record whose seal was changed; `None` takes a part away."""
    seal = {**record.extras["seal"], **changed}
    kept = {name: part for name, part in seal.items() if part is not None}
    found = verify_seal(DUEL.game({"goal": 4}), replace(record, extras={"seal": kept}))
    return (found.index, found.refusal.id) if found else None


def test_a_record_whose_draws_are_as_sealed_is_in_order() -> None:
    record = sealed_record(sealed_table())
    assert len(record.extras["seal"]["draws"]) >= 2
    assert fault(record) is None
    assert verify_seal(duel(), replace(record, extras={})) is None


def test_every_change_is_named() -> None:
    record = sealed_record(sealed_table())
    draws = record.extras["seal"]["draws"]
    first = next(n for n, text in enumerate(record.actions) if text.startswith("r"))
    assert fault(record, seed="aa" * 32) == (None, "seal.broken")
    assert fault(record, commitment="aa" * 32) == (None, "seal.broken")
    assert fault(record, seed="aa" * 32, commitment=commitment("aa" * 32)) is not None
    assert fault(record, entropies=["ann-1", "bob-3"]) is not None
    assert fault(record, seed=None) == (None, "seal.closed")
    assert fault(record, draws=draws[:-1]) is not None
    assert fault(record, draws=[*draws, draws[-1] + 1]) == (None, "seal.draws")
    assert fault(record, draws=[]) == (first, "seal.draws")
    assert fault(record, draws=[n + 1 for n in draws]) is not None


def test_a_changed_draw_is_named_with_what_it_must_be() -> None:
    table = sealed_table()
    record = sealed_record(table)
    index = next(n for n, text in enumerate(record.actions) if text.startswith("r"))
    other = next(text for text in ("r1", "r2", "r3") if text != record.actions[index])
    actions = (*record.actions[:index], other, *record.actions[index + 1 :])
    changed = replace(record, actions=actions, result="*")
    found = verify_seal(DUEL.game({"goal": 4}), changed)
    assert found
    assert (found.index, found.refusal.id) == (index, "seal.draw")
    assert found.refusal.value("text") == record.actions[index]


@pytest.mark.parametrize(
    "changed",
    [
        {"commitment": None},
        {"commitment": "AA" * 32},
        {"seed": 5},
        {"seed": "5e"},
        {"entropies": None},
        {"entropies": ["ann-1", 2]},
        {"entropies": ["ann-1:bob-2"]},
        {"entropies": [""]},
        {"draws": None},
        {"draws": [0, 0]},
        {"draws": [True]},
        {"draws": [-1]},
        {"draws": [1, 0]},
    ],
)
def test_what_is_no_seal_is_called_so(changed: dict[str, Any]) -> None:
    assert fault(sealed_record(sealed_table()), **changed) == (None, "seal.unreadable")


@pytest.mark.parametrize("seal", [5, [], "sealed", True])
def test_a_seal_of_another_kind_is_called_so(seal: Any) -> None:
    record = replace(sealed_record(sealed_table()), extras={"seal": seal})
    found = verify_seal(DUEL.game({"goal": 4}), record)
    assert found
    assert found.refusal.id == "seal.unreadable"


def test_numbers_of_draws_taken_back_are_never_used_again() -> None:
    table = sealed_table(1, 3)
    chance = [row for row in table.rows if row.actor == CHANCE]
    assert table.draws == len(chance) > len(table.recorded_draws)
    assert 0 not in table.recorded_draws
    assert list(table.recorded_draws) == sorted(set(table.recorded_draws))
    assert fault(sealed_record(table)) is None


def test_every_game_with_dice_can_be_sealed() -> None:
    game = GAMES["as-kimble"].game({})
    state = game.notation.read_state(POSITION)
    texts = {draw_action(game, state, SEED, ENTROPIES, number) for number in range(60)}
    assert texts == set(map(game.notation.write_action, game.rules.odds(state)))
