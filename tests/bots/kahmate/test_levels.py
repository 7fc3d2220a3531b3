"""The bots of Kahmaté: their cards cannot be exploited, their turns are legal and see tries."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.optimize import linprog

from kibitz.bots.api import SearchContext
from kibitz.bots.kahmate import levels, weights
from kibitz.bots.kahmate.card_mixes import (
    FIRST_ROUND,
    MAX_CARDS,
    Stakes,
    duel_solver,
    first_card_value,
    pack_hand,
    solve,
)
from kibitz.bots.kahmate.line_ups import line_ups, next_placement, regret_matching_mixes
from kibitz.bots.kahmate.reach import chance_in_turn, new_men_table
from kibitz.bots.kahmate.search import BEST
from kibitz.bots.kahmate.turn_graph import (
    BY_TWO_SHARE,
    GAMBLE,
    KNOTS,
    NODES,
    NOWHERE,
    add_gambles,
    foremost_square,
    new_turn_graph,
    rank_gambles,
)
from kibitz.bots.kahmate.value import (
    CELLS,
    CELLS_THERE,
    FILES,
    FIRST_TRY_CHANCE,
    MATCH_CHANCES,
    RANKS,
    fill_features,
    read_net,
    win_chance,
    write_net,
)
from kibitz.core.game import CHANCE
from kibitz.core.jit import i64, u64
from kibitz.games.kahmate import kernel
from kibitz.games.kahmate.actions import Card, Placement
from kibitz.games.kahmate.board import SQUARES, is_in_goal
from kibitz.games.kahmate.duels import Round, hand_game, single_duel
from kibitz.games.kahmate.game import kahmate
from kibitz.games.kahmate.kernel.duel import modifier_edge
from kibitz.games.kahmate.kernel.encoding import FORCE_CONTEST, TACKLE_CONTEST
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.state import CARDS, SEATS, TEAM, Man, Playing, State
from support.bots.kahmate_reach import reach_in_turn, try_chance

BOTS = {"mcts": levels.mcts, **{f"level-{n}": bot for n, bot in enumerate(levels.LEVELS, 1)}}
GAMES = {small_game.__name__: small_game for small_game in (single_duel, hand_game)}


def answer_of(game: Any, state: State, seat: str, bot: Any, nodes: int = 300, seed: int = 0) -> Any:
    think = SearchContext(game, seat, Random(seed), nodes=nodes)
    return bot(game.rules.view(state, seat, ()), game.rules.turn_actions(state, seat), think), think


def some_options(rng: Random) -> Options:
    return Options(
        tries=rng.randint(1, 3),
        start=rng.choice("RB"),
        pass_shape=rng.choice(("area", "line")),
        kick_shape=rng.choice(("area", "line")),
        between=rng.choice(("both", "diag")),
        force_beyond=rng.choice(("opponent", "any", "exit")),
        force_down=rng.choice(("yes", "no")),
        perfect=rng.choice(("atleast", "exact")),
        turn_limit=rng.choice((0, 40, 200)),
        hold_limit=rng.choice((0, 1, 8)),
        force_exit=rng.choice(("must", "may")),
        kick_in_goal=rng.random() < 0.5,
        placement=rng.choice(("hidden", "open")),
    )


def played_at_random(game: Any, rng: Random, plies: int) -> State:
    state: State = game.rules.start()
    for _ in range(plies):
        actors = game.rules.to_act(state)
        if not actors:
            break
        actor = next(iter(actors))
        actions = (
            list(game.rules.odds(state))
            if actor == CHANCE
            else game.rules.turn_actions(state, actor)
        )
        after = game.rules.resolve(state, actor, rng.choice(actions)).state
        if not game.rules.to_act(after):
            break
        state = after
    return state


# Any matrix


def value_of(table: Any) -> float:
    """By a linear program: the most that a mix of rows secures."""
    height, width = table.shape
    found = linprog(
        [*[0.0] * height, -1.0],
        A_ub=np.hstack([-table.T, np.ones((width, 1))]),
        b_ub=np.zeros(width),
        A_eq=[[*[1.0] * height, 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, None)] * height, (None, None)],
    )
    return -float(found.fun)


def test_a_matrix_game_is_solved_as_a_linear_program_solves_it() -> None:
    rng, c = np.random.default_rng(1), duel_solver()
    for _ in range(200):
        height, width = rng.integers(1, MAX_CARDS + 1, 2)
        table = rng.integers(-3, 4, (height, width)) * rng.choice([1.0, 0.01])
        c.payoffs[FIRST_ROUND, :height, :width] = table
        value = solve(c, i64(FIRST_ROUND), i64(height), i64(width))
        rows, columns = c.rows[FIRST_ROUND, :height], c.columns[FIRST_ROUND, :width]
        exact = value_of(table)
        assert value == pytest.approx(exact, abs=1e-7)
        assert rows.sum() == pytest.approx(1)
        assert columns.sum() == pytest.approx(1)
        assert (rows @ table).min() == pytest.approx(value, abs=1e-7)
        assert (table @ columns).max() == pytest.approx(value, abs=1e-7)


# The two games of a duel


def lead_of(round_: Round, edge: int, mine: int, theirs: int, hands: Any, name: str) -> float:
    """What the first cards lead to when all goes on as well as it can."""
    if (mine, theirs) in round_.ties:
        return float(round_.ties[mine, theirs].outlook.lead)
    left = [
        tuple(c for c in hand if c != out) for hand, out in zip(hands, (mine, theirs), strict=True)
    ]
    lead = 1 if mine + edge > theirs else -1
    if name == "single_duel" or not left[0]:
        return lead
    return lead + float(hand_game(0, 0, *left).outlook.lead)


@pytest.mark.parametrize("name", GAMES)
def test_a_mix_of_cards_cannot_be_exploited(name: str) -> None:
    rng = Random(name)
    for _ in range(60):
        size = rng.randint(1, 4)
        hands = [rng.choice(list(combinations(CARDS, size))) for _ in SEATS]
        edge = rng.randint(-3, 3)
        exact = GAMES[name](edge, 0, *hands)
        ours, others = levels.card_mixes(edge, 0, hands[0], hands[1], name.split("_")[0])
        table = np.array(
            [[lead_of(exact, edge, a, b, hands, name) for b in hands[1]] for a in hands[0]]
        )
        value = float(exact.outlook.lead)
        assert list(ours) == list(hands[0])
        assert list(others) == list(hands[1])
        assert (np.array(list(ours.values())) @ table).min() > value - 0.001
        assert (table @ np.array(list(others.values()))).max() < value + 0.001


def at_stake(edge: int, hands: Any, stakes: Stakes, before: float, round: int = 1) -> float:
    """What a duel with something at stake is worth, worked out card by card."""
    table = np.zeros((len(hands[0]), len(hands[1])))
    for (i, mine), (k, theirs) in product(enumerate(hands[0]), enumerate(hands[1])):
        left = [
            tuple(c for c in hand if c != out) or CARDS
            for hand, out in zip(hands, (mine, theirs), strict=True)
        ]
        margin = mine + edge - theirs
        if margin == 0 and round == 1:
            table[i, k] = at_stake(edge, left, stakes, before, 2)
            continue
        by_two = margin == 2 or (margin > 2 and not stakes.is_exact)
        value = stakes.if_lost if margin <= 0 else stakes.if_perfect if by_two else stakes.if_won
        more = duel_solver().edge_in_hand[pack_hand(left[0]), pack_hand(left[1])] - before
        table[i, k] = value + stakes.lead * more * 4 * value * (1 - value)
    return value_of(table)


def test_a_duel_with_something_at_stake_is_solved_as_linear_programs_solve_it() -> None:
    rng, c = Random(3), duel_solver()
    for n in range(60):
        size = rng.randint(1, 4)
        hands = [rng.choice(list(combinations(CARDS, size))) for _ in SEATS]
        lost, won, perfect = sorted(rng.random() for _ in range(3))
        stakes = Stakes(lost, won, perfect, i64(n % 2), rng.choice([0.0, 0.1, 0.3]))
        edge, both = rng.randint(-3, 3), (i64(pack_hand(hands[0])), i64(pack_hand(hands[1])))
        before = float(c.edge_in_hand[both])
        value = first_card_value(c, i64(edge), *both, stakes)
        assert value == pytest.approx(at_stake(edge, hands, stakes, before), abs=1e-6)


def mixes_at(stakes: Stakes) -> tuple[list[float], list[float]]:
    c = duel_solver()
    first_card_value(c, i64(0), i64(0b110101), i64(0b101110), stakes)
    return c.rows[FIRST_ROUND].tolist(), c.columns[FIRST_ROUND].tolist()


def test_who_can_win_the_match_keeps_no_card_for_later() -> None:
    def decisive(lead: float) -> Stakes:
        return Stakes(0.0, 1.0, 1.0, i64(0), lead)

    def early(lead: float) -> Stakes:
        return Stakes(0.4, 0.6, 0.6, i64(0), lead)

    for mix, alone in zip(mixes_at(decisive(0.2)), mixes_at(decisive(0.0)), strict=True):
        assert mix == pytest.approx(alone)
    for mix, alone in zip(mixes_at(early(0.2)), mixes_at(early(0.0)), strict=True):
        assert mix != pytest.approx(alone, abs=0.01)


def test_a_card_is_drawn_from_the_mix_by_the_dice() -> None:
    game = kahmate()
    state = game.notation.read_state(
        "13/13/13/13/5Coc5/3O9/13/13 R duel:T:f5>g5:1:- f5:0 g5 123456/123456 0-0 9 -"
    )
    found = [answer_of(game, state, "R", levels.LEVELS[-1], seed=seed) for seed in range(40)]
    assert len({action for action, _ in found}) > 1
    shares = {each.action: each.share for each in found[0][1].evaluation.candidates}
    assert sum(shares.values()) == pytest.approx(1)
    assert all(shares[action] > 0 for action, _ in found)


def test_the_other_captains_card_does_not_matter() -> None:
    game = kahmate()
    text = "13/13/13/13/5Coc5/3O9/13/13 R duel:T:f5>g5:1:{} f5:0 g5 123456/123456 0-0 9 -"
    states = [game.notation.read_state(text.format(card)) for card in CARDS]
    for bot in BOTS.values():
        found = {answer_of(game, state, "B", bot, nodes=100)[0] for state in states}
        assert len(found) == 1
        assert all(isinstance(action, Card) for action in found)


def test_a_card_may_be_put_down_before_its_place_comes() -> None:
    game = kahmate()
    state = game.notation.read_state(
        "13/13/13/13/5Coc5/3O9/13/13 R duel:T:f5>g5:1:- f5:0 g5 12456/13456 0-0 9 -"
    )
    early = game.rules.secret_actions(state, "B", ())
    for bot in BOTS.values():
        think = SearchContext(game, "B", Random(1), nodes=50)
        assert bot(game.rules.view(state, "B", ()), early, think) in early


# All of them


@pytest.mark.parametrize("name", BOTS)
def test_what_it_chooses_is_legal(name: str) -> None:
    rng = Random(name)
    for _ in range(40):
        game = kahmate(some_options(rng))
        state = played_at_random(game, rng, rng.randrange(400))
        actors = game.rules.to_act(state)
        for seat in SEATS:
            if seat in actors:
                actions = game.rules.turn_actions(state, seat)
            else:
                actions = game.rules.secret_actions(state, seat, ())
            if actions:
                think = SearchContext(game, seat, rng, nodes=rng.choice((1, 30, 200)))
                chosen = BOTS[name](game.rules.view(state, seat, ()), actions, think)
                assert chosen in actions, (game.options, game.notation.write_state(state), seat)


@pytest.mark.parametrize("name", BOTS)
def test_the_same_dice_choose_the_same(name: str) -> None:
    rng, game = Random(3), kahmate()
    for _ in range(4):
        state = played_at_random(game, rng, rng.randrange(20, 200))
        for seat in game.rules.to_act(state) - {CHANCE}:
            first = answer_of(game, state, seat, BOTS[name], nodes=2000, seed=5)
            second = answer_of(game, state, seat, BOTS[name], nodes=2000, seed=5)
            assert first[0] == second[0]
            assert first[1].evaluation == second[1].evaluation


OPEN = "13/2O5c4/4S4s3/2C2F1o5/4T5f2/3O4t4/10o2/13 R play - f4 123456/123456 0-0 7 -"


@pytest.mark.parametrize("name", BOTS)
def test_it_looks_at_no_more_than_it_may(name: str) -> None:
    game = kahmate()
    state = game.notation.read_state(OPEN)
    for nodes in (1, 500):
        think = answer_of(game, state, "R", BOTS[name], nodes=nodes)[1]
        assert 0 < think.evaluation.nodes <= nodes + 60


@pytest.mark.parametrize("name", BOTS)
def test_it_stops_when_it_is_told_to(name: str) -> None:
    game = kahmate()
    state = game.notation.read_state(OPEN)
    think = SearchContext(game, "R", Random(1))
    think.stop()
    actions = game.rules.turn_actions(state, "R")
    assert BOTS[name](game.rules.view(state, "R", ()), actions, think) in actions
    assert think.evaluation.nodes < 100


# What it sees


def turn_of(game: Any, state: State, bot: Any, nodes: int = 60_000) -> State:
    """The bot plays a turn; where there are cards, it is tried no further."""
    seat = state.turn
    while isinstance(state.phase, Playing) and state.turn == seat:
        action = answer_of(game, state, seat, bot, nodes)[0]
        state = game.rules.resolve(state, seat, action).state
    return state


@pytest.mark.parametrize(
    "text",
    [
        "13/13/6O2To2/13/8cF3/13/13/13 R play - j5 123456/123456 0-0 30 -",
        "13/13/9To2/13/8cO3/7F5/13/13 R play - j5 123456/123456 0-0 30 -",
        "13/13/13/9F3/13/10o2/8T4/13 R play - k4 123456/123456 0-0 30 -",
    ],
)
@pytest.mark.parametrize("level", [3, 4, 5])
def test_it_scores_where_it_can(text: str, level: int) -> None:
    game = kahmate()
    state = turn_of(game, game.notation.read_state(text), levels.LEVELS[level - 1])
    assert game.rules.outcome(state) is not None


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("13/13/13/13/9tO2/13/13/13 R play - m5 123456/123456 0-0 14 -", "k5-l5"),
        ("13/13/13/13/10Ot1/13/13/13 B play - m5 123456/123456 0-0 14 -", "l5-m5"),
    ],
)
def test_a_ball_in_goal_is_touched_down_or_fetched(text: str, action: str) -> None:
    game = kahmate(Options(kick_in_goal=True))
    state = game.notation.read_state(text)
    found, think = answer_of(game, state, state.turn, levels.LEVELS[-1], nodes=3000)
    line = [game.notation.write_action(each) for each in think.evaluation.candidates[0].line]
    assert game.notation.write_action(found) in line
    assert action in line


@pytest.mark.parametrize("name", BOTS)
def test_a_match_that_goes_on_is_set_up_again(name: str) -> None:
    game = kahmate()
    text = "13/13/13/13/13/13/13/13 B place:R - - 12345/12356 1-0/2 31 -"
    state = game.notation.read_state(text)
    found, _ = answer_of(game, state, "R", BOTS[name])
    assert found in game.rules.turn_actions(state, "R")


def hands_of(p: Any) -> tuple[int, int]:
    """Of the captain on turn and of the other."""
    return int(p.hands[p.turn]), int(p.hands[1 - p.turn])


@pytest.mark.parametrize(
    ("text", "contest", "count"),
    [
        (OPEN.replace("123456/123456", "2456/1235"), FORCE_CONTEST, 1),
        ("13/13/4c8/5F1s5/6o6/13/13/13 B play - f4 145/256 0-0 7 -", TACKLE_CONTEST, 5),
    ],
)
def test_a_duel_promises_what_its_ends_are_worth(text: str, contest: int, count: int) -> None:
    """Lost, won and won by two, as often as the best mixes of cards have it."""
    game, g, rng = kahmate(), new_turn_graph(1 << 12, 1), Random(6)
    options, best = kernel.option_codes(game.options), np.zeros(3, np.int64)
    kernel.pack(game.notation.read_state(text), g.states[0])
    g.sizes[NODES] = 1
    add_gambles(options, g, i64(0), np.zeros(kernel.MAX_ACTIONS, np.int64), True)
    last = int(g.sizes[NODES])
    g.nodes["value"][1:last] = [rng.random() for _ in range(1, last)]
    duels = [n for n in range(last) if g.nodes[n].use == GAMBLE and g.states[n].contest == contest]
    worth = {n: g.nodes["value"][n + 1 : n + 4].tolist() for n in duels}
    found = rank_gambles(g, duel_solver().wins, i64(0), i64(last), best, i64(0), i64(3))
    assert len(duels) >= count
    for n in duels:
        p, (lost, won, perfect) = g.states[n], worth[n]
        mine, theirs = (tuple(c for c in CARDS if hand >> c & 1) for hand in hands_of(p))
        wins = float(single_duel(int(modifier_edge(p)), 0, mine, theirs).outlook.win)
        by_two = wins if contest == FORCE_CONTEST else wins * BY_TWO_SHARE
        hoped = (1 - wins) * lost + (wins - by_two) * won + by_two * perfect
        assert g.nodes[n].value == pytest.approx(hoped, abs=1e-6)
    values = [g.nodes[n].value for n in best[:found]]
    others = [g.nodes[n].value for n in duels if n not in best[:found]]
    assert values == sorted(values, reverse=True)
    assert max(others, default=0.0) <= values[-1]


def test_who_comes_out_comes_out_in_front() -> None:
    squares = u64(1 << 20 | 1 << 47), u64(0)
    assert foremost_square(squares, i64(0)) == 47
    assert foremost_square(squares, i64(1)) == 20


def test_a_plan_is_kept_to_within_a_match() -> None:
    game = kahmate()
    state = game.notation.read_state(OPEN)
    think = SearchContext(game, "R", Random(2), nodes=20_000, match="one")
    action = levels.LEVELS[-1](
        game.rules.view(state, "R", ()), game.rules.turn_actions(state, "R"), think
    )
    line = think.evaluation.candidates[0].line
    assert action == line[0]
    assert len(line) > 1
    after = game.rules.resolve(state, "R", action).state
    later = SearchContext(game, "R", Random(3), nodes=1, match="one")
    assert (
        levels.LEVELS[-1](
            game.rules.view(after, "R", ()), game.rules.turn_actions(after, "R"), later
        )
        == line[1]
    )
    assert later.evaluation.nodes == 0


def test_a_line_is_played_by_the_rules() -> None:
    rng = Random(8)
    for _ in range(25):
        game = kahmate(Options(force_exit="may", kick_in_goal=rng.random() < 0.7))
        state = played_at_random(game, rng, rng.randrange(30, 300))
        for seat in game.rules.to_act(state) - {CHANCE}:
            think = answer_of(game, state, seat, levels.LEVELS[-1], nodes=3000)[1]
            for each in think.evaluation.candidates[:1]:
                after = state
                for action in each.line:
                    assert action in game.rules.turn_actions(after, seat)
                    after = game.rules.resolve(after, seat, action).state


# What a position is worth


def test_both_sides_see_the_same_position_alike() -> None:
    """A field turned round, with the sides changed, looks the same to whoever is on turn."""
    rng, game = Random(4), kahmate(Options(hold_limit=8))
    judge, options = levels.shared_buffers().evaluation, kernel.option_codes(game.options)
    for _ in range(40):
        state = played_at_random(game, rng, rng.randrange(20, 300))
        state = replace(state, phase=Playing(), movers=())
        if state.ball is None:
            continue
        seen = []
        for each in (state, mirror_image(state)):
            packed = kernel.blank()
            kernel.pack(each, packed)
            case = fill_features(options, judge, packed)
            chance = win_chance(options, judge, packed, i64(SEATS.index(each.turn)))
            seen.append([case, *judge.features, chance])
        assert seen[0] == pytest.approx(seen[1])


def test_men_are_counted_by_where_they_stand_from_the_ball() -> None:
    game, packed = kahmate(), kernel.blank()
    judge, options = levels.shared_buffers().evaluation, kernel.option_codes(game.options)
    text = "13/8o4/13/13/5SoC5/3O!9/11f1/13 R play - g5 123456/123456 0-0 9 -"
    kernel.pack(game.notation.read_state(text), packed)
    fill_features(options, judge, packed)
    seen = [
        {
            (at // RANKS - FILES // 2, at % RANKS): how_many
            for at, how_many in enumerate(judge.features[cells : cells + FILES * RANKS])
            if how_many
        }
        for cells in (CELLS, CELLS_THERE)
    ]
    assert seen[0] == {(1, 0): 1, (-1, 0): 1}, "files behind the ball, ranks aside"
    assert seen[1] == {(0, 0): 1, (2, 3): 1, (4, 2): 1}, "as Blue sees it, far is far"


def mirror_image(state: State) -> State:
    change = {"R": "B", "B": "R"}
    field = tuple(man and replace(man, side=change[man.side]) for man in reversed(state.field))
    assert state.ball is not None
    hold = state.hold and replace(
        state.hold, side=change[state.hold.side], best=12 - state.hold.best
    )
    return replace(
        state,
        field=field,
        turn=change[state.turn],
        ball=len(field) - 1 - state.ball,
        hands=state.hands[::-1],
        score=state.score[::-1],
        hold=hold,
    )


def test_a_match_is_won_try_by_try() -> None:
    """Who concedes a try begins after it."""
    assert MATCH_CHANCES[1, 1] == FIRST_TRY_CHANCE
    assert MATCH_CHANCES[1, 2] == pytest.approx(
        FIRST_TRY_CHANCE + (1 - FIRST_TRY_CHANCE) * MATCH_CHANCES[1, 1]
    )
    assert MATCH_CHANCES[2, 1] == pytest.approx(FIRST_TRY_CHANCE * (1 - MATCH_CHANCES[1, 1]))


def test_the_net_is_kept_in_thousandths() -> None:
    assert write_net(read_net()).split() == weights.TABLE.split()


def random_state(rng: Random) -> State:
    """Men anywhere, the ball not far from the line that is attacked."""
    squares = rng.sample([at for at in SQUARES if not is_in_goal(at)], 13)
    field: list[Man | None] = [None] * len(SQUARES)
    for n, at in enumerate(squares[1:]):
        field[at] = Man(SEATS[n % 2], TEAM[n // 2], rng.choice((0, 0, 0, 1)))
    ball = rng.choice(squares)
    return State(tuple(field), rng.choice(SEATS), Playing(), ball=ball)


def test_a_try_in_the_turn_is_foreseen_as_by_a_second_reading() -> None:
    rng, packed, e = Random(5), kernel.blank(), new_men_table()
    found = []
    for _ in range(1500):
        state = random_state(rng)
        kernel.pack(state, packed)
        found.append(try_chance(reach_in_turn(state)))
        assert chance_in_turn(e, packed) == pytest.approx(found[-1])
    assert found.count(1.0) > 100
    assert sum(0 < chance < 1 for chance in found) > 15


def test_a_sure_try_is_a_try() -> None:
    """What is thought to be sure ends in one, whatever the other captain plays."""
    rng, game, sure = Random(6), kahmate(), 0
    for _ in range(120):
        state = begun = random_state(rng)
        think = answer_of(game, state, state.turn, levels.LEVELS[-1], nodes=3000)[1]
        if think.evaluation.value != 1.0:
            continue
        sure += 1
        while (actors := game.rules.to_act(state)) and state.turn == begun.turn:
            actor = next(iter(actors))
            action = rng.choice(game.rules.turn_actions(state, actor))
            if actor == begun.turn:
                action = answer_of(game, state, actor, levels.LEVELS[-1], 3000)[0]
            state = game.rules.resolve(state, actor, action).state
        assert game.rules.outcome(state) is not None, game.notation.write_state(begun)
    assert sure > 10


def test_what_was_hoped_for_is_not_told() -> None:
    """A tackle that cannot fail: what a lost one would be worth is no better for it."""
    game = kahmate()
    text = "7cs4/13/5O7/13/10OF1/1Tf7S2/2t2o4C2/6o6 B play - b6 123456/123456 0-0 0 -"
    root = levels.Root(game.notation.read_state(text), SearchContext(game, "B", Random(0)))
    root.search(levels.STRENGTHS[-1], 3000)
    turn = root.buffers.turn
    for knot in turn.knots[: turn.sizes[KNOTS]]:
        if knot.kind == BEST and knot.best == NOWHERE and turn.nodes[knot.aim].depth == 0:
            assert knot.value == pytest.approx(turn.nodes[knot.aim].value)


# Placing


def test_line_ups_are_drawn_from_their_mix() -> None:
    game = kahmate()
    for seat in SEATS:
        found = set()
        for seed in range(12):
            state, think = game.rules.start(), SearchContext(game, seat, Random(seed))
            men: list[int] = []
            while len(men) < len(TEAM):
                kind, mix = TEAM[len(men)], levels.line_up_mix(state, think)
                free = [Placement(kind, at) for at in SQUARES if not state.field[at]]
                place = next_placement(state, free, seat, mix, think.rng)
                men.append(place.square)
                field = list(state.field)
                field[place.square] = Man(seat, place.kind)
                state = replace(state, field=tuple(field))
            as_red = [at if seat == "R" else len(SQUARES) - 1 - at for at in men]
            assert as_red in line_ups().tolist()
            found.add(tuple(men))
        assert len(found) > 1


def test_who_stands_anywhere_gets_a_line_up_that_fits_as_well_as_any() -> None:
    """As where somebody else has placed the first men."""
    game = kahmate()
    state = game.rules.start()
    for _ in range(3):
        state = game.rules.resolve(state, "R", game.rules.turn_actions(state, "R")[-1]).state
    actions = game.rules.turn_actions(state, "R")
    think = SearchContext(game, "R", Random(1))
    assert levels.greedy(game.rules.view(state, "R", ()), actions, think) in actions


def test_what_is_learnt_of_a_matrix_is_nearly_best() -> None:
    table = np.random.default_rng(3).random((20, 30))
    mine, theirs = regret_matching_mixes(table)
    assert (table @ theirs).max() - (mine @ table).min() < 0.01
