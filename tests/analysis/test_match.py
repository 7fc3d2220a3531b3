"""A match looked at: chances that make sense, the blunder that is named, luck that evens out."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from kibitz.analysis.evaluation import Budget, Evaluator, result_chances
from kibitz.analysis.match import (
    Entry,
    Match,
    agreement,
    analyse_record,
    lucky_swings,
    match_from_record,
    match_json,
    mistakes,
    swings,
)
from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS
from kibitz.core.game import CHANCE
from kibitz.core.record import UNFINISHED, Record
from kibitz.games import GAMES, game_of
from support.random_matches import random_match

FORCED = "8/8/1AA2BB1/8/8/8/8/8 A 0,0 6,6 51 -"
WINNING, BLUNDER = "c6:E1", "f6:W2"
"""The only way to win by force there, and a way to lose."""
FEW = {"kalamala": Budget(nodes=800), "as-kimble": Budget(nodes=60), "kahmate": Budget(nodes=400)}


def some_of(name: str, most: int, seed: int = 3) -> Match:
    """The beginning of a random match."""
    game, played = random_match(name, seed)
    texts = tuple(game.notation.write_action(each.step.action) for each in played[:most])
    return match_from_record(game, record_of(game, texts), FEW[name])


def record_of(game: Any, actions: tuple[str, ...], start: str = "start") -> Record:
    return Record(
        game=game.name,
        rules=game.version,
        options=dict(game.options),
        start=start,
        actions=actions,
        result=UNFINISHED,
    )


def blunder_record() -> Record:
    """Rings can win by force and do something else; then both play well."""
    game = GAMES["kalamala"].game({})
    state = game.rules.resolve(
        game.notation.read_state(FORCED), "A", game.notation.read_action(BLUNDER)
    ).state
    actions = [BLUNDER]
    while len(actions) < 4:
        think = SearchContext(game, state.side, Random(1), nodes=20_000)
        action = BOTS["level-5"](state, game.rules.turn_actions(state, state.side), think)
        actions.append(game.notation.write_action(action))
        state = game.rules.resolve(state, state.side, action).state
    return record_of(game, tuple(actions), FORCED)


def test_a_blunder_is_the_largest_swing() -> None:
    record = blunder_record()
    entries = list(analyse_record(game_of(record), record, Budget(nodes=20_000)))
    first = entries[0]
    assert swings(entries, 5)[0] is first
    assert mistakes(entries, 1) == [first]
    assert first.before == (1.0, 0.0)
    assert first.best[0].action == WINNING
    assert first.best[0].chance == 1.0
    assert first.best[0].line[0] == WINNING
    assert len(first.best[0].line) >= 3
    assert first.loss == 1.0
    assert first.after == (0.0, 1.0)
    assert any(each.action == BLUNDER for each in first.best)


def test_who_does_the_best_loses_nothing() -> None:
    game = GAMES["kalamala"].game({})
    played = record_of(game, (WINNING,), FORCED)
    (entry,) = analyse_record(game, played, Budget(nodes=20_000))
    assert entry.loss == 0
    assert entry.after == (1.0, 0.0)
    assert not swings([entry], 5)


@pytest.mark.parametrize(("name", "most"), [("kalamala", 8), ("as-kimble", 40), ("kahmate", 20)])
def test_chances_sum_to_one(name: str, most: int) -> None:
    match = some_of(name, most)
    entries = [match.entry(n) for n in range(1, most + 1)]
    for each in entries:
        for chances in (each.before, each.after):
            assert len(chances) == len(match.game.seats)
            assert sum(chances) == pytest.approx(1)
            assert all(0 <= chance <= 1 for chance in chances)
        assert 0 <= each.loss <= 1
        assert sorted(each.best, key=lambda best: -best.chance) == list(each.best)
        if each.kind == "choice":
            assert each.action in [best.action for best in each.best]
    for one, other in pairwise(entries):
        if other.kind != "chance":
            assert one.after == other.before


def test_luck_evens_out() -> None:
    """Over all that the die may show, as often as it does."""
    match = some_of("as-kimble", 40)
    game = match.game
    state = next(s for s in match.states if game.rules.to_act(s) == {"R", CHANCE})
    before, found = match.evaluator.expected_chances(state), [0.0] * 4
    for action, odds in game.rules.odds(state).items():
        after = match.evaluator.chances(game.rules.resolve(state, CHANCE, action).state)
        found = [each + float(odds) * chance for each, chance in zip(found, after, strict=True)]
    assert found == pytest.approx(before, abs=0.01)
    assert any(lucky_swings([match.entry(n) for n in range(1, 41)], 40))


@pytest.mark.parametrize(("name", "most"), [("kalamala", 6), ("as-kimble", 30), ("kahmate", 16)])
def test_the_same_is_found_again_in_any_order(name: str, most: int) -> None:
    one, other = some_of(name, most), some_of(name, most)
    forwards = [one.entry(n) for n in range(1, most + 1)]
    backwards = [other.entry(n) for n in range(most, 0, -1)][::-1]
    assert forwards == backwards


def test_what_was_thought_about_before_does_not_matter() -> None:
    game, played = random_match("kalamala", 3)
    here, elsewhere = played[3].before, played[6].before
    first = Evaluator(game, Budget(nodes=10_000)).chances(here)
    Evaluator(game, Budget(nodes=20_000)).chances(elsewhere)
    assert Evaluator(game, Budget(nodes=10_000)).chances(here) == first


def test_what_is_over_is_decided() -> None:
    assert result_chances((1, -1)) == (1.0, 0.0)
    assert result_chances((0, 0)) == (0.5, 0.5)
    assert result_chances((-1, 3, -1, -1)) == (0.0, 1.0, 0.0, 0.0)
    game, played = random_match("kalamala", 1)
    over = played[-1].step.state
    assert sorted(Evaluator(game, FEW["kalamala"]).chances(over)) == [0.0, 1.0]


def test_giving_up_is_no_choice_to_be_weighed() -> None:
    game = GAMES["kalamala"].game({})
    match = match_from_record(game, record_of(game, ("@a1", "resign A")), FEW["kalamala"])
    entry = match.entry(2)
    assert entry.kind == "event"
    assert entry.after == (0.0, 1.0)
    assert (entry.loss, entry.best, entry.swing) == (0, (), 0)


def test_nobody_is_blamed_for_what_was_hidden() -> None:
    """Whatever Red has set up, Blue's last man is weighed alike."""
    game = GAMES["kahmate"].game({})
    found, after = [], set()
    for squares in (("b1", "b2", "b3", "b4", "b5", "b6"), ("c3", "c4", "c5", "c6", "c7", "c8")):
        men = [f"{man}@{at}" for man, at in zip("STFCOO", squares, strict=True)]
        men += ["S@k4", "T@k3", "F@k5", "C@k6", "O@l2", "O@l7"]
        entry = match_from_record(game, record_of(game, tuple(men)), FEW["kahmate"]).entry(12)
        found.append((entry.chance, entry.best, entry.loss))
        after.add(entry.after)
    assert found[0] == found[1]
    assert len(after) == 2, "while what came of it is told as it was"


def test_a_slower_win_is_no_mistake() -> None:
    """Rings could win at once; they win anyway."""
    game = GAMES["kalamala"].game({})
    start = "8/8/1AA2B2/8/8/8/8/8 A 0,0 6,7 51 -"
    (entry,) = analyse_record(game, record_of(game, ("c6:E1",), start), Budget(nodes=20_000))
    assert "f6:W2" in [each.action for each in entry.best if each.chance == 1.0]
    assert entry.loss == 0


def test_a_game_without_a_mind_can_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """By what greedy would do, and the score where that leads."""
    monkeypatch.setitem(GAMES, "kalamala", replace(GAMES["kalamala"], extras={}))
    match = some_of("kalamala", 24)
    entries = [match.entry(n) for n in range(1, 25)]
    assert all(sum(each.after) == pytest.approx(1) for each in entries)
    choices = [each for each in entries if each.kind == "choice"]
    assert all(len(each.best) <= 2 for each in choices)
    assert any(each.loss > 0.01 for each in choices)
    assert any(each.after != (0.5, 0.5) for each in entries)


def test_as_json() -> None:
    match = some_of("as-kimble", 30)
    entries = [match.entry(n) for n in range(1, 31)]
    made = json.loads(json.dumps(match_json(match.game, entries, 3)))
    assert (made["game"], made["seats"]) == ("as-kimble", ["R", "B", "Y", "G"])
    assert len(made["entries"]) == 30
    for each in made["entries"]:
        assert {"n", "actor", "action", "kind", "before", "after"} <= each.keys()
        assert set(each["before"]) == set("RBYG")
        assert each["kind"] != "chance" or "best" not in each
        for best in each.get("best", ()):
            assert {"action", "chance", "line"} == best.keys()
    assert made["swings"] == [each.n for each in swings(entries, 3)]
    assert all(isinstance(each, Entry) for each in entries)


def test_choices_are_compared_with_those_of_the_best_engine() -> None:
    """Rings blunder and then play as level 5 does; what is forced or drawn says nothing."""
    record = blunder_record()
    entries = list(analyse_record(game_of(record), record, Budget(nodes=20_000)))
    made = [each for each in entries if each.kind == "choice" and each.actor == "A"]
    found = agreement(entries, "A")
    assert found.choices == len(made) > 0
    assert found.same == found.choices - sum(each.loss > 0 for each in made) < found.choices
    forced = [replace(each, kind="forced") for each in entries]
    assert agreement(forced, "A") == (0, 0)
