"""Bots play by the rules, see only their view, and the stronger one wins."""

import pickle
from random import Random
from typing import Any

import pytest

from duel import duel
from kibitz.arena.plan import ArenaPlan, check_plan
from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS, bots_for_game, choose_action
from kibitz.core.game import Game, Seat
from kibitz.core.message import Refused
from kibitz.games.kalamala import Options, kalamala
from kibitz.table import Table, open_table
from support.bots.bot_questions import question_at

AnyGame = Game[Any, Any, Any]
NODES = 200
QUICK = ("random", "greedy")


def match(game: AnyGame, bots: dict[Seat, str], seed: int) -> Table[Any, Any, Any]:
    """A whole match of bots, chance included."""
    rng, table = Random(seed), open_table(game)
    while not table.outcome:
        for actor in sorted(game.rules.to_act(table.state)):
            actions = table.actions(actor)
            if actor in bots:
                bot = BOTS[bots[actor]]
                action = bot(
                    table.view(actor), actions, SearchContext(game, actor, rng, nodes=NODES)
                )
            else:
                action = rng.choice(actions)
            table, _ = table.act(actor, game.notation.write_action(action))
    return table


def chosen_action(position: str, seat: Seat, seed: int = 0) -> str:
    game = kalamala()
    state = game.notation.read_state(position)
    action = BOTS["greedy"](
        state, game.rules.turn_actions(state, seat), SearchContext(game, seat, Random(seed))
    )
    return game.notation.write_action(action)


def may_lose(position: str, text: str) -> bool:
    """Whether B, after playing this, can be answered with the end of the match."""
    game = kalamala()
    after = game.rules.resolve(
        game.notation.read_state(position), "B", game.notation.read_action(text)
    ).state
    answers = game.rules.turn_actions(after, "A")
    return any(
        game.rules.outcome(game.rules.resolve(after, "A", answer).state) for answer in answers
    )


def test_greedy_beats_random() -> None:
    game, wins = kalamala(Options(turn_limit=500)), 0
    for seed in range(10):
        me, other = ("A", "B") if seed % 2 else ("B", "A")
        over = match(game, {me: "greedy", other: "random"}, seed).outcome
        wins += over is not None and over.result == me
    assert wins >= 9


def test_greedy_takes_a_win() -> None:
    """Example 3 of the rule book: pulled next to the pair, B has no action left."""
    for seed in range(5):
        assert chosen_action("8/8/1AA2B2/8/8/8/8/8 A 0,0 6,7 51 -", "A", seed) == "f6:W2"


def test_greedy_pushes_off() -> None:
    assert chosen_action("5B2/5B2/5A2/5A2/5A2/5A2/8/8 A 0,1 4,5 51 -", "A") == "f7-f8:N2"


def test_greedy_does_not_hand_over_a_win() -> None:
    """It could push one off on d8, but A's answer would be the last."""
    position = "3A4/3B4/6A1/2A4B/8/8/8/8 B 0,0 5,6 60 -"
    assert may_lose(position, "d8:N1")
    for seed in range(5):
        assert not may_lose(position, chosen_action(position, "B", seed))


@pytest.mark.parametrize("bot", BOTS)
def test_a_seed_gives_the_same_match_again(bot: str) -> None:
    game = kalamala(Options(turn_limit=30))
    first, second = (match(game, {"A": bot, "B": bot}, 7).record for _ in range(2))
    assert first == second


@pytest.mark.parametrize("bot", BOTS)
def test_bots_play_a_game_that_nobody_has_judged(bot: str) -> None:
    """Secrets, chance and no engine: what is put down early cannot be looked ahead of."""
    for seed in range(5):
        assert match(duel(), {"A": bot, "B": bot}, seed).outcome


def test_a_bot_may_commit_before_its_turn() -> None:
    game, table = duel(), open_table(duel())
    action = BOTS["greedy"](
        table.view("B"), table.actions("B"), SearchContext(game, "B", Random(1))
    )
    assert action in table.actions("B")


@pytest.mark.parametrize("bot", QUICK)
def test_choosing_in_another_process(bot: str) -> None:
    asked = question_at(kalamala(), "A", bot, seed=5)
    assert choose_action(asked) in asked.texts
    assert choose_action(pickle.loads(pickle.dumps(asked))) == choose_action(asked)


def test_levels_are_offered_only_where_somebody_thinks() -> None:
    assert set(bots_for_game("kalamala")) == set(BOTS)
    assert bots_for_game("duel") == QUICK


def test_a_level_that_is_none_of_its_own_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a mind it would be greedy by another name."""
    plan = ArenaPlan(game="kalamala", options={}, bots=("level-5@10n", "greedy"))
    check_plan(plan)
    monkeypatch.setattr("kibitz.bots.registry.has_engine", lambda game: False)
    with pytest.raises(Refused) as refused:
        check_plan(plan)
    assert refused.value.refusal.id == "cli.bot"
