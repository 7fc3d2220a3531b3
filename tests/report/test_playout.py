"""Games played for a report are games like any other, and the same for the same seed."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

import pytest

from kibitz.core.game import Game
from kibitz.core.record import Record, ReplayStep, replay, verify
from kibitz.games import GAMES
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.rules.book import raises_of
from kibitz.games.kahmate.actions import Card
from kibitz.games.kahmate.rules import modifiers
from kibitz.games.kahmate.state import Duelling
from kibitz.report import as_kimble, every_game, kahmate, kalamala
from kibitz.report.playout import ReportPlan, play_game, report_module, summaries

KIMBLE = ReportPlan(
    game="as-kimble",
    options={"pace": "free"},
    bots=("random",) * 4,
    games=6,
    rates={"done": 0.05, "raising": 0.5, "hembo": 0.5},
)
KAHMATE = ReportPlan(
    game="kahmate",
    options={**GAMES["kahmate"].bots_preset, "tries": 2},
    bots=("greedy", "random"),
    games=3,
)
KALAMALA = ReportPlan(
    game="kalamala", options={"turn_limit": 60}, bots=("random", "random"), games=5
)
PLANS = {plan.game: plan for plan in (KIMBLE, KAHMATE, KALAMALA)}


@lru_cache
def lines(name: str, index: int) -> list[ReplayStep[Any, Any]]:
    return list(play_game(PLANS[name], index))


def texts(game: Game[Any, Any, Any], match: list[ReplayStep[Any, Any]]) -> tuple[str, ...]:
    return tuple(game.notation.write_action(line.step.action) for line in match)


def test_every_game_of_ours_has_a_report_of_its_own() -> None:
    assert all(report_module(name) is not every_game for name in GAMES)
    assert set(PLANS) == set(GAMES)


@pytest.mark.parametrize("name", PLANS)
def test_what_is_played_is_a_match_and_sums_up_like_its_record(name: str) -> None:
    plan, match = PLANS[name], lines(name, 0)
    game = plan.build_game()
    over = game.rules.outcome(match[-1].step.state)
    assert over
    record = Record(
        game=name,
        rules=game.version,
        options=plan.options,
        actions=texts(game, match),
        result=over.result,
    )
    assert verify(game, record) is None
    replayed = list(replay(game, record))
    assert report_module(name).summary(game, replayed) == report_module(name).summary(game, match)


def test_a_seed_plays_the_same_games_in_any_number_of_processes() -> None:
    alone = list(summaries(KALAMALA))
    assert list(summaries(KALAMALA, 2)) == alone
    assert len(alone) == KALAMALA.games
    other = ReportPlan(**{**{f: getattr(KALAMALA, f) for f in ReportPlan.__slots__}, "seed": 2})
    assert list(summaries(other)) != alone


@pytest.mark.parametrize("index", range(KIMBLE.games))
def test_a_summary_of_as_kimble_agrees_with_the_book(index: int) -> None:
    match = lines("as-kimble", index)
    game, state = KIMBLE.build_game(), match[-1].step.state
    found = as_kimble.summary(game, match)
    words = [text.split() for text in texts(game, match)]
    assert found.pops == sum(word[1] == "pop" for word in words)
    assert found.actions == sum(word[1] not in ("done", "hembo") for word in words)
    assert found.raises == tuple(raises_of(state, team) for team in TEAMS)
    for at, team in enumerate(TEAMS):
        bites = sum(bite.penalties * n for bite, n in found.bites if bite.victim == team)
        assert found.penalties_received[at] == bites + found.hembo_missed[at]
        done = [int(word[2]) for word in words if word[:2] == [team, "done"]]
        assert found.penalties_completed[at] == sum(done)
        said = sum(word[:2] == [team, "hembo"] for word in words)
        assert found.hembo_due[at] >= said + found.hembo_missed[at]
    assert sorted(size for _, size in found.pieces_made) == sorted(grown_sizes(match))


def grown_sizes(match: list[ReplayStep[Any, Any]]) -> list[int]:
    """The sizes of multiplied pieces on start grids that were smaller or not there before."""
    found = []
    for line in match:
        for old, new in zip(line.before.sides, line.step.state.sides, strict=True):
            sizes = [{p.progress: p.size for p in side.ring}.get(0, 0) for side in (old, new)]
            if sizes[1] > max(1, sizes[0]):
                found.append(sizes[1])
    return found


def test_a_raise_onto_an_own_piece_makes_a_multiplied_one() -> None:
    """Example 9 of the rules."""
    game = KIMBLE.build_game()
    sides = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1"
    state = game.notation.read_state(f"{sides} R:M6 d6 0+1/2+0/0+0/1+0 1:- ---- -")
    step = game.rules.resolve(state, "R", game.notation.read_action("R raise g1"))
    found = as_kimble.summary(game, [ReplayStep(state, "R", step)])
    assert found.pieces_made == (("R", 2),)
    assert found.raises == (1, 0, 0, 0)
    assert found.result == ""


def test_rates_of_nought_and_one_are_never_and_always() -> None:
    options = {"pace": "turn"}
    never = ReportPlan(
        game="as-kimble",
        options=options,
        bots=("random",) * 4,
        rates={"raising": 0, "doubling": 0, "hembo": 0},
    )
    game = never.build_game()
    for index in range(2):
        found = as_kimble.summary(game, list(play_game(never, index)))
        assert sum(found.raises) == 0
        assert not found.pieces_made
        assert sum(found.hembo_due) >= sum(found.hembo_missed) > 0
    always = ReportPlan(
        game="as-kimble",
        options=options,
        bots=("random",) * 4,
        rates={"doubling": 1, "hembo": 1},
    )
    match = list(play_game(always, 0))
    for line in match:
        listed = game.rules.turn_actions(line.before, line.actor)
        could = [
            each for each in map(game.notation.write_action, listed) if each.endswith(" double")
        ]
        assert not could or game.notation.write_action(line.step.action) in could
    assert not sum(as_kimble.summary(game, match).hembo_missed)


@pytest.mark.parametrize("index", range(KAHMATE.games))
def test_a_summary_of_kahmate_agrees_with_cards_and_score(index: int) -> None:
    match = lines("kahmate", index)
    game, state = KAHMATE.build_game(), match[-1].step.state
    found = kahmate.summary(game, match)
    scored = Counter(seat for seat, _ in found.tries)
    assert (scored["R"], scored["B"]) == state.score
    assert found.turns == state.turns
    cards = [line for line in match if isinstance(line.step.action, Card)]
    assert sum(n for _, n in found.cards) == len(cards)
    assert [duel.is_won for duel in found.duels] == duel_winners(cards)


def duel_winners(cards: list[ReplayStep[Any, Any]]) -> list[bool]:
    """Who won each duel, by its cards and modifiers."""
    found = []
    for line in cards:
        duel = line.before.phase
        assert isinstance(duel, Duelling)
        if duel.card is not None:
            attack, defend = modifiers(line.before.field, duel)
            margin = duel.card + attack - line.step.action.card - defend
            if margin or duel.round == 2:
                found.append(margin > 0)
    return found


@pytest.mark.parametrize("index", range(KALAMALA.games))
def test_a_summary_of_kalamala_agrees_with_the_position(index: int) -> None:
    match = lines("kalamala", index)
    game, state = KALAMALA.build_game(), match[-1].step.state
    found = kalamala.summary(game, match)
    _, _, reserve, dead, turn, _ = game.notation.write_state(state).split()
    assert ",".join(map(str, found.stones_lost)) == dead
    assert ",".join(map(str, found.reserve_left)) == reserve
    assert found.turns == int(turn) - 1 == sum(found.deeds)
